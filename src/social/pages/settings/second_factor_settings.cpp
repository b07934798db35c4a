// SPDX-License-Identifier: AGPL-3.0-or-later
// Setting up and removing the second factor: an authenticator app, passkeys, recovery codes.
#include "base/crypto.hpp"
#include "base/sign_in/authenticator.hpp"
#include "base/text/count.hpp"
#include "http/route.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/password.hpp"
#include "social/oauth/pages/challenge.hpp"
#include "social/pages/settings/settings_page.hpp"

namespace pages {

namespace {

using accounts::SecurityKind;

const std::string path = hub + "/second_factor", app_path = path + "/app", passkey_path = path + "/passkey";

// ---- what there is ----

http::Response overview(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    instance::View view;
    auto factors = accounts::second_factors(db, who.user.id);
    view.show_if(who.who.person->needs_second_factor, "WANTED").show_if(!factors.any(), "NONE");
    view.add(factors.authenticator ? "APP" : "NO_APP");
    if (factors.any()) view.add("CODES").count("LEFT", factors.recovery_codes);
    for (const auto& key : accounts::passkeys_of(db, who.user.id)) {
        auto& row = view.add("KEY");
        row.set("ID", std::to_string(key.id.value))
            .set("NAME", key.name)
            .set("SINCE", day_of(key.created_at));
        if (key.last_used_at) row.add("USED").set("DAY", day_of(*key.last_used_at));
    }
    return settings_page(db, request, who, "settings_second_factor", "Second step", problem, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : overview(db, request, who);
}

// What every change here starts with: the password, as a session may have been left open.
struct SureForm {
    std::string password, authenticity_token;
};
DESCRIBE(SureForm, password, authenticity_token)
struct Sure {
    std::optional<http::Response> answer;
    base::UserId user;
    base::SessionId session;
};

Sure ensure(db::Read& db, const base::Ask& ask, const http::Request& request, const SureForm& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}};
    if (!knows_password(ask, who, form.password)) return {overview(db, request, who, wrong_password), {}, {}};
    return {{}, who.user.id, who.who.person->session};
}

void note(db::Write& db, const http::Request& request, base::UserId user, SecurityKind kind) {
    accounts::note_security(db, user, kind, request.remote_address);
    accounts::warn_of(db, user, kind);
}

// Codes are shown in the one answer that makes them.
http::Response codes_page(db::Write& db, const http::Request& request, base::UserId user) {
    instance::View view;
    for (const auto& code : accounts::new_recovery_codes(db, user)) view.add("CODE").set("TEXT", code);
    note(db, request, user, SecurityKind::recovery_codes_made);
    return settings_page(
        db, request, owner(db, request), "settings_recovery_codes", "Recovery codes", {}, std::move(view)
    );
}

// After the first factor come the codes; with the others they are there already.
http::Response after_adding(db::Write& db, const http::Request& request, base::UserId user, bool first) {
    return first ? codes_page(db, request, user) : oauth::redirect(path);
}

http::Response make_codes(db::Write& db, const http::Request& request, const Sure& sure) {
    if (sure.answer) return *sure.answer;
    if (!accounts::has_second_factor(db, sure.user)) return oauth::redirect(path);
    return codes_page(db, request, sure.user);
}

// Only soon after the password was given.
Owner sure_owner(db::Read&, const http::Request&, Owner);

// ---- the authenticator app ----

http::Response app_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    auto key = accounts::unconfirmed_key(db, who.user.id);
    if (!key) return oauth::redirect(path);
    auto name = who.who.person->username + "@" + db.site().domain;
    instance::View view;
    view.set("QR", base::qr_svg(base::totp_address(db.site().domain, name, *key)));
    auto secret = base::base32(*key);
    std::string grouped;
    for (std::size_t i = 0; i < secret.size(); ++i)
        grouped += (i && i % 4 == 0 ? " " : "") + secret.substr(i, 1);
    view.set("SECRET", grouped);
    return settings_page(
        db, request, who, "settings_authenticator", "Authenticator app", problem, std::move(view)
    );
}

http::Response look_at_app(db::Read& db, const http::Request& request) {
    auto who = sure_owner(db, request, owner(db, request));
    return who.answer ? *who.answer : app_page(db, request, who);
}

http::Response begin_app(db::Write& db, const http::Request& request, const Sure& sure) {
    if (sure.answer) return *sure.answer;
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    if (who.user.id == sure.user) oauth::confirm_session(db, who.who.person->session);
    accounts::begin_authenticator(db, sure.user);
    return oauth::redirect(app_path);
}

struct CodeForm {
    std::string code, authenticity_token;
};
DESCRIBE(CodeForm, code, authenticity_token)

