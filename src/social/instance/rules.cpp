// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/about.hpp"

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

std::vector<Rule> rules(db::Read& db) {
    std::vector<Rule> out;
    for (auto& row : db.all(rules_in_order)) out.push_back({row.id, row.text, row.hint, {"{}"}});
    return out;
}

}  // namespace instance
