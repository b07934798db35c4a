// SPDX-License-Identifier: AGPL-3.0-or-later
// Texts made of texts.
#pragma once
#include <string>
#include <string_view>

namespace base::text {

// The words in their order, with `between` between them.
template <class Words>
std::string joined(const Words& words, std::string_view between = ", ") {
    std::string out;
    bool first = true;
    for (const auto& word : words) {
        if (!first) out += between;
        first = false;
        out += word;
    }
    return out;
}

// From left to right; what was put in is not looked at again. `from` is not empty.
inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace base::text
