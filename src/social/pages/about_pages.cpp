// SPDX-License-Identifier: AGPL-3.0-or-later
// What everybody may know of this server: what it is, its rules, what becomes of data, the terms.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/about.hpp"
#include "social/instance/settings.hpp"
#include "social/pages/page.hpp"

namespace pages {
namespace {

using instance::View;

http::Response shown(
    db::Read& db, const http::Request& request, const char* name, const std::string& title, View view
) {
    view.show_if(instance::setting(db, "noindex") == "true", "UNLISTED");
    return html(db, request, {.name = name, .title = title, .said = true}, std::move(view));
}

void add_rules(db::Read& db, View& view) {
    auto all = instance::rules(db);
    if (all.empty()) return;
    auto& list = view.add("RULES");
    for (const auto& rule : all) list.add("RULE").set("TEXT", rule.text).set("HINT", rule.hint);
}

http::Response about(db::Read& db, const http::Request& request) {
    const auto& site = db.site();
    View view;
    view.set("DESCRIPTION", site.description);
    if (auto text = instance::extended_description(db).content; !text.empty())
        view.add("MORE").set("CONTENT", text);
    if (!site.contact_email.empty()) view.add("MAIL").set("ADDRESS", site.contact_email);
    if (!site.contact_account.empty())
        if (auto account = accounts::find_by_acct(db, site.contact_account))
            view.add("CONTACT").set("URL", accounts::url_of(site, *account)).set("HANDLE", account->username);
    add_rules(db, view);
    view.show_if(instance::terms_of_service(db).has_value(), "TERMS");
    view.set("VERSION", site.version).set("SOURCE", site.source_url);
    return shown(db, request, "about", "About", std::move(view));
}

http::Response rules(db::Read& db, const http::Request& request) {
    View view;
    add_rules(db, view);
    return shown(db, request, "rules", "Rules", std::move(view));
}

http::Response privacy(db::Read& db, const http::Request& request) {
    auto policy = instance::privacy_policy(db);
    View view;
    view.set("CONTENT", policy.content).say("HEADING", "Privacy policy");
    return shown(db, request, "text", "Privacy policy", std::move(view));
}

http::Response terms_page(
    db::Read& db, const http::Request& request, const std::optional<instance::TermsOfService>& terms
) {
    if (!terms) throw base::NotFound();
    View view;
    view.set("CONTENT", terms->content).say("HEADING", "Terms of service");
    view.add("SINCE").set("DAY", terms->effective_date);
    if (terms->succeeded_by) view.add("NEXT").set("DAY", *terms->succeeded_by);
    return shown(db, request, "text", "Terms of service", std::move(view));
}

http::Response terms(db::Read& db, const http::Request& request) {
    return terms_page(db, request, instance::terms_of_service(db));
}

struct OnDay {
    std::string date;
};
DESCRIBE(OnDay, date)

http::Response terms_on(db::Read& db, const http::Request& request, const OnDay& form) {
    return terms_page(db, request, instance::terms_of_service(db, form.date));
}

// What the operator adds to the look of pages.
http::Response custom_css(db::Read& db) {
    http::Response response;
    response.content_type = "text/css; charset=utf-8";
    response.body = instance::setting(db, "custom_css").value_or("");
    response.headers.emplace_back("Cache-Control", "max-age=180, public");
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<about>     ("/about"),
    http::get<rules>     ("/rules"),
    http::get<privacy>   ("/privacy-policy"),
    http::get<terms>     ("/terms-of-service"),
    http::get<terms_on>  ("/terms-of-service/:date"),
    http::get<custom_css>("/custom.css"),
    http::get<custom_css>("/css/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> about_routes() { return table; }

}  // namespace pages
