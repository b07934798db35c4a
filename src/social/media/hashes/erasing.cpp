// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/erasing.hpp"

#include "social/media/hashes/hash.hpp"

#include <charconv>
#include <set>

namespace media {

namespace {

struct Shown {
    MediaId id;
    AccountId account_id;
    StatusId status_id;
    std::string preview;
};
DESCRIBE(Shown, id, account_id, status_id, preview)

struct CopyRow {
    std::string url, small;
};
DESCRIBE(CopyRow, url, small)

struct Portraits {
    AccountId id;
    std::string avatar, avatar_static, header, header_static;
};
DESCRIBE(Portraits, id, avatar, avatar_static, header, header_static)

struct EmojiRow {
    base::EmojiId id;
    std::string static_file;
};
DESCRIBE(EmojiRow, id, static_file)

}  // namespace

const db::Query<Shown> media_with_file{
    "media_with_file",
    R"(SELECT id, account_id, status_id, preview FROM media WHERE file = $1
       UNION SELECT id, account_id, status_id, preview FROM media WHERE thumbnail = $1)"
};
const db::Query<CopyRow> copies_with_file{
    "copies_with_file", "SELECT url, small FROM remote_files WHERE file = $1 AND file <> ''"
};
// The tables card_images, accounts and custom_emojis belong to other subjects.
const db::Query<std::int64_t> cards_with_image{
    "cards_with_image", "SELECT count(*) FROM card_images WHERE image = $1"
};
const db::Query<Portraits> portraits_of{
    "portraits_of",
    "SELECT id, avatar, avatar_static, header, header_static FROM accounts WHERE id = $1 AND domain = ''"
};
const db::Query<EmojiRow> emojis_with_file{
    "emojis_with_file", "SELECT id, static_file FROM custom_emojis WHERE file = $1 AND domain = ''"
};
const db::Command empty_media{
    "empty_media",
    R"(UPDATE media SET type = 'unknown', file = '', preview = '', thumbnail = NULL, blurhash = NULL, mime = ''
       WHERE file = $1)"
};
const db::Command empty_thumbnail{
    "empty_thumbnail", "UPDATE media SET thumbnail = NULL, blurhash = NULL WHERE thumbnail = $1"
};
const db::Command forget_copies{"forget_copies", "DELETE FROM remote_files WHERE file = $1 AND file <> ''"};

namespace {

// The names of avatars and headers contain the account's id.
AccountId owner_of(std::string_view file) {
    AccountId id;
    const auto name = file.substr(file.rfind('/') + 1);
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id.value);
    const bool named = error == std::errc{} && end != name.data() + name.size() && *end == '-';
    return named ? id : AccountId{};
}

void add_portraits(db::Read& db, Places& out, std::set<std::string>& family) {
    const auto owner = owner_of(out.file);
    const auto account = owner ? db.maybe(portraits_of, owner) : std::nullopt;
    if (!account) return;
    if (account->avatar == out.file) out.avatar_of = owner, family.insert(account->avatar_static);
    if (account->header == out.file) out.header_of = owner, family.insert(account->header_static);
}

}  // namespace

Places places_of(db::Read& db, const std::string& file) {
    Places out;
    out.file = file;
    std::set<std::string> family;
    for (const auto& row : db.all(media_with_file, file)) {
        out.media.push_back({row.account_id, row.id, row.status_id});
        family.insert(row.preview);
    }
    for (const auto& row : db.all(copies_with_file, file)) {
        out.copies.push_back(row.url);
        for (const auto& shown : db.all(media_with_file, row.url))
            out.copied.push_back({shown.account_id, shown.id, shown.status_id});
        family.insert(row.small);
    }
    out.cards = db.one(cards_with_image, file);
    add_portraits(db, out, family);
    for (const auto& row : db.all(emojis_with_file, file)) {
        out.emojis.push_back(row.id);
        family.insert(row.static_file);
    }
    family.erase(file);
    // A video with a custom thumbnail has a preview in another family.
    for (const auto& other : family)
        if (media::family(other) == media::family(file)) out.family.push_back(other);
    out.family.push_back(file);
    for (const auto& one : hashes_of(db, file))
        if (out.sha256.empty()) out.sha256 = one.print.sha256;
    return out;
}

void erase(db::Write& db, const Places& places) {
    db.run(empty_media, places.file);
    db.run(empty_thumbnail, places.file);
    db.run(forget_copies, places.file);
    db.emit(FilesReleased{places.family});
}

}  // namespace media
