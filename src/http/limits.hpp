// SPDX-License-Identifier: AGPL-3.0-or-later
// Rate limits: fixed windows aligned to the epoch, counted per user, token and address (limits.tsv, rate.*;
// behaviours: section 9). Counters live in this process.
#pragma once
#include "base/keyed_hash.hpp"
#include "base/time.hpp"
#include "http/route.hpp"

#include <memory>
#include <string>
#include <vector>

namespace http {

class Windows;

// The window nearest to exhaustion, as the X-RateLimit headers tell it.
struct RateLimitStatus {
    std::int64_t limit = 300, remaining = 300;
    base::Time reset;
    bool refused = false;
};

// Who is counted. Ids are 0 when there is no user or token; an IPv6 address counts by its /64.
struct RateLimitKey {
    std::int64_t user = 0, token = 0;
    std::string_view address;
    std::string_view name;  // the value of the parameter that Route::throttled_by names
    bool paging = false;    // the request carries max_id, min_id, since_id or page
    // What proves that this browser has signed in under `name` before. It is counted by itself, so that others who try
    // passwords do not lock out the owner.
    std::string_view known = {};
    // Which limits are meant: those by name need the body, which comes later than the head.
    enum class Part { all, head, name } part = Part::all;
};

class Limiter {
public:
    explicit Limiter(bool enabled = true);
    ~Limiter();

    // Counts one request to `route` and says how its caller stands. The first limit that refuses ends it: what is
    // refused is counted nowhere.
    RateLimitStatus request(const Route& route, const RateLimitKey&, base::Time now);

    // Families count what was really created: look before acting, count afterwards.
    RateLimitStatus family(Throttle family, std::int64_t account, base::Time now, bool count);

private:
    struct Counted;
    bool count(Counted&, std::uint64_t key);
    std::uint64_t id_key(std::int64_t) const;
    std::uint64_t name_key(const RateLimitKey&) const;

    const bool enabled_;
    const base::KeyedHash hash_;
    std::vector<std::unique_ptr<Windows>> windows_;  // one for each limit of the table
};

// The address that limits count: IPv6 cut to its /64.
std::string counted_address(std::string_view address);

}  // namespace http
