// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// PDQ, a perceptual hash: 256 bits, few of which differ between versions of the same picture in other sizes
// or formats, and a quality, which is low if there is hardly anything to see. After
// https://github.com/facebook/ThreatExchange/blob/main/hashing/hashing.pdf; performs the same floating-point
// operations in the same order as the reference, so that the results are identical. No I/O, no libvips.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <span>
#include <vector>

namespace sandbox {

using PdqBits = std::array<std::uint64_t, 4>;  // bit n is n % 64 of word n / 64
constexpr std::size_t pdq_symmetries = 8;

struct Pdq {
    // The original; rotated left, by 180° and right; flipped vertically; flipped horizontally; mirrored at
    // either diagonal.
    std::array<PdqBits, pdq_symmetries> bits{};
    int quality = 0;  // 0 to 100
};

inline int distance(const PdqBits& a, const PdqBits& b) {
    int differ = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differ += std::popcount(a[i] ^ b[i]);
    return differ;
}

namespace pdq_detail {

constexpr std::size_t side = 64, kept = 16;
using Square = std::array<std::array<float, side>, side>;
using Waves = std::array<std::array<float, kept>, kept>;

// A moving average over `count` values, `step` apart; at the edges over the values that exist. Processes
// `lanes` neighbouring rows at once.
inline void blur(
    const float* in, float* out, std::size_t count, std::size_t step, std::size_t lanes, std::size_t window
) {
    const std::size_t half = (window + 2) / 2;
    std::vector<float> sums(lanes);
    float* sum = sums.data();
    std::size_t left = 0, right = 0, size = 0, at = 0;
    const auto take = [&] {
        const float* from = in + right++ * step;
        for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += from[lane];
    };
    const auto drop = [&] {
        const float* from = in + left++ * step;
        for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] -= from[lane];
    };
    const auto tell = [&] {
        float* to = out + at++ * step;
        const auto by = static_cast<float>(size);
        for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] = sum[lane] / by;
    };
    for (std::size_t i = 0; i + 1 < half; ++i) take(), ++size;
    for (std::size_t i = half - 1; i < window; ++i) take(), ++size, tell();
    for (std::size_t i = window; i < count; ++i) take(), drop(), tell();
    for (std::size_t i = 0; i + 1 < half; ++i) drop(), --size, tell();
}

inline std::size_t window_of(std::size_t length) { return (length + 2 * side - 1) / (2 * side); }

inline Square coarse(std::vector<float> luma, std::size_t width, std::size_t height) {
    std::vector<float> blurred(luma.size());
    constexpr int passes = 2;
    const bool scaled = width != side || height != side;
    for (int pass = 0; scaled && pass < passes; ++pass) {
        for (std::size_t y = 0; y < height; ++y)
            blur(&luma[y * width], &blurred[y * width], width, 1, 1, window_of(width));
        blur(blurred.data(), luma.data(), height, width, width, window_of(height));
    }
    const auto middle = [](std::size_t i, std::size_t length) {
        return static_cast<std::size_t>((static_cast<double>(i) + 0.5) * static_cast<double>(length) / side);
    };
    Square out;
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) out[y][x] = luma[middle(y, height) * width + middle(x, width)];
    return out;
}

// The amount of edges.
inline int quality(const Square& picture) {
    int edges = 0;
    const auto add = [&](float a, float b) { edges += std::abs(static_cast<int>(((a - b) * 100) / 255)); };
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) {
            if (y + 1 < side) add(picture[y][x], picture[y + 1][x]);
            if (x + 1 < side) add(picture[y][x], picture[y][x + 1]);
        }
    return std::min(edges / 90, 100);
}

// The lowest frequencies of the picture (a DCT), without its mean.
inline Waves waves(const Square& picture) {
    std::array<std::array<float, side>, kept> cosines;
    const auto scale = static_cast<float>(std::sqrt(2.0 / double{side}));
    for (std::size_t i = 0; i < kept; ++i)
        for (std::size_t k = 0; k < side; ++k)
            cosines[i][k] = static_cast<float>(
                scale * std::cos(
                            (std::numbers::pi / 2.0 / double{side}) * static_cast<double>(i + 1) *
                            static_cast<double>(2 * k + 1)
                        )
            );
    std::array<std::array<float, side>, kept> down{};
    for (std::size_t i = 0; i < kept; ++i)
        for (std::size_t k = 0; k < side; ++k)
            for (std::size_t x = 0; x < side; ++x) down[i][x] += cosines[i][k] * picture[k][x];
    Waves out{};
    for (std::size_t i = 0; i < kept; ++i)
        for (std::size_t j = 0; j < kept; ++j)
            for (std::size_t k = 0; k < side; ++k) out[i][j] += down[i][k] * cosines[j][k];
    return out;
}

inline PdqBits bits(const Waves& waves) {
    std::array<float, kept * kept> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = waves[i / kept][i % kept];
    auto sorted = all;
    const auto median = sorted.begin() + sorted.size() / 2 - 1;  // the lower of the two middle values
    std::ranges::nth_element(sorted, median);
    PdqBits out{};
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] > *median) out[i / 64] |= std::uint64_t{1} << (i % 64);
    return out;
}

// Rotating or mirroring a picture only changes the signs of some coefficients, and swaps rows and columns.
struct Symmetry {
    bool exchanged, rows, columns;  // rows, columns: every other one changes its sign
};
constexpr std::array<Symmetry, pdq_symmetries> symmetries{{
    {false, false, false},
    {true, false, true},
    {false, true, true},
    {true, true, false},
    {false, true, false},
    {false, false, true},
    {true, false, false},
    {true, true, true},
}};

inline Waves turned(const Waves& waves, const Symmetry& how) {
    Waves out;
    for (std::size_t i = 0; i < kept; ++i)
        for (std::size_t j = 0; j < kept; ++j) {
            const bool minus = (how.rows && i % 2 == 0) != (how.columns && j % 2 == 0);
            (how.exchanged ? out[j][i] : out[i][j]) = minus ? -waves[i][j] : waves[i][j];
        }
    return out;
}

}  // namespace pdq_detail

// rgb: width x height x 3 bytes of sRGB, row by row. A picture with a side of less than five pixels gets no
// hash.
inline Pdq pdq(std::span<const std::uint8_t> rgb, std::size_t width, std::size_t height) {
    using namespace pdq_detail;
    Pdq out;
    if (constexpr std::size_t smallest = 5; width < smallest || height < smallest) return out;
    std::vector<float> luma(width * height);
    for (std::size_t i = 0; i < luma.size(); ++i)
        luma[i] = 0.299F * rgb[3 * i] + 0.587F * rgb[3 * i + 1] + 0.114F * rgb[3 * i + 2];
    const auto picture = coarse(std::move(luma), width, height);
    out.quality = quality(picture);
    const auto found = waves(picture);
    for (std::size_t i = 0; i < pdq_symmetries; ++i) out.bits[i] = bits(turned(found, symmetries[i]));
    return out;
}

}  // namespace sandbox
