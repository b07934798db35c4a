// SPDX-License-Identifier: AGPL-3.0-or-later
// The ActivityPub actor of a remote account: its inboxes, its collections and its keys.
#pragma once
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"

namespace federation {

using base::AccountId;

struct ActorRow {
    std::string inbox, shared_inbox, outbox, followers, following, featured, featured_tags,
        featured_collections;
    std::vector<std::string> also_known_as;
};

struct ActorKey {
    std::string id, type, public_key;  // type: "pem" or "multibase", as public_key is written
};

// Everything that an actor's document says about it.
struct ActorRecord {
    accounts::RemoteAccount account;
    ActorRow row;
    std::vector<ActorKey> keys;
    std::string moved_to;  // movedTo
};

// Event: an actor was fetched for its own sake, not only as the author of something pinned, quoted or replied
// to: the pins of those would lead to further authors with pins, and so on.
struct PinsWanted {
    AccountId account;
};
DESCRIBE(PinsWanted, account)

// Event: an actor names a movedTo that is not confirmed yet.
struct MoveNamed {
    AccountId account;
};
DESCRIBE(MoveNamed, account)

// Creates or replaces the account, its actor and its keys. Throws what accounts::store_remote throws. `depth`
// is that of accounts::Resolve: neither pins nor movedTo are looked up when it is not 0.
AccountId store_actor(db::Write&, const ActorRecord&, int depth = 0);

struct StoredActor {
    AccountId account_id;
    std::string uri, username, domain, outbox, followers, following, featured, featured_collections;
    base::Time refreshed_at;
};
DESCRIBE(
    StoredActor, account_id, uri, username, domain, outbox, followers, following, featured,
    featured_collections, refreshed_at
)
std::optional<StoredActor> stored_actor(db::Read&, AccountId);
db::Remembering ask_for_stored_actors(db::Read&, const std::vector<AccountId>&);
std::string named_move_of(db::Read&, AccountId);  // its movedTo, else ""
std::optional<AccountId> find_by_followers(db::Read&, std::string_view collection);

// Its server was asked and reported no changes.
void note_refreshed(db::Write&, AccountId);

// Reaction: deletes the actor and the keys of a deleted account.
void forget_actor(db::Write&, const accounts::AccountGone&);

// Documents of the local actors with their keys, and activities about them. All throw Unavailable while the
// key is not generated yet.
std::string actor_document(db::Read&, const accounts::Account&);
// The username of the server's own actor: the domain of its handles without the port, which no username may
// contain.
std::string server_name(const base::Site&);
std::string server_actor_document(db::Read&);
// The same for the id that the previous server's own actor had, with the key that it had there.
std::string former_server_actor_document(db::Read&, const std::string& id);

std::string actor_update_activity(db::Read&, const accounts::Account&);
std::string actor_delete_activity(db::Read&, const accounts::Account&);

}  // namespace federation
