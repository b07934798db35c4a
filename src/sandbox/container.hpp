// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Tells by its first bytes what a file claims to be, so that the one demuxer for it is named to ffmpeg and none is
// ever guessed: playlists, which name other files, have no way in. Compares bytes and decodes nothing.

#include <string_view>

namespace sandbox {

enum class Container { none, mov, matroska, ogg, mp3, aac, flac, wav, asf, gif };

constexpr std::size_t container_head = 64;  // bytes that are enough
Container container_of(std::string_view head);
std::string_view demuxer(Container);  // ffmpeg's name for it

}  // namespace sandbox
