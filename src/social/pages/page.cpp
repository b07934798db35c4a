// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/page.hpp"

#include "social/oauth/cookies.hpp"
#include "social/oauth/pages/language.hpp"

namespace pages {

namespace {

void add_alternates(instance::View& view, const PublicPage& page) {
    if (!page.id.empty()) view.add("ALTERNATE").set("TYPE", "application/activity+json").set("HREF", page.id);
    if (page.feeds.empty()) return;
    view.add("ALTERNATE").set("TYPE", "application/rss+xml").set("HREF", page.feeds + ".rss");
    view.add("ALTERNATE").set("TYPE", "application/atom+xml").set("HREF", page.feeds + ".atom");
    view.add("ALTERNATE").set("TYPE", "application/feed+json").set("HREF", page.feeds + "/feed.json");
}

}  // namespace

http::Response html(db::Read& db, const http::Request& request, const PublicPage& page, instance::View view) {
    const auto& site = db.site();
    auto language = oauth::reading_language(db, request);
    if (!page.embedded) oauth::add_language_choice(view, language, request.target);
    if (page.said) view.say("TITLE", page.title);
    else view.set("TITLE", page.title);
    view.set("SITE", site.title).set("DOMAIN", site.domain).set("SITE_LANGUAGE", site.language);
    add_alternates(view, page);
    http::Response response;
    response.content_type = "text/html; charset=utf-8";
    response.body = instance::render_page(page.name, view, language);
    response.headers.emplace_back(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; img-src 'self' data:; media-src 'self'; base-uri 'none'; "
        "frame-ancestors " +
            std::string(page.embedded ? "*" : "'none'") + "; form-action 'self'"
    );
    response.headers.emplace_back("Vary", "Accept, Cookie, Accept-Language");
    // What others had loaded is the page for strangers: a cache must not hand it to who comes here signed in.
    bool kept = !oauth::is_loaded_by_others(request);
    response.headers.emplace_back("Cache-Control", kept ? "max-age=15, public" : "no-store");
    if (!page.embedded) response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    if (!page.id.empty())
        response.headers.emplace_back(
            "Link", "<" + page.id + ">; rel=\"alternate\"; type=\"application/activity+json\""
        );
    return response;
}

}  // namespace pages
