// SPDX-License-Identifier: AGPL-3.0-or-later
// Who is told of quotes.
#pragma once
#include "social/statuses/quote.hpp"

namespace notifications {

// Reactions
void tell_quoted(db::Write&, const statuses::Quoted&);

}  // namespace notifications
