// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify_quotes.hpp"

#include "social/notifications/notify.hpp"

namespace notifications {

void tell_quoted(db::Write& db, const statuses::Quoted& e) {
    tell(db, {e.author, e.account, Type::quote, e.status});
}

void tell_quoters(db::Write& db, const statuses::Edited& e) {
    if (!statuses::quoters(db, e.id, 0, 1).empty()) db.emit(QuotersLeft{e.id, e.account, 0});
}

// Each is told of the status of theirs that now shows something else.
void tell_quoters_left(db::Write& db, const QuotersLeft& left) {
    constexpr int chunk = 200;
    auto found = statuses::quoters(db, left.status, left.after, chunk);
    for (const auto& quoter : found)
        tell(db, {quoter.account, left.author, Type::quoted_update, quoter.status});
    if (found.size() == chunk) db.emit(QuotersLeft{left.status, left.author, found.back().quote});
}

}  // namespace notifications
