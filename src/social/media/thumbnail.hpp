// SPDX-License-Identifier: AGPL-3.0-or-later
// From an upload to a Thumbnail, and the sentences for what is wrong with uploads.
#pragma once
#include "base/ask.hpp"
#include "social/media/media.hpp"
#include "social/media/store.hpp"

namespace media {

// Nothing for none. Throws Invalid when it is no picture we take.
std::optional<Thumbnail> thumbnail(const base::Ask&, const std::filesystem::path* upload);

// `moving`: it was sound or a moving picture.
[[noreturn]] void refuse(sandbox::Reason, bool moving);

}  // namespace media
