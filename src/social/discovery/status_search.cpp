// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/search.hpp"

#include "social/discovery/status_index.hpp"
#include "social/statuses/core/listed.hpp"
#include "social/timelines/feed.hpp"

#include <algorithm>
#include <ranges>

namespace discovery {

using statuses::Audience, statuses::ListedFacts, statuses::VisibilityFacts;

// Statuses that the viewer interacted with, besides what they wrote or were mentioned in, which the index
// contains. These tables belong to statuses. For each kind at most as many as a page needs are read: there
// may be a hundred thousand.
#define MARKED(TABLE, ID, MORE)                                              \
    "SELECT status_id FROM (SELECT DISTINCT " ID " AS status_id FROM " TABLE \
    " WHERE account_id = $1 "                                                \
    "AND " ID " > $2 AND " ID " < $3 " MORE "ORDER BY 1 DESC LIMIT $4) newest "

const db::Query<StatusId> marked_statuses{
    "marked_statuses",
    "SELECT status_id AS id FROM (" MARKED("favourites", "status_id", "") "UNION " MARKED(
        "bookmarks", "status_id", ""
    ) "UNION " MARKED("poll_votes", "status_id", "") "UNION " MARKED(
        "statuses", "reblog_of_id", "AND reblog_of_id IS NOT NULL AND deleted_at IS NULL "
    ) ") marked ORDER BY status_id DESC LIMIT $4"
};
#define MARKED_AMONG                                                                                  \
    "SELECT status_id AS id FROM favourites WHERE account_id = $1 AND status_id IN LIST($2) "         \
    "UNION SELECT status_id FROM bookmarks WHERE account_id = $1 AND status_id IN LIST($2) "          \
    "UNION SELECT status_id FROM poll_votes WHERE account_id = $1 AND status_id IN LIST($2) "         \
    "UNION SELECT reblog_of_id FROM statuses WHERE account_id = $1 AND reblog_of_id IN LIST($2) AND " \
    "deleted_at IS NULL "
const db::Query<StatusId> marked_among{"marked_among", MARKED_AMONG};
// The library, without the viewer's own statuses.
const db::Query<StatusId> library_among{
    "library_among",
    MARKED_AMONG "UNION SELECT status_id FROM mentions WHERE account_id = $1 AND status_id IN LIST($2)"
};

namespace {

std::vector<StatusId> only(const std::vector<StatusId>& ids, std::vector<StatusId> these) {
    std::ranges::sort(these);
    std::vector<StatusId> out;
    for (auto id : ids)
        if (std::ranges::binary_search(these, id)) out.push_back(id);
    return out;
}

class Search {
public:
    Search(db::Read& db, AccountId viewer, const StatusQuery& query)
        : db_(db),
          viewer_(viewer),
          query_(query),
          in_index_{query.every, {}, query.none},
          elsewhere_{query.every, {}, query.none} {
        std::vector<db::SoughtWords> marks;
        if (query.open) marks.push_back({{mark::open}, false});
        if (query.library) {
            marks.push_back({{mark::by(viewer)}, false});
            marks.push_back({{mark::mentioning(viewer)}, false});
        }
        in_index_.any = marks;
        elsewhere_.none.insert(elsewhere_.none.end(), marks.begin(), marks.end());
        if (elsewhere_.every.empty()) elsewhere_.every.push_back({{mark::any}, false});
    }

    timelines::Batch operator()(const base::Range& range) {
        auto proposed = index_hits(range);
        if (query_.library) {
            // Statuses older than a whole page of the others are not needed.
            auto newer = range;
            if (std::ssize(proposed) >= range.limit)
                newer.above = std::max(newer.above, proposed.back().value);
            auto marked = marked_hits(newer);
            proposed.insert(proposed.end(), marked.begin(), marked.end());
            std::ranges::sort(proposed, std::greater());
            auto wanted = std::min(proposed.size(), static_cast<std::size_t>(range.limit));
            proposed.resize(wanted);
        }
        auto batch = timelines::batch_of(proposed, range);
        batch.ids.clear();
        if (!proposed.empty()) batch.facts = decided(proposed);
        return batch;
    }

private:
    // Public statuses by indexable accounts, and the library.
    std::vector<VisibilityFacts> decided(const std::vector<StatusId>& proposed) {
        auto found = statuses::listed_facts(db_, proposed);
        std::erase_if(found, [](const ListedFacts& f) { return f.is_reblog(); });
        auto open = [&](const ListedFacts& f) {
            bool findable = f.visibility == statuses::Visibility::public_ && f.indexable && !f.silenced;
            return (query_.open && findable) || (query_.library && f.account_id == viewer_);
        };
        std::vector<StatusId> others;
        for (const auto& f : found)
            if (query_.library && !open(f)) others.push_back(f.id);
        auto library = others.empty() ? others : db_.all(library_among, viewer_, others);
        std::vector<VisibilityFacts> out;
        for (const auto& f : found)
            if (open(f) || std::ranges::find(library, f.id) != library.end()) out.push_back(f);
        return out;
    }

