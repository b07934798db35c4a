// SPDX-License-Identifier: AGPL-3.0-or-later
// Computes suggestions: general ones periodically, those of an account soon after it followed somebody. The
// work is bounded, whatever the size of the network around an account.
#pragma once
#include "jobs/reactions.hpp"
#include "social/discovery/suggestion.hpp"

namespace discovery {

struct SuggestionsDue {
    AccountId account;
};
DESCRIBE(SuggestionsDue, account)

// Periodic
constexpr std::int64_t general_suggestions_every_seconds = 900, due_suggestions_every_seconds = 60;
jobs::Change renew_general_suggestions(db::Read&);
jobs::Change find_due_suggestions(db::Read&);

// Reaction, `computed`
jobs::Change renew_suggestions(db::Read&, const SuggestionsDue&);

}  // namespace discovery
