// SPDX-License-Identifier: AGPL-3.0-or-later
// A database as tables of text rows, on either engine. For copying; it knows nothing about what the rows
// mean.
#pragma once
#include "db/options.hpp"
#include "db/portable/tables.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace db::portable {

// A row in COPY format, with its newline.
using Take = std::function<void(std::string_view row)>;

class Store {
public:
    virtual ~Store() = default;
    virtual bool is_postgres() const = 0;

    virtual void run(const std::string& statements) = 0;
    // The result of a query, as text. For short results.
    virtual std::vector<std::vector<std::string>> ask(const std::string& question) = 0;
    // Runs a query that returns these columns in this order, keeping one row in memory at a time. Throws
    // Failure, naming the row, if a SQLite text is one that PostgreSQL cannot store.
    virtual void read(const std::string& question, const std::vector<Column>&, const Take&) = 0;

    virtual void begin_rows(const std::string& table, const std::vector<Column>&) = 0;
    virtual void add_row(std::string_view row) = 0;
    virtual void end_rows() = 0;

    // Begins a new snapshot, which does not change while others write; ends the previous one.
    virtual void look_anew() = 0;
    virtual void roll_back() noexcept = 0;  // if a transaction is open

    std::int64_t count(const Table&);
    void read(const Table& table, const Take&);  // all carried rows, ordered by key
    // "ORDER BY …", the same order on both engines; `before` is put in front of each name.
    std::string ordered(const std::vector<Column>& key, const std::string& before = "") const;
    std::optional<Table> describe(const CarriedTable&);
    std::vector<Table> tables();  // the carried tables that exist, in order
};

std::unique_ptr<Store> open_store(const Options&, Mode);

// ---- the two implementations ----
std::unique_ptr<Store> open_sqlite_store(const Options&, Mode);
std::unique_ptr<Store> open_postgres_store(const std::string& url);

}  // namespace db::portable
