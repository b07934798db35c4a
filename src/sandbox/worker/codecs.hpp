// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The supported formats, how to recognize them, and the parts of libvips that may handle them. Decodes
// nothing.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sandbox/media_job.hpp"

namespace worker {

using sandbox::Kind;
using sandbox::Reason;
using sandbox::Size;

struct Refusal : std::runtime_error {
    Refusal(Reason why, const std::string& text) : std::runtime_error(text), reason(why), words(text) {}
    Reason reason;
    std::string words;
};

enum class Format { unknown, jpeg, png, gif, webp, heif };

Format format_of(std::string_view bytes);  // by content
bool accepted(Kind kind, Format format, bool heif_allowed);
std::uint32_t little_endian(std::string_view bytes, std::size_t at);  // four bytes, in RIFF's byte order
bool is_lossless_webp(std::string_view bytes);

// Starts libvips with the loaders of the supported formats and no others; only once. HEIF codecs are loaded
// only when needed.
void start_codecs();
void start_heif();

// An animated PNG reduced to the chunks that define the picture. libvips would read only its first frame, so
// the chunks are filtered instead of decoding it. nullopt if it is not animated, malformed or beyond the
// limits.
struct AnimatedPng {
    std::string bytes;
    Size size;
};
std::optional<AnimatedPng> cleaned_animated_png(std::string_view bytes);

void write_file(const std::string& name, std::string_view bytes);  // throws Refusal when writing fails
std::string one_line(std::string_view text);

}  // namespace worker
