// SPDX-License-Identifier: AGPL-3.0-or-later
// Addresses that other servers and browsers know, and that lead to what is meant.
#include "base/json_read.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/discovery/search.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/federation/fetch/read_actor.hpp"
#include "social/oauth/browser_choices.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/pages/shown.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace pages {
namespace {

struct Interaction {
    std::string uri, acct;
};
DESCRIBE(Interaction, uri, acct)

std::string interaction(std::string_view uri) {
    return "/authorize_interaction?uri=" + http::percent_encoded(uri);
}

// Of this server: its page, for everybody.
std::optional<std::string> page_of(db::Read& db, const std::string& uri) {
    auto found = discovery::resolve_local(db, uri);
    if (found.account) return accounts::url_of(db.site(), accounts::account(db, found.account));
    if (!found.status) return std::nullopt;
    auto nobody = statuses::nobody(db);
    auto facts = statuses::visible_facts(db, nobody, found.status);
    return base::json::read<Shown>(statuses::json(db, nobody, facts)).address();
}

// What is elsewhere is looked at, followed and answered in the web client, which can also ask for what is not known yet.
http::Response authorize_interaction(db::Read& db, const http::Request& request, const Interaction& form) {
    const auto& uri = form.uri.empty() ? form.acct : form.uri;
    if (uri.empty()) throw base::NotFound();
    if (auto page = page_of(db, uri)) return federation::page_at(*std::move(page), 302);
    std::string_view handle = uri;
    if (handle.starts_with("acct:")) handle.remove_prefix(5);
    auto account = accounts::find_by_acct(db, handle);
    if (account && account->local()) return federation::page_at(accounts::url_of(db.site(), *account), 302);
    if (!oauth::visitor(db, request).person)
        return oauth::redirect("/auth/sign_in?return_to=" + http::percent_encoded(interaction(uri)));
    if (account) return oauth::redirect("/@" + account->acct());
    return oauth::redirect("/search?q=" + http::percent_encoded(handle));
}

// ---- the other way: from here to the server where somebody is at home ----

constexpr const char* helper = "/remote_interaction_helper";
constexpr std::size_t longest_handle = 300;

struct Helper {
    std::string uri, acct, authenticity_token;
    bool remember = false;
};
DESCRIBE(Helper, uri, acct, authenticity_token, remember)

bool is_plain(const base::Site& site) { return site.public_url.starts_with("http://"); }

// What the browser kept counts as if it had been typed: it is looked at when the form comes back, and only then.
std::string remembered_home(const base::Site& site, const http::Request& request) {
    return federation::canonical_handle(oauth::home_cookie(site, request));
}

http::Response helper_page(
    const base::Site& site, const http::Request& request, const oauth::Visitor& who, const Helper& form,
    std::string_view problem = {}
) {
    instance::View view;
    view.set("ACCT", form.acct).set("URI", form.uri).add(form.uri.empty() ? "UNKNOWN" : "KNOWN");
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    view.show_if(form.remember, "REMEMBERED");
    if (auto home = remembered_home(site, request); !home.empty()) view.add("HOME").set("HANDLE", home);
    oauth::Page page{"remote_interaction", "From your server", problem.empty() ? 200 : 422};
    page.leads_away = true;
    return oauth::show(site, who, page, std::move(view));
}

http::Response ask_for_home(db::Read& db, const http::Request& request, const Helper& form) {
    auto shown = form;
    if (auto home = remembered_home(db.site(), request); shown.acct.empty() && !home.empty()) {
        shown.acct = std::move(home);
        shown.remember = true;
    }
    return helper_page(db.site(), request, oauth::visitor(db, request), shown);
}

std::string_view trimmed(std::string_view handle) {
    while (handle.starts_with('@') || handle.starts_with(' ')) handle.remove_prefix(1);
    while (handle.ends_with(' ')) handle.remove_suffix(1);
    return handle;
}

// On, and the browser keeps the way or forgets it, as the box says.
http::Response lead(
    const base::Site& site, const http::Request& request, const Helper& form, std::string to
) {
    auto response = oauth::redirect(std::move(to));
    if (form.remember)
        oauth::set_home_cookie(response, site, federation::canonical_handle(trimmed(form.acct)));
    else if (!oauth::home_cookie(site, request).empty()) oauth::set_home_cookie(response, site, {});
    return response;
}

http::Response lead_home(
    const base::Ask& ask, db::Read& db, const http::Request& request, const Helper& form
) {
    const auto& site = db.site();
    auto who = oauth::visitor(db, request);
    if (!oauth::has_valid_proof(who, form.authenticity_token)) return oauth::stale_form(site, who);
    if (!form.uri.starts_with(site.public_url + "/"))
        return helper_page(site, request, who, form, "This is no address of this server.");
    auto handle = trimmed(form.acct);
    if (auto account = accounts::find_by_acct(db, handle); account && account->local())
        return lead(site, request, form, interaction(form.uri));
    bool is_actor = discovery::resolve_local(db, form.uri).account.value != 0;
    auto way = handle.size() > longest_handle
                   ? ""
                   : federation::address_at_home(ask, db, handle, http::percent_encoded(form.uri), is_actor);
    if (way.empty() || !(way.starts_with("https://") || is_plain(site)))
        return helper_page(
            site,
            request,
            who,
            form,
            "Your server could not be asked. Search there for the address of what you want to follow or "
            "answer."
        );
    return lead(site, request, form, std::move(way));
}

http::Response forget_home(db::Read& db, const http::Request& request, const Helper& form) {
    auto who = oauth::visitor(db, request);
    if (!oauth::has_valid_proof(who, form.authenticity_token)) return oauth::stale_form(db.site(), who);
    auto query = form.uri.empty() ? "" : "?uri=" + http::percent_encoded(form.uri);
    auto response = oauth::redirect(helper + query);
    oauth::set_home_cookie(response, db.site(), {});
    return response;
}

http::Response proxy(db::Read& db, const Interaction& form) {
    return federation::page_at(db.site().public_url + interaction(form.uri), 302);
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
    http::get<ask_for_home>         ("/remote_interaction_helper"),
    http::post<lead_home>           ("/remote_interaction_helper").throttled(http::Throttle::confirmation),
    http::post<forget_home>         ("/remote_interaction_helper/forget"),
    http::get<intent>               ("/intent"),
    http::get<proxy>                ("/.well-known/proxy"),
    http::get<change_password>      ("/.well-known/change-password"),
};
// clang-format on

}  // namespace

std::span<const http::Route> interaction_routes() { return table; }

}  // namespace pages
