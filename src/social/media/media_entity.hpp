// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity MediaAttachment.
#pragma once
#include "social/media/media.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace media {

struct Size {
    std::int64_t width = 0, height = 0;
    std::string size;  // "640x360"
    double aspect = 1;
};
DESCRIBE(Size, width, height, size, aspect)

// The type decides which members are present.
struct Original {
    base::json::Omit<std::int64_t> width, height;
    base::json::Omit<std::string> size;
    base::json::Omit<double> aspect;
    base::json::Omit<std::string> frame_rate;
    base::json::Omit<double> duration;
    base::json::Omit<std::int64_t> bitrate;
};
DESCRIBE(Original, width, height, size, aspect, frame_rate, duration, bitrate)

struct Meta {
    base::json::Omit<Original> original;
    base::json::Omit<Size> small;
    base::json::Omit<Focus> focus;
    base::json::Omit<base::json::Raw> colors;
};
DESCRIBE(Meta, original, small, focus, colors)

struct MediaAttachment {
    MediaId id;
    Type type = Type::image;
    std::optional<std::string> url, preview_url, remote_url, preview_remote_url, text_url;
    std::optional<Meta> meta;
    std::optional<std::string> description, blurhash;
};
DESCRIBE(
    MediaAttachment, id, type, url, preview_url, remote_url, preview_remote_url, text_url, meta, description,
    blurhash
)

MediaAttachment entity(const base::Site&, const Media&);

// The colours of audio players: derived from the cover's blurhash, so that no picture is decoded here.

// {"background","foreground","accent"}, or nullopt if it is not one of our blurhashes.
std::optional<std::string> colours_of(std::string_view blurhash);

}  // namespace media
