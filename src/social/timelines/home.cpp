// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/home.hpp"

#include "social/statuses/facts_sql.hpp"

#include <algorithm>
#include <unordered_map>

namespace timelines {

using statuses::FactsRow;

// Entries of statuses that are gone are passed over: jobs clear them away. On SQLite the entries drive the join.
#define HOME_WHERE \
    "WHERE e.account_id = $1 AND e.status_id > $2 AND e.status_id < $3 AND s.deleted_at IS NULL "

const db::Query<FactsRow> home_entries_down{
    "home_entries_down",
    "SELECT " STATUS_FACTS
    "FROM home_entries e CROSS JOIN statuses s ON s.id = e.status_id " STATUS_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id DESC LIMIT $4",
    "SELECT " STATUS_FACTS
    "FROM home_entries e JOIN statuses s ON s.id = e.status_id " STATUS_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id DESC LIMIT $4"
};
const db::Query<FactsRow> home_entries_up{
    "home_entries_up",
    "SELECT " STATUS_FACTS
    "FROM home_entries e CROSS JOIN statuses s ON s.id = e.status_id " STATUS_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id LIMIT $4",
    "SELECT " STATUS_FACTS
    "FROM home_entries e JOIN statuses s ON s.id = e.status_id " STATUS_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id LIMIT $4"
};

// What a follow whose older statuses are not yet in the entries would have put there.
const db::Query<FactsRow> unmerged_down{
    "unmerged_down",
    "SELECT " STATUS_FACTS "FROM statuses s " STATUS_FACTS_JOINS
    "WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id DESC LIMIT $4"
};
const db::Query<FactsRow> unmerged_up{
    "unmerged_up",
    "SELECT " STATUS_FACTS "FROM statuses s " STATUS_FACTS_JOINS
    "WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id LIMIT $4"
};

namespace {

std::vector<Facts> entries(
    db::Read& db, const Audience& audience, const base::Range& range,
    const std::vector<relationships::Backfill>& backfills
) {
    const auto& stored = range.ascending ? home_entries_up : home_entries_down;
    std::vector<Facts> found;
    auto add = [&](const FactsRow& row) { found.push_back(statuses::facts_of(row)); };
    found.reserve(static_cast<std::size_t>(range.limit));
    db.each(stored, add, audience.viewer, range.above, range.below, range.limit);
    if (backfills.empty()) return found;
    for (const auto& backfill : backfills) {
        auto below = std::min(range.below, backfill.below);
        if (below <= range.above) continue;
        const auto& unmerged = range.ascending ? unmerged_up : unmerged_down;
        db.each(unmerged, add, backfill.target, range.above, below, range.limit);
    }
    std::ranges::sort(found, {}, [&](const Facts& f) { return range.ascending ? f.id.value : -f.id.value; });
    auto same = std::ranges::unique(found, {}, &Facts::id);
    found.erase(same.begin(), same.end());
    if (found.size() > static_cast<std::size_t>(range.limit))
        found.resize(static_cast<std::size_t>(range.limit));
    return found;
}

}  // namespace

// Entries of this home that show one of these statuses: itself or, older than $3, a boost of it. Rarely any but the
// boosts at hand, and asked first because looking through the window costs more.
const db::Query<StatusId> entries_showing{
    "entries_showing",
    R"(SELECT e.status_id FROM json_each($2) o CROSS JOIN home_entries e
       WHERE e.account_id = $1 AND e.status_id = o.value
       UNION ALL
       SELECT e.status_id FROM json_each($2) o CROSS JOIN home_entries e
       WHERE e.account_id = $1 AND e.original_id = o.value AND e.original_id <> e.status_id AND e.status_id <= $3
       LIMIT $4)",
    R"(SELECT status_id FROM home_entries WHERE account_id = $1 AND status_id = ANY($2::bigint[])
       UNION ALL
       SELECT status_id FROM home_entries
       WHERE account_id = $1 AND original_id = ANY($2::bigint[]) AND original_id <> status_id AND status_id <= $3
       LIMIT $4)"
};

namespace {

// A boost is left out while the status itself or another boost of it is among this many entries before it.
constexpr int boost_window = 80;

// Whether an entry belongs into home, as far as that follows from whom the viewer follows now.
bool belongs(const Facts& e, const relationships::Circle& circle) {
    if (e.account_id == circle.self) return true;
    auto followed = circle.following.find(e.account_id);
    if (followed == circle.following.end()) return false;
    if (e.is_reblog()) return followed->second.show_reblogs;
    // An answer to somebody the viewer does not follow is not for them, but for who continues their own thread.
    auto to = e.in_reply_to_account_id;
    return !to || to == e.account_id || to == circle.self || circle.follows(to);
}

struct Spoken {
    StatusId id;
    std::string language;
};
DESCRIBE(Spoken, id, language)

}  // namespace

