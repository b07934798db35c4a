// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/settle.hpp"

#include "db/transaction.hpp"
#include "social/accounts/search.hpp"
#include "social/discovery/status_index.hpp"
#include "social/insight/counted_days.hpp"
#include "social/media/withholding.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/idle_homes.hpp"

#include <algorithm>
#include <limits>

namespace takeover {

namespace {

// Each walks through a whole table once, with nobody else at work; none of them is a statement of the server. A copy that was
// cut off here begins with the first of them again.
constexpr const char* steps[] = {
    // What was refused is answered and boosted by nobody, and nobody moved to it.
    R"(DELETE FROM statuses WHERE reblog_of_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM statuses o WHERE o.id = statuses.reblog_of_id AND o.reblog_of_id IS NULL))",
    R"(UPDATE statuses SET in_reply_to_id = NULL, in_reply_to_account_id = NULL
       WHERE in_reply_to_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM statuses p WHERE p.id = statuses.in_reply_to_id AND p.reblog_of_id IS NULL))",
    R"(UPDATE accounts SET moved_to_id = NULL WHERE moved_to_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM accounts t WHERE t.id = accounts.moved_to_id))",
    // A boost goes no further than what it boosts.
    R"(UPDATE statuses SET local_only = TRUE WHERE local_only = FALSE AND reblog_of_id IN (
           SELECT id FROM statuses WHERE local_only = TRUE))",
    // The first post of a thread that was written here, else the first one.
    R"(DELETE FROM conversations WHERE uri IS NULL
       OR NOT EXISTS (SELECT 1 FROM statuses s WHERE s.conversation_id = conversations.id))",
    R"(INSERT INTO conversations (id, created_at, status_id, account_id)
       SELECT first.conversation, s.created_at, s.id, s.account_id
       FROM (SELECT conversation_id AS conversation, COALESCE(
                 min(CASE WHEN local = TRUE AND reblog_of_id IS NULL THEN id END), min(id)) AS status
             FROM statuses GROUP BY conversation_id) AS first
       JOIN statuses s ON s.id = first.status WHERE TRUE
       ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at, status_id = excluded.status_id,
           account_id = excluded.account_id)",
    R"(UPDATE statuses SET replies_count = c.n
       FROM (SELECT in_reply_to_id AS id, count(*) AS n FROM statuses
             WHERE in_reply_to_id IS NOT NULL AND deleted_at IS NULL AND visibility IN ('public', 'unlisted')
             GROUP BY in_reply_to_id) AS c WHERE statuses.id = c.id)",
    R"(UPDATE statuses SET reblogs_count = c.n
       FROM (SELECT reblog_of_id AS id, count(*) AS n FROM statuses
             WHERE reblog_of_id IS NOT NULL AND deleted_at IS NULL GROUP BY reblog_of_id) AS c
       WHERE statuses.id = c.id)",
    R"(UPDATE statuses SET favourites_count = c.n
       FROM (SELECT status_id AS id, count(*) AS n FROM favourites GROUP BY status_id) AS c
       WHERE statuses.id = c.id)",
    R"(UPDATE statuses SET quotes_count = c.n
       FROM (SELECT q.quoted_status_id AS id, count(*) AS n FROM quotes q JOIN statuses s ON s.id = q.status_id
             WHERE q.state = 'accepted' AND s.visibility IN ('public', 'unlisted') GROUP BY q.quoted_status_id) AS c
       WHERE statuses.id = c.id)",
    R"(UPDATE accounts SET statuses_count = c.n, last_status_at = c.last
       FROM (SELECT account_id AS id, count(*) AS n, max(created_at) AS last FROM statuses
             WHERE local = TRUE AND deleted_at IS NULL AND visibility IN ('public', 'unlisted', 'private')
             GROUP BY account_id) AS c
       WHERE accounts.id = c.id AND accounts.domain = '')",
    R"(UPDATE accounts SET followers_count = c.n
       FROM (SELECT target_id AS id, count(*) AS n FROM follows GROUP BY target_id) AS c
       WHERE accounts.id = c.id AND accounts.domain = '')",
    R"(UPDATE accounts SET following_count = c.n
       FROM (SELECT account_id AS id, count(*) AS n FROM follows GROUP BY account_id) AS c
       WHERE accounts.id = c.id AND accounts.domain = '')",
    R"(UPDATE featured_tags SET statuses_count = c.n, last_status_at = c.last
       FROM (SELECT t.account_id AS account, t.tag_id AS tag, count(*) AS n, max(s.created_at) AS last
             FROM status_tags t JOIN statuses s ON s.id = t.status_id
             WHERE s.visibility IN ('public', 'unlisted') GROUP BY t.account_id, t.tag_id) AS c
       WHERE featured_tags.account_id = c.account AND featured_tags.tag_id = c.tag)",
    // Why a decision was made is what the report says that it answers.
    R"(UPDATE strikes SET ground = r.category, rule_ids = r.rule_ids FROM reports r
       WHERE r.id = strikes.report_id AND strikes.ground = '')",
    // What is open about somebody; how urgent it is, is found out with the next report.
    R"(INSERT INTO cases (id, account_id, score, rank, reports, categories, opened_at, updated_at)
       SELECT min(id), target_id, 10, 10 - min(created_at) / 3600000, count(*), '[]', min(created_at), max(updated_at)
       FROM reports WHERE action_taken_at IS NULL GROUP BY target_id ON CONFLICT DO NOTHING)",
    // The search index is filled by jobs, from the newest on.
    "ANALYZE",
};

