// SPDX-License-Identifier: AGPL-3.0-or-later
// The parameter `focus` of media uploads and status edits.
#pragma once
#include "http/form.hpp"
#include "social/media/media.hpp"

namespace media {

// "x,y". Values outside the range, and so outside the picture, are clamped.
inline std::optional<Focus> read_focus(std::string_view text) {
    if (http::form::is_blank(text)) return std::nullopt;
    auto comma = std::min(text.find(','), text.size());
    auto at = [](std::string_view number) { return std::clamp(http::form::number(number), -1.0, 1.0); };
    return Focus{at(text.substr(0, comma)), at(text.substr(std::min(comma + 1, text.size())))};
}

}  // namespace media
