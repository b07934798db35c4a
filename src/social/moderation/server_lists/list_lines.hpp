// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers as they are handed around: Mastodon's CSV, one domain a line, and the JSON of
// GET /api/v1/instance/domain_blocks. And back to CSV.
#pragma once
#include "social/instance/list_rule.hpp"

namespace moderation {

constexpr std::size_t most_list_lines = 20'000;

BOOST_DEFINE_ENUM_CLASS(ListFormat, csv, text, json)

// What could not be taken. `line`: from 1; of JSON the number of the entry.
struct RefusedLine {
    std::int64_t line = 0;
    std::string text, reason;
};
DESCRIBE(RefusedLine, line, text, reason)

struct ServerList {
    ListFormat format = ListFormat::text;
    std::vector<instance::ListRule> rules;  // each domain once
    std::vector<RefusedLine> refused;
    std::int64_t priority = 0;  // of who says so, where it is subscribed to
};

// Which of the three it is shows the text itself. `otherwise`: where a line says no severity. `own`: this server's domain.
// Throws Invalid: nothing in it, too much, or what is none of these.
ServerList read_server_list(std::string_view, instance::Severity otherwise, std::string_view own);

// With the columns of the reference. What only notes something is left out.
std::string server_list_csv(const std::vector<instance::ListRule>&);

}  // namespace moderation
