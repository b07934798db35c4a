// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/collections/remote.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "base/text/languages.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/former/former.hpp"
#include "social/instance/remote_file.hpp"
#include "social/tags/tag.hpp"

#include <algorithm>

namespace collections {

namespace uris = base::uris;

const db::Query<CollectionId> collection_by_uri{
    "collection_by_uri", "SELECT id FROM collections WHERE uri = $1"
};
const db::Query<AccountId> owner_of_local_collection{
    "owner_of_local_collection", "SELECT account_id FROM collections WHERE id = $1 AND local = TRUE"
};

std::optional<CollectionId> find_by_uri(db::Read& db, std::string_view uri) {
    if (!uris::is_ours(db.site(), uri)) return db.maybe(collection_by_uri, uri);
    auto ours = former::ours(db, uri);
    if (!ours || ours->kind != uris::Kind::collection) return std::nullopt;
    CollectionId id{ours->id};
    auto owner = db.maybe(owner_of_local_collection, id);
    if (!owner) return std::nullopt;
    auto named = ours->username.empty() ? ours->account : AccountId{};
    if (!ours->username.empty())
        if (auto account = accounts::find_by_acct(db, ours->username)) named = account->id;
    return named == *owner ? std::optional(id) : std::nullopt;
}

std::string uri_of(const base::Site& site, const Collection& c) {
    return c.uri ? *c.uri : uris::collection(uris::actor(site, c.account_id), c.id.value);
}

// ---- collections ----

const db::Query<Collection> known_remote_collection{
    "known_remote_collection",
    R"(SELECT c.id, c.account_id, c.name, c.description, c.language, c.sensitive, c.discoverable, t.name AS tag, c.local,
              c.uri, c.url, c.created_at, c.updated_at, c.read_at
       FROM collections c LEFT JOIN tags t ON t.id = c.tag_id WHERE c.uri = $1)"
};
const db::Query<std::int64_t> count_collections_of{
    "count_collections_of", "SELECT count(*) FROM collections WHERE account_id = $1"
};
const db::Command insert_remote_collection{
    "insert_remote_collection",
    R"(INSERT INTO collections (id, account_id, name, description, language, sensitive, discoverable, tag_id, local, uri,
           url, created_at, updated_at, read_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, FALSE, $9, $10, $11, $12, 0))"
};
const db::Command update_remote_collection{
    "update_remote_collection",
    R"(UPDATE collections SET name = $2, description = $3, language = $4, sensitive = $5, discoverable = $6, tag_id = $7,
           url = $8, updated_at = $9 WHERE id = $1)"
};
const db::Command note_collection_read{
    "note_collection_read", "UPDATE collections SET read_at = $2 WHERE id = $1"
};

namespace {

constexpr std::size_t longest_name = 256, longest_description = 2048, longest_address = 2048;

struct Words {
    std::string name, url;
    std::optional<std::string> description, language, tag;
};

Words words_of(const RemoteCollection& c) {
    Words out;
    out.name = base::text::first_graphemes(c.name, longest_name);
    auto description = base::text::sanitize(base::text::first_graphemes(c.description, longest_description));
    if (!description.empty()) out.description = std::move(description);
    if (auto language = base::text::find_language(c.language)) out.language = std::string(*language);
    auto tag = base::text::normalise_hashtag(c.tag);
    if (base::text::valid_hashtag(tag)) out.tag = std::move(tag);
    bool fits = instance::is_elsewhere(c.url) && c.url.size() <= longest_address;
    out.url = fits ? c.url : c.uri;
    return out;
}

std::optional<base::TagId> tag_of(db::Write& db, const Words& words, const RemoteCollection& c) {
    if (!words.tag) return std::nullopt;
    std::string_view written = c.tag;
    if (written.starts_with('#')) written.remove_prefix(1);
    return tags::put(db, *words.tag, written);
}

Time not_later(std::optional<Time> said, Time now) {
    return said && *said < now && said->ms >= 0 ? *said : now;
}

}  // namespace

