// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/relationship.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"

namespace relationships {

const db::Command insert_endorsement{
    "insert_endorsement",
    R"(INSERT INTO endorsements (account_id, target_id, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, target_id) DO NOTHING)"
};

void endorse(db::Write& db, AccountId me, AccountId target) {
    accounts::account(db, target);
    if (!pair_state(db, me, target).following)
        throw base::Invalid("Validation failed: You must be already following the person you want to endorse"
        );
    db.run(insert_endorsement, me, target, db.now());
}

const db::Command delete_endorsement{
    "delete_endorsement", "DELETE FROM endorsements WHERE account_id = $1 AND target_id = $2"
};

void unendorse(db::Write& db, AccountId me, AccountId target) {
    accounts::account(db, target);
    db.run(delete_endorsement, me, target);
}

const db::Query<accounts::ListedAccount> list_endorsements{
    "list_endorsements",
    R"(SELECT e.target_id AS cursor, e.target_id AS account, a.version
       FROM endorsements e JOIN accounts a ON a.id = e.target_id
       WHERE e.account_id = $1 AND e.target_id > $2 AND e.target_id < $3 AND a.suspended_at IS NULL
       ORDER BY e.target_id DESC LIMIT $4)"
};

std::vector<accounts::ListedAccount> endorsements(db::Read& db, AccountId by, const base::Range& page) {
    return db.all(list_endorsements, by, page.above, page.below, page.limit);
}

const db::Command put_note{
    "put_note",
    R"(INSERT INTO account_notes (account_id, target_id, comment) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, target_id) DO UPDATE SET comment = excluded.comment)"
};
const db::Command delete_note{
    "delete_note", "DELETE FROM account_notes WHERE account_id = $1 AND target_id = $2"
};

void set_note(db::Write& db, AccountId me, AccountId about, std::string_view comment) {
    constexpr std::size_t longest = 2000;
    accounts::account(db, about);
    if (base::text::is_blank(comment)) {
        db.run(delete_note, me, about);
        return;
    }
    if (base::text::graphemes(comment) > longest)
        throw base::Invalid("Validation failed: Comment is too long (maximum is 2000 characters)");
    db.run(put_note, me, about, comment);
}

}  // namespace relationships
