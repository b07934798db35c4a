// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/emoji.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace base::text {

namespace {

bool is_sequence(const icu::UnicodeString& text) {
    return u_stringHasBinaryProperty(text.getBuffer(), text.length(), UCHAR_RGI_EMOJI);
}

}  // namespace

bool is_emoji(std::string_view text) {
    constexpr std::size_t longest = 64;
    if (text.empty() || text.size() > longest) return false;
    constexpr char16_t coloured = 0xfe0f;
    auto units = icu::UnicodeString::fromUTF8({text.data(), static_cast<int>(text.size())});
    if (is_sequence(units)) return true;
    return units.countChar32() == 1 && is_sequence(units.append(coloured));
}

}  // namespace base::text