    // For one author the newest statuses usually suffice: the index would read everything that contains the
    // other words.
    std::vector<StatusId> index_hits(base::Range range) {
        constexpr int step = 100, most_steps = 3;
        auto author = std::ranges::find_if(query_.every, [](const db::SoughtWords& sought) {
            return sought.words[0].starts_with(mark::authors);
        });
        if (author == query_.every.end()) return hits(db_, in_index_, range);
        db::Sought theirs{{*author}, {}, {}};
        std::vector<StatusId> found;
        auto add = [&](const std::vector<StatusId>& some) {
            auto room = static_cast<std::size_t>(range.limit) - found.size();
            found.insert(found.end(), some.begin(), some.begin() + std::ssize(some | std::views::take(room)));
        };
        auto rest = range;
        for (int i = 0; i < most_steps && std::ssize(found) < range.limit; ++i) {
            rest.limit = step;
            auto some = hits(db_, theirs, rest);
            add(only(some, hits_among(db_, in_index_, some)));
            if (some.size() < step) return found;
            rest.below = some.back().value;
        }
        rest.limit = range.limit - static_cast<int>(found.size());
        if (rest.limit > 0) add(hits(db_, in_index_, rest));
        return found;
    }

    // Matches among statuses that the viewer interacted with and that the index does not mark as theirs:
    // either there are few matches at all, or many and the newest ones soon fill a page.
    std::vector<StatusId> marked_hits(base::Range range) {
        constexpr int few = 200, step = 500, most_steps = 20;
        auto wanted = static_cast<std::size_t>(range.limit);
        if (db_.all(marked_statuses, viewer_, range.above, range.below, 1).empty()) return {};
        auto all = range;
        all.limit = few;
        auto matching = hits(db_, elsewhere_, all);
        auto found = only(matching, db_.all(marked_among, viewer_, matching));
        if (matching.size() < few || found.size() >= wanted) return found;
        found.clear();
        for (int i = 0; i < most_steps && found.size() < wanted; ++i) {
            auto marked = db_.all(marked_statuses, viewer_, range.above, range.below, step);
            auto some = only(marked, hits_among(db_, elsewhere_, marked));
            found.insert(found.end(), some.begin(), some.end());
            if (marked.size() < step) break;
            range.below = marked.back().value;
        }
        return found;
    }

    db::Read& db_;
    AccountId viewer_;
    const StatusQuery& query_;
    db::Sought in_index_, elsewhere_;
};

// Ids contain times: `milliseconds since 1970 << 16`.
base::Range bounded(base::Range page, const StatusQuery& query) {
    page.ascending = false;
    page.above = std::max(page.above, (query.from.ms << 16) - 1);
    page.below = std::min(page.below, query.until.ms << 16);
    return page;
}

}  // namespace

std::vector<VisibilityFacts> find_statuses(
    db::Read& db, const Audience& audience, const StatusQuery& query, base::Range page, int offset
) {
    if (query.impossible || query.blank() || page.limit == 0) return {};
    if (!query.library && !query.open) return {};
    auto range = bounded(page, query);
    if (range.above >= range.below) return {};
    range.limit += offset;
    Search search(db, audience.viewer, query);
    auto found = timelines::fill(db, audience, range, [&](const base::Range& r) { return search(r); });
    auto skipped = std::min(found.size(), static_cast<std::size_t>(offset));
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(skipped));
    return found;
}

}  // namespace discovery
