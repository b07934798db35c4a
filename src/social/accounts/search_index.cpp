// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/search_index.hpp"

#include "base/text/words.hpp"
#include "db/full_text.hpp"

namespace accounts {

namespace {

struct Names {
    AccountId id;
    std::string username, display_name;
};
DESCRIBE(Names, id, username, display_name)

}  // namespace

const db::Query<Names> names_of_account{
    "names_of_account", "SELECT id, username, display_name FROM accounts WHERE id = $1"
};
const db::Query<Names> names_below{
    "names_below", "SELECT id, username, display_name FROM accounts WHERE id < $1 ORDER BY id DESC LIMIT $2"
};
const db::Command put_account_text{
    "put_account_text",
    R"(INSERT INTO account_texts (account_id, words) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET words = excluded.words WHERE account_texts.words <> excluded.words)",
    R"(INSERT INTO account_texts (account_id, words, terms) VALUES ($1, $2, CAST(CAST($3 AS TEXT) AS TSVECTOR))
       ON CONFLICT (account_id) DO UPDATE SET words = excluded.words, terms = excluded.terms
       WHERE account_texts.words <> excluded.words)"
};

namespace {

void put(db::Write& db, const Names& names) {
    db::IndexedText text{base::text::words(names.username + " " + names.display_name), {}};
    db.run(put_account_text, names.id, text.for_sqlite(), text.for_postgres());
}

}  // namespace

void index_names(db::Write& db, AccountId id) {
    if (auto names = db.maybe(names_of_account, id)) put(db, *names);
}

const db::Command delete_account_text{
    "delete_account_text", "DELETE FROM account_texts WHERE account_id = $1"
};

void forget_names(db::Write& db, AccountId id) { db.run(delete_account_text, id); }

void index_older_names(db::Write& db, const NamesLeft& left) {
    constexpr int chunk = 200;
    auto some = db.all(names_below, left.below, chunk);
    // Upwards: FTS5 writes out what it holds whenever a row comes that is older than the one before.
    for (auto names = some.rbegin(); names != some.rend(); ++names) put(db, *names);
    if (some.size() == chunk) db.emit(NamesLeft{some.back().id});
}

}  // namespace accounts
