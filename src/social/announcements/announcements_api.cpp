// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/announcements/announcement_entity.hpp"
#include "social/announcements/reaction.hpp"
#include "social/statuses/core/viewer_api.hpp"

namespace announcements {
namespace {

using http::Viewer;

std::vector<Entity> index(db::Read& db, const Viewer& me) {
    return entities(db, statuses::audience(db, me), published(db));
}

struct ById {
    AnnouncementId id;
};
DESCRIBE(ById, id)

void dismiss_one(db::Write& db, const Viewer& me, const ById& path) { dismiss(db, me.account, path.id); }

struct OneReaction {
    AnnouncementId announcement_id;
    std::string id;  // the emoji, or the shortcode of a custom one
};
DESCRIBE(OneReaction, announcement_id, id)

void add(db::Write& db, const Viewer& me, const OneReaction& path) {
    react(db, me.account, path.announcement_id, path.id);
}

void take_back(db::Write& db, const Viewer& me, const OneReaction& path) {
    unreact(db, me.account, path.announcement_id, path.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>       ("/api/v1/announcements"),
    http::post<dismiss_one>("/api/v1/announcements/:id/dismiss", "write:accounts"),
    http::put<add>         ("/api/v1/announcements/:announcement_id/reactions/:id", "write:favourites"),
    http::patch<add>       ("/api/v1/announcements/:announcement_id/reactions/:id", "write:favourites"),
    http::del<take_back>   ("/api/v1/announcements/:announcement_id/reactions/:id", "write:favourites"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace announcements
