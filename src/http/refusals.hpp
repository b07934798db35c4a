// SPDX-License-Identifier: AGPL-3.0-or-later
// Whom rate limits refused lately, in the memory of this process alone: a bounded table, in which who was not refused for
// longest makes room. What was typed into a form is not among it.
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
    std::string_view limit = {};  // of the table of limits
    Refused who = Refused::address;
    std::string address = {};  // of an address or network
    std::int64_t id = 0;       // of the others
    std::int64_t times = 0;
    base::Time first = {}, last = {};
};

class Refusals {
public:
    static constexpr std::size_t most = 256;

    void note(LimitRefusal, base::Time now);
    std::vector<LimitRefusal> all() const;  // those refused most often first

private:
    mutable std::mutex mutex_;
    std::vector<LimitRefusal> rows_;
};

}  // namespace http
