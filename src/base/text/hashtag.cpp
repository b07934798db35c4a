// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/hashtag.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <vector>

#include "base/text/utf8.hpp"

namespace base::text {

namespace {

bool is_separator(char32_t c) { return c == '_' || c == 0xB7 || c == 0x30FB || c == 0x200C; }

constexpr struct {
    char32_t from;
    char to;
} without_decomposition[] = {
    {0x00F0, 'd'},
    {0x00F8, 'o'},
    {0x0111, 'd'},
    {0x0127, 'h'},
    {0x0131, 'i'},
    {0x0138, 'k'},
    {0x0140, 'l'},
    {0x0142, 'l'},
    {0x0149, 'n'},
    {0x014B, 'n'},
    {0x0167, 't'},
    {0x017F, 's'},
};

// The base Latin letter of a lower case letter, or the letter itself.
char32_t fold(char32_t c) {
    if (c < 0xC0 || (c > 0x24F && c < 0x1E00) || c > 0x1EFF) return c;
    for (auto [from, to] : without_decomposition)
        if (c == from) return static_cast<unsigned char>(to);
    auto error = U_ZERO_ERROR;
    UChar parts[8];
    auto n =
        unorm2_getDecomposition(unorm2_getNFCInstance(&error), static_cast<UChar32>(c), parts, 8, &error);
    return U_SUCCESS(error) && n > 0 && is_ascii_alpha(parts[0]) ? parts[0] : c;
}

// NFKC and lower case, in UTF-16; empty if ICU refuses.
std::vector<UChar> compatible_lower(std::string_view name) {
    auto error = U_ZERO_ERROR;
    auto size = static_cast<int32_t>(std::min<std::size_t>(name.size(), 8192));  // longer ones are not names
    std::vector<UChar> raw(static_cast<std::size_t>(size) + 1);
    int32_t used = 0;
    u_strFromUTF8WithSub(raw.data(), size + 1, &used, name.data(), size, 0xFFFD, nullptr, &error);

    // NFKC expands one character to at most 18 units; lower case adds at most one more for each.
    std::vector<UChar> wide(static_cast<std::size_t>(used) * 18 + 1), low(wide.size() * 2);
    auto wide_size = static_cast<int32_t>(wide.size()), low_size = static_cast<int32_t>(low.size());
    auto n =
        unorm2_normalize(unorm2_getNFKCInstance(&error), raw.data(), used, wide.data(), wide_size, &error);
    n = u_strToLower(low.data(), low_size, wide.data(), n, "", &error);
    if (U_FAILURE(error)) return {};
    low.resize(static_cast<std::size_t>(n));
    return low;
}

bool kept(char32_t c) { return is_separator(c) || (is_word(c) && !(c >= 0xFE00 && c <= 0xFE0F)); }

}  // namespace

// Two forms, the longer one first: one that starts and ends with a word character and has a letter or
// separator in between; or word characters with a letter among them.
std::size_t hashtag_length(std::string_view text) {
    std::size_t at = 0, last_word_end = 0, last_word_start = 0;
    std::size_t first_inner = std::string_view::npos;  // first letter or separator after the first character
    std::size_t word_run = 0;                          // length of the leading run without · ・ ZWNJ
    bool run_goes_on = true, run_has_letter = false;
    while (at < text.size()) {
        auto [c, size, valid] = decode(text, at);
        bool word = valid && is_word(c), separator = is_separator(c);
        if (!word && !(separator && at > 0)) break;
        bool letter = word && is_letter(c);
        if (at > 0 && first_inner == std::string_view::npos && (letter || separator)) first_inner = at;
        if (word) {
            last_word_start = at;
            last_word_end = at + size;
        } else {
            run_goes_on = false;
        }
        if (run_goes_on) {
            word_run = at + size;
            run_has_letter = run_has_letter || letter;
        }
        at += size;
    }
    if (first_inner < last_word_start) return last_word_end;
    return run_has_letter ? word_run : 0;
}

bool valid_hashtag(std::string_view name) { return !name.empty() && hashtag_length(name) == name.size(); }

std::string hashtag_in_address(std::string_view name) {
    constexpr std::string_view hex = "0123456789ABCDEF", plain = "-._~";
    std::string out;
    for (char c : name) {
        auto b = static_cast<unsigned char>(c);
        if (is_ascii_alnum(b) || plain.find(c) != plain.npos) {
            out += c;
        } else {
            out += '%';
            out += hex[b >> 4];
            out += hex[b & 15];
        }
    }
    return out;
}

std::string normalise_hashtag(std::string_view name) {
    std::string out;
    out.reserve(name.size());
    if (std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
        for (char c : name)
            if (is_word(static_cast<unsigned char>(c))) out += ascii_lower(c);
        return out;
    }
    auto units = compatible_lower(name);
    for (std::size_t i = 0; i < units.size();) {
        char32_t c = units[i++];
        if (U16_IS_LEAD(c) && i < units.size() && U16_IS_TRAIL(units[i]))
            c = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(c, units[i++]));
        // A mark that NFKC could not combine with its Latin letter is dropped like the others.
        if (c >= 0x300 && c <= 0x36F && !out.empty() &&
            is_ascii_alpha(static_cast<unsigned char>(out.back())))
            continue;
        if (kept(c)) append_utf8(out, fold(c));
    }
    return out;
}

}  // namespace base::text
