// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/home.hpp"

#include <algorithm>
#include <unordered_map>

namespace timelines {

namespace {

struct Entry {
    StatusId status_id;
    base::AccountId author_id;
    StatusId original_id;
    base::AccountId original_author_id;
    base::AccountId reply_to_account_id;

    bool is_reblog() const { return original_id != status_id; }
};
DESCRIBE(Entry, status_id, author_id, original_id, original_author_id, reply_to_account_id)

}  // namespace

const db::Query<Entry> home_entries_down{"home_entries_down",
    R"(SELECT status_id, author_id, original_id, original_author_id, reply_to_account_id FROM home_entries
       WHERE account_id = $1 AND status_id > $2 AND status_id < $3 ORDER BY status_id DESC LIMIT $4)"};
const db::Query<Entry> home_entries_up{"home_entries_up",
    R"(SELECT status_id, author_id, original_id, original_author_id, reply_to_account_id FROM home_entries
       WHERE account_id = $1 AND status_id > $2 AND status_id < $3 ORDER BY status_id LIMIT $4)"};

// What a follow whose older statuses are not yet in the entries would have put there.
const db::Query<Entry> unmerged_down{"unmerged_down",
    R"(SELECT s.id AS status_id, s.account_id AS author_id, COALESCE(r.id, s.id) AS original_id,
              COALESCE(r.account_id, s.account_id) AS original_author_id,
              s.in_reply_to_account_id AS reply_to_account_id
       FROM statuses s LEFT JOIN statuses r ON r.id = s.reblog_of_id
       WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id DESC LIMIT $4)"};
const db::Query<Entry> unmerged_up{"unmerged_up",
    R"(SELECT s.id AS status_id, s.account_id AS author_id, COALESCE(r.id, s.id) AS original_id,
              COALESCE(r.account_id, s.account_id) AS original_author_id,
              s.in_reply_to_account_id AS reply_to_account_id
       FROM statuses s LEFT JOIN statuses r ON r.id = s.reblog_of_id
       WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id LIMIT $4)"};

namespace {

std::vector<Entry> entries(
    db::Read& db, const Audience& audience, const base::Range& range, const std::vector<relationships::Backfill>& backfills
) {
    const auto& stored = range.ascending ? home_entries_up : home_entries_down;
    auto found = db.all(stored, audience.viewer, range.above, range.below, range.limit);
    if (backfills.empty()) return found;
    for (const auto& backfill : backfills) {
        auto below = std::min(range.below, backfill.below);
        if (below <= range.above) continue;
        const auto& unmerged = range.ascending ? unmerged_up : unmerged_down;
        for (auto& entry : db.all(unmerged, backfill.target, range.above, below, range.limit)) found.push_back(entry);
    }
    std::ranges::sort(found, {}, [&](const Entry& e) { return range.ascending ? e.status_id.value : -e.status_id.value; });
    auto same = std::ranges::unique(found, {}, &Entry::status_id);
    found.erase(same.begin(), same.end());
    if (found.size() > static_cast<std::size_t>(range.limit)) found.resize(static_cast<std::size_t>(range.limit));
    return found;
}

// A boost is left out while the status itself or another boost of it is among this many entries before it.
constexpr int boost_window = 80;

// Whether an entry belongs into home, as far as that follows from whom the viewer follows now.
bool belongs(const Entry& e, const relationships::Circle& circle) {
    if (e.author_id == circle.self) return true;
    auto followed = circle.following.find(e.author_id);
    if (followed == circle.following.end()) return false;
    if (e.is_reblog()) return followed->second.show_reblogs;
    // An answer to somebody the viewer does not follow is not for them, but for who continues their own thread.
    auto to = e.reply_to_account_id;
    return !to || to == e.author_id || to == circle.self || circle.follows(to);
}

class Reader {
public:
    Reader(db::Read& db, const Audience& audience)
        : db_(db), audience_(audience), backfills_(relationships::backfills(db, audience.viewer)) {}

    Batch operator()(const base::Range& range) {
        Batch batch;
        auto found = entries(db_, audience_, range, backfills_);
        if (found.size() == static_cast<std::size_t>(range.limit)) batch.last = found.back().status_id;
        note_boosts(found, range);
        for (const auto& entry : found)
            if (belongs(entry, *audience_.circle) && !repeats(entry)) batch.ids.push_back(entry.status_id);
        return batch;
    }

private:
    // Positions of every original in the entries of this round and in the window below them.
    void note_boosts(const std::vector<Entry>& found, const base::Range& range) {
        positions_.clear();
        index_.clear();
        if (std::ranges::none_of(found, &Entry::is_reblog)) return;
        auto feed = found;
        if (range.ascending) std::ranges::reverse(feed);
        base::Range below;
        below.below = feed.back().status_id.value;
        below.limit = boost_window;
        for (const auto& entry : entries(db_, audience_, below, backfills_)) feed.push_back(entry);
        int position = 0;
        for (const auto& entry : feed) {
            if (!belongs(entry, *audience_.circle)) continue;
            positions_.emplace(entry.original_id, position);
            index_[entry.status_id] = position++;
        }
    }

    bool repeats(const Entry& entry) const {
        if (!entry.is_reblog()) return false;
        int own = index_.at(entry.status_id);
        auto [begin, end] = positions_.equal_range(entry.original_id);
        return std::any_of(begin, end, [&](const auto& p) { return p.second > own && p.second <= own + boost_window; });
    }

    db::Read& db_;
    const Audience& audience_;
    std::vector<relationships::Backfill> backfills_;
    std::unordered_multimap<StatusId, int> positions_;
    std::unordered_map<StatusId, int> index_;
};

}  // namespace

const db::Query<StatusId> not_in_languages{"not_in_languages",
    R"(SELECT id FROM statuses WHERE id = $1 AND language IS NOT NULL
       AND language NOT IN (SELECT value FROM json_each($2)))",
    "SELECT id FROM statuses WHERE id = $1 AND language IS NOT NULL AND language <> ALL($2::text[])"};

std::vector<Facts> home(db::Read& db, const Audience& audience, const base::Range& range) {
    Reader reader(db, audience);
    auto keep = [&](const Facts& f) {
        auto followed = audience.circle->following.find(f.account_id);
        if (followed == audience.circle->following.end() || followed->second.languages.empty()) return true;
        return !db.maybe(not_in_languages, f.original_id, followed->second.languages);
    };
    return fill(db, audience, range, std::ref(reader), keep);
}

}  // namespace timelines
