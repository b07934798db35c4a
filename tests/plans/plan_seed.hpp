// SPDX-License-Identifier: AGPL-3.0-or-later
// A site to plan statements on: every table has rows, and they are as uneven as those of a large site. Half of all accounts
// are of one domain, one account has a quarter of all posts, all of them private, one post a third of all favourites.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace plans {

// How many rows a table gets. Ids and times of all tables are the numbers from 1 to that.
int rows_of(std::string_view table);

// Of tables in which a site of any size has some hundreds of rows at most; the planner may read the whole of them.
bool small(std::string_view table);

struct Column {
    std::string name, type;  // the type in small letters
    bool required = false;
};

// The statement that fills the table, the same on both engines; 0 rows: as many as it gets.
std::string fill(const std::string& table, const std::vector<Column>&, int rows = 0);

}  // namespace plans
