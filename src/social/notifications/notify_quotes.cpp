// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify_quotes.hpp"

#include "social/notifications/notify.hpp"

namespace notifications {

void tell_quoted(db::Write& db, const statuses::Quoted& e) {
    tell(db, {e.author, e.account, Type::quote, e.status});
}

}  // namespace notifications
