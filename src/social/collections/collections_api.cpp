// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/errors.hpp"
#include "http/page.hpp"
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/collections/collection_entity.hpp"
#include "social/collections/remote.hpp"
#include "social/statuses/core/viewer_api.hpp"

#include <algorithm>

namespace collections {
namespace {

using http::Viewer;
using statuses::audience;

struct Enveloped {
    CollectionEntity collection;
};
DESCRIBE(Enveloped, collection)

struct ById {
    CollectionId id;
};
DESCRIBE(ById, id)

Enveloped show_own(db::Read& db, const Viewer& me, const ById& path) {
    return {entities(db, audience(db, me), {own_collection(db, me.account, path.id)})[0]};
}

struct WithAccounts {
    CollectionEntity collection;
    base::json::Raw accounts;
};
DESCRIBE(WithAccounts, collection, accounts)

// For a logged-in viewer, remote collections are fetched again.
WithAccounts show(const base::Ask& ask, db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    auto found = collection(db, path.id);
    auto viewer = audience(db, me);
    if (viewer.relations && viewer.relations->blocked_by.contains(found.account_id)) throw base::Forbidden();
    if (me && is_due(db, found)) ask(LookAtCollections{{}, found.id});
    WithAccounts out{entities(db, viewer, {found})[0], {}};
    std::vector<AccountId> people{found.account_id};
    for (const auto& item : out.collection.items)
        if (*item.account_id.value != found.account_id) people.push_back(*item.account_id.value);
    out.accounts = {accounts::render_list(db, people, me.has_value())};
    return out;
}

// Errors of a collection are nested one level deeper than elsewhere (behaviours 3, shape 2).
template <class F>
auto nesting_faults(const http::Request& request, F&& f) {
    try {
        return f();
    } catch (const base::Invalid&) {
        auto plain = http::failure(std::current_exception(), request, "");
        plain.body = "{\"error\":" + plain.body + "}";
        throw http::Refusal(std::move(plain));
    }
}

struct Form {
    std::optional<std::string> name, description, language, tag_name;
    std::optional<bool> sensitive, discoverable;
    std::vector<AccountId> account_ids;
};
DESCRIBE(Form, name, description, language, tag_name, sensitive, discoverable, account_ids)

CollectionId make(db::Write& db, const Viewer& me, const Form& form, const http::Request& request) {
    Draft draft{form.name, form.description, form.language, form.tag_name, form.sensitive, form.discoverable};
    return nesting_faults(request, [&] { return create(db, me.account, draft, form.account_ids); });
}

struct Changes {
    CollectionId id;
    std::optional<std::string> name;
    std::optional<http::TextOrNull> description, language, tag_name;
    std::optional<bool> sensitive, discoverable;
};
DESCRIBE(Changes, id, name, description, language, tag_name, sensitive, discoverable)

CollectionId change(db::Write& db, const Viewer& me, const Changes& form, const http::Request& request) {
    const Draft draft{
        form.name,
        http::text_of(form.description),
        http::text_of(form.language),
        http::text_of(form.tag_name),
        form.sensitive,
        form.discoverable
    };
    return nesting_faults(request, [&] {
        update(db, me.account, form.id, draft);
        return form.id;
    });
}

http::Response destroy(db::Write& db, const Viewer& me, const ById& path) {
    remove(db, me.account, path.id);
    return {};
}

struct NewItem {
    CollectionId collection_id;
    std::optional<AccountId> account_id;
};
DESCRIBE(NewItem, collection_id, account_id)

ItemId add(db::Write& db, const Viewer& me, const NewItem& form) {
    return add_item(db, me.account, form.collection_id, form.account_id);
}

struct ItemById {
    ItemId id;
};
DESCRIBE(ItemById, id)

struct EnvelopedItem {
    CollectionItem collection_item;
};
DESCRIBE(EnvelopedItem, collection_item)

EnvelopedItem show_item(db::Read& db, const Viewer&, const ItemById& path) {
    return {entity(item(db, path.id))};
}

struct ItemPath {
    CollectionId collection_id;
    ItemId id;
};
DESCRIBE(ItemPath, collection_id, id)

http::Response take_out(db::Write& db, const Viewer& me, const ItemPath& path) {
    remove_item(db, me.account, path.collection_id, path.id);
    return {};
}

http::Response leave(db::Write& db, const Viewer& me, const ItemPath& path) {
    revoke_item(db, me.account, path.collection_id, path.id);
    return {};
}

struct Many {
    std::vector<CollectionEntity> collections;
};
DESCRIBE(Many, collections)

http::Response page(
    db::Read& db, const statuses::Audience& viewer, const std::vector<Collection>& found, int limit,
    int offset, const http::Request& request
) {
    http::Response response;
    base::json::write(response.body, Many{entities(db, viewer, found)});
    http::add_offset_link(response, db.site(), request, offset, limit, found.size());
    return response;
}

struct OwnersPage {
    AccountId id;
    int offset = 0;
    http::Limit<40, 100> limit;
};
DESCRIBE(OwnersPage, id, offset, limit)

http::Response of_account(
    const base::Ask& ask, db::Read& db, const std::optional<Viewer>& me, const OwnersPage& form,
    const http::Request& request
) {
    accounts::account(db, form.id);
    if (me && collections_due(db, form.id)) ask(LookAtCollections{form.id, {}});
    auto viewer = audience(db, me);
    bool own = me && me->account == form.id;
    bool blocked = viewer.relations && viewer.relations->blocked_by.contains(form.id);
    auto offset = std::max(form.offset, 0);
    std::vector<Collection> found;
    if (!blocked) found = collections_of(db, form.id, own, *form.limit, offset);
    return page(db, viewer, found, *form.limit, offset, request);
}

struct MembersPage {
    AccountId id;
    int offset = 0;
    http::Limit<40, 80> limit;
};
DESCRIBE(MembersPage, id, offset, limit)

http::Response with_account(
    db::Read& db, const Viewer& me, const MembersPage& form, const http::Request& request
) {
    accounts::account(db, form.id);
    if (form.id != me.account) throw base::Forbidden();
    auto offset = std::max(form.offset, 0);
    auto found = collections_with(db, form.id, *form.limit, offset);
    return page(db, audience(db, me), std::move(found), *form.limit, offset, request);
}

struct FindForm {
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(FindForm, max_id, since_id, limit)

struct ManyWithOwners {
    std::vector<CollectionEntity> collections;
    base::json::Raw accounts;
};
DESCRIBE(ManyWithOwners, collections, accounts)

// A page may be shorter than requested: collections of accounts hidden from the viewer are left out.
http::RawPage find(db::Read& db, const Viewer& me, const FindForm& form) {
    auto page = http::page_by_id(collections_to_find(db, http::range_of(form)), form);
    auto viewer = audience(db, me);
    std::erase_if(page.items, [&](const Collection& one) { return viewer.hides(one.account_id); });
    std::vector<AccountId> owners;
    for (const auto& one : page.items)
        if (std::ranges::find(owners, one.account_id) == owners.end()) owners.push_back(one.account_id);
    ManyWithOwners out{entities(db, viewer, page.items), {accounts::render_list(db, owners, true)}};
    return {base::json::to_string(out), page.cursors};
}

using http::Caching;

constexpr std::int64_t since = 1781049600;

// clang-format off
constexpr http::Route table[] = {
    http::get<of_account>       ("/api/v1/accounts/:id/collections",                  "read:collections").answering("object").cached(Caching::if_anonymous),
    http::get<with_account>     ("/api/v1/accounts/:id/in_collections",               "read:collections").answering("object"),
    http::post<make, show_own>  ("/api/v1/collections",                               "write:collections"),
    http::get<show>             ("/api/v1/collections/:id",                           "read:collections").cached(Caching::if_anonymous),
    http::patch<change, show_own>("/api/v1/collections/:id",                          "write:collections"),
    http::put<change, show_own> ("/api/v1/collections/:id",                           "write:collections"),
    http::del<destroy>          ("/api/v1/collections/:id",                           "write:collections"),
    http::post<add, show_item>  ("/api/v1/collections/:collection_id/items",          "write:collections"),
    http::del<take_out>         ("/api/v1/collections/:collection_id/items/:id",      "write:collections"),
    http::post<leave>           ("/api/v1/collections/:collection_id/items/:id/revoke", "write:collections"),
    http::get<find>             ("/api/dunlin/v1/collections",                        "read:collections").answering("object"),
    // For older clients; the second was never marked as deprecated.
    http::get<of_account>       ("/api/v1_alpha/accounts/:id/collections",            "read:collections").answering("object").cached(Caching::if_anonymous).deprecated(since),
    http::get<with_account>     ("/api/v1_alpha/accounts/:id/in_collections",         "read:collections").answering("object"),
    http::post<make, show_own>  ("/api/v1_alpha/collections",                         "write:collections").deprecated(since),
    http::get<show>             ("/api/v1_alpha/collections/:id",                     "read:collections").cached(Caching::if_anonymous).deprecated(since),
    http::patch<change, show_own>("/api/v1_alpha/collections/:id",                    "write:collections").deprecated(since),
    http::put<change, show_own> ("/api/v1_alpha/collections/:id",                     "write:collections").deprecated(since),
    http::del<destroy>          ("/api/v1_alpha/collections/:id",                     "write:collections").deprecated(since),
    http::post<add, show_item>  ("/api/v1_alpha/collections/:collection_id/items",    "write:collections").deprecated(since),
    http::del<take_out>         ("/api/v1_alpha/collections/:collection_id/items/:id", "write:collections").deprecated(since),
    http::post<leave>           ("/api/v1_alpha/collections/:collection_id/items/:id/revoke", "write:collections").deprecated(since),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace collections