http::Response confirm_app(db::Write& db, const http::Request& request, const CodeForm& form) {
    auto who = sure_owner(db, request, owner(db, request, form.authenticity_token));
    if (who.answer) return *who.answer;
    bool first = !accounts::has_second_factor(db, who.user.id);
    if (!accounts::confirm_authenticator(db, who.user.id, form.code))
        return app_page(db, request, who, "This code is not of this key. Is the clock of your phone right?");
    note(db, request, who.user.id, SecurityKind::authenticator_added);
    return after_adding(db, request, who.user.id, first);
}

http::Response remove_app(db::Write& db, const http::Request& request, const Sure& sure) {
    if (sure.answer) return *sure.answer;
    accounts::remove_authenticator(db, sure.user);
    note(db, request, sure.user, SecurityKind::authenticator_removed);
    return done(path, "authenticator");
}

// ---- passkeys ----

http::Response passkey_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    instance::View view;
    view.set("NAME", db.site().title).set("PERSON", who.who.person->username);
    view.set("HANDLE", base::base64url(base::sha256("passkeys of " + std::to_string(who.user.id.value))));
    oauth::add_passkey_form(view, db.site(), who.who, db.now(), accounts::passkeys_of(db, who.user.id));
    return settings_page(db, request, who, "settings_passkey", "New passkey", problem, std::move(view), true);
}

http::Response begin_passkey(db::Write& db, const Sure& sure) {
    if (sure.answer) return *sure.answer;
    oauth::confirm_session(db, sure.session);
    return oauth::redirect(passkey_path);
}

constexpr std::int64_t confirmed_for_seconds = 15 * 60;

Owner sure_owner(db::Read& db, const http::Request& request, Owner who) {
    if (!who.answer && who.who.person->confirmed_at < db.now().plus_seconds(-confirmed_for_seconds))
        who.answer = overview(db, request, who, "Please give your password again.");
    return who;
}

http::Response look_at_passkey(db::Read& db, const http::Request& request) {
    auto who = sure_owner(db, request, owner(db, request));
    return who.answer ? *who.answer : passkey_page(db, request, who);
}

struct PasskeyForm {
    std::string name, authenticity_token;
};
DESCRIBE(PasskeyForm, name, authenticity_token)

http::Response add_passkey(
    db::Write& db, const http::Request& request, const PasskeyForm& form, const oauth::PasskeyFields& fields
) {
    auto who = sure_owner(db, request, owner(db, request, form.authenticity_token));
    if (who.answer) return *who.answer;
    auto asked = oauth::challenged(db.site(), who.who, fields.challenge, db.now());
    auto made = asked ? accounts::read_passkey(fields.answer(), asked->question) : std::nullopt;
    if (!made) return passkey_page(db, request, who, "This passkey could not be read. Please try again.");
    bool first = !accounts::has_second_factor(db, who.user.id);
    auto name = std::string(base::text::first_graphemes(form.name, accounts::longest_passkey_name));
    try {
        accounts::add_passkey(db, who.user.id, *made, name.empty() ? "Passkey" : name, asked->at);
    } catch (const base::Invalid& error) {
        return passkey_page(db, request, who, std::string(error.what()) + ".");
    }
    note(db, request, who.user.id, SecurityKind::passkey_added);
    return after_adding(db, request, who.user.id, first);
}

struct ByPasskey {
    accounts::PasskeyId id;
};
DESCRIBE(ByPasskey, id)

http::Response remove_passkey(
    db::Write& db, const http::Request& request, const ByPasskey& which, const Sure& sure
) {
    if (sure.answer) return *sure.answer;
    accounts::remove_passkey(db, sure.user, which.id);
    note(db, request, sure.user, SecurityKind::passkey_removed);
    return done(path, "passkey");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                    ("/settings/account/second_factor"),
    http::post<ensure, make_codes>     ("/settings/account/second_factor/codes").throttled(http::Throttle::login),
    http::get<look_at_app>             ("/settings/account/second_factor/app"),
    http::post<ensure, begin_app>      ("/settings/account/second_factor/app").throttled(http::Throttle::login),
    http::post<confirm_app>            ("/settings/account/second_factor/app/confirm").throttled(http::Throttle::login),
    http::post<ensure, remove_app>     ("/settings/account/second_factor/app/remove").throttled(http::Throttle::login),
    http::get<look_at_passkey>         ("/settings/account/second_factor/passkey"),
    http::post<ensure, begin_passkey>  ("/settings/account/second_factor/passkey").throttled(http::Throttle::login),
    http::post<add_passkey>            ("/settings/account/second_factor/passkey/add").throttled(http::Throttle::login),
    http::post<ensure, remove_passkey> ("/settings/account/second_factor/passkeys/:id/remove").throttled(http::Throttle::login),
};
// clang-format on

}  // namespace

std::span<const http::Route> second_factor_settings() { return table; }

}  // namespace pages
