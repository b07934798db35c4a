// SPDX-License-Identifier: AGPL-3.0-or-later
// Grouped notifications: the same rows, combined by their group key. A page contains groups; each is
// described as of the newest notification of the page.
#pragma once
#include "social/accounts/account_entity.hpp"
#include "social/notifications/notification.hpp"

namespace notifications {

// The types that can be grouped; the API may name fewer.
std::vector<std::string> groupable();

struct Group {
    Notification head;  // the notification that puts it on this page
    std::string key;
    std::int64_t count = 1;
    NotificationId newest, oldest_of_page;
    base::Time latest;
    std::vector<accounts::Version> samples;  // newest first
};

struct GroupFilter {
    Filter which;
    std::vector<std::string> grouped;  // types, as stored
};

std::vector<Group>
groups(db::Read&, const statuses::Audience&, const base::Range&, const GroupFilter&, StatusFacts&);
// By its key; a single notification has the key "ungrouped-" with its id. Throws NotFound.
Group group(db::Read&, const statuses::Audience&, std::string_view key, StatusFacts&);
std::int64_t unread_groups(db::Read&, AccountId, std::int64_t limit, const GroupFilter&);
void dismiss_group(db::Write&, AccountId, std::string_view key);

// The accounts of a group, newest first.
struct Member {
    NotificationId id;
    AccountId account_id;
    std::int64_t version = 0;
};
DESCRIBE(Member, id, account_id, version)
std::vector<Member> members(db::Read&, AccountId, std::string_view key, const base::Range&);

}  // namespace notifications
