// SPDX-License-Identifier: AGPL-3.0-or-later
// Passwords cost 30 ms of CPU, so they are only ever asked for: server/ answers these questions with base::hash_password and
// base::any_password_matches.
#pragma once
#include "base/ask.hpp"
#include "base/describe.hpp"
#include "base/errors.hpp"
#include "db/session.hpp"

#include <optional>
#include <vector>

namespace accounts {

struct HashPassword {
    std::string password;
    using Answer = std::string;
};
DESCRIBE(HashPassword, password)

struct PasswordMatches {
    std::string hash, given;
    using Answer = bool;
};
DESCRIBE(PasswordMatches, hash, given)

// The first of some hashes that is one of `given`; empty: none is.
struct FindHash {
    std::vector<std::string> hashes;
    std::string given;
    using Answer = std::string;
};
DESCRIBE(FindHash, hashes, given)

// What is wrong with a new password, as the field `password`.
std::vector<base::FieldError> password_errors(std::string_view password);

// Whether `given` is the password of which `hash` is known. Costs the same when there is no hash, because nobody
// has that name, and when `given` is absurdly long.
bool is_password(const base::Ask&, const std::optional<std::string>& hash, std::string_view given);

// The right password as we would hash it, where `hash` came along from another server; else empty.
std::string own_hash(const base::Ask&, const std::string& hash, const std::string& password);
// Puts it in the place of the other, unless the password was changed meanwhile.
void keep_own_hash(db::Write&, base::UserId, const std::string& other, const std::string& own);

}  // namespace accounts
