// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that rules hold back until staff has reviewed them, or until their time is up.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/role.hpp"
#include "social/rules/rule.hpp"
#include "social/statuses/core/held.hpp"

namespace rules {

using statuses::Held, statuses::HeldId;

struct HeldPost {
    HeldId id;
    AccountId account_id;
    std::string acct;
    std::optional<StatusId> status_id;  // of a local post
    std::optional<std::string> uri;     // of a remote post
    std::string content, spoiler_text;
    statuses::Visibility visibility = statuses::Visibility::public_;
    std::int64_t mentions = 0;
    std::vector<std::string> media;  // URLs, of a remote post
    std::vector<RuleId> rules;
    Time created_at;
    std::optional<Time> until;
    bool drops = false;
};

// Newest first; those that wait, or those that were set aside.
std::vector<HeldPost> held_posts(db::Read&, const base::Range&, bool aside = false);
HeldPost held_post(db::Read&, HeldId);  // throws NotFound

constexpr std::int64_t aside_for_seconds = 7 * 86'400;

// Need manage_blocks. Throw Forbidden and NotFound.
void release_held(db::Write&, const accounts::Actor&, HeldId);  // it is published
void drop_held(db::Write&, const accounts::Actor&, HeldId);     // it will never be
// It is dropped after a week, unless it is resumed: then it waits without a limit.
void set_aside_held(db::Write&, const accounts::Actor&, HeldId);
void take_up_held(db::Write&, const accounts::Actor&, HeldId);

void let_go(db::Write&, HeldId);  // publishes it, if it still waits and was not set aside

struct HeldDue {
    HeldId held;
    std::optional<Time> until;  // as it was put off when it was found
};
DESCRIBE(HeldDue, held, until)
void find_due_held(db::Write&);  // periodic
void end_holding(db::Write&, const HeldDue&);  // reaction: released or dropped, as the rule says, unless another time was set

}  // namespace rules
