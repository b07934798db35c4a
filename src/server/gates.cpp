// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/rules/program.hpp"

namespace server {

statuses::Gate gate() {
    auto window = std::make_shared<rules::Window>();
    return {rules::any_rule, [window](db::Read& db, const statuses::Candidate& post) {
                return rules::judge_post(db, post, *window);
            }};
}

}  // namespace server
