// SPDX-License-Identifier: AGPL-3.0-or-later
// Recent refusals by rate limits, in this process's memory only: a bounded table that evicts the entry with
// the oldest last refusal. Contains nothing that was typed into a form.
#pragma once
#include "base/time.hpp"

#include <boost/describe.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace http {

BOOST_DEFINE_ENUM_CLASS(Refused, address, network, user, token, account)

struct LimitRefusal {
    std::string_view limit = {};  // name of the limit
    Refused who = Refused::address;
    std::string address = {};  // for addresses and networks
    std::int64_t id = 0;       // for the others
    std::int64_t times = 0;
    base::Time first = {}, last = {};
};

class Refusals {
public:
    static constexpr std::size_t most = 256;

    void note(LimitRefusal, base::Time now);
    std::vector<LimitRefusal> all() const;  // most frequently refused first

private:
    mutable std::mutex mutex_;
    std::vector<LimitRefusal> rows_;
};

}  // namespace http
