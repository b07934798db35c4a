// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/rules/cluster.hpp"
#include "social/rules/program.hpp"

namespace server {

statuses::Gate gate() {
    auto window = std::make_shared<rules::Window>();
    rules::forget_spotted();
    return {
        rules::any_rule,
        [window](db::Read& db, const statuses::Candidate& post) {
            return rules::judge_post(db, post, *window);
        },
        [window](db::Read& db, const statuses::Candidate& post) { rules::watch_post(db, post, *window); }
    };
}

}  // namespace server
