// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of other servers, and what accounts and owners of different servers agree upon (FEP-7aa9): nobody is in a
// collection without an authorization of their own server.
#pragma once
#include "social/collections/item.hpp"

namespace collections {

// As many of one owner and in one collection are kept.
constexpr std::int64_t most_remote_collections = 50;
constexpr std::size_t most_remote_items = 150;

// As it came; the description is HTML.
struct RemoteCollection {
    std::string uri, url;
    AccountId owner;
    std::string name, description, language, tag;
    bool sensitive = false, discoverable = true;
    std::optional<Time> published, updated;
};

// One of ours or of another server, by its ActivityPub id.
std::optional<CollectionId> find_by_uri(db::Read&, std::string_view uri);
std::string uri_of(const base::Site&, const Collection&);

// Creates it or replaces what is known of it. Nothing when it cannot be kept: without a name, or one too many of its owner.
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

// An account of another server whose authorization was seen to hold, or one of ours: that one is believed only when it
// has agreed before, here.
struct RemoteItem {
    CollectionId collection;
    AccountId account;
    std::string uri, authorization_uri;
    std::int64_t position = 0;
};
bool put_remote_item(db::Write&, const RemoteItem&);
// Forgets the others, but for what was told of after the list was read.
void keep_listed(db::Write&, CollectionId, const std::vector<std::string>& uris, Time read_at);
bool remove_listed(db::Write&, CollectionId, const std::string& uri);
void forget_remote_item(db::Write&, ItemId);

// ---- consent ----

// Somebody of another server wants to put somebody here into a collection, which is stored when they may.
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

// An item with what decides who may say something of it.
struct Consent {
    ItemId id;
    CollectionId collection;
    AccountId owner, account;
    ItemState state = ItemState::pending;
    bool owner_local = false, account_local = false;
    std::optional<std::string> collection_uri;  // of one of another server
};
DESCRIBE(Consent, id, collection, owner, account, state, owner_local, account_local, collection_uri)
std::optional<Consent> consent(db::Read&, ItemId);
std::vector<Consent> consents_by_authorization(
    db::Read&, std::string_view authorization_uri, AccountId account
);
std::optional<Consent> consent_of(db::Read&, CollectionId, AccountId);

// The account of another server answers the request of ours. False where nothing was asked.
bool give_consent(db::Write&, ItemId, const std::string& authorization_uri);
// It does not agree, or no longer.
bool end_consent(db::Write&, ItemId);

// Everybody in these collections, accepted, by their place; those of suspended accounts are left out.
struct Featured {
    ItemId id;
    CollectionId collection;
    AccountId account;
    std::string uri, actor_type;  // uri: "" of one of ours
    std::optional<std::string> authorization_uri;
    Time created_at;
};
DESCRIBE(Featured, id, collection, account, uri, actor_type, authorization_uri, created_at)
std::vector<Featured> featured(db::Read&, const std::vector<CollectionId>&);

// ---- asked for by whoever looks ----

constexpr std::int64_t look_again_seconds = 3600;

bool is_due(db::Read&, const Collection&);         // one of another server that was not asked for lately
bool collections_due(db::Read&, AccountId owner);  // the list of them
// The question that has them looked at: of all of this owner, or of one collection.
struct LookAtCollections {
    AccountId owner;
    CollectionId collection;
    using Answer = bool;
};
DESCRIBE(LookAtCollections, owner, collection)

}  // namespace collections
