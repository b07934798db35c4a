// SPDX-License-Identifier: AGPL-3.0-or-later
// Chunks as in https://www.w3.org/TR/png-3/#5Chunk-layout
#include <algorithm>
#include <cstdint>

#include "sandbox/worker/codecs.hpp"

namespace worker {
namespace {

constexpr std::string_view picture[] = {
    "IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "acTL", "fcTL", "IDAT", "fdAT", "IEND"
};
constexpr std::size_t signature = 8, frame_around_data = 12;  // length, name, checksum

std::uint32_t number(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

// Each frame must lie inside the canvas, or a browser might allocate more memory than we assumed.
bool fits(std::string_view control, Size canvas) {
    constexpr std::size_t frame_control_bytes = 26;
    if (control.size() != frame_control_bytes) return false;
    const std::uint64_t width = number(control, 4), height = number(control, 8);
    const std::uint64_t x = number(control, 12), y = number(control, 16);
    return x + width <= static_cast<std::uint64_t>(canvas.width) &&
           y + height <= static_cast<std::uint64_t>(canvas.height);
}

}  // namespace

std::optional<AnimatedPng> cleaned_animated_png(std::string_view bytes) {
    namespace limits = sandbox::limits;
    AnimatedPng result{std::string(bytes.substr(0, signature)), {}};
    bool animated = false, pixels = false;
    std::int64_t frames = 0;

    for (std::size_t at = signature; at + frame_around_data <= bytes.size();) {
        const std::size_t length = number(bytes, at);
        if (length > bytes.size() - at - frame_around_data) return {};
        const std::string_view name = bytes.substr(at + 4, 4), data = bytes.substr(at + 8, length);

        if ((at == signature) != (name == "IHDR") || (name == "IHDR" && length != 13)) return {};
        if (name == "IHDR") {
            const std::uint32_t width = number(data, 0), height = number(data, 4);
            if (std::min(width, height) < 1 || std::max(width, height) > limits::emoji_side) return {};
            result.size = {static_cast<int>(width), static_cast<int>(height)};
        }
        if (name == "acTL" && !pixels) animated = true;
        if (name == "IDAT") pixels = true;
        if (name == "fcTL" && (++frames > limits::frames || !fits(data, result.size))) return {};

        if (std::ranges::find(picture, name) != std::end(picture))
            result.bytes += bytes.substr(at, length + frame_around_data);
        if (name == "IEND") {
            const bool small = frames * result.size.width * result.size.height <= limits::animation_pixels;
            if (!animated || frames < 2 || !pixels || !small || length != 0) return {};
            return result;
        }
        at += length + frame_around_data;
    }
    return {};
}

}  // namespace worker
