// SPDX-License-Identifier: AGPL-3.0-or-later
// For scripts on this site's pages: authenticated by the web session and, as in forms, a proof. Ending a
// subscription by its signed token needs no login.
#include "http/route.hpp"
#include "social/oauth/pages/visitor.hpp"
#include "social/push/forms_api.hpp"
#include "social/push/subscription.hpp"

namespace push {
namespace {

WebPushSubscription create(
    db::Write& db, const http::Request& request, const std::optional<http::Viewer>& me,
    const SubscribeForm& form, const NoText& text
) {
    auto person = oauth::person_of_script(db, request, me);
    require_object(text);
    auto id = subscribe(db, {person.user, {}, person.session}, target_of(form), choice_of(form.data));
    return entity(db, of_user(db, person.user, id));
}

struct ByNumber {
    PushId number;
};
DESCRIBE(ByNumber, number)

WebPushSubscription change(
    db::Write& db, const http::Request& request, const std::optional<http::Viewer>& me, const ByNumber& path,
    const ChooseForm& form, const NoText& text
) {
    auto person = oauth::person_of_script(db, request, me);
    require_object(text);
    auto id = of_user(db, person.user, path.number).id;
    choose(db, id, choice_of(form.data));
    return entity(db, of_user(db, person.user, id));
}

struct ByToken {
    std::string token;
};
DESCRIBE(ByToken, token)

http::Response remove(db::Write& db, const ByToken& path) {
    unsubscribe_by(db, path.token);
    return {};
}

// clang-format off
constexpr http::Route table[] = {
    http::post<create> ("/api/web/push_subscriptions").always_open(),
    http::put<change>  ("/api/web/push_subscriptions/:number").always_open(),
    http::patch<change>("/api/web/push_subscriptions/:number").always_open(),
    http::del<remove>  ("/api/web/push_subscriptions/:token").always_open(),
};
// clang-format on

}  // namespace

std::span<const http::Route> web_routes() { return table; }

}  // namespace push
