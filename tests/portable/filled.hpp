// SPDX-License-Identifier: AGPL-3.0-or-later
// Databases with rows in every table, for tests of copying.
#pragma once
#include "db/portable/dump.hpp"
#include "plans/plan_seed.hpp"
#include "support/database.hpp"

namespace filled {

inline std::string dump_of(const db::Options& database) {
    std::string text;
    const auto store = db::portable::open_store(database, db::Mode::read);
    store->look_anew();
    db::portable::write_dump(*store, [&](std::string_view lines) { text += lines; }, {});
    return text;
}

// Rows in every table, of all types, with values that other programs trip over.
inline void fill(const support::TestDatabase& database, int rows) {
    db::migrate(*database.connection(), {1000});
    const auto store = db::portable::open_store(database.options, db::Mode::write);
    const auto all = store->ask(
        database.is_postgres()
            ? "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind "
              "= 'r'"
            : "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
              "AND name NOT LIKE 'sqlite_%'"
    );
    const auto columns_of = [&](const std::string& table) {
        return store->ask(
            database.is_postgres()
                ? "SELECT column_name, data_type, CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END "
                  "FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '" +
                      table + "'"
                : "SELECT name, lower(type), \"notnull\" OR pk > 0 FROM pragma_table_info('" + table + "')"
        );
    };
    for (const auto& table : all) {
        if (table[0] == "schema_migrations") continue;
        std::vector<plans::Column> columns;
        for (const auto& one : columns_of(table[0])) columns.push_back({one[0], one[1], one[2] == "1"});
        store->run(plans::fill(table[0], columns, rows));
    }
    const std::string strange = "'a\tb\n\\.\n\\N\\\\x41\r\b\f\v \x7f ÿ 🦆'";
    store->run(
        "INSERT INTO settings (name, value) VALUES ('strange', " + strange +
        "), ('', ''), ('end', '\\.'), ('null', '\\N');" +
        "INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, uri, text, content) "
        "VALUES "
        "(9223372036854775807, -9223372036854775808, 0, 'public', -1, NULL, '', " +
        strange + ");" +
        "UPDATE media SET focus_x = 0.1, focus_y = -0.000001 WHERE id = 1;"
        "UPDATE media SET focus_x = 123456789012345680000.0, focus_y = 100000.0, duration = "
        "0.30000000000000004 WHERE id = 2;"
    );
    const std::string bytes = database.is_postgres() ? "'\\x00ff5c0a09'::bytea" : "x'00ff5c0a09'";
    store->run("UPDATE recipient_sets SET inboxes = " + bytes + " WHERE id = 1");
    store->run(
        "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (900, 'index_older', '{}', 0, 0)"
    );
}

}  // namespace filled
