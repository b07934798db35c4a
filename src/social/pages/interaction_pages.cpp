// SPDX-License-Identifier: AGPL-3.0-or-later
// Addresses that other servers and browsers know, and that lead to what is meant.
#include "base/json_read.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/discovery/search.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/pages/shown.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace pages {
namespace {

struct Interaction {
    std::string uri;
};
DESCRIBE(Interaction, uri)

// There is no client here in which to follow or answer; what is known is shown where it is.
http::Response authorize_interaction(db::Read& db, const Interaction& form) {
    auto found = discovery::resolve_local(db, form.uri);
    if (found.status) {
        auto nobody = statuses::nobody(db);
        auto facts = statuses::visible_facts(db, nobody, found.status);
        auto shown = base::json::read<Shown>(statuses::json(db, nobody, facts));
        return federation::page_at(shown.address(), 302);
    }
    std::string_view handle = form.uri;
    if (handle.starts_with("acct:")) handle.remove_prefix(5);
    auto account =
        found.account ? accounts::find_account(db, found.account) : accounts::find_by_acct(db, handle);
    auto address = account ? accounts::url_of(db.site(), *account) : "";
    if (address.empty()) throw base::NotFound();
    return federation::page_at(std::move(address), 302);
}

http::Response proxy(db::Read& db, const Interaction& form) {
    return federation::page_at(
        db.site().public_url + "/authorize_interaction?uri=" + http::percent_encoded(form.uri), 302
    );
}

http::Response change_password(db::Read& db) {
    return federation::page_at(db.site().public_url + "/auth/password/new", 302);
}

struct Intent {
    std::string uri;
};
DESCRIBE(Intent, uri)

// web+mastodon://follow?uri=…, web+mastodon://share?text=…, as browsers hand them on.
http::Response intent(db::Read& db, const Intent& form) {
    const auto& here = db.site().public_url;
    for (std::string_view scheme : {"web+mastodon://", "web+ap://"}) {
        if (!form.uri.starts_with(scheme)) continue;
        auto rest = std::string_view(form.uri).substr(scheme.size());
        auto what = rest.substr(0, rest.find_first_of("/?"));
        auto query = rest.find('?') == rest.npos ? std::string_view{} : rest.substr(rest.find('?'));
        if (what == "follow")
            return federation::page_at(here + "/authorize_interaction" + std::string(query), 302);
        if (what == "share") return federation::page_at(here + "/share" + std::string(query), 302);
    }
    throw base::NotFound();
}

http::Response authorize_follow(const http::Request& request, db::Read& db) {
    auto query = request.query().empty() ? "" : "?" + std::string(request.query());
    return federation::page_at(db.site().public_url + "/authorize_interaction" + query, 302);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<authorize_interaction>("/authorize_interaction"),
    http::get<authorize_follow>     ("/authorize_follow"),
    http::get<intent>               ("/intent"),
    http::get<proxy>                ("/.well-known/proxy"),
    http::get<change_password>      ("/.well-known/change-password"),
};
// clang-format on

}  // namespace

std::span<const http::Route> interaction_routes() { return table; }

}  // namespace pages
