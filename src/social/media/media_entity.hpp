// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity MediaAttachment.
#pragma once
#include "social/media/media.hpp"

namespace media {

struct Size {
    std::int64_t width = 0, height = 0;
    std::string size;  // "640x360"
    double aspect = 1;
};
DESCRIBE(Size, width, height, size, aspect)

struct Meta {
    Size original, small;
    base::json::Omit<Focus> focus;
};
DESCRIBE(Meta, original, small, focus)

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

}  // namespace media
