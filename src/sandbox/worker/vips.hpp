// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The few functions of libvips that the jobs need. Every libvips error becomes Refusal{broken}.

#include <vips/vips.h>

#include <memory>
#include <string>
#include <vector>

#include "sandbox/worker/image.hpp"

namespace worker {

struct Unref {
    void operator()(VipsImage* image) const { g_object_unref(image); }
};
using Image = std::unique_ptr<VipsImage, Unref>;

// Read from the header, before any pixel is decoded.
struct Facts {
    Size size;  // of a frame, upright
    int frames = 1;
    int page = 0;  // the page to show; HEIF containers have a primary image
    bool animated = false;
    bool has_profile = false;  // an ICC profile
};
Facts facts_of(const Input& input);  // also refuses images beyond the limits

enum class Fit { inside, cover };  // inside never enlarges; cover fills the box and crops

// One upright frame in 8-bit sRGB or grey, in memory, still with metadata.
Image still(const Input& input, const Facts& facts, Size box, Fit fit);
Image resized(const Image& image, Size box, Fit fit);
Image shrunk(const Image& image, int factor);  // fast: each pixel is the mean of a square

Image all_frames(const Input& input);                                         // a stream: not decoded yet
Image all_frames(const Input& input, const Facts& facts, Size box, Fit fit);  // in memory

Image without_needless_alpha(Image image);
Image on_white(const Image& image);
std::vector<std::uint8_t> rgb_pixels(const Image& image);

Size size_of(const Image& image);  // of one frame
bool has_alpha(const Image& image);

enum class Quality { original, preview };
struct Saving {
    Format format;
    Quality quality = Quality::original;
    bool lossless = false;    // webp
    bool own_palette = true;  // gif: keep the input's palette
};
// Writes <role>.<extension> without metadata.
File save(const Image& image, const std::string& role, const Saving& how);

}  // namespace worker
