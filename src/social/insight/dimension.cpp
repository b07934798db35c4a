// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/dimension.hpp"

#include "base/text/languages.hpp"
#include "social/insight/counted_days.hpp"
#include "social/media/copy.hpp"
#include "social/tags/tag_languages.hpp"

#include <algorithm>

namespace insight {

namespace {

constexpr std::int64_t day_ms = 86'400'000;

using Counted = OfServer;

}  // namespace

// The tables users, user_days, apps, statuses, status_tags and accounts belong to their subjects. $1, $2:
// times or ids; $3: the subject of the statistics; $4: the limit.
const db::Query<Counted> by_locale{
    "by_locale",
    R"(SELECT COALESCE(NULLIF(u.locale, ''), 'und') AS key, count(*) AS value
       FROM (SELECT DISTINCT user_id FROM user_days WHERE day >= $1 AND day < $2) d JOIN users u ON u.id = d.user_id
       GROUP BY COALESCE(NULLIF(u.locale, ''), 'und') ORDER BY value DESC, key LIMIT $3)"
};
const db::Query<Counted> by_app{
    "by_app",
    R"(SELECT COALESCE(a.name, 'web') AS key, count(*) AS value FROM users u
           LEFT JOIN apps a ON a.id = u.created_by_app_id
       WHERE u.id >= $1 AND u.id < $2 GROUP BY COALESCE(a.name, 'web') ORDER BY value DESC, key LIMIT $3)"
};
const db::Query<Counted> tag_by_server{
    "tag_by_server",
    R"(SELECT a.domain AS key, count(*) AS value FROM status_tags t JOIN accounts a ON a.id = t.account_id
       WHERE t.tag_id = $4 AND t.status_id >= $1 AND t.status_id < $2
       GROUP BY a.domain ORDER BY value DESC, key LIMIT $3)"
};
const db::Query<Counted> server_by_language{
    "server_by_language",
    R"(SELECT COALESCE(s.language, 'und') AS key, count(*) AS value FROM accounts a
           JOIN statuses s ON s.account_id = a.id
       WHERE a.domain IN LIST($4) AND a.domain <> '' AND s.id >= $1 AND s.id < $2 AND s.deleted_at IS NULL
           AND s.reblog_of_id IS NULL
       GROUP BY COALESCE(s.language, 'und') ORDER BY value DESC, key LIMIT $3)"
};
const db::Query<Counted> server_by_followed{
    "server_by_followed",
    R"(SELECT a.username AS key, count(*) AS value FROM accounts a JOIN follows f ON f.target_id = a.id
       WHERE a.domain IN LIST($1) AND a.domain <> '' GROUP BY a.username ORDER BY value DESC, key LIMIT $2)"
};
const db::Query<std::int64_t> room_of_database{
    "room_of_database",
    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "SELECT pg_database_size(current_database())"
};
const db::Query<std::string> version_of_database{
    "version_of_database", "SELECT sqlite_version()", "SELECT CAST(current_setting('server_version') AS TEXT)"
};
const db::Query<std::string> kind_of_database{
    "kind_of_database", "SELECT 'sqlite'", "SELECT 'postgresql'::text"
};

namespace {

constexpr int all_rows = 10'000;

std::string language_name(const std::string& code) {
    auto all = base::text::languages();
    auto known = std::ranges::find(all, code, &base::text::Language::code);
    return known == all.end() ? code : std::string(known->name);
}

std::vector<DimensionRow> languages(const std::vector<Counted>& found) {
    std::vector<DimensionRow> out;
    for (const auto& one : found) out.push_back({one.key, language_name(one.key), std::to_string(one.value)});
    return out;
}

std::vector<Counted> languages_of_tag(db::Read& db, base::TagId tag, const Days& d, int most) {
    std::vector<Counted> out;
    for (const auto& one : tags::languages_of_tags(db, {tag}, d.first, d.last + 1))
        if (std::ssize(out) < most) out.push_back({one.language.empty() ? "und" : one.language, one.posts});
    return out;
}

std::vector<DimensionRow> plain(const std::vector<Counted>& found) {
    std::vector<DimensionRow> out;
    for (const auto& one : found) out.push_back({one.key, one.key, std::to_string(one.value)});
    return out;
}

// Local accounts have no domain in the tables.
std::vector<DimensionRow> servers(const base::Site& site, std::vector<Counted> found) {
    for (auto& one : found)
        if (one.key.empty()) one.key = site.domain;
    return plain(found);
}

std::vector<DimensionRow> apps(const std::vector<Counted>& found) {
    auto out = plain(found);
    for (auto& one : out)
        if (one.key == "web") one.human_key = "Website";
    return out;
}

DimensionRow room(const std::string& key, const std::string& name, std::int64_t bytes) {
    return {key, name, std::to_string(bytes), std::string("bytes"), human_bytes(bytes)};
}

DimensionRow version(const std::string& key, const std::string& name, const std::string& text) {
    return {key, name, text, {}, text};
}

std::string name_of_database(const std::string& kind) { return kind == "sqlite" ? "SQLite" : "PostgreSQL"; }

std::vector<DimensionRow> versions(db::Read& db) {
    const auto& site = db.site();
    auto kind = db.one(kind_of_database);
    return {
        version("dunlin", "Dunlin", site.version),
        version("mastodon", "Mastodon", "4.7.0"),
        version(kind, name_of_database(kind), db.one(version_of_database)),
    };
}

constexpr std::string_view dimensions[] = {
    "languages",
    "sources",
    "servers",
    "tag_servers",
    "tag_languages",
    "instance_languages",
    "instance_accounts",
    "space_usage",
    "software_versions"
};

}  // namespace

bool is_dimension(std::string_view key) { return std::ranges::find(dimensions, key) != std::end(dimensions); }

Dimension dimension(
    db::Read& db, const std::string& key, const Days& d, const About& about, std::optional<int> limit
) {
    Dimension out{key, {}};
    auto most = std::clamp(limit.value_or(all_rows), 0, all_rows);
    auto from = first_id_of(d.first), beyond = first_id_of(d.last + 1);
    if (key == "languages")
        out.data = languages(db.all(by_locale, d.first * day_ms, (d.last + 1) * day_ms, most));
    if (key == "sources") out.data = apps(db.all(by_app, from, beyond, most));
    if (key == "servers") out.data = servers(db.site(), servers_of_days(db, d.first, d.last + 1, most));
    if (key == "tag_servers")
        out.data = servers(db.site(), db.all(tag_by_server, from, beyond, most, about.tag));
    if (key == "tag_languages") out.data = languages(languages_of_tag(db, about.tag, d, most));
    if (key == "software_versions") out.data = versions(db);
    if (key == "space_usage") {
        auto kind = db.one(kind_of_database);
        out.data.push_back(room(kind, name_of_database(kind), db.one(room_of_database)));
        out.data.push_back(room("media", "Media", media::usage_of_copies(db).bytes));
    }
    auto domains = domains_meant(db, about);
    if (domains.empty()) return out;
    if (key == "instance_accounts") out.data = plain(db.all(server_by_followed, domains, most));
    if (key == "instance_languages")
        out.data = languages(db.all(server_by_language, from, beyond, most, domains));
    return out;
}

}  // namespace insight
