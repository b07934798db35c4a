// SPDX-License-Identifier: AGPL-3.0-or-later
// Whether who signs up waits for a moderator: because the operator configured it, or because the site has been left alone.
#pragma once
#include "db/session.hpp"

namespace instance {

bool approval_required(db::Read&);
// Beyond what is configured.
void require_approval(db::Write&, bool);

}  // namespace instance
