// SPDX-License-Identifier: AGPL-3.0-or-later
// Finds where a stored picture is shown, and removes it there.
#pragma once
#include "social/emojis/emoji.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace media {

struct Places {
    std::string file;
    std::vector<std::string> family;  // the original last
    std::vector<Whose> media;         // attachments, whether or not they are posted
    std::vector<std::string> copies;  // the addresses that it is a copy of
    std::vector<Whose> copied;        // remote attachments that show a copy
    std::int64_t cards = 0;           // link previews that show it
    AccountId avatar_of, header_of;   // of local accounts
    std::vector<base::EmojiId> emojis;
    std::string sha256;  // of the original bytes
};
Places places_of(db::Read&, const std::string& file);

// Attachments stay, with their descriptions, but without files; copies are forgotten, and the files are
// deleted. The caller removes cards, avatars, headers and emojis.
void erase(db::Write&, const Places&);

}  // namespace media
