// SPDX-License-Identifier: AGPL-3.0-or-later
// Parses lists of servers in the common formats: Mastodon's CSV, one domain per line, and the JSON of GET
// /api/v1/instance/domain_blocks. Writes CSV.
#pragma once
#include "social/instance/list_rule.hpp"

namespace moderation {

constexpr std::size_t most_list_lines = 20'000;

BOOST_DEFINE_ENUM_CLASS(ListFormat, csv, text, json)

// A refused line. `line`: from 1; for JSON the number of the entry.
struct RefusedLine {
    std::int64_t line = 0;
    std::string text, reason;
};
DESCRIBE(RefusedLine, line, text, reason)

struct ServerList {
    ListFormat format = ListFormat::text;
    std::vector<instance::ListRule> rules;  // each domain once
    std::vector<RefusedLine> refused;
    std::int64_t priority = 0;  // that of the source, for a subscribed list
};

// Detects the format. `otherwise`: the default severity. `own`: this server's domain. Throws Invalid when it
// is empty, too large, or in no known format.
ServerList read_server_list(std::string_view, instance::Severity otherwise, std::string_view own);

// With Mastodon's columns. Rules without an effect are left out.
std::string server_list_csv(const std::vector<instance::ListRule>&);

}  // namespace moderation
