// SPDX-License-Identifier: AGPL-3.0-or-later
#include "acme/schedule.hpp"

#include "base/crypto.hpp"

#include <algorithm>

namespace acme {

namespace {

constexpr std::int64_t minute = 60'000, hour = 60 * minute, day = 24 * hour;

struct Limit {
    std::size_t tries;
    std::int64_t within;
};
constexpr Limit limits[] = {{5, hour}, {20, 7 * day}};

}  // namespace

base::Time usual_renewal(const Facts& facts) {
    const auto life = facts.until.ms - facts.from.ms;
    return {facts.from.ms + (life <= 10 * day ? life / 2 : life / 3 * 2)};
}

base::Time moment_within(const Renewal& renewal, std::string_view renewal_id) {
    const auto hash = base::sha256(renewal_id);
    const auto part = static_cast<std::int64_t>(
        (static_cast<unsigned char>(hash[0]) << 8 | static_cast<unsigned char>(hash[1])) & 0xffff
    );
    return {renewal.from.ms + (renewal.until.ms - renewal.from.ms) / 0x10000 * part};
}

base::Time next_question(base::Time now, std::int64_t ask_again_in) {
    constexpr std::int64_t usual = 6 * 3600, least = 60, most = 24 * 3600;
    return now.plus_seconds(ask_again_in == 0 ? usual : std::clamp(ask_again_in, least, most));
}

base::Time next_try(const std::vector<Try>& tries) {
    if (tries.empty() || tries.back().outcome != Outcome::failed) return {};
    const auto& last = tries.back();
    const auto in_a_row =
        std::find_if(
            tries.rbegin(), tries.rend(), [](const Try& one) { return one.outcome != Outcome::failed; }
        ) -
        tries.rbegin();
    const auto doubled = minute << std::min<std::int64_t>(in_a_row - 1, 12);
    auto next = last.at.ms + std::min(doubled, last.ordered ? 6 * hour : hour / 4);
    // Even if the authority asks for a longer wait, try again after eight days, in case that was an error.
    next = std::max(next, std::min(last.wait_until.ms, last.at.ms + 8 * day));
    for (const auto& limit : limits) {
        std::vector<std::int64_t> counted;
        for (const auto& one : tries)
            if (one.ordered && one.outcome == Outcome::failed) counted.push_back(one.at.ms);
        if (counted.size() >= limit.tries)
            next = std::max(next, counted[counted.size() - limit.tries] + limit.within);
    }
    return {next};
}

bool was_rehearsed(const std::vector<Try>& tries, const std::string& directory) {
    return std::ranges::any_of(tries, [&](const Try& one) {
        return one.outcome == Outcome::rehearsed && one.directory == directory;
    });
}

}  // namespace acme
