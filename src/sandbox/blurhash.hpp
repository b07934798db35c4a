// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// BlurHash encoder, after https://github.com/woltapp/blurhash/blob/master/Algorithm.md; performs the same
// floating-point operations in the same order as the TypeScript reference, so that the results are identical.
// No I/O, no libvips.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace sandbox {

namespace blurhash_detail {
using Colour = std::array<double, 3>;

inline void append_base83(std::string& text, int value, int length) {
    constexpr char digits[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
    int divisor = 1;
    for (int i = 1; i < length; ++i) divisor *= 83;
    for (; divisor > 0; divisor /= 83) text += digits[static_cast<std::size_t>(value / divisor % 83)];
}

inline double to_linear(std::uint8_t value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

inline int to_srgb(double value) {
    const double v = std::clamp(value, 0.0, 1.0);
    return static_cast<int>(
        v <= 0.0031308 ? v * 12.92 * 255 + 0.5 : (1.055 * std::pow(v, 1 / 2.4) - 0.055) * 255 + 0.5
    );
}

inline int quantised(double value, double maximum) {
    const double part = value / maximum;
    const double root = std::copysign(std::sqrt(std::abs(part)), part);
    return static_cast<int>(std::clamp(std::floor(root * 9 + 9.5), 0.0, 18.0));
}

// The reference multiplies cos(x) * cos(y) * colour per pixel, in this order; the tables only avoid
// recomputing cosines.
inline Colour factor(std::span<const Colour> linear, std::size_t width, std::size_t height, int i, int j) {
    std::vector<double> across(width), down(height);
    for (std::size_t x = 0; x < width; ++x)
        across[x] = std::cos((std::numbers::pi * i * static_cast<double>(x)) / static_cast<double>(width));
    for (std::size_t y = 0; y < height; ++y)
        down[y] = std::cos((std::numbers::pi * j * static_cast<double>(y)) / static_cast<double>(height));

    const double normalisation = i == 0 && j == 0 ? 1 : 2;
    Colour sum{};
    for (std::size_t x = 0; x < width; ++x)
        for (std::size_t y = 0; y < height; ++y) {
            const double basis = normalisation * across[x] * down[y];
            for (std::size_t c = 0; c < 3; ++c) sum[c] += basis * linear[y * width + x][c];
        }
    const double scale = 1.0 / static_cast<double>(width * height);
    for (double& c : sum) c *= scale;
    return sum;
}
}  // namespace blurhash_detail

// rgb: width x height x 3 bytes of sRGB, row by row. Components 1..9 each way.
inline std::string blurhash(
    std::span<const std::uint8_t> rgb, std::size_t width, std::size_t height, int across, int down
) {
    using namespace blurhash_detail;
    std::vector<Colour> linear(width * height);
    for (std::size_t p = 0; p < linear.size(); ++p)
        for (std::size_t c = 0; c < 3; ++c) linear[p][c] = to_linear(rgb[p * 3 + c]);

    std::vector<Colour> factors;
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < across; ++i) factors.push_back(factor(linear, width, height, i, j));

    std::string text;
    append_base83(text, (across - 1) + (down - 1) * 9, 1);

    double maximum = 1;
    if (factors.size() > 1) {
        double largest = factors[1][0];
        for (std::size_t f = 1; f < factors.size(); ++f)
            for (double c : factors[f]) largest = std::max(largest, c);  // signed, as in the reference
        const int step = static_cast<int>(std::clamp(std::floor(largest * 166 - 0.5), 0.0, 82.0));
        maximum = (step + 1) / 166.0;
        append_base83(text, step, 1);
    } else {
        append_base83(text, 0, 1);
    }

    const Colour& average = factors[0];
    append_base83(text, (to_srgb(average[0]) << 16) + (to_srgb(average[1]) << 8) + to_srgb(average[2]), 4);
    for (std::size_t f = 1; f < factors.size(); ++f) {
        const auto& [r, g, b] = factors[f];
        append_base83(
            text, quantised(r, maximum) * 19 * 19 + quantised(g, maximum) * 19 + quantised(b, maximum), 2
        );
    }
    return text;
}

}  // namespace sandbox
