// SPDX-License-Identifier: AGPL-3.0-or-later
// What rules note about an account: read by the team, and by other rules as author.label. Nobody else is told.
#pragma once
#include "social/rules/rule.hpp"

namespace rules {

struct Label {
    std::string label;
    RuleId rule_id;
    Time created_at;
};
DESCRIBE(Label, label, rule_id, created_at)

std::vector<Label> labels_of(db::Read&, AccountId);  // by name
void put_label(
    db::Write&, AccountId, const std::string& label, RuleId
);  // the first rule that says so keeps it
bool take_label(
    db::Write&, AccountId, const std::string& label, RuleId
);  // of this rule; whether it was there
// Needs manage_blocks. Throws Forbidden and NotFound.
void remove_label(db::Write&, const accounts::Actor&, AccountId, const std::string& label);

std::int64_t drop_labels(
    db::Write&, AccountId, int most
);  // of an account that is gone (server/private_rows.cpp)

}  // namespace rules
