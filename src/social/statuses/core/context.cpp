// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/context.hpp"

#include "social/statuses/core/visibility_facts_sql.hpp"

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

// VisibilityFactsRow, and what it answers.
struct Descendant {
    StatusId id;
    std::int64_t version = 0;
    AccountId account_id;
    std::int64_t account_version = 0;
    Visibility visibility = Visibility::public_;
    AccountId in_reply_to_account_id;
    StatusId reblog_of_id;
    std::optional<Time> suspended_at;
    ConversationId conversation_id;
    bool local_only = false;
    StatusId parent;
};
DESCRIBE(
    Descendant, id, version, account_id, account_version, visibility, in_reply_to_account_id, reblog_of_id,
    suspended_at, conversation_id, local_only, parent
)

VisibilityFactsRow visibility_facts_row(const Descendant& d) {
    return {
        d.id,
        d.version,
        d.account_id,
        d.account_version,
        d.visibility,
        d.in_reply_to_account_id,
        d.reblog_of_id,
        d.suspended_at,
        d.conversation_id,
        d.local_only
    };
}

}  // namespace

// CROSS JOIN keeps SQLite from walking all statuses for each step, whatever it believes of their number.
const db::Query<StatusId> ancestors_of{
    "ancestors_of",
    R"(WITH RECURSIVE up(id, distance) AS (
           SELECT in_reply_to_id, 1 FROM statuses WHERE id = $1
           UNION
           SELECT s.in_reply_to_id, up.distance + 1 FROM up CROSS JOIN statuses s
           WHERE s.id = up.id AND s.in_reply_to_id IS NOT NULL AND up.distance < $2)
       SELECT id FROM up WHERE id IS NOT NULL ORDER BY distance DESC)"
};

// Most threads are flat: what answers the status itself is read at once.
const db::Query<Descendant> answers_to{
    "answers_to",
    "SELECT " VISIBILITY_FACTS ", s.in_reply_to_id AS parent FROM statuses s " VISIBILITY_FACTS_JOINS
    "WHERE s.in_reply_to_id = $1 AND s.deleted_at IS NULL ORDER BY s.id LIMIT $2"
};

// What answers the answers ($1), and so on. The thread is walked by the index of answers alone, breadth first.
#define DEEPER                                                                        \
    "UNION ALL SELECT s.id, down.depth + 1 FROM down CROSS JOIN statuses s "          \
    "WHERE s.in_reply_to_id = down.id AND s.deleted_at IS NULL AND down.depth < $3) " \
    "SELECT " VISIBILITY_FACTS                                                        \
    ", s.in_reply_to_id AS parent FROM (SELECT id FROM down "                         \
    "LIMIT $2) d CROSS JOIN statuses s " VISIBILITY_FACTS_JOINS "WHERE s.id = d.id"
const db::Query<Descendant> descendants_of{
    "descendants_of",
    "WITH RECURSIVE down(id, depth) AS (SELECT s.id, 2 FROM list($1) p CROSS JOIN statuses s "
    "WHERE s.in_reply_to_id = p.value AND s.deleted_at IS NULL " DEEPER,
    "WITH RECURSIVE down(id, depth) AS (SELECT s.id, 2 FROM statuses s "
    "WHERE s.in_reply_to_id = ANY((SELECT $1::bigint[])::bigint[]) AND s.deleted_at IS NULL " DEEPER
};

namespace {

// Depth first, each level by id, but the thread author's own continuation first.
std::vector<StatusId> in_reading_order(
    const std::vector<Descendant>& found, StatusId root, AccountId author
) {
    struct Node {
        StatusId id;
        bool others = false;
    };
    std::unordered_map<StatusId, std::vector<Node>> children;
    for (const auto& one : found) children[one.parent].push_back({one.id, one.account_id != author});
    for (auto& [parent, level] : children)
        std::ranges::sort(level, {}, [](const Node& n) { return std::pair(n.others, n.id); });
    std::vector<StatusId> out, open{root};
    while (!open.empty()) {
        auto id = open.back();
        open.pop_back();
        if (id != root) out.push_back(id);
        if (auto level = children.find(id); level != children.end())
            for (auto child = level->second.rbegin(); child != level->second.rend(); ++child)
                open.push_back(child->id);
    }
    return out;
}

std::vector<VisibilityFacts> shown_of(
    std::vector<VisibilityFacts> found, const Audience& audience, AccountId author
) {
    std::erase_if(found, [&](const VisibilityFacts& f) {
        bool own = f.account_id == audience.viewer || f.account_id == author;
        return !(own ? visible(f, audience) : shown(f, audience));
    });
    return found;
}

std::vector<VisibilityFacts> descendants(
    db::Read& db, const Audience& audience, const VisibilityFacts& root, const Limits& limits
) {
    auto rows = db.all(answers_to, root.id, limits.descendants);
    if (auto room = limits.descendants - static_cast<int>(rows.size()); room > 0 && !rows.empty()) {
        std::vector<StatusId> answers;
        for (const auto& row : rows) answers.push_back(row.id);
        db.each(
            descendants_of, [&](const Descendant& row) { rows.push_back(row); }, answers, room, limits.depth
        );
    }
    std::vector<VisibilityFactsRow> bare;
    bare.reserve(rows.size());
    for (const auto& row : rows) bare.push_back(visibility_facts_row(row));
    auto found = facts_of(db, bare);
    note_viewer(db, audience, found);
    std::ranges::sort(found, {}, &VisibilityFacts::id);
    std::vector<VisibilityFacts> out;
    out.reserve(found.size());
    for (auto id : in_reading_order(rows, root.id, root.account_id))
        out.push_back(*std::ranges::lower_bound(found, id, {}, &VisibilityFacts::id));
    return shown_of(std::move(out), audience, root.account_id);
}

}  // namespace

Thread thread(db::Read& db, const Audience& audience, StatusId id) {
    auto root = visible_facts(db, audience, id);
    auto limits = limits_of(audience);
    auto up = db.all(ancestors_of, id, limits.ancestors);
    return {
        shown_of(visibility_facts(db, audience, up), audience, root.account_id),
        descendants(db, audience, root, limits)
    };
}

}  // namespace statuses
