// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/setup.hpp"

#include "base/crypto.hpp"
#include "social/instance/settings.hpp"

namespace accounts {

namespace {

constexpr std::string_view code_setting = "setup_code_hash";

}  // namespace

std::optional<std::string> setup_code(db::Write& db) {
    if (has_owner(db)) return std::nullopt;
    auto code = base::random_token();
    instance::set_setting(db, code_setting, base::sha256_hex(code));
    return code;
}

bool setup_open(db::Read& db) { return !has_owner(db); }

bool is_setup_code(db::Read& db, std::string_view code) {
    auto hash = instance::setting(db, code_setting);
    return hash && base::same_secret(*hash, base::sha256_hex(code));
}

UserId set_up(
    db::Write& db, const std::string& username, const std::string& email, const std::string& password_hash
) {
    if (has_owner(db)) throw base::NotFound();
    NewUser first;
    first.username = username;
    first.email = email;
    first.password_hash = password_hash;
    first.role = owner;
    first.confirmed = true;
    auto id = create_user(db, first);
    instance::remove_setting(db, code_setting);
    return id;
}

}  // namespace accounts
