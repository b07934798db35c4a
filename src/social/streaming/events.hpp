// SPDX-License-Identifier: AGPL-3.0-or-later
// Events that are sent to listeners, and their form for each listener.
#pragma once
#include "social/announcements/reaction.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/streaming/hub.hpp"
#include "social/timelines/home.hpp"

#include <unordered_map>

namespace streaming {

// Events for one account, and events for everybody.

// notification, notifications_merged, filters_changed, conversation, encrypted_message
void notify_person(Hub&, db::Read&, const db::Announcement&);

void notify_announcement(Hub&, db::Read&, const announcements::Announcement&);
void notify_announcement_gone(Hub&, announcements::AnnouncementId);
void notify_reaction(Hub&, db::Read&, const announcements::Reacted&);

// Delivery of statuses. The rules of timelines decide: listeners get what their timeline shows, in the same
// form.
void notify_published(Hub&, db::Read&, base::StatusId);
void notify_edited(Hub&, db::Read&, base::StatusId);
void notify_deleted(Hub&, db::Read&, base::StatusId);

// The accounts of listeners, in their present state; one query for all of them.
struct Viewer {
    statuses::Audience audience;
    std::vector<std::string> languages;  // languages chosen for public statuses; empty: all, or not loaded
};

// Without suspended accounts, and without languages, which cost two more lookups per account.
std::unordered_map<base::AccountId, Viewer> viewers(db::Read&, std::vector<base::AccountId>);
std::unordered_map<base::AccountId, Viewer> viewers_with_languages(db::Read&, std::vector<base::AccountId>);

}  // namespace streaming
