// SPDX-License-Identifier: AGPL-3.0-or-later
// A row as text in the format of PostgreSQL's COPY, the same for both engines: fields separated by tabs, \N
// for NULL, special characters escaped with a backslash; t and f; bytes as \\x and hexadecimal digits.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace db::portable {

void append_text(std::string& row, std::string_view);
void append_bytes(std::string& row, std::string_view);
void append_real(std::string& row, double);
void append_null(std::string& row);

// The raw fields of a row, one after the other.
class Fields {
public:
    explicit Fields(std::string_view row);
    bool next(std::string_view& field);  // false: no field is left

private:
    std::string_view rest_;
    bool ended_ = false;
};

bool is_null(std::string_view field);
// Throw Failure for a field that cannot be parsed.
void read_text(std::string_view field, std::string& out);
void read_bytes(std::string_view field, std::string& out);
std::int64_t read_integer(std::string_view field);
double read_real(std::string_view field);
bool read_truth(std::string_view field);

}  // namespace db::portable
