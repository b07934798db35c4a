// SPDX-License-Identifier: AGPL-3.0-or-later
// What everybody may know of this server: what it is, its rules, what becomes of data, the terms.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/announcements/announcement.hpp"
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
    view.show_if(announcements::any_open_to_all(db), "ANNOUNCED");
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

// ---- announcements ----

void add_announcement(View& view, const base::Site& site, const announcements::Announcement& one) {
    auto day = [](base::Time time) { return base::to_string(base::Date{time.ms}); };
    auto& shown = view.add("ANNOUNCEMENT").set("CONTENT", one.html).set("SITE_LANGUAGE", site.language);
    shown.set("DAY", day(one.published_at)).set("ID", std::to_string(one.id.value));
    if (one.starts_at) shown.add("STARTS").set("DAY", day(*one.starts_at));
    if (one.ends_at) shown.add("ENDS").set("DAY", day(*one.ends_at));
}

http::Response all_announcements(db::Read& db, const http::Request& request) {
    auto all = announcements::open_to_all(db);
    View view;
    view.show_if(all.empty(), "NONE");
    for (const auto& one : all) add_announcement(view, db.site(), one);
    return shown(db, request, "announcements", "Announcements", std::move(view));
}

struct OneAnnouncement {
    announcements::AnnouncementId id;
};
DESCRIBE(OneAnnouncement, id)

http::Response announcement(db::Read& db, const http::Request& request, const OneAnnouncement& path) {
    View view;
    add_announcement(view, db.site(), announcements::one_open_to_all(db, path.id));
    view.add("OTHERS");
    return shown(db, request, "announcements", "An announcement", std::move(view));
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
    http::get<all_announcements>("/announcements"),
    http::get<announcement>("/announcements/:id"),
    http::get<custom_css>("/custom.css"),
    http::get<custom_css>("/css/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> about_routes() { return table; }

}  // namespace pages
