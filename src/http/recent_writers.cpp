// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/recent_writers.hpp"

#include "http/limits.hpp"

namespace http {

namespace {

constexpr std::int64_t minute_ms = 60'000;

}  // namespace

std::uint64_t RecentWriters::key(std::string_view kind, std::string_view who) const {
    return hash_(std::string(kind) + std::string(who));
}

void RecentWriters::note(const Request& request, std::string_view token, base::Time now) {
    auto minute = now.ms / minute_ms;
    if (!token.empty()) minutes_.add(key("token ", token), minute, 1);
    minutes_.add(key("address ", counted_address(request.remote_address)), minute, 1);
}

bool RecentWriters::wrote(const Request& request, std::string_view token, base::Time now) {
    auto last_minute = now.ms / minute_ms - 1;
    return (!token.empty() && minutes_.count(key("token ", token), last_minute) > 0) ||
           minutes_.count(key("address ", counted_address(request.remote_address)), last_minute) > 0;
}

}  // namespace http
