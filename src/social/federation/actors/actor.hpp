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
    std::string moved_to;
};

// Event: an actor became known, or was looked at anew.
struct PinsWanted {
    AccountId account;
};
DESCRIBE(PinsWanted, account)

// Creates or replaces the account, its actor and its keys. Throws what accounts::store_remote throws.
AccountId store_actor(db::Write&, const ActorRecord&);

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
void expect_stored_actor(db::Read&, AccountId);  // db::Read::expect
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
