// SPDX-License-Identifier: AGPL-3.0-or-later
// Where a stored picture is shown, and taking it from there.
#pragma once
#include "social/emojis/emoji.hpp"
#include "social/media/hashes/quarantine.hpp"

namespace media {

struct Places {
    std::string file;
    std::vector<std::string> family;  // the original last
    std::vector<Whose> media;         // attachments, whether or not they are posted
    std::vector<std::string> copies;  // the addresses of which it is a copy
    std::vector<Whose> copied;        // attachments of other servers that show a copy
    std::int64_t cards = 0;           // previews of links that show it
    AccountId avatar_of, header_of;   // of this site
    std::vector<base::EmojiId> emojis;
    std::string sha256;  // of what came
};
Places places_of(db::Read&, const std::string& file);

// Attachments stay, with their descriptions, and show nothing any more; copies are forgotten, and the files go. Cards, portraits and emojis
// are up to whoever knows them.
void erase(db::Write&, const Places&);

}  // namespace media
