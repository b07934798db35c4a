// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/web/pages.hpp"

#include "base/text/spoken_languages.hpp"
#include "social/instance/html.hpp"

namespace server {

namespace {

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' "
    "blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types "
    "svelte-trusted-html dunlin-content";

constexpr std::string_view place = "<script type=\"application/json\" id=\"start\">";

// Escapes the JSON so that it cannot end the script element.
std::string inside_script(std::string_view json) {
    std::string out;
    out.reserve(json.size() + json.size() / 16);
    for (char c : json) {
        if (c == '<') out += "\\u003c";
        else out += c;
    }
    return out;
}

}  // namespace

http::Response shell(const base::Site& site, const Shell& wanted) {
    instance::View view;
    view.set("SITE", site.title).set("VERSION", client().version());
    view.set("STYLE", client().address(client().style())).set("ENTRY", client().address(client().entry()));
    for (const auto& file : wanted.language.files) view.add("MODULE").set("HREF", client().address(file));
    if (wanted.route)
        for (const auto& file : wanted.route->files) view.add("MODULE").set("HREF", client().address(file));
    if (!wanted.proof.empty()) view.add("SIGNED_IN").set("PROOF", wanted.proof);
    http::Response response;
    response.content_type = "text/html; charset=utf-8";
    response.body = instance::render_file("templates/shell.html", view, wanted.language.name);
    // Templates cannot escape JSON.
    if (auto at = response.body.find(place); at != response.body.npos)
        response.body.insert(at + place.size(), inside_script(wanted.start));
    response.headers.emplace_back("Content-Security-Policy", policy);
    response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    response.headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
    return response;
}

}  // namespace server