std::optional<CollectionId> store_remote(db::Write& db, const RemoteCollection& c) {
    if (c.uri.empty() || c.uri.size() > longest_address || uris::is_ours(db.site(), c.uri))
        return std::nullopt;
    auto words = words_of(c);
    if (base::text::is_blank(words.name)) return std::nullopt;
    auto known = db.maybe(known_remote_collection, c.uri);
    if (known && known->account_id != c.owner) return std::nullopt;
    if (!known) {
        if (db.one(count_collections_of, c.owner) >= most_remote_collections) return std::nullopt;
        auto id = db.new_id<CollectionId>();
        auto published = not_later(c.published, db.now());
        db.run(
            insert_remote_collection,
            id,
            c.owner,
            words.name,
            words.description,
            words.language,
            c.sensitive,
            c.discoverable,
            tag_of(db, words, c),
            c.uri,
            words.url,
            published,
            c.updated ? not_later(c.updated, db.now()) : published
        );
        return id;
    }
    bool same = known->name == words.name && known->description == words.description &&
                known->language == words.language && known->tag == words.tag &&
                known->sensitive == c.sensitive && known->discoverable == c.discoverable &&
                known->url == words.url;
    if (same) return known->id;
    db.run(
        update_remote_collection,
        known->id,
        words.name,
        words.description,
        words.language,
        c.sensitive,
        c.discoverable,
        tag_of(db, words, c),
        words.url,
        not_later(c.updated, db.now())
    );
    db.emit(CollectionChanged{known->id, c.owner});
    return known->id;
}

void note_read(db::Write& db, CollectionId id) { db.run(note_collection_read, id, db.now()); }

// ---- items ----

const db::Query<ListedItem> items_listed{
    "items_listed",
    R"(SELECT id, account_id AS account, state, uri, authorization_uri, checked_at FROM collection_items
       WHERE collection_id = $1 ORDER BY position, id)"
};
const db::Command insert_remote_item{
    "insert_remote_item",
    R"(INSERT INTO collection_items (id, collection_id, account_id, state, created_at, uri, authorization_uri, position, checked_at)
       VALUES ($1, $2, $3, 'accepted', $4, $5, $6, $7, $4))"
};
const db::Command update_remote_item{
    "update_remote_item",
    "UPDATE collection_items SET state = 'accepted', uri = $2, authorization_uri = $3, position = $4, "
    "checked_at = $5 "
    "WHERE id = $1"
};
const db::Command place_own_item{
    "place_own_item",
    "UPDATE collection_items SET uri = $2, position = $3, checked_at = $4 WHERE id = $1 AND state = "
    "'accepted'"
};

std::vector<ListedItem> listed_items(db::Read& db, CollectionId id) { return db.all(items_listed, id); }

bool put_remote_item(db::Write& db, const RemoteItem& item) {
    auto all = listed_items(db, item.collection);
    auto known = std::ranges::find(all, item.account, &ListedItem::account);
    auto account = accounts::find_account(db, item.account);
    if (!account || item.uri.size() > longest_address || item.authorization_uri.size() > longest_address)
        return false;
    if (account->local())
        return known != all.end() && db.run(place_own_item, known->id, item.uri, item.position, db.now()) > 0;
    if (known != all.end()) {
        db.run(update_remote_item, known->id, item.uri, item.authorization_uri, item.position, db.now());
        return true;
    }
    if (all.size() >= most_remote_items) return false;
    auto id = db.new_id<ItemId>();
    db.run(
        insert_remote_item,
        id,
        item.collection,
        item.account,
        db.now(),
        item.uri,
        item.authorization_uri,
        item.position
    );
    return true;
}

void forget_remote_item(db::Write& db, ItemId id) { db.run(delete_item, id); }

// Who has left keeps the row, and whom nobody has listed yet has agreed to it.
void keep_listed(db::Write& db, CollectionId id, const std::vector<std::string>& listed, Time read_at) {
    for (const auto& item : listed_items(db, id)) {
        if (!item.uri || item.state == ItemState::revoked || item.checked_at > read_at) continue;
        if (std::ranges::find(listed, *item.uri) == listed.end()) db.run(delete_item, item.id);
    }
}

bool remove_listed(db::Write& db, CollectionId id, const std::string& uri) {
    bool found = false;
    for (const auto& item : listed_items(db, id)) {
        if (item.uri != uri || item.state == ItemState::revoked) continue;
        db.run(delete_item, item.id);
        found = true;
    }
    return found;
}

// ---- consent ----

#define CONSENTS                                                                                 \
    "SELECT i.id, c.id AS collection, c.account_id AS owner, i.account_id AS account, i.state, " \
    "c.local AS owner_local, a.domain = '' AS account_local, c.uri AS collection_uri "           \
    "FROM collection_items i JOIN collections c ON c.id = i.collection_id "                      \
    "JOIN accounts a ON a.id = i.account_id "

const db::Query<Consent> consent_by_item{"consent_by_item", CONSENTS "WHERE i.id = $1"};
const db::Query<Consent> consent_by_authorization{
    "consent_by_authorization", CONSENTS "WHERE i.authorization_uri = $1 AND i.account_id = $2 LIMIT 100"
};
const db::Query<Consent> consent_by_pair{
    "consent_by_pair", CONSENTS "WHERE i.collection_id = $1 AND i.account_id = $2"
};

