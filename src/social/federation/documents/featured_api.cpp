// SPDX-License-Identifier: AGPL-3.0-or-later
// Collections of accounts, their items, and the authorizations of their members (FEP-7aa9).
#include "base/uris.hpp"
#include "http/route.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/federation/documents/featured_ap.hpp"

namespace federation {

using http::Request;

namespace {

struct NumberedPage {
    std::optional<std::int64_t> page;
};
DESCRIBE(NumberedPage, page)

http::Response list_of(const base::Ask& ask, db::Read& db, const Request& request, const NumberedPage& form) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    bool hidden = hidden_from(db, asked.account.id, who);
    return activity(
        form.page ? featured_collections_page(db, asked.account, *form.page, hidden)
                  : featured_collections(db, asked.account),
        who
    );
}

// A document that is not shown to readers whom the account has blocked.
template <class Document>
http::Response shown(const base::Ask& ask, db::Read& db, const Request& request, Document document) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    if (hidden_from(db, asked.account.id, who)) throw base::NotFound();
    return activity(document(asked), who);
}

http::Response collection(const base::Ask& ask, db::Read& db, const Request& request) {
    return shown(ask, db, request, [&](const Asked& asked) {
        auto found = collections::collection(db, CollectionId{asked.what.id});
        if (found.account_id != asked.account.id) throw base::NotFound();
        return featured_collection(db, asked.account, found);
    });
}

http::Response item(const base::Ask& ask, db::Read& db, const Request& request) {
    return shown(ask, db, request, [&](const Asked& asked) {
        return featured_item(db, asked.account, {asked.what.id});
    });
}

http::Response authorization(const base::Ask& ask, db::Read& db, const Request& request) {
    return shown(ask, db, request, [&](const Asked& asked) {
        return feature_authorization(db, asked.account, {asked.what.id});
    });
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list_of>      ("/ap/users/:account/featured_collections"),
    http::get<collection>   ("/ap/users/:account/collections/:collection_id"),
    http::get<item>         ("/ap/users/:account/collection_items/:item_id"),
    http::get<authorization>("/ap/users/:account/feature_authorizations/:item_id"),
};
// clang-format on

}  // namespace

http::Response collection_activity(
    const base::Ask& ask, db::Read& db, const Request& request, collections::CollectionId id
) {
    auto found = collections::collection(db, id);
    if (!found.local) throw base::NotFound();
    auto owner = accounts::account(db, found.account_id);
    auto who = reader(ask, db, request);
    if (hidden_from(db, owner.id, who)) throw base::NotFound();
    return activity(featured_collection(db, owner, found), who);
}

std::span<const http::Route> featured_routes() { return table; }

}  // namespace federation
