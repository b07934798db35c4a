// SPDX-License-Identifier: AGPL-3.0-or-later
// UTF-8 as bytes: decoding that never fails, cleaning of all untrusted text, and the few character classes
// that the text rules need. Not here: normalization (hashtag.hpp) and clusters (count.hpp).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace base::text {

struct Decoded {
    char32_t c;
    std::uint8_t size;
    bool valid;
};

// The character at `at` (which must be inside the text). Invalid sequences are decoded as U+FFFD, one per
// maximal subpart.
Decoded decode(std::string_view text, std::size_t at);
// The character that ends just before `at`; U+0000 at the start.
Decoded decode_before(std::string_view text, std::size_t at);
void append_utf8(std::string& out, char32_t c);

bool valid_utf8(std::string_view text);
// The length of the longest prefix of whole characters that fits into `most_bytes`.
std::size_t whole_characters(std::string_view text, std::size_t most_bytes);

// For all text from outside: valid UTF-8, CRLF and CR become LF, control characters (except LF and TAB) are
// removed.
std::string clean_utf8(std::string_view text);

// C0 except LF and TAB, DEL, C1.
bool is_control(char32_t c);
bool is_space(char32_t c);
bool is_word(char32_t c);    // letters, marks, digits, connectors such as `_`
bool is_letter(char32_t c);  // alphabetic
bool is_alnum(char32_t c);   // alphabetic or decimal digit

constexpr bool is_ascii_alpha(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_alnum(char32_t c) { return is_ascii_alpha(c) || is_ascii_digit(c); }
constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

std::string ascii_lowered(std::string_view);
bool same_ignoring_ascii_case(std::string_view a, std::string_view b);

}  // namespace base::text
