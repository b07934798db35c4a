// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/charset.hpp"

#include <unicode/ucnv.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/text/utf8.hpp"

namespace base::text {

namespace {

// The word after `charset=`, quoted or not, in a header or in the beginning of a page.
std::string charset_in(std::string_view text) {
    auto small = ascii_lowered(text);
    for (auto at = small.find("charset"); at != small.npos; at = small.find("charset", at + 1)) {
        auto begin = small.find_first_not_of(" \t\r\n", at + 7);
        if (begin == small.npos || small[begin] != '=') continue;
        begin = small.find_first_not_of(" \t\r\n\"'", begin + 1);
        if (begin == small.npos) break;
        auto end = small.find_first_of(" \t\r\n\"';/>", begin);
        return small.substr(begin, end == small.npos ? small.npos : end - begin);
    }
    return {};
}

// Browsers treat these as the corresponding Windows encodings, and gb2312 and gbk as gb18030.
std::string as_browsers_read(std::string name) {
    if (name == "iso-8859-1" || name == "latin1" || name == "us-ascii" || name == "ascii")
        return "windows-1252";
    if (name == "iso-8859-9") return "windows-1254";
    if (name == "gb2312" || name == "gbk") return "gb18030";
    return name;
}

std::string converted(std::string_view bytes, const std::string& charset) {
    UErrorCode error = U_ZERO_ERROR;
    std::unique_ptr<UConverter, decltype(&ucnv_close)> from(ucnv_open(charset.c_str(), &error), ucnv_close);
    if (U_FAILURE(error)) return clean_utf8(bytes);
    std::vector<UChar> wide(bytes.size() + 1);
    auto size = ucnv_toUChars(
        from.get(),
        wide.data(),
        static_cast<std::int32_t>(wide.size()),
        bytes.data(),
        static_cast<std::int32_t>(bytes.size()),
        &error
    );
    if (U_FAILURE(error)) return clean_utf8(bytes);
    std::string out;
    for (std::int32_t i = 0; i < size;) {
        UChar32 c;
        U16_NEXT(wide.data(), i, size, c);
        append_utf8(out, U_IS_SURROGATE(c) ? U'\uFFFD' : static_cast<char32_t>(c));
    }
    return clean_utf8(out);
}

}  // namespace

std::string html_as_utf8(std::string_view bytes, std::string_view content_type) {
    if (bytes.starts_with("\xEF\xBB\xBF")) return clean_utf8(bytes.substr(3));
    std::string charset;
    if (bytes.starts_with("\xFF\xFE")) charset = "utf-16le", bytes.remove_prefix(2);
    else if (bytes.starts_with("\xFE\xFF")) charset = "utf-16be", bytes.remove_prefix(2);
    if (charset.empty()) charset = charset_in(content_type);
    // If ASCII was readable so far, the page is not in UTF-16 or UTF-32, whatever it claims.
    if (charset.empty()) {
        charset = charset_in(bytes.substr(0, 4096));
        if (charset.starts_with("utf-16") || charset.starts_with("utf-32")) charset = "utf-8";
    }
    if (charset.empty()) charset = valid_utf8(bytes) ? "utf-8" : "windows-1252";
    if (charset == "utf-8" || charset == "utf8") return clean_utf8(bytes);
    return converted(bytes, as_browsers_read(charset));
}

}  // namespace base::text
