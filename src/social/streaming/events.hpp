// SPDX-License-Identifier: AGPL-3.0-or-later
// What those who listen hear of, and how it looks to each.
#pragma once
#include "social/announcements/reaction.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/streaming/hub.hpp"
#include "social/timelines/home.hpp"

#include <unordered_map>

namespace streaming {

// What happens to one person, and what is told to everybody.

// notification, notifications_merged, filters_changed, conversation, encrypted_message
void notify_person(Hub&, db::Read&, const db::Announcement&);

void notify_announcement(Hub&, db::Read&, const announcements::Announcement&);
void notify_announcement_gone(Hub&, announcements::AnnouncementId);
void notify_reaction(Hub&, db::Read&, const announcements::Reacted&);

// Who hears of a status. The timelines decide: whoever listens hears what their timeline shows, and in its form.
void notify_published(Hub&, db::Read&, base::StatusId);
void notify_edited(Hub&, db::Read&, base::StatusId);
void notify_deleted(Hub&, db::Read&, base::StatusId);

// The accounts behind listeners, as they are now; one query for all of them.
struct Viewer {
    statuses::Audience audience;
    std::vector<std::string> languages;  // in which they want public statuses; empty: all, or not asked for
};

// Without those who are suspended, and without their languages, which cost each two more steps into tables.
std::unordered_map<base::AccountId, Viewer> viewers(db::Read&, std::vector<base::AccountId>);
std::unordered_map<base::AccountId, Viewer> viewers_with_languages(db::Read&, std::vector<base::AccountId>);

}  // namespace streaming
