// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/errors.hpp"
#include "http/route.hpp"
#include "social/accounts/users/password.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/oauth/app.hpp"
#include "social/oauth/token.hpp"

namespace oauth {

namespace {

struct Hashed {
    std::string password;
    accounts::MailHosts mail_hosts;
};

Hashed prepare(
    db::Read& db, const base::Ask& ask, const http::Request& request, const http::TokenHolder& app,
    const accounts::SignUp& form
) {
    if (app.user) throw base::Forbidden("This method requires an client credentials authentication");
    accounts::require_way_in(db, form.invite_code);
    accounts::require_open_network(db, request.remote_address);
    if (auto errors = accounts::sign_up_errors(db, form); !errors.empty())
        throw base::Invalid(std::move(errors));
    auto hosts = accounts::mail_hosts_of(ask, form.email);
    accounts::require_mail_hosts(hosts);
    return {ask(accounts::HashPassword{form.password}), std::move(hosts)};
}

http::Response create(
    db::Write& db, const http::Request& request, const http::TokenHolder& holder,
    const accounts::SignUp& form, const Hashed& hashed
) {
    if (auto refused = accounts::refused_provider(db, form, hashed.mail_hosts))
        return http::failure(std::make_exception_ptr(*refused), request, request.path());
    auto user =
        accounts::sign_up(db, form, hashed.password, holder.app, request.remote_address, hashed.mail_hosts);
    return secret_json(
        base::json::to_string(entity(issue_token(db, holder.app, user, app(db, holder.app).scopes)))
    );
}

// clang-format off
constexpr http::Route table[] = {
    http::post<prepare, create>("/api/v1/accounts", "write:accounts").answering("Token").throttled(http::Throttle::sign_up).always_open(),
};
// clang-format on

}  // namespace

std::span<const http::Route> sign_up_routes() { return table; }

}  // namespace oauth
