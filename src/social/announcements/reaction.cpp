// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/announcements/reaction.hpp"

#include "base/text/emoji.hpp"

#include <algorithm>

namespace announcements {

const db::Query<std::string> reaction_names{
    "reaction_names", "SELECT DISTINCT name FROM announcement_reactions WHERE announcement_id = $1"
};
const db::Command insert_reaction{
    "insert_reaction",
    R"(INSERT INTO announcement_reactions (id, announcement_id, account_id, name, custom_emoji_id)
       VALUES ($1, $2, $3, $4, $5))"
};

namespace {

void announce_count(db::Write& db, AnnouncementId id, const std::string& name) {
    db.announce({"announcements", "announcement.reaction", base::json::to_string(Reacted{id, name})});
}

}  // namespace

void react(db::Write& db, AccountId account, AnnouncementId id, const std::string& name) {
    require_published(db, id);
    std::optional<base::EmojiId> custom;
    if (!base::text::is_emoji(name)) {
        auto found = emojis::named(db, name);
        if (!found) throw base::Invalid("Validation failed: Name is not a recognized emoji");
        custom = found->id;
    }
    auto names = db.all(reaction_names, id);
    if (std::ssize(names) >= most_reactions && std::ranges::find(names, name) == names.end())
        throw base::Invalid("Validation failed: Limit of different reactions reached");
    db.run(insert_reaction, db.new_id<base::Id<struct ReactionTag>>(), id, account, name, custom);
    announce_count(db, id, name);
}

const db::Command delete_reaction{
    "delete_reaction",
    "DELETE FROM announcement_reactions WHERE announcement_id = $1 AND account_id = $2 AND name = $3"
};

void unreact(db::Write& db, AccountId account, AnnouncementId id, const std::string& name) {
    require_published(db, id);
    if (db.run(delete_reaction, id, account, name) == 0) throw base::NotFound();
    announce_count(db, id, name);
}

const db::Query<Counted> counted_reactions{
    "counted_reactions",
    R"(SELECT announcement_id, name, COUNT(*) AS count,
              MAX(CASE WHEN account_id = $2 THEN 1 ELSE 0 END) = 1 AS me, MAX(custom_emoji_id) AS custom_emoji_id
       FROM announcement_reactions WHERE announcement_id IN (SELECT value FROM json_each($1))
       GROUP BY announcement_id, name ORDER BY announcement_id, MIN(id))",
    R"(SELECT announcement_id, name, CAST(COUNT(*) AS BIGINT) AS count,
              bool_or(account_id = $2) AS me, MAX(custom_emoji_id) AS custom_emoji_id
       FROM announcement_reactions WHERE announcement_id = ANY($1)
       GROUP BY announcement_id, name ORDER BY announcement_id, MIN(id))"
};

std::vector<Counted> reactions(db::Read& db, const std::vector<AnnouncementId>& ids, AccountId viewer) {
    return db.all(counted_reactions, ids, viewer);
}

const db::Command drop_own_announcement_reactions{
    "drop_own_announcement_reactions",
    R"(DELETE FROM announcement_reactions WHERE account_id = $1 AND id IN (
           SELECT id FROM announcement_reactions WHERE account_id = $1 ORDER BY id LIMIT $2))"
};

const db::Command drop_own_announcement_dismissals{
    "drop_own_announcement_dismissals",
    R"(DELETE FROM announcement_dismissals WHERE account_id = $1 AND announcement_id IN (
           SELECT announcement_id FROM announcement_dismissals WHERE account_id = $1 ORDER BY announcement_id LIMIT $2))"
};

}  // namespace announcements
