// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/pages/entering.hpp"

namespace oauth {

namespace {

struct Login {
    std::string email, password;
};
DESCRIBE(Login, email, password)

struct SignIn {
    Login user;
    std::string return_to, authenticity_token;
    bool force = false;
    bool add = false, shared = false;
};
DESCRIBE(SignIn, user, return_to, authenticity_token, force, add, shared)

http::Response form_page(
    db::Read& db, const Visitor& visitor, const SignIn& form, int status = 200, std::string_view problem = {}
) {
    auto back = safe_return(form.return_to);
    instance::View view;
    view.set("RETURN_TO", back).set("EMAIL", form.user.email).show_if(db.site().registrations_open, "OPEN");
    view.show_if(form.add, "ADDING").show_if(form.shared, "SHARED");
    view.set(
        "PASSKEY",
        "/auth/passkey?" + std::string(form.add ? "add=1&" : "") + "return_to=" + http::percent_encoded(back)
    );
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    Page page{"sign_in", "Sign in", status, leads_to_app(back)};
    page.alone = !back.starts_with("/oauth/");  // apps sign in by windows that they must find again
    return show(db.site(), visitor, page, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request, const SignIn& form) {
    auto who = visitor(db, request);
    if (who.person && !form.force && !form.add) return redirect(safe_return(form.return_to));
    return form_page(db, who, form);
}

struct Tried {
    std::optional<http::Response> answer;
    base::UserId user;
    std::string other_hash, own_hash;  // of a password that came along from another server
};

Tried try_password(db::Read& db, const base::Ask& ask, const http::Request& request, const SignIn& form) {
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}};
    auto user = accounts::find_for_sign_in(db, form.user.email);
    std::optional<std::string> hash;
    if (user) hash = user->password_hash;
    if (!accounts::is_password(ask, hash, form.user.password))
        return {
            form_page(db, who, form, 422, "This address or username and password do not belong together."), {}
        };
    if (auto problem = obstacle(db, *user); !problem.empty())
        return {form_page(db, who, form, 403, problem), {}};
    return {{}, user->id, *hash, accounts::own_hash(ask, *hash, form.user.password)};
}

http::Response begin(db::Write& db, const http::Request& request, const SignIn& form, const Tried& tried) {
    if (tried.answer) return *tried.answer;
    if (!tried.own_hash.empty()) accounts::keep_own_hash(db, tried.user, tried.other_hash, tried.own_hash);
    return after_password(db, request, {tried.user, form.add, form.shared}, form.return_to);
}

struct SignOut {
    std::string authenticity_token;
};
DESCRIBE(SignOut, authenticity_token)

http::Response sign_out_page(db::Read& db, const http::Request& request) {
    auto who = visitor_or_shut_out(db, request);
    if (!who.person) return redirect("/");
    return show(db.site(), who, {"sign_out", "Sign out"});
}

http::Response leave(db::Write& db, const http::Request& request, const SignOut& form) {
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) who = visitor_or_shut_out(db, request);
    if (!who.person) return redirect("/");
    if (!has_valid_proof(who, form.authenticity_token)) return stale_form(db.site(), who);
    auto response = redirect("/");
    sign_out(db, request, response, who.person->session);
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                ("/auth/sign_in"),
    http::post<try_password, begin>("/auth/sign_in").throttled(http::Throttle::login, "user[email]"),
    http::get<sign_out_page>       ("/auth/sign_out"),
    http::post<leave>              ("/auth/sign_out"),
    http::del<leave>               ("/auth/sign_out"),
};
// clang-format on

}  // namespace

std::span<const http::Route> sign_in_pages() { return table; }

}  // namespace oauth
