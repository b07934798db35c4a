// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/home.hpp"

#include "social/lists/list.hpp"
#include "social/statuses/core/visibility_facts_sql.hpp"
#include "social/tags/tag_follow.hpp"
#include "social/timelines/tagged_entries.hpp"

namespace timelines {

using statuses::VisibilityFactsRow;

// Entries of statuses that are gone are passed over: jobs clear them away. On SQLite the entries drive the join.
// For the limit on PostgreSQL: docs/decisions/0011-plans.md.
#define HOME_WHERE \
    "WHERE e.account_id = $1 AND e.status_id > $2 AND e.status_id < $3 AND s.deleted_at IS NULL "

const db::Query<VisibilityFactsRow> home_entries_down{
    "home_entries_down",
    "SELECT " VISIBILITY_FACTS
    "FROM home_entries e CROSS JOIN statuses s ON s.id = e.status_id " VISIBILITY_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id DESC LIMIT $4",
    "SELECT " VISIBILITY_FACTS
    "FROM home_entries e JOIN statuses s ON s.id = e.status_id " VISIBILITY_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id DESC LIMIT (SELECT CAST($4 AS BIGINT))"
};
const db::Query<VisibilityFactsRow> home_entries_up{
    "home_entries_up",
    "SELECT " VISIBILITY_FACTS
    "FROM home_entries e CROSS JOIN statuses s ON s.id = e.status_id " VISIBILITY_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id LIMIT $4",
    "SELECT " VISIBILITY_FACTS
    "FROM home_entries e JOIN statuses s ON s.id = e.status_id " VISIBILITY_FACTS_JOINS HOME_WHERE
    "ORDER BY e.status_id LIMIT (SELECT CAST($4 AS BIGINT))"
};

// What a follow whose older statuses are not yet in the entries would have put there.
const db::Query<VisibilityFactsRow> unmerged_down{
    "unmerged_down",
    "SELECT " VISIBILITY_FACTS "FROM statuses s " VISIBILITY_FACTS_JOINS
    "WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id DESC LIMIT $4"
};
const db::Query<VisibilityFactsRow> unmerged_up{
    "unmerged_up",
    "SELECT " VISIBILITY_FACTS "FROM statuses s " VISIBILITY_FACTS_JOINS
    "WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id LIMIT $4"
};

// Of these statuses, whether one is shown by an entry of this home besides one boost each: itself, or by more than one
// boost up to $3. Rarely any, and asked first because looking through the window costs more.
const db::Query<bool> any_shown_again{
    "any_shown_again",
    R"(SELECT EXISTS (SELECT 1 FROM list($2) o
       WHERE EXISTS (SELECT 1 FROM home_entries e WHERE e.account_id = $1 AND e.status_id = o.value)
          OR EXISTS (SELECT 1 FROM home_entries e WHERE e.account_id = $1 AND e.original_id = o.value
                     AND e.original_id <> e.status_id AND e.status_id <= $3 LIMIT 1 OFFSET 1)))",
    R"(SELECT EXISTS (SELECT 1 FROM unnest((SELECT $2::bigint[])) o
       WHERE EXISTS (SELECT 1 FROM home_entries e WHERE e.account_id = $1 AND e.status_id = o)
          OR EXISTS (SELECT 1 FROM home_entries e WHERE e.account_id = $1 AND e.original_id = o
                     AND e.original_id <> e.status_id AND e.status_id <= $3 LIMIT 1 OFFSET 1)))"
};

namespace {

struct Entry {
    StatusId id, original_id;
    base::AccountId author_id, reply_to_account_id;
};
DESCRIBE(Entry, id, original_id, author_id, reply_to_account_id)

}  // namespace

// A tenth of what the same with all facts costs.
const db::Query<Entry> brief_entries_down{
    "brief_entries_down",
    R"(SELECT status_id AS id, original_id, author_id, reply_to_account_id FROM home_entries
       WHERE account_id = $1 AND status_id > $2 AND status_id < $3 ORDER BY status_id DESC LIMIT $4)"
};
const db::Query<Entry> brief_entries_up{
    "brief_entries_up",
    R"(SELECT status_id AS id, original_id, author_id, reply_to_account_id FROM home_entries
       WHERE account_id = $1 AND status_id > $2 AND status_id < $3 ORDER BY status_id LIMIT $4)"
};

