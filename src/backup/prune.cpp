// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/prune.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace backup {

namespace {

constexpr std::int64_t hour = 3'600'000, day = 24 * hour;

std::optional<std::int64_t> length_of(std::string_view text) {
    if (text.size() < 2) return std::nullopt;
    std::int64_t count = 0;
    const auto end = text.data() + text.size() - 1;
    if (std::from_chars(text.data(), end, count).ptr != end || count <= 0 || count > 100'000)
        return std::nullopt;
    switch (text.back()) {
        case 'h': return count * hour;
        case 'd': return count * day;
        case 'w': return count * 7 * day;
        case 'm': return count * 30 * day;
        case 'y': return count * 365 * day;
        default: return std::nullopt;
    }
}

std::optional<std::int64_t> step_of(std::string_view word) {
    if (word == "all") return 0;
    if (word == "hourly") return hour;
    if (word == "daily") return day;
    if (word == "weekly") return 7 * day;
    if (word == "monthly") return 30 * day;
    return std::nullopt;
}

void remove(const Archive& archive, const std::vector<Stored>& files, const Hold& turn, Pruned& pruned) {
    for (const auto& file : files) pruned.bytes += file.bytes;
    remove_all(archive.target(), files, turn);
}

std::vector<Span> spans(const Archive& archive) {
    std::vector<Span> all;
    for (auto ms : archive.bases()) all.push_back({ms, last_point(archive, ms)});
    return all;
}

// From a copy that is out of the time in which every point can be reached, only itself is. The last comes first: where that
// breaks off, the log ends earlier, without a gap.
void add_later_logs(const Archive& archive, const Base& base, std::vector<Stored>& files) {
    for (const auto& log : archive.logs(base.ms) | std::views::reverse) {
        if (log.number <= base.least_number) continue;
        for (const auto& piece : log.pieces | std::views::reverse) files.push_back({piece.name, piece.bytes});
        const auto times = Archive::times(base.ms, log.number);
        if (const auto bytes = archive.target().size(times)) files.push_back({times, *bytes});
    }
}

}  // namespace

std::optional<std::vector<KeepRule>> parse_keep(std::string_view text) {
    std::vector<KeepRule> rules;
    for (auto part : split(text, ',')) {
        auto words = split(part, ' ');
        std::erase(words, "");
        if (words.size() != 2) return std::nullopt;
        auto age = length_of(words[0]), step = step_of(words[1]);
        if (!age || !step) return std::nullopt;
        rules.push_back({*age, *step});
    }
    return rules.empty() ? std::nullopt : std::optional(rules);
}

std::set<std::int64_t> kept(
    const std::vector<Span>& bases, const std::vector<KeepRule>& rules, std::int64_t now
) {
    std::set<std::int64_t> stay;
    if (!bases.empty()) stay.insert(bases.back().from);
    for (const auto& rule : rules) {
        const auto oldest = now - rule.age_ms;
        std::int64_t last_step = -1;
        for (const auto& base : bases) {
            if (rule.one_of_ms == 0) {
                if (base.to >= oldest) stay.insert(base.from);
            } else if (auto step = base.from / rule.one_of_ms; base.from >= oldest && step != last_step) {
                stay.insert(base.from);
                last_step = step;
            }
        }
    }
    return stay;
}

Pruned prune(const Archive& archive, const std::vector<KeepRule>& rules, std::int64_t now) {
    auto& target = archive.target();
    const auto turn = target.hold();
    const auto all = spans(archive);
    const auto stay = kept(all, rules, now);
    std::int64_t whole = 0;
    for (const auto& rule : rules)
        if (rule.one_of_ms == 0) whole = std::max(whole, rule.age_ms);
    const auto points_from = kept(all, {{whole, 0}}, now);
    std::set<std::string> blocks;
    std::vector<Base> bases;
    for (auto ms : stay) {
        const auto& base = bases.emplace_back(archive.base(ms));
        for (const auto& block : base.blocks) blocks.insert(block.sha256);
        for (const auto& file : base.files) blocks.insert(file.sha256);
    }
    const auto media = read_media_list(archive);

    Pruned pruned;
    std::vector<Stored> copies, others;
    for (const auto& span : all) {
        if (stay.contains(span.from)) continue;
        const auto name = Archive::base_name(span.from);
        copies.push_back({name, target.size(name).value_or(0)});
    }
    for (const auto& base : bases)
        if (!points_from.contains(base.ms)) add_later_logs(archive, base, others);
    // Logs without a copy: it was pruned, or broken off.
    for (auto& file : target.list("log/")) {
        auto ms = time_of_name(split(file.name, '/').at(1));
        if (ms && !stay.contains(*ms)) others.push_back(std::move(file));
    }
    for (auto& file : target.list("blocks/")) {
        if (blocks.contains(file.name.substr(file.name.rfind('/') + 1))) continue;
        ++pruned.blocks;
        others.push_back(std::move(file));
    }
    const auto oldest = stay.empty() ? now : *stay.begin();
    const auto gone = [&](const auto& one) { return one.second.gone && one.second.gone < oldest; };
    std::set<std::string, std::less<>> unneeded;
    for (const auto& one : media) {
        if (!gone(one)) continue;
        unneeded.insert(one.first);
        others.push_back({media_folder + one.first, one.second.bytes});
    }
    pruned.bases = static_cast<std::int64_t>(copies.size());
    remove(archive, copies, *turn, pruned);
    remove(archive, others, *turn, pruned);
    pruned.media = static_cast<std::int64_t>(unneeded.size());
    turn->require();
    // Read again, as a server beside this may have noted more while all that was removed.
    const auto list_turn = target.hold_list();
    const auto parts = media_list_parts(archive);
    if (unneeded.empty() && parts.empty()) return pruned;
    auto rest = read_media_list(archive);
    std::erase_if(rest, [&](const auto& one) { return unneeded.contains(one.first) && gone(one); });
    turn->require();
    write_media_list(archive, rest, parts);
    return pruned;
}

}  // namespace backup
