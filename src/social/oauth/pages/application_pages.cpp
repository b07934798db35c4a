// SPDX-License-Identifier: AGPL-3.0-or-later
// The apps that may use one's account, and taking it back.
#include "http/route.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/oauth/token.hpp"

namespace oauth {

namespace {

http::Response sign_in_first() {
    return redirect("/auth/sign_in?return_to=%2Foauth%2Fauthorized_applications");
}

std::string day(base::Time time) { return base::to_string(base::Date{time.ms}); }

http::Response index(db::Read& db, const http::Request& request) {
    auto who = visitor(db, request);
    if (!who.person) return sign_in_first();
    instance::View view;
    auto apps = apps_of(db, who.person->user);
    view.show_if(apps.empty(), "NONE");
    for (const auto& app : apps) {
        auto& row = view.add("APP");
        row.set("ID", std::to_string(app.id.value)).set("NAME", app.name).set("SINCE", day(app.since));
        if (app.website) row.add("WEBSITE").set("URL", *app.website);
        if (app.last_used_at) row.add("USED").set("DAY", day(*app.last_used_at));
    }
    return show(db.site(), who, {"authorized_applications", "Apps"}, std::move(view));
}

struct Choice {
    AppId id;
    std::string authenticity_token;
};
DESCRIBE(Choice, id, authenticity_token)

http::Response take_back(db::Write& db, const http::Request& request, const Choice& choice) {
    auto who = visitor(db, request);
    if (!who.person) return sign_in_first();
    if (!has_valid_proof(who, choice.authenticity_token)) return stale_form(db.site(), who);
    revoke_all(db, who.person->user, choice.id);
    return redirect("/oauth/authorized_applications");
}

// Of the reference's OAuth library, and always shut.
http::Response shut(db::Read& db, const http::Request& request) {
    return error_page(db.site(), visitor(db, request).language, 403, "This page is not for you.");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>     ("/oauth/authorized_applications"),
    http::post<take_back>("/oauth/authorized_applications/:id"),
    http::del<take_back> ("/oauth/authorized_applications/:id"),
    http::get<shut>      ("/oauth/applications"),
    http::post<shut>     ("/oauth/applications"),
    http::get<shut>      ("/oauth/applications/:id"),
    http::put<shut>      ("/oauth/applications/:id"),
    http::patch<shut>    ("/oauth/applications/:id"),
    http::del<shut>      ("/oauth/applications/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> application_pages() { return table; }

}  // namespace oauth
