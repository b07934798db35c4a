// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

struct Link {
    std::string confirmation_token;
};
DESCRIBE(Link, confirmation_token)

http::Response confirm(db::Write& db, const http::Request& request, const Link& link) {
    auto who = visitor(db, request);
    auto id = accounts::confirm_by_secret(db, link.confirmation_token);
    if (!id)
        return error_page(
            db.site(),
            who.language,
            422,
            "This link has been used already or is too old. Sign in, or ask for another letter."
        );
    instance::View view;
    const bool approved = accounts::user(db, *id).approved;
    view.show_if(approved && !who.person, "SIGN_IN");
    view.say(
        "SENTENCE",
        approved
            ? "Your e-mail address is confirmed. You can use your account now."
            : "Your e-mail address is confirmed. A moderator will look at your sign-up; we will write to you."
    );
    return show(db.site(), who, {"message", "Confirmed"}, std::move(view));
}

struct Address {
    std::string email;
};
DESCRIBE(Address, email)

struct Form {
    Address user;
    std::string authenticity_token;
};
DESCRIBE(Form, user, authenticity_token)

http::Response look(db::Read& db, const http::Request& request) {
    instance::View view;
    view.set("ACTION", "/auth/confirmation");
    view.say("EXPLANATION", "Give the address you signed up with, and we will send you the letter again.");
    return show(db.site(), visitor(db, request), {"address", "Confirm your e-mail address"}, std::move(view));
}

// Says the same whether or not the address is known.
http::Response send(db::Write& db, const http::Request& request, const Form& form) {
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return stale_form(db.site(), who);
    auto user = accounts::find_by_email(db, form.user.email);
    if (user && accounts::awaits_confirmation(*user)) accounts::request_confirmation(db, user->id);
    instance::View view;
    view.say("SENTENCE", "If this address waits for its confirmation here, a letter is on its way.");
    return show(db.site(), who, {"message", "Look into your mail"}, std::move(view));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<confirm>("/auth/confirmation"),
    http::get<look>   ("/auth/confirmation/new"),
    http::post<send>  ("/auth/confirmation").throttled(http::Throttle::confirmation, "user[email]"),
};
// clang-format on

}  // namespace

std::span<const http::Route> confirmation_pages() { return table; }

}  // namespace oauth
