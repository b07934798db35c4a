// SPDX-License-Identifier: AGPL-3.0-or-later
// Clusters: at least five posts by at least three accounts that say nearly the same and came within an hour. They are found without
// any rule, by what the window knows (window.hpp), and stand as one row each, on which the team acts once.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"
#include "social/rules/rule.hpp"
#include "social/rules/window.hpp"
#include "social/statuses/core/status.hpp"

namespace rules {

using ClusterId = base::Id<struct ClusterTag>;
constexpr std::int64_t cluster_posts = 5, cluster_accounts = 3, cluster_minutes = 60;

// A post was noted that is the next of a cluster; remembered until the first of them is stored.
void spot(db::Read&, const Sketch&, std::vector<AccountId> authors);
void forget_spotted();  // all of it, at the start

struct Cluster {
    ClusterId id;
    StatusId sample_id;
    std::int64_t posts = 0, accounts = 0, servers = 0;
    bool open = true;
    std::string acting;
    Time first_at, last_at;
    std::optional<Time> closed_at;
    AccountId closed_by;
};
DESCRIBE(
    Cluster, id, sample_id, posts, accounts, servers, open, acting, first_at, last_at, closed_at, closed_by
)

std::vector<Cluster> clusters(db::Read&, bool open, const base::Range&);  // newest first
Cluster cluster(db::Read&, ClusterId);                                    // throws NotFound
// Of each of these, how many posts came in the last ten minutes, counted up to 1000; in their order.
std::vector<std::int64_t> growth(db::Read&, const std::vector<Cluster>&);
// What each of them says, without names, hashtags and links; empty when the sample is gone.
std::vector<std::string> said_in(db::Read&, const std::vector<Cluster>&);

BOOST_DEFINE_ENUM_CLASS(ClusterAct, dismiss, remove_posts, limit, suspend)
// On all of it, in the background; then it is closed. Needs manage_blocks, and manage_users unless it is dismissed. Throws
// NotFound, Forbidden, and Conflict while something is being done.
void act_on(db::Write&, const accounts::Actor&, ClusterId, ClusterAct);

struct ClusterOpened {
    ClusterId cluster;
    std::vector<AccountId> authors;
};
DESCRIBE(ClusterOpened, cluster, authors)
struct ClusterActing {
    ClusterId cluster;
    ClusterAct act = ClusterAct::dismiss;
    AccountId by;
    StatusId after;
};
DESCRIBE(ClusterActing, cluster, act, by, after)

// Reactions
void join_cluster(db::Write&, const statuses::Published&);
void collect_cluster(db::Write&, const ClusterOpened&);  // those that came before it was one
void continue_acting(db::Write&, const ClusterActing&);

void purge_clusters(db::Write&);  // periodic
constexpr std::int64_t clusters_kept_seconds = 90 * 86'400;

}  // namespace rules
