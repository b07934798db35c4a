// SPDX-License-Identifier: AGPL-3.0-or-later
// What a database driver gives: a connection that runs prepared statements. Only db/ and its drivers use this;
// everybody else has a Read or a Write (session.hpp).
#pragma once
#include "base/errors.hpp"
#include "db/sql.hpp"

#include <any>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace db {

enum class Mode { read, write };

// A unique constraint refused a row. May be caught next to the insert that expects it.
struct Duplicate : std::runtime_error {
    using runtime_error::runtime_error;
};

// The transaction lost against a concurrent one (PostgreSQL); the runner runs the function again.
struct Retry : std::runtime_error {
    using runtime_error::runtime_error;
};

// The database refused a statement for another reason: a mistake of ours, or a broken disk. Never shown.
struct Failure : std::runtime_error {
    using runtime_error::runtime_error;
};

// The database is away, locked, overloaded or full. The cause is for the log, never shown.
struct Outage : base::Unavailable {
    explicit Outage(std::string its_cause) : cause(std::move(its_cause)) {}
    std::string cause;
};

struct Blob {
    std::string_view bytes;
};

// A list of ids: a JSON array for SQLite's json_each($n), an array literal for PostgreSQL's ANY($n::bigint[]).
struct IdList {
    std::span<const std::int64_t> ids;
};

// The same for texts: json_each($n) and ANY($n::text[]).
struct TextList {
    std::span<const std::string> texts;
};

// A bound parameter. A text with a NUL is refused with base::Invalid on both engines. Views must outlive the call that runs the statement, not the reading of its rows.
using Value =
    std::variant<std::monostate, std::int64_t, double, bool, std::string_view, Blob, IdList, TextList>;

// What a change has to itself until it ends, or shares with those that only rely on it (db/lock.hpp makes them).
struct Lock {
    std::int64_t key;
    bool shared = false;
    friend auto operator<=>(const Lock&, const Lock&) = default;
};

// The rows of one running statement. Views are valid until next() or destruction. Columns count from 0.
class Rows {
public:
    virtual ~Rows() = default;
    virtual bool next() = 0;
    virtual bool null(int column) const = 0;
    virtual std::int64_t integer(int column) const = 0;  // also of booleans: 0 or 1
    virtual double real(int column) const = 0;
    virtual std::string_view text(int column) const = 0;  // also of blobs
};

// The callbacks of a connection; both may be empty.
struct StatementObserver {
    std::function<void(const char* statement, std::chrono::microseconds)> slow;
    std::function<void(const std::string&)> trouble;  // what nobody else will report, for the log
};

class Connection {
public:
    virtual ~Connection() = default;
    // Runs a statement prepared once per connection and kept. The connection may run another one while the rows
    // of the first are still being read.
    virtual std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) = 0;
    // What query() will be asked with the same values: it goes along with the next question that is waited for. Nothing
    // where no question is waited for.
    virtual void ask_ahead(const Sql&, std::span<const Value>) {}
    // Reads what a change will need, where only one changes anything at a time and all others would wait for its disk.
    virtual void prefetch(const Sql&, std::span<const Value>) {}
    virtual std::int64_t execute(const Sql&, std::span<const Value>) = 0;  // rows changed
    // The same without waiting, where that saves time: changed_by() waits for what it is asked about. An error shows at
    // the next question or at the commit, and then the change runs once more and waits each time.
    virtual std::int64_t send(const Sql& sql, std::span<const Value> values) { return execute(sql, values); }
    virtual std::int64_t changed_by(std::int64_t sent) { return sent; }
    // A command that is run when nothing but the commit is left, and takes nothing but numbers.
    virtual void send_last(const Sql& sql, std::span<const Value> values) { execute(sql, values); }
    virtual void script(const std::string& statements) = 0;  // several statements, no parameters
    // The column names of a statement, without running it.
    virtual std::vector<std::string> columns(const Sql&) = 0;
    virtual bool is_postgres() const = 0;

    // A transaction: a read-only snapshot, or one that writes and is serial with all others, or with those others that do
    // not stand beside it. Callers other than the engines use read_now and write_now (transaction.hpp).
    virtual void begin(Mode) = 0;
    virtual void commit() = 0;
    virtual void rollback() noexcept = 0;

    // Write::beside_others and Write::lock; nothing where one transaction writes at a time.
    virtual void beside_others() {}
    virtual void lock(std::span<const Lock>) {}

    // A number that is another one as soon as anybody has committed anything, as the snapshot of this transaction has it;
    // nothing where there is no such number.
    virtual std::optional<std::int64_t> version() { return std::nullopt; }
    // What was worked out of that version, for Read::memoized.
    struct Memory {
        std::int64_t version = 0;
        std::unordered_map<std::string, std::any> entries;
    };
    Memory memory;

    void observe(StatementObserver observe) { observer_ = std::move(observe); }

protected:
    // Rows that stay open longer than this are reported: what the reader of the rows does meanwhile counts too.
    static constexpr std::chrono::milliseconds slow_statement{100};
    StatementObserver observer_;
};

// The file is no SQLite database, or not a sound one.
struct Damaged : Failure {
    using Failure::Failure;
};

// Lists of parameters as text: JSON for SQLite, array literals for PostgreSQL.

// Throws base::Invalid when the text contains a NUL, which PostgreSQL cannot store.
void refuse_nul(std::string_view);

void append_json(std::string& out, IdList);
void append_json(std::string& out, TextList);
void append_array(std::string& out, IdList);
void append_array(std::string& out, TextList);

}  // namespace db
