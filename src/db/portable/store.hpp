// SPDX-License-Identifier: AGPL-3.0-or-later
// A database as tables of rows in text, on either engine. For copying; it knows nothing of what the rows mean.
#pragma once
#include "db/options.hpp"
#include "db/portable/tables.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace db::portable {

// A row as COPY writes it, with its line end.
using Take = std::function<void(std::string_view row)>;

class Store {
public:
    virtual ~Store() = default;
    virtual bool is_postgres() const = 0;

    virtual void run(const std::string& statements) = 0;
    // What a question answers, in text; for answers that are short.
    virtual std::vector<std::vector<std::string>> ask(const std::string& question) = 0;
    // A question that answers these columns, in this order; one row in memory at a time. Throws Failure, naming the row, where
    // a text of SQLite is none that PostgreSQL could keep.
    virtual void read(const std::string& question, const std::vector<Column>&, const Take&) = 0;

    virtual void begin_rows(const std::string& table, const std::vector<Column>&) = 0;
    virtual void add_row(std::string_view row) = 0;
    virtual void end_rows() = 0;

    // A snapshot that does not change while others write; the one before ends.
    virtual void look_anew() = 0;
    virtual void roll_back() noexcept = 0;  // where something is open

    std::int64_t count(const Table&);
    void read(const Table& table, const Take&);  // all of its rows that are carried, by their key
    // "ORDER BY …", the same order on both engines; `before` stands before each name.
    std::string ordered(const std::vector<Column>& key, const std::string& before = "") const;
    std::optional<Table> describe(const CarriedTable&);
    std::vector<Table> tables();  // those that are carried, in their order, as far as they are there
};

std::unique_ptr<Store> open_store(const Options&, Mode);

// ---- for the two ----
std::unique_ptr<Store> open_sqlite_store(const Options&, Mode);
std::unique_ptr<Store> open_postgres_store(const std::string& url);

}  // namespace db::portable
