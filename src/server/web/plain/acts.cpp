// SPDX-License-Identifier: AGPL-3.0-or-later
// The buttons: each is a form to /plain followed by the API's path, so /plain/statuses/1/favourite does what
// /api/v1/statuses/1/favourite does.
#include "http/body/urlencoded.hpp"
#include "server/web/plain/form.hpp"
#include "social/oauth/cookies.hpp"

namespace server::plain {

Sender sender(db::Read& db, const base::Ask& ask, const http::Request& request, const Sent& sent) {
    auto found = reading(db, ask, request);
    if (!found) {
        auto to = http::percent_encoded(oauth::safe_return(sent.return_to));
        return {oauth::redirect("/auth/sign_in?return_to=" + to), std::nullopt};
    }
    bool ours = oauth::comes_from_here(db.site(), request, false) &&
                oauth::has_valid_proof(found->who, sent.authenticity_token);
    if (!ours) return {oauth::stale_form(db.site(), found->who), std::nullopt};
    return {std::nullopt, std::move(found)};
}

http::Response back_to(const std::string& place) {
    auto to = oauth::safe_return(place);
    auto response = oauth::redirect(to == "/" ? "/home" : to);
    response.status = 303;
    return response;
}

namespace {

struct Act {
    std::optional<http::Response> answer;
    std::optional<OwnCall> call;
    std::string back;
};

OwnCall call_of(const Reading& reading) {
    constexpr std::string_view here = "/plain", removal = "/delete";
    auto path = reading.request.path().substr(here.size());
    auto method = http::Method::post;
    if (path.ends_with(removal)) {
        method = http::Method::delete_;
        path.remove_suffix(removal.size());
    }
    http::Params given;
    http::read_urlencoded(reading.request.body, given);
    return {reading.known, method, "/api/v1" + std::string(path), std::move(given)};
}

// Takes the viewer so that limits count per user.
Act prepare(
    const base::Ask& ask, db::Read& db, const std::optional<http::Viewer>&, const http::Request& request,
    const Sent& sent
) {
    auto from = sender(db, ask, request, sent);
    if (from.answer) return {std::move(from.answer), std::nullopt, {}};
    auto call = call_of(*from.reading);
    call.prepare(db, ask);
    return {std::nullopt, std::move(call), sent.return_to};
}

http::Response act(db::Write& db, const Act& wanted) {
    if (wanted.answer) return *wanted.answer;
    auto call = *wanted.call;
    call.act(db);
    return back_to(wanted.back);
}

using http::Throttle;

// With the same limits as the API routes they correspond to.
// clang-format off
constexpr http::Route table[] = {
    http::post<prepare, act>("/plain/statuses/:id/favourite"),
    http::post<prepare, act>("/plain/statuses/:id/unfavourite"),
    http::post<prepare, act>("/plain/statuses/:id/bookmark"),
    http::post<prepare, act>("/plain/statuses/:id/unbookmark"),
    http::post<prepare, act>("/plain/statuses/:id/reblog").throttled(Throttle::statuses_family),
    http::post<prepare, act>("/plain/statuses/:id/unreblog").throttled(Throttle::deletion),
    http::post<prepare, act>("/plain/statuses/:id/delete").throttled(Throttle::deletion),
    http::post<prepare, act>("/plain/polls/:id/votes"),
    http::post<prepare, act>("/plain/accounts/:id/follow").throttled(Throttle::follows_family),
    http::post<prepare, act>("/plain/accounts/:id/unfollow"),
    http::post<prepare, act>("/plain/accounts/:id/mute"),
    http::post<prepare, act>("/plain/accounts/:id/unmute"),
    http::post<prepare, act>("/plain/accounts/:id/block"),
    http::post<prepare, act>("/plain/accounts/:id/unblock"),
    http::post<prepare, act>("/plain/follow_requests/:id/authorize"),
    http::post<prepare, act>("/plain/follow_requests/:id/reject"),
};
// clang-format on

}  // namespace

std::span<const http::Route> act_routes() { return table; }

}  // namespace server::plain
