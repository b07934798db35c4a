// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media_entity.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace media {

namespace {

using Colour = std::array<double, 3>;  // linear light, 0 to 1

constexpr int side = 4;
constexpr std::size_t length = 4 + 2 * side * side;

int base83(std::string_view text) {
    constexpr std::string_view digits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
    int value = 0;
    for (char c : text) value = value * 83 + static_cast<int>(digits.find(c));
    return value;
}

double linear(int srgb) {
    double v = srgb / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

int srgb(double light) {
    double v = std::clamp(light, 0.0, 1.0);
    return static_cast<int>(
        std::lround(255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055))
    );
}

std::string hex(const Colour& c) {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", srgb(c[0]), srgb(c[1]), srgb(c[2]));
    return text;
}

std::array<Colour, side * side> factors_of(std::string_view hash) {
    std::array<Colour, side * side> factors{};
    int average = base83(hash.substr(2, 4));
    factors[0] = {linear(average >> 16 & 255), linear(average >> 8 & 255), linear(average & 255)};
    double largest = (base83(hash.substr(1, 1)) + 1) / 166.0;
    for (std::size_t i = 1; i < factors.size(); ++i) {
        int digits = base83(hash.substr(4 + 2 * i, 2));
        auto part = [&](int n) { return std::copysign(std::pow((n - 9) / 9.0, 2), n - 9) * largest; };
        factors[i] = {part(digits / 361), part(digits / 19 % 19), part(digits % 19)};
    }
    return factors;
}

Colour at(const std::array<Colour, side * side>& factors, double x, double y) {
    Colour sum{};
    for (std::size_t i = 0; i < factors.size(); ++i) {
        double across = std::cos(std::numbers::pi * static_cast<double>(i % side) * x);
        double down = std::cos(std::numbers::pi * static_cast<double>(i / side) * y);
        for (std::size_t c = 0; c < 3; ++c) sum[c] += factors[i][c] * across * down;
    }
    return sum;
}

double luminance(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

double contrast(const Colour& a, const Colour& b) {
    double x = std::max(luminance(a), 0.0) + 0.05, y = std::max(luminance(b), 0.0) + 0.05;
    return x > y ? x / y : y / x;
}

struct Colours {
    std::string background, foreground, accent;
};
DESCRIBE(Colours, background, foreground, accent)

}  // namespace

std::optional<std::string> colours_of(std::string_view hash) {
    if (hash.size() != length) return std::nullopt;
    auto factors = factors_of(hash);
    Colour background = factors[0], accent = background;
    for (double y : {0.125, 0.375, 0.625, 0.875})
        for (double x : {0.125, 0.375, 0.625, 0.875}) {
            auto there = at(factors, x, y);
            if (contrast(there, background) > contrast(accent, background)) accent = there;
        }
    constexpr Colour black{0, 0, 0}, white{1, 1, 1};
    const auto& foreground = contrast(background, white) >= contrast(background, black) ? white : black;
    return base::json::to_string(Colours{hex(background), hex(foreground), hex(accent)});
}

}  // namespace media
