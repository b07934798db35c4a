// SPDX-License-Identifier: AGPL-3.0-or-later
// Makes a Thumbnail of an upload; error messages for invalid uploads.
#pragma once
#include "base/ask.hpp"
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// nullopt if there is none. Throws Invalid if it is not a supported picture.
std::optional<Thumbnail> thumbnail(const base::Ask&, const std::filesystem::path* upload);

// `moving`: it was audio or video.
[[noreturn]] void refuse(sandbox::Reason, bool moving);

}  // namespace media
