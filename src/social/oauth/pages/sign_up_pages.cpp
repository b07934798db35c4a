// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/errors.hpp"
#include "http/route.hpp"
#include "social/accounts/users/invite.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/instance/registrations.hpp"
#include "social/oauth/pages/page.hpp"

#include <map>

namespace oauth {

namespace {

// The field names of the reference's page, which programs fill.
struct AccountPart {
    std::string username;
};
DESCRIBE(AccountPart, username)

struct ReasonPart {
    std::string text;
};
DESCRIBE(ReasonPart, text)

struct UserPart {
    AccountPart account_attributes;
    std::string email, password, password_confirmation;
    bool agreement = false;
    std::string date_of_birth, locale, time_zone, invite_code;
    ReasonPart invite_request_attributes;
};
DESCRIBE(
    UserPart, account_attributes, email, password, password_confirmation, agreement, date_of_birth, locale,
    time_zone, invite_code, invite_request_attributes
)

struct Form {
    UserPart user;
    std::string authenticity_token;
};
DESCRIBE(Form, user, authenticity_token)

// Who chose a language for this browser is written to in it, too.
accounts::SignUp to_sign_up(const base::Site& site, const http::Request& request, const UserPart& user) {
    return {
        user.account_attributes.username,
        user.email,
        user.password,
        user.agreement,
        user.invite_request_attributes.text,
        user.locale.empty() ? std::string(language_cookie(site, request)) : user.locale,
        user.time_zone,
        user.date_of_birth,
        user.invite_code
    };
}

using Errors = std::vector<base::FieldError>;

std::string sentence(Errors errors) {
    std::string text = base::Invalid(std::move(errors)).what();
    constexpr std::string_view prefix = "Validation failed: ";
    return text.substr(text.starts_with(prefix) ? prefix.size() : 0) + ".";
}

// All of them on top, and each beside its field.
void add_errors(instance::View& view, const Errors& errors) {
    if (errors.empty()) return;
    view.add("PROBLEM").say("TEXT", sentence(errors));
    std::map<std::string, Errors> by_field;
    for (const auto& error : errors) by_field[error.field].push_back(error);
    for (auto& [field, of_it] : by_field) {
        auto section = field + "_WRONG";
        for (char& c : section)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        view.add(section).say("TEXT", sentence(std::move(of_it)));
    }
}

http::Response form_page(
    db::Read& db, const Visitor& visitor, const UserPart& given, const Errors& errors = {}
) {
    const auto& site = db.site();
    instance::View view;
    view.set("USERNAME_GIVEN", given.account_attributes.username).set("EMAIL", given.email);
    add_errors(view, errors);
    if (site.min_age > 0)
        view.add("AGE").set("YEARS", std::to_string(site.min_age)).set("DATE", given.date_of_birth);
    bool invited = accounts::is_valid_invite(db, given.invite_code);
    if (invited) view.add("INVITE").set("CODE", given.invite_code);
    if (instance::approval_required(db) && !invited)
        view.add("REASON").set("TEXT", given.invite_request_attributes.text);
    return show(site, visitor, {"sign_up", "Create an account", errors.empty() ? 200 : 422}, std::move(view));
}

http::Response refused(db::Read& db, const http::Request& request, int status, std::string_view sentence) {
    return error_page(db.site(), visitor(db, request).language, status, sentence);
}

std::optional<http::Response> closed(
    db::Read& db, const http::Request& request, std::string_view invite_code
) {
    if (accounts::may_sign_up(db, invite_code)) return std::nullopt;
    return refused(db, request, 403, "New accounts cannot be made here at present.");
}

http::Response look(db::Read& db, const http::Request& request) {
    if (auto answer = closed(db, request, {})) return *answer;
    auto who = visitor(db, request);
    if (who.person) return redirect("/");
    return form_page(db, who, {});
}

struct Invited {
    std::string invite_code;
};
DESCRIBE(Invited, invite_code)

struct InviteEntity {
    std::string invite_code, instance_api_url;
};
DESCRIBE(InviteEntity, invite_code, instance_api_url)

// For apps, which go on to sign up by the API with the code.
http::Response tell_of_invite(db::Read& db, const Invited& given) {
    if (!accounts::find_invite(db, given.invite_code)) throw base::NotFound();
    if (!accounts::is_valid_invite(db, given.invite_code))
        return http::failure(401, "This invite is not valid");
    http::Response response;
    response.body =
        base::json::to_string(InviteEntity{given.invite_code, db.site().public_url + "/api/v2/instance"});
    return response;
}

http::Response look_invited(db::Read& db, const http::Request& request, const Invited& given) {
    if (request.header("Accept").find("application/json") != std::string_view::npos)
        return tell_of_invite(db, given);
    if (!accounts::find_invite(db, given.invite_code))
        return refused(db, request, 404, "There is no such invitation.");
    if (!accounts::is_valid_invite(db, given.invite_code))
        return refused(db, request, 401, "This invitation is too old or used up.");
    if (auto answer = closed(db, request, given.invite_code)) return *answer;
    auto who = visitor(db, request);
    if (who.person) return redirect("/");
    UserPart empty;
    empty.invite_code = given.invite_code;
    return form_page(db, who, empty);
}

struct Checked {
    std::optional<http::Response> answer;
    std::string password_hash;
    accounts::MailHosts mail_hosts = {};
};

Checked check(db::Read& db, const base::Ask& ask, const http::Request& request, const Form& form) {
    if (auto answer = closed(db, request, form.user.invite_code)) return {answer, {}};
    auto who = visitor(db, request);
    if (!has_valid_proof(who, form.authenticity_token)) return {stale_form(db.site(), who), {}};
    auto errors = accounts::sign_up_errors(db, to_sign_up(db.site(), request, form.user));
    if (form.user.password != form.user.password_confirmation)
        errors.push_back({"password_confirmation", "ERR_INVALID", "doesn't match the password"});
    if (!errors.empty()) return {form_page(db, who, form.user, errors), {}};
    auto hosts = accounts::mail_hosts_of(ask, form.user.email);
    try {
        accounts::require_mail_hosts(hosts);
    } catch (const base::Invalid& refused) {
        return {form_page(db, who, form.user, refused.fields), {}};
    }
    return {std::nullopt, ask(accounts::HashPassword{form.user.password}), std::move(hosts)};
}

std::string_view what_next(const base::Site& site, const accounts::User& user) {
    if (site.confirmation_required)
        return "We sent you a letter. Open the link in it to confirm your e-mail address.";
    if (!user.approved) return "A moderator will look at your sign-up; we will write to you.";
    return "Your account is ready.";
}

http::Response create(db::Write& db, const http::Request& request, const Form& form, const Checked& checked) {
    if (checked.answer) return *checked.answer;
    if (auto refused =
            accounts::refused_provider(db, to_sign_up(db.site(), request, form.user), checked.mail_hosts))
        return form_page(db, visitor(db, request), form.user, refused->fields);
    auto id = accounts::sign_up(
        db,
        to_sign_up(db.site(), request, form.user),
        checked.password_hash,
        {},
        request.remote_address,
        checked.mail_hosts
    );
    instance::View view;
    auto user = accounts::user(db, id);
    view.say("SENTENCE", what_next(db.site(), user));
    auto response = show(db.site(), stranger(db.site(), request), {"message", "Welcome"}, std::move(view));
    if (user.usable()) {
        sign_in(db, request, response, {id});
        set_known_cookie(response, db.site(), user);
    }
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>          ("/auth/sign_up"),
    http::get<look_invited>  ("/invite/:invite_code"),
    http::post<check, create>("/auth/sign_up").throttled(http::Throttle::sign_up_form),
    http::post<check, create>("/auth").throttled(http::Throttle::sign_up_form),
};
// clang-format on

}  // namespace

std::span<const http::Route> sign_up_pages() { return table; }

}  // namespace oauth
