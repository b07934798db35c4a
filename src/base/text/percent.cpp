// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/percent.hpp"

namespace base::text {

std::string percent_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool coded = text[i] == '%' && i + 2 < text.size();
        const int high = coded ? hex_digit(text[i + 1]) : -1, low = coded ? hex_digit(text[i + 2]) : -1;
        if (high < 0 || low < 0) {
            out += text[i];
            continue;
        }
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

}  // namespace base::text
