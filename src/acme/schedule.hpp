// SPDX-License-Identifier: AGPL-3.0-or-later
// When to contact an authority: for a renewal, and again after a failure. Authorities count failed attempts,
// and block clients that try too often for days.
#pragma once
#include "acme/client.hpp"
#include "acme/store.hpp"

#include <string_view>

namespace acme {

// After two thirds of the lifetime; for short-lived certificates, after half.
base::Time usual_renewal(const Facts&);
// A time within the authority's window that is derived from the certificate, so that not all clients come at
// once.
base::Time moment_within(const Renewal&, std::string_view renewal_id);
// When to ask again for the authority's recommended renewal time.
base::Time next_question(base::Time now, std::int64_t ask_again_in);

// The earliest time of the next attempt: later after each consecutive failure, not before the authority
// allows it, and, of the attempts that it counts, at most 5 per hour and 20 per week.
base::Time next_try(const std::vector<Try>&);

// Whether these names were tried at `directory` in the last days.
bool was_rehearsed(const std::vector<Try>&, const std::string& directory);

}  // namespace acme
