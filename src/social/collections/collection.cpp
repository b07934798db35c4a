// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/collections/collection.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/languages.hpp"
#include "social/collections/item.hpp"
#include "social/tags/tag.hpp"

#include <algorithm>

namespace collections {

#define COLLECTIONS                                                                                   \
    "SELECT c.id, c.account_id, c.name, c.description, c.language, c.sensitive, c.discoverable, "     \
    "t.name AS tag, c.local, c.uri, c.url, c.created_at, c.updated_at, c.read_at FROM collections c " \
    "JOIN accounts a ON a.id = c.account_id AND a.suspended_at IS NULL LEFT JOIN tags t ON t.id = c.tag_id "

const db::Query<Collection> collection_by_id{"collection_by_id", COLLECTIONS "WHERE c.id = $1"};

Collection collection(db::Read& db, CollectionId id) { return db.one(collection_by_id, id); }

Collection own_collection(db::Read& db, AccountId me, CollectionId id) {
    auto found = collection(db, id);
    if (found.account_id != me) throw base::Forbidden();
    return found;
}

const db::Query<Collection> collections_of_account{
    "collections_of_account",
    COLLECTIONS
    "WHERE c.account_id = $1 AND (c.discoverable = TRUE OR $2) ORDER BY c.id DESC LIMIT $3 OFFSET $4"
};

std::vector<Collection> collections_of(
    db::Read& db, AccountId owner, bool with_hidden, int limit, int offset
) {
    return db.all(collections_of_account, owner, with_hidden, limit, offset);
}

const db::Query<Collection> collections_with_account{
    "collections_with_account",
    COLLECTIONS
    "JOIN collection_items i ON i.collection_id = c.id "
    "WHERE i.account_id = $1 AND i.state = 'accepted' ORDER BY c.id DESC LIMIT $2 OFFSET $3"
};

std::vector<Collection> collections_with(db::Read& db, AccountId member, int limit, int offset) {
    return db.all(collections_with_account, member, limit, offset);
}

const db::Query<Collection> collections_by_id{"collections_by_id", COLLECTIONS "WHERE c.id IN LIST($1)"};

std::vector<Collection> collections(db::Read& db, const std::vector<CollectionId>& ids) {
    if (ids.empty()) return {};
    return db.all(collections_by_id, ids);
}

const db::Query<Collection> discoverable_collections{
    "discoverable_collections",
    COLLECTIONS
    "WHERE c.discoverable = TRUE AND c.sensitive = FALSE AND a.silenced_at IS NULL "
    "AND c.id < $1 AND c.id > $2 ORDER BY c.id DESC LIMIT $3"
};

std::vector<Collection> collections_to_find(db::Read& db, const base::Range& range) {
    return db.all(discoverable_collections, range.below, range.above, range.limit);
}

namespace {

using Errors = std::vector<base::FieldError>;

bool blank(const std::optional<std::string>& text) { return !text || base::text::is_blank(*text); }

void check_length(Errors& errors, const char* field, const std::optional<std::string>& text, int most) {
    if (!text) return;
    if (base::text::code_points(*text) > static_cast<std::size_t>(most))
        errors.push_back(
            {field, "ERR_TOO_LONG", "is too long (maximum is " + std::to_string(most) + " characters)"}
        );
}

// All that is wrong with what is to be stored.
Errors wrong_with(const Draft& draft) {
    Errors errors;
    if (blank(draft.name)) errors.push_back({"name", "ERR_BLANK", "can't be blank"});
    check_length(errors, "name", draft.name, 40);
    check_length(errors, "description", draft.description, 100);
    if (!blank(draft.language) && !base::text::find_language(*draft.language))
        errors.push_back({"language", "ERR_INVALID", "is invalid"});
    for (auto [field, value] :
         {std::pair{"sensitive", draft.sensitive}, std::pair{"discoverable", draft.discoverable}})
        if (!value) errors.push_back({field, "ERR_INCLUSION", "is not included in the list"});
    if (!blank(draft.tag_name) && !base::text::valid_hashtag(base::text::normalise_hashtag(*draft.tag_name)))
        errors.push_back({"tag_name", "ERR_INVALID", "is invalid"});
    return errors;
}

std::optional<std::string> given(const std::optional<std::string>& text) {
    return blank(text) ? std::nullopt : text;
}

std::optional<std::string> language_of(const Draft& draft) {
    if (blank(draft.language)) return std::nullopt;
    return std::string(*base::text::find_language(*draft.language));
}

std::optional<base::TagId> tag_of(db::Write& db, const Draft& draft) {
    if (blank(draft.tag_name)) return std::nullopt;
    std::string_view written = *draft.tag_name;
    if (written.starts_with('#')) written.remove_prefix(1);
    return tags::put(db, base::text::normalise_hashtag(written), written);
}

}  // namespace

// roles and users belong to accounts.
const db::Query<bool> collection_room{
    "collection_room",
    R"(SELECT (SELECT count(*) FROM collections WHERE account_id = $1) < r.collection_limit
       FROM users u JOIN roles r ON r.id = u.role_id WHERE u.account_id = $1)"
};
const db::Command insert_collection{
    "insert_collection",
    R"(INSERT INTO collections (id, account_id, name, description, language, sensitive, discoverable, tag_id,
           created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9))"
};

