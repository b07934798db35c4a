// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/invite.hpp"

#include "base/crypto.hpp"

namespace accounts {

namespace {

// Without characters that are confused when read aloud or copied by hand.
constexpr std::string_view alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
constexpr std::size_t code_length = 8;

std::string new_code() {
    constexpr std::size_t fair = 256 - 256 % alphabet.size();  // larger bytes would favour the first letters
    std::string code;
    while (code.size() < code_length)
        for (char c : base::random_bytes(code_length)) {
            auto byte = static_cast<unsigned char>(c);
            if (byte < fair && code.size() < code_length) code += alphabet[byte % alphabet.size()];
        }
    return code;
}

}  // namespace

#define INVITES                                                                                 \
    "SELECT i.code, i.account_id, a.username, i.expires_at, i.max_uses, i.uses, i.autofollow, " \
    "a.suspended_at IS NOT NULL AS suspended, i.created_at "                                    \
    "FROM invites i LEFT JOIN accounts a ON a.id = i.account_id "

const db::Command insert_invite{
    "insert_invite",
    R"(INSERT INTO invites (code, account_id, expires_at, max_uses, autofollow, created_at)
       VALUES ($1, $2, $3, $4, $5, $6))"
};

std::string create_invite(db::Write& db, const NewInvite& given) {
    auto code = new_code();
    std::optional<AccountId> account;
    if (given.account) account = given.account;
    db.run(insert_invite, code, account, given.expires_at, given.max_uses, given.autofollow, db.now());
    return code;
}

// The row stays, because users of the invite may still have to follow the inviter.
const db::Command end_invite{"end_invite", "UPDATE invites SET expires_at = $2 WHERE code = $1"};

void revoke_invite(db::Write& db, std::string_view code) {
    if (db.run(end_invite, code, db.now()) == 0) throw base::NotFound();
}

const db::Query<Invite> invite_by_code{"invite_by_code", INVITES "WHERE i.code = $1"};

std::optional<Invite> find_invite(db::Read& db, std::string_view code) {
    if (code.size() != code_length) return std::nullopt;
    return db.maybe(invite_by_code, code);
}

bool is_valid_invite(db::Read& db, std::string_view code) {
    auto invite = find_invite(db, code);
    return invite && invite->valid(db.now());
}

const db::Query<Invite> all_invites{"all_invites", INVITES "ORDER BY i.created_at DESC, i.code"};

std::vector<Invite> invites(db::Read& db) { return db.all(all_invites); }

// Checks again what may have changed since the invite was read: of two concurrent sign-ups only one gets the
// last use.
const db::Command use_invite{
    "use_invite",
    R"(UPDATE invites SET uses = uses + 1 WHERE code = $1 AND (max_uses IS NULL OR uses < max_uses))"
};

bool redeem(db::Write& db, std::string_view code) {
    return is_valid_invite(db, code) && db.run(use_invite, code) > 0;
}

const db::Query<AccountId> inviter_followed{
    "inviter_followed",
    R"(SELECT i.account_id FROM users u JOIN invites i ON i.code = u.invite_code
       WHERE u.id = $1 AND i.autofollow AND i.account_id IS NOT NULL)"
};

std::optional<AccountId> inviter_to_follow(db::Read& db, UserId user) {
    return db.maybe(inviter_followed, user);
}

const db::Command drop_own_invites{
    "drop_own_invites",
    R"(DELETE FROM invites WHERE account_id = $1 AND code IN (
           SELECT code FROM invites WHERE account_id = $1 ORDER BY code LIMIT $2))"
};

}  // namespace accounts
