// SPDX-License-Identifier: AGPL-3.0-or-later
// Enumerations of the API about media.
#pragma once
#include "base/describe.hpp"

namespace media {

BOOST_DEFINE_ENUM_CLASS(Type, image, gifv, video, audio, unknown)
BOOST_DEFINE_ENUM_CLASS(Processing, queued, in_progress, complete, failed)

}  // namespace media