namespace {

class Home : public FollowedFeed {
public:
    Home(db::Read& db, const Audience& audience)
        : FollowedFeed(db, audience),
          relations_(*audience.relations),
          tags_(tags::followed_ids(db, relations_.self, relations_.version)),
          elsewhere_(lists::exclusive_members(db, relations_.self, relations_.version)) {
        if (relations_.unmerged) backfills_ = relationships::backfills(db, audience.viewer);
    }

    // Whether an entry is shown, when what is known of the viewer is enough to tell.
    std::optional<bool> shows(OneForMany& one) const {
        const auto& entry = one.status();
        auto followed = relations_.following.find(entry.account_id);
        bool asks_more = !backfills_.empty() || entry.is_reblog() ||
                         entry.visibility == statuses::Visibility::direct ||
                         entry.visibility == statuses::Visibility::limited ||
                         (followed != relations_.following.end() && !followed->second.languages.empty());
        if (asks_more) return std::nullopt;
        if (!belongs(entry)) return tags_->empty() ? std::optional(false) : std::nullopt;
        return one.shown(audience_);
    }

    // From here on as if its entry stood there.
    void expect(const VisibilityFacts& entry) { expected_ = entry; }

protected:
    Stretch stretch(const base::Range& range) override {
        bool all_belong = tags_->empty() && elsewhere_->empty();
        return all_belong ? stretch_of(entries(range), range) : chosen(range);
    }

    std::vector<VisibilityFacts> entries_below(StatusId id, int limit) override {
        if (!tags_->empty() || !backfills_.empty()) return FollowedFeed::entries_below(id, limit);
        base::Range below;
        below.below = id.value;
        below.limit = limit;
        return brief_entries(below);
    }

    // As far as that follows from whom and what the viewer follows now.
    bool belongs(const VisibilityFacts& entry) const override {
        if (entry.account_id == relations_.self) return true;
        if (elsewhere_->contains(entry.account_id)) return false;
        if (tagged_.contains(entry.id)) return true;
        auto followed = relations_.following.find(entry.account_id);
        if (followed == relations_.following.end()) return false;
        if (entry.is_reblog()) return followed->second.show_reblogs;
        // An answer to somebody the viewer does not follow is not for them, but for who continues their own thread.
        auto to = entry.in_reply_to_account_id;
        return !to || to == entry.account_id || to == relations_.self || relations_.follows(to);
    }

    bool in_any_language(const VisibilityFacts& entry) const override { return tagged_.contains(entry.id); }

    bool may_repeat(const std::vector<StatusId>& boosts, const std::vector<StatusId>& originals) override {
        if (!backfills_.empty() || expected_) return true;  // not all is in the entries yet: look closely
        auto newest = std::ranges::max(boosts);
        return db_.one(any_shown_again, audience_.viewer, originals, newest) ||
               (!tags_->empty() && any_tagged(db_, *tags_, originals));
    }

private:
    // Members of exclusive lists fill about their share of the entries.
    int ahead(int limit) const {
        if (elsewhere_->empty()) return limit;
        auto followed = std::max(relations_.following.size(), elsewhere_->size() + 1);
        auto shown = static_cast<double>(followed - elsewhere_->size()) / static_cast<double>(followed);
        return static_cast<int>(limit / std::max(shown, 0.25)) + 2;
    }

    // Entries that belong and what stands under the tags: first which, then the facts of no more than the page needs.
    Stretch chosen(const base::Range& range) {
        auto wider = range;
        wider.limit = ahead(range.limit);
        auto own = stretch_of(backfills_.empty() ? brief_entries(wider) : entries(wider), wider);
        std::vector<StatusId> ids, left_out;
        for (const auto& entry : own.entries) {
            if (belongs(entry)) ids.push_back(entry.id);
            else if (elsewhere_->contains(entry.account_id)) left_out.push_back(entry.id);
        }
        auto part = wider;
        if (own.last && range.ascending) part.below = own.last->value + 1;
        if (own.last && !range.ascending) part.above = own.last->value - 1;
        auto under_tags = tags_->empty() ? IdStretch{} : tagged_ids(db_, relations_, *tags_, part);
        auto before = [&](StatusId a, StatusId b) { return range.ascending ? a < b : b < a; };
        std::ranges::set_difference(under_tags.ids, left_out, std::back_inserter(ids), before);
        std::ranges::sort(ids, before);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        auto last = under_tags.last ? under_tags.last : own.last;
        if (under_tags.last) std::erase_if(ids, [&](StatusId id) { return before(*last, id); });
        if (ids.size() > static_cast<std::size_t>(range.limit)) {
            ids.resize(static_cast<std::size_t>(range.limit));
            last = ids.back();
        }
        return {facts_of(ids, under_tags.ids, range), last};
    }

