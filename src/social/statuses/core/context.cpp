// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/context.hpp"

#include "social/statuses/core/listed.hpp"

#include <algorithm>
#include <unordered_map>

namespace statuses {

namespace {

struct Limits {
    int ancestors, descendants, depth;
};

Limits limits_of(const Audience& audience) {
    if (audience.anonymous()) return {40, 60, 20};
    return {4096, 4096, 1'000'000};
}

}  // namespace

// CROSS JOIN keeps SQLite from scanning all statuses for each step, whatever its statistics say. Each status
// is returned once, without the start: replies from other servers may form a cycle.
const db::Query<StatusId> ancestors_of{
    "ancestors_of",
    R"(WITH RECURSIVE up(id, distance) AS (
           SELECT in_reply_to_id, 1 FROM statuses WHERE id = $1
           UNION
           SELECT s.in_reply_to_id, up.distance + 1 FROM up CROSS JOIN statuses s
           WHERE s.id = up.id AND s.in_reply_to_id IS NOT NULL AND up.distance < $2)
       SELECT id FROM up WHERE id IS NOT NULL AND id <> $1 GROUP BY id ORDER BY min(distance) DESC)"
};

std::vector<StatusId> ancestors(db::Read& db, StatusId id, int most) {
    return db.all(ancestors_of, id, most);
}

// Most threads are flat, so replies and the replies to them are read at once. The first query needs only the
// index of replies; the second has to read each reply, because many may be hidden.
const db::Query<StatusId> all_answers_to{
    "all_answers_to",
    "SELECT id FROM statuses WHERE in_reply_to_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT $2"
};
const db::Query<StatusId> answers_to{
    "answers_to",
    "SELECT id FROM statuses WHERE in_reply_to_id = $1 AND deleted_at IS NULL "
    "AND (reply_state = 'shown' OR account_id = $3 OR in_reply_to_account_id = $3) ORDER BY id LIMIT $2"
};
const db::Query<StatusId> one_not_shown{
    "one_not_shown", "SELECT id FROM statuses WHERE id IN LIST($1) AND reply_state <> 'shown' LIMIT 1"
};
#define ANSWERS_TO_SQLITE \
    "FROM list($1) p CROSS JOIN statuses s WHERE s.in_reply_to_id = p.value AND s.deleted_at IS NULL "
#define ANSWERS_TO_POSTGRES                                                                              \
    "FROM statuses s WHERE s.in_reply_to_id = ANY((SELECT $1::bigint[])::bigint[]) AND s.deleted_at IS " \
    "NULL "
const db::Query<StatusId> answers_to_any{
    "answers_to_any",
    "SELECT s.id " ANSWERS_TO_SQLITE "LIMIT $2",
    "SELECT s.id " ANSWERS_TO_POSTGRES "LIMIT $2"
};

// The replies to the replies to replies ($1), and so on. The thread is walked breadth-first, by the index of
// replies alone.
#define DEEPER                                                                        \
    "UNION ALL SELECT s.id, down.depth + 1 FROM down CROSS JOIN statuses s "          \
    "WHERE s.in_reply_to_id = down.id AND s.deleted_at IS NULL AND down.depth < $3) " \
    "SELECT id FROM down LIMIT $2"
const db::Query<StatusId> descendants_of{
    "descendants_of",
    "WITH RECURSIVE down(id, depth) AS (SELECT s.id, 3 " ANSWERS_TO_SQLITE DEEPER,
    "WITH RECURSIVE down(id, depth) AS (SELECT s.id, 3 " ANSWERS_TO_POSTGRES DEEPER
};

