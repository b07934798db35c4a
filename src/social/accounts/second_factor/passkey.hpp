// SPDX-License-Identifier: AGPL-3.0-or-later
// The passkeys of a login. They serve as a second factor, and as the only one if the authenticator has
// verified the user.
#pragma once
#include "base/sign_in/passkey.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

using PasskeyId = base::Id<struct PasskeyTag>;

struct Passkey {
    PasskeyId id;
    UserId user_id;
    std::string credential, public_key;  // base64url
    std::int64_t algorithm = 0, uses = 0;
    std::string name;
    Time created_at, challenged_at;
    std::optional<Time> last_used_at;
};
DESCRIBE(
    Passkey, id, user_id, credential, public_key, algorithm, uses, name, created_at, challenged_at,
    last_used_at
)

std::vector<Passkey> passkeys_of(db::Read&, UserId);  // oldest first
std::optional<Passkey> find_passkey(db::Read&, std::string_view credential);

constexpr std::size_t most_passkeys = 20, longest_passkey_name = 100;

// Throws Invalid: already registered, or too many.
void add_passkey(db::Write&, UserId, const base::NewPasskey&, const std::string& name, Time challenged_at);
void remove_passkey(db::Write&, UserId, PasskeyId);  // throws NotFound

// The browser's response, in base64url.
struct PasskeyAnswer {
    std::string credential, client_data, authenticator_data, signature;
};
// Verifies this passkey's response to the challenge of that time, which must be newer than the last one used.
std::optional<base::ShownPasskey> verify_passkey(
    const Passkey&, const PasskeyAnswer&, const base::PasskeyQuestion&, Time challenged_at
);
std::optional<base::NewPasskey> read_passkey(const PasskeyAnswer&, const base::PasskeyQuestion&);
// False: it was used meanwhile with a later challenge.
bool use_passkey(db::Write&, PasskeyId, const base::ShownPasskey&, Time challenged_at);

}  // namespace accounts
