// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/home.hpp"

#include "social/lists/list.hpp"
#include "social/statuses/remote/backfilled.hpp"
#include "social/tags/tag_follow.hpp"
#include "social/timelines/tagged_entries.hpp"

namespace timelines {

// Whether one of these statuses appears in this home otherwise than by one boost: itself, or by several
// boosts up to $3. This is rare, and checked first because reading the window costs more.
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

// What is needed to decide whether it belongs, and to detect repeats; facts are loaded only for those that
// do.
struct Entry {
    StatusId id, original_id;
    base::AccountId author_id, original_author_id, reply_to_account_id;
};
DESCRIBE(Entry, id, original_id, author_id, original_author_id, reply_to_account_id)

}  // namespace

// Includes entries of deleted statuses until jobs have removed them.
const db::Query<Entry> home_entries_down{
    "home_entries_down",
    R"(SELECT status_id AS id, original_id, author_id, original_author_id, reply_to_account_id FROM home_entries
       WHERE account_id = $1 AND status_id > $2 AND status_id < $3 ORDER BY status_id DESC LIMIT $4)"
};
const db::Query<Entry> home_entries_up{
    "home_entries_up",
    R"(SELECT status_id AS id, original_id, author_id, original_author_id, reply_to_account_id FROM home_entries
       WHERE account_id = $1 AND status_id > $2 AND status_id < $3 ORDER BY status_id LIMIT $4)"
};

// The entries of follows whose older statuses are not in the entries yet.
#define UNMERGED                                                                    \
    "SELECT s.id, COALESCE(r.id, s.id) AS original_id, s.account_id AS author_id, " \
    "COALESCE(r.account_id, s.account_id) AS original_author_id, "                  \
    "s.in_reply_to_account_id AS reply_to_account_id "                              \
    "FROM statuses s LEFT JOIN statuses r ON r.id = s.reblog_of_id "                \
    "WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 "
const db::Query<Entry> unmerged_down{"unmerged_down", UNMERGED "ORDER BY s.id DESC LIMIT $4"};
const db::Query<Entry> unmerged_up{"unmerged_up", UNMERGED "ORDER BY s.id LIMIT $4"};

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

    // Whether an entry is shown, if what is known of the viewer decides it.
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

    // From now on its entry is treated as existing.
    void expect(const VisibilityFacts& entry) { expected_ = entry; }

protected:
    // Entries that belong and statuses with followed tags: first their ids, then the facts of only as many as
    // the page needs.
    Stretch stretch(const base::Range& range) override {
        auto wider = range;
        wider.limit = ahead(range.limit);
        auto own = stretch_of(entries(wider), wider);
        std::vector<StatusId> ids, left_out;
        for (const auto& entry : own.entries) {
            // The author of the parent may have become known since the entry was written.
            const bool may_belong = entry.in_reply_to_account_id == statuses::unknown_account;
            if (may_belong || belongs(entry)) ids.push_back(entry.id);
            else if (elsewhere_->contains(entry.account_id)) left_out.push_back(entry.id);
        }
        auto part = wider;
        if (own.last && range.ascending) part.below = own.last->value + 1;
        if (own.last && !range.ascending) part.above = own.last->value - 1;
        auto last = own.last;
        if (!tags_->empty()) last = add_tagged(ids, left_out, part, last);
        if (ids.size() > static_cast<std::size_t>(range.limit)) {
            ids.resize(static_cast<std::size_t>(range.limit));
            last = ids.back();
        }
        return {statuses::visibility_facts(db_, audience_, ids), last};
    }

    std::vector<VisibilityFacts> entries_below(StatusId id, int limit) override {
        if (!tags_->empty()) return FollowedFeed::entries_below(id, limit);
        base::Range below;
        below.below = id.value;
        below.limit = limit;
        return entries(below);
    }

    // According to the viewer's present follows.
    bool belongs(const VisibilityFacts& entry) const override {
        if (entry.account_id == relations_.self) return true;
        if (elsewhere_->contains(entry.account_id)) return false;
        if (tagged_.contains(entry.id)) return true;
        auto followed = relations_.following.find(entry.account_id);
        if (followed == relations_.following.end()) return false;
        if (entry.is_reblog()) return followed->second.show_reblogs;
        // A reply to somebody whom the viewer does not follow is left out, except in the author's own thread.
        auto to = entry.in_reply_to_account_id;
        return !to || to == entry.account_id || to == relations_.self || relations_.follows(to);
    }

    bool in_any_language(const VisibilityFacts& entry) const override { return tagged_.contains(entry.id); }

    bool may_repeat(const std::vector<StatusId>& boosts, const std::vector<StatusId>& originals) override {
        if (!backfills_.empty() || expected_) return true;  // some entries are missing, so check
        auto newest = std::ranges::max(boosts);
        return db_.one(any_shown_again, audience_.viewer, originals, newest) ||
               (!tags_->empty() && any_tagged(db_, *tags_, originals));
    }

