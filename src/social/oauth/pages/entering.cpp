// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/pages/entering.hpp"

#include "social/accounts/account.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/oauth/attempt.hpp"

namespace oauth {

std::string_view obstacle(db::Read& db, const accounts::User& user) {
    if (!user.confirmed_at)
        return "Please confirm your e-mail address first: open the link in the letter we sent you.";
    if (!user.approved) return "Your sign-up is still waiting for a moderator.";
    auto account = accounts::find_account(db, user.account_id);
    if (!account || account->memorial)
        return "This login is disabled. Please write to the people who run this server.";
    return {};
}

http::Response after_password(
    db::Write& db, const http::Request& request, const SigningIn& wanted, std::string_view return_to
) {
    if (!accounts::has_second_factor(db, wanted.user)) return enter(db, request, wanted, return_to);
    auto response = redirect("/auth/second_factor");
    auto secret = begin_attempt(db, {wanted.user, safe_return(return_to), wanted.add, wanted.shared});
    set_attempt_cookie(response, db.site(), secret);
    return response;
}

http::Response enter(
    db::Write& db, const http::Request& request, const SigningIn& wanted, std::string_view return_to
) {
    auto user = accounts::user(db, wanted.user);
    bool shut_out = user.disabled || accounts::account(db, user.account_id).suspended_at;
    auto back = shut_out                                         ? decisions
                : accounts::lacks_second_factor(db, wanted.user) ? set_up_first
                                                                 : safe_return(return_to);
    auto response = redirect(back);
    sign_in(db, request, response, wanted);
    set_known_cookie(response, db.site(), user);
    accounts::note_security(db, wanted.user, accounts::SecurityKind::signed_in, request.remote_address);
    return response;
}

}  // namespace oauth
