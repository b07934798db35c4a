// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/portable/changes.hpp"

#include "base/crypto.hpp"
#include "db/postgres_connection.hpp"

#include <chrono>
#include <thread>

namespace db::portable {

namespace {

// Longer than the longest step of a copy, which is indexing a large table.
constexpr const char* for_seconds = "21600";

constexpr const char* of_run = "moving_until";  // which run records changes, and until when

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
                   "AND relkind = 'r' AND relname LIKE 'moving\\_%' ORDER BY relname"
                 : "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'moving\\_%' ESCAPE "
                   "'\\' ORDER BY name"
         ))
        names.push_back(one.at(0));
    return names;
}

// Works on one table at a time: removing a trigger needs an exclusive lock, and waiting for one table while
// blocking readers of another leads to a deadlock when such a reader then needs the first.
void Changes::remove() {
    for (const auto& table : kept_in(store_))
        if (table != of_run) alone([&] { remove(table); });
}

void Changes::remove(const std::string& noted) {
    if (store_.is_postgres())
        store_.run("DROP FUNCTION IF EXISTS " + noted + "() CASCADE");  // with its trigger
    else
        for (const char* when : {"insert", "update", "delete"})
            store_.run("DROP TRIGGER IF EXISTS " + noted + "_" + when);
    store_.run("DROP TABLE " + noted);
}

// Runs `change` while nobody writes, and for this run only. Readers of a table queue behind whoever waits for
// an exclusive lock on it, so each attempt waits only 200 ms. Throws Outage when somebody reads for longer
// than a minute.
void Changes::alone(const std::function<void()>& change) {
    using namespace std::chrono_literals;
    const auto end = std::chrono::steady_clock::now() + 1min;
    for (;; std::this_thread::sleep_for(200ms)) {
        try {
            stop_writing();
            prolong();
            if (store_.is_postgres()) store_.run("SET LOCAL lock_timeout = '200ms'");
            change();
            store_.run("COMMIT");
            return;
        } catch (const Outage&) {
            store_.roll_back();
            if (std::chrono::steady_clock::now() > end) throw;
        }
    }
}

// Uses short transactions in which nobody else writes. What changes in a table before it is recorded there is
// included in the snapshot, which is taken last. Triggers left by an earlier run read moving_until at every
// change, so its row is replaced but the table is not dropped.
void Changes::begin() {
    const std::string run = of_run;
    stop_writing();
    store_.run("CREATE TABLE IF NOT EXISTS " + run + " (seconds BIGINT PRIMARY KEY, run TEXT NOT NULL)");
    store_.run("DELETE FROM " + run);
    store_.run(
        "INSERT INTO " + run + " VALUES (" + now_in(store_) + " + " + for_seconds + ", '" + run_ + "')"
    );
    store_.run("COMMIT");
    remove();
    for (const auto& table : tables_) alone([&] { note(table); });
}

void Changes::note(const Table& table) {
    std::string columns;
    for (const auto& column : key_columns(table))
        columns +=
            (columns.empty() ? "" : ", ") + listed({column.name}) + " " + std::string(word_of(column.type));
    store_.run("CREATE TABLE " + noted(table) + " (" + columns + ")");
    const std::string wanted = std::string("(SELECT seconds FROM ") + of_run + ") > " + now_in(store_);
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
        std::string("UPDATE ") + of_run + " SET seconds = " + now + " + " + for_seconds +
        " WHERE seconds > " + now + " AND run = '" + run_ + "' RETURNING seconds"
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
    prolong();  // throws if another run has taken over
    store_.run("COMMIT");
    remove();
    alone([&] { store_.run(std::string("DROP TABLE ") + of_run); });
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
