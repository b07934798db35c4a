// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/oauth/pages/visitor.hpp"

namespace oauth {

namespace {

struct NewAddress {
    std::string email;
};
DESCRIBE(NewAddress, email)

void send_again(db::Write& db, const http::Viewer& me, const NewAddress& form) {
    auto user = accounts::user(db, me.user);
    if (user.created_by_app_id != me.app)
        throw base::Forbidden(
            "This method is only available to the application the user originally signed-up with"
        );
    if (!accounts::awaits_confirmation(user))
        throw base::Forbidden("This method is only available while the e-mail is awaiting confirmation");
    // Whoever has an address already asks for another one in the settings, which want the password.
    if (user.confirmed_at && !form.email.empty() &&
        accounts::normal_email(form.email) != user.unconfirmed_email)
        throw base::Forbidden("A confirmed e-mail is changed in the settings of the account");
    if (form.email.empty() || user.confirmed_at) accounts::request_confirmation(db, me.user);
    else accounts::request_email(db, me.user, form.email);
}

// Also for a browser that is signed in to our pages.
bool check(db::Read& db, const std::optional<http::Viewer>& me, const http::Request& request) {
    if (me) return accounts::user(db, me->user).confirmed_at.has_value();
    if (!visitor(db, request).person) throw base::Unauthorized("This method requires an authenticated user");
    return true;
}

// clang-format off
constexpr http::Route table[] = {
    http::post<send_again>("/api/v1/emails/confirmations", "write:accounts")
        .throttled(http::Throttle::confirmation).for_unconfirmed(),
    http::get<check>("/api/v1/emails/check_confirmation", "read:accounts").for_unconfirmed().always_open(),
};
// clang-format on

}  // namespace

std::span<const http::Route> email_routes() { return table; }

}  // namespace oauth
