// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/network.hpp"

#include "base/crypto.hpp"

#include <arpa/inet.h>
#include <algorithm>
#include <array>
#include <charconv>

namespace base {

namespace {

using Bytes = std::array<unsigned char, 16>;
constexpr Bytes mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
constexpr unsigned mapped_bits = 96;

bool is_v4(const Bytes& bytes) { return std::equal(bytes.begin(), bytes.begin() + 12, mapped.begin()); }

std::optional<Bytes> parse(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    const std::string given(text);
    Bytes bytes = mapped;
    if (inet_pton(AF_INET, given.c_str(), bytes.data() + 12) == 1) return bytes;
    if (inet_pton(AF_INET6, given.c_str(), bytes.data()) == 1) return bytes;
    return std::nullopt;
}

std::string digits(const Bytes& bytes) {
    return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string readable(const Bytes& bytes) {
    char text[INET6_ADDRSTRLEN];
    if (is_v4(bytes)) inet_ntop(AF_INET, bytes.data() + 12, text, sizeof text);
    else inet_ntop(AF_INET6, bytes.data(), text, sizeof text);
    return text;
}

}  // namespace

std::optional<Network> parse_network(std::string_view text) {
    auto slash = text.find('/');
    auto address = parse(text.substr(0, slash));
    if (!address) return std::nullopt;
    unsigned most = is_v4(*address) ? 32 : 128, bits = most;
    if (slash != text.npos) {
        auto length = text.substr(slash + 1);
        auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
        if (error != std::errc() || end != length.data() + length.size() || bits > most) return std::nullopt;
    }
    auto first = *address, last = *address;
    for (unsigned i = bits + (most == 32 ? mapped_bits : 0); i < 128; ++i) {
        auto bit = static_cast<unsigned char>(0x80u >> (i % 8));
        first[i / 8] = static_cast<unsigned char>(first[i / 8] & ~bit);
        last[i / 8] = static_cast<unsigned char>(last[i / 8] | bit);
    }
    return Network{digits(first), digits(last), readable(first) + "/" + std::to_string(bits)};
}

std::string address_digits(std::string_view text) {
    auto address = parse(text);
    return address ? digits(*address) : std::string();
}

}  // namespace base
