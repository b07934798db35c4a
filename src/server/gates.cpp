// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/rules/program.hpp"

namespace server {

statuses::Gate gate() { return {rules::any_rule, rules::judge_post}; }

}  // namespace server
