// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/read_collection.hpp"

#include "ap/collection.hpp"
#include "ap/url.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/federation/actors/actor.hpp"

#include <algorithm>

namespace federation {

using collections::RemoteItem;

namespace {

constexpr int most_pages = 10;
constexpr std::size_t most_collections = collections::most_remote_collections;
constexpr std::int64_t confirm_again_seconds = 7 * 86'400;
constexpr std::size_t at_once = base::max_rounds - 1;

VerifiedDocument get(const base::Ask& ask, db::Read& db, const std::string& url, bool bulk) {
    return bulk ? fetch_bulk(ask, db, url) : fetch(ask, db, url);
}

}  // namespace

std::optional<ReadCollection> read_collection(
    db::Read& db, const ap::Document& document, AccountId owner, std::string_view owner_uri
) {
    auto read = ap::read_featured_collection(document, db.now());
    if (!read || read->attributed_to != owner_uri || has_our_host(db.site(), read->id)) return std::nullopt;
    ReadCollection out;
    auto& c = out.collection;
    c.uri = read->id;
    c.url = read->url;
    c.owner = owner;
    c.name = read->name;
    c.description = read->summary;
    c.language = read->language;
    c.tag = read->topic;
    c.sensitive = read->sensitive;
    c.discoverable = read->discoverable;
    c.published = read->published;
    c.updated = read->updated;
    out.tells_items = read->tells_items;
    out.items = std::move(read->items);
    out.next = std::move(read->next);
    out.read_at = db.now();
    return out;
}

std::optional<CollectionId> keep_collection(db::Write& db, const ReadCollection& read) {
    auto id = collections::store_remote(db, read.collection);
    if (!id) return std::nullopt;
    if (!read.tells_items) return id;
    collections::note_read(db, *id);
    ItemsContinued left{*id, {}, read.next, 0, 0, read.read_at};
    for (const auto& item : read.items) left.items.push_back({item.id, item.object, item.authorization});
    db.emit(left);
    return id;
}

namespace {

// The account; one that is not known here is fetched.
std::optional<AccountId> account_named(
    const base::Ask& ask, db::Read& db, const std::string& uri, bool bulk
) {
    if (auto known = accounts::find_by_uri(db, uri)) return known;
    if (!may_ask(db, uri)) return std::nullopt;
    const auto& found = ask(accounts::Resolve{uri, {}, false, 1, bulk});
    reschedule_or_fail(found);
    return accounts::find_by_uri(db, uri);
}

std::optional<ap::FeaturedItem> whole_item(
    const base::Ask& ask, db::Read& db, const ap::FeaturedItem& item, bool bulk
) {
    if (!item.object.empty()) return item;
    auto shown = get(ask, db, item.id, bulk);
    if (shown.outcome == FetchOutcome::failed) try_again(shown);
    if (shown.outcome != FetchOutcome::found || shown.id != item.id) return std::nullopt;
    return ap::read_featured_item(shown.document.node());
}

}  // namespace

std::optional<RemoteItem> agreed_item(
    const base::Ask& ask, db::Read& db, const collections::Collection& c, const ap::FeaturedItem& named,
    bool bulk
) {
    const auto& collection = *c.uri;
    if (!ap::same_host(named.id, collection)) return std::nullopt;
    auto item = whole_item(ask, db, named, bulk);
    if (!item || item->object.empty()) return std::nullopt;
    RemoteItem out{c.id, {}, named.id, item->authorization, 0};
    // The consent of local accounts is stored here.
    if (has_our_host(db.site(), item->object)) {
        auto account = accounts::find_by_uri(db, item->object);
        auto agreed = account ? collections::consent_of(db, c.id, *account) : std::nullopt;
        if (!agreed || agreed->state != collections::ItemState::accepted) return std::nullopt;
        out.account = *account;
        out.authorization_uri.clear();
        return out;
    }
    if (!ap::same_host(item->authorization, item->object)) return std::nullopt;
    auto authorization = get(ask, db, item->authorization, bulk);
    if (authorization.outcome == FetchOutcome::failed) try_again(authorization);
    if (authorization.outcome != FetchOutcome::found || authorization.id != item->authorization ||
        !ap::authorizes(authorization.document, collection, item->object))
        return std::nullopt;
    auto account = account_named(ask, db, item->object, bulk);
    if (!account) return std::nullopt;
    out.account = *account;
    return out;
}

// ---- the list of an owner ----

namespace {

// The entries of a list: embedded collections, and ids of others.
struct Listed {
    std::vector<ReadCollection> read;
    CollectionsWanted left;
};

void take_page(db::Read& db, Listed& out, const StoredActor& owner, const VerifiedDocument& page) {
    auto list = page.outcome == FetchOutcome::found ? ap::read_collection(page.document)
                                                    : ap::Reading<ap::Collection>(ap::Refusal::no_links);
    if (!list) return;
    for (const auto& item : list->items) {
        if (out.read.size() + out.left.uris.size() >= most_collections) return;
        if (!ap::same_host(item.id, owner.uri)) continue;
        auto read =
            item.embedded ? read_collection(db, item.embedded, owner.account_id, owner.uri) : std::nullopt;
        if (read) out.read.push_back(*std::move(read));
        else out.left.uris.push_back(item.id);
    }
    out.left.next = ap::next_page(*list, owner.featured_collections);
}

Listed some_of_list(
    const base::Ask& ask, db::Read& db, const StoredActor& owner, CollectionsWanted left, bool bulk,
    std::size_t most
) {
    Listed out{{}, std::move(left)};
    if (out.left.pages == 0) out.left.next = owner.featured_collections;
    for (std::size_t asked = 0; asked < most; ++asked) {
        auto& rest = out.left;
        if (!rest.uris.empty()) {
            auto uri = rest.uris.front();
            rest.uris.erase(rest.uris.begin());
            auto shown = get(ask, db, uri, bulk);
            if (shown.outcome != FetchOutcome::found || shown.id != uri) continue;
            if (auto read = read_collection(db, shown.document, owner.account_id, owner.uri))
                out.read.push_back(*std::move(read));
        } else if (!rest.next.empty() && rest.pages < most_pages) {
            auto next = std::exchange(rest.next, {});
            ++rest.pages;
            take_page(db, out, owner, get(ask, db, next, bulk));
        }
    }
    if (out.left.pages >= most_pages) out.left.next.clear();
    return out;
}

jobs::Change kept(Listed found) {
    return [found = std::move(found)](db::Write& db) {
        for (const auto& one : found.read) keep_collection(db, one);
        if (!found.left.uris.empty() || !found.left.next.empty()) db.emit(found.left);
    };
}

}  // namespace

jobs::Change read_collections(const base::Ask& ask, db::Read& db, const CollectionsWanted& e) {
    auto owner = stored_actor(db, e.account);
    if (!owner || owner->featured_collections.empty()) return {};
    return kept(some_of_list(ask, db, *owner, e, true, at_once));
}

jobs::Change read_collections_now(const base::Ask& ask, db::Read& db, AccountId account) {
    auto owner = stored_actor(db, account);
    if (!owner || owner->featured_collections.empty()) return {};
    constexpr std::size_t list_and_first_page = 2;
    return kept(some_of_list(ask, db, *owner, {account, {}, {}, 0}, false, list_and_first_page));
}

// ---- one collection ----

namespace {

// A remote collection whose owner still exists.
std::optional<collections::Collection> remote_collection(db::Read& db, CollectionId id) {
    auto found = collections::collections(db, {id});
    if (found.empty() || found[0].local || !found[0].uri) return std::nullopt;
    return found[0];
}

}  // namespace

jobs::Change read_collection_again(const base::Ask& ask, db::Read& db, const CollectionWanted& e) {
    auto known = remote_collection(db, e.collection);
    auto owner = known ? stored_actor(db, known->account_id) : std::nullopt;
    if (!owner) return {};
    auto shown = fetch_bulk(ask, db, *known->uri);
    bool over = shown.outcome == FetchOutcome::gone || shown.outcome == FetchOutcome::missing;
    if (over)
        return [id = known->id](db::Write& write) {
            if (auto still = remote_collection(write, id))
                collections::take_away(write, still->account_id, id);
        };
    if (shown.outcome != FetchOutcome::found || shown.id != *known->uri) return {};
    auto read = read_collection(db, shown.document, owner->account_id, owner->uri);
    if (!read) return {};
    return [read = *std::move(read)](db::Write& write) { keep_collection(write, read); };
}

namespace {

// An item that was confirmed recently and is unchanged is not confirmed again.
bool is_confirmed(db::Read& db, const std::vector<collections::ListedItem>& known, const UnreadItem& item) {
    auto found = std::ranges::find(known, std::optional(item.id), &collections::ListedItem::uri);
    return found != known.end() && found->state == collections::ItemState::accepted &&
           found->authorization_uri && *found->authorization_uri == item.authorization &&
           accounts::find_by_uri(db, item.object) == found->account &&
           found->checked_at > db.now().plus_seconds(-confirm_again_seconds);
}

// Pages come first, so that accounts that are not listed any more are removed at once.
jobs::Change more_pages(
    const base::Ask& ask, db::Read& db, const collections::Collection& c, ItemsContinued left
) {
    for (std::size_t asked = 0; asked < at_once && !left.next.empty(); ++asked) {
        if (left.pages == most_pages || left.items.size() >= ap::most_featured) break;
        ++left.pages;
        auto page = fetch_bulk(ask, db, std::exchange(left.next, {}));
        if (page.outcome != FetchOutcome::found) continue;
        auto read = ap::read_featured_page(page.document, *c.uri);
        if (!read) continue;
        for (const auto& item : read->items)
            if (left.items.size() < ap::most_featured)
                left.items.push_back({item.id, item.object, item.authorization});
        left.next = read->next;
    }
    if (left.pages == most_pages || left.items.size() >= ap::most_featured) left.next.clear();
    return [left](db::Write& write) { write.emit(left); };
}

}  // namespace

jobs::Change read_items(const base::Ask& ask, db::Read& db, const ItemsContinued& e) {
    auto c = remote_collection(db, e.collection);
    if (!c) return {};
    if (!e.next.empty()) return more_pages(ask, db, *c, e);
    constexpr std::size_t items_at_once = at_once / 2;  // each takes up to two requests: account, consent
    auto known = collections::listed_items(db, c->id);
    auto left = e;
    std::vector<RemoteItem> agreed;
    std::vector<std::string> refused;
    for (std::size_t looked = 0; looked < items_at_once && left.looked_up < left.items.size();
         ++left.looked_up) {
        const auto& item = left.items[left.looked_up];
        if (is_confirmed(db, known, item)) continue;
        looked += item.object.empty() ? 2 : 1;
        try {
            auto found = agreed_item(ask, db, *c, {item.id, item.object, item.authorization}, true);
            if (found) {
                found->position = static_cast<std::int64_t>(left.looked_up) + 1;
                agreed.push_back(*std::move(found));
            } else {
                refused.push_back(item.id);
            }
        } catch (const base::Unavailable&) {
            // Items whose server does not respond are checked the next time that somebody looks at the
            // collection.
        }
    }
    return [left, agreed, refused, first = e.looked_up == 0](db::Write& write) {
        auto still = remote_collection(write, left.collection);
        if (!still) return;
        if (first) {
            std::vector<std::string> listed;
            for (const auto& item : left.items) listed.push_back(item.id);
            collections::keep_listed(write, left.collection, listed, left.read_at);
        }
        for (const auto& uri : refused) collections::remove_listed(write, left.collection, uri);
        for (const auto& item : agreed) collections::put_remote_item(write, item);
        if (left.looked_up < left.items.size()) write.emit(left);
    };
}

// ---- asked for ----

const db::Query<base::Time> collections_read_at{
    "collections_read_at",
    "SELECT collections_read_at FROM actors WHERE account_id = $1 AND featured_collections <> ''"
};
const db::Command note_collections_read{
    "note_collections_read", "UPDATE actors SET collections_read_at = $2 WHERE account_id = $1"
};

bool want_collections(db::Write& db, const collections::LookAtCollections& asked) {
    if (asked.collection) {
        auto found = remote_collection(db, asked.collection);
        if (!found || !collections::is_due(db, *found)) return false;
        collections::note_read(db, found->id);
        db.emit(CollectionWanted{found->id});
        return false;
    }
    auto read_at = db.maybe(collections_read_at, asked.owner);
    if (!read_at || *read_at > db.now().plus_seconds(-collections::look_again_seconds)) return false;
    db.run(note_collections_read, asked.owner, db.now());
    if (read_at->ms == 0) return true;
    db.emit(CollectionsWanted{asked.owner, {}, {}, 0});
    return false;
}

}  // namespace federation
