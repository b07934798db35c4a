// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/thumbnail.hpp"

namespace media {

// Mastodon responds with 500 if it cannot read a file; input must not cause that here (decisions 5).
void refuse(sandbox::Reason reason, bool moving) {
    using enum sandbox::Reason;
    switch (reason) {
        case unsupported_type: throw base::Invalid("File type of uploaded media could not be verified");
        case too_large_file:
            throw base::Invalid(
                moving ? "Validation failed: File must be less than 99 MB"
                       : "Validation failed: File must be less than 16 MB"
            );
        case too_large_dimensions: throw base::Invalid("Validation failed: File has too many pixels");
        case too_many_frames: throw base::Invalid("Validation failed: File has too many frames per second");
        case broken:
        case timeout:
        case crashed: break;
    }
    throw base::Invalid("Error processing thumbnail for uploaded media");
}

std::optional<Thumbnail> thumbnail(const base::Ask& ask, const std::filesystem::path* upload) {
    if (!upload) return std::nullopt;
    const auto& processed = ask(ProcessImage{upload->string(), Kind::thumbnail, {}});
    if (auto* reason = std::get_if<sandbox::Reason>(&processed)) refuse(*reason, false);
    const auto& stored = std::get<Stored>(processed);
    return Thumbnail{stored.file, stored.width, stored.height, stored.blurhash};
}

}  // namespace media
