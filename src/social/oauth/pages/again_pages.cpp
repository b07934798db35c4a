// SPDX-License-Identifier: AGPL-3.0-or-later
// Giving the password again, before something dangerous.
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/users/password.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

struct Form {
    std::string password, return_to, authenticity_token;
};
DESCRIBE(Form, password, return_to, authenticity_token)

http::Response sign_in_first(const Form& form) {
    auto here = "/auth/confirm?return_to=" + http::percent_encoded(safe_return(form.return_to));
    return redirect("/auth/sign_in?return_to=" + http::percent_encoded(here));
}

http::Response form_page(
    db::Read& db, const Visitor& visitor, const Form& form, int status = 200, std::string_view problem = {}
) {
    instance::View view;
    view.set("RETURN_TO", safe_return(form.return_to));
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    return show(db.site(), visitor, {"again", "Your password again", status}, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request, const Form& form) {
    auto who = visitor(db, request);
    return who.person ? form_page(db, who, form) : sign_in_first(form);
}

struct Checked {
    std::optional<http::Response> answer;
    base::SessionId session;
};

Checked check(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form) {
    auto who = visitor(db, request);
    if (!who.person) return {sign_in_first(form), {}};
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}};
    auto user = accounts::user(db, who.person->user);
    if (!accounts::is_password(ask, user.password_hash, form.password))
        return {form_page(db, who, form, 422, "This is not your password."), {}};
    return {std::nullopt, who.person->session};
}

http::Response confirm(db::Write& db, const Form& form, const Checked& checked) {
    if (checked.answer) return *checked.answer;
    confirm_session(db, checked.session);
    return redirect(safe_return(form.return_to));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>           ("/auth/confirm"),
    http::post<check, confirm>("/auth/confirm").throttled(http::Throttle::login),
};
// clang-format on

}  // namespace

std::span<const http::Route> again_pages() { return table; }

}  // namespace oauth
