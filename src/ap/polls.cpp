// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/object_parts.hpp"

#include <algorithm>

namespace ap {

namespace {

constexpr std::size_t longest_option = 2048;

Option option(Node node) {
    Option out;
    out.name = text_of(node, "name", longest_option).text;
    if (out.name.empty()) out.name = text_of(node, "content", longest_option).text;
    auto votes = node["replies"]["totalItems"].count();
    if (!votes) votes = node["_misskey_votes"].count();
    out.votes = votes.value_or(0);
    return out;
}

}  // namespace

std::optional<Poll> read_poll(Node node, Time now) {
    Poll out;
    auto any = node["anyOf"].each(most_options), one = node["oneOf"].each(most_options);
    // Both: the stricter one, so that nobody's several votes are refused at the origin.
    out.multiple = one.empty();
    for (auto item : out.multiple ? any : one) {
        auto found = option(item);
        bool taken = std::ranges::any_of(out.options, [&](const Option& o) { return o.name == found.name; });
        if (!found.name.empty() && !taken) out.options.push_back(std::move(found));
    }
    if (out.options.empty()) return std::nullopt;
    auto closed = node["closed"];
    out.ends = node["endTime"].time_to_come();
    if (auto at = closed.time_to_come()) {
        if (!out.ends) out.ends = at;
        out.closed = *at <= now;
    }
    out.closed = out.closed || closed.flag() || (out.ends && *out.ends <= now);
    out.voters = node["votersCount"].count();
    return out;
}

}  // namespace ap
