// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/limits.hpp"

#include "base/text/utf8.hpp"
#include "http/windows.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <optional>

namespace http {

namespace {

constexpr std::int64_t minute = 60;

// Without a user the address is counted; without a name, nothing. A network is an IPv6 /48, in which one
// person may own 65,536 addresses that would be counted separately.
enum class By { address, network, user, token, name };

// Counters that protect secrets are never dropped while their window runs.
constexpr auto guards = Windows::WhenFull::refuse;
constexpr auto spares = Windows::WhenFull::drop_oldest;

struct Limit {
    By by;
    std::int64_t most, seconds;
    Windows::WhenFull when_full = spares;
    Throttle throttle = Throttle::none;  // routes it applies to, in addition to the general limits
};

constexpr Limit limits[] = {
    {By::user, 1500, 5 * minute},
    {By::token, 300, 5 * minute},
    {By::address, 300, 5 * minute},     // the API
    {By::address, 300, 5 * minute},     // /oauth
    {By::address, 3000, 5 * minute},    // pages and documents: a page may show a hundred remote pictures
    {By::address, 30'000, 5 * minute},  // inboxes: one server delivers for all its users
    {By::user, 300, 15 * minute},       // paginated requests
    {By::network, 300, 5 * minute, guards},
    {By::address, 5, 30 * minute, guards, Throttle::sign_up},
    {By::address, 25, 5 * minute, guards, Throttle::sign_up_form},
    {By::address, 25, 5 * minute, guards, Throttle::login},
    {By::name, 25, 60 * minute, guards, Throttle::login},
    {By::address, 25, 5 * minute, guards, Throttle::password_reset},
    {By::name, 5, 30 * minute, guards, Throttle::password_reset},
    {By::address, 25, 5 * minute, guards, Throttle::confirmation},
    {By::name, 5, 30 * minute, guards, Throttle::confirmation},
    {By::address, 5, 10 * minute, spares, Throttle::app_registration},
    {By::user, 30, 30 * minute, spares, Throttle::media},
    {By::user, 30, 30 * minute, spares, Throttle::deletion},
    // How much of one kind an account may create.
    {By::user, 300, 3 * 60 * minute, spares, Throttle::statuses_family},
    {By::user, 400, 24 * 60 * minute, spares, Throttle::follows_family},
    {By::user, 400, 24 * 60 * minute, spares, Throttle::reports_family},
};
// The names shown by `dunlin top limits`.
constexpr std::string_view names[] = {
    "API, by account",
    "API, by token",
    "API, by address",
    "/oauth, by address",
    "pages, by address",
    "inbox, by address",
    "pages of lists",
    "forms, by network",
    "sign-up",
    "sign-up form",
    "sign-in",
    "sign-in, by name",
    "password reset",
    "password reset, by name",
    "confirmation",
    "confirmation, by name",
    "registration of apps",
    "uploads",
    "deletions",
    "posts",
    "follows",
    "reports",
};
static_assert(std::size(names) == std::size(limits));
enum : std::size_t {
    of_user,
    of_token,
    of_stranger,
    of_oauth,
    of_pages,
    of_inbox,
    of_paging,
    of_network,
    general
};

constexpr std::uint32_t capacity(const Limit& limit) {
    return limit.when_full == guards ? 1 << 18 : 1 << 17;  // at most 9 and 4.5 MB
}

bool guards_secret(Throttle t) {
    for (const auto& limit : limits)
        if (limit.throttle == t && t != Throttle::none) return limit.when_full == guards;
    return false;
}

std::string cut(std::string_view address, std::size_t bytes) {
    in6_addr v6{};
    std::string text(address);
    if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return text;
    std::memset(v6.s6_addr + bytes, 0, sizeof v6.s6_addr - bytes);
    char out[INET6_ADDRSTRLEN];
    return inet_ntop(AF_INET6, &v6, out, sizeof out) ? out : text;
}

// E-mail addresses and usernames are case-insensitive.
std::string plain_name(std::string_view s) {
    while (s.starts_with(' ')) s.remove_prefix(1);
    while (s.ends_with(' ')) s.remove_suffix(1);
    if (s.starts_with('@')) s.remove_prefix(1);
    return base::text::ascii_lowered(s);
}

}  // namespace

std::string counted_address(std::string_view address) { return cut(address, 8); }

// The state of one request while it is checked against the limits.
struct Limiter::Counted {
    base::Time now;
    bool add = true;
    RateLimitStatus nearest = {};
    std::size_t limit = 0;
};

Limiter::Limiter(bool enabled) : enabled_(enabled) {
    for (const auto& limit : limits)
        windows_.push_back(std::make_unique<Windows>(capacity(limit), limit.when_full));
}

Limiter::~Limiter() = default;

// The first byte keeps texts and numbers apart.
std::uint64_t Limiter::id_key(std::int64_t id) const {
    char bytes[1 + sizeof id] = {'i'};
    std::memcpy(bytes + 1, &id, sizeof id);
    return hash_({bytes, sizeof bytes});
}

std::uint64_t Limiter::name_key(const RateLimitKey& subject) const {
    if (!subject.known.empty()) return hash_("k" + std::string(subject.known));
    return hash_("n" + plain_name(subject.name));
}

// Returns false if this limit refuses.
bool Limiter::count(Counted& c, std::uint64_t key) {
    const auto& limit = limits[c.limit];
    auto window = c.now.ms / 1000 / limit.seconds;
    Windows::Counted counted;
    if (enabled_ && c.add) {
        counted = windows_[c.limit]->add(key, window, limit.most);
        if (shared_ && !counted.refused) note(c.limit, key, window);
    }
    if (enabled_ && !c.add) {
        counted.count = windows_[c.limit]->count(key, window);
        counted.refused = counted.count >= limit.most;
    }
    auto remaining = limit.most - counted.count;
    if (c.nearest.reset.ms == 0 || counted.refused || remaining < c.nearest.remaining)
        c.nearest = {limit.most, remaining, {(window + 1) * limit.seconds * 1000}, counted.refused};
    return !counted.refused;
}

void Limiter::note_refused(std::size_t limit, const RateLimitKey& subject, base::Time now) {
    LimitRefusal one;
    one.limit = names[limit];
    switch (limits[limit].by) {
        case By::user: one.id = subject.user; break;
        case By::token: one.id = subject.token; break;
        case By::network: one.who = Refused::network; break;
        case By::address:
        case By::name: break;  // report the caller, not the name that was tried
    }
    if (one.id) one.who = limits[limit].by == By::user ? Refused::user : Refused::token;
    else one.address = cut(subject.address, one.who == Refused::network ? 6 : 8);
    refusals_.note(std::move(one), now);
}

void Limiter::use_secret(std::string_view secret) { hash_ = base::KeyedHash(secret); }

void Limiter::note(std::size_t limit, std::uint64_t key, std::int64_t window) {
    constexpr std::size_t most_noted = 1 << 16;
    std::lock_guard lock(mutex_);
    const auto at = key ^ (std::uint64_t{limit} << 56);
    if (uses_.size() >= most_noted && !uses_.contains(at)) return;
    auto& use = uses_[at];
    if (use.window != window)
        use = {static_cast<std::int64_t>(limit), static_cast<std::int64_t>(key), window, 0};
    ++use.count;
}

std::vector<Limiter::Use> Limiter::uses(std::size_t most) {
    shared_ = enabled_;
    std::vector<Use> out;
    std::lock_guard lock(mutex_);
    for (auto use = uses_.begin(); use != uses_.end() && out.size() < most; use = uses_.erase(use))
        out.push_back(use->second);
    return out;
}

void Limiter::used_elsewhere(const Use& use) {
    const auto limit = static_cast<std::size_t>(use.limit);
    if (!enabled_ || limit >= std::size(limits) || use.count <= 0) return;
    windows_[limit]->add(static_cast<std::uint64_t>(use.key), use.window, limits[limit].most, use.count);
}

RateLimitStatus Limiter::request(const Route& route, const RateLimitKey& subject, base::Time now) {
    Counted c{now};
    std::optional<std::uint64_t> known_address;
    auto address = [&] {
        if (!known_address) known_address = hash_(counted_address(subject.address));
        return *known_address;
    };
    // nullopt if the limit does not apply to this request.
    auto key = [&](By by) -> std::optional<std::uint64_t> {
        switch (by) {
            case By::address: return address();
            case By::network:
                if (subject.address.find(':') == std::string_view::npos) return std::nullopt;
                return hash_(cut(subject.address, 6));
            case By::user: return subject.user ? id_key(subject.user) : address();
            case By::token: return id_key(subject.token);
            case By::name: break;
        }
        if (!subject.name.empty()) return name_key(subject);
        if (subject.user) return id_key(subject.user);
        return std::nullopt;
    };
    using Part = RateLimitKey::Part;
    auto passes = [&](std::size_t limit) {
        if (subject.part == (limits[limit].by == By::name ? Part::head : Part::name)) return true;
        c.limit = limit;
        auto one = key(limits[limit].by);
        if (!one || count(c, *one)) return true;
        note_refused(limit, subject, now);
        return false;
    };
    bool api = route.path.starts_with("/api/");
    bool inbox = route.path.ends_with("/inbox");
    if (api && subject.user && !passes(of_user)) return c.nearest;
    if (api && subject.token && !passes(of_token)) return c.nearest;
    if (api && !subject.user && !passes(of_stranger)) return c.nearest;
    if (route.path.starts_with("/oauth/") && !passes(of_oauth)) return c.nearest;
    if (!api && !passes(inbox ? of_inbox : of_pages)) return c.nearest;
    if (subject.paging && !passes(of_paging)) return c.nearest;
    if (route.throttle == Throttle::none || is_family(route.throttle)) return c.nearest;
    if (guards_secret(route.throttle) && !passes(of_network)) return c.nearest;
    for (std::size_t i = general; i < std::size(limits); ++i)
        if (limits[i].throttle == route.throttle && !passes(i)) return c.nearest;
    return c.nearest;
}

RateLimitStatus Limiter::family(Throttle family, std::int64_t account, base::Time now, bool add) {
    Counted c{now, add};
    for (c.limit = general; c.limit < std::size(limits); ++c.limit)
        if (limits[c.limit].throttle == family && is_family(family) && !count(c, id_key(account)))
            refusals_.note({.limit = names[c.limit], .who = Refused::account, .id = account}, now);
    return c.nearest;
}

}  // namespace http
