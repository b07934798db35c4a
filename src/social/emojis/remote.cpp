// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/emojis/emoji.hpp"

#include "social/instance/remote_file.hpp"

#include <algorithm>

namespace emojis {

namespace {

bool well_formed(const RemoteEmoji& emoji) {
    constexpr std::size_t longest_name = 200, longest_url = 2048;
    bool letters = std::ranges::all_of(emoji.shortcode, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    return letters && emoji.shortcode.size() >= 2 && emoji.shortcode.size() <= longest_name &&
           instance::is_elsewhere(emoji.url) && emoji.url.size() <= longest_url;
}

}  // namespace

// Ignores an emoji that is older than the stored one.
const db::Command put_remote_emoji{
    "put_remote_emoji",
    R"(INSERT INTO custom_emojis (id, shortcode, domain, file, static_file, visible_in_picker, created_at, changed_at)
       VALUES ($1, $2, $3, $4, $4, FALSE, $5, $6)
       ON CONFLICT (shortcode, domain) DO UPDATE SET
           file = excluded.file, static_file = excluded.static_file, changed_at = excluded.changed_at
       WHERE custom_emojis.file <> excluded.file
         AND (custom_emojis.changed_at IS NULL OR excluded.changed_at IS NULL
              OR custom_emojis.changed_at <= excluded.changed_at))"
};

void store_remote(db::Write& db, std::string_view domain, const std::vector<RemoteEmoji>& emojis) {
    if (domain.empty()) return;
    for (std::size_t i = 0; i < std::min(emojis.size(), most_remote_emojis); ++i) {
        const auto& emoji = emojis[i];
        if (!well_formed(emoji)) continue;
        auto changed = emoji.changed_at;
        if (changed && *changed > db.now()) changed = db.now();
        auto id = db.new_id<EmojiId>();
        db.run(put_remote_emoji, id, emoji.shortcode, domain, emoji.url, db.now(), changed);
    }
}

}  // namespace emojis
