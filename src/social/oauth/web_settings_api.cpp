// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/oauth/session.hpp"

#include <boost/json.hpp>

namespace oauth {

namespace {

// From the body itself: as parameters, numbers and booleans would have become text.
std::string data_of(const http::Request& request) {
    boost::system::error_code error;
    auto body = boost::json::parse(request.body, error);
    auto* object = error ? nullptr : body.if_object();
    auto* data = object ? object->if_contains("data") : nullptr;
    if (!data || !data->is_object())
        throw base::BadRequest("param is missing or the value is empty or invalid: data");
    return boost::json::serialize(*data);
}

void save(db::Write& db, const http::Request& request, const std::optional<http::Viewer>& me) {
    auto person = person_of_script(db, request, me);
    save_web_settings(db, person.user, data_of(request));
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
