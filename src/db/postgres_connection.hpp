// SPDX-License-Identifier: AGPL-3.0-or-later
// A connection to PostgreSQL through libpq in pipeline mode, for one thread at a time. It connects when first
// used and again after the server went away; a transaction that was under way then fails with Outage.
//
// BEGIN travels with the first statement and the COMMIT of a snapshot is not waited for, so that a read costs one
// round trip per statement.
#pragma once
#include "db/postgres_result.hpp"

#include <algorithm>
#include <optional>

namespace db {

class PostgresConnection final : public Connection {
public:
    // Of every session, from its beginning.
    static constexpr const char* settings =
        "SET statement_timeout = '30s';"
        "SET idle_in_transaction_session_timeout = '10s';"  // who writes keeps all others waiting
        "SET jit = off";  // compiling costs more than any statement of ours takes

    // A node's writer shows that the node is there.
    enum class Of { anybody, node };
    explicit PostgresConnection(std::string url, Of whom = Of::anybody) : url_(std::move(url)), whom_(whom) {}

    std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) override;
    std::int64_t execute(const Sql&, std::span<const Value>) override;
    void script(const std::string& statements) override;
    std::vector<std::string> columns(const Sql&) override;
    bool is_postgres() const override { return true; }

    // Who writes holds a lock that is the same for all nodes: rules that check before they insert hold as they do on
    // SQLite's one writer, and nobody ever loses against another.
    void begin(Mode) override;
    void commit() override;
    void rollback() noexcept override;

    // A savepoint within the transaction, for one change of a group, sent when something happens in it.
    void mark();
    void settle();  // throws when the change has to be run once more
    void undo();
    bool has_begun() const { return begun_; }
    bool can_undo() const { return !begun_ || connection_; }

    // False when there is a node; else none can come as long as this connection lasts.
    bool shut_out_nodes();

    // Connects when there is no connection. False when that fails.
    bool ready() noexcept;

private:
    struct Close {
        void operator()(PGconn* connection) const { PQfinish(connection); }
    };
    using Clock = std::chrono::steady_clock;

    void connect();
    void ensure_open();
    void lose(const std::string& why) noexcept;
    [[noreturn]] void broken();
    static std::string statement_name(const Sql& sql) { return "s" + std::to_string(sql.number); }
    static bool has(const std::vector<bool>& flags, const Sql& sql) {
        return sql.number < flags.size() && flags[sql.number];
    }
    static void set(std::vector<bool>& flags, const Sql& sql) {
        if (sql.number >= flags.size()) flags.resize(std::max<std::size_t>(sql.number + 1, Sql::count()));
        flags[sql.number] = true;
    }
    PostgresResult run(const Sql&, std::span<const Value>);
    void post(const Sql&, std::span<const Value>);
    PostgresResult collect();
    void send(const char* text);
    void send_late(const char* text);
    void send_begin();
    void send_mark();
    void send_prepare(const Sql&);
    void synchronise();
    void await_answer();
    std::vector<PostgresResult> receive();
    void forget_late_results();
    PostgresResult simple(const char* name, const std::string& text);
    [[noreturn]] void failed(std::size_t number, const PGresult*);
    void repeat_with_guard();

    std::string url_;
    Of whom_;
    std::unique_ptr<PGconn, Close> connection_;
    std::optional<Clock::time_point> refused_;  // when connecting failed last
    std::optional<Mode> transaction_;
    bool begun_ = false;  // BEGIN was sent
    bool waits_ = false;  // for other writers, with what was sent last
    int late_ = 0;        // pipelines whose results nobody has read yet
    PostgresParameters parameters_;
    std::vector<bool> prepared_;  // by Sql::number

    // What was sent since the last synchronisation: each has one result.
    struct Sent {
        enum Kind { aside, preparation, statement } kind;
        const Sql* sql = nullptr;
        bool guard = false;
    };
    std::vector<Sent> sent_;

    bool marked_ = false;     // a change has begun; its savepoint goes with its first statement
    bool savepoint_ = false;  // there is one

    // An error in a transaction of PostgreSQL spoils all of it. When a change catches Duplicate and goes on, the
    // transaction is repeated with a savepoint around that statement, from then on always.
    const Sql* spoilt_by_ = nullptr;
    std::vector<bool> guarded_;  // by Sql::number
};

}  // namespace db
