// SPDX-License-Identifier: AGPL-3.0-or-later
// Emoji reactions to an announcement: each account may use each emoji once, and there is a limit of different
// ones.
#pragma once
#include "social/announcements/announcement.hpp"
#include "social/emojis/emoji.hpp"

namespace announcements {

constexpr std::int64_t most_reactions = 8;  // different ones

// `name` is an emoji or the shortcode of a local custom one. Throws NotFound; Invalid: no such emoji, or too
// many different ones; Duplicate if the account has reacted with it already.
void react(db::Write&, AccountId, AnnouncementId, const std::string& name);
void unreact(db::Write&, AccountId, AnnouncementId, const std::string& name);  // throws NotFound

// The count of a reaction has changed. Announced, for streams.
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
    base::EmojiId custom_emoji_id;  // 0: a Unicode emoji
};
DESCRIBE(Counted, announcement_id, name, count, me, custom_emoji_id)
// In the order of their first use; one query.
std::vector<Counted> reactions(db::Read&, const std::vector<AnnouncementId>&, AccountId viewer);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_announcement_reactions;
extern const db::Command drop_own_announcement_dismissals;

}  // namespace announcements
