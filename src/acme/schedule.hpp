// SPDX-License-Identifier: AGPL-3.0-or-later
// When to ask an authority: for a renewal, and again after it said no. Authorities count what is asked in vain, and shut out
// who asks too often for days.
#pragma once
#include "acme/client.hpp"
#include "acme/store.hpp"

#include <string_view>

namespace acme {

// After two thirds of its time; of the short-lived, after half.
base::Time usual_renewal(const Facts&);
// Within what the authority says, at a moment that follows from the certificate, so that not all come at once.
base::Time moment_within(const Renewal&, std::string_view renewal_id);
// When to ask the authority again when it would have the certificate renewed.
base::Time next_question(base::Time now, std::int64_t ask_again_in);

// The earliest moment of the next try: longer after each that failed in a row, no sooner than the authority said, and of those
// that it counts at most 5 an hour and 20 a week.
base::Time next_try(const std::vector<Try>&);

// Whether these names were tried out at `directory` in the last days.
bool was_rehearsed(const std::vector<Try>&, const std::string& directory);

}  // namespace acme
