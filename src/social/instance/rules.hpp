// SPDX-License-Identifier: AGPL-3.0-or-later
// The rules of the house, as moderators wrote them.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace instance {

struct Rule {
    base::RuleId id;
    std::string text, hint;
    base::json::Raw translations;  // {"de":{"text","hint"}}
};
DESCRIBE(Rule, id, text, hint, translations)

std::vector<Rule> rules(db::Read&);

}  // namespace instance
