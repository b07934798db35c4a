// SPDX-License-Identifier: AGPL-3.0-or-later
// The actor behind a remote account: where to write to it, where its collections are, its keys.
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

// All that an actor's own server says of it.
struct ActorRecord {
    accounts::RemoteAccount account;
    ActorRow row;
    std::vector<ActorKey> keys;
    std::string moved_to;  // where it says that it goes on
};

// Event: an actor who was asked for became known, or was looked at anew. Who wrote what somebody pinned, quoted or answered was not
// asked for: their pins would lead to others with pins, and so on.
struct PinsWanted {
    AccountId account;
};
DESCRIBE(PinsWanted, account)

// Event: an actor says where it has moved to, and whether it has is not known.
struct MoveNamed {
    AccountId account;
};
DESCRIBE(MoveNamed, account)

// Creates or replaces the account, its actor and its keys. Throws what accounts::store_remote throws. `depth` is that of
// accounts::Resolve: who is further away is not followed from one account to the next.
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
std::string named_move_of(db::Read&, AccountId);  // where its own server says that it has moved to; else ""
std::optional<AccountId> find_by_followers(db::Read&, std::string_view collection);

// Its server was asked and had nothing new.
void note_refreshed(db::Write&, AccountId);

// Reaction: an account that is gone has no address and no keys.
void forget_actor(db::Write&, const accounts::AccountGone&);

// The actors of this server with their keys, and what is told of them. All throw Unavailable as long as the key is not
// made.
std::string actor_document(db::Read&, const accounts::Account&);
// The server's own actor is named by the domain of its handles, without the port that no name may hold.
std::string server_name(const base::Site&);
std::string server_actor_document(db::Read&);
// The same under an address that the server of before had for itself, with the key that it had there.
std::string former_server_actor_document(db::Read&, const std::string& id);

std::string actor_update_activity(db::Read&, const accounts::Account&);
std::string actor_delete_activity(db::Read&, const accounts::Account&);

}  // namespace federation
