// SPDX-License-Identifier: AGPL-3.0-or-later
// Authorization codes: what a user allowed, on its way to the app. Ten minutes, once.
#pragma once
#include "social/oauth/token.hpp"

namespace oauth {

struct Grant {
    AppId app;
    UserId user;
    std::string redirect_uri, scopes;
    std::string challenge;  // PKCE, S256; may be empty
};

std::string issue_code(db::Write&, const Grant&);

struct Redemption {
    std::string_view code, redirect_uri, verifier;
};
enum class Refusal { invalid_grant, verifier_missing };
struct Redeemed {
    std::optional<Issued> token;
    Refusal refusal = Refusal::invalid_grant;
};
// The token for a code. A code that comes a second time was stolen: its token is revoked.
Redeemed redeem_code(db::Write&, AppId, const Redemption&);

bool well_formed_challenge(std::string_view);

}  // namespace oauth
