// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/incoming_collections.hpp"

#include "ap/url.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/former/former.hpp"
#include "social/relationships/follow_lists.hpp"

namespace federation {

using collections::Collection, collections::FeatureRequest, collections::RemoteItem;

namespace {

// A known collection of this remote actor.
std::optional<Collection> known_collection(db::Read& db, std::string_view uri, AccountId owner) {
    if (uri.empty() || has_our_host(db.site(), uri)) return std::nullopt;
    auto id = collections::find_by_uri(db, uri);
    if (!id) return std::nullopt;
    auto found = collections::collections(db, {*id});
    if (found.empty() || found[0].local || found[0].account_id != owner) return std::nullopt;
    return found[0];
}

// Embedded by its owner, or fetched from its own server.
std::optional<ReadCollection> shown_collection(
    const base::Ask& ask, db::Read& db, const ap::Incoming& in, const ap::Reference& named
) {
    if (!ap::same_host(named.id, in.activity.actor)) return std::nullopt;
    auto document = named.embedded;
    if (!document || !document.node().is("FeaturedCollection") ||
        !ap::may_trust_embedded(in.activity, named)) {
        auto shown = fetch(ask, db, named.id);
        if (shown.outcome == FetchOutcome::failed) try_again(shown);
        if (shown.outcome != FetchOutcome::found || shown.id != named.id) return std::nullopt;
        document = shown.document;
    }
    return read_collection(db, document, in.actor, in.activity.actor);
}

}  // namespace

// ---- consent ----

std::optional<FeatureRequest> feature_wanted(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& activity = in.activity;
    const auto& collection = activity.instrument;
    if (activity.id.empty() || !has_our_host(db.site(), activity.object.id)) return std::nullopt;
    if (!ap::same_host(collection.id, activity.actor)) return std::nullopt;
    auto account = accounts::find_by_uri(db, activity.object.id);
    auto asked = account ? accounts::find_account(db, *account) : std::nullopt;
    if (!asked || !asked->local() || asked->suspended_at) return std::nullopt;
    FeatureRequest wanted{in.actor, asked->id, activity.id, {}};
    if (known_collection(db, collection.id, in.actor)) {
        wanted.collection.uri = collection.id;
        return wanted;
    }
    if (collections::find_by_uri(db, collection.id)) return std::nullopt;  // somebody else's
    auto read = shown_collection(ask, db, in, collection);
    if (!read) return std::nullopt;
    wanted.collection = std::move(read->collection);
    return wanted;
}

bool take_feature_request(db::Write& db, const FeatureRequest& wanted) {
    collections::answer_feature_request(db, wanted);
    return true;
}

namespace {

// The item of our request, if the requested account answers.
std::optional<collections::Consent> asked_for(db::Read& db, const ap::Incoming& in) {
    const auto& request = in.activity.object;
    std::optional<collections::Consent> item;
    auto ours = former::ours(db, request.id);
    if (ours && ours->kind == base::uris::Kind::action && ours->action == "feature_requests") {
        item = collections::consent(db, {ours->id});
    } else if (request.embedded) {
        auto collection = collections::find_by_uri(db, request.embedded["instrument"].id());
        if (collection) item = collections::consent_of(db, *collection, in.actor);
    }
    if (!item || !item->owner_local || item->account != in.actor) return std::nullopt;
    return item;
}

}  // namespace

std::optional<FeatureConsent> consented_feature(db::Read& db, const ap::Incoming& in) {
    auto item = asked_for(db, in);
    const auto& authorization_uri = in.activity.result.id;
    if (!item || authorization_uri.size() > ap::longest_url ||
        !ap::same_host(authorization_uri, in.activity.actor))
        return std::nullopt;
    return FeatureConsent{item->id, authorization_uri};
}

bool take_consent(db::Write& db, const FeatureConsent& consent) {
    return collections::give_consent(db, consent.item, consent.authorization_uri);
}

std::optional<std::vector<collections::ItemId>> refused_feature(db::Read& db, const ap::Incoming& in) {
    auto item = asked_for(db, in);
    if (!item) return std::nullopt;
    return std::vector{item->id};
}

std::optional<std::vector<collections::ItemId>> revoked_feature(db::Read& db, const ap::Incoming& in) {
    if (in.activity.object.id.empty()) return std::nullopt;
    std::vector<collections::ItemId> out;
    for (const auto& item : collections::consents_by_authorization(db, in.activity.object.id, in.actor))
        out.push_back(item.id);
    return out.empty() ? std::nullopt : std::optional(std::move(out));
}

bool take_feature_end(db::Write& db, const std::vector<collections::ItemId>& items) {
    bool found = false;
    for (auto id : items) found = collections::end_consent(db, id) || found;
    return found;
}

// ---- collections ----

namespace {

// Other collections are read when somebody looks at them.
bool concerns_us(db::Read& db, const ReadCollection& read, AccountId owner) {
    if (collections::find_by_uri(db, read.collection.uri) || relationships::is_followed_here(db, owner))
        return true;
    for (const auto& item : read.items)
        if (has_our_host(db.site(), item.object)) return true;
    return false;
}

// The address of the actor's list; an actor stored without one is fetched again.
std::string list_of(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    auto actor = stored_actor(db, in.actor);
    if (!actor) return {};
    const auto& object = in.activity.object;
    bool tells = object.embedded && object.embedded.node().is("FeaturedCollection");
    if (!actor->featured_collections.empty() || !tells) return actor->featured_collections;
    accounts::Resolve again{in.activity.actor};
    again.again = true;
    reschedule_or_fail(ask(again));
    actor = stored_actor(db, in.actor);
    return actor ? actor->featured_collections : std::string();
}

}  // namespace

std::optional<ReadCollection> added_collection(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& target = in.activity.target.id;
    if (!ap::same_host(target, in.activity.actor) || target != list_of(ask, db, in)) return std::nullopt;
    auto read = shown_collection(ask, db, in, in.activity.object);
    if (!read || !concerns_us(db, *read, in.actor)) return std::nullopt;
    return read;
}

std::optional<ReadCollection> updated_collection(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    if (!known_collection(db, in.activity.object.id, in.actor)) return std::nullopt;
    return shown_collection(ask, db, in, in.activity.object);
}

bool take_collection(db::Write& db, const ReadCollection& read) {
    keep_collection(db, read);
    return true;
}

std::optional<CollectionId> removed_collection(db::Read& db, const ap::Incoming& in) {
    auto actor = stored_actor(db, in.actor);
    if (!actor || actor->featured_collections.empty() || in.activity.target.id != actor->featured_collections)
        return std::nullopt;
    return deleted_collection(db, in);
}

std::optional<CollectionId> deleted_collection(db::Read& db, const ap::Incoming& in) {
    auto known = known_collection(db, in.activity.object.id, in.actor);
    return known ? std::optional(known->id) : std::nullopt;
}

bool take_collection_end(db::Write& db, const CollectionId& id) {
    auto found = collections::collections(db, {id});
    if (found.empty() || found[0].local) return false;
    collections::take_away(db, found[0].account_id, id);
    return true;
}

// ---- items ----

std::optional<RemoteItem> added_item(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    auto collection = known_collection(db, in.activity.target.id, in.actor);
    if (!collection) return std::nullopt;
    const auto& object = in.activity.object;
    ap::FeaturedItem item{object.id, {}, {}};
    if (object.embedded) item = ap::read_featured_item(object.embedded.node());
    auto out = agreed_item(ask, db, *collection, item, false);
    if (out) out->position = static_cast<std::int64_t>(collections::most_remote_items);
    return out;
}

bool take_item(db::Write& db, const RemoteItem& item) { return collections::put_remote_item(db, item); }

std::optional<RemovedItem> removed_item(db::Read& db, const ap::Incoming& in) {
    auto collection = known_collection(db, in.activity.target.id, in.actor);
    if (!collection || in.activity.object.id.empty()) return std::nullopt;
    return RemovedItem{collection->id, in.activity.object.id};
}

bool take_item_end(db::Write& db, const RemovedItem& item) {
    return collections::remove_listed(db, item.collection, item.uri);
}

}  // namespace federation
