// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/remote.hpp"

#include "base/text/utf8.hpp"
#include "social/instance/remote_file.hpp"

#include <algorithm>
#include <cmath>

namespace media {

namespace {

constexpr std::size_t longest_url = 2048;

bool usable(const RemoteMedia& m) { return instance::is_elsewhere(m.url) && m.url.size() <= longest_url; }

// Without a media type, the extension of the address decides.
Type type_of(const RemoteMedia& m) {
    if (m.mime.starts_with("image/")) return Type::image;
    if (m.mime.starts_with("video/")) return Type::video;
    if (m.mime.starts_with("audio/")) return Type::audio;
    if (!m.mime.empty()) return Type::unknown;
    auto path = base::text::ascii_lowered(m.url.substr(0, m.url.find_first_of("?#")));
    auto ends = [&](std::initializer_list<std::string_view> all) {
        return std::ranges::any_of(all, [&](auto end) { return path.ends_with(end); });
    };
    if (ends({".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"})) return Type::image;
    if (ends({".mp4", ".webm", ".mov", ".m4v"})) return Type::video;
    if (ends({".mp3", ".ogg", ".oga", ".opus", ".flac", ".wav", ".m4a"})) return Type::audio;
    return Type::unknown;
}

// At most five components per axis, and a length that matches its first character.
bool valid_blurhash(std::string_view hash) {
    constexpr std::string_view digits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
    if (hash.size() < 6 || hash.find_first_not_of(digits) != hash.npos) return false;
    auto size = digits.find(hash[0]);
    auto across = size % 9 + 1, down = size / 9 + 1;
    return across <= 5 && down <= 5 && hash.size() == 4 + 2 * across * down;
}

struct Extent {
    std::int64_t width = 0, height = 0;
};

// The size that a preview made here would have.
Extent small(Extent full) {
    constexpr double most_pixels = 230'400;
    auto pixels = static_cast<double>(full.width) * static_cast<double>(full.height);
    if (pixels <= most_pixels) return full;
    auto scale = std::sqrt(most_pixels / pixels);
    auto scaled = [&](std::int64_t n) {
        return std::max<std::int64_t>(1, std::llround(static_cast<double>(n) * scale));
    };
    return {scaled(full.width), scaled(full.height)};
}

std::optional<double> within(std::optional<double> v, double low, double high) {
    if (!v || !(*v >= low && *v <= high)) return std::nullopt;
    return v;
}

Media row(AccountId owner, const RemoteMedia& m) {
    constexpr std::int64_t largest = 100'000;
    Media out;
    out.account_id = owner;
    out.type = type_of(m);
    out.file = m.url;
    if (instance::is_elsewhere(m.preview) && m.preview.size() <= longest_url) out.preview = m.preview;
    else if (out.type == Type::image) out.preview = m.url;
    out.mime = m.mime.substr(0, 100);
    if (m.width > 0 && m.height > 0 && m.width <= largest && m.height <= largest) {
        out.width = m.width;
        out.height = m.height;
        auto preview = small({m.width, m.height});
        out.preview_width = preview.width;
        out.preview_height = preview.height;
    }
    out.focus_x = within(m.focus_x, -1, 1);
    out.focus_y = within(m.focus_y, -1, 1);
    out.duration = within(m.duration, 0, 1e7);
    if (valid_blurhash(m.blurhash)) out.blurhash = m.blurhash;
    auto description = base::text::clean_utf8(m.description.substr(0, 4 * max_description));
    if (!description.empty()) out.description = std::move(description);
    return out;
}

std::vector<Media> rows_to_show(AccountId owner, const std::vector<RemoteMedia>& wanted) {
    std::vector<Media> out;
    for (const auto& m : wanted)
        if (usable(m)) out.push_back(row(owner, m));
    return out;
}

bool same(const Media& a, const Media& b) {
    return a.file == b.file && a.description.value_or("") == b.description.value_or("") &&
           a.focus_x == b.focus_x && a.focus_y == b.focus_y;
}

}  // namespace

const db::Command set_aside_all_media{
    "set_aside_all_media", "UPDATE media SET position = -1 WHERE status_id = $1 AND position >= 0"
};
const db::Command keep_remote_media{
    "keep_remote_media",
    "UPDATE media SET position = $2, description = $3, focus_x = $4, focus_y = $5 WHERE id = $1"
};
const db::Command attach_remote_media{
    "attach_remote_media", "UPDATE media SET status_id = $2, position = $3, free_since = NULL WHERE id = $1"
};

const db::Query<MediaId> measure_remote_media{
    "measure_remote_media",
    R"(UPDATE media SET width = $3, height = $4, preview_width = $5, preview_height = $6, blurhash = COALESCE(blurhash, $7)
       WHERE status_id = $1 AND file = $2 AND type = 'image' AND width = 0
       RETURNING id)"
};

bool complete_remote(db::Write& db, StatusId status, std::string_view url, const Stored& copy) {
    // Videos are represented by their preview, the only copy here.
    const bool still = copy.type == Type::image;
    const auto width = still ? copy.width : copy.preview_width;
    const auto height = still ? copy.height : copy.preview_height;
    if (width <= 0 || height <= 0) return false;
    std::optional<std::string> blurhash;
    if (valid_blurhash(copy.blurhash)) blurhash = copy.blurhash;
    return !db.all(
                  measure_remote_media,
                  status,
                  url,
                  width,
                  height,
                  copy.preview_width,
                  copy.preview_height,
                  blurhash
    )
                .empty();
}

struct SizeOfFile {
    std::int64_t width = 0, height = 0, preview_width = 0, preview_height = 0;
    std::optional<std::string> blurhash;
};
DESCRIBE(SizeOfFile, width, height, preview_width, preview_height, blurhash)
const db::Query<SizeOfFile> size_of_file{
    "size_of_file",
    "SELECT width, height, preview_width, preview_height, blurhash FROM media WHERE file = $1 AND width > 0 "
    "LIMIT 1"
};

namespace {

// Another post may have the same file with known dimensions.
Media measured(db::Read& db, Media m) {
    if (m.type != Type::image || m.width > 0) return m;
    if (auto known = db.maybe(size_of_file, m.file)) {
        m.width = known->width;
        m.height = known->height;
        m.preview_width = known->preview_width;
        m.preview_height = known->preview_height;
        if (!m.blurhash) m.blurhash = known->blurhash;
    }
    return m;
}

}  // namespace

bool shows_else(db::Read& db, StatusId status, const std::vector<RemoteMedia>& wanted) {
    return !std::ranges::equal(of_statuses(db, {status}), rows_to_show({}, wanted), same);
}

bool put_remote(db::Write& db, AccountId owner, StatusId status, const std::vector<RemoteMedia>& wanted) {
    auto shown = of_statuses(db, {status});
    const auto rows = rows_to_show(owner, wanted);
    if (std::ranges::equal(shown, rows, same)) return false;
    db.run(set_aside_all_media, status);
    for (std::int64_t position = 0; const auto& m : rows) {
        auto before = std::ranges::find(shown, m.file, &Media::file);
        if (before != shown.end())
            db.run(keep_remote_media, before->id, position, m.description, m.focus_x, m.focus_y);
        else db.run(attach_remote_media, create(db, measured(db, m)), status, position);
        ++position;
    }
    return true;
}

}  // namespace media
