// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/urlencoded.hpp"

#include <algorithm>

namespace http {

namespace {

std::string decoded(std::string_view text) {
    std::string out(text);
    std::replace(out.begin(), out.end(), '+', ' ');
    return out.find('%') == std::string::npos ? out : percent_decoded(out);
}

template <class F>
void for_each_pair(std::string_view text, F take) {
    while (!text.empty()) {
        auto pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        auto equals = pair.find('=');
        if (equals == std::string_view::npos) continue;
        take(decoded(pair.substr(0, equals)), decoded(pair.substr(equals + 1)));
    }
}

}  // namespace

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF", marks = "-._~";
    std::string out;
    for (char c : text) {
        auto byte = static_cast<unsigned char>(c);
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || marks.find(c) != std::string_view::npos) out += c;
        else ((out += '%') += digits[byte >> 4]) += digits[byte & 15];
    }
    return out;
}

void read_urlencoded(std::string_view text, Params& into) {
    for_each_pair(text, [&](std::string name, std::string value) {
        into.add(std::move(name), std::move(value));
    });
}

std::vector<std::pair<std::string, std::string>> read_urlencoded(std::string_view text) {
    std::vector<std::pair<std::string, std::string>> out;
    for_each_pair(text, [&](std::string name, std::string value) {
        if (!name.empty()) out.emplace_back(std::move(name), std::move(value));
    });
    return out;
}

}  // namespace http
