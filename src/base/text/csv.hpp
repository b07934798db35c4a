// SPDX-License-Identifier: AGPL-3.0-or-later
// CSV tables as in RFC 4180: cells separated by commas; a cell that contains a comma, a quotation mark or a
// line break is quoted, and quotation marks inside it are doubled.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

using CsvRow = std::vector<std::string>;

// Including the line break.
std::string csv_line(const CsvRow&);

// Accepts lines that end in LF alone; skips a byte order mark and empty lines. Throws Invalid if it is not
// text or a quote is not closed. Ignores everything after the first `most` rows.
std::vector<CsvRow> read_csv(std::string_view, std::size_t most, char separator = ',');

// The separator, guessed from the first line: some locales' spreadsheets write semicolons, others tabs.
char csv_separator(std::string_view);

// Names that somebody typed into one field, separated by commas, blanks or line breaks.
std::vector<std::string> listed(std::string_view);

}  // namespace base::text
