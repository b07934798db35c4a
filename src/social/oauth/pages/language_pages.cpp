// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/spoken_languages.hpp"
#include "http/route.hpp"
#include "social/accounts/profile/posting_defaults.hpp"
#include "social/oauth/pages/language.hpp"
#include "social/oauth/pages/page.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace oauth {

std::string reading_language(const base::Site& site, const http::Request& request, std::string_view locale) {
    return base::text::language_for(
        {locale, language_cookie(site, request), request.header("Accept-Language"), site.language}
    );
}

std::string reading_language(db::Read& db, const http::Request& request) {
    for (auto secret : session_secrets(db.site(), request))
        if (auto person = find_person(db, secret))
            return reading_language(db.site(), request, person->locale);
    return reading_language(db.site(), request);
}

void add_languages(instance::View& view, std::string_view chosen) {
    for (const auto& spoken : base::text::spoken_languages())
        view.add("SPOKEN")
            .set("CODE", spoken.code)
            .set("CALLED", spoken.name)
            .show_if(spoken.code == chosen, "CHOSEN");
}

void add_language_choice(instance::View& view, std::string_view language, std::string_view here) {
    auto& form = view.add("LANGUAGES").set("HERE", here);
    add_languages(form, language);
}

namespace {

// What the client keeps for itself says the same from then on.
std::string with_language(std::string_view settings, std::string_view code) {
    boost::system::error_code broken;
    auto all = boost::json::parse({settings.data(), settings.size()}, broken);
    if (broken || !all.is_object()) all = boost::json::object();
    auto& own = all.as_object()["dunlin"];
    if (!own.is_object()) own = boost::json::object();
    own.as_object()["language"] = boost::json::string_view(code.data(), code.size());
    return boost::json::serialize(all);
}

}  // namespace

void choose_language(db::Write& db, base::UserId user, std::string_view code) {
    const auto* spoken = base::text::find_spoken(code);
    save_web_settings(db, user, with_language(web_settings(db, user), spoken ? code : ""));
    accounts::change_locale(db, user, spoken ? spoken->locale : "");
}

namespace {

struct Form {
    std::string language, return_to;
};
DESCRIBE(Form, language, return_to)

// Wherever the form stood: that it did is told by the browser.
std::string back(std::string_view to) {
    bool local = to.starts_with('/') && !to.substr(0, 2).ends_with("//");
    bool plain = std::ranges::all_of(to, [](char c) { return c > ' ' && c < 127 && c != '\\'; });
    return local && plain ? std::string(to) : "/";
}

// A page that is kept for all carries no proof, so that the browser says where the form comes from.
http::Response choose(db::Write& db, const http::Request& request, const Form& form) {
    auto who = visitor(db, request);
    if (!comes_from_here(db.site(), request, true)) return stale_form(db.site(), who);
    auto response = redirect(back(form.return_to));
    if (!base::text::find_spoken(form.language)) return response;
    set_language_cookie(response, db.site(), form.language);
    if (who.person) choose_language(db, who.person->user, form.language);
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::post<choose>("/language"),
};
// clang-format on

}  // namespace

std::span<const http::Route> language_pages() { return table; }

}  // namespace oauth
