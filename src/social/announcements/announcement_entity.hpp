// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Announcement, for a viewer. The number of queries does not depend on the number of announcements.
#pragma once
#include "social/announcements/announcement.hpp"
#include "social/statuses/core/visibility.hpp"

namespace announcements {

struct Reaction {
    std::string name;
    std::int64_t count = 0;
    bool me = false;
    base::json::Omit<std::string> url, static_url;
};
DESCRIBE(Reaction, name, count, me, url, static_url)

struct Mentioned {
    AccountId id;
    std::string username, url, acct;
};
DESCRIBE(Mentioned, id, username, url, acct)

struct Tag {
    static constexpr std::string_view entity = "Announcement::Tag";

    std::string name, url;
};
DESCRIBE(Tag, name, url)

struct Entity {
    static constexpr std::string_view entity = "Announcement";

    AnnouncementId id;
    std::string content;
    std::optional<Time> starts_at, ends_at;
    bool all_day = false;
    std::optional<Time> published_at;
    Time updated_at;
    bool read = false;
    std::vector<Mentioned> mentions;
    std::vector<base::json::Raw> statuses;
    std::vector<Tag> tags;
    base::json::Raw emojis;
    std::vector<Reaction> reactions;
};
DESCRIBE(
    Entity, id, content, starts_at, ends_at, all_day, published_at, updated_at, read, mentions, statuses,
    tags, emojis, reactions
)

std::vector<Entity> entities(db::Read&, const statuses::Audience&, const std::vector<Announcement>&);

}  // namespace announcements
