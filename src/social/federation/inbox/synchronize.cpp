// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/synchronize.hpp"

#include "ap/collection.hpp"
#include "ap/signatures/followers_digest.hpp"
#include "ap/url.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/relationships/relationship.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace federation {

namespace {

using base::AccountId;

constexpr std::int64_t pause_seconds = 600;
constexpr std::size_t most_pages = 10;

std::string digest_of(const std::set<std::string>& ids) {
    ap::FollowersDigest sum;
    for (const auto& id : ids) sum.toggle(id);
    return sum.hex();
}

struct LocalFollower {
    AccountId id;
    std::string uri;
};
DESCRIBE(LocalFollower, id, uri)

}  // namespace

// accounts belongs to accounts, follows to relationships, actors to federation.
const db::Query<LocalFollower> local_followers_of{
    "local_followers_of",
    R"(SELECT a.id, a.uri FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND a.domain = '')"
};
const db::Query<std::string> followers_collection_of{
    "followers_collection_of", "SELECT followers FROM actors WHERE account_id = $1"
};
const db::Query<bool> synchronized_lately{
    "synchronized_lately",
    "SELECT EXISTS (SELECT 1 FROM synchronizations WHERE account_id = $1 AND asked_at > $2)"
};
const db::Command put_synchronization{
    "put_synchronization",
    R"(INSERT INTO synchronizations (account_id, asked_at) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET asked_at = excluded.asked_at)"
};

namespace {

std::map<std::string, AccountId> followers_here(db::Read& db, AccountId actor) {
    std::map<std::string, AccountId> out;
    for (const auto& follower : db.all(local_followers_of, actor))
        out.emplace(accounts::uri_of(db.site(), follower.id, follower.uri), follower.id);
    return out;
}

std::set<std::string> names(const std::map<std::string, AccountId>& all) {
    std::set<std::string> out;
    for (const auto& [uri, id] : all) out.insert(uri);
    return out;
}

}  // namespace

std::optional<FollowersDiffer> compare_followers(db::Read& db, AccountId actor, std::string_view header) {
    auto told = ap::read_synchronization(header);
    if (!told) return std::nullopt;
    auto followers = db.maybe(followers_collection_of, actor);
    if (!followers || followers->empty() || told->collection_id != *followers) return std::nullopt;
    if (!ap::same_host(told->url, *followers)) return std::nullopt;
    if (db.one(synchronized_lately, actor, db.now().plus_seconds(-pause_seconds))) return std::nullopt;
    if (digest_of(names(followers_here(db, actor))) == told->digest) return std::nullopt;
    return FollowersDiffer{actor, told->url, told->digest};
}

void note_difference(db::Write& db, const FollowersDiffer& difference) {
    if (db.one(synchronized_lately, difference.account, db.now().plus_seconds(-pause_seconds))) return;
    db.run(put_synchronization, difference.account, db.now());
    db.emit(difference);
}

namespace {

struct Listed {
    std::set<std::string> ids;
    bool whole = false;
};

// The local accounts that they list, from all pages.
Listed read_list(const base::Ask& ask, db::Read& db, const std::string& url) {
    Listed out;
    std::set<std::string> read;
    for (auto next = url; !next.empty() && read.size() < most_pages && read.insert(next).second;) {
        auto shown = fetch(ask, db, next);
        if (shown.outcome != FetchOutcome::found) return out;
        auto page = ap::read_collection(shown.document);
        if (!page) return out;
        for (const auto& item : page->items)
            if (has_our_host(db.site(), item.id)) out.ids.insert(item.id);
        next = ap::next_page(*page, url);
        out.whole = next.empty();
    }
    return out;
}

}  // namespace

jobs::Change synchronize_followers(const base::Ask& ask, db::Read& db, const FollowersDiffer& difference) {
    auto here = followers_here(db, difference.account);
    auto listed = read_list(ask, db, difference.url);
    if (!listed.whole) return {};
    std::vector<AccountId> surplus;
    if (digest_of(listed.ids) == difference.digest)
        for (const auto& [uri, id] : here)
            if (!listed.ids.contains(uri)) surplus.push_back(id);
    std::vector<AccountId> missing;
    for (const auto& uri : listed.ids)
        if (!here.contains(uri))
            if (auto account = accounts::find_by_uri(db, uri)) missing.push_back(*account);
    return [=, actor = difference.account](db::Write& write) {
        for (auto id : surplus) relationships::remove_follower(write, actor, id);
        for (auto id : missing) {
            auto pair = relationships::pair_state(write, id, actor);
            if (pair.requested) relationships::authorize_request(write, actor, id);
            else if (!pair.following) write.emit(relationships::FollowDisowned{id, actor});
        }
    };
}

}  // namespace federation
