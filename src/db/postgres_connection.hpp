// SPDX-License-Identifier: AGPL-3.0-or-later
// A connection to PostgreSQL through libpq in pipeline mode, for one thread at a time. It connects on first
// use and reconnects after the server went away; a transaction that was open then fails with Outage.
//
// BEGIN and locks are sent with the first query, commands with the next query or with COMMIT, and nothing
// waits for the COMMIT of a snapshot: a transaction costs one round trip per query, plus one for its commit
// if it writes. Expected queries are sent behind the next one and share its round trip.
#pragma once
#include "db/position.hpp"
#include "db/postgres/address.hpp"
#include "db/postgres/progress.hpp"
#include "db/postgres_result.hpp"
#include "db/sql.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <list>
#include <optional>

namespace db {

class PostgresConnection final : public Connection {
public:
    // For every session, from its start; behind a pooler (decision 45), for every transaction.
    static constexpr const char* settings =
        "SET statement_timeout = '30s';"
        "SET idle_in_transaction_session_timeout = '10s';"  // an idle writer blocks others
        "SET client_connection_check_interval = '2s';"      // so does a statement whose client has gone
        "SET jit = off";  // compiling costs more than any of our statements takes

    // The advisory lock of all writers: exclusive for a change that runs alone, shared by those beside
    // others.
    static constexpr std::int64_t writing = 4919131752989213764;

    // The connection of a node's writer holds a lock that shows that the node is alive.
    enum class Of { anybody, node };
    explicit PostgresConnection(std::shared_ptr<PostgresAddress> address, Of whom = Of::anybody)
        : address_(std::move(address)), whom_(whom) {}
    explicit PostgresConnection(std::string url)
        : PostgresConnection(std::make_shared<PostgresAddress>(std::move(url))) {}
    void give_up_after(std::chrono::milliseconds silence) { longest_silence_ = silence; }
    // A caller that waits stops as soon as this becomes true.
    void give_up_when(const std::atomic<bool>& lost) { lost_ = &lost; }
    // From now on every change determines the position that a read must reach to see it.
    void tell_positions() { tells_positions_ = true; }
    Position position() const { return position_; }  // of the last commit; `newest` if unknown

    std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) override;
    void ask_ahead(const Sql&, std::span<const Value>) override;
    std::int64_t execute(const Sql&, std::span<const Value>) override;
    std::int64_t send(const Sql&, std::span<const Value>) override;
    std::int64_t changed_by(std::int64_t sent) override;
    void send_last(const Sql&, std::span<const Value>) override;
    void script(const std::string& statements) override;
    std::vector<std::string> columns(const Sql&) override;
    bool is_postgres() const override { return true; }

    // A writer holds a lock that is common to all nodes: exclusively, or shared if it called beside_others()
    // and locks what its rules rely on.
    void begin(Mode) override;
    void beside_others() override;
    void lock(std::span<const Lock>) override;
    void commit() override;
    void rollback() noexcept override;
    bool was_alone() const { return was_alone_; }  // the last committed transaction

    // Returns false if there is a node; otherwise none can start while this connection lasts.
    bool shut_out_nodes();

    // Whether a pooler sits in front of the server and gives each transaction to another session. Session
    // state is then unreliable, and nodes cannot show that they are alive. Connects.
    bool pooled();
    // For migrations: whether statements may take as long as they need.
    void take_all_time(bool);

    // Connects if necessary. Returns false when that fails.
    bool ready() noexcept;
    bool connected() const { return connection_ != nullptr; }
    std::string host() const {  // which of several hosts it reached
        return connection_ ? std::string(PQhost(connection_.get())) + ":" + PQport(connection_.get()) : "";
    }

private:
    using Clock = std::chrono::steady_clock;

