// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/documents/featured_ap.hpp"

#include "base/uris.hpp"

#include <algorithm>

namespace federation {

namespace uris = base::uris;
namespace write = ap::write;

using base::AccountId;
using collections::Consent;
using collections::Featured;

namespace {

std::string actor_of(db::Read& db, const Account& account) { return accounts::uri_of(db.site(), account); }

write::FeaturedItem item_of(const base::Site& site, const std::string& owner, const Featured& item) {
    write::FeaturedItem out;
    out.id = uris::collection_item(owner, item.id.value);
    out.featuredObject = accounts::uri_of(site, item.account, item.uri);
    out.featuredObjectType = item.actor_type;
    out.featureAuthorization = item.uri.empty()
                                   ? uris::feature_authorization(out.featuredObject, item.id.value)
                                   : item.authorization_uri.value_or("");
    out.published = {item.created_at.ms};
    return out;
}

write::FeaturedCollection to_featured(
    db::Read& db, const std::string& owner, const Collection& c, const std::vector<Featured>& items
) {
    const auto& site = db.site();
    write::FeaturedCollection out;
    out.id = collections::uri_of(site, c);
    out.attributedTo = owner;
    out.name = c.name;
    if (c.description && c.language)
        out.summaryMap = std::map<std::string, std::string>{{*c.language, *c.description}};
    else if (c.description) out.summary = *c.description;
    out.url = site.public_url + "/collections/" + std::to_string(c.id.value);
    out.sensitive = c.sensitive;
    out.discoverable = c.discoverable;
    if (c.tag) out.topic = write::hashtag(uris::tag_page(site, *c.tag), *c.tag);
    out.published = {c.created_at.ms};
    out.updated = {c.updated_at.ms};
    for (const auto& item : items)
        if (item.collection == c.id) out.orderedItems.push_back(item_of(site, owner, item));
    out.totalItems = static_cast<std::int64_t>(out.orderedItems.size());
    return out;
}

}  // namespace

std::vector<write::FeaturedCollection> to_featured(
    db::Read& db, const Account& owner, const std::vector<Collection>& found
) {
    std::vector<CollectionId> ids;
    for (const auto& c : found) ids.push_back(c.id);
    auto items = collections::featured(db, ids);
    auto actor = actor_of(db, owner);
    std::vector<write::FeaturedCollection> out;
    for (const auto& c : found) out.push_back(to_featured(db, actor, c, items));
    return out;
}

std::string featured_collection(db::Read& db, const Account& owner, const Collection& c) {
    return write::document(std::move(to_featured(db, owner, {c})[0]), write::of_features);
}

namespace {

Featured accepted_item(db::Read& db, CollectionId collection, collections::ItemId id) {
    auto all = collections::featured(db, {collection});
    auto found = std::ranges::find(all, id, &Featured::id);
    if (found == all.end()) throw base::NotFound();
    return *found;
}

Consent known_consent(db::Read& db, collections::ItemId id) {
    auto found = collections::consent(db, id);
    if (!found) throw base::NotFound();
    return *found;
}

write::FeatureAuthorization authorization_of(db::Read& db, const Consent& item) {
    const auto& site = db.site();
    write::FeatureAuthorization out;
    out.attributedTo = out.interactionTarget = uris::actor(site, item.account);
    out.id = uris::feature_authorization(out.interactionTarget, item.id.value);
    out.interactingObject =
        item.collection_uri.value_or(uris::collection(uris::actor(site, item.owner), item.collection.value));
    return out;
}

}  // namespace

std::string featured_item(db::Read& db, const Account& owner, collections::ItemId id) {
    auto item = known_consent(db, id);
    if (item.owner != owner.id) throw base::NotFound();
    auto found = accepted_item(db, item.collection, id);
    return write::document(item_of(db.site(), actor_of(db, owner), found), write::of_features);
}

std::string feature_authorization(db::Read& db, const Account& account, collections::ItemId id) {
    auto item = known_consent(db, id);
    if (item.account != account.id || item.state != collections::ItemState::accepted) throw base::NotFound();
    return write::document(authorization_of(db, item), write::of_features);
}

// ---- the list of an account's collections ----

namespace {

constexpr std::int64_t collections_of_a_page = 5;

std::string page_of(const std::string& whole, std::int64_t number) {
    return whole + "?page=" + std::to_string(number);
}

}  // namespace

const db::Query<std::int64_t> count_discoverable_collections{
    "count_discoverable_collections",
    "SELECT count(*) FROM collections WHERE account_id = $1 AND discoverable = TRUE"
};

std::string featured_collections(db::Read& db, const Account& account) {
    write::Collection out;
    out.id = uris::featured_collections(actor_of(db, account));
    out.totalItems = db.one(count_discoverable_collections, account.id);
    out.first = write::reference(page_of(out.id, 1));
    return write::document(std::move(out));
}

std::string featured_collections_page(
    db::Read& db, const Account& account, std::int64_t number, bool hidden
) {
    constexpr std::int64_t last_page = 10'000;
    number = std::clamp<std::int64_t>(number, 1, last_page);
    auto offset = static_cast<int>((number - 1) * collections_of_a_page);
    std::vector<Collection> found;
    if (!hidden)
        found = collections::collections_of(
            db, account.id, false, static_cast<int>(collections_of_a_page) + 1, offset
        );
    bool more = found.size() > static_cast<std::size_t>(collections_of_a_page);
    if (more) found.pop_back();
    write::Page out;
    auto whole = uris::featured_collections(actor_of(db, account));
    out.id = page_of(whole, number);
    out.partOf = whole;
    if (more) out.next = page_of(whole, number + 1);
    if (number > 1) out.prev = page_of(whole, number - 1);
    auto& items = out.items.value.emplace();
    for (const auto& one : to_featured(db, account, found)) items.push_back(write::embedded(one));
    return write::document(std::move(out), write::of_features);
}

// ---- activities ----

namespace {

std::string uri_of(const std::string& owner, CollectionId id) { return uris::collection(owner, id.value); }

std::string told(write::Activity activity) {
    return write::document(std::move(activity), write::of_features);
}

}  // namespace

std::string add_collection_activity(
    db::Read& db, const Account& owner, const Collection& c, std::int64_t number
) {
    auto actor = actor_of(db, owner);
    auto object = write::embedded(to_featured(db, owner, {c})[0]);
    return told(write::add(
        uris::action(actor, "added_collections", number), actor, object, uris::featured_collections(actor)
    ));
}

std::string update_collection_activity(db::Read& db, const Account& owner, const Collection& c) {
    write::Activity out;
    out.type = "Update";
    out.actor = actor_of(db, owner);
    out.id = uris::update(uri_of(out.actor, c.id), db.now());
    out.to = std::vector{std::string(uris::public_collection)};
    out.object = write::embedded(to_featured(db, owner, {c})[0]);
    return told(std::move(out));
}

std::string remove_collection_activity(
    db::Read& db, const Account& owner, CollectionId id, std::int64_t number
) {
    auto actor = actor_of(db, owner);
    return told(write::remove(
        uris::action(actor, "removed_collections", number),
        actor,
        write::reference(uri_of(actor, id)),
        uris::featured_collections(actor)
    ));
}

std::string add_item_activity(
    db::Read& db, const Account& owner, const Collection& c, collections::ItemId id
) {
    auto actor = actor_of(db, owner);
    auto object = write::embedded(item_of(db.site(), actor, accepted_item(db, c.id, id)));
    return told(write::add(uris::action(actor, "added_items", id.value), actor, object, uri_of(actor, c.id)));
}

std::string remove_item_activity(
    db::Read& db, const Account& owner, CollectionId collection, collections::ItemId id
) {
    auto actor = actor_of(db, owner);
    return told(write::remove(
        uris::action(actor, "removed_items", id.value),
        actor,
        write::reference(uris::collection_item(actor, id.value)),
        uri_of(actor, collection)
    ));
}

std::string delete_feature_authorization_activity(db::Read& db, const Consent& item) {
    auto gone = authorization_of(db, item);
    return told(write::removal(uris::removal(gone.id), gone.attributedTo, write::embedded(gone)));
}

std::string feature_request_activity(db::Read& db, const Consent& item) {
    auto actor = uris::actor(db.site(), item.owner);
    auto account = accounts::account(db, item.account);
    return told(write::feature_request(
        uris::action(actor, "feature_requests", item.id.value),
        actor,
        actor_of(db, account),
        uri_of(actor, item.collection)
    ));
}

std::string feature_answer_activity(
    db::Read& db, const collections::FeatureAnswered& e, std::int64_t number
) {
    auto actor = uris::actor(db.site(), e.account);
    auto owner = actor_of(db, accounts::account(db, e.owner));
    auto request = write::embedded(write::feature_request(e.request, owner, actor, e.collection));
    auto answer =
        e.item ? write::accept(uris::action(actor, "accepts/feature_requests", number), actor, request)
               : write::reject(uris::action(actor, "rejects/feature_requests", number), actor, request);
    answer.to = std::vector{owner};
    if (e.item) answer.result = uris::feature_authorization(actor, e.item.value);
    return told(std::move(answer));
}

}  // namespace federation
