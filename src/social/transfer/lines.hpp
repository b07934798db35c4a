// SPDX-License-Identifier: AGPL-3.0-or-later
// The files of CSV in which people take along whom they follow, mute and block, their lists and bookmarks; the same
// columns as Mastodon's.
#pragma once
#include "base/describe.hpp"
#include "base/text/csv.hpp"
#include "db/session.hpp"

#include <boost/describe/enum.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace transfer {

BOOST_DEFINE_ENUM_CLASS(Kind, following, lists, muting, blocking, domain_blocking, bookmarks)

constexpr std::size_t most_lines = 20'000;  // of a file that is read

struct Line {
    std::string what;  // "name@host", a domain, or the address of a post
    std::string list;  // the title, of lists alone
    bool reblogs = true, notify = false, hide_notifications = true;
    std::vector<std::string> languages;
    std::int64_t found = 0;  // the account or the post that is meant
    std::string problem;     // a sentence; empty: it succeeded, or its turn has not come
};
DESCRIBE(Line, what, list, reblogs, notify, hide_notifications, languages, found, problem)

// Columns are told by the first line where it names them. `overwrite`: what is not among them ends, so that the first line
// has to be understood. Throws Invalid: nothing in it, too many lines, no CSV.
std::vector<Line> read_lines(Kind, std::string_view csv, bool overwrite = false);

// All that is there, oldest first. Accounts are named "name@host", also those of this site.
std::string export_csv(db::Read&, base::AccountId, Kind);

std::string heading(Kind);  // the first line of the file; some have none
std::string csv_of(Kind, const Line&);
std::string file_name(Kind);  // as Mastodon names it

using Row = base::text::CsvRow;
using base::text::csv_line;
using base::text::read_csv;

}  // namespace transfer
