// SPDX-License-Identifier: AGPL-3.0-or-later
// Rate limits: fixed windows aligned to the epoch, counted per user, token and address (limits.tsv, rate.*;
// behaviours: section 9). Counters live in this process.
#pragma once
#include "base/time.hpp"
#include "http/route.hpp"

#include <array>
#include <mutex>
#include <string>
#include <unordered_map>

namespace http {

// The window nearest to exhaustion, as the X-RateLimit headers tell it.
struct Standing {
    std::int64_t limit = 300, remaining = 300;
    base::Time reset;
    bool refused = false;
};

// Who is counted. Ids are 0 when there is no user or token; an IPv6 address counts by its /64.
struct Caller {
    std::int64_t user = 0, token = 0;
    std::string_view address;
    std::string_view name;  // the value of the parameter that Route::throttled_by names
    bool paging = false;    // the request carries max_id, min_id, since_id or page
};

class Limiter {
public:
    explicit Limiter(bool enabled = true) : enabled_(enabled) {}

    // Counts one request to `route` and says how its caller stands.
    Standing request(const Route& route, const Caller&, base::Time now);

    // Families count what was really created: look before acting, count afterwards.
    Standing family(Throttle family, std::int64_t account, base::Time now, bool count);

private:
    struct Window {
        std::int64_t number = 0, count = 0, ends = 0;  // ends: seconds since 1970
    };
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, Window> windows;
    };
    void count(
        Standing& nearest, std::string_view name, std::uint64_t key, std::int64_t limit, std::int64_t seconds,
        base::Time now, bool add
    );

    bool enabled_;
    std::array<Shard, 16> shards_;
};

// The address that limits count: IPv6 cut to its /64.
std::string counted_address(std::string_view address);

}  // namespace http
