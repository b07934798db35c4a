// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/exact_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

namespace ap {

namespace {

namespace json = boost::json;

// Names stand in the order of UTF-16: there characters beyond U+FFFF come before U+E000 to U+FFFF, whose first bytes
// in UTF-8 are 0xEE and 0xEF.
int utf16_rank(char c) {
    const int byte = static_cast<unsigned char>(c);
    return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
}

bool comes_before(std::string_view a, std::string_view b) {
    return std::ranges::lexicographical_compare(a, b, {}, utf16_rank, utf16_rank);
}

void write(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::string_view special = "\b\t\n\f\r\"\\", letters = "btnfr\"\\";
    out += '"';
    for (char c : text) {
        if (const auto at = special.find(c); at != special.npos) {
            out += '\\';
            out += letters[at];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            out += digits[static_cast<unsigned char>(c) >> 4];
            out += digits[c & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

void write(std::string& out, const json::value& value);

void write(std::string& out, const json::object& object) {
    std::vector<const json::key_value_pair*> members;
    members.reserve(object.size());
    for (const auto& member : object) members.push_back(&member);
    std::ranges::sort(members, comes_before, [](const auto* member) -> std::string_view {
        return member->key();
    });
    out += '{';
    const char* separator = "";
    for (const auto* member : members) {
        out += separator;
        write(out, std::string_view(member->key()));
        out += ':';
        write(out, member->value());
        separator = ",";
    }
    out += '}';
}

void write(std::string& out, const json::array& array) {
    out += '[';
    const char* separator = "";
    for (const auto& item : array) {
        out += separator;
        write(out, item);
        separator = ",";
    }
    out += ']';
}

void write(std::string& out, const json::value& value) {
    switch (value.kind()) {
        case json::kind::null: out += "null"; break;
        case json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
        case json::kind::int64: out += jcs_number(static_cast<double>(value.get_int64())); break;
        case json::kind::uint64: out += jcs_number(static_cast<double>(value.get_uint64())); break;
        case json::kind::double_: out += jcs_number(value.get_double()); break;
        case json::kind::string: write(out, std::string_view(value.get_string())); break;
        case json::kind::array: write(out, value.get_array()); break;
        case json::kind::object: write(out, value.get_object()); break;
    }
}

}  // namespace

std::string jcs_number(double number) {
    if (number == 0) return "0";
    // The shortest digits that read back as the same double, as d.ddde±x.
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr;
    std::string_view rest(text, static_cast<std::size_t>(end - text));
    std::string out;
    if (rest.starts_with('-')) {
        out = "-";
        rest.remove_prefix(1);
    }
    const auto e = rest.find('e');
    std::string digits(1, rest[0]);
    if (e > 2) digits += rest.substr(2, e - 2);
    int exponent = 0;
    const auto* sign = rest.data() + e + 1;
    std::from_chars(*sign == '+' ? sign + 1 : sign, end, exponent);

    // ECMAScript, Number::toString: `point` digits stand before the point.
    const int point = exponent + 1, count = static_cast<int>(digits.size());
    if (point > 21 || point < -5) {
        out += digits[0];
        if (count > 1) out += "." + digits.substr(1);
        return out + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
    }
    if (point <= 0) return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    if (count <= point) return out + digits + std::string(static_cast<std::size_t>(point - count), '0');
    const auto whole = static_cast<std::size_t>(point);
    return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string jcs(const json::value& value) {
    std::string out;
    write(out, value);
    return out;
}

}  // namespace ap
