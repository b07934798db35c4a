// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/limits.hpp"

#include "base/text/utf8.hpp"

#include <arpa/inet.h>
#include <cstring>

namespace http {

namespace {

constexpr std::int64_t minute = 60;

enum class By { address, user, name };  // a user or name that is not there: the address, or not at all

struct Own {
    Throttle throttle;
    std::string_view name;
    By by;
    std::int64_t limit, seconds;
};

// Limits that single routes have beside the general ones.
constexpr Own own_limits[] = {
    {Throttle::media, "media", By::user, 30, 30 * minute},
    {Throttle::sign_up, "sign_up", By::address, 5, 30 * minute},
    {Throttle::sign_up_form, "sign_up_form", By::address, 25, 5 * minute},
    {Throttle::app_registration, "apps", By::address, 5, 10 * minute},
    {Throttle::deletion, "delete", By::user, 30, 30 * minute},
    {Throttle::login, "login", By::address, 25, 5 * minute},
    {Throttle::login, "login_name", By::name, 25, 60 * minute},
    {Throttle::password_reset, "reset", By::address, 25, 5 * minute},
    {Throttle::password_reset, "reset_name", By::name, 5, 30 * minute},
    {Throttle::confirmation, "confirm", By::address, 25, 5 * minute},
    {Throttle::confirmation, "confirm_name", By::name, 5, 30 * minute},
};

// What an account may create of one kind.
constexpr Own families[] = {
    {Throttle::statuses_family, "statuses", By::user, 300, 3 * 60 * minute},
    {Throttle::follows_family, "follows", By::user, 400, 24 * 60 * minute},
    {Throttle::reports_family, "reports", By::user, 400, 24 * 60 * minute},
};

std::uint64_t hashed(std::string_view s) { return std::hash<std::string_view>{}(s); }

// E-mail addresses and usernames, which do not differ by case.
std::uint64_t hashed_name(std::string_view s) {
    while (s.starts_with(' ')) s.remove_prefix(1);
    while (s.ends_with(' ')) s.remove_suffix(1);
    return hashed(base::text::ascii_lowered(s));
}

}  // namespace

std::string counted_address(std::string_view address) {
    in6_addr v6{};
    std::string text(address);
    if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return text;
    std::memset(v6.s6_addr + 8, 0, 8);
    char out[INET6_ADDRSTRLEN];
    return inet_ntop(AF_INET6, &v6, out, sizeof out) ? out : text;
}

void Limiter::count(
    Standing& nearest, std::string_view name, std::uint64_t key, std::int64_t limit, std::int64_t seconds,
    base::Time now, bool add
) {
    auto number = now.ms / 1000 / seconds;
    std::int64_t count = 0;
    if (enabled_) {
        auto slot = hashed(name) ^ (key * 0x9E3779B97F4A7C15ULL);
        auto& shard = shards_[(slot >> 32) % shards_.size()];
        std::lock_guard lock(shard.mutex);
        // Windows of the past are worthless; a table that grew large is cleared of them.
        if (shard.windows.size() > 4'000)
            std::erase_if(shard.windows, [&](auto& w) { return w.second.ends < now.ms / 1000; });
        if (shard.windows.size() > 20'000) shard.windows.clear();
        auto& window = shard.windows[slot];
        if (window.number != number) window = {number, 0, (number + 1) * seconds};
        if (add) ++window.count;
        count = window.count;
    }
    auto remaining = limit - count;
    bool refused = add ? remaining < 0 : remaining <= 0;
    if (remaining < 0) remaining = 0;
    if (nearest.reset.ms == 0 || refused || (!nearest.refused && remaining < nearest.remaining)) {
        nearest.limit = limit;
        nearest.remaining = remaining;
        nearest.reset = {(number + 1) * seconds * 1000};
        nearest.refused = nearest.refused || refused;
    }
}

Standing Limiter::request(const Route& route, const Caller& caller, base::Time now) {
    Standing nearest;
    auto user = static_cast<std::uint64_t>(caller.user);
    std::uint64_t address = 0;
    auto by_address = [&] {
        if (!address) address = hashed(counted_address(caller.address));
        return address;
    };
    bool api = route.path.starts_with("/api/");
    if (api && caller.user) count(nearest, "user", user, 1500, 5 * minute, now, true);
    if (api && caller.token)
        count(nearest, "token", static_cast<std::uint64_t>(caller.token), 300, 5 * minute, now, true);
    if (api && !caller.user) count(nearest, "address", by_address(), 300, 5 * minute, now, true);
    if (caller.paging)
        count(nearest, "paging", caller.user ? user : by_address(), 300, 15 * minute, now, true);
    for (const auto& own : own_limits) {
        if (own.throttle != route.throttle) continue;
        std::uint64_t key = 0;
        if (own.by == By::address || (own.by == By::user && !caller.user)) key = by_address();
        else if (own.by == By::user) key = user;
        else if (!caller.name.empty()) key = hashed_name(caller.name);
        else if (caller.user) key = user;
        else continue;
        count(nearest, own.name, key, own.limit, own.seconds, now, true);
    }
    return nearest;
}

Standing Limiter::family(Throttle family, std::int64_t account, base::Time now, bool add) {
    Standing standing;
    for (const auto& one : families)
        if (one.throttle == family)
            count(standing, one.name, static_cast<std::uint64_t>(account), one.limit, one.seconds, now, add);
    return standing;
}

}  // namespace http
