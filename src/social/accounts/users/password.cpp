// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/password.hpp"

#include "base/crypto.hpp"
#include "base/text/count.hpp"

namespace accounts {

namespace {

constexpr std::size_t shortest = 8, longest = 72;
constexpr std::size_t longest_elsewhere = 1024;  // bytes; bcrypt looks at 72 of them

// Of nothing anybody knows, with the cost of the real ones.
constexpr const char* nobodys_hash =
    "$argon2id$v=19$m=19456,t=2,p=1$vGwhQfa2xWiyYmiR2WxP+Q$nMWCRhaVtMy/PnKf5SiQ+KS76PXqNFXeWiZsF36LkdU";

}  // namespace

std::vector<base::FieldError> password_errors(std::string_view password) {
    auto length = base::text::code_points(password);
    if (length == 0) return {{"password", "ERR_BLANK", "can't be blank"}};
    if (length < shortest) return {{"password", "ERR_TOO_SHORT", "is too short (minimum is 8 characters)"}};
    if (length > longest) return {{"password", "ERR_TOO_LONG", "is too long (maximum is 72 characters)"}};
    return {};
}

bool is_password(const base::Ask& ask, const std::optional<std::string>& hash, std::string_view given) {
    bool possible = hash && !hash->empty() &&
                    (base::text::code_points(given) <= longest ||
                     (base::is_other_hash(*hash) && given.size() <= longest_elsewhere));
    PasswordMatches question{possible ? *hash : nobodys_hash, possible ? std::string(given) : "-"};
    return ask(question) && possible;
}

const db::Command renew_password_hash{
    "renew_password_hash", "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2"
};

void keep_own_hash(db::Write& db, base::UserId id, const std::string& other, const std::string& own) {
    db.run(renew_password_hash, id, other, own);
}

std::string own_hash(const base::Ask& ask, const std::string& hash, const std::string& password) {
    // One longer than we take could not be given again.
    if (!base::is_other_hash(hash) || base::text::code_points(password) > longest) return {};
    return ask(HashPassword{password});
}

}  // namespace accounts
