// SPDX-License-Identifier: AGPL-3.0-or-later
// Rate limits: fixed windows aligned to the epoch, counted per user, token and address (limits.tsv, rate.*;
// behaviours: section 9). Counters live in this process; where a site has several nodes, each tells the others a few times a
// second what it has counted, so that a limit is that of the site but for this moment.
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
    std::string_view name;       // the value of the parameter that Route::throttled_by names
    bool paging = false;         // the request carries max_id, min_id, since_id or page
    std::int64_t signed_in = 0;  // the user of the page whose form this is: counted beside the name
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

    // Before anything is counted: the nodes of a site count whom they serve by the same keys.
    void use_secret(std::string_view secret);
    // How often somebody was counted here in a window of a limit of the table.
    struct Use {
        std::int64_t limit = 0, key = 0, window = 0, count = 0;
    };
    // What was counted since this was asked last, at most so much; the rest stays for the next time. It is kept as soon as
    // somebody asks.
    std::vector<Use> uses(std::size_t most);
    void used_elsewhere(const Use&);

    // Whom this process refused lately.
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
