// SPDX-License-Identifier: AGPL-3.0-or-later
#include "plans/plan_seed.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace plans {

namespace {

// What staff writes by hand, and what has one row for each kind of something.
constexpr std::string_view small_tables[]{
    "settings",
    "setting_changes",
    "digests",  // one a week, of a year
    "dump_turns",
    "nodes",
    "alerts",  // of a month, one for each kind and machine
    "acme_certificates",
    "acme_challenges",
    "acme_tries",  // of the last week
    "rules",
    "roles",
    "relays",
    "domain_blocks",
    "terms_of_service",
    "announcements",
    "announcement_reactions",
    "activity_weeks",
    "uncounted",  // a row for each of five kinds
    "trend_cursors",
    "trend_candidates",  // of the last hour
    "trending",          // those that are shown
    "schema_migrations",
    "email_digests_due",
    "custom_emojis",
    "planned_updates",
    "ip_blocks",
    "email_domain_blocks",
    "username_blocks",
    "domain_allows",
    "list_exceptions",
    "list_batches",
    "list_sources",
    "list_copies",  // one for each of those
    "list_group_members",
    "published_rules",
    "warning_presets",
    "audit_heads",
    "publishers",
    "webhooks",
    "webhook_calls",  // of the last seconds
    "moderation_rules",
    "word_lists",
    "site_labels",
    "hash_lists",
    "picture_searches",  // asked for by hand
    "moderation_rule_versions",
    "rule_rehearsals",  // of a month, asked for by hand
    "takeovers",
};

// Of columns whose rows are uneven, or that hold words; `i` counts the rows from 1.
const std::map<std::string_view, std::string_view> values{
    {"accounts.domain",
     "CASE WHEN i % 20 = 0 THEN '' WHEN i % 2 = 0 THEN 'large.example' ELSE 'd' || (i % 300) || '.example' "
     "END"},
    {"accounts.suspended_by", "CASE WHEN i % 100 = 0 THEN 'domain' ELSE '' END"},
    {"accounts.silenced_by", "''"},
    {"accounts.uri", "CASE WHEN i % 20 = 0 THEN '' ELSE 'https://x.example/' || i END"},
    {"accounts.discoverable", "i % 3 = 0"},
    {"actors.shared_inbox",
     "CASE WHEN i % 2 = 0 THEN 'https://large.example/inbox' ELSE 'https://d' || (i % 300) || '.example/' END"
    },
    {"statuses.account_id", "CASE WHEN i % 4 = 0 THEN 5 ELSE 1 + i % 3000 END"},
    {"statuses.visibility",
     "CASE WHEN i % 4 = 0 THEN 'private' WHEN i % 10 = 1 THEN 'unlisted' ELSE 'public' END"},
    {"statuses.local", "i % 20 = 0"},
    {"statuses.in_reply_to_id", "CASE WHEN i % 5 = 0 THEN i - 1 END"},
    {"statuses.in_reply_to_account_id", "CASE WHEN i % 5 = 0 THEN i - 1 END"},
    {"statuses.reblog_of_id", "CASE WHEN i % 6 = 0 THEN i - 3 END"},
    {"statuses.uri", "CASE WHEN i % 20 <> 0 THEN 'https://x.example/' || i END"},
    {"favourites.status_id", "CASE WHEN i % 3 = 0 THEN 9 ELSE i END"},
    {"favourites.account_id", "i"},
    {"follows.target_id", "CASE WHEN i % 4 = 0 THEN 5 ELSE 1 + i % 700 END"},
    {"follows.account_id", "1 + i % 1900"},
    {"notifications.type", "CASE WHEN i % 3 = 0 THEN 'favourite' ELSE 'mention' END"},
    {"notifications.group_key", "CASE WHEN i % 3 = 0 THEN 'favourite-9-1' ELSE 'ungrouped-' || i END"},
    {"home_entries.account_id", "1 + i % 10"},
    {"mentions.account_id", "CASE WHEN i % 3 = 0 THEN 5 ELSE i END"},
    {"status_tags.tag_id", "CASE WHEN i % 3 = 0 THEN 5 ELSE i % 100 END"},
    {"deliveries.host", "'d' || (i % 300) || '.example'"},
    {"inbox_items.asking", "i % 10 = 0"},
    {"polls.ended", "i % 20 <> 0"},
    {"remote_files.file", "CASE WHEN i % 20 = 0 THEN '' ELSE 'x' || i END"},
    {"users.role_id", "CASE WHEN i % 500 = 0 THEN 3 ELSE -99 END"},
    {"users.account_id", "i"},
    {"label_uses.subject",
     "CASE WHEN i % 40 = 0 THEN 'server' WHEN i % 2 = 0 THEN 'account' ELSE 'status' END"},
    {"label_uses.domain", "CASE WHEN i % 40 = 0 THEN 'd' || i || '.example' ELSE '' END"},
    {"label_uses.label_id", "1 + i % 20"},
    {"label_choices.label_id", "1 + i % 20"},
    {"media.status_id", "CASE WHEN i % 20 <> 0 THEN i END"},
};

const std::map<std::string_view, std::string_view> words{
    {"state", "CASE WHEN i % 20 = 0 THEN 'pending' ELSE 'accepted' END"},
    {"type", "'a'"},
    {"kind", "'status'"},
    {"severity", "'silence'"},
    {"category", "'spam'"},
    {"source", "'global'"},
    {"language", "'en'"},
    {"status", "'finished'"},
};

std::string some(const Column& column) {
    const auto& type = column.type;
    if (type == "text") return "'x' || i";
    if (type == "boolean") return "i % 20 = 0";
    if (type.starts_with("double")) return "i * 0.5";
    if (type == "bytea") return "''";
    if (type == "tsvector") return "to_tsvector('simple', 'x' || i)";
    if (column.name.ends_with("count") || column.name == "position") return "i % 30";
    if (column.name == "account_id") return "CASE WHEN i % 3 = 0 THEN 5 ELSE i END";
    return "i";
}

std::string value(const std::string& table, const Column& column) {
    if (const auto found = values.find(table + "." + column.name); found != values.end())
        return std::string(found->second);
    if (const auto found = words.find(column.name); found != words.end() && column.type == "text")
        return std::string(found->second);
    if (column.required) return some(column);
    return "CASE WHEN i % 20 = 0 THEN " + some(column) + " END";
}

}  // namespace

int rows_of(std::string_view table) {
    constexpr std::array<std::string_view, 8> most{
        "statuses",
        "accounts",
        "actors",
        "favourites",
        "notifications",
        "home_entries",
        "mentions",
        "follows",
    };
    return std::ranges::find(most, table) != most.end() ? 12'000 : 2'000;
}

bool small(std::string_view table) {
    return std::ranges::find(small_tables, table) != std::end(small_tables);
}

std::string fill(const std::string& table, const std::vector<Column>& columns, int count) {
    std::string names, expressions;
    for (const auto& column : columns) {
        const char* comma = names.empty() ? "" : ", ";
        names += comma + column.name;
        expressions += comma + value(table, column);
    }
    const auto rows = std::to_string(count > 0 ? count : small(table) ? 50 : rows_of(table));
    return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + rows +
           ") INSERT INTO " + table + " (" + names + ") SELECT " + expressions +
           " FROM n WHERE i > 0 ON CONFLICT DO NOTHING";
}

}  // namespace plans
