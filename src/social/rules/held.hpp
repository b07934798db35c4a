// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that rules hold back until somebody of the team has looked at them, or their time is up.
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
    std::optional<StatusId> status_id;  // of one of this site
    std::optional<std::string> uri;     // of one of another server
    std::string content, spoiler_text;
    statuses::Visibility visibility = statuses::Visibility::public_;
    std::int64_t mentions = 0;
    std::vector<std::string> media;  // addresses, of one of another server
    std::vector<RuleId> rules;
    Time created_at;
    std::optional<Time> until;
    bool drops = false;
};

// The newest first; those that wait, or those that were set aside.
std::vector<HeldPost> held_posts(db::Read&, const base::Range&, bool aside = false);
HeldPost held_post(db::Read&, HeldId);  // throws NotFound

constexpr std::int64_t aside_for_seconds = 7 * 86'400;

// Need manage_blocks. Throw Forbidden and NotFound.
void release_held(db::Write&, const accounts::Actor&, HeldId);  // it is published
void drop_held(db::Write&, const accounts::Actor&, HeldId);     // it will never be
// It waits no more and is dropped in a week, unless it is taken up again: then it waits without an end.
void set_aside_held(db::Write&, const accounts::Actor&, HeldId);
void take_up_held(db::Write&, const accounts::Actor&, HeldId);

void let_go(db::Write&, HeldId);  // it is published, where it still waits and was not set aside

struct HeldDue {
    HeldId held;
    std::optional<Time> until;  // as it was put off when it was found
};
DESCRIBE(HeldDue, held, until)
void find_due_held(db::Write&);  // periodic
void end_holding(db::Write&, const HeldDue&);  // reaction: released or dropped, as the rule says, unless another time was set

}  // namespace rules
