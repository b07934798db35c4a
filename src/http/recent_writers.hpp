// SPDX-License-Identifier: AGPL-3.0-or-later
// Who has just written, so that they read from the primary what a replica may not have yet.
#pragma once
#include "base/keyed_hash.hpp"
#include "base/time.hpp"
#include "http/message.hpp"
#include "http/windows.hpp"

namespace http {

class RecentWriters {
public:
    // For one to two minutes from now on. The address counts beside the token, for those whose token or session has
    // only now begun.
    void note(const Request&, std::string_view token, base::Time now);
    bool wrote(const Request&, std::string_view token, base::Time now);

private:
    std::uint64_t key(std::string_view kind, std::string_view who) const;

    base::KeyedHash hash_;
    Windows minutes_{1 << 16, Windows::WhenFull::drop_oldest};
};

}  // namespace http
