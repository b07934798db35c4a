// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/label.hpp"

#include "base/json.hpp"
#include "social/moderation/account_action.hpp"

namespace rules {

const db::Query<Label> labels_of_account{
    "labels_of_account", "SELECT label, rule_id, created_at FROM labels WHERE account_id = $1 ORDER BY label"
};
const db::Command insert_label{
    "insert_label",
    R"(INSERT INTO labels (account_id, label, rule_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, label) DO NOTHING)"
};
const db::Command delete_label_of_rule{
    "delete_label_of_rule", "DELETE FROM labels WHERE account_id = $1 AND label = $2 AND rule_id = $3"
};
const db::Command delete_label{"delete_label", "DELETE FROM labels WHERE account_id = $1 AND label = $2"};
const db::Command delete_labels_of{
    "delete_labels_of",
    "DELETE FROM labels WHERE account_id = $1 AND label IN (SELECT label FROM labels WHERE account_id = $1 "
    "ORDER BY label LIMIT $2)"
};

std::vector<Label> labels_of(db::Read& db, AccountId account) { return db.all(labels_of_account, account); }

void put_label(db::Write& db, AccountId account, const std::string& label, RuleId rule) {
    db.run(insert_label, account, label, rule, db.now());
}

bool take_label(db::Write& db, AccountId account, const std::string& label, RuleId rule) {
    return db.run(delete_label_of_rule, account, label, rule) > 0;
}

void remove_label(db::Write& db, const accounts::Actor& who, AccountId account, const std::string& label) {
    accounts::require(who, accounts::permission::manage_blocks);
    if (db.run(delete_label, account, label) == 0) throw base::NotFound();
    moderation::log(
        db,
        who,
        "remove_label",
        {"Account", account.value, moderation::name_of(db, account)},
        base::json::to_string(label)
    );
}

std::int64_t drop_labels(db::Write& db, AccountId account, int most) {
    return db.run(delete_labels_of, account, most);
}

}  // namespace rules
