// SPDX-License-Identifier: AGPL-3.0-or-later
// Hashing a password costs 30 ms of CPU, so it is done through questions: server/ answers them with
// base::hash_password and base::any_password_matches.
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

// Returns the first of the hashes that matches `given`; empty if none does.
struct FindHash {
    std::vector<std::string> hashes;
    std::string given;
    using Answer = std::string;
};
DESCRIBE(FindHash, hashes, given)

// Errors of a new password, as the field `password`.
std::vector<base::FieldError> password_errors(std::string_view password);

// Whether `given` is the password with this hash. Takes the same time if there is no hash, because the user
// does not exist, and if `given` is absurdly long.
bool is_password(const base::Ask&, const std::optional<std::string>& hash, std::string_view given);

// The password hashed in our format if it is right and `hash` was imported from another server; otherwise
// empty.
std::string own_hash(const base::Ask&, const std::string& hash, const std::string& password);
// Replaces the imported hash, unless the password was changed meanwhile.
void keep_own_hash(db::Write&, base::UserId, const std::string& other, const std::string& own);

}  // namespace accounts
