// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/actors/actor.hpp"

#include "base/json.hpp"

namespace federation {

const db::Command put_actor{
    "put_actor",
    R"(INSERT INTO actors (account_id, inbox, shared_inbox, outbox, followers, following, featured, featured_tags,
           featured_collections, also_known_as, refreshed_at, moved_to)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (account_id) DO UPDATE SET inbox = excluded.inbox, shared_inbox = excluded.shared_inbox,
           outbox = excluded.outbox, followers = excluded.followers, following = excluded.following,
           featured = excluded.featured, featured_tags = excluded.featured_tags,
           featured_collections = excluded.featured_collections,
           also_known_as = excluded.also_known_as, refreshed_at = excluded.refreshed_at,
           moved_to = excluded.moved_to)"
};
// The key of a local account also signs the deletion notice of that account.
const db::Command delete_actor_keys{
    "delete_actor_keys", "DELETE FROM actor_keys WHERE account_id = $1 AND private_key IS NULL"
};
// Another actor's key is never replaced.
const db::Command insert_actor_key{
    "insert_actor_key",
    R"(INSERT INTO actor_keys (id, account_id, type, public_key, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING)"
};

namespace {

struct NamedMove {
    std::string moved_to;
    base::Time refreshed_at;
    AccountId moved_to_id;
};
DESCRIBE(NamedMove, moved_to, refreshed_at, moved_to_id)

}  // namespace

const db::Query<NamedMove> move_named_before{
    "move_named_before",
    R"(SELECT x.moved_to, x.refreshed_at, a.moved_to_id FROM actors x JOIN accounts a ON a.id = x.account_id
       WHERE x.account_id = $1)"
};

namespace {

// A Move stays in force when the actor has no movedTo, as not every server sets it. A movedTo that could not
// be confirmed is checked again after a day at the earliest.
void compare_moves(db::Write& db, AccountId id, const NamedMove& before, const std::string& now, int depth) {
    constexpr std::int64_t day = 86'400;
    if (now.empty()) {
        if (!before.moved_to.empty() && before.moved_to_id) accounts::move_to(db, id, {});
        return;
    }
    if (before.moved_to_id && accounts::find_by_uri(db, now) == before.moved_to_id) return;
    bool again = before.moved_to != now || before.refreshed_at < db.now().plus_seconds(-day);
    if (again && depth == 0) db.emit(MoveNamed{id});
}

}  // namespace

AccountId store_actor(db::Write& db, const ActorRecord& actor, int depth) {
    auto id = accounts::store_remote(db, actor.account);
    auto before = db.maybe(move_named_before, id).value_or(NamedMove{});
    const auto& row = actor.row;
    db.run(
        put_actor,
        id,
        row.inbox,
        row.shared_inbox,
        row.outbox,
        row.followers,
        row.following,
        row.featured,
        row.featured_tags,
        row.featured_collections,
        base::json::to_string(row.also_known_as),
        db.now(),
        actor.moved_to
    );
    compare_moves(db, id, before, actor.moved_to, depth);
    db.run(delete_actor_keys, id);
    for (const auto& key : actor.keys)
        db.run(insert_actor_key, key.id, id, key.type, key.public_key, db.now());
    if (!row.featured.empty() && depth == 0) db.emit(PinsWanted{id});
    return id;
}

#define STORED_ACTORS                                                                                    \
    "SELECT x.account_id, a.uri, a.username, a.domain, x.outbox, x.followers, x.following, x.featured, " \
    "x.featured_collections, x.refreshed_at FROM actors x JOIN accounts a ON a.id = x.account_id "
const db::Query<StoredActor> actor_of_account{"actor_of_account", STORED_ACTORS "WHERE x.account_id = $1"};
const db::Query<StoredActor> actors_of_accounts{
    "actors_of_accounts", STORED_ACTORS "WHERE x.account_id IN LIST($1)"
};

namespace {

std::string question_for_actor(AccountId id) { return "stored actor " + std::to_string(id.value); }

}  // namespace

std::optional<StoredActor> stored_actor(db::Read& db, AccountId id) {
    return db.memoized(question_for_actor(id), [&] { return db.maybe(actor_of_account, id); });
}

db::Remembering ask_for_stored_actors(db::Read& db, const std::vector<AccountId>& ids) {
    db.expect(actors_of_accounts, ids);
    return [&db, ids] {
        for (const auto id : ids) db.remember(question_for_actor(id), std::optional<StoredActor>());
        for (const auto& one : db.all(actors_of_accounts, ids))
            db.remember(question_for_actor(one.account_id), std::optional(one));
    };
}

const db::Query<std::string> named_move{"named_move", "SELECT moved_to FROM actors WHERE account_id = $1"};

std::string named_move_of(db::Read& db, AccountId id) { return db.maybe(named_move, id).value_or(""); }

const db::Query<AccountId> actor_by_followers{
    "actor_by_followers", "SELECT account_id FROM actors WHERE followers = $1 AND followers <> '' LIMIT 1"
};

std::optional<AccountId> find_by_followers(db::Read& db, std::string_view collection) {
    return db.maybe(actor_by_followers, collection);
}

const db::Command mark_refreshed{
    "mark_refreshed", "UPDATE actors SET refreshed_at = $2 WHERE account_id = $1"
};

void note_refreshed(db::Write& db, AccountId id) { db.run(mark_refreshed, id, db.now()); }

const db::Command delete_actor{"delete_actor", "DELETE FROM actors WHERE account_id = $1"};

void forget_actor(db::Write& db, const accounts::AccountGone& gone) {
    db.run(delete_actor, gone.account);
    db.run(delete_actor_keys, gone.account);
}

}  // namespace federation
