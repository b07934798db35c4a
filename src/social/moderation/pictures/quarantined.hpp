// SPDX-License-Identifier: AGPL-3.0-or-later
// Moderation of quarantined pictures: the account that brought one is reported automatically, and a moderator
// decides.
#pragma once
#include "jobs/reactions.hpp"
#include "social/accounts/users/role.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace moderation {

using media::QuarantineId;

// Each needs manage_blocks. Throw Forbidden, NotFound, and Invalid where somebody has decided already.
void release_quarantined(
    db::Write&, const accounts::Actor&, QuarantineId
);  // it is restored, and never quarantined again
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
