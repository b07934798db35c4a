// SPDX-License-Identifier: AGPL-3.0-or-later
// The statements that may walk through a large table, each with the reason.
#pragma once
#include <span>
#include <string_view>

namespace plans {

// `postgres_by_sample`: PostgreSQL takes one way or another of equal length, by rows that it looks at by chance.
enum class On { both, sqlite, postgres, postgres_by_sample };

struct Exception {
    std::string_view statement, table;
    On on;
    std::string_view reason;
    std::string_view by = {};  // the index alone that it may walk along; empty: any, or the table itself
};

std::span<const Exception> exceptions();

}  // namespace plans
