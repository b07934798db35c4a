// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/pages/page.hpp"

#include "social/oauth/pages/language.hpp"

#include <algorithm>

namespace oauth {

namespace {

http::Response html(int status, std::string body, std::string_view form_target, bool scripted = false) {
    http::Response response;
    response.status = status;
    response.content_type = "text/html; charset=utf-8";
    response.body = std::move(body);
    std::string policy =
        "default-src 'none'; style-src 'self'; img-src 'self' data:; media-src 'self'; base-uri 'none'; "
        "frame-ancestors 'none'; "
        "form-action 'self'";
    if (!form_target.empty()) policy += " " + std::string(form_target);
    if (scripted) policy += "; script-src 'self'";
    response.headers.emplace_back("Content-Security-Policy", std::move(policy));
    response.compressible = false;  // forms hold a secret, and show again what was typed
    return response;
}

std::string heading(int status) {
    switch (status) {
        case 401:
        case 403: return "Not allowed";
        case 404: return "Not found";
        case 410: return "Gone";
        case 429: return "Too many requests";
        default: return status >= 500 ? "Something went wrong" : "This did not work";
    }
}

}  // namespace

http::Response show(const base::Site& site, const Visitor& visitor, const Page& page, instance::View view) {
    view.say("TITLE", page.title)
        .set("SITE", site.title)
        .set("DOMAIN", site.domain)
        .set("CSRF", visitor.proof);
    view.show_if(!page.listed, "UNLISTED").show_if(page.scripted, "SCRIPTED");
    if (visitor.person) view.set("USERNAME", visitor.person->username).add("SIGNED_IN");
    else view.add("SIGNED_OUT");
    if (!visitor.person) add_language_choice(view, visitor.language, visitor.here);
    auto body = instance::render_page(page.name, view, visitor.language);
    auto response = html(page.status, std::move(body), page.form_target, page.scripted);
    response.headers.emplace_back("Vary", "Accept-Language, Cookie");
    if (page.alone) response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    if (!visitor.new_secret.empty()) set_visitor_cookie(response, site, visitor.new_secret);
    return response;
}

http::Response error_page(
    const base::Site& site, std::string_view language, int status, std::string_view sentence
) {
    instance::View view;
    view.say("TITLE", heading(status)).say("SENTENCE", sentence);
    view.set("SITE", site.title).set("DOMAIN", site.domain).add("UNLISTED");
    return html(status, instance::render_page("error", view, language), {});
}

http::Response stale_form(const base::Site& site, const Visitor& visitor) {
    return error_page(
        site,
        visitor.language,
        422,
        "This form was open for too long, or cookies are off. Please go back and try again."
    );
}

http::Response redirect(std::string to) {
    http::Response response;
    response.status = 302;
    response.content_type = "text/html; charset=utf-8";
    response.headers.emplace_back("Location", std::move(to));
    return response;
}

std::string safe_return(std::string_view to) {
    constexpr std::size_t longest = 8192;
    auto path = to.substr(0, to.find('?'));
    bool known = to.starts_with("/oauth/authorize?") || to == "/oauth/authorized_applications";
    bool local = path.starts_with('/') && path.find("//") == path.npos && !path.starts_with("/api/") &&
                 !path.starts_with("/auth/") && !path.starts_with("/oauth/");
    bool plain = to.size() <= longest &&
                 std::ranges::all_of(to, [](char c) { return c > ' ' && c < 127 && c != '\\'; });
    return (known || local) && plain ? std::string(to) : "/";
}

}  // namespace oauth
