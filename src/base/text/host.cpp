// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/host.hpp"

#include <idn2.h>

#include <algorithm>

#include "base/text/utf8.hpp"

namespace base::text {

std::optional<std::string> host_as_ascii(std::string_view text) {
    constexpr std::size_t longest = 259;  // 253 characters and a port
    if (text.empty() || text.size() > longest || !valid_utf8(text)) return std::nullopt;
    std::string out(text);
    if (std::ranges::any_of(out, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
        char* ascii = nullptr;
        if (idn2_to_ascii_8z(out.c_str(), &ascii, IDN2_NONTRANSITIONAL) != IDN2_OK) return std::nullopt;
        out = ascii;
        idn2_free(ascii);
    }
    std::ranges::transform(out, out.begin(), ascii_lower);
    auto fits = [](char c) {
        auto code = static_cast<unsigned char>(c);
        return is_ascii_alnum(code) || c == '.' || c == '-' || c == ':' || c == '_';
    };
    if (!std::ranges::all_of(out, fits)) return std::nullopt;
    return out;
}

}  // namespace base::text
