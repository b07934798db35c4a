// SPDX-License-Identifier: AGPL-3.0-or-later
// A connection to PostgreSQL through libpq in pipeline mode, for one thread at a time. It connects when first
// used and again after the server went away; a transaction that was under way then fails with Outage.
//
// BEGIN travels with the first statement and the COMMIT of a snapshot is not waited for, so that a read costs one
// round trip per statement.
#pragma once
#include "db/postgres_result.hpp"

#include <optional>

namespace db {

class PostgresConnection final : public Connection {
public:
    explicit PostgresConnection(std::string url) : url_(std::move(url)) {}

    std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) override;
    std::int64_t execute(const Sql&, std::span<const Value>) override;
    void script(const std::string& statements) override;
    std::vector<std::string> columns(const Sql&) override;
    bool is_postgres() const override { return true; }

    // Writing is SERIALIZABLE: rules that check before they insert hold as they do on SQLite's one writer.
    void begin(Mode) override;
    void commit() override;
    void rollback() noexcept override;

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
    bool known(const Sql& sql) const { return sql.number < prepared_.size() && prepared_[sql.number]; }
    bool guarded(const Sql& sql) const { return sql.number < guarded_.size() && guarded_[sql.number]; }
    PostgresResult run(const Sql&, std::span<const Value>);
    PostgresResult run_once(const Sql&, std::span<const Value>);
    void send(const char* text);
    void send_begin();
    void send_prepare(const Sql&);
    void synchronise();
    std::vector<PostgresResult> receive();
    void forget_late_results();
    void simple(const char* name, const std::string& text);
    void failed(const Sql&, const PGresult*, bool guard);
    void repeat_with_guard();

    std::string url_;
    std::unique_ptr<PGconn, Close> connection_;
    std::optional<Clock::time_point> refused_;  // when connecting failed last
    std::optional<Mode> transaction_;
    bool begun_ = false;  // BEGIN was sent
    int late_ = 0;        // pipelines whose results nobody has read yet
    PostgresParameters parameters_;
    std::vector<bool> prepared_;  // by Sql::number

    // An error in a transaction of PostgreSQL spoils all of it. When a change catches Duplicate and goes on, the
    // transaction is repeated with a savepoint around that statement, from then on always.
    const Sql* spoilt_by_ = nullptr;
    std::vector<bool> guarded_;  // by Sql::number
};

}  // namespace db
