// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications: what is stored, who is told of what, and the pages of them.
#pragma once
#include "base/page.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/poll.hpp"
#include "social/statuses/visibility.hpp"

namespace notifications {

using base::AccountId;
using base::NotificationId;
using base::StatusId;

// As stored; the API writes a dot after `admin` (word_of).
BOOST_DEFINE_ENUM_CLASS(
    Type, mention, status, reblog, follow, follow_request, favourite, poll, update, quote, quoted_update,
    severed_relationships, moderation_warning, annual_report, added_to_collection, collection_update,
    admin_sign_up, admin_report
)
std::string word_of(Type);

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

// Something happened that concerns the recipient. `from` did it; types without an actor have the recipient there.
// `about` is the id of the report, event, strike or collection, or the year, that the type is about.
struct Notice {
    AccountId recipient, from;
    Type type = Type::mention;
    StatusId status;
    std::int64_t about = 0;
};
// The one entrance for all types: decides whether the recipient is to be told (behaviours 11.14, "Dropped") and
// stores it, once. Of edits and changes only the newest notification stays.
void tell(db::Write&, const Notice&);
void withdraw(db::Write&, const Notice&);

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

// More who boosted an edited status, or voted in a poll that ended: those with a greater id.
struct RebloggersLeft {
    StatusId status;
    AccountId author, after;
    base::Time edited_at;
};
DESCRIBE(RebloggersLeft, status, author, after, edited_at)
struct VotersLeft {
    StatusId poll;
    AccountId author, after;
};
DESCRIBE(VotersLeft, poll, author, after)

// Reactions
void tell_edited(db::Write&, const statuses::Edited&);
void tell_rebloggers_left(db::Write&, const RebloggersLeft&);
void tell_poll_ended(db::Write&, const statuses::PollEnded&);
void tell_voters_left(db::Write&, const VotersLeft&);
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
