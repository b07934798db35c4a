// SPDX-License-Identifier: AGPL-3.0-or-later
// Tables of text as RFC 4180 has them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace transfer {

using Row = std::vector<std::string>;

std::string csv_line(const Row&);  // with the end of the line

// Lines may end in LF alone; a byte order mark and lines with nothing in them are passed over. Throws Invalid: what is no
// text, a quote that does not end. What follows the first `most` rows is not looked at.
std::vector<Row> read_csv(std::string_view, std::size_t most);

}  // namespace transfer
