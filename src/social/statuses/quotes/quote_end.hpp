// SPDX-License-Identifier: AGPL-3.0-or-later
// A quote ends: refused while it waited, revoked after it was accepted. Whose word it was the caller has checked.
#pragma once
#include "social/statuses/quotes/quote.hpp"

namespace statuses {

bool end_quote(db::Write&, StatusId quoting);  // false: there is none, or it has ended before

}  // namespace statuses
