// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/json_object.hpp"
#include "http/route.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/oauth/session.hpp"

namespace oauth {

namespace {

void save(db::Write& db, const http::Request& request, const std::optional<http::Viewer>& me) {
    auto person = person_of_script(db, request, me);
    save_web_settings(db, person.user, http::object_in_body(request, "data"));
}

// Signs this account out in this browser.
http::Response leave(db::Write& db, const http::Request& request, const http::Viewer& me) {
    if (!me.session) throw base::Invalid("This is not a web session");
    http::Response response;
    response.body = "{}";
    sign_out(db, request, response, me.session);
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::put<save>  ("/api/web/settings").body_limit(128 << 10).always_open(),
    http::patch<save>("/api/web/settings").body_limit(128 << 10).always_open(),
    http::del<leave> ("/api/web/session").answering("object"),
};
// clang-format on

}  // namespace

std::span<const http::Route> web_settings_routes() { return table; }

}  // namespace oauth