namespace {

// Depth-first, each level by id, but the thread author's own continuation first.
std::vector<ListedFacts> in_reading_order(
    const std::vector<ListedFacts>& found, const VisibilityFacts& root
) {
    std::unordered_map<StatusId, std::vector<const ListedFacts*>> answers;
    for (const auto& one : found) answers[one.in_reply_to_id].push_back(&one);
    for (auto& [parent, level] : answers)
        std::ranges::sort(level, {}, [&](const ListedFacts* f) {
            return std::pair(f->account_id != root.account_id, f->id);
        });
    std::vector<ListedFacts> out;
    std::vector<const ListedFacts*> open;
    auto open_answers = [&](StatusId id) {
        if (auto level = answers.find(id); level != answers.end())
            open.insert(open.end(), level->second.rbegin(), level->second.rend());
    };
    out.reserve(found.size());
    open_answers(root.id);
    while (!open.empty()) {
        const auto& one = *open.back();
        open.pop_back();
        out.push_back(one);
        open_answers(one.id);
    }
    return out;
}

// A reply that is pending or hidden is shown only to its author and its parent's. Its descendants follow it.
bool stands_in_thread(const ListedFacts& f, AccountId viewer) {
    if (f.reply_state == ReplyState::shown) return true;
    return viewer && (viewer == f.account_id || viewer == f.in_reply_to_account_id);
}

// The author of the opened status and the viewer are never hidden. Descendants of a hidden status are hidden,
// too.
std::vector<VisibilityFacts> shown_of(
    db::Read& db, const std::vector<ListedFacts>& thread, const Audience& audience, AccountId author
) {
    auto own = [&](const VisibilityFacts& f) {
        return f.account_id == audience.viewer || f.account_id == author;
    };
    // Limited accounts are visible only to their followers.
    auto limited = [&](const ListedFacts& f) {
        return f.silenced && !(audience.relations && audience.relations->follows(f.account_id));
    };
    std::vector<VisibilityFacts> found;
    for (const auto& f : thread)
        if (own(f) || !limited(f)) found.push_back(f);
    note_viewer(db, audience, found);
    std::erase_if(found, [&](const VisibilityFacts& f) {
        return !(own(f) ? visible(f, audience) : shown(f, audience));
    });
    return found;
}

// Adds the replies to `direct`, and so on, up to the limit.
std::vector<StatusId> with_deeper(db::Read& db, std::vector<StatusId> direct, const Limits& limits) {
    auto ids = std::move(direct);
    auto room = [&] { return limits.descendants - static_cast<int>(ids.size()); };
    auto add = [&](std::vector<StatusId> more) { ids.insert(ids.end(), more.begin(), more.end()); };
    if (!ids.empty() && room() > 0) {
        auto deeper = db.all(answers_to_any, ids, room());
        add(deeper);
        if (!deeper.empty() && room() > 0) add(db.all(descendants_of, deeper, room(), limits.depth));
    }
    return ids;
}

std::vector<VisibilityFacts> descendants(
    db::Read& db, const Audience& audience, const VisibilityFacts& root, const Limits& limits
) {
    const auto direct = db.all(all_answers_to, root.id, limits.descendants);
    auto ids = with_deeper(db, direct, limits);
    // If the limit is reached, hidden replies and their descendants must not count towards it.
    if (std::ssize(ids) >= limits.descendants && db.maybe(one_not_shown, direct))
        ids = with_deeper(db, db.all(answers_to, root.id, limits.descendants, audience.viewer), limits);
    // A cycle of replies would never end.
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    std::erase(ids, root.id);
    auto all = listed_facts(db, ids);
    std::erase_if(all, [&](const ListedFacts& f) { return !stands_in_thread(f, audience.viewer); });
    return shown_of(db, in_reading_order(all, root), audience, root.account_id);
}

}  // namespace

Thread thread(db::Read& db, const Audience& audience, StatusId id) {
    auto root = visible_facts(db, audience, id);
    auto limits = limits_of(audience);
    std::vector<StatusId> up;
    if (listed_facts(db, {id})[0].in_reply_to_id) up = ancestors(db, id, limits.ancestors);
    return {
        shown_of(db, listed_facts(db, up), audience, root.account_id), descendants(db, audience, root, limits)
    };
}

}  // namespace statuses
