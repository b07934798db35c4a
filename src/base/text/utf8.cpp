// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/utf8.hpp"

#include <unicode/uchar.h>

#include <algorithm>

namespace base::text {

namespace {

std::uint8_t byte(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

struct Lead {
    unsigned more;        // continuation bytes
    std::uint8_t lo, hi;  // valid range of the first one: excludes overlong forms, surrogates, > U+10FFFF
};

Lead lead(std::uint8_t b) {
    if (b >= 0xC2 && b <= 0xDF) return {1, 0x80, 0xBF};
    if (b == 0xE0) return {2, 0xA0, 0xBF};
    if (b == 0xED) return {2, 0x80, 0x9F};
    if (b >= 0xE1 && b <= 0xEF) return {2, 0x80, 0xBF};
    if (b == 0xF0) return {3, 0x90, 0xBF};
    if (b >= 0xF1 && b <= 0xF3) return {3, 0x80, 0xBF};
    if (b == 0xF4) return {3, 0x80, 0x8F};
    return {0, 0, 0};
}

constexpr char32_t replacement = 0xFFFD;

bool printable_ascii(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace

Decoded decode(std::string_view text, std::size_t at) {
    auto first = byte(text, at);
    if (first < 0x80) return {first, 1, true};
    auto [more, lo, hi] = lead(first);
    if (more == 0) return {replacement, 1, false};
    char32_t c = first & (0x3Fu >> more);
    for (unsigned k = 1; k <= more; ++k) {
        auto size = static_cast<std::uint8_t>(k);
        if (at + k >= text.size()) return {replacement, size, false};
        auto b = byte(text, at + k);
        if (b < lo || b > hi) return {replacement, size, false};
        c = (c << 6) | (b & 0x3Fu);
        lo = 0x80, hi = 0xBF;
    }
    return {c, static_cast<std::uint8_t>(more + 1), true};
}

Decoded decode_before(std::string_view text, std::size_t at) {
    if (at == 0) return {0, 0, true};
    if (byte(text, at - 1) < 0x80) return {byte(text, at - 1), 1, true};
    for (std::size_t size = 2; size <= 4 && size <= at; ++size) {
        if ((byte(text, at - size) & 0xC0) == 0x80) continue;
        auto found = decode(text, at - size);
        if (found.size == size) return found;
        break;
    }
    return {replacement, 1, false};
}

void append_utf8(std::string& out, char32_t c) {
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = replacement;
    auto put = [&](char32_t bits) { out += static_cast<char>(static_cast<std::uint8_t>(bits)); };
    if (c < 0x80) return put(c);
    if (c < 0x800) {
        put(0xC0 | (c >> 6));
    } else {
        if (c < 0x10000) {
            put(0xE0 | (c >> 12));
        } else {
            put(0xF0 | (c >> 18));
            put(0x80 | ((c >> 12) & 0x3F));
        }
        put(0x80 | ((c >> 6) & 0x3F));
    }
    put(0x80 | (c & 0x3F));
}

std::size_t whole_characters(std::string_view text, std::size_t most_bytes) {
    if (text.size() <= most_bytes) return text.size();
    auto end = most_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return end;
}

bool valid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        auto found = decode(text, at);
        if (!found.valid) return false;
        at += found.size;
    }
    return true;
}

std::string clean_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        auto run = at;
        while (run < text.size() && (printable_ascii(text[run]) || text[run] == '\n')) ++run;
        out.append(text, at, run - at);
        if ((at = run) == text.size()) break;
        if (text[at] == '\r') {
            out += '\n';
            at += at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
            continue;
        }
        auto found = decode(text, at);
        if (!found.valid) append_utf8(out, found.c);
        else if (!is_control(found.c)) out.append(text, at, found.size);
        at += found.size;
    }
    return out;
}

bool is_control(char32_t c) { return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0); }

bool is_space(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13);
    return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

bool is_word(char32_t c) {
    if (c < 0x80) return is_ascii_alnum(c) || c == '_';
    auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
    return (mask & (U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0 || is_letter(c);
}

bool is_letter(char32_t c) {
    if (c < 0x80) return is_ascii_alpha(c);
    return u_isUAlphabetic(static_cast<UChar32>(c)) != 0;
}

bool is_alnum(char32_t c) {
    if (c < 0x80) return is_ascii_alnum(c);
    return u_isUAlphabetic(static_cast<UChar32>(c)) || u_isdigit(static_cast<UChar32>(c));
}

std::string ascii_lowered(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = ascii_lower(c);
    return out;
}

bool same_ignoring_ascii_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, ascii_lower, ascii_lower);
}

}  // namespace base::text
