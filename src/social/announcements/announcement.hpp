// SPDX-License-Identifier: AGPL-3.0-or-later
// Messages of the operator to all signed-in users, or to everybody: shown from a time on, until they end or
// are dismissed.
#pragma once
#include "base/json.hpp"
#include "db/session.hpp"

namespace announcements {

using base::AccountId;
using base::StatusId;
using base::Time;
using AnnouncementId = base::Id<struct AnnouncementTag>;

struct Announcement {
    AnnouncementId id;
    std::string text, html;
    std::string mentions, statuses, tags;  // JSON: ids of accounts, of statuses, names
    Time published_at;
    std::optional<Time> starts_at, ends_at;  // of the event that it announces
    bool all_day = false;
    Time updated_at;
    bool open = false;  // also shown to visitors who are not signed in
};
DESCRIBE(
    Announcement, id, text, html, mentions, statuses, tags, published_at, starts_at, ends_at, all_day,
    updated_at, open
)

enum class State { scheduled, published, ended };
State state_of(const Announcement&, Time now);

struct Draft {
    std::string text;
    std::optional<Time> publish_at, starts_at, ends_at;  // publish_at: now, when absent
    bool all_day = false, open = false;
};
// Throws Invalid: no text, or the end is before the start.
AnnouncementId create(db::Write&, const Draft&);
// With all reactions. Throws NotFound.
void remove(db::Write&, AnnouncementId);

// By the time of the events that they announce.
std::vector<Announcement> all(db::Read&);
std::vector<Announcement> published(db::Read&);
// Announcements for everybody: the newest ones; whether there are any; one of them.
std::vector<Announcement> open_to_all(db::Read&);
bool any_open_to_all(db::Read&);
Announcement one_open_to_all(db::Read&, AnnouncementId);  // throws NotFound
void require_published(db::Read&, AnnouncementId);        // throws NotFound

// Marks it as read. Repeating is harmless.
void dismiss(db::Write&, AccountId, AnnouncementId);
std::vector<AnnouncementId> dismissed(db::Read&, AccountId);

}  // namespace announcements
