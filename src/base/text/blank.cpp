// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/blank.hpp"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace base::text {

namespace {

bool is_invisible(UChar32 c) {
    constexpr UChar32 braille_without_dots = 0x2800;
    if (c < 0) return false;
    if (u_hasBinaryProperty(c, UCHAR_WHITE_SPACE) || c == braille_without_dots) return true;
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return true;
    // Some format characters are visible, such as the signs that Arabic puts before numbers.
    auto type = u_charType(c);
    return type == U_CONTROL_CHAR ||
           (type == U_FORMAT_CHAR && !u_hasBinaryProperty(c, UCHAR_PREPENDED_CONCATENATION_MARK));
}

bool is_white(UChar32 c) { return c >= 0 && u_hasBinaryProperty(c, UCHAR_WHITE_SPACE); }

}  // namespace

bool is_blank(std::string_view text) {
    const auto size = static_cast<std::int32_t>(text.size());
    for (std::int32_t at = 0; at < size;) {
        UChar32 c = 0;
        U8_NEXT(text.data(), at, size, c);
        if (!is_invisible(c)) return false;
    }
    return true;
}

std::string_view trimmed(std::string_view text) {
    std::int32_t begin = 0, end = static_cast<std::int32_t>(text.size());
    while (begin < end) {
        auto next = begin;
        UChar32 c = 0;
        U8_NEXT(text.data(), next, end, c);
        if (!is_white(c)) break;
        begin = next;
    }
    while (end > begin) {
        auto before = end;
        UChar32 c = 0;
        U8_PREV(text.data(), begin, before, c);
        if (!is_white(c)) break;
        end = before;
    }
    return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace base::text