    std::vector<VisibilityFacts> facts_of(
        const std::vector<StatusId>& ids, const std::vector<StatusId>& under_tags,
        const base::Range& direction
    ) {
        auto before = [&](StatusId a, StatusId b) { return direction.ascending ? a < b : b < a; };
        std::vector<StatusId> tagged, others;
        std::ranges::set_intersection(ids, under_tags, std::back_inserter(tagged), before);
        auto found = usable_tagged(db_, tagged);
        for (auto id : ids)
            if (std::ranges::find(found, id, &VisibilityFacts::id) == found.end()) others.push_back(id);
        for (const auto& entry : found) tagged_.insert(entry.id);
        for (auto& entry : statuses::visibility_facts(db_, audience_, others))
            found.push_back(std::move(entry));
        sort(found, direction);
        return found;
    }

    std::vector<VisibilityFacts> brief_entries(const base::Range& range) const {
        std::vector<VisibilityFacts> found;
        found.reserve(static_cast<std::size_t>(range.limit));
        auto add = [&](const Entry& entry) {
            VisibilityFacts facts;
            facts.id = entry.id;
            facts.original_id = entry.original_id;
            facts.account_id = entry.author_id;
            facts.in_reply_to_account_id = entry.reply_to_account_id;
            found.push_back(facts);
        };
        const auto& stored = range.ascending ? brief_entries_up : brief_entries_down;
        db_.each(stored, add, audience_.viewer, range.above, range.below, range.limit);
        add_expected(found, range);
        return found;
    }

    std::vector<VisibilityFacts> entries(const base::Range& range) const {
        const auto& stored = range.ascending ? home_entries_up : home_entries_down;
        auto rows = db_.all(stored, audience_.viewer, range.above, range.below, range.limit);
        if (backfills_.empty()) {
            auto found = statuses::facts_of(db_, rows);
            add_expected(found, range);
            return found;
        }
        auto add = [&](const VisibilityFactsRow& row) { rows.push_back(row); };
        for (const auto& backfill : backfills_) {
            auto below = std::min(range.below, backfill.below);
            if (below <= range.above) continue;
            const auto& unmerged = range.ascending ? unmerged_up : unmerged_down;
            db_.each(unmerged, add, backfill.target, range.above, below, range.limit);
        }
        auto found = statuses::facts_of(db_, rows);
        add_expected(found, range);
        sort(found, range);
        auto same = std::ranges::unique(found, {}, &VisibilityFacts::id);
        found.erase(same.begin(), same.end());
        if (found.size() > static_cast<std::size_t>(range.limit))
            found.resize(static_cast<std::size_t>(range.limit));
        return found;
    }

    // Only ranges that hold no other status are asked for with one.
    void add_expected(std::vector<VisibilityFacts>& found, const base::Range& range) const {
        if (!expected_ || expected_->id.value <= range.above || expected_->id.value >= range.below) return;
        if (found.empty()) found.push_back(*expected_);
    }

    const relationships::Relationships& relations_;
    std::shared_ptr<const TagIds> tags_;
    std::shared_ptr<const std::unordered_set<base::AccountId>> elsewhere_;  // in exclusive lists
    std::unordered_set<StatusId> tagged_;
    std::vector<relationships::Backfill> backfills_;
    std::optional<VisibilityFacts> expected_;
};

}  // namespace

std::vector<VisibilityFacts> home(db::Read& db, const Audience& audience, const base::Range& range) {
    Home feed(db, audience);
    return fill(db, audience, range, std::ref(feed));
}

bool shows(db::Read& db, const Audience& audience, OneForMany& entry) {
    Home feed(db, audience);
    if (auto known = feed.shows(entry)) return *known;
    feed.expect(entry.status());
    return !fill(db, audience, only(entry.status().id), std::ref(feed)).empty();
}

}  // namespace timelines
