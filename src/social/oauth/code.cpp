// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/code.hpp"

#include "base/crypto.hpp"

#include <algorithm>

namespace oauth {

namespace {

constexpr std::int64_t lifetime = 600;

struct CodeRow {
    AppId app_id;
    UserId user_id;
    std::string redirect_uri, scopes;
    std::optional<std::string> challenge;
    base::Time created_at;
    std::optional<base::Time> used_at;
    TokenId token_id;
};
DESCRIBE(CodeRow, app_id, user_id, redirect_uri, scopes, challenge, created_at, used_at, token_id)

bool is_verifier(std::string_view challenge, std::string_view verifier) {
    return verifier.size() >= 43 && verifier.size() <= 128 &&
           base::same_secret(challenge, base::base64url(base::sha256(verifier)));
}

}  // namespace

bool well_formed_challenge(std::string_view text) {
    return text.size() == 43 && std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
           });
}

const db::Command insert_code{
    "insert_code",
    R"(INSERT INTO authorization_codes (code_hash, app_id, user_id, redirect_uri, scopes, challenge, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};

std::string issue_code(db::Write& db, const Grant& grant) {
    auto code = base::random_token();
    std::optional<std::string> challenge;
    if (!grant.challenge.empty()) challenge = grant.challenge;
    db.run(
        insert_code,
        base::sha256_hex(code),
        grant.app,
        grant.user,
        grant.redirect_uri,
        grant.scopes,
        challenge,
        db.now()
    );
    return code;
}

const db::Query<CodeRow> code_by_hash{
    "code_by_hash",
    R"(SELECT app_id, user_id, redirect_uri, scopes, challenge, created_at, used_at, token_id
       FROM authorization_codes WHERE code_hash = $1)"
};
const db::Command use_code{
    "use_code", "UPDATE authorization_codes SET used_at = $2, token_id = $3 WHERE code_hash = $1"
};

Redeemed redeem_code(db::Write& db, AppId app, const Redemption& request) {
    auto hash = base::sha256_hex(request.code);
    auto code = db.maybe(code_by_hash, hash);
    if (!code || code->app_id != app) return {};
    if (code->used_at) {
        revoke(db, code->token_id);
        return {};
    }
    if (code->created_at.plus_seconds(lifetime) <= db.now() || code->redirect_uri != request.redirect_uri)
        return {};
    if (code->challenge) {
        if (request.verifier.empty()) return {std::nullopt, Refusal::verifier_missing};
        if (!is_verifier(*code->challenge, request.verifier)) return {};
    } else if (!request.verifier.empty()) {
        return {};  // somebody took the challenge out of the first request
    }
    auto token = issue_token(db, app, code->user_id, code->scopes);
    db.run(use_code, hash, db.now(), token.id);
    return {std::move(token)};
}

}  // namespace oauth
