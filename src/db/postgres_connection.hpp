// SPDX-License-Identifier: AGPL-3.0-or-later
// A connection to PostgreSQL through libpq in pipeline mode, for one thread at a time. It connects when first
// used and again after the server went away; a transaction that was under way then fails with Outage.
//
// BEGIN and locks travel with the first question, commands with the next one or with the COMMIT, and the COMMIT of a
// snapshot is not waited for: a transaction costs one round trip for each question, and one for its commit if it writes.
// Questions that are expected travel behind the next one and share its round trip.
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
    // Of every session, from its beginning; behind a pooler (decision 45) of every transaction.
    static constexpr const char* settings =
        "SET statement_timeout = '30s';"
        "SET idle_in_transaction_session_timeout = '10s';"  // who writes keeps others waiting
        "SET client_connection_check_interval = '2s';"  // and so does a statement that nobody waits for any more
        "SET jit = off";  // compiling costs more than any statement of ours takes

    // The advisory lock of all that write: held alone by a change that runs alone, shared by those beside others.
    static constexpr std::int64_t writing = 4919131752989213764;

    // A node's writer shows that the node is there.
    enum class Of { anybody, node };
    explicit PostgresConnection(std::shared_ptr<PostgresAddress> address, Of whom = Of::anybody)
        : address_(std::move(address)), whom_(whom) {}
    explicit PostgresConnection(std::string url)
        : PostgresConnection(std::make_shared<PostgresAddress>(std::move(url))) {}
    void give_up_after(std::chrono::milliseconds silence) { longest_silence_ = silence; }
    // Whoever waits stops waiting as soon as this is true.
    void give_up_when(const std::atomic<bool>& lost) { lost_ = &lost; }
    // From now on each change learns how far whoever reads must look to see it.
    void tell_positions() { tells_positions_ = true; }
    Position position() const {
        return position_;
    }  // of what was committed last; `newest` when it is not known

    std::unique_ptr<Rows> query(const Sql&, std::span<const Value>) override;
    void ask_ahead(const Sql&, std::span<const Value>) override;
    std::int64_t execute(const Sql&, std::span<const Value>) override;
    std::int64_t send(const Sql&, std::span<const Value>) override;
    std::int64_t changed_by(std::int64_t sent) override;
    void send_last(const Sql&, std::span<const Value>) override;
    void script(const std::string& statements) override;
    std::vector<std::string> columns(const Sql&) override;
    bool is_postgres() const override { return true; }

    // Who writes holds a lock that is the same for all nodes, alone; or shares it with others who have said so, and locks
    // what its rules rely on.
    void begin(Mode) override;
    void beside_others() override;
    void lock(std::span<const Lock>) override;
    void commit() override;
    void rollback() noexcept override;
    bool was_alone() const { return was_alone_; }  // what was committed last

    // False when there is a node; else none can come as long as this connection lasts.
    bool shut_out_nodes();

    // Whether a pooler stands before the server, which hands each transaction to another session: nothing of a session may be
    // relied on, and nobody shows that they are there. Connects.
    bool pooled();
    // For migrations: from now on statements may take as long as they do, or no longer.
    void take_all_time(bool);

    // Connects when there is no connection. False when that fails.
    bool ready() noexcept;
    bool connected() const { return connection_ != nullptr; }
    std::string host() const {  // which of several it reached
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
    // Behind a pooler statements have no name, and none is kept.
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
    // Into sent_: where the statement stands there.
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
    void send_begin(std::span<const Lock> with = {});  // with locks, where it runs beside others
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
    std::chrono::milliseconds longest_silence_{35'000};  // longer than the server lets a statement run
    PostgresHandle connection_;
    std::optional<Clock::time_point> refused_;  // when connecting failed last
    std::optional<Mode> transaction_;
    bool begun_ = false;  // BEGIN was sent
    bool waits_ = false;  // for other writers, with what was sent last
    bool alone_ = true, was_alone_ = false;
    std::vector<Lock> locked_;  // by lock(), in this transaction
    int late_ = 0;              // pipelines whose results nobody has read yet
    PostgresParameters parameters_;
    std::vector<bool> prepared_;  // by Sql::number

    // What will be asked: sent with the next question, answered then, and gone when the answer is taken.
    struct Expected {
        const Sql* sql;
        PostgresParameters values;
        PostgresResult answer = nullptr;
    };
    std::list<Expected> expected_;
    std::exception_ptr failed_ahead_;  // of a snapshot: why whatever is asked now fails
    bool asks_in_turn_ = false;  // for the next run of a change, since a question failed that was asked ahead

    // What was sent since the last synchronisation: each has one result.
    struct Sent {
        enum Kind { aside, preparation, statement, after_commit } kind;
        const Sql* sql = nullptr;
        bool guard = false;
        std::optional<std::size_t> command = std::nullopt;  // into changed_
        Expected* ahead = nullptr;
    };
    std::vector<Sent> sent_;
    // How many rows each command of this transaction changed; of those that were not waited for, nothing yet.
    std::vector<std::optional<std::int64_t>> changed_;
    // For the next run of a change: it waits for each command, since the one before failed nobody knew where; it runs alone,
    // since another did the same at the same time.
    bool careful_ = false, by_itself_ = false;

    struct Last {
        const Sql* sql;
        std::vector<Value> values;
    };
    std::vector<Last> last_;

    // An error in a transaction of PostgreSQL spoils all of it. When a change catches Duplicate and goes on, the
    // transaction is repeated with a savepoint around that statement, from then on always.
    const Sql* spoilt_by_ = nullptr;
    std::vector<bool> guarded_;  // by Sql::number
};

}  // namespace db
