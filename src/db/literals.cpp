// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/connection.hpp"

#include "base/errors.hpp"

#include <charconv>

namespace db {

namespace {

void append_ids(std::string& out, char open, IdList list, char close) {
    out += open;
    for (const auto id : list.ids) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, id).ptr;
        out.append(digits, end);
        out += ',';
    }
    if (!list.ids.empty()) out.pop_back();
    out += close;
}

void append_control(std::string& out, unsigned char c) {
    constexpr const char* hex = "0123456789abcdef";
    out += "\\u00";
    out += hex[c >> 4];
    out += hex[c & 15];
}

}  // namespace

void refuse_nul(std::string_view text) {
    if (text.find('\0') != text.npos) throw base::Invalid("Text must not contain a NUL character");
}

void append_json(std::string& out, IdList list) { append_ids(out, '[', list, ']'); }

void append_json(std::string& out, TextList list) {
    out += '[';
    for (const auto& text : list.texts) {
        refuse_nul(text);
        out += '"';
        for (const char c : text) {
            if (c == '"' || c == '\\') out += '\\';
            if (static_cast<unsigned char>(c) < 0x20) append_control(out, static_cast<unsigned char>(c));
            else out += c;
        }
        out += "\",";
    }
    if (!list.texts.empty()) out.pop_back();
    out += ']';
}

void append_array(std::string& out, IdList list) { append_ids(out, '{', list, '}'); }

void append_array(std::string& out, TextList list) {
    out += '{';
    for (const auto& text : list.texts) {
        refuse_nul(text);
        out += '"';
        for (const char c : text) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += "\",";
    }
    if (!list.texts.empty()) out.pop_back();
    out += '}';
}

}  // namespace db
