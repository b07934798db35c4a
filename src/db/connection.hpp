// SPDX-License-Identifier: AGPL-3.0-or-later
// The interface that a database driver implements: a connection that runs prepared statements. Only db/ and
// its drivers use it; all other code works with a Read or a Write (session.hpp).
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

// A unique constraint rejected a row. May be caught next to the insert that expects it.
struct Duplicate : std::runtime_error {
    using runtime_error::runtime_error;
};

// The transaction conflicted with a concurrent one (PostgreSQL); the runner runs the function again.
struct Retry : std::runtime_error {
    using runtime_error::runtime_error;
};

// The database rejected a statement for another reason: a bug in Dunlin, or a broken disk. Never shown to
// users.
struct Failure : std::runtime_error {
    using runtime_error::runtime_error;
};

// The database is unreachable, locked, overloaded or full. The cause goes to the log and is never shown to
// users.
struct Outage : base::Unavailable {
    explicit Outage(std::string its_cause) : cause(std::move(its_cause)) {}
    std::string cause;
};

struct Blob {
    std::string_view bytes;
};

// An id list: a JSON array for SQLite's json_each($n), an array literal for PostgreSQL's ANY($n::bigint[]).
struct IdList {
    std::span<const std::int64_t> ids;
};

// The same for texts: json_each($n) and ANY($n::text[]).
struct TextList {
    std::span<const std::string> texts;
};

// A bound parameter. Both engines reject a text that contains NUL with base::Invalid. Views must stay valid
// until the call that runs the statement returns, not until its rows have been read.
using Value =
    std::variant<std::monostate, std::int64_t, double, bool, std::string_view, Blob, IdList, TextList>;

// An advisory lock that a change holds until it ends: exclusive, or shared with changes that only rely on the
// state (created by db/lock.hpp).
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
    virtual std::int64_t integer(int column) const = 0;  // booleans too: 0 or 1
    virtual double real(int column) const = 0;
    virtual std::string_view text(int column) const = 0;  // blobs too
};

// The callbacks of a connection; both may be empty.
struct StatementObserver {
    std::function<void(const char* statement, std::chrono::microseconds)> slow;
    std::function<void(const std::string&)> trouble;  // problems that nothing else reports, for the log
};

class Connection {
public:
    virtual ~Connection() = default;
    // Runs a statement, which is prepared once per connection and cached. The connection may run another
    // statement while the rows of the first are still being read.
    virtual std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) = 0;
    // Announces a query that will soon follow with the same values: it is sent together with the next query
    // that is waited for. Does nothing in drivers where queries need no round trip.
    virtual void ask_ahead(const Sql&, std::span<const Value>) {}
    // Reads in advance what a change will need. For engines with a single writer, where all other changes
    // would wait while it reads from disk.
    virtual void prefetch(const Sql&, std::span<const Value>) {}
    virtual std::int64_t execute(const Sql&, std::span<const Value>) = 0;  // returns rows changed
    // Like execute(), but does not wait where that saves time: changed_by() waits for the count when it is
    // needed. An error surfaces at the next query or at the commit; the change then runs once more and waits
    // for each command.
    virtual std::int64_t send(const Sql& sql, std::span<const Value> values) { return execute(sql, values); }
    virtual std::int64_t changed_by(std::int64_t sent) { return sent; }
    // A command that is run just before the commit, after everything else. It takes only numbers.
    virtual void send_last(const Sql& sql, std::span<const Value> values) { execute(sql, values); }
    virtual void script(const std::string& statements) = 0;  // several statements, no parameters
    // The column names of a statement, without running it.
    virtual std::vector<std::string> columns(const Sql&) = 0;
    virtual bool is_postgres() const = 0;

    // Starts a transaction: a read-only snapshot, or one that writes and is serialized with all others,
    // unless both said beside_others(). Only the engines call this directly; others use read_now and
    // write_now (transaction.hpp).
    virtual void begin(Mode) = 0;
    virtual void commit() = 0;
    virtual void rollback() noexcept = 0;

    // Implements Write::beside_others and Write::lock. No-ops where only one transaction writes at a time.
    virtual void beside_others() {}
    virtual void lock(std::span<const Lock>) {}

    // A number that changes whenever anybody commits anything, as this transaction's snapshot sees it;
    // nullopt if the database has no such number.
    virtual std::optional<std::int64_t> version() { return std::nullopt; }
    // Values computed from that version of the database, for Read::memoized.
    struct Memory {
        std::int64_t version = 0;
        std::unordered_map<std::string, std::any> entries;
    };
    Memory memory;

    void observe(StatementObserver observe) { observer_ = std::move(observe); }

protected:
    // Statements whose rows stay open longer than this are reported. The time includes what the caller does
    // between rows.
    static constexpr std::chrono::milliseconds slow_statement{100};
    StatementObserver observer_;
};

// The file is not a SQLite database, or it is damaged.
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
