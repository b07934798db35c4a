// SPDX-License-Identifier: AGPL-3.0-or-later
// The colours in which players dress a sound: taken from its cover's blurhash, so that no picture is opened here.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace media {

// {"background","foreground","accent"}, or nothing for what is no blurhash of ours.
std::optional<std::string> colours_of(std::string_view blurhash);

}  // namespace media