    static constexpr std::chrono::milliseconds setting_up{5'000},
        as_long_as_it_takes = std::chrono::hours(24 * 365);

    void connect();
    void look_whether_to_wait() const;
    void ensure_open();
    void ensure_sound();
    void lose(const std::string& why) noexcept;
    [[noreturn]] void broken();
    // Behind a pooler statements have no name and are not kept.
    std::string statement_name(const Sql& sql) const {
        return pooled_ ? "" : "s" + std::to_string(sql.number);
    }
    static bool has(const std::vector<bool>& flags, const Sql& sql) {
        return sql.number < flags.size() && flags[sql.number];
    }
    static void set(std::vector<bool>& flags, const Sql& sql) {
        if (sql.number >= flags.size()) flags.resize(std::max<std::size_t>(sql.number + 1, Sql::count()));
        flags[sql.number] = true;
    }
    // Appends to sent_; returns the index.
    std::size_t post(const Sql&, std::span<const Value>, bool command);
    void send_prepared(const Sql&, const PostgresParameters&);
    void send_unprepared(const Sql&, const PostgresParameters&);
    PostgresResult ask(const Sql&, std::span<const Value>);
    PostgresResult collect(std::size_t waited_for);
    PostgresResult answered_ahead(const Sql&, std::span<const Value>);
    void send_expected();
    void forget_answers();
    void failed_ahead(std::size_t number, const PGresult*);
    void send_text(const char* text);
    void send_late(const char* text);
    void send_begin(std::span<const Lock> with = {});  // with locks, if it runs beside others
    bool asks_pooler();
    void send_locks(std::span<const Lock>);
    void send_lock(const char* prepared, const char* text, std::span<const char* const> values);
    void send_last_ones();
    void send_position();
    void take_position(PostgresResult);
    void send_prepare(const Sql&);
    void synchronise();
    void await_answer(std::chrono::milliseconds longest_silence);
    std::vector<PostgresResult> receive();
    void forget_late_results();
    PostgresResult simple(const char* name, const std::string& text, std::chrono::milliseconds longest);
    [[noreturn]] void failed(std::size_t number, const PGresult*, bool waited_for);
    void forget_preparations(std::size_t from);
    void repeat_with_guard();

    std::shared_ptr<PostgresAddress> address_;
    Of whom_;
    const std::atomic<bool>* lost_ = nullptr;
    bool tells_positions_ = false;
    bool pooled_ = false, takes_all_time_ = false;
    Position position_ = newest;
    std::chrono::milliseconds longest_silence_{35'000};  // longer than the server's statement_timeout
    PostgresHandle connection_;
    std::optional<Clock::time_point> refused_;  // when connecting last failed
    std::optional<Mode> transaction_;
    bool begun_ = false;  // BEGIN was sent
    bool waits_ = false;  // for other writers, because of what was sent last
    bool alone_ = true, was_alone_ = false;
    std::vector<Lock> locked_;  // by lock(), in this transaction
    int late_ = 0;              // pipelines whose results have not been read yet
    PostgresParameters parameters_;
    std::vector<bool> prepared_;  // by Sql::number

    // A query announced by ask_ahead(): sent with the next query, answered then, and removed when its result
    // is used.
    struct Expected {
        const Sql* sql;
        PostgresParameters values;
        PostgresResult answer = nullptr;
    };
    std::list<Expected> expected_;
    std::exception_ptr failed_ahead_;  // in a snapshot: why every further query fails
    bool asks_in_turn_ = false;  // for the next run of a change, after a query failed that was sent ahead

    // What was sent since the last sync: each entry has one result.
    struct Sent {
        enum Kind { aside, preparation, statement, after_commit } kind;
        const Sql* sql = nullptr;
        bool guard = false;
        std::optional<std::size_t> command = std::nullopt;  // into changed_
        Expected* ahead = nullptr;
    };
    std::vector<Sent> sent_;
    // The number of rows each command of this transaction changed; nullopt while the result has not been
    // read.
    std::vector<std::optional<std::int64_t>> changed_;
    // For the next run of a change. careful_: it waits for each command, because the previous run failed at
    // an unknown place; by_itself_: it runs alone, because another change did the same at the same time.
    bool careful_ = false, by_itself_ = false;

    struct Last {
        const Sql* sql;
        std::vector<Value> values;
    };
    std::vector<Last> last_;

    // In PostgreSQL an error makes the whole transaction unusable. When a change catches Duplicate and
    // continues, the transaction is repeated with a savepoint around that statement, which from then on
    // always gets one.
    const Sql* spoilt_by_ = nullptr;
    std::vector<bool> guarded_;  // by Sql::number
};

}  // namespace db
