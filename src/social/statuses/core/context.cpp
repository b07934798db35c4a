// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/context.hpp"

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

struct Node {
    StatusId id, parent;
    AccountId account;
};
DESCRIBE(Node, id, parent, account)

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

const db::Query<Node> descendants_of{
    "descendants_of",
    R"(WITH RECURSIVE down(id, parent, account, depth) AS (
           SELECT id, in_reply_to_id, account_id, 1 FROM statuses WHERE in_reply_to_id = $1 AND deleted_at IS NULL
           UNION ALL
           SELECT s.id, s.in_reply_to_id, s.account_id, down.depth + 1
           FROM down CROSS JOIN statuses s
           WHERE s.in_reply_to_id = down.id AND s.deleted_at IS NULL AND down.depth < $3)
       SELECT id, parent, account FROM down LIMIT $2)"
};

namespace {

// Depth first, each level by id, but the thread author's own continuation first.
std::vector<StatusId> in_reading_order(std::vector<Node> nodes, StatusId root, AccountId author) {
    std::unordered_map<StatusId, std::vector<Node>> children;
    for (const auto& node : nodes) children[node.parent].push_back(node);
    for (auto& [parent, level] : children)
        std::ranges::sort(level, {}, [&](const Node& n) { return std::pair(n.account != author, n.id); });
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

std::vector<Facts> shown_of(
    db::Read& db, const Audience& audience, const std::vector<StatusId>& ids, AccountId author
) {
    auto found = facts(db, audience, ids);
    std::erase_if(found, [&](const Facts& f) {
        bool own = f.account_id == audience.viewer || f.account_id == author;
        return !(own ? visible(f, audience) : shown(f, audience));
    });
    return found;
}

}  // namespace

Thread thread(db::Read& db, const Audience& audience, StatusId id) {
    auto root = visible_facts(db, audience, id);
    auto limits = limits_of(audience);
    auto up = db.all(ancestors_of, id, limits.ancestors);
    auto down =
        in_reading_order(db.all(descendants_of, id, limits.descendants, limits.depth), id, root.account_id);
    return {shown_of(db, audience, up, root.account_id), shown_of(db, audience, down, root.account_id)};
}

}  // namespace statuses
