// SPDX-License-Identifier: AGPL-3.0-or-later
// Remote collections, and the consent between accounts and owners on different servers (FEP-7aa9): nobody is
// in a collection without an authorization by their own server.
#pragma once
#include "social/collections/item.hpp"

namespace collections {

// Limits of stored collections per owner and of items per collection.
constexpr std::int64_t most_remote_collections = 50;
constexpr std::size_t most_remote_items = 150;

// As received; the description is HTML.
struct RemoteCollection {
    std::string uri, url;
    AccountId owner;
    std::string name, description, language, tag;
    bool sensitive = false, discoverable = true;
    std::optional<Time> published, updated;
};

// A local or remote one, by its ActivityPub id.
std::optional<CollectionId> find_by_uri(db::Read&, std::string_view uri);
std::string uri_of(const base::Site&, const Collection&);

// Creates or replaces it. Returns nullopt if it cannot be stored: it has no name, or its owner has too many.
std::optional<CollectionId> store_remote(db::Write&, const RemoteCollection&);
void note_read(db::Write&, CollectionId);

// ---- items of collections of other servers ----

struct ListedItem {
    ItemId id;
    AccountId account;
    ItemState state = ItemState::pending;
    std::optional<std::string> uri, authorization_uri;
    Time checked_at;
};
DESCRIBE(ListedItem, id, account, state, uri, authorization_uri, checked_at)
std::vector<ListedItem> listed_items(db::Read&, CollectionId);

// A remote account whose authorization was verified, or a local one, which is accepted only if it has
// consented here before.
struct RemoteItem {
    CollectionId collection;
    AccountId account;
    std::string uri, authorization_uri;
    std::int64_t position = 0;
};
bool put_remote_item(db::Write&, const RemoteItem&);
// Deletes the others, except those reported after the list was read.
void keep_listed(db::Write&, CollectionId, const std::vector<std::string>& uris, Time read_at);
bool remove_listed(db::Write&, CollectionId, const std::string& uri);
void forget_remote_item(db::Write&, ItemId);

// ---- consent ----

// A remote account asks to add a local account to a collection, which is stored if that is allowed.
struct FeatureRequest {
    AccountId owner, account;
    std::string request;
    RemoteCollection collection;
};
// Event: the answer.
struct FeatureAnswered {
    std::string request, collection;  // ids
    AccountId owner, account;
    ItemId item;  // 0: refused
};
DESCRIBE(FeatureAnswered, request, collection, owner, account, item)
void answer_feature_request(db::Write&, const FeatureRequest&);

// An item with what decides who may change its state.
struct Consent {
    ItemId id;
    CollectionId collection;
    AccountId owner, account;
    ItemState state = ItemState::pending;
    bool owner_local = false, account_local = false;
    std::optional<std::string> collection_uri;  // of a remote one
};
DESCRIBE(Consent, id, collection, owner, account, state, owner_local, account_local, collection_uri)
std::optional<Consent> consent(db::Read&, ItemId);
std::vector<Consent> consents_by_authorization(
    db::Read&, std::string_view authorization_uri, AccountId account
);
std::optional<Consent> consent_of(db::Read&, CollectionId, AccountId);

// The remote account answers our request. Returns false if nothing was requested.
bool give_consent(db::Write&, ItemId, const std::string& authorization_uri);
// It refuses, or withdraws its consent.
bool end_consent(db::Write&, ItemId);

// All accepted members of these collections, by position; without suspended accounts.
struct Featured {
    ItemId id;
    CollectionId collection;
    AccountId account;
    std::string uri, actor_type;  // uri: "" for a local account
    std::optional<std::string> authorization_uri;
    Time created_at;
};
DESCRIBE(Featured, id, collection, account, uri, actor_type, authorization_uri, created_at)
std::vector<Featured> featured(db::Read&, const std::vector<CollectionId>&);

// ---- asked for by whoever looks ----

constexpr std::int64_t look_again_seconds = 3600;

bool is_due(db::Read&, const Collection&);         // a remote one that was not fetched lately
bool collections_due(db::Read&, AccountId owner);  // the list of them
// The question that fetches them: all of this owner, or one collection.
struct LookAtCollections {
    AccountId owner;
    CollectionId collection;
    using Answer = bool;
};
DESCRIBE(LookAtCollections, owner, collection)

}  // namespace collections
