// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/email_digests/subscription.hpp"
#include "social/oauth/pages/page.hpp"

namespace email_digests {
namespace {

struct Form {
    AccountId id;
    std::string email;
};
DESCRIBE(Form, id, email)

void ask_for(db::Write& db, const Form& form) { subscribe(db, form.id, form.email); }

struct Link {
    std::string confirmation_token;
};
DESCRIBE(Link, confirmation_token)

http::Response message(
    db::Read& db, const http::Request& request, std::string_view title, const std::string& sentence
) {
    instance::View view;
    view.say("SENTENCE", sentence);
    return oauth::show(db.site(), oauth::visitor(db, request), {"message", title}, std::move(view));
}

http::Response refused(db::Read& db, const http::Request& request, int status, std::string_view sentence) {
    return oauth::error_page(db.site(), oauth::visitor(db, request).language, status, sentence);
}

http::Response confirm_address(db::Write& db, const http::Request& request, const Link& link) {
    auto id = confirm(db, link.confirmation_token);
    if (!id) return refused(db, request, 422, "This link has been used already or is too old.");
    auto account = accounts::account(db, *id);
    return message(
        db, request, "Confirmed", "New posts of @" + account.username + " will come to you by mail."
    );
}

struct Ending {
    std::string token;
};
DESCRIBE(Ending, token)

http::Response unknown(db::Read& db, const http::Request& request) {
    return refused(db, request, 404, "There is no such subscription.");
}

http::Response look(db::Read& db, const http::Request& request, const Ending& path) {
    if (!knows(db, path.token)) return unknown(db, request);
    return oauth::show(db.site(), oauth::visitor(db, request), {"unsubscribe", "No more letters"});
}

// Programs for mail send this on their own (RFC 8058), so the address itself is the proof.
http::Response end(db::Write& db, const http::Request& request, const Ending& path) {
    if (!knows(db, path.token)) return unknown(db, request);
    unsubscribe(db, path.token);
    return message(db, request, "No more letters", "You will get no more posts by mail.");
}

http::Response sign_in_first() {
    return oauth::redirect("/auth/sign_in?return_to=%2Fsettings%2Femail_subscriptions");
}

http::Response choice(db::Read& db, const http::Request& request) {
    auto who = oauth::visitor(db, request);
    if (!who.person) return sign_in_first();
    auto chosen = accounts::digest_choice(db, who.person->user);
    if (!chosen.allowed) return refused(db, request, 403, "Posts are not sent by mail here.");
    instance::View view;
    view.show_if(chosen.wanted, "WANTED");
    return oauth::show(db.site(), who, {"email_digests", "Posts by mail"}, std::move(view));
}

struct Choice {
    bool wanted = false;
    std::string authenticity_token;
};
DESCRIBE(Choice, wanted, authenticity_token)

http::Response choose(db::Write& db, const http::Request& request, const Choice& form) {
    auto who = oauth::visitor(db, request);
    if (!who.person) return sign_in_first();
    if (!oauth::has_valid_proof(who, form.authenticity_token)) return oauth::stale_form(db.site(), who);
    if (!accounts::digest_choice(db, who.person->user).allowed)
        return refused(db, request, 403, "Posts are not sent by mail here.");
    accounts::choose_digests(db, who.person->user, form.wanted);
    return oauth::redirect("/settings/email_subscriptions");
}

// clang-format off
constexpr http::Route table[] = {
    http::post<ask_for>       ("/api/v1/accounts/:id/email_subscriptions").throttled(http::Throttle::confirmation, "email"),
    http::get<confirm_address>("/email_subscriptions/confirmation"),
    http::get<look>           ("/email_subscriptions/:token"),
    http::post<end>           ("/email_subscriptions/:token"),
    http::get<choice>         ("/settings/email_subscriptions"),
    http::post<choose>        ("/settings/email_subscriptions"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace email_digests
