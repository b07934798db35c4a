// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of parameters as text: JSON for SQLite, array literals for PostgreSQL.
#pragma once
#include "db/connection.hpp"

#include <string>
#include <string_view>

namespace db {

// Throws base::Invalid when the text contains a NUL, which PostgreSQL cannot store.
void refuse_nul(std::string_view);

void append_json(std::string& out, IdList);
void append_json(std::string& out, TextList);
void append_array(std::string& out, IdList);
void append_array(std::string& out, TextList);

}  // namespace db
