// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/gotosocial/reading.hpp"

#include <algorithm>
#include <unordered_map>

namespace takeover::gotosocial {

namespace {

media::Type type_of(std::int64_t number) {
    switch (number) {
        case 1: return media::Type::image;
        case 2: return media::Type::audio;
        case 3: return media::Type::video;
        case 4: return media::Type::gifv;
        default: return media::Type::unknown;
    }
}

// The file of somebody here, as it was; nothing: it is named and it is said that it is not there.
bool take_files(const Reading& r, const Attachment& a, media::Media& m, Sink& sink) {
    auto problem = [&](const std::string& path, Files::Found found) {
        sink.refuse("file", a.id, problem_of(found, path));
    };
    const auto found = r.files.take(a.file_path, former_file(a.file_path));
    if (found != Files::Found::copied) problem(a.file_path, found);
    if (found == Files::Found::outside) return false;
    m.file = former_file(a.file_path);
    m.preview = m.type == media::Type::image ? m.file : "";
    if (a.thumbnail_path.empty()) return true;
    const auto small = r.files.take(a.thumbnail_path, former_file(a.thumbnail_path));
    if (small == Files::Found::copied) m.preview = former_file(a.thumbnail_path);
    else if (found == Files::Found::copied) problem(a.thumbnail_path, small);
    return true;
}

media::Media described(const Attachment& a) {
    media::Media m;
    m.type = type_of(a.type);
    m.mime = a.file_content_type.substr(0, 100);
    m.width = as_size(a.original_width);
    m.height = as_size(a.original_height);
    m.preview_width = as_size(a.small_width);
    m.preview_height = as_size(a.small_height);
    // Both are 0 where nobody chose.
    if (a.focus_x.value_or(0) != 0 || a.focus_y.value_or(0) != 0) {
        m.focus_x = within(a.focus_x, -1, 1);
        m.focus_y = within(a.focus_y, -1, 1);
    }
    if (!a.blurhash.empty() && a.blurhash.size() <= 100) m.blurhash = a.blurhash;
    if (a.description && !a.description->empty()) m.description = a.description;
    m.duration = within(a.original_duration, 0, 1e7);
    m.frame_rate = as_frame_rate(a.original_framerate);
    m.bitrate = a.original_bitrate;
    return m;
}

void take_medium(const Reading& r, const Attachment& a, std::int64_t position, Sink& sink) {
    const auto owner = r.account(sink, a.account_id);
    const auto status = r.status(sink, a.status_id);
    constexpr std::int64_t processed = 2;
    const bool remote = !a.remote_url.empty();
    // Pictures of profiles are files of the profile.
    if (!owner || a.avatar || a.header || (!a.status_id.empty() && !status)) return;
    if (!remote && a.processing != processed) return sink.refuse("media", a.id, "it was never processed");
    MediaRow row{described(a), a.created_at};
    auto& m = row.media;
    m.account_id = {*owner};
    m.position = position;
    if (status) m.status_id = {*status};
    if (remote) {
        if (!is_address(a.remote_url)) return sink.refuse("media", a.id, "it has no address");
        m.file = a.remote_url;
        if (is_address(a.thumbnail_remote_url)) m.preview = a.thumbnail_remote_url;
        else if (m.type == media::Type::image) m.preview = a.remote_url;
    } else if (!take_files(r, a, m, sink)) return;
    m.id = {sink.numbers.give("media", a.id, a.created_at)};
    sink.put(std::move(row));
}

}  // namespace

void copy_media(const Reading& r, const std::string& position, Sink& sink) {
    r.parts<Attachment>(
        "media",
        "media_attachments",
        position,
        sink,
        [&](const auto& rows, const auto& from, const auto& to) {
            // In which order a post shows them; what an earlier version showed has no place.
            std::unordered_map<std::string, std::vector<std::string>> shown;
            r.db.each<AttachmentsOf>(
                "statuses",
                "WHERE id IN (SELECT status_id FROM media_attachments WHERE id > $1 AND id <= $2)",
                {from, to},
                [&](AttachmentsOf of) { shown.emplace(of.id, std::move(of.attachments.items)); },
                [](auto&, auto&) {}
            );
            for (const auto& a : rows) {
                const auto& order = shown[a.status_id];
                const auto at = std::ranges::find(order, a.id);
                const std::int64_t nowhere = a.status_id.empty() ? 0 : -1;
                take_medium(r, a, at == order.end() ? nowhere : at - order.begin(), sink);
            }
        }
    );
}

void copy_emojis(const Reading& r, const std::string& position, Sink& sink) {
    std::unordered_map<std::string, std::string> categories;
    r.db.each<EmojiCategory>(
        "emoji_categories",
        "",
        {},
        [&](const EmojiCategory& c) { categories.emplace(c.id, c.name); },
        [](auto&, auto&) {}
    );
    r.each<Emoji>("emoji", "emojis", position, sink, [&](const Emoji& e) {
        if (!is_shortcode(e.shortcode)) return sink.refuse("emoji", e.id, "its name is none");
        EmojiRow row;
        if (e.domain.empty()) {
            for (const auto& path : {e.image_path, e.image_static_path}) {
                const auto found = r.files.take(path, former_file(path));
                if (found == Files::Found::copied) continue;
                return sink.refuse(
                    "emoji", e.id, "its file is missing or lies elsewhere: " + db::Foreign::shown(path)
                );
            }
            row.file = former_file(e.image_path);
            row.static_file = former_file(e.image_static_path);
        } else {
            if (!is_address(e.image_remote_url)) return sink.refuse("emoji", e.id, "it has no address");
            row.file = e.image_remote_url;
            row.static_file = is_address(e.image_static_remote_url) ? e.image_static_remote_url : row.file;
        }
        row.id = sink.numbers.give("emoji", e.id, e.created_at);
        row.shortcode = e.shortcode;
        row.domain = e.domain;
        if (const auto c = categories.find(e.category_id); c != categories.end()) row.category = c->second;
        row.visible_in_picker = e.visible_in_picker;
        row.disabled = e.disabled;
        row.created_at = e.created_at;
        sink.put(std::move(row));
    });
}

}  // namespace takeover::gotosocial
