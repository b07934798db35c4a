// SPDX-License-Identifier: AGPL-3.0-or-later
// Rate limits: fixed windows aligned to the epoch, counted per user, token and address (limits.tsv, rate.*;
// behaviours: section 9). Each process has its own counters; the nodes of a site exchange them a few times a
// second, so limits apply to the whole site with a short delay.
#pragma once
#include "base/hash/keyed_hash.hpp"
#include "base/time.hpp"
#include "http/refusals.hpp"
#include "http/route.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace http {

class Windows;

// The window nearest to exhaustion, as reported in the X-RateLimit headers.
struct RateLimitStatus {
    std::int64_t limit = 300, remaining = 300;
    base::Time reset;
    bool refused = false;
};

// Whose requests are counted. Ids are 0 when there is no user or token; an IPv6 address counts by its /64.
struct RateLimitKey {
    std::int64_t user = 0, token = 0;
    std::string_view address;
    std::string_view name;  // the value of the parameter named by Route::throttled_by
    bool paging = false;    // the request carries max_id, min_id, since_id or page
    // Proof that this browser has signed in under `name` before. Such browsers are counted separately, so
    // that password guessing by others does not lock out the owner.
    std::string_view known = {};
    // Which limits to count: those by name need the body, which arrives later than the head.
    enum class Part { all, head, name } part = Part::all;
};

class Limiter {
public:
    explicit Limiter(bool enabled = true);
    ~Limiter();

    // Counts a request to `route` and returns the caller's status. Stops at the first limit that refuses: a
    // refused request is not counted.
    RateLimitStatus request(const Route& route, const RateLimitKey&, base::Time now);

    // Family limits count what was actually created: check before acting, count afterwards.
    RateLimitStatus family(Throttle family, std::int64_t account, base::Time now, bool count);

    // Call before counting: all nodes of a site must use the same keys.
    void use_secret(std::string_view secret);
    // How often a key was counted here in one window of one limit.
    struct Use {
        std::int64_t limit = 0, key = 0, window = 0, count = 0;
    };
    // What was counted since the last call, at most `most` entries; the rest follows next time. Recording
    // starts with the first call.
    std::vector<Use> uses(std::size_t most);
    void used_elsewhere(const Use&);

    // Whom this process refused recently.
    std::vector<LimitRefusal> refused() const { return refusals_.all(); }

private:
    struct Counted;
    bool count(Counted&, std::uint64_t key);
    void note(std::size_t limit, std::uint64_t key, std::int64_t window);
    void note_refused(std::size_t limit, const RateLimitKey&, base::Time now);
    std::uint64_t id_key(std::int64_t) const;
    std::uint64_t name_key(const RateLimitKey&) const;

    const bool enabled_;
    base::KeyedHash hash_;
    std::vector<std::unique_ptr<Windows>> windows_;  // one for each limit of the table
    std::atomic<bool> shared_ = false;
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, Use> uses_;  // by limit and key
    Refusals refusals_;
};

// The address that limits count: IPv6 cut to its /64.
std::string counted_address(std::string_view address);

}  // namespace http
