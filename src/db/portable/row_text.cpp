// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/row_text.hpp"

#include "db/connection.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace db::portable {

namespace {

constexpr std::string_view null = "\\N";

// The character after the backslash; 0 if none is needed.
char escape_of(char c) {
    switch (c) {
        case '\b': return 'b';
        case '\f': return 'f';
        case '\n': return 'n';
        case '\r': return 'r';
        case '\t': return 't';
        case '\v': return 'v';
        case '\\': return '\\';
        default: return 0;
    }
}

char escaped_by(char c) {
    switch (c) {
        case 'b': return '\b';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case 'v': return '\v';
        case '\\': return '\\';
        default: throw Failure("a backslash in a row stands before what it cannot stand before");
    }
}

unsigned digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    throw Failure("bytes in a row are not hexadecimal");
}

template <class Number>
Number number(std::string_view field) {
    Number value{};
    const auto end = field.data() + field.size();
    if (const auto read = std::from_chars(field.data(), end, value);
        read.ec != std::errc{} || read.ptr != end)
        throw Failure("\"" + std::string(field.substr(0, 40)) + "\" in a row is no number");
    return value;
}

}  // namespace

void append_text(std::string& row, std::string_view text) {
    for (std::size_t done = 0; done < text.size();) {
        auto plain = done;
        while (plain < text.size() && !escape_of(text[plain])) ++plain;
        row.append(text, done, plain - done);
        if (plain < text.size()) {
            row += '\\';
            row += escape_of(text[plain]);
        }
        done = plain + 1;
    }
}

void append_bytes(std::string& row, std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    row += "\\\\x";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        row += digits[byte >> 4];
        row += digits[byte & 15];
    }
}

void append_real(std::string& row, double value) {
    char digits[40];
    row.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_null(std::string& row) { row += null; }

Fields::Fields(std::string_view row) : rest_(row) {
    if (rest_.ends_with('\n')) rest_.remove_suffix(1);
}

bool Fields::next(std::string_view& field) {
    if (ended_) return false;
    const auto end = std::min(rest_.find('\t'), rest_.size());
    field = rest_.substr(0, end);
    ended_ = end == rest_.size();
    if (!ended_) rest_.remove_prefix(end + 1);
    return true;
}

bool is_null(std::string_view field) { return field == null; }

void read_text(std::string_view field, std::string& out) {
    out.clear();
    for (std::size_t done = 0; done < field.size();) {
        const auto plain = std::min(field.find('\\', done), field.size());
        out.append(field, done, plain - done);
        if (plain == field.size()) return;
        if (plain + 1 == field.size()) throw Failure("a row ends behind a backslash");
        out += escaped_by(field[plain + 1]);
        done = plain + 2;
    }
}

void read_bytes(std::string_view field, std::string& out) {
    constexpr std::string_view mark = "\\\\x";
    out.clear();
    if (!field.starts_with(mark) || field.size() % 2 == 0)
        throw Failure("bytes in a row are not hexadecimal");
    for (auto at = mark.size(); at < field.size(); at += 2)
        out += static_cast<char>(digit(field[at]) << 4 | digit(field[at + 1]));
}

std::int64_t read_integer(std::string_view field) { return number<std::int64_t>(field); }
double read_real(std::string_view field) { return number<double>(field); }

bool read_truth(std::string_view field) {
    if (field == "t") return true;
    if (field != "f")
        throw Failure("\"" + std::string(field.substr(0, 40)) + "\" in a row is neither t nor f");
    return false;
}

}  // namespace db::portable
