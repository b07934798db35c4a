// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify_quotes.hpp"

#include "social/notifications/notify.hpp"

namespace notifications {

void notify_quoted(db::Write& db, const statuses::Quoted& e) {
    notify(db, {e.author, e.account, Type::quote, e.status});
}

void notify_quoters(db::Write& db, const statuses::Edited& e) {
    if (!e.says_the_same && !statuses::quoters(db, e.id, 0, 1).empty())
        db.emit(QuotersContinued{e.id, e.account, 0});
}

// Each gets a notification about their own status that now shows something else.
void notify_more_quoters(db::Write& db, const QuotersContinued& left) {
    constexpr int chunk = 200;
    auto found = statuses::quoters(db, left.status, left.after, chunk);
    for (const auto& quoter : found)
        notify(db, {quoter.account, left.author, Type::quoted_update, quoter.status});
    if (found.size() == chunk) db.emit(QuotersContinued{left.status, left.author, found.back().quote});
}

}  // namespace notifications
