// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/web/pages.hpp"

#include "base/crypto.hpp"
#include "http/body/urlencoded.hpp"
#include "http/errors.hpp"
#include "server/web/plain/reading.hpp"
#include "server/web/start.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/oauth/browser_choices.hpp"
#include "social/oauth/pages/entering.hpp"
#include "social/oauth/pages/language.hpp"

namespace server {

namespace {

constexpr std::string_view same_origin = "same-origin";

http::Response with_etag(const http::Request& request, http::Response response) {
    auto etag = "\"" + base::hex(base::sha256(response.body).substr(0, 12)) + "\"";
    response.headers.emplace_back("Cache-Control", "no-cache");
    if (request.header("If-None-Match").find(etag) != std::string_view::npos) {
        response.status = 304;
        response.body.clear();
    }
    response.headers.emplace_back("ETag", std::move(etag));
    return response;
}

// ---- the start document ----

struct StartForm {
    std::string for_, proof;
};
DESCRIBE(StartForm, for_, proof)

// Refuses requests from scripts of other sites.
http::Response start(
    db::Read& db, const base::Ask& ask, const http::Request& request, const StartForm& form
) {
    auto from = request.header("Sec-Fetch-Site");
    if (!from.empty() && from != same_origin) throw base::Forbidden();
    auto starting = who_starts(db, request, form.proof);
    if (!starting) throw base::Unauthorized("The session has ended");
    if (starting->person.needs_second_factor) throw base::Forbidden("Your login is currently disabled");
    http::Response response;
    response.body = start_document(db, ask, request, *starting, form.for_);
    response.headers.emplace_back("Cross-Origin-Resource-Policy", same_origin);
    response.headers.emplace_back("Vary", "Cookie");
    response.headers.emplace_back("Cache-Control", "private, no-store");
    return response;
}

// ---- the shell ----

http::Response generic_shell(db::Read& db, const http::Request& request) {
    if (!client().present()) throw base::NotFound();
    return with_etag(
        request, shell(db.site(), {client().language({oauth::reading_language(db.site(), request)})})
    );
}

http::Response shell_for(
    db::Read& db, const base::Ask& ask, const http::Request& request, const Starting& starting
) {
    auto who = oauth::look_up_session(db, starting.secret);
    Shell wanted{client().language({oauth::reading_language(db.site(), request, who.viewer->locale)})};
    wanted.proof = starting.proof;
    wanted.start = start_document(db, ask, request, starting, request.target);
    wanted.route = client().find(request.path()).route;
    auto response = shell(db.site(), wanted);
    response.headers.emplace_back("Vary", "Accept, Cookie");
    response.headers.emplace_back("Cache-Control", "private, no-store");
    return response;
}

bool wants_page(const http::Request& request) {
    return request.header("Accept").find("text/html") != std::string_view::npos &&
           !federation::wants_activity(request);
}

// A user of plain pages who comes to a page that exists only in the client sees the client's hint about that.
http::Response sign_in_first(db::Read& db, const http::Request& request) {
    const auto& site = db.site();
    if (oauth::wants_plain_pages(site, request) && wants_page(request) && who_starts(db, request)) {
        auto page = shell(site, {client().language({oauth::reading_language(db, request)})});
        page.headers.emplace_back("Vary", "Accept, Cookie");
        page.headers.emplace_back("Cache-Control", "private, no-store");
        return page;
    }
    auto response = oauth::redirect("/auth/sign_in?return_to=" + http::percent_encoded(request.target));
    response.headers.emplace_back("Vary", "Accept, Cookie");
    response.headers.emplace_back("Cross-Origin-Opener-Policy", same_origin);
    return response;
}

// ---- the service worker and the manifest ----

http::Response worker(const http::Request& request) {
    http::Response response;
    response.content_type = "text/javascript; charset=utf-8";
    response.body = client().worker();
    response.headers.emplace_back(
        "Content-Security-Policy", "default-src 'none'; script-src 'self'; connect-src 'self'"
    );
    return with_etag(request, std::move(response));
}

struct Icon {
    std::string src, sizes, type = "image/png", purpose = "any maskable";
};
DESCRIBE(Icon, src, sizes, type, purpose)
struct Shortcut {
    std::string name, url;
};
DESCRIBE(Shortcut, name, url)
struct ShareParams {
    std::string title = "title", text = "text", url = "url";
};
DESCRIBE(ShareParams, title, text, url)
struct ShareTarget {
    std::string action = "/share", method = "GET", enctype = "application/x-www-form-urlencoded";
    ShareParams params;
};
DESCRIBE(ShareTarget, action, method, enctype, params)
struct Manifest {
    std::string id = "/home", name, short_name, start_url = "/", scope = "/", display = "standalone",
                background_color = "#f4f2ee", theme_color = "#7a4a1e";
    std::vector<std::string> categories{"social"};
    std::vector<Icon> icons;
    ShareTarget share_target;
    std::vector<Shortcut> shortcuts{{"Compose", "/compose"}, {"Notifications", "/notifications"}};
};
DESCRIBE(
    Manifest, id, name, short_name, start_url, scope, display, background_color, theme_color, categories,
    icons, share_target, shortcuts
)

http::Response manifest(db::Read& db, const http::Request& request) {
    Manifest out;
    out.name = out.short_name = db.site().title;
    for (const char* size : {"36", "48", "72", "96", "144", "192", "256", "384", "512"})
        out.icons.push_back({"/static/icons/" + std::string(size) + ".png", std::string(size) + "x" + size});
    http::Response response;
    response.body = base::json::to_string(out);
    response.content_type = "application/manifest+json";
    return with_etag(request, std::move(response));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<start>        ("/web/start"),
    http::get<generic_shell>("/web/shell"),
    http::get<worker>       ("/sw.js"),
    http::get<manifest>     ("/manifest.webmanifest"),
    http::get<manifest>     ("/manifest"),
};
// clang-format on

// A path that matches "/@:acct/:id".
std::string example_of(std::string pattern) {
    std::erase(pattern, ':');
    return pattern;
}

}  // namespace

std::span<const http::Route> client_pages() { return table; }

void add_client_routes(http::Router& router) {
    static std::deque<std::vector<http::Route>> all;  // the router keeps pointers to these
    auto& routes = all.emplace_back();
    for (const auto& route : client().routes())
        if (!router.find(http::Method::get, example_of(route.path)).route)
            routes.push_back(http::get<sign_in_first>(route.path));
    router.add(routes);
}

std::optional<http::Response> other_face(const http::Call& call) {
    const auto& request = *call.request;
    if (!client().present() || request.method == http::Method::post || !wants_page(request)) return {};
    bool at_root = request.path() == "/" && client().find("/home").route;
    if (!at_root && !client().find(request.path()).route) return {};
    auto starting = who_starts(*call.read, request);
    if (!starting) return {};
    // Without JavaScript, the shell leads back to the page of their account.
    if (at_root && request.query() == "plain") return {};
    if (starting->person.needs_second_factor) return oauth::redirect(oauth::set_up_first);
    if (at_root) return oauth::redirect("/home");
    if (oauth::wants_plain_pages(call.read->site(), request))
        return plain::face(call, client().find(request.path()));
    return shell_for(*call.read, *call.ask, request, *starting);
}

}  // namespace server
