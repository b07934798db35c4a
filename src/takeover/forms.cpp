// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/forms.hpp"

#include <algorithm>
#include <cmath>

namespace takeover {

namespace {

bool is_word_sign(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

bool is_address(std::string_view uri) {
    constexpr std::size_t longest = 2048;
    const auto scheme = uri.starts_with("https://") ? 8U : uri.starts_with("http://") ? 7U : 0U;
    if (scheme == 0 || uri.size() > longest) return false;
    const auto host = uri.substr(scheme, uri.find_first_of("/?#", scheme) - scheme);
    return !host.empty() && std::ranges::all_of(uri, [](char c) { return c > ' ' && c < 127 && c != '\\'; });
}

bool is_domain(std::string_view domain) {
    return !domain.empty() && domain.size() <= 253 && std::ranges::all_of(domain, [](char c) {
        return c > ' ' && c < 127 && c != '/' && c != '@' && c != '\\' && (c < 'A' || c > 'Z');
    });
}

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= 100 &&
           std::ranges::all_of(name, [](char c) { return is_word_sign(c) || c == '-' || c == '.'; });
}

bool is_shortcode(std::string_view name) {
    return !name.empty() && name.size() <= 100 && std::ranges::all_of(name, is_word_sign);
}

std::optional<double> within(std::optional<double> v, double low, double high) {
    if (!v || !(*v >= low && *v <= high)) return std::nullopt;
    return v;
}

std::int64_t as_size(std::optional<std::int64_t> pixels) {
    constexpr std::int64_t largest = 100'000;
    return pixels && *pixels > 0 && *pixels <= largest ? *pixels : 0;
}

std::optional<std::string> as_frame_rate(std::optional<double> rate) {
    constexpr double highest = 100'000;
    if (!within(rate, 0.5, highest)) return std::nullopt;
    return std::to_string(std::lround(*rate)) + "/1";
}

}  // namespace takeover
