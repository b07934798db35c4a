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

// For how long every moment can be restored, and not only the copies themselves.
std::int64_t keep_all_for(const std::vector<KeepRule>& rules) {
    std::int64_t longest = 0;
    for (const auto& rule : rules)
        if (rule.one_of_ms == 0) longest = std::max(longest, rule.age_ms);
    return longest;
}

using Moments = std::set<std::int64_t>;  // of whole copies

std::vector<Stored> copies_without(
    const Archive& archive, const std::vector<Span>& all, const Moments& stay
) {
    std::vector<Stored> copies;
    for (const auto& span : all) {
        if (stay.contains(span.from)) continue;
        const auto name = Archive::base_name(span.from);
        copies.push_back({name, archive.target().size(name).value_or(0)});
    }
    return copies;
}

// Logs without a copy: it was pruned, or broken off.
void add_lone_logs(const Archive& archive, const Moments& stay, std::vector<Stored>& files) {
    for (auto& file : archive.target().list("log/")) {
        auto ms = time_of_name(split(file.name, '/').at(1));
        if (ms && !stay.contains(*ms)) files.push_back(std::move(file));
    }
}

// Answers how many.
std::int64_t add_unused_blocks(
    const Archive& archive, const std::vector<Base>& bases, std::vector<Stored>& files
) {
    std::set<std::string> used;
    for (const auto& base : bases) {
        for (const auto& block : base.blocks) used.insert(block.sha256);
        for (const auto& file : base.files) used.insert(file.sha256);
    }
    std::int64_t count = 0;
    for (auto& file : archive.target().list("blocks/")) {
        if (used.contains(file.name.substr(file.name.rfind('/') + 1))) continue;
        ++count;
        files.push_back(std::move(file));
    }
    return count;
}

// Uploads that were gone before the oldest copy that stays.
bool gone_before(const MediaEntry& entry, std::int64_t oldest) { return entry.gone && entry.gone < oldest; }

// The list is read again, as a server beside this may have noted more while all that was removed.
void forget_media(
    const Archive& archive, const std::set<std::string, std::less<>>& unneeded, std::int64_t oldest,
    const Hold& turn
) {
    const auto list_turn = archive.target().hold_list();
    const auto parts = media_list_parts(archive);
    if (unneeded.empty() && parts.empty()) return;
    auto rest = read_media_list(archive);
    std::erase_if(rest, [&](const auto& one) {
        return unneeded.contains(one.first) && gone_before(one.second, oldest);
    });
    turn.require();
    write_media_list(archive, rest, parts);
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
    const auto turn = archive.target().hold();
    const auto all = spans(archive);
    const auto stay = kept(all, rules, now);
    const auto points_from = kept(all, {{keep_all_for(rules), 0}}, now);
    std::vector<Base> bases;
    for (auto ms : stay) bases.push_back(archive.base(ms));
    const auto media = read_media_list(archive);

    Pruned pruned;
    const auto copies = copies_without(archive, all, stay);
    std::vector<Stored> files;
    for (const auto& base : bases)
        if (!points_from.contains(base.ms)) add_later_logs(archive, base, files);
    add_lone_logs(archive, stay, files);
    pruned.blocks = add_unused_blocks(archive, bases, files);
    const auto oldest = stay.empty() ? now : *stay.begin();
    std::set<std::string, std::less<>> unneeded;
    for (const auto& [name, entry] : media) {
        if (!gone_before(entry, oldest)) continue;
        unneeded.insert(name);
        files.push_back({media_folder + name, entry.bytes});
    }
    pruned.bases = std::ssize(copies);
    remove(archive, copies, *turn, pruned);
    remove(archive, files, *turn, pruned);
    pruned.media = std::ssize(unneeded);
    turn->require();
    forget_media(archive, unneeded, oldest, *turn);
    return pruned;
}

}  // namespace backup
