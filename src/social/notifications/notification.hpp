// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications: what is stored, who is told of what, and the pages of them.
#pragma once
#include "base/page.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/visibility.hpp"

namespace notifications {

using base::AccountId;
using base::NotificationId;
using base::StatusId;

BOOST_DEFINE_ENUM_CLASS(Type, mention, status, reblog, follow, follow_request, favourite)

struct Notification {
    NotificationId id;
    AccountId from_account_id;
    std::int64_t from_version = 0;
    Type type = Type::mention;
    StatusId status_id;
    std::string group_key;
    base::Time created_at;
};
DESCRIBE(Notification, id, from_account_id, from_version, type, status_id, group_key, created_at)

struct Filter {
    std::vector<std::string> types, exclude_types;
    AccountId from;  // 0: anybody
};

// Newest first. Those whose status is gone or hidden from the recipient are left out.
std::vector<Notification>
notifications(db::Read&, const statuses::Audience&, const base::Range&, const Filter&);
Notification notification(db::Read&, const statuses::Audience&, NotificationId);  // throws NotFound
std::int64_t unread_count(db::Read&, AccountId, std::int64_t limit, const Filter&);
void clear(db::Write&, AccountId);
void dismiss(db::Write&, AccountId, NotificationId);  // throws NotFound

// Stores one unless the recipient is not to be told (behaviours 11.14, "Dropped").
void notify(db::Write&, AccountId recipient, AccountId from, Type, StatusId status = {});
void withdraw(db::Write&, AccountId recipient, AccountId from, Type, StatusId status = {});

// More followers asked for a notice of this author's statuses: those with a greater follow id.
struct SubscribersLeft {
    StatusId status;
    AccountId author;
    std::int64_t after = 0;
};
DESCRIBE(SubscribersLeft, status, author, after)

// A deleted status about which notifications are left.
struct AboutLeft {
    StatusId status;
};
DESCRIBE(AboutLeft, status)

// Reactions
void tell_mentioned(db::Write&, const statuses::Published&);
void tell_subscribers(db::Write&, const statuses::Published&);
void tell_subscribers_left(db::Write&, const SubscribersLeft&);
void tell_reblogged(db::Write&, const statuses::Reblogged&);
void untell_reblogged(db::Write&, const statuses::Unreblogged&);
void tell_favourited(db::Write&, const statuses::Favourited&);
void untell_favourited(db::Write&, const statuses::Unfavourited&);
void tell_followed(db::Write&, const relationships::Followed&);
void untell_followed(db::Write&, const relationships::Unfollowed&);
void tell_requested(db::Write&, const relationships::FollowRequested&);
void untell_requested(db::Write&, const relationships::FollowRequestAnswered&);
void forget_status(db::Write&, const statuses::Deleted&);
void forget_status_left(db::Write&, const AboutLeft&);
void forget_blocked(db::Write&, const relationships::Blocked&);
void forget_muted(db::Write&, const relationships::Muted&);

}  // namespace notifications
