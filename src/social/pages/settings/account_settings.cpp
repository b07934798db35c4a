// SPDX-License-Identifier: AGPL-3.0-or-later
// The page that leads to all others of one's account; the password and the e-mail address.
#include "base/text/spoken_languages.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/confirmation.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/accounts/users/password.hpp"
#include "social/labels/label.hpp"
#include "social/moderation/strike.hpp"
#include "social/oauth/pages/language.hpp"
#include "social/pages/staff/staff_page.hpp"
#include "social/relationships/severed_follow.hpp"

namespace pages {

namespace {

const std::string password_path = hub + "/password", email_path = hub + "/email",
                  language_path = hub + "/language";

void add_factors(instance::View& view, const accounts::SecondFactors& factors) {
    auto count = [&](std::string_view section, std::int64_t n) {
        view.add(section).set("COUNT", std::to_string(n));
    };
    if (!factors.any()) return void(view.add("NO_FACTORS"));
    view.show_if(factors.authenticator, "APP");
    if (factors.passkeys > 0) count("PASSKEYS", factors.passkeys);
    count("CODES", factors.recovery_codes);
}

const base::text::SpokenLanguage* language_of(const accounts::User& user) {
    auto code = base::text::best_language(user.locale);
    return code ? base::text::find_spoken(*code) : nullptr;
}

http::Response index(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    base::Range newest;
    newest.limit = 40;
    auto strikes = moderation::strikes_of(db, who.user.account_id, newest).size();
    instance::View view;
    view.set("EMAIL", who.user.email);
    add_factors(view, accounts::second_factors(db, who.user.id));
    const auto* language = language_of(who.user);
    if (language) view.set("LANGUAGE_NOW", language->name);
    else view.say("LANGUAGE_NOW", "That of the browser");
    if (who.user.unconfirmed_email) view.add("PENDING").set("ADDRESS", *who.user.unconfirmed_email);
    if (strikes > 0) view.add("STRIKES");
    newest.limit = 1;
    view.show_if(!relationships::severances_of(db, who.user.account_id, newest).empty(), "SEVERED");
    view.show_if(accounts::digest_choice(db, who.user.id).allowed, "DIGESTS");
    view.show_if(labels::table(db) != nullptr, "LABELS");
    view.show_if(is_staff(accounts::actor(db, who.user.account_id)), "STAFF");
    return settings_page(db, request, who, "settings_account", "Your account", {}, std::move(view));
}

http::Response old_address() { return oauth::redirect(hub); }

// ---- the password ----

struct PasswordForm {
    std::string current, password, password_confirmation, authenticity_token;
};
DESCRIBE(PasswordForm, current, password, password_confirmation, authenticity_token)

http::Response password_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    instance::View view;
    view.set("EMAIL", who.user.email);
    return settings_page(
        db, request, who, "settings_password", "Change your password", problem, std::move(view)
    );
}

http::Response look_at_password(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : password_page(db, request, who);
}

struct Hashed {
    std::optional<http::Response> answer;
    base::UserId user;
    std::string hash;
};

Hashed check_password(
    db::Read& db, const base::Ask& ask, const http::Request& request, const PasswordForm& form
) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    auto refused = [&](std::string_view problem) {
        return Hashed{password_page(db, request, who, problem), {}, {}};
    };
    if (!knows_password(ask, who, form.current)) return refused(wrong_password);
    if (auto errors = accounts::password_errors(form.password); !errors.empty())
        return refused("The new password " + errors[0].description + ".");
    if (form.password != form.password_confirmation) return refused("The two passwords are not the same.");
    return {{}, who.user.id, ask(accounts::HashPassword{form.password})};
}

// A new password ends all sessions; this browser gets a new one.
http::Response change_password(db::Write& db, const http::Request& request, const Hashed& checked) {
    if (checked.answer) return *checked.answer;
    accounts::set_password(db, checked.user, checked.hash);
    accounts::note_security(
        db, checked.user, accounts::SecurityKind::password_changed, request.remote_address
    );
    auto response = done(hub, "password");
    oauth::sign_in(db, request, response, {checked.user, true});
    oauth::set_known_cookie(response, db.site(), accounts::user(db, checked.user));
    return response;
}

// ---- the e-mail address ----

struct EmailForm {
    std::string email, password, authenticity_token;
};
DESCRIBE(EmailForm, email, password, authenticity_token)

http::Response email_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view email = {},
    std::string_view problem = {}
) {
    instance::View view;
    view.set("EMAIL", who.user.email).set("GIVEN", email);
    if (who.user.unconfirmed_email) view.add("PENDING").set("ADDRESS", *who.user.unconfirmed_email);
    return settings_page(
        db, request, who, "settings_email", "Change your e-mail address", problem, std::move(view)
    );
}

http::Response look_at_email(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : email_page(db, request, who);
}

struct Checked {
    std::optional<http::Response> answer;
    base::UserId user;
};

Checked check_email(db::Read& db, const base::Ask& ask, const http::Request& request, const EmailForm& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}};
    auto refused = [&](std::string_view problem) {
        return Checked{email_page(db, request, who, form.email, problem), {}};
    };
    if (!knows_password(ask, who, form.password)) return refused(wrong_password);
    if (auto errors = accounts::new_email_errors(db, who.user.id, form.email); !errors.empty())
        return refused("This address " + errors[0].description + ".");
    return {{}, who.user.id};
}

http::Response change_email(
    db::Write& db, const http::Request& request, const EmailForm& form, const Checked& checked
) {
    if (checked.answer) return *checked.answer;
    accounts::request_email(db, checked.user, form.email);
    accounts::note_security(
        db, checked.user, accounts::SecurityKind::email_change_requested, request.remote_address
    );
    accounts::warn_of(db, checked.user, accounts::SecurityKind::email_change_requested);
    return done(email_path, "email");
}

// ---- the language ----

http::Response look_at_language(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    const auto* chosen = language_of(who.user);
    instance::View view;
    oauth::add_languages(view, chosen ? chosen->code : "");
    return settings_page(db, request, who, "settings_language", "Language", {}, std::move(view));
}

struct LanguageForm {
    std::string language, authenticity_token;
};
DESCRIBE(LanguageForm, language, authenticity_token)

http::Response change_language(db::Write& db, const http::Request& request, const LanguageForm& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    oauth::choose_language(db, who.user.id, form.language);
    return done(language_path, "language");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                            ("/settings/account"),
    http::get<old_address>                      ("/auth/edit"),
    http::get<look_at_password>                 ("/settings/account/password"),
    http::post<check_password, change_password> ("/settings/account/password").throttled(http::Throttle::login),
    http::get<look_at_language>                 ("/settings/account/language"),
    http::post<change_language>                 ("/settings/account/language"),
    http::get<look_at_email>                    ("/settings/account/email"),
    http::post<check_email, change_email>       ("/settings/account/email").throttled(http::Throttle::confirmation, "email"),
};
// clang-format on

}  // namespace

std::span<const http::Route> account_settings() { return table; }

}  // namespace pages
