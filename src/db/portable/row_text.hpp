// SPDX-License-Identifier: AGPL-3.0-or-later
// A row as text: what COPY of PostgreSQL writes, the same for both engines. Fields between tabs, \N for NULL, what would be
// taken for something else behind a backslash; t and f; bytes as \\x and hexadecimal digits.
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

// The fields of a row, one after the other, as they stand there.
class Fields {
public:
    explicit Fields(std::string_view row);
    bool next(std::string_view& field);  // false: there is none left

private:
    std::string_view rest_;
    bool ended_ = false;
};

bool is_null(std::string_view field);
// Throw Failure for what is none.
void read_text(std::string_view field, std::string& out);
void read_bytes(std::string_view field, std::string& out);
std::int64_t read_integer(std::string_view field);
double read_real(std::string_view field);
bool read_truth(std::string_view field);

}  // namespace db::portable
