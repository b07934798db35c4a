// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures in quarantine as the team deals with them: whoever brought one is reported in the name of the program, and somebody decides.
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/users/role.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace moderation {

using media::QuarantineId;

// Each needs manage_blocks. Throw Forbidden, NotFound, and Invalid where somebody has decided already.
void release_quarantined(
    db::Write&, const accounts::Actor&, QuarantineId
);  // it is where it was, and never taken for one again
void destroy_quarantined(db::Write&, const accounts::Actor&, QuarantineId);

void note_seen(db::Write&, const accounts::Actor&, QuarantineId);  // in the audit log

struct QuarantineDecided {
    QuarantineId id;
};
DESCRIBE(QuarantineDecided, id)

// Reactions
void report_quarantined(db::Write&, const media::PictureQuarantined&);
jobs::Change settle_quarantine(const base::Ask&, db::Read&, const QuarantineDecided&);

}  // namespace moderation
