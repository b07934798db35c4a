// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/cluster.hpp"

#include "base/shared_state.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/restricting.hpp"
#include "social/moderation/account_action.hpp"
#include "social/rules/reading.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace rules {

#define CLUSTERS                                                                                             \
    "SELECT id, sample_id, posts, accounts, servers, open, acting, first_at, last_at, closed_at, closed_by " \
    "FROM clusters "
#define DOWN "id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
#define UP "id < $1 AND id > $2 ORDER BY id LIMIT $3"

const db::Query<Cluster> clusters_down{"clusters_down", CLUSTERS "WHERE open = $4 AND " DOWN};
const db::Query<Cluster> clusters_up{"clusters_up", CLUSTERS "WHERE open = $4 AND " UP};
const db::Query<Cluster> cluster_by_id{"cluster_by_id", CLUSTERS "WHERE id = $1"};
const db::Query<ClusterId> cluster_by_key{"cluster_by_key", "SELECT id FROM clusters WHERE key = $1"};
const db::Query<std::string> keys_of_clusters{
    "keys_of_clusters", "SELECT key FROM clusters WHERE last_at > $1 ORDER BY last_at DESC LIMIT 200"
};
const db::Command insert_cluster{
    "insert_cluster",
    R"(INSERT INTO clusters (id, key, sample_id, first_at, last_at) VALUES ($1, $2, $3, $4, $4)
       ON CONFLICT (key) DO NOTHING)"
};
struct ClusterMember {
    AccountId account_id;
    std::string domain, content;
};
DESCRIBE(ClusterMember, account_id, domain, content)
// statuses belongs to statuses, accounts to accounts.
const db::Query<ClusterMember> member_of_cluster{
    "member_of_cluster",
    R"(SELECT s.account_id, a.domain, s.content FROM statuses s JOIN accounts a ON a.id = s.account_id
       WHERE s.id = $1 AND s.deleted_at IS NULL AND s.reblog_of_id IS NULL)"
};
struct ClusterSample {
    StatusId id;
    std::string content;
};
DESCRIBE(ClusterSample, id, content)
const db::Query<ClusterSample> samples_of_clusters{
    "samples_of_clusters", "SELECT id, content FROM statuses WHERE id IN LIST($1) AND deleted_at IS NULL"
};
struct ClusterFresh {
    bool account = false, server = false;
};
DESCRIBE(ClusterFresh, account, server)
const db::Query<ClusterFresh> fresh_in_cluster{
    "fresh_in_cluster",
    R"(SELECT NOT EXISTS (SELECT 1 FROM cluster_posts WHERE cluster_id = $1 AND account_id = $2) AS account,
              NOT EXISTS (SELECT 1 FROM cluster_posts WHERE cluster_id = $1 AND domain = $3) AS server)"
};
const db::Command insert_cluster_post{
    "insert_cluster_post",
    R"(INSERT INTO cluster_posts (cluster_id, status_id, account_id, domain) VALUES ($1, $2, $3, $4)
       ON CONFLICT (cluster_id, status_id) DO NOTHING)"
};
// Whoever dealt with it is told when it goes on a day later.
const db::Command grow_cluster{
    "grow_cluster",
    R"(UPDATE clusters SET posts = posts + 1, accounts = accounts + $2, servers = servers + $3,
           last_at = CASE WHEN last_at > $4 THEN last_at ELSE $4 END,
           open = CASE WHEN open = TRUE OR closed_at < $4 - 86400000 THEN TRUE ELSE FALSE END
       WHERE id = $1)"
};
const db::Query<StatusId> latest_by_account{
    "latest_by_account",
    R"(SELECT id FROM statuses WHERE account_id = $1 AND id > $2 AND deleted_at IS NULL ORDER BY id DESC LIMIT 20)"
};
struct ClusterGrown {
    ClusterId id;
    std::int64_t posts = 0;
};
DESCRIBE(ClusterGrown, id, posts)
const db::Query<ClusterGrown> growth_of_clusters{
    "growth_of_clusters",
    R"(SELECT c.id, (SELECT count(*) FROM (SELECT 1 AS x FROM cluster_posts p
                                           WHERE p.cluster_id = c.id AND p.status_id > $2
                                           ORDER BY p.status_id LIMIT 1000) latest) AS posts
       FROM clusters c WHERE c.id IN LIST($1))"
};
struct ClusterActed {
    StatusId status_id;
    AccountId account_id;
};
DESCRIBE(ClusterActed, status_id, account_id)
const db::Query<ClusterActed> posts_of_cluster{
    "posts_of_cluster",
    R"(SELECT status_id, account_id FROM cluster_posts WHERE cluster_id = $1 AND status_id > $2
       ORDER BY status_id LIMIT $3)"
};
const db::Command set_acting{"set_acting", "UPDATE clusters SET acting = $2 WHERE id = $1 AND acting = ''"};
const db::Command close_cluster{
    "close_cluster",
    "UPDATE clusters SET open = FALSE, acting = '', closed_at = $2, closed_by = $3 WHERE id = $1"
};
const db::Query<ClusterId> old_clusters{
    "old_clusters", "SELECT id FROM clusters WHERE last_at < $1 ORDER BY last_at LIMIT 1"
};
const db::Command delete_cluster_posts{
    "delete_cluster_posts",
    R"(DELETE FROM cluster_posts WHERE cluster_id = $1 AND status_id IN
           (SELECT status_id FROM cluster_posts WHERE cluster_id = $1 ORDER BY status_id LIMIT 500))"
};
const db::Command delete_cluster{"delete_cluster", "DELETE FROM clusters WHERE id = $1"};

