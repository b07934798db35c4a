// SPDX-License-Identifier: AGPL-3.0-or-later
// Domains that lists accept: what other lists say of them is done by staff alone. It counts of a list what was gone along with.
#pragma once
#include "db/session.hpp"

#include <set>
#include <string>
#include <vector>

namespace moderation {

class AcceptedDomains {
public:
    explicit AcceptedDomains(db::Read&);
    void add(const std::vector<std::string>& domains);
    // A rule about this domain would touch one of them: it is one, or stands below or above one.
    bool touched_by(const std::string& domain) const;

private:
    std::set<std::string, std::less<>> domains_, above_;
};

}  // namespace moderation
