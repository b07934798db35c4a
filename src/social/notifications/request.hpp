// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests: one for each sender whose notifications the recipient's policy filters. A request summarizes
// them; accepting it releases them and all later ones, dismissing it removes them.
#pragma once
#include "base/page.hpp"
#include "db/session.hpp"
#include "social/relationships/relationship.hpp"

namespace notifications {

using base::AccountId;
using base::StatusId;
using RequestId = base::Id<struct NotificationRequestTag>;

struct Request {
    RequestId id;
    AccountId from_account_id;
    std::int64_t from_version = 0;
    StatusId last_status_id;
    std::int64_t notifications_count = 0;
    base::Time created_at, updated_at;
};
DESCRIBE(
    Request, id, from_account_id, from_version, last_status_id, notifications_count, created_at, updated_at
)

std::vector<Request> requests(db::Read&, AccountId, const base::Range&);
Request request(db::Read&, AccountId, RequestId);  // throws NotFound
bool merged(db::Read&, AccountId);                 // whether nothing accepted is still being released

void accept(db::Write&, AccountId, const Request&);
void dismiss(db::Write&, AccountId, const Request&);
// Ids of other recipients and unknown ones are ignored.
void accept_all(db::Write&, AccountId, const std::vector<RequestId>&);
void dismiss_all(db::Write&, AccountId, const std::vector<RequestId>&);

// Creates, updates or removes the request to match the filtered notifications.
void refresh_request(db::Write&, AccountId, AccountId from);
void forget_requests(db::Write&, AccountId);
// Also removes the permission: a blocked sender needs it again later.
void forget_sender(db::Write&, AccountId, AccountId from);

// Events
struct RequestAccepted {
    AccountId account, from;
};
DESCRIBE(RequestAccepted, account, from)
// Filtered notifications up to this id are to be removed.
struct RequestDismissed {
    AccountId account, from;
    std::int64_t up_to = 0;
};
DESCRIBE(RequestDismissed, account, from, up_to)

// Reactions
void release_filtered(db::Write&, const RequestAccepted&);
void remove_filtered(db::Write&, const RequestDismissed&);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_notification_requests;
extern const db::Command drop_own_notification_permissions;

}  // namespace notifications
