// SPDX-License-Identifier: AGPL-3.0-or-later
// Reports that their authors want other servers to hear of. The server speaks, not the person.
#pragma once
#include "social/moderation/report.hpp"

namespace moderation {

// Reaction: to the server of who is reported, and to those of the people whom the reported statuses answered, as far as
// the reporter named them.
void forward_report(db::Write&, const Reported&);

}  // namespace moderation
