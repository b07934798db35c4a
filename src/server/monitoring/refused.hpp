// SPDX-License-Identifier: AGPL-3.0-or-later
// Recent refusals by rate limits, with names for operators.
#pragma once
#include "db/session.hpp"
#include "http/refusals.hpp"
#include "social/insight/vitals.hpp"

namespace server {

// "@alice", "Tusky of @alice", or an id if it no longer exists.
std::string name_of_refused(db::Read&, const http::LimitRefusal&);
// "account 12", or an address.
std::string number_of_refused(const http::LimitRefusal&);

template <class F>
std::vector<insight::RefusedOne> in_words(const std::vector<http::LimitRefusal>& rows, F who) {
    std::vector<insight::RefusedOne> out;
    for (const auto& one : rows)
        out.push_back({std::string(one.limit), who(one), one.times, one.first, one.last});
    return out;
}

}  // namespace server
