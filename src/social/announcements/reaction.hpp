// SPDX-License-Identifier: AGPL-3.0-or-later
// Emojis under an announcement: each account once with each, and few kinds in all.
#pragma once
#include "social/announcements/announcement.hpp"
#include "social/emojis/emoji.hpp"

namespace announcements {

constexpr std::int64_t most_reactions = 8;  // different ones

// `name` is an emoji or the shortcode of a custom one of this site. Throws NotFound, or Invalid: no such emoji, too
// many different ones; Duplicate when it is there already.
void react(db::Write&, AccountId, AnnouncementId, const std::string& name);
void unreact(db::Write&, AccountId, AnnouncementId, const std::string& name);  // throws NotFound

// How often one stands there has changed. Announced, for streams.
struct Reacted {
    AnnouncementId announcement_id;
    std::string name;
};
DESCRIBE(Reacted, announcement_id, name)

struct Counted {
    AnnouncementId announcement_id;
    std::string name;
    std::int64_t count = 0;
    bool me = false;
    base::EmojiId custom_emoji_id;  // 0: of Unicode
};
DESCRIBE(Counted, announcement_id, name, count, me, custom_emoji_id)
// In the order in which they first came; one query for all.
std::vector<Counted> reactions(db::Read&, const std::vector<AnnouncementId>&, AccountId viewer);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_announcement_reactions;
extern const db::Command drop_own_announcement_dismissals;

}  // namespace announcements
