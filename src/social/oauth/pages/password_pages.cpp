// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/accounts/users/password.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

http::Response look(db::Read& db, const http::Request& request) {
    instance::View view;
    view.set("ACTION", "/auth/password");
    view.say(
        "EXPLANATION", "Give the address of your login, and we will send you a link to choose a new password."
    );
    return show(db.site(), visitor(db, request), {"address", "Forgot your password?"}, std::move(view));
}

struct UserPart {
    std::string email, reset_password_token, password, password_confirmation;
};
DESCRIBE(UserPart, email, reset_password_token, password, password_confirmation)

struct Form {
    UserPart user;
    std::string authenticity_token, _method;
};
DESCRIBE(Form, user, authenticity_token, _method)

struct Link {
    std::string reset_password_token;
};
DESCRIBE(Link, reset_password_token)

http::Response dead_link(const base::Site& site, const Visitor& who) {
    return error_page(
        site, who.language, 422, "This link has been used already or is too old. You can ask for another one."
    );
}

http::Response choose_page(
    db::Read& db, const Visitor& visitor, std::string_view secret, int status = 200,
    std::string_view problem = {}
) {
    instance::View view;
    view.set("SECRET", secret);
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    return show(db.site(), visitor, {"new_password", "Choose a new password", status}, std::move(view));
}

http::Response edit(db::Read& db, const http::Request& request, const Link& link) {
    auto who = visitor(db, request);
    if (!accounts::find_by_reset_secret(db, link.reset_password_token)) return dead_link(db.site(), who);
    return choose_page(db, who, link.reset_password_token);
}

struct Prepared {
    std::optional<http::Response> answer;
    std::optional<std::string> new_hash;  // none: only the mail was asked for
};

Prepared prepare(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form) {
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}};
    if (form._method != "put" && request.method != http::Method::put) return {};
    const auto& secret = form.user.reset_password_token;
    if (!accounts::find_by_reset_secret(db, secret)) return {dead_link(db.site(), who), {}};
    if (auto errors = accounts::password_errors(form.user.password); !errors.empty())
        return {choose_page(db, who, secret, 422, "The password " + errors[0].description + "."), {}};
    if (form.user.password != form.user.password_confirmation)
        return {choose_page(db, who, secret, 422, "The two passwords are not the same."), {}};
    return {std::nullopt, ask(accounts::HashPassword{form.user.password})};
}

// Says the same whether or not the address is known.
http::Response send_reset_mail(db::Write& db, const Visitor& who, const std::string& email) {
    if (auto user = accounts::find_by_email(db, email)) accounts::request_password_reset(db, user->id);
    instance::View view;
    view.say("SENTENCE", "If somebody has a login with this address here, a letter is on its way.");
    return show(db.site(), who, {"message", "Look into your mail"}, std::move(view));
}

http::Response change(
    db::Write& db, const http::Request& request, const Form& form, const Prepared& prepared
) {
    if (prepared.answer) return *prepared.answer;
    if (!prepared.new_hash) return send_reset_mail(db, stranger(db.site(), request), form.user.email);
    auto user = accounts::find_by_reset_secret(db, form.user.reset_password_token);
    if (!user) return dead_link(db.site(), visitor(db, request));
    accounts::set_password(db, user->id, *prepared.new_hash);
    accounts::note_security(db, user->id, accounts::SecurityKind::password_changed, request.remote_address);
    instance::View view;
    view.say("SENTENCE", "Your password has changed. Please sign in with it.").add("SIGN_IN");
    auto response =
        show(db.site(), stranger(db.site(), request), {"message", "Password changed"}, std::move(view));
    clear_session_cookie(response, db.site());
    // Who reads the owner's mail may sign in, however many wrong passwords others have tried.
    set_known_cookie(response, db.site(), accounts::user(db, user->id));
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>            ("/auth/password/new"),
    http::get<edit>            ("/auth/password/edit"),
    http::post<prepare, change>("/auth/password").throttled(http::Throttle::password_reset, "user[email]"),
    http::put<prepare, change> ("/auth/password").throttled(http::Throttle::password_reset, "user[email]"),
};
// clang-format on

}  // namespace

std::span<const http::Route> password_pages() { return table; }

}  // namespace oauth
