// SPDX-License-Identifier: AGPL-3.0-or-later
// The page on which the owner's account is made; gone afterwards.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/setup.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

struct Form {
    std::string code, username, email, password, authenticity_token;
};
DESCRIBE(Form, code, username, email, password, authenticity_token)

http::Response gone(db::Read& db, const http::Request& request) {
    return error_page(db.site(), visitor(db, request).language, 404, "This server has been set up already.");
}

http::Response form_page(
    db::Read& db, const Visitor& visitor, const Form& form, int status = 200, std::string_view problem = {}
) {
    instance::View view;
    view.set("CODE", form.code).set("USERNAME_GIVEN", form.username).set("EMAIL", form.email);
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    return show(db.site(), visitor, {"setup", "The owner", status}, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request, const Form& form) {
    if (!accounts::setup_open(db)) return gone(db, request);
    Form shown;
    shown.code = form.code;  // the link printed at the start may carry it
    return form_page(db, visitor(db, request), shown);
}

std::string problem_with(db::Read& db, const Form& form) {
    auto errors = accounts::username_errors(db, form.username);
    for (auto& error : accounts::email_errors(db, form.email)) errors.push_back(std::move(error));
    for (auto& error : accounts::password_errors(form.password)) errors.push_back(std::move(error));
    return errors.empty() ? "" : base::Invalid(std::move(errors)).what();
}

struct Prepared {
    std::optional<http::Response> answer;
    std::string password_hash;
};

Prepared prepare(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form) {
    if (!accounts::setup_open(db)) return {gone(db, request), {}};
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}};
    if (!accounts::is_setup_code(db, form.code))
        return {form_page(db, who, form, 422, "This is not the code."), {}};
    if (auto problem = problem_with(db, form); !problem.empty())
        return {form_page(db, who, form, 422, problem), {}};
    return {std::nullopt, ask(accounts::HashPassword{form.password})};
}

http::Response create(
    db::Write& db, const http::Request& request, const Form& form, const Prepared& prepared
) {
    if (prepared.answer) return *prepared.answer;
    if (!accounts::is_setup_code(db, form.code)) return gone(db, request);
    auto user = accounts::set_up(db, form.username, form.email, prepared.password_hash);
    auto response = redirect("/setup/next");
    set_known_cookie(response, db.site(), accounts::user(db, user));
    sign_in(db, request, response, {user});
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>           ("/setup"),
    http::post<prepare, create>("/setup").throttled(http::Throttle::login),
};
// clang-format on

}  // namespace

std::span<const http::Route> setup_pages() { return table; }

}  // namespace oauth
