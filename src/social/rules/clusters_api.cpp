// SPDX-License-Identifier: AGPL-3.0-or-later
// Clusters of near copies, as the team looks at them and acts on all of one.
#include "http/route.hpp"
#include "social/rules/cluster.hpp"

namespace rules {
namespace {

using http::Viewer;

// A rule about what they say, to be looked at and sent to …/rules.
std::string rule_about(const std::string& said, ClusterId id) {
    Definition rule;
    rule.name = "Cluster " + std::to_string(id.value);
    Condition condition;
    condition.op = Op::near;
    condition.values = {said.substr(0, 5000)};
    rule.all_of = {condition};
    rule.then = {{statuses::RuleAct::hold, {}}};
    return json(rule);
}

struct ClusterEntity {
    static constexpr std::string_view entity = "ModerationCluster";
    ClusterId id;
    bool open = true;
    std::string said;
    std::optional<StatusId> sample_id;
    std::int64_t posts_count = 0, accounts_count = 0, servers_count = 0, recent_count = 0;
    std::optional<std::string> acting;
    std::optional<base::json::Raw> rule;
    Time first_at, last_at;
    std::optional<Time> closed_at;
    std::optional<AccountId> closed_by_id;
};
DESCRIBE(
    ClusterEntity, id, open, said, sample_id, posts_count, accounts_count, servers_count, recent_count,
    acting, rule, first_at, last_at, closed_at, closed_by_id
)

ClusterEntity entity(const Cluster& one, std::int64_t recent, std::string said) {
    ClusterEntity out;
    out.id = one.id, out.open = one.open;
    if (!sketch(said).empty()) out.rule = base::json::Raw{rule_about(said, one.id)};
    out.said = std::move(said);
    out.sample_id = one.sample_id;
    out.posts_count = one.posts, out.accounts_count = one.accounts, out.servers_count = one.servers;
    out.recent_count = recent;
    if (!one.acting.empty()) out.acting = one.acting;
    out.first_at = one.first_at, out.last_at = one.last_at, out.closed_at = one.closed_at;
    if (one.closed_by) out.closed_by_id = one.closed_by;
    return out;
}

struct ListForm {
    bool closed = false;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(ListForm, closed, max_id, since_id, min_id, limit)

http::Page<ClusterEntity> index(db::Read& db, const Viewer&, const ListForm& form) {
    http::Page<ClusterEntity> out;
    const auto found = clusters(db, !form.closed, http::range_of(form));
    const auto recent = growth(db, found);
    auto said = said_in(db, found);
    for (std::size_t i = 0; i < found.size(); ++i)
        out.items.push_back(entity(found[i], recent[i], std::move(said[i])));
    const bool full = found.size() == static_cast<std::size_t>(form.limit.value);
    if (!found.empty())
        out.cursors = base::cursors_of(found.front().id.value, found.back().id.value, full, false);
    return out;
}

struct ById {
    ClusterId id;
};
DESCRIBE(ById, id)

ClusterEntity show(db::Read& db, const Viewer&, const ById& path) {
    const std::vector one{cluster(db, path.id)};
    return entity(one[0], growth(db, one)[0], std::move(said_in(db, one)[0]));
}

struct ActForm {
    ClusterId id;
    std::optional<ClusterAct> action;
};
DESCRIBE(ActForm, id, action)

void act(db::Write& db, const Viewer& me, const ActForm& form) {
    cluster(db, form.id);
    if (!form.action) throw base::Invalid("Validation failed: Action can't be blank");
    act_on(db, accounts::actor(db, me.account), form.id, *form.action);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>           ("/api/dunlin/v1/moderation/clusters",         "admin:read:domain_blocks"),
    http::get<show>            ("/api/dunlin/v1/moderation/clusters/:id",     "admin:read:domain_blocks"),
    http::post<act, show>      ("/api/dunlin/v1/moderation/clusters/:id/act", "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> cluster_routes() { return table; }

}  // namespace rules
