// SPDX-License-Identifier: AGPL-3.0-or-later
// Tables of text, as RFC 4180 has them: cells between commas, those that hold a comma, a quotation mark or the end of a line
// in quotation marks, and a quotation mark in there twice.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

using CsvRow = std::vector<std::string>;

// With the end of the line.
std::string csv_line(const CsvRow&);

// Lines may end in LF alone; a byte order mark and lines with nothing in them are passed over. Throws Invalid: what is no
// text, a quote that does not end. What follows the first `most` rows is not looked at.
std::vector<CsvRow> read_csv(std::string_view, std::size_t most, char separator = ',');

// What stands between the cells, by the first line: spreadsheets of many countries write semicolons, others tabs.
char csv_separator(std::string_view);

// Names that somebody typed as one text: commas, blanks and ends of lines are between them.
std::vector<std::string> listed(std::string_view);

}  // namespace base::text
