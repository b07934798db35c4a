// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/events.hpp"

#include "social/announcements/announcement_entity.hpp"
#include "social/conversations/conversation.hpp"
#include "social/crypto/message.hpp"
#include "social/notifications/notification_entity.hpp"

#include <algorithm>

namespace streaming {

namespace {

// Listeners of the stream `user` that include notifications, and all of the stream of notifications.
std::vector<Seat> notified(Hub& hub, AccountId account) {
    auto seats = hub.at_home(account);
    std::erase_if(seats, [](const Seat& seat) { return !hears_notifications(seat.listener->who.scopes); });
    for (auto& seat : hub.seats(key_of(Kind::notifications, account.value))) seats.push_back(std::move(seat));
    return seats;
}

void notify_notification(Hub& hub, db::Read& db, AccountId account, notifications::NotificationId id) {
    auto seats = notified(hub, account);
    auto known = viewers(db, {account});
    if (seats.empty() || known.empty()) return;
    const auto& audience = known.at(account).audience;
    try {
        notifications::StatusFacts facts;
        auto one = notifications::notification(db, audience, id, facts);
        std::erase_if(seats, [&](const Seat& seat) {
            return !notifications::goes_with(one.type, seat.listener->who.viewer.permissions);
        });
        if (seats.empty()) return;
        Message message("notification", notifications::json(db, audience, one, facts, std::nullopt));
        hub.tell(seats, message);
    } catch (const base::NotFound&) {
        // Deleted, or hidden by now.
    }
}

void notify_conversation(Hub& hub, db::Read& db, AccountId account, conversations::ViewId id) {
    auto seats = hub.seats(key_of(Kind::direct, account.value));
    auto known = viewers(db, {account});
    if (seats.empty() || known.empty()) return;
    try {
        auto found = conversations::entities(
            db, known.at(account).audience, {conversations::conversation(db, account, id)}
        );
        if (found.empty()) return;
        Message message("conversation", base::json::to_string(found[0]));
        hub.tell(seats, message);
    } catch (const base::NotFound&) {
        // Deleted meanwhile.
    }
}

void notify_device(Hub& hub, db::Read& db, base::TokenId token, const db::Announcement& news) {
    auto seats = hub.at_home_by(token);
    std::erase_if(seats, [](const Seat& seat) { return seat.label.empty(); });
    if (seats.empty()) return;
    auto found = crypto::find_message(db, {std::stoll(news.payload)});
    if (!found) return;  // the device has read and cleared it
    Message message(news.event, base::json::to_string(*found));
    hub.tell(seats, message);
}

// "user:notification:42"
std::int64_t number_of(const std::string& channel) {
    return std::stoll(channel.substr(channel.rfind(':') + 1));
}

std::vector<Seat> everybody(Hub& hub) {
    std::vector<Seat> all;
    for (auto account : hub.at_home())
        for (auto& seat : hub.at_home(account)) all.push_back(std::move(seat));
    return all;
}

}  // namespace

void notify_person(Hub& hub, db::Read& db, const db::Announcement& news) {
    const auto whose = number_of(news.channel);
    if (news.event == "notification")
        return notify_notification(hub, db, {whose}, {std::stoll(news.payload)});
    if (news.event == "conversation")
        return notify_conversation(hub, db, {whose}, {std::stoll(news.payload)});
    if (news.channel.starts_with("device:")) return notify_device(hub, db, {whose}, news);
    Message message(news.event, news.payload);
    hub.tell(
        news.event == "notifications_merged" ? notified(hub, {whose}) : hub.at_home(AccountId{whose}), message
    );
}

void notify_announcement(Hub& hub, db::Read& db, const announcements::Announcement& one) {
    auto entity = announcements::entities(db, statuses::nobody(db), {one});
    Message message("announcement", base::json::to_string(entity[0]));
    hub.tell(everybody(hub), message);
}

void notify_announcement_gone(Hub& hub, announcements::AnnouncementId id) {
    Message message("announcement.delete", std::to_string(id.value));
    hub.tell(everybody(hub), message);
}

namespace {

struct Reaction {
    std::string name;
    std::int64_t count = 0;
    bool me = false;
    base::json::Omit<std::string> url, static_url;
    announcements::AnnouncementId announcement_id;
};
DESCRIBE(Reaction, name, count, me, url, static_url, announcement_id)

}  // namespace

void notify_reaction(Hub& hub, db::Read& db, const announcements::Reacted& news) {
    auto seats = everybody(hub);
    if (seats.empty()) return;
    Reaction told{news.name, 0, false, {}, {}, news.announcement_id};
    for (const auto& counted : announcements::reactions(db, {news.announcement_id}, {})) {
        if (counted.name != news.name) continue;
        told.count = counted.count;
        if (!counted.custom_emoji_id) continue;
        for (const auto& emoji : emojis::by_id(db, {counted.custom_emoji_id})) {
            told.url = db.site().media(emoji.file);
            told.static_url = db.site().media(emoji.static_file);
        }
    }
    Message message("announcement.reaction", base::json::to_string(told));
    hub.tell(seats, message);
}

}  // namespace streaming
