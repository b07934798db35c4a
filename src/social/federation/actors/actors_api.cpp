// SPDX-License-Identifier: AGPL-3.0-or-later
// Actors and their collections. Each account is served at two addresses, with its number and with its
// username; the id is the one with the number.
#include "base/uris.hpp"
#include "http/route.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/federation/documents/collections_ap.hpp"
#include "social/federation/keys/keys.hpp"

namespace federation {

using http::Request;

http::Response actor_activity(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_for(db, request);
    auto who = reader(ask, db, request);
    if (!has_key(db, asked.account.id)) ask(OwnKeyMissing{asked.account.id});
    return activity(actor_document(db, asked.account), who);
}

namespace {

http::Response server_actor(const base::Ask& ask, db::Read& db, const Request& request) {
    if (!has_key(db, base::uris::server_actor)) ask(OwnKeyMissing{base::uris::server_actor});
    auto former = former_server(db, request);
    auto response =
        open_activity(former ? former_server_actor_document(db, *former) : server_actor_document(db));
    for (auto& [name, value] : response.headers)
        if (name == "Cache-Control") value = "max-age=600, public";
    return response;
}

http::Response actor(const base::Ask& ask, db::Read& db, const Request& request) {
    if (former_server(db, request)) return server_actor(ask, db, request);
    if (wants_activity(request)) return actor_activity(ask, db, request);
    return page_at(accounts::url_of(db.site(), asked_for(db, request).account), 301);
}

http::Response server_outbox_of(db::Read& db) { return open_activity(server_outbox(db)); }

struct OutboxForm {
    bool page = false;
    std::optional<std::int64_t> max_id, min_id, since_id;
};
DESCRIBE(OutboxForm, page, max_id, min_id, since_id)

http::Response outbox_of(const base::Ask& ask, db::Read& db, const Request& request, const OutboxForm& form) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    if (!form.page) return activity(outbox(db, asked.account), who);
    OutboxPage part{form.max_id, form.min_id, form.since_id};
    if (hidden_from(db, asked.account.id, who)) part = {1, {}, {}};
    return activity(outbox_page(db, who.audience, asked.account, part), who);
}

struct NumberedPage {
    std::optional<std::int64_t> page, max_id, min_id;
};
DESCRIBE(NumberedPage, page, max_id, min_id)

http::Response network_of(
    const base::Ask& ask, db::Read& db, const Request& request, const NumberedPage& form, Network which
) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    if (form.page && hidden_from(db, asked.account.id, who)) throw base::Forbidden();
    return activity(
        form.page ? network_page(db, asked.account, which, {*form.page, form.max_id, form.min_id})
                  : network(db, asked.account, which),
        who
    );
}

http::Response followers_of(
    const base::Ask& ask, db::Read& db, const Request& request, const NumberedPage& form
) {
    return network_of(ask, db, request, form, Network::followers);
}
http::Response following_of(
    const base::Ask& ask, db::Read& db, const Request& request, const NumberedPage& form
) {
    return network_of(ask, db, request, form, Network::following);
}

// Each server gets only its own accounts, so the request must be signed.
http::Response synchronization_of(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    if (!who.known()) throw base::Unauthorized("This request must be signed");
    return activity(followers_of_origin(db, asked.account, who.origin), who);
}

http::Response featured_of(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    bool hidden = hidden_from(db, asked.account.id, who);
    return activity(featured(db, who.audience, asked.account, hidden), who);
}

http::Response featured_tags_of(const base::Ask& ask, db::Read& db, const Request& request) {
    auto asked = asked_of_active(db, request);
    auto who = reader(ask, db, request);
    return activity(featured_tags(db, asked.account, hidden_from(db, asked.account.id, who)), who);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<server_actor>    ("/actor"),
    http::get<server_outbox_of>("/actor/outbox"),
    http::get<actor>           ("/ap/users/:account"),
    http::get<actor>           ("/users/:username"),
    http::get<outbox_of>       ("/ap/users/:account/outbox"),
    http::get<outbox_of>       ("/users/:username/outbox"),
    http::get<followers_of>    ("/ap/users/:account/followers"),
    http::get<followers_of>    ("/users/:username/followers"),
    http::get<following_of>    ("/ap/users/:account/following"),
    http::get<following_of>    ("/users/:username/following"),
    http::get<synchronization_of>("/ap/users/:account/followers_synchronization"),
    http::get<synchronization_of>("/users/:username/followers_synchronization"),
    http::get<featured_of>     ("/ap/users/:account/collections/featured"),
    http::get<featured_of>     ("/users/:username/collections/featured"),
    http::get<featured_tags_of>("/ap/users/:account/collections/tags"),
    http::get<featured_tags_of>("/users/:username/collections/tags"),
};
// clang-format on

}  // namespace

std::span<const http::Route> actor_routes() { return table; }

}  // namespace federation
