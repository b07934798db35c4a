// SPDX-License-Identifier: AGPL-3.0-or-later
// Domains that lists accept: rules of other lists about them are only applied by staff. Only entries that
// staff agreed to count.
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
    // Whether a rule about this domain would affect one of them: it is one of them, a subdomain or a parent
    // domain.
    bool touched_by(const std::string& domain) const;

private:
    std::set<std::string, std::less<>> domains_, above_;
};

}  // namespace moderation