const db::Query<Spoken> languages_of_statuses{
    "languages_of_statuses",
    R"(SELECT id, language FROM statuses WHERE id IN (SELECT value FROM json_each($1)) AND language IS NOT NULL)",
    "SELECT id, language FROM statuses WHERE id = ANY($1::bigint[]) AND language IS NOT NULL"
};

namespace {

class Reader {
public:
    Reader(db::Read& db, const Audience& audience) : db_(db), audience_(audience) {
        if (audience.circle->unmerged) backfills_ = relationships::backfills(db, audience.viewer);
    }

    Batch operator()(const base::Range& range) {
        Batch batch;
        auto found = entries(db_, audience_, range, backfills_);
        if (found.size() == static_cast<std::size_t>(range.limit)) batch.last = found.back().id;
        note_boosts(found, range);
        note_languages(found);
        for (const auto& entry : found)
            if (belongs(entry, *audience_.circle) && !repeats(entry) && understood(entry))
                batch.facts.push_back(entry);
        return batch;
    }

private:
    const std::vector<std::string>& languages_wanted_of(base::AccountId author) const {
        static const std::vector<std::string> all;
        auto followed = audience_.circle->following.find(author);
        return followed == audience_.circle->following.end() ? all : followed->second.languages;
    }

    // The languages of what comes from authors whom the viewer follows in some languages only.
    void note_languages(const std::vector<Facts>& found) {
        std::vector<StatusId> ids;
        for (const auto& entry : found)
            if (!languages_wanted_of(entry.account_id).empty()) ids.push_back(entry.original_id);
        languages_.clear();
        if (ids.empty()) return;
        db_.each(languages_of_statuses, [&](Spoken s) { languages_[s.id] = std::move(s.language); }, ids);
    }

    bool understood(const Facts& entry) const {
        const auto& wanted = languages_wanted_of(entry.account_id);
        auto spoken = languages_.find(entry.original_id);
        return wanted.empty() || spoken == languages_.end() ||
               std::ranges::find(wanted, spoken->second) != wanted.end();
    }

    // What home shows of this round and of the window below it, newest first; empty when nothing may repeat.
    void note_boosts(const std::vector<Facts>& found, const base::Range& range) {
        feed_.clear();
        if (!may_repeat(found)) return;
        feed_ = found;
        if (range.ascending) std::ranges::reverse(feed_);
        base::Range below;
        below.below = feed_.back().id.value;
        below.limit = boost_window;
        for (const auto& entry : entries(db_, audience_, below, backfills_)) feed_.push_back(entry);
        std::erase_if(feed_, [&](const Facts& entry) { return !belongs(entry, *audience_.circle); });
    }

    bool may_repeat(const std::vector<Facts>& found) {
        std::vector<StatusId> boosts, originals;
        for (const auto& entry : found) {
            if (!entry.is_reblog()) continue;
            boosts.push_back(entry.id);
            originals.push_back(entry.original_id);
        }
        if (boosts.empty()) return false;
        // Two boosts of one status on this page, or follows that are not merged yet: look closely.
        std::ranges::sort(originals);
        if (std::ranges::adjacent_find(originals) != originals.end() || !backfills_.empty()) return true;
        auto newest = std::ranges::max(boosts);
        auto shown = db_.all(entries_showing, audience_.viewer, originals, newest, std::ssize(boosts) + 1);
        return std::ranges::any_of(shown, [&](StatusId id) {
            return std::ranges::find(boosts, id) == boosts.end();
        });
    }

    bool repeats(const Facts& entry) const {
        if (!entry.is_reblog() || feed_.empty()) return false;
        auto older = std::next(std::ranges::find(feed_, entry.id, &Facts::id));
        auto end = std::next(older, std::min<std::ptrdiff_t>(boost_window, feed_.end() - older));
        return std::find_if(older, end, [&](const Facts& e) { return e.original_id == entry.original_id; }) !=
               end;
    }

    db::Read& db_;
    const Audience& audience_;
    std::vector<relationships::Backfill> backfills_;
    std::vector<Facts> feed_;
    std::unordered_map<StatusId, std::string> languages_;
};

}  // namespace

std::vector<Facts> home(db::Read& db, const Audience& audience, const base::Range& range) {
    Reader reader(db, audience);
    return fill(db, audience, range, std::ref(reader));
}

}  // namespace timelines
