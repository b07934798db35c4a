// SPDX-License-Identifier: AGPL-3.0-or-later
// Suggestions of accounts to follow. Candidates are computed in the background and stored
// (suggestion_jobs.hpp); reading only removes those that no longer suit the viewer.
#pragma once
#include "social/statuses/core/visibility.hpp"

namespace discovery {

using base::AccountId;

BOOST_DEFINE_ENUM_CLASS(
    Source, featured, most_followed, most_interactions, similar_to_recently_followed, friends_of_friends
)

struct Suggestion {
    AccountId account;
    std::int64_t version = 0;
    std::vector<Source> sources;
};

// In a random order that is stable for 15 minutes.
std::vector<Suggestion> suggestions(db::Read&, const statuses::Audience& viewer);

// The account is never suggested again. Unknown accounts are ignored.
void dismiss(db::Write&, AccountId me, AccountId target);

constexpr int most_per_source = 40;

// What a source suggests to an account (0: to everybody), best first.
std::vector<AccountId> offered(db::Read&, AccountId to, Source);
void offer(db::Write&, AccountId to, Source, const std::vector<AccountId>& best_first);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_suggestions;
extern const db::Command drop_own_suggestion_dismissals;
extern const db::Command drop_own_suggestion_runs;

}  // namespace discovery
