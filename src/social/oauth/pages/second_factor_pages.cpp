// SPDX-License-Identifier: AGPL-3.0-or-later
// After the password: a code of the authenticator, a recovery code or a passkey. And signing in by a passkey alone, which
// has made sure of the person.
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/oauth/attempt.hpp"
#include "social/oauth/pages/challenge.hpp"
#include "social/oauth/pages/entering.hpp"

namespace oauth {

namespace {

http::Response begin_anew() { return redirect("/auth/sign_in"); }

// ---- after the password ----

struct CodeForm {
    std::string code, authenticity_token;
};
DESCRIBE(CodeForm, code, authenticity_token)

http::Response factor_page(
    db::Read& db, const Visitor& who, const Attempt& attempt, int status = 200, std::string_view problem = {}
) {
    instance::View view;
    auto factors = accounts::second_factors(db, attempt.user);
    view.show_if(factors.authenticator, "AUTHENTICATOR").show_if(!factors.authenticator, "NO_AUTHENTICATOR");
    if (factors.passkeys > 0)
        add_passkey_form(view, db.site(), who, db.now(), accounts::passkeys_of(db, attempt.user));
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    Page page{"second_factor", "Second step", status, leads_to_app(attempt.return_to)};
    page.scripted = factors.passkeys > 0;
    return show(db.site(), who, page, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request) {
    auto attempt = find_attempt(db, attempt_secret(db.site(), request));
    return attempt ? factor_page(db, visitor(db, request), *attempt) : begin_anew();
}

struct Tried {
    std::optional<http::Response> answer;
    Attempt attempt;
    std::optional<Shown> shown;
    std::string other_code;  // accounts::other_recovery_code
};

Tried try_factor(
    const base::Ask& ask, db::Read& db, const http::Request& request, const CodeForm& form,
    const PasskeyFields& fields
) {
    auto attempt = find_attempt(db, attempt_secret(db.site(), request));
    if (!attempt) return {begin_anew(), {}, {}, {}};
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}, {}, {}};
    auto user = accounts::user(db, attempt->user);
    if (!obstacle(db, user).empty()) return {begin_anew(), {}, {}, {}};
    if (fields.credential.empty()) {
        const bool may = accounts::may_try_codes(db, attempt->user);
        return {
            {}, *attempt, {}, may ? accounts::other_recovery_code(ask, db, attempt->user, form.code) : ""
        };
    }
    auto shown = shown_passkey(db, who, fields, false);
    if (!shown || shown->passkey.user_id != attempt->user)
        return {factor_page(db, who, *attempt, 422, "This passkey is not of this login."), {}, {}, {}};
    return {{}, *attempt, std::move(shown), {}};
}

http::Response refuse(db::Write& db, const http::Request& request, std::string_view secret) {
    note_wrong_code(db, secret, request.remote_address);
    auto who = visitor(db, request);
    if (auto left = find_attempt(db, secret))
        return factor_page(db, who, *left, 422, "This code is wrong, or it was used already.");
    return error_page(
        db.site(), who.language, 422, "There were too many wrong codes. Begin anew with your password."
    );
}

http::Response finish(db::Write& db, const http::Request& request, const CodeForm& form, const Tried& tried) {
    if (tried.answer) return *tried.answer;
    auto secret = attempt_secret(db.site(), request);
    const auto& attempt = tried.attempt;
    if (!find_attempt(db, secret)) return begin_anew();
    if (tried.shown) {
        if (!accounts::use_passkey(
                db, tried.shown->passkey.id, tried.shown->shown, tried.shown->challenged_at
            ))
            return begin_anew();
    } else if (!accounts::may_try_codes(db, attempt.user)) {
        return error_page(
            db.site(),
            visitor(db, request).language,
            429,
            "There were too many wrong codes today. Use a passkey, or come back tomorrow."
        );
    } else if (!accounts::take_code(db, attempt.user, form.code, request.remote_address, tried.other_code)) {
        return refuse(db, request, secret);
    }
    end_attempt(db, secret);
    auto response = enter(db, request, {attempt.user, attempt.adds, attempt.shared}, attempt.return_to);
    set_attempt_cookie(response, db.site(), "");
    return response;
}

// ---- a passkey alone ----

struct AloneForm {
    std::string return_to, authenticity_token;
    bool add = false, shared = false;
};
DESCRIBE(AloneForm, return_to, authenticity_token, add, shared)

http::Response alone_page(
    db::Read& db, const Visitor& who, const AloneForm& form, int status = 200, std::string_view problem = {}
) {
    auto back = safe_return(form.return_to);
    instance::View view;
    view.set("RETURN_TO", back).show_if(form.add, "ADDING").show_if(form.shared, "SHARED");
    view.set("BACK", "/auth/sign_in?return_to=" + http::percent_encoded(back));
    add_passkey_form(view, db.site(), who, db.now(), {});
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    Page page{"passkey", "Sign in with a passkey", status, leads_to_app(back)};
    page.scripted = true;
    return show(db.site(), who, page, std::move(view));
}

http::Response look_alone(db::Read& db, const http::Request& request, const AloneForm& form) {
    return alone_page(db, visitor(db, request), form);
}

Tried try_alone(
    db::Read& db, const http::Request& request, const AloneForm& form, const PasskeyFields& fields
) {
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}, {}, {}};
    auto shown = shown_passkey(db, who, fields, true);
    if (!shown) return {alone_page(db, who, form, 422, "No login here has this passkey."), {}, {}, {}};
    auto user = accounts::user(db, shown->passkey.user_id);
    if (auto problem = obstacle(db, user); !problem.empty())
        return {alone_page(db, who, form, 403, problem), {}, {}, {}};
    return {{}, {user.id, safe_return(form.return_to), form.add, form.shared}, std::move(shown), {}};
}

http::Response finish_alone(db::Write& db, const http::Request& request, const Tried& tried) {
    if (tried.answer) return *tried.answer;
    if (!accounts::use_passkey(db, tried.shown->passkey.id, tried.shown->shown, tried.shown->challenged_at))
        return begin_anew();
    const auto& attempt = tried.attempt;
    return enter(db, request, {attempt.user, attempt.adds, attempt.shared}, attempt.return_to);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                   ("/auth/second_factor"),
    http::post<try_factor, finish>   ("/auth/second_factor").throttled(http::Throttle::login),
    http::get<look_alone>             ("/auth/passkey"),
    http::post<try_alone, finish_alone>("/auth/passkey").throttled(http::Throttle::login),
};
// clang-format on

}  // namespace

std::span<const http::Route> second_factor_pages() { return table; }

}  // namespace oauth
