// SPDX-License-Identifier: AGPL-3.0-or-later
// Who answers the questions for which other servers are asked and what they say is stored (base/ask.hpp).
#pragma once
#include "base/ask.hpp"
#include "db/engine.hpp"
#include "jobs/sessions.hpp"
#include "social/media/store.hpp"

namespace server {

// Registers the answers. `outside` must know those to base::Fetch.
void answer_from_elsewhere(base::Outside& outside, const jobs::Sessions&);
void answer_with_copies(
    base::Outside& outside, const jobs::Sessions&, media::Store, std::filesystem::path spool
);

}  // namespace server
