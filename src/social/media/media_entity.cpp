// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media_entity.hpp"

#include "social/instance/remote_file.hpp"

namespace media {

namespace {

Size size(std::int64_t width, std::int64_t height) {
    double aspect = height > 0 ? static_cast<double>(width) / static_cast<double>(height) : 1;
    return {width, height, std::to_string(width) + "x" + std::to_string(height), aspect};
}

Original original(const Media& m) {
    Original out;
    if (m.type != Type::audio) out.width = m.width, out.height = m.height;
    if (m.type == Type::image || m.type == Type::unknown) {
        auto all = size(m.width, m.height);
        out.size = all.size;
        out.aspect = all.aspect;
        return out;
    }
    out.frame_rate = m.frame_rate;
    out.duration = m.duration;
    out.bitrate = m.bitrate;
    return out;
}

// Other servers may omit the size of a picture.
bool sized(const Media& m) { return !instance::is_elsewhere(m.file) || m.width > 0; }

Meta meta(const Media& m) {
    Meta meta;
    bool known = m.processing == Processing::complete || m.width > 0 || m.duration;
    if (sized(m) && known) meta.original = original(m);
    if (sized(m) && !m.preview.empty()) meta.small = size(m.preview_width, m.preview_height);
    if (m.focus_x && m.focus_y) meta.focus = Focus{*m.focus_x, *m.focus_y};
    if (m.colors) meta.colors = base::json::Raw{*m.colors};
    return meta;
}

std::optional<std::string> address(const base::Site& site, const std::string& file, const std::string& way) {
    if (file.empty()) return std::nullopt;
    return instance::file_address(site, file, way);
}

// Remote audio and video are played from their server: only pictures are copied.
bool played_elsewhere(const Media& m) { return instance::is_elsewhere(m.file) && m.type != Type::image; }

}  // namespace

MediaAttachment entity(const base::Site& site, const Media& m) {
    MediaAttachment out;
    out.id = m.id;
    out.type = m.type;
    auto way = "media/" + std::to_string(m.id.value);
    out.url = played_elsewhere(m) ? m.file : address(site, m.file, way);
    out.preview_url = address(site, m.preview, way + "/small");
    if (instance::is_elsewhere(m.file)) out.remote_url = m.file;
    if (sized(m) || m.focus_x) out.meta = meta(m);
    if (m.description && !m.description->empty()) out.description = m.description;
    out.blurhash = m.blurhash;
    return out;
}

}  // namespace media
