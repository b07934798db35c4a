// SPDX-License-Identifier: AGPL-3.0-or-later
// Actors and their collections. Each account answers under its number and under its name; its id is the number.
#include "http/route.hpp"
#include "social/federation/actors_ap.hpp"
#include "social/federation/answer_api.hpp"
#include "social/federation/collections_ap.hpp"
#include "social/federation/routes.hpp"

namespace federation {

using http::Request;

http::Response actor_activity(db::Read& db, const Request& request) {
    return activity(actor_document(db, asked_for(db, request).account));
}

namespace {

http::Response actor(db::Read& db, const Request& request) {
    if (wants_activity(request)) return actor_activity(db, request);
    return page_at(accounts::url_of(db.site(), asked_for(db, request).account), 301);
}

http::Response server_actor(db::Read& db) {
    auto response = activity(server_actor_document(db));
    for (auto& [name, value] : response.headers)
        if (name == "Cache-Control") value = "max-age=600, public";
    return response;
}

http::Response server_outbox_of(db::Read& db) { return activity(server_outbox(db)); }

struct OutboxForm {
    bool page = false;
    std::optional<std::int64_t> max_id, min_id, since_id;
};
DESCRIBE(OutboxForm, page, max_id, min_id, since_id)

http::Response outbox_of(db::Read& db, const Request& request, const OutboxForm& form) {
    auto asked = asked_of_active(db, request);
    if (!form.page) return activity(outbox(db, asked.account));
    OutboxPage part{form.max_id, form.min_id, form.since_id};
    return activity(outbox_page(db, statuses::nobody(db), asked.account, part));
}

struct NumberedPage {
    std::optional<std::int64_t> page;
};
DESCRIBE(NumberedPage, page)

http::Response network_of(db::Read& db, const Request& request, const NumberedPage& form, Network which) {
    auto asked = asked_of_active(db, request);
    return activity(
        form.page ? network_page(db, asked.account, which, *form.page) : network(db, asked.account, which)
    );
}

http::Response followers_of(db::Read& db, const Request& request, const NumberedPage& form) {
    return network_of(db, request, form, Network::followers);
}
http::Response following_of(db::Read& db, const Request& request, const NumberedPage& form) {
    return network_of(db, request, form, Network::following);
}

http::Response featured_of(db::Read& db, const Request& request) {
    return activity(featured(db, statuses::nobody(db), asked_of_active(db, request).account));
}

http::Response featured_tags_of(db::Read& db, const Request& request) {
    return activity(featured_tags(db, asked_of_active(db, request).account));
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
    http::get<featured_of>     ("/ap/users/:account/collections/featured"),
    http::get<featured_of>     ("/users/:username/collections/featured"),
    http::get<featured_tags_of>("/ap/users/:account/collections/tags"),
    http::get<featured_tags_of>("/users/:username/collections/tags"),
};
// clang-format on

}  // namespace

std::span<const http::Route> actor_routes() { return table; }

}  // namespace federation
