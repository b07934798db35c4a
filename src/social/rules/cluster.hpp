// SPDX-License-Identifier: AGPL-3.0-or-later
// Clusters: at least five nearly equal posts by at least three accounts within an hour. They are found
// without any rule, by the window (window.hpp), and stored as one row each, on which staff acts once.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"
#include "social/rules/rule.hpp"
#include "social/rules/window.hpp"
#include "social/statuses/core/status.hpp"

namespace rules {

using ClusterId = base::Id<struct ClusterTag>;
constexpr std::int64_t cluster_posts = 5, cluster_accounts = 3, cluster_minutes = 60;

// The window found the next post of a cluster; kept in memory until the first of them is stored.
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
// For each of these, in order, the number of posts in the last ten minutes, counted up to 1000.
std::vector<std::int64_t> growth(db::Read&, const std::vector<Cluster>&);
// The text of each, without names, hashtags and links; empty when the sample is deleted.
std::vector<std::string> said_in(db::Read&, const std::vector<Cluster>&);

BOOST_DEFINE_ENUM_CLASS(ClusterAct, dismiss, remove_posts, limit, suspend)
// Acts on all posts in the background, then closes it. Needs manage_blocks, and manage_users unless it is
// dismissed. Throws NotFound, Forbidden, and Conflict while something is being done.
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
void collect_cluster(db::Write&, const ClusterOpened&);  // posts from before it became a cluster
void continue_acting(db::Write&, const ClusterActing&);

void purge_clusters(db::Write&);  // periodic
constexpr std::int64_t clusters_kept_seconds = 90 * 86'400;

}  // namespace rules
