// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account.hpp"

#include "social/accounts/profile/profile.hpp"
#include "social/accounts/remote/remote.hpp"

namespace accounts {

const db::Query<std::string> aliases_of{
    "aliases_of", "SELECT uri FROM aliases WHERE account_id = $1 ORDER BY created_at, uri"
};
const db::Command insert_alias{
    "insert_alias",
    R"(INSERT INTO aliases (account_id, uri, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, uri) DO NOTHING)"
};
const db::Command delete_alias{"delete_alias", "DELETE FROM aliases WHERE account_id = $1 AND uri = $2"};

std::vector<std::string> aliases(db::Read& db, AccountId id) { return db.all(aliases_of, id); }

void add_alias(db::Write& db, AccountId id, std::string_view uri) {
    if (uri.empty() || uri.size() > longest_uri) throw base::Invalid("This is no account");
    if (aliases(db, id).size() >= most_aliases) throw base::Invalid("There are too many aliases");
    if (db.run(insert_alias, id, uri, db.now()) > 0) db.emit(ProfileChanged{id});
}

bool remove_alias(db::Write& db, AccountId id, std::string_view uri) {
    bool removed = db.run(delete_alias, id, uri) > 0;
    if (removed) db.emit(ProfileChanged{id});
    return removed;
}

}  // namespace accounts
