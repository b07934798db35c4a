// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/timelines/followed_feed.hpp"

namespace timelines {

namespace {

struct Edge {
    base::AccountId account;
    StatusId status;
};
DESCRIBE(Edge, account, status)

}  // namespace

// The first status of each member in a range, if any. The table statuses belongs to statuses, here and below.
const db::Query<Edge> newest_of_members{
    "newest_of_members",
    R"(SELECT m.account_id AS account, (SELECT s.id FROM statuses s WHERE s.account_id = m.account_id
                  AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id DESC LIMIT 1) AS status
       FROM list_members m WHERE m.list_id = $1)"
};
const db::Query<Edge> oldest_of_members{
    "oldest_of_members",
    R"(SELECT m.account_id AS account, (SELECT s.id FROM statuses s WHERE s.account_id = m.account_id
                  AND s.deleted_at IS NULL AND s.id > $2 AND s.id < $3 ORDER BY s.id LIMIT 1) AS status
       FROM list_members m WHERE m.list_id = $1)"
};

// For each author at most as many as the page needs: $4 is the limit minus one.
const db::Query<StatusId> statuses_of_members_down{
    "statuses_of_members_down",
    R"(SELECT s.id FROM json_each($1) m CROSS JOIN statuses s ON s.account_id = m.value AND s.deleted_at IS NULL
           AND s.id < $3 AND s.id >= COALESCE((SELECT y.id FROM statuses y WHERE y.account_id = m.value
               AND y.deleted_at IS NULL AND y.id > $2 AND y.id < $3 ORDER BY y.id DESC LIMIT 1 OFFSET $4), $2 + 1))",
    R"(SELECT s.id FROM unnest($1::bigint[]) m(id) CROSS JOIN LATERAL (
           SELECT y.id FROM statuses y WHERE y.account_id = m.id AND y.deleted_at IS NULL
               AND y.id > $2 AND y.id < $3 ORDER BY y.id DESC LIMIT $4 + 1) s)"
};
const db::Query<StatusId> statuses_of_members_up{
    "statuses_of_members_up",
    R"(SELECT s.id FROM json_each($1) m CROSS JOIN statuses s ON s.account_id = m.value AND s.deleted_at IS NULL
           AND s.id > $2 AND s.id <= COALESCE((SELECT y.id FROM statuses y WHERE y.account_id = m.value
               AND y.deleted_at IS NULL AND y.id > $2 AND y.id < $3 ORDER BY y.id LIMIT 1 OFFSET $4), $3 - 1))",
    R"(SELECT s.id FROM unnest($1::bigint[]) m(id) CROSS JOIN LATERAL (
           SELECT y.id FROM statuses y WHERE y.account_id = m.id AND y.deleted_at IS NULL
               AND y.id > $2 AND y.id < $3 ORDER BY y.id LIMIT $4 + 1) s)"
};

namespace {

class ListFeed : public FollowedFeed {
public:
    ListFeed(db::Read& db, const Audience& audience, lists::ListId id)
        : FollowedFeed(db, audience),
          relations_(*audience.relations),
          list_(lists::list(db, audience.viewer, id)) {
        base::Range all;
        all.limit = std::numeric_limits<int>::max();
        for (auto member : lists::members(db, id, all)) members_.insert(member);
    }

protected:
    // If as many members as a page has entries have a status up to some point, nothing beyond it can be on
    // the page, nor members whose first status is beyond it.
    Stretch stretch(const base::Range& range) override {
        auto by_direction = [&](StatusId id) { return range.ascending ? id.value : -id.value; };
        const auto& edge_sql = range.ascending ? oldest_of_members : newest_of_members;
        auto edges = db_.all(edge_sql, list_.id, range.above, range.below);
        std::erase_if(edges, [](const Edge& edge) { return !edge.status; });
        std::ranges::sort(edges, {}, [&](const Edge& edge) { return by_direction(edge.status); });
        auto most = static_cast<std::size_t>(range.limit);
        auto part = range;
        if (edges.size() >= most) {
            edges.resize(most);
            if (range.ascending) part.below = edges.back().status.value + 1;
            else part.above = edges.back().status.value - 1;
        }
        std::vector<base::AccountId> authors;
        for (const auto& edge : edges) authors.push_back(edge.account);
        const auto& sql = range.ascending ? statuses_of_members_up : statuses_of_members_down;
        auto ids = db_.all(sql, authors, part.above, part.below, std::int64_t{range.limit} - 1);
        std::ranges::sort(ids, {}, by_direction);
        if (ids.size() > most) ids.resize(most);
        return stretch_of(statuses::visibility_facts(db_, audience_, ids), range);
    }

    bool belongs(const VisibilityFacts& entry) const override {
        using statuses::Visibility;  // direct statuses are shown in home and conversations
        if (entry.visibility == Visibility::direct || entry.visibility == Visibility::limited) return false;
        if (entry.account_id == relations_.self) return true;
        auto followed = relations_.following.find(entry.account_id);
        if (followed == relations_.following.end()) return false;  // only a follow request
        if (entry.is_reblog()) return followed->second.show_reblogs;
        auto to = entry.in_reply_to_account_id;
        return !to || to == entry.account_id || to == relations_.self || answers_to(to);
    }

    bool may_repeat(const std::vector<StatusId>&, const std::vector<StatusId>&) override { return true; }

private:
    bool answers_to(base::AccountId account) const {
        switch (list_.replies_policy) {
            case lists::RepliesPolicy::followed: return relations_.follows(account);
            case lists::RepliesPolicy::list: return members_.contains(account);
            case lists::RepliesPolicy::none: return false;
        }
        return false;
    }

    const relationships::Relationships& relations_;
    lists::List list_;
    std::unordered_set<base::AccountId> members_;
};

}  // namespace

std::vector<VisibilityFacts> list(
    db::Read& db, const Audience& audience, lists::ListId id, const base::Range& range
) {
    ListFeed feed(db, audience, id);
    return fill(db, audience, range, std::ref(feed));
}

}  // namespace timelines
