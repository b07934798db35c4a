// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/instance/about.hpp"

#include <algorithm>

namespace instance {

namespace {

struct Row {
    base::RuleId id;
    std::string text, hint;
};
DESCRIBE(Row, id, text, hint)

}  // namespace

const db::Query<Row> rules_in_order{
    "rules_in_order", "SELECT id, text, hint FROM rules WHERE deleted_at IS NULL ORDER BY position, id"
};

const db::Query<Row> rule_of_house{
    "rule_of_house", "SELECT id, text, hint FROM rules WHERE id = $1 AND deleted_at IS NULL"
};
const db::Command insert_rule_of_house{
    "insert_rule_of_house",
    R"(INSERT INTO rules (id, position, text, hint)
       SELECT $1, coalesce(max(position), 0) + 1, $2, $3 FROM rules)"
};
const db::Command update_rule_of_house{
    "update_rule_of_house", "UPDATE rules SET text = $2, hint = $3 WHERE id = $1 AND deleted_at IS NULL"
};
const db::Command place_rule_of_house{"place_rule_of_house", "UPDATE rules SET position = $2 WHERE id = $1"};
const db::Command end_rule_of_house{
    "end_rule_of_house", "UPDATE rules SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL"
};

namespace {

void check(const std::string& text) {
    constexpr std::size_t most = 300;
    if (base::text::is_blank(text)) throw base::Invalid("Validation failed: Text can't be blank");
    if (base::text::graphemes(text) > most)
        throw base::Invalid("Validation failed: Text is too long (maximum is 300 characters)");
}

}  // namespace

Rule rule(db::Read& db, base::RuleId id) {
    auto row = db.one(rule_of_house, id);
    return {row.id, row.text, row.hint, {"{}"}};
}

base::RuleId add_rule(db::Write& db, const std::string& text, const std::string& hint) {
    check(text);
    auto id = db.new_id<base::RuleId>();
    db.run(insert_rule_of_house, id, text, hint);
    return id;
}

void change_rule(db::Write& db, base::RuleId id, const std::string& text, const std::string& hint) {
    check(text);
    if (db.run(update_rule_of_house, id, text, hint) == 0) throw base::NotFound();
}

// Renumbers all rules, because two may have had the same position.
void move_rule_up(db::Write& db, base::RuleId id) {
    auto all = rules(db);
    auto found = std::ranges::find(all, id, &Rule::id);
    if (found == all.end()) throw base::NotFound();
    if (found != all.begin()) std::iter_swap(found, found - 1);
    std::int64_t place = 0;
    for (const auto& one : all) db.run(place_rule_of_house, one.id, ++place);
}

void remove_rule(db::Write& db, base::RuleId id) {
    if (db.run(end_rule_of_house, id, db.now()) == 0) throw base::NotFound();
}

std::vector<Rule> rules(db::Read& db) {
    std::vector<Rule> out;
    for (auto& row : db.all(rules_in_order)) out.push_back({row.id, row.text, row.hint, {"{}"}});
    return out;
}

}  // namespace instance