// $1: a day, as its first millisecond; the last week.
std::string uses_of_tags_since(Time since) {
    return R"(INSERT INTO tag_uses (tag_id, day, account_id, uses)
              SELECT t.tag_id, s.created_at - s.created_at % 86400000, t.account_id, count(*)
              FROM status_tags t JOIN statuses s ON s.id = t.status_id
              WHERE s.visibility = 'public' AND s.created_at >= )" +
           std::to_string(since.midnight().ms) +
           " GROUP BY t.tag_id, s.created_at - s.created_at % 86400000, t.account_id ON CONFLICT DO NOTHING";
}

// Kept when a copy is made again: what is of this server and not of the copy. Those of the search index follow the texts.
constexpr std::string_view kept[] = {
    "schema_migrations",
    "settings",
    "roles",
    "former_ids",
    "takeovers",
    "nodes",
    "acme_accounts",
    "acme_certificates",
    "acme_orders",
    "acme_challenges",
    "acme_tries",
    "acme_lease",
    "audit_entries",
    "audit_heads",
    "dump_turns",
};

bool stays(std::string_view table) {
    const bool of_index = (table.starts_with("status_index") || table.starts_with("account_index")) &&
                          table != "status_index_queue";
    return of_index || table.starts_with("sqlite_") || std::ranges::find(kept, table) != std::end(kept);
}

std::string truncate_all() {
    std::string names;
    for (const auto name : kept) names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
    return R"(DO $$ BEGIN EXECUTE (
        SELECT 'TRUNCATE ' || string_agg(quote_ident(table_name), ', ') FROM information_schema.tables
        WHERE table_schema = ANY (current_schemas(false)) AND table_type = 'BASE TABLE'
          AND table_name NOT IN ()" +
           names + ")); END $$";
}

}  // namespace

const db::Query<std::string> tables_of_sqlite{
    "tables_of_sqlite",
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name",
    "SELECT ''::text AS name WHERE false",
};

// Asked when nobody else is at work.
const db::Query<Count> counts_of_copy{
    "counts_of_copy",
    R"(SELECT 'accounts' AS what, 0 AS there, count(*) AS here FROM accounts WHERE domain = ''
       UNION ALL SELECT 'users', 0, count(*) FROM users
       UNION ALL SELECT 'posts', 0, count(*) FROM statuses WHERE local = TRUE AND deleted_at IS NULL
       UNION ALL SELECT 'media', 0, count(*) FROM media m JOIN accounts a ON a.id = m.account_id WHERE a.domain = ''
       UNION ALL SELECT 'tokens', 0, count(*) FROM tokens
       UNION ALL SELECT 'follows', 0, count(*) FROM follows
       UNION ALL SELECT 'favourites', 0, count(*) FROM favourites f JOIN accounts a ON a.id = f.account_id
           WHERE a.domain = ''
       UNION ALL SELECT 'bookmarks', 0, count(*) FROM bookmarks
       UNION ALL SELECT 'lists', 0, count(*) FROM lists
       UNION ALL SELECT 'filters', 0, count(*) FROM filters)"
};

void without_limits(db::Connection& connection) {
    if (connection.is_postgres())
        connection.script("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
}

void in_a_hurry(db::Connection& connection) {
    connection.script(
        connection.is_postgres() ? "SET synchronous_commit = off"
                                 : "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536"
    );
}

void carefully(db::Connection& connection) {
    connection.script(
        connection.is_postgres() ? "SET synchronous_commit = on"
                                 : "PRAGMA synchronous = FULL; PRAGMA cache_size = -8000"
    );
}

void empty_tables(const Target& target) {
    without_limits(target.connection);
    if (target.connection.is_postgres()) return target.connection.script(truncate_all());
    auto tables = db::read_now(target.connection, target.context, [](db::Read& db) {
        return db.all(tables_of_sqlite);
    });
    std::erase_if(tables, stays);
    std::string statements = "BEGIN IMMEDIATE;";
    for (const auto& table : tables) statements += "DELETE FROM \"" + table + "\";";
    target.connection.script(statements + "COMMIT");
}

void settle(const Target& target, const Choice& choice) {
    without_limits(target.connection);
    for (const auto* statement : steps) target.connection.script(statement);
    target.connection.script(uses_of_tags_since(choice.now.plus_seconds(-7 * 86'400)));
}

const db::Query<base::AccountId> suspended_people{
    "suspended_people",
    R"(SELECT id FROM accounts WHERE domain = '' AND suspended_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2)"
};

void want_the_rest(db::Write& db) {
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
    db.emit(discovery::IndexContinued{{all}});
    db.emit(accounts::NameIndexContinued{{all}});
    insight::begin_counting_past_days(db);
    constexpr std::int64_t days_to_come_back = 30;
    timelines::leave_homes_alone(db, days_to_come_back);
    constexpr int chunk = 1000;
    // Their files were not served there any more.
    for (base::AccountId last; true;) {
        auto some = db.all(suspended_people, last, chunk);
        if (some.empty()) break;
        last = some.back();
        db.emit(media::SuspensionsChanged{std::move(some), false, {}});
    }
    db.emit(timelines::BackfillsLeft{});
}

std::vector<Count> counted(const Target& target) {
    return db::read_now(target.connection, target.context, [&](db::Read& db) {
        return db.all(counts_of_copy);
    });
}

}  // namespace takeover