CollectionId create(db::Write& db, AccountId me, const Draft& draft, const std::vector<AccountId>& wanted) {
    auto members = wanted;
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
    auto errors = wrong_with(draft);
    if (members.size() > max_items)
        errors.push_back({"account_ids", "ERR_INVALID", "are too many (maximum is 25)"});
    else
        for (auto account : members) refuse_unfeaturable(db, me, account);
    if (!db.one(collection_room, me))
        errors.push_back({"base", "ERR_INVALID", "You have as many collections as you may have"});
    if (!errors.empty()) throw base::Invalid(std::move(errors));
    auto id = db.new_id<CollectionId>();
    db.run(
        insert_collection,
        id,
        me,
        *draft.name,
        given(draft.description),
        language_of(draft),
        *draft.sensitive,
        *draft.discoverable,
        tag_of(db, draft),
        db.now()
    );
    for (auto account : wanted)
        if (std::erase(members, account) > 0) put_item(db, me, id, account);
    db.emit(CollectionMade{id, me});
    return id;
}

const db::Command update_collection{
    "update_collection",
    R"(UPDATE collections SET name = $2, description = $3, language = $4, sensitive = $5, discoverable = $6,
           tag_id = $7, updated_at = $8 WHERE id = $1)"
};

namespace {

template <class T>
void fill(std::optional<T>& wanted, const std::optional<T>& now) {
    if (!wanted) wanted = now;
}

}  // namespace

void update(db::Write& db, AccountId me, CollectionId id, const Draft& changes) {
    auto now = own_collection(db, me, id);
    auto draft = changes;
    fill(draft.name, std::optional(now.name));
    fill(draft.description, now.description);
    fill(draft.language, now.language);
    fill(draft.tag_name, now.tag);
    fill(draft.sensitive, std::optional(now.sensitive));
    fill(draft.discoverable, std::optional(now.discoverable));
    if (auto errors = wrong_with(draft); !errors.empty()) throw base::Invalid(std::move(errors));
    bool same_tag =
        blank(draft.tag_name) ? !now.tag : now.tag == base::text::normalise_hashtag(*draft.tag_name);
    if (draft.name == now.name && given(draft.description) == now.description &&
        language_of(draft) == now.language && draft.sensitive == now.sensitive &&
        draft.discoverable == now.discoverable && same_tag)
        return;
    db.run(
        update_collection,
        id,
        *draft.name,
        given(draft.description),
        language_of(draft),
        *draft.sensitive,
        *draft.discoverable,
        tag_of(db, draft),
        db.now()
    );
    db.emit(CollectionChanged{id, me});
}

const db::Command delete_items{
    "delete_collection_items", "DELETE FROM collection_items WHERE collection_id = $1"
};
const db::Command delete_collection{"delete_collection", "DELETE FROM collections WHERE id = $1"};

void take_away(db::Write& db, AccountId owner, CollectionId id) {
    db.emit(CollectionDeleted{id, owner});
    db.run(delete_items, id);
    db.run(delete_collection, id);
}

void remove(db::Write& db, AccountId me, CollectionId id) {
    own_collection(db, me, id);
    take_away(db, me, id);
}

const db::Query<CollectionId> some_collections_of{
    "some_collections_of", "SELECT id FROM collections WHERE account_id = $1 ORDER BY id LIMIT $2"
};

std::int64_t drop_own_collections(db::Write& db, AccountId account, int most) {
    auto some = db.all(some_collections_of, account, most);
    for (auto id : some) take_away(db, account, id);
    return static_cast<std::int64_t>(some.size());
}

}  // namespace collections
