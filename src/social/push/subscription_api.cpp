// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/push/forms_api.hpp"
#include "social/push/subscription.hpp"

namespace push {
namespace {

using http::Viewer;

void create(db::Write& db, const Viewer& me, const SubscribeForm& form, const NoText& text) {
    require_object(text);
    subscribe(db, {me.user, me.token, {}}, target_of(form), choice_of(form.data));
}

void change(db::Write& db, const Viewer& me, const ChooseForm& form, const NoText& text) {
    require_object(text);
    choose(db, of_token(db, me.token).id, choice_of(form.data));
}

void remove(db::Write& db, const Viewer& me) { unsubscribe(db, me.token); }

WebPushSubscription show(db::Read& db, const Viewer& me) { return entity(db, of_token(db, me.token)); }

// clang-format off
constexpr http::Route table[] = {
    http::get<show>         ("/api/v1/push/subscription", "push"),
    http::post<create, show>("/api/v1/push/subscription", "push"),
    http::put<change, show> ("/api/v1/push/subscription", "push"),
    http::patch<change, show>("/api/v1/push/subscription", "push"),
    http::del<remove>       ("/api/v1/push/subscription", "push"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace push
