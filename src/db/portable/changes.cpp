// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/changes.hpp"

#include "base/crypto.hpp"
#include "db/postgres_connection.hpp"

namespace db::portable {

namespace {

// Longer than the longest step of a copy, an index of a large table.
constexpr const char* for_seconds = "21600";

const char* now_in(const Store& store) {
    return store.is_postgres() ? "extract(epoch FROM clock_timestamp())::bigint" : "unixepoch()";
}

std::string noted(const Table& table) { return "moving_" + table.name; }

std::string insert(const Table& table, const std::string& row) {
    return "INSERT INTO " + noted(table) + " VALUES (" + listed(table.key, row + ".") + "); ";
}

}  // namespace

Changes::Changes(Store& store, std::vector<Table> tables)
    : store_(store), run_(base::base64url(base::random_bytes(12))), tables_(std::move(tables)) {}

std::vector<std::string> Changes::kept_in(Store& store) {
    std::vector<std::string> names;
    for (const auto& one : store.ask(
             store.is_postgres()
                 ? "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
                   "AND relkind = 'r' AND relname LIKE 'moving\\_%'"
                 : "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'moving\\_%' ESCAPE "
                   "'\\'"
         ))
        names.push_back(one.at(0));
    return names;
}

// Whoever reads a table waits behind the one who waits for it.
void Changes::remove() {
    if (store_.is_postgres()) store_.run("SET LOCAL lock_timeout = '5s'");
    const auto tables = kept_in(store_);
    if (!store_.is_postgres())
        for (const auto& one : store_.ask("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name "
                                          "LIKE 'moving\\_%' ESCAPE '\\'"))
            store_.run("DROP TRIGGER " + one.at(0));
    else
        for (const auto& one :
             store_.ask("SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace "
                        "AND proname LIKE 'moving\\_%'"))
            store_.run("DROP FUNCTION " + one.at(0) + " CASCADE");  // with its trigger
    for (const auto& name : tables) store_.run("DROP TABLE " + name);
}

// In short changes, while nobody else makes one. What changes in a table before it is noted there is in the snapshot, which comes after
// all.
void Changes::begin() {
    stop_writing();
    remove();
    store_.run("CREATE TABLE moving_until (seconds BIGINT PRIMARY KEY, run TEXT NOT NULL)");
    store_.run(
        "INSERT INTO moving_until VALUES (" + std::string(now_in(store_)) + " + " + for_seconds + ", '" +
        run_ + "')"
    );
    store_.run("COMMIT");
    for (const auto& table : tables_) {
        stop_writing();
        note(table);
        store_.run("COMMIT");
    }
}

void Changes::note(const Table& table) {
    std::string columns;
    for (const auto& column : key_columns(table))
        columns +=
            (columns.empty() ? "" : ", ") + listed({column.name}) + " " + std::string(word_of(column.type));
    store_.run("CREATE TABLE " + noted(table) + " (" + columns + ")");
    const std::string wanted = "(SELECT seconds FROM moving_until) > " + std::string(now_in(store_));
    if (store_.is_postgres()) {
        store_.run(
            "CREATE FUNCTION " + noted(table) + "() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN IF " +
            wanted + " THEN IF TG_OP <> 'INSERT' THEN " + insert(table, "OLD") +
            "END IF; IF TG_OP <> 'DELETE' THEN " + insert(table, "NEW") +
            "END IF; END IF; RETURN NULL; END $$; CREATE TRIGGER " + noted(table) +
            " AFTER INSERT OR UPDATE OR DELETE ON " + table.name + " FOR EACH ROW EXECUTE FUNCTION " +
            noted(table) + "()"
        );
        return;
    }
    auto trigger = [&](const std::string& when, const std::string& what) {
        store_.run(
            "CREATE TRIGGER " + noted(table) + "_" + when + " AFTER " + when + " ON " + table.name +
            " WHEN " + wanted + " BEGIN " + what + "END"
        );
    };
    trigger("insert", insert(table, "new"));
    trigger("update", insert(table, "old") + insert(table, "new"));
    trigger("delete", insert(table, "old"));
}

void Changes::prolong() {
    const auto now = now_in(store_);
    const auto still = store_.ask(
        std::string("UPDATE moving_until SET seconds = ") + now + " + " + for_seconds + " WHERE seconds > " +
        now + " AND run = '" + run_ + "' RETURNING seconds"
    );
    if (still.empty())
        throw Failure(
            "another run has begun, or this one was stopped for so long that changes were no longer noted; "
            "run it again"
        );
}

void Changes::stop_writing() {
    if (!store_.is_postgres()) store_.run("BEGIN IMMEDIATE");
    else
        store_.run(
            "BEGIN; SELECT pg_advisory_xact_lock(" + std::to_string(PostgresConnection::writing) + ")"
        );
}

void Changes::end() {
    remove();
    store_.run("COMMIT");
}

std::string Changes::keys(const Table& table) {
    return "SELECT DISTINCT " + listed(table.key) + " FROM " + noted(table);
}

std::string Changes::rows(const Table& table) const {
    std::string same;
    for (const auto& name : table.key)
        same += (same.empty() ? "" : " AND ") + listed({name}, "t.") + " = " + listed({name}, "m.");
    return "SELECT " + listed(names_of(table.columns), "t.") + " FROM (" + keys(table) + ") m JOIN " +
           table.name + " t ON " + same + (table.only.empty() ? "" : " WHERE " + table.only) +
           store_.ordered(key_columns(table), "t.");
}

}  // namespace db::portable