private:
    // The expected number of entries by members of exclusive lists.
    int ahead(int limit) const {
        if (elsewhere_->empty()) return limit;
        auto followed = std::max(relations_.following.size(), elsewhere_->size() + 1);
        auto shown = static_cast<double>(followed - elsewhere_->size()) / static_cast<double>(followed);
        return static_cast<int>(limit / std::max(shown, 0.25)) + 2;
    }

    // Returns the position up to which the result is then complete.
    std::optional<StatusId> add_tagged(
        std::vector<StatusId>& ids, const std::vector<StatusId>& left_out, const base::Range& part,
        std::optional<StatusId> last
    ) {
        auto before = [&](StatusId a, StatusId b) { return part.ascending ? a < b : b < a; };
        auto [found, end] = tagged_ids(db_, relations_, *tags_, part);
        std::ranges::set_difference(found, left_out, std::back_inserter(ids), before);
        std::ranges::sort(ids, before);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        if (end) std::erase_if(ids, [&](StatusId id) { return before(*end, id); });
        std::vector<StatusId> tagged;
        std::ranges::set_intersection(ids, found, std::back_inserter(tagged), before);
        for (auto id : usable_tagged(db_, tagged)) tagged_.insert(id);
        return end ? end : last;
    }

    std::vector<VisibilityFacts> entries(const base::Range& range) const {
        std::vector<VisibilityFacts> found;
        found.reserve(static_cast<std::size_t>(range.limit));
        auto add = [&](const Entry& entry) {
            VisibilityFacts facts;
            facts.id = entry.id;
            facts.original_id = entry.original_id;
            facts.account_id = entry.author_id;
            facts.original_account_id = entry.original_author_id;
            facts.in_reply_to_account_id = entry.reply_to_account_id;
            found.push_back(facts);
        };
        const auto& stored = range.ascending ? home_entries_up : home_entries_down;
        db_.each(stored, add, audience_.viewer, range.above, range.below, range.limit);
        add_expected(found, range);
        if (!backfills_.empty() && !is_expected_alone(range)) add_unmerged(found, add, range);
        return found;
    }

    // After a long absence this affects all follows. Several are queried together, and of the next ones only
    // statuses before the last one that fits on the page.
    template <class Add>
    void add_unmerged(std::vector<VisibilityFacts>& found, const Add& add, const base::Range& range) const {
        constexpr std::size_t together = 50;
        const auto& unmerged = range.ascending ? unmerged_up : unmerged_down;
        const auto most = static_cast<std::size_t>(range.limit);
        auto rest = range;
        auto narrow = [&] {
            if (found.empty() || found.size() < most) return;
            found.resize(most);
            (range.ascending ? rest.below : rest.above) = found.back().id.value;
        };
        narrow();
        for (std::size_t first = 0; first < backfills_.size(); first += together) {
            const auto some =
                std::span(backfills_).subspan(first, std::min(together, backfills_.size() - first));
            auto each = [&](auto&& f) {
                for (const auto& one : some)
                    if (const auto below = std::min(rest.below, one.below); below > rest.above)
                        f(one.target, rest.above, below, rest.limit);
            };
            each([&](const auto&... of_one) { db_.expect(unmerged, of_one...); });
            each([&](const auto&... of_one) { db_.each(unmerged, add, of_one...); });
            sort(found, range);
            auto same = std::ranges::unique(found, {}, &VisibilityFacts::id);
            found.erase(same.begin(), same.end());
            narrow();
        }
    }

    bool is_expected_alone(const base::Range& range) const {
        return expected_ && range.above == expected_->id.value - 1 && range.below == expected_->id.value + 1;
    }

    // Only ranges that contain no other status are queried with one.
    void add_expected(std::vector<VisibilityFacts>& found, const base::Range& range) const {
        if (!expected_ || expected_->id.value <= range.above || expected_->id.value >= range.below) return;
        if (found.empty()) found.push_back(*expected_);
    }

    const relationships::Relationships& relations_;
    std::shared_ptr<const TagIds> tags_;
    std::shared_ptr<const std::unordered_set<base::AccountId>> elsewhere_;  // members of exclusive lists
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
