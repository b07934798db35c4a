// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/second_factor/passkey.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "social/accounts/second_factor/second_factor.hpp"

namespace accounts {

#define PASSKEYS                                                                                     \
    "SELECT id, user_id, credential, public_key, algorithm, uses, name, created_at, challenged_at, " \
    "last_used_at "                                                                                  \
    "FROM passkeys "

const db::Query<Passkey> passkeys_of_user{"passkeys_of_user", PASSKEYS "WHERE user_id = $1 ORDER BY id"};
const db::Query<Passkey> passkey_by_credential{"passkey_by_credential", PASSKEYS "WHERE credential = $1"};

std::vector<Passkey> passkeys_of(db::Read& db, UserId id) { return db.all(passkeys_of_user, id); }

std::optional<Passkey> find_passkey(db::Read& db, std::string_view credential) {
    return db.maybe(passkey_by_credential, credential);
}

const db::Command insert_passkey{
    "insert_passkey",
    R"(INSERT INTO passkeys (id, user_id, credential, public_key, algorithm, name, created_at, challenged_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};
const db::Command delete_passkey{"delete_passkey", "DELETE FROM passkeys WHERE user_id = $1 AND id = $2"};
const db::Command note_passkey_use{
    "note_passkey_use",
    "UPDATE passkeys SET uses = $2, challenged_at = $3, last_used_at = $4 WHERE id = $1 AND challenged_at < "
    "$3"
};

void add_passkey(
    db::Write& db, UserId id, const base::NewPasskey& made, const std::string& name, Time challenged_at
) {
    auto credential = base::base64url(made.id);
    if (find_passkey(db, credential)) throw base::Invalid("This passkey is known already");
    if (passkeys_of(db, id).size() >= most_passkeys) throw base::Invalid("There are too many passkeys");
    db.run(
        insert_passkey,
        db.new_id<PasskeyId>(),
        id,
        credential,
        base::base64url(made.key),
        made.algorithm,
        name,
        db.now(),
        challenged_at
    );
    settle_second_factor(db, id);
}

void remove_passkey(db::Write& db, UserId user, PasskeyId id) {
    if (db.run(delete_passkey, user, id) == 0) throw base::NotFound();
    settle_second_factor(db, user);
}

std::optional<base::ShownPasskey> verify_passkey(
    const Passkey& known, const PasskeyAnswer& given, const base::PasskeyQuestion& asked, Time challenged_at
) {
    auto client_data = base::from_base64(given.client_data);
    auto data = base::from_base64(given.authenticator_data), signature = base::from_base64(given.signature);
    auto id = base::from_base64(known.credential), key = base::from_base64(known.public_key);
    if (!client_data || !data || !signature || !id || !key || challenged_at <= known.challenged_at)
        return std::nullopt;
    auto shown = base::shown_passkey(
        asked, {*id, *key, static_cast<int>(known.algorithm)}, *client_data, *data, *signature
    );
    // A counter that does not increase indicates a cloned authenticator.
    if (shown && known.uses > 0 && shown->uses <= known.uses) return std::nullopt;
    return shown;
}

std::optional<base::NewPasskey> read_passkey(const PasskeyAnswer& given, const base::PasskeyQuestion& asked) {
    auto client_data = base::from_base64(given.client_data),
         data = base::from_base64(given.authenticator_data);
    if (!client_data || !data) return std::nullopt;
    return base::made_passkey(asked, *client_data, *data);
}

bool use_passkey(db::Write& db, PasskeyId id, const base::ShownPasskey& shown, Time challenged_at) {
    return db.run(note_passkey_use, id, shown.uses, challenged_at, db.now()) > 0;
}

}  // namespace accounts
