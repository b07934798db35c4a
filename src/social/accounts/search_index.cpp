// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/search.hpp"

#include "base/json.hpp"
#include "base/text/words.hpp"
#include "db/full_text.hpp"

#include <algorithm>
#include <optional>

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
// Many rows at once, for the reason in discovery/status_index.cpp.
const db::Command put_account_texts{
    "put_account_texts",
    R"(INSERT INTO account_texts (account_id, words)
       SELECT CAST(json_extract(value, '$.id') AS INTEGER), json_extract(value, '$.words') FROM json_each($1) WHERE TRUE
       ON CONFLICT (account_id) DO UPDATE SET words = excluded.words WHERE account_texts.words <> excluded.words)",
    R"(INSERT INTO account_texts (account_id, words, terms)
       SELECT CAST(r ->> 'id' AS BIGINT), r ->> 'words', CAST(r ->> 'terms' AS TSVECTOR)
       FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) r
       ON CONFLICT (account_id) DO UPDATE SET words = excluded.words, terms = excluded.terms
       WHERE account_texts.words <> excluded.words)"
};

namespace {

struct Text {
    AccountId id;
    std::string words, terms;  // for both, for PostgreSQL
};
DESCRIBE(Text, id, words, terms)

std::vector<Text> texts_of(std::vector<Names> all) {
    std::ranges::sort(all, {}, &Names::id);
    std::vector<Text> texts;
    for (const auto& names : all) {
        db::IndexedText text{base::text::words(names.username + " " + names.display_name), {}};
        texts.push_back({names.id, text.for_sqlite(), text.for_postgres()});
    }
    return texts;
}

void put(db::Write& db, const std::vector<Text>& texts) {
    if (!texts.empty()) db.run(put_account_texts, base::json::to_string(texts));
}

}  // namespace

void index_names(db::Write& db, AccountId id) {
    if (auto names = db.maybe(names_of_account, id)) put(db, texts_of({*names}));
}

const db::Command delete_account_text{
    "delete_account_text", "DELETE FROM account_texts WHERE account_id = $1"
};

void forget_names(db::Write& db, AccountId id) { db.run(delete_account_text, id); }

jobs::Change index_older_names(db::Read& db, const NameIndexContinued& left) {
    constexpr int chunk = 100;
    auto some = db.all(names_below, left.below, chunk);
    auto next = some.size() == chunk ? std::optional(NameIndexContinued{some.back().id}) : std::nullopt;
    return [texts = texts_of(std::move(some)), next](db::Write& write) {
        put(write, texts);
        if (next) write.emit(*next);
    };
}

}  // namespace accounts
