// SPDX-License-Identifier: AGPL-3.0-or-later
// Hexadecimal digits, and the bytes that addresses write with them (RFC 3986, section 2.1).
#pragma once
#include <string>
#include <string_view>

namespace base::text {

// -1: it is none.
constexpr int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// A % without two digits behind it stays, and so does a +, which means a space in forms alone: who reads one has replaced
// it before.
std::string percent_decoded(std::string_view text);

}  // namespace base::text
