// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// Pictures made where they are needed, good and evil. The usual one is 64x48 (`picture`), red in its upper left corner so
// that a turned one can be told.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/media.hpp"

namespace fixtures {

namespace base64 {
extern const char* const jpeg;
extern const char* const webp_chunk;
extern const char* const avif;
extern const char* const heic;
extern const char* const animated_webp;
}  // namespace base64

using Pixel = std::array<std::uint8_t, 4>;
using Painter = std::function<Pixel(int x, int y)>;
Pixel picture(int x, int y);

// Each piece of metadata in the fixtures holds this word and a number.
inline constexpr std::string_view secret = "S3CR3T-PLACE";

std::string decoded(std::string_view base64);
std::string chunk(std::string_view name, std::string_view data);  // of a PNG
std::string png(int width, int height, const Painter& paint = picture, bool alpha = false);
std::string png_with_metadata();
std::string png_header(std::uint32_t width, std::uint32_t height);  // claims that size and ends soon
std::string animated_png();
std::string gif(int width, int height, int frames, std::string_view comment = "");
std::string gif_bomb(int width, int height, int frames);  // a few bytes per frame
std::string jpeg();
std::string jpeg_with_metadata(int orientation);  // EXIF with GPS, XMP, ICC, IPTC, a comment and a tail
std::string webp_with_metadata();

// One job in a folder of its own, gone with it.
class Job {
public:
    explicit Job(
        std::string_view input, sandbox::Kind kind = sandbox::Kind::attachment,
        std::string_view name = "input"
    );
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    sandbox::ImageOutcome run();
    sandbox::ImageResult result();  // fails the test when refused
    std::string refusal();          // the reason's word, or what came out instead
    std::string bytes(const std::string& file) const;
    std::vector<std::string> files() const;  // in the output folder

    sandbox::ImageJob job;

private:
    std::filesystem::path folder_;
};

}  // namespace fixtures