std::optional<Consent> consent(db::Read& db, ItemId id) { return db.maybe(consent_by_item, id); }
std::vector<Consent> consents_by_authorization(
    db::Read& db, std::string_view authorization_uri, AccountId account
) {
    return db.all(consent_by_authorization, authorization_uri, account);
}
std::optional<Consent> consent_of(db::Read& db, CollectionId id, AccountId account) {
    return db.maybe(consent_by_pair, id, account);
}

const db::Command insert_agreed_item{
    "insert_agreed_item",
    R"(INSERT INTO collection_items (id, collection_id, account_id, state, created_at, position)
       VALUES ($1, $2, $3, 'accepted', $4, $5))"
};

namespace {

// The rule that owners who live here are asked by, too.
bool may_feature(db::Read& db, const FeatureRequest& asked) {
    try {
        refuse_unfeaturable(db, asked.owner, asked.account);
        return true;
    } catch (const base::Error&) {
        return false;
    }
}

ItemId agreed(db::Write& db, const FeatureRequest& asked) {
    if (!may_feature(db, asked)) return {};
    auto id = find_by_uri(db, asked.collection.uri);
    if (!id) id = store_remote(db, asked.collection);
    if (!id) return {};
    auto all = listed_items(db, *id);
    auto known = std::ranges::find(all, asked.account, &ListedItem::account);
    // Asked once more it answers the same; who has left stays away.
    if (known != all.end()) return known->state == ItemState::accepted ? known->id : ItemId{};
    if (all.size() >= most_remote_items) return {};
    auto item = db.new_id<ItemId>();
    db.run(
        insert_agreed_item, item, *id, asked.account, db.now(), static_cast<std::int64_t>(most_remote_items)
    );
    db.emit(AddedToCollection{*id, asked.owner, asked.account});
    return item;
}

}  // namespace

void answer_feature_request(db::Write& db, const FeatureRequest& asked) {
    db.emit(
        FeatureAnswered{asked.request, asked.collection.uri, asked.owner, asked.account, agreed(db, asked)}
    );
}

const db::Command accept_item{
    "accept_item",
    "UPDATE collection_items SET state = 'accepted', authorization_uri = $2, checked_at = $3 WHERE id = $1 "
    "AND state = "
    "'pending'"
};
const db::Command end_item{"end_item", "UPDATE collection_items SET state = $2 WHERE id = $1"};

bool give_consent(db::Write& db, ItemId id, const std::string& authorization_uri) {
    auto item = consent(db, id);
    if (!item || !item->owner_local || db.run(accept_item, id, authorization_uri, db.now()) == 0)
        return false;
    db.emit(ItemAdded{item->collection, item->owner, id});
    return true;
}

bool end_consent(db::Write& db, ItemId id) {
    auto item = consent(db, id);
    if (!item) return false;
    if (!item->owner_local) {
        forget_remote_item(db, id);
        return true;
    }
    if (item->state != ItemState::pending && item->state != ItemState::accepted) return false;
    bool was_in = item->state == ItemState::accepted;
    db.run(end_item, id, was_in ? ItemState::revoked : ItemState::rejected);
    if (was_in) db.emit(ItemRemoved{item->collection, item->owner, item->account, id});
    return true;
}

#define FEATURED                                                                                 \
    "SELECT i.id, i.collection_id AS collection, i.account_id AS account, a.uri, a.actor_type, " \
    "i.authorization_uri, "                                                                      \
    "i.created_at FROM collection_items i JOIN accounts a ON a.id = i.account_id "               \
    "WHERE i.state = 'accepted' AND a.suspended_at IS NULL "

const db::Query<Featured> featured_in{
    "featured_in", FEATURED "AND i.collection_id IN LIST($1) ORDER BY i.position, i.id"
};

std::vector<Featured> featured(db::Read& db, const std::vector<CollectionId>& ids) {
    if (ids.empty()) return {};
    return db.all(featured_in, ids);
}

// ---- asked for by whoever looks ----

bool is_due(db::Read& db, const Collection& c) {
    return !c.local && c.read_at < db.now().plus_seconds(-look_again_seconds);
}

// actors belongs to federation.
const db::Query<bool> collections_unread{
    "collections_unread",
    R"(SELECT EXISTS (SELECT 1 FROM actors WHERE account_id = $1 AND featured_collections <> ''
                      AND collections_read_at < $2))"
};

bool collections_due(db::Read& db, AccountId owner) {
    return db.one(collections_unread, owner, db.now().plus_seconds(-look_again_seconds));
}

}  // namespace collections
