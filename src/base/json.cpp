// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"

#include <array>
#include <cmath>

namespace base::json {

namespace {

// What a byte needs inside a string: nothing, a letter after a backslash, or \u00XX.
constexpr auto escapes = [] {
    std::array<char, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
    table['"'] = '"';
    table['\\'] = '\\';
    table['\n'] = 'n';
    table['\r'] = 'r';
    table['\t'] = 't';
    table['\b'] = 'b';
    table['\f'] = 'f';
    return table;
}();

// Fast path: most texts need no escaping, and this loop is vectorized.
bool any_escaped(std::string_view s) {
    unsigned char found = 0;
    for (char c : s) {
        const auto byte = static_cast<unsigned char>(c);
        found |= static_cast<unsigned char>((byte < 0x20) | (byte == '"') | (byte == '\\'));
    }
    return found != 0;
}

}  // namespace

void write(std::string& out, std::string_view s) {
    out += '"';
    std::size_t plain = 0;
    for (std::size_t i = any_escaped(s) ? 0 : s.size(); i < s.size(); ++i) {
        char escape = escapes[static_cast<unsigned char>(s[i])];
        if (!escape) continue;
        out.append(s, plain, i - plain);
        plain = i + 1;
        out += '\\';
        if (escape == 'u') {
            constexpr char digits[] = "0123456789abcdef";
            out += "u00";
            out += digits[static_cast<unsigned char>(s[i]) >> 4];
            out += digits[static_cast<unsigned char>(s[i]) & 15];
        } else {
            out += escape;
        }
    }
    out.append(s, plain);
    out += '"';
}

namespace {

void write_plain(std::string& out, std::string_view s) {
    out += '"';
    out += s;
    out += '"';
}

}  // namespace

void write(std::string& out, Time t) { write_plain(out, base::to_string(t)); }
void write(std::string& out, Date d) { write_plain(out, base::to_string(d)); }
void write(std::string& out, WholeSeconds t) { write_plain(out, base::to_string(t)); }

void write(std::string& out, double d) {
    if (!std::isfinite(d)) {
        out += "null";
        return;
    }
    char digits[32];
    auto end = std::to_chars(digits, digits + sizeof digits, d).ptr;
    out.append(digits, end);
    // A whole number keeps its fraction, so that clients with strict decoders see a float.
    if (std::string_view(digits, static_cast<std::size_t>(end - digits)).find_first_of(".e") ==
        std::string_view::npos)
        out += ".0";
}

}  // namespace base::json
