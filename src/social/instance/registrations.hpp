// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether sign-ups need approval by a moderator: because it is configured, or because the team has been
// inactive.
#pragma once
#include "db/session.hpp"

namespace instance {

bool approval_required(db::Read&);
// In addition to the configuration.
void require_approval(db::Write&, bool);

}  // namespace instance
