// SPDX-License-Identifier: AGPL-3.0-or-later
// Clearing all notifications of somebody: gone at once for them, some hundred rows at a time for everybody else who waits
// for the writer.
#pragma once
#include "social/notifications/notification.hpp"

namespace notifications {

struct ClearingLeft {
    AccountId account;
};
DESCRIBE(ClearingLeft, account)
void clear_left(db::Write&, const ClearingLeft&);  // reaction

}  // namespace notifications
