// SPDX-License-Identifier: AGPL-3.0-or-later
// Notifications as stored, and pages of them. notify.hpp decides who is notified of what.
#pragma once
#include "base/id_map.hpp"
#include "base/page.hpp"
#include "social/statuses/core/visibility.hpp"

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
std::optional<Type> type_named(std::string_view word);

struct Notification {
    NotificationId id;
    AccountId from_account_id;
    std::int64_t from_version = 0;  // set by kept()
    Type type = Type::mention;
    StatusId status_id;
    std::int64_t about_id = 0;
    std::string group_key;
    bool filtered = false;
    base::Time created_at;
};
DESCRIBE(
    Notification, id, from_account_id, from_version, type, status_id, about_id, group_key, filtered,
    created_at
)

// Which notifications are requested.
struct Filter {
    std::vector<std::string> types;  // as stored
    AccountId from;                  // 0: anybody
    bool include_filtered = false;
    bool chosen = false;   // only some types are wanted
    bool nothing = false;  // no type is left
};
// Whether a role with these permissions may see the type: former moderators no longer see reports.
bool goes_with(Type, std::int64_t permissions);
// From the words of a request, ignoring unknown ones, and the permissions of the recipient's role.
Filter filter_of(
    const std::vector<std::string>& types, const std::vector<std::string>& exclude_types,
    std::int64_t permissions
);

// Facts of their statuses that were loaded on the way, for rendering.
using StatusFacts = base::IdMap<StatusId, statuses::VisibilityFacts>;

// Removes those whose status is deleted or hidden from the recipient, or whose sender is suspended or blocked
// by the recipient.
std::vector<Notification>
kept(db::Read&, const statuses::Audience& recipient, std::vector<Notification> found, StatusFacts&);

// Removes those whose status is hidden among notifications by a filter of the recipient.
std::vector<Notification>
unfiltered(db::Read&, const statuses::Audience& recipient, std::vector<Notification>, const StatusFacts&);

// One line that describes the event, suitable as the subject of a mail. `name` is the actor.
std::string title(Type, const std::string& name, std::string_view language);

// Newest first.
std::vector<Notification>
notifications(db::Read&, const statuses::Audience&, const base::Range&, const Filter&, StatusFacts&);
// Throws NotFound.
Notification notification(db::Read&, const statuses::Audience&, NotificationId, StatusFacts&);
std::int64_t unread_count(db::Read&, AccountId, std::int64_t limit, const Filter&);
void clear(db::Write&, AccountId);
void dismiss(db::Write&, AccountId, NotificationId);  // throws NotFound

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_notifications;
extern const db::Command drop_own_notification_groups;

// Clears all notifications of an account: hidden at once, deleted some hundred rows at a time so that the
// writer is not blocked.
struct ClearingContinued {
    AccountId account;
};
DESCRIBE(ClearingContinued, account)
void continue_clearing(db::Write&, const ClearingContinued&);  // reaction

}  // namespace notifications
