// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels that rules put on accounts, and read as author.label and server.label. A label that does not exist
// is created without an effect, which staff may set (labels/label.hpp).
#pragma once
#include "social/rules/rule.hpp"

namespace rules {

std::vector<std::string> labels_of(db::Read&, AccountId);  // their names
std::vector<std::string> labels_of_server(
    db::Read&, std::string_view domain
);  // with those of the domains above

void put_label(
    db::Write&, AccountId, const std::string& label, RuleId
);  // the first rule that puts it owns it
bool take_label(
    db::Write&, AccountId, const std::string& label, RuleId
);  // of this rule; whether it was there

void require_labels(db::Read&, const Definition&);  // throws Invalid when no more labels can be created

}  // namespace rules