namespace {

std::string key_of(const Sketch& sketch) {
    std::string out;
    for (auto part : sketch.parts) {
        std::array<char, 8> digits{};
        auto* end = std::to_chars(digits.data(), digits.data() + digits.size(), part, 16).ptr;
        out.append(static_cast<std::size_t>(digits.data() + digits.size() - end), '0');
        out.append(digits.data(), end);
    }
    return out;
}

Sketch sketch_in(std::string_view key) {
    Sketch out;
    for (std::size_t i = 0; i < out.parts.size() && (i + 1) * 8 <= key.size(); ++i)
        std::from_chars(key.data() + i * 8, key.data() + i * 8 + 8, out.parts[i], 16);
    return out;
}

struct Spotted {
    std::string key;
    Sketch sketch;
    std::vector<AccountId> authors;
    Time last;
};

// What this process waits for. It says nothing about the database: a change that fails loses nothing.
struct Lookout {
    base::Lock lock;
    std::vector<Spotted> all;
    base::Count any = 0;  // 1: there is something to wait for
};

Lookout& lookout() {
    static Lookout one;
    return one;
}

constexpr std::size_t most_spotted = 64;
constexpr std::int64_t spotted_seconds = cluster_minutes * 60;

Spotted* find(std::vector<Spotted>& all, const Sketch& sketch) {
    auto found = std::ranges::find_if(all, [&](const Spotted& one) { return near(one.sketch, sketch); });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

void spot(db::Read& db, const Sketch& sketch, std::vector<AccountId> authors) {
    {
        const base::Hold hold(lookout().lock);
        if (auto* known = find(lookout().all, sketch)) {
            known->last = db.now();
            return;
        }
    }
    // Another node may have found it, or this one before it began anew.
    auto key = key_of(sketch);
    for (const auto& other : db.all(keys_of_clusters, db.now().plus_seconds(-86'400)))
        if (near(sketch_in(other), sketch)) {
            key = other;
            break;
        }
    const base::Hold hold(lookout().lock);
    auto& all = lookout().all;
    std::erase_if(all, [&](const Spotted& one) {
        return one.last < db.now().plus_seconds(-spotted_seconds);
    });
    if (all.size() >= most_spotted) all.erase(std::ranges::min_element(all, {}, &Spotted::last));
    all.push_back({std::move(key), sketch, std::move(authors), db.now()});
    lookout().any = 1;
}

void forget_spotted() {
    const base::Hold hold(lookout().lock);
    lookout().all.clear();
    lookout().any = 0;
}

namespace {

void add(db::Write& db, ClusterId cluster, StatusId status, const ClusterMember& member) {
    auto fresh = db.one(fresh_in_cluster, cluster, member.account_id, member.domain);
    if (db.run(insert_cluster_post, cluster, status, member.account_id, member.domain) == 0) return;
    db.run_last(grow_cluster, cluster, int{fresh.account}, int{fresh.server}, db.now());
}

std::optional<Spotted> waited_for(const Sketch& sketch) {
    const base::Hold hold(lookout().lock);
    auto* found = find(lookout().all, sketch);
    return found ? std::optional(*found) : std::nullopt;
}

Sketch sketch_of(const ClusterMember& member) { return sketch(read_html(member.content).said); }

}  // namespace

void join_cluster(db::Write& db, const statuses::Published& published) {
    if (lookout().any == 0) return;
    auto member = db.maybe(member_of_cluster, published.id);
    if (!member) return;
    auto spotted = waited_for(sketch_of(*member));
    if (!spotted) return;
    auto id = db.maybe(cluster_by_key, spotted->key);
    if (!id) {
        auto made = db.new_id<ClusterId>();
        if (db.run(insert_cluster, made, spotted->key, published.id, db.now()) != 0)
            db.emit(ClusterOpened{made, spotted->authors});
        id = db.maybe(cluster_by_key, spotted->key);
    }
    if (id) add(db, *id, published.id, *member);
}

void collect_cluster(db::Write& db, const ClusterOpened& opened) {
    auto found = db.maybe(cluster_by_id, opened.cluster);
    auto sample = found ? db.maybe(member_of_cluster, found->sample_id) : std::nullopt;
    if (!sample) return;
    const auto wanted = sketch_of(*sample);
    const StatusId since{db.now().plus_seconds(-spotted_seconds).ms << 16};
    const jobs::Turn turn;
    for (auto left = opened.authors.begin(); left != opened.authors.end();) {
        for (auto status : db.all(latest_by_account, *left++, since))
            if (auto member = db.maybe(member_of_cluster, status); member && near(sketch_of(*member), wanted))
                add(db, opened.cluster, status, *member);
        if (turn.over() && left != opened.authors.end())
            return db.emit(ClusterOpened{opened.cluster, {left, opened.authors.end()}});
    }
}

std::vector<Cluster> clusters(db::Read& db, bool open, const base::Range& r) {
    auto found = db.all(r.ascending ? clusters_up : clusters_down, r.below, r.above, r.limit, open);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

Cluster cluster(db::Read& db, ClusterId id) { return db.one(cluster_by_id, id); }

std::vector<std::int64_t> growth(db::Read& db, const std::vector<Cluster>& all) {
    std::vector<ClusterId> ids;
    for (const auto& one : all) ids.push_back(one.id);
    std::vector<std::int64_t> out(all.size());
    if (ids.empty()) return out;
    for (const auto& one : db.all(growth_of_clusters, ids, StatusId{db.now().plus_seconds(-600).ms << 16}))
        out[static_cast<std::size_t>(std::ranges::find(ids, one.id) - ids.begin())] = one.posts;
    return out;
}

std::vector<std::string> said_in(db::Read& db, const std::vector<Cluster>& all) {
    std::vector<StatusId> ids;
    for (const auto& one : all) ids.push_back(one.sample_id);
    std::vector<std::string> out(all.size());
    if (ids.empty()) return out;
    for (const auto& sample : db.all(samples_of_clusters, ids))
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] == sample.id) out[i] = read_html(sample.content).said;
    return out;
}

// ---- acting ----

void act_on(db::Write& db, const accounts::Actor& who, ClusterId id, ClusterAct act) {
    accounts::require(who, accounts::permission::manage_blocks);
    auto now = cluster(db, id);
    if (act != ClusterAct::dismiss) accounts::require(who, accounts::permission::manage_users);
    if (db.run(set_acting, id, act) == 0) throw base::Conflict("Conflict during update, please try again");
    auto details =
        "{\"posts\":" + std::to_string(now.posts) + ",\"act\":\"" + std::string(base::word(act)) + "\"}";
    moderation::log(db, who, "act", {"Cluster", id.value, said_in(db, {now})[0].substr(0, 100)}, details);
    db.emit(ClusterActing{id, act, who.account, {}});
}

namespace {

void restrict(db::Write& db, const accounts::Actor& who, const ClusterActing& left, AccountId account) {
    using moderation::StrikeAction;
    const bool suspends = left.act == ClusterAct::suspend;
    auto now = accounts::restrictions(db, account);
    if (now.suspended || (now.limited && !suspends)) return;
    moderation::AccountAction action;
    action.type = suspends ? StrikeAction::suspend : StrikeAction::silence;
    action.details = "{\"cluster\":\"" + std::to_string(left.cluster.value) + "\"}";
    moderation::act(db, who, account, action);
}

void act_on_post(
    db::Write& db, const accounts::Actor& who, const ClusterActing& left, const ClusterActed& post
) {
    try {
        if (left.act != ClusterAct::remove_posts) return restrict(db, who, left, post.account_id);
        accounts::require_above(db, who, post.account_id);
        if (statuses::find_status(db, post.status_id))
            statuses::remove(db, post.account_id, post.status_id, true);
    } catch (const base::Error&) {
        // It is gone, or stands above whoever wanted this: the others do not wait for that.
    }
}

}  // namespace

void continue_acting(db::Write& db, const ClusterActing& left) {
    const jobs::Turn turn;
    const auto who = left.by ? accounts::actor(db, left.by) : accounts::the_operator();
    auto go_on = left;
    if (left.act != ClusterAct::dismiss)
        for (auto some = db.all(posts_of_cluster, left.cluster, left.after, 100); const auto& post : some) {
            act_on_post(db, who, left, post);
            go_on.after = post.status_id;
            if (turn.over() || &post == &some.back()) return db.emit(go_on);
        }
    db.run(close_cluster, left.cluster, db.now(), left.by);
}

void purge_clusters(db::Write& db) {
    const jobs::Turn turn;
    do {
        auto old = db.maybe(old_clusters, db.now().plus_seconds(-clusters_kept_seconds));
        if (!old) return;
        if (db.run(delete_cluster_posts, *old) == 0) db.run(delete_cluster, *old);
    } while (!turn.over());
}

}  // namespace rules
