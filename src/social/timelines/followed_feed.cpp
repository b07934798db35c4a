// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/followed_feed.hpp"

namespace timelines {

Stretch stretch_of(std::vector<VisibilityFacts> entries, const base::Range& range) {
    Stretch stretch{std::move(entries), {}};
    if (!stretch.entries.empty() && stretch.entries.size() >= static_cast<std::size_t>(range.limit))
        stretch.last = stretch.entries.back().id;
    return stretch;
}

Batch FollowedFeed::operator()(const base::Range& range) {
    auto [found, last] = stretch(range);
    languages_.clear();
    note_languages(found);
    note_boosts(found, range);
    std::erase_if(found, [&](const VisibilityFacts& entry) {
        return !belongs(entry) || repeats(entry) || !understood(entry);
    });
    return {{}, std::move(found), last};
}

struct Spoken {
    StatusId id;
    std::string language;
};
DESCRIBE(Spoken, id, language)

// The table statuses belongs to statuses.
const db::Query<Spoken> languages_of_statuses{
    "languages_of_statuses",
    R"(SELECT id, language FROM statuses WHERE id IN LIST($1) AND language IS NOT NULL)"
};

const std::vector<std::string>& FollowedFeed::languages_wanted_of(base::AccountId author) const {
    static const std::vector<std::string> all;
    auto followed = audience_.relations->following.find(author);
    return followed == audience_.relations->following.end() ? all : followed->second.languages;
}

// Loads the languages of statuses whose authors the viewer follows in some languages only, unless known
// already.
void FollowedFeed::note_languages(const std::vector<VisibilityFacts>& found) {
    std::vector<StatusId> ids;
    for (const auto& entry : found)
        if (!languages_wanted_of(entry.account_id).empty() && !languages_.contains(entry.original_id))
            ids.push_back(entry.original_id);
    if (ids.empty()) return;
    db_.each(languages_of_statuses, [&](Spoken s) { languages_[s.id] = std::move(s.language); }, ids);
}

bool FollowedFeed::understood(const VisibilityFacts& entry) const {
    const auto& wanted = languages_wanted_of(entry.account_id);
    if (wanted.empty() || in_any_language(entry)) return true;
    auto spoken = languages_.find(entry.original_id);
    return spoken == languages_.end() || std::ranges::find(wanted, spoken->second) != wanted.end();
}

namespace {

// A boost is left out if the status itself or another boost of it is among this many newer entries.
constexpr int boost_window = 80;

}  // namespace

// The entries of this round and of the window below it, newest first; empty if nothing may repeat.
void FollowedFeed::note_boosts(const std::vector<VisibilityFacts>& found, const base::Range& range) {
    feed_.clear();
    if (!any_may_repeat(found)) return;
    feed_ = found;
    if (range.ascending) std::ranges::reverse(feed_);
    for (const auto& entry : entries_below(feed_.back().id, boost_window)) feed_.push_back(entry);
    note_languages(feed_);
    std::erase_if(feed_, [&](const VisibilityFacts& entry) {
        const bool hidden = audience_.hides(entry.account_id) || audience_.hides(entry.original_account_id);
        return hidden || !belongs(entry) || !understood(entry);
    });
}

std::vector<VisibilityFacts> FollowedFeed::entries_below(StatusId id, int limit) {
    base::Range below;
    below.below = id.value;
    below.limit = limit;
    return stretch(below).entries;
}

bool FollowedFeed::any_may_repeat(const std::vector<VisibilityFacts>& found) {
    std::vector<StatusId> boosts, originals;
    for (const auto& entry : found) {
        if (!entry.is_reblog()) continue;
        boosts.push_back(entry.id);
        originals.push_back(entry.original_id);
    }
    if (boosts.empty()) return false;
    // If this page has two boosts of one status, repeats have to be checked.
    std::ranges::sort(originals);
    return std::ranges::adjacent_find(originals) != originals.end() || may_repeat(boosts, originals);
}

bool FollowedFeed::repeats(const VisibilityFacts& entry) const {
    if (!entry.is_reblog() || feed_.empty()) return false;
    auto older = std::next(std::ranges::find(feed_, entry.id, &VisibilityFacts::id));
    auto end = std::next(older, std::min<std::ptrdiff_t>(boost_window, feed_.end() - older));
    return std::find_if(older, end, [&](const VisibilityFacts& e) {
               return e.original_id == entry.original_id;
           }) != end;
}

}  // namespace timelines
