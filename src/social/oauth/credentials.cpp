// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/session.hpp"

#include "base/crypto.hpp"
#include "social/accounts/users/user.hpp"
#include "social/oauth/token.hpp"

namespace oauth {

namespace {

struct TokenRow {
    base::TokenId id;
    base::AppId app_id;
    std::optional<base::UserId> user_id;
    std::string scopes;
    std::optional<base::Time> revoked_at, last_used_at, confirmed_at;
    std::optional<bool> approved, disabled;
    std::optional<std::string> locale;
    std::optional<base::AccountId> account_id;
    std::optional<std::int64_t> account_version, relations_version;
    std::optional<base::Time> suspended_at;
    std::optional<bool> memorial;
    base::AccountId moved_to_id;
    std::optional<std::int64_t> permissions, everyones;
    std::optional<bool> require_2fa, second_factor;
};
DESCRIBE(
    TokenRow, id, app_id, user_id, scopes, revoked_at, last_used_at, confirmed_at, approved, disabled, locale,
    account_id, account_version, relations_version, suspended_at, memorial, moved_to_id, permissions,
    everyones, require_2fa, second_factor
)

std::int64_t permissions_of(const TokenRow& row) {
    return accounts::effective_permissions(row.permissions.value_or(0), row.everyones.value_or(0));
}

// Behaviours: 4.5, in the order in which the reference looks.
const char* problem_of(const TokenRow& row) {
    if (!row.confirmed_at) return "Your login is missing a confirmed e-mail address";
    if (!*row.approved) return "Your login is currently pending approval";
    bool lacks_factor = row.require_2fa.value_or(false) && !*row.second_factor;
    if (*row.disabled || *row.memorial || row.moved_to_id || lacks_factor)
        return "Your login is currently disabled";
    return "";
}

}  // namespace

#define TOKENS_AND_USERS                                                                                     \
    "SELECT t.id, t.app_id, t.user_id, t.scopes, t.revoked_at, t.last_used_at, u.confirmed_at, u.approved, " \
    "u.disabled, u.locale, a.id AS account_id, a.version AS account_version, a.relations_version, "          \
    "a.suspended_at, a.memorial, a.moved_to_id, r.permissions, "                                             \
    "(SELECT permissions FROM roles WHERE id = -99) AS everyones, r.require_2fa, u.second_factor "           \
    "FROM tokens t LEFT JOIN users u ON u.id = t.user_id LEFT JOIN accounts a ON a.id = u.account_id "       \
    "LEFT JOIN roles r ON r.id = u.role_id "

const db::Query<TokenRow> token_and_user{"token_and_user", TOKENS_AND_USERS "WHERE t.token_hash = $1"};
const db::Query<TokenRow> tokens_and_users{"tokens_and_users", TOKENS_AND_USERS "WHERE t.id IN LIST($1)"};

namespace {

struct Found {
    Known known;
    std::optional<base::Time> last_used_at;
};

Found found_in(std::optional<TokenRow> row) {
    Found found;
    auto& known = found.known;
    if (!row) return found;
    known.holder = {
        row->id, row->app_id, row->user_id, http::parse_scopes(row->scopes).value_or(http::Scopes())
    };
    bool orphaned = row->user_id && !row->account_id;
    known.state = row->revoked_at || orphaned ? http::TokenState::revoked : http::TokenState::live;
    if (known.state == http::TokenState::revoked) return found;
    found.last_used_at = row->last_used_at;
    if (!row->user_id) return found;
    http::Viewer viewer;
    viewer.account = *row->account_id;
    viewer.user = *row->user_id;
    viewer.token = row->id;
    viewer.app = row->app_id;
    viewer.account_version = *row->account_version;
    viewer.relations_version = *row->relations_version;
    viewer.permissions = permissions_of(*row);
    viewer.locale = std::move(*row->locale);
    known.viewer = std::move(viewer);
    known.problem = problem_of(*row);
    known.suspended = row->suspended_at.has_value();
    return found;
}

}  // namespace

namespace {

Known noted(db::Read& db, Found found) {
    auto& known = found.known;
    if (known.state == http::TokenState::live)
        known.noted = found.last_used_at && *found.last_used_at >= db.now().midnight();
    return std::move(known);
}

}  // namespace

Known look_up(db::Read& db, std::string_view token) {
    constexpr std::size_t longest = 128;  // of ours; nothing is kept of what cannot be one
    auto find = [&] { return found_in(db.maybe(token_and_user, base::sha256_hex(token))); };
    return noted(db, token.size() > longest ? find() : db.memoized("token " + std::string(token), find));
}

void expect_token(db::Read& db, std::string_view token) {
    db.expect(token_and_user, base::sha256_hex(token));
}

namespace {

// The rights of a role over others; those to invite, to look and to be subscribed to are none.
constexpr std::int64_t staff_rights = ((1 << 20) - 1) & ~(1 << 16);

}  // namespace

const db::Query<TokenRow> token_by_id_and_user{"token_by_id_and_user", TOKENS_AND_USERS "WHERE t.id = $1"};

Known look_up_session(db::Read& db, std::string_view secret) {
    auto find = [&] {
        auto person = find_person(db, secret);
        if (!person) return Found();
        auto found = found_in(db.maybe(token_by_id_and_user, person->token));
        auto& known = found.known;
        if (known.viewer) known.viewer->session = person->session;
        if (known.viewer && (known.viewer->permissions & staff_rights) != 0)
            known.holder.scopes |= *http::parse_scopes("admin:read admin:write");
        return found;
    };
    return noted(db, db.memoized("session " + std::string(secret), find));
}

std::vector<base::TokenId> usable(db::Read& db, const std::vector<base::TokenId>& tokens) {
    std::vector<base::TokenId> out;
    auto note = [&](const TokenRow& row) {
        bool lets_in = !row.revoked_at && row.account_id && !row.suspended_at && !*problem_of(row);
        if (lets_in) out.push_back(row.id);
    };
    if (!tokens.empty()) db.each(tokens_and_users, note, tokens);
    return out;
}

const db::Command note_token_use{
    "note_token_use",
    "UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)"
};

void note_use(db::Write& db, const http::TokenHolder& holder) {
    db.beside_others();
    db.run(note_token_use, holder.token, db.now(), db.now().midnight());
    if (holder.user) accounts::record_activity(db, *holder.user);
}

}  // namespace oauth
