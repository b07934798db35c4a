// SPDX-License-Identifier: AGPL-3.0-or-later
// The part of PostgresConnection that talks to libpq: connecting, sending, receiving.
#include "base/deadline.hpp"
#include "db/postgres_connection.hpp"

#include <poll.h>

#include <atomic>
#include <thread>
#include <utility>

namespace db {

namespace {

// A lock that every node holds, shared, from its first change until it stops.
#define PRESENCE "491913175, hashtext(current_schema())"
// PostgresConnection::writing as SQL text.
#define WRITING "4919131752989213764"
static_assert(PostgresConnection::writing == 4919131752989213764);
// BEGIN and the locks are sent with the first query, many times a second.
#define WRITES_ALONE "SELECT pg_advisory_xact_lock(" WRITING ")"
#define WRITES_BESIDE "SELECT pg_advisory_xact_lock_shared(" WRITING ")"
// All requested locks, taken one after the other.
#define LOCK_ALL                                                                                            \
    "SELECT CASE WHEN shared THEN CAST(pg_advisory_xact_lock_shared(key) AS text) "                         \
    "ELSE CAST(pg_advisory_xact_lock(key) AS text) END FROM unnest($1::bigint[], $2::boolean[]) AS l(key, " \
    "shared)"
constexpr const char* locks = "PREPARE writes_alone AS " WRITES_ALONE
                              ";"
                              "PREPARE writes_beside AS " WRITES_BESIDE
                              ";"
                              "PREPARE lock_all (bigint[], boolean[]) AS " LOCK_ALL;

// The settings for a single transaction, for sessions that do not keep them.
#define SET_FOR_TRANSACTION(statement, idle)                             \
    "SELECT set_config('statement_timeout', '" statement                 \
    "', true), set_config('idle_in_transaction_session_timeout', '" idle \
    "', true), set_config('client_connection_check_interval', '2s', true), set_config('jit', 'off', true)"
constexpr const char* settings_of_transaction = SET_FOR_TRANSACTION("30s", "10s");
constexpr const char* all_time_of_transaction = SET_FOR_TRANSACTION("0", "0");

// After a failed attempt to connect, requests fail for this long without another attempt.
constexpr auto pause_between_attempts = std::chrono::seconds(1);

std::string message(const PGconn* connection) {
    std::string text = PQerrorMessage(connection);
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace

// ---- connecting ----

// Tries for as long as the current work may take, but no longer than a live server needs.
void PostgresConnection::connect() {
    if (base::Within::over()) throw base::TimedOut();
    if (refused_ && Clock::now() - *refused_ < pause_between_attempts) throw Outage("still no connection");
    connection_.reset();
    prepared_.clear();
    sent_.clear();
    begun_ = false;
    late_ = 0;
    spoilt_by_ = nullptr;
    refused_ = Clock::now();
    const auto longest = std::min(setting_up, longest_silence_);
    connection_ = address_->connect(longest, [this] { look_whether_to_wait(); });
    refused_.reset();
    PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
    PQenterPipelineMode(connection_.get());
    pooled_ = asks_pooler();
    if (pooled_) return;
    simple("settings", settings, setting_up);
    simple("locks", locks, setting_up);
    if (whom_ == Of::node) simple("presence", "SELECT pg_advisory_lock_shared(" PRESENCE ")", setting_up);
}

// A pooler reports another process id than the backend that runs the query.
bool PostgresConnection::asks_pooler() {
    const auto worker = simple("backend", "SELECT pg_backend_pid()", setting_up);
    return PQntuples(worker.get()) != 1 ||
           PQgetvalue(worker.get(), 0, 0) != std::to_string(PQbackendPID(connection_.get()));
}

bool PostgresConnection::pooled() {
    ensure_open();
    return pooled_;
}

void PostgresConnection::take_all_time(bool all) {
    takes_all_time_ = all;
    if (pooled()) return;
    if (all) script("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
    else script(settings);
}

void PostgresConnection::look_whether_to_wait() const {
    if (base::Within::over()) throw base::TimedOut();
    if (lost_ && *lost_) throw Outage("the server is left out");
}

bool PostgresConnection::shut_out_nodes() {
    if (pooled()) return false;
    forget_late_results();
    const auto result = simple("presence", "SELECT pg_try_advisory_lock(" PRESENCE ")", setting_up);
    return *PQgetvalue(result.get(), 0, 0) == 't';
}

// A connection lost inside a transaction is not replaced: the rest must not run without its beginning.
void PostgresConnection::ensure_open() {
    if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return;
    if (begun_) throw Outage("the connection was lost within the transaction");
    connect();
}

// Nothing has happened in this transaction yet: a connection that the server closed meanwhile, as it does
// when it restarts, is replaced. An idle connection becomes readable only for that.
void PostgresConnection::ensure_sound() {
    ensure_open();
    try {
        forget_late_results();
    } catch (const Outage&) {
        // Lost, and reported by lose().
    }
    if (connection_ && sent_.empty()) {
        pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
        if (::poll(&socket, 1, 0) != 0) lose("closed by the server");
    }
    ensure_open();
}

void PostgresConnection::lose(const std::string& why) noexcept {
    if (!connection_) return;
    connection_.reset();
    late_ = 0;
    spoilt_by_ = nullptr;
    sent_.clear();
    expected_.clear();
    if (observer_.trouble) observer_.trouble("connection dropped: " + why);
}

void PostgresConnection::broken() {
    const auto why = message(connection_.get());
    lose(why);
    throw Outage(why);
}

bool PostgresConnection::ready() noexcept {
    try {
        ensure_open();
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// ---- sending and receiving ----

void PostgresConnection::send_text(const char* text) {
    if (!PQsendQueryParams(connection_.get(), text, 0, nullptr, nullptr, nullptr, nullptr, 1)) broken();
    sent_.push_back({Sent::aside});
}

// Its result is read together with that of the next statement.
void PostgresConnection::send_late(const char* text) {
    send_text(text);
    synchronise();
    sent_.clear();
    ++late_;
}

void PostgresConnection::send_begin(std::span<const Lock> with) {
    const bool writes = transaction_ == Mode::write;
    send_text(
        writes ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    );
    if (pooled_) send_text(takes_all_time_ ? all_time_of_transaction : settings_of_transaction);
    begun_ = true;
    if (!writes) return;
    if (alone_) send_lock("writes_alone", WRITES_ALONE, {});
    else if (with.empty()) send_lock("writes_beside", WRITES_BESIDE, {});
    else {
        std::vector<Lock> all{{writing, true}};
        all.insert(all.end(), with.begin(), with.end());
        send_locks(all);
    }
}

void PostgresConnection::send_locks(std::span<const Lock> all) {
    std::string keys = "{", shared = "{";
    for (const auto& one : all) {
        keys += std::to_string(one.key) + ',';
        shared += one.shared ? "t," : "f,";
    }
    keys.back() = shared.back() = '}';
    const char* const values[] = {keys.c_str(), shared.c_str()};
    send_lock("lock_all", LOCK_ALL, values);
}

void PostgresConnection::send_lock(
    const char* prepared, const char* text, std::span<const char* const> values
) {
    const int count = static_cast<int>(values.size());
    const int sent =
        pooled_
            ? PQsendQueryParams(connection_.get(), text, count, nullptr, values.data(), nullptr, nullptr, 0)
            : PQsendQueryPrepared(connection_.get(), prepared, count, values.data(), nullptr, nullptr, 0);
    if (!sent) broken();
    sent_.push_back({Sent::aside});
    waits_ = true;
}

void PostgresConnection::send_prepare(const Sql& sql) {
    if (!PQsendPrepare(connection_.get(), statement_name(sql).c_str(), sql.postgres, 0, nullptr)) broken();
    sent_.push_back({Sent::preparation, &sql});
    if (!pooled_) set(prepared_, sql);
}

void PostgresConnection::synchronise() {
    if (!PQpipelineSync(connection_.get())) broken();
}

namespace {

// Asks the server to cancel the current statement. PQcancel() opens another connection and blocks until it is
// done, so it runs on a thread that nobody waits for.
std::shared_ptr<std::atomic<bool>> tell_to_stop(PGconn* connection) {
    std::shared_ptr<PGcancel> cancel(PQgetCancel(connection), [](PGcancel* one) { PQfreeCancel(one); });
    auto told = std::make_shared<std::atomic<bool>>(false);
    std::thread([cancel, told] {
        char reason[256];
        PQcancel(cancel.get(), reason, sizeof reason);
        *told = true;
    }).detach();
    return told;
}

}  // namespace

// At the deadline of the current work, the server is asked to cancel, and its answer is awaited, after which
// the connection is usable again. A server that is silent for longer than any statement may take is
// considered dead.
void PostgresConnection::await_answer(std::chrono::milliseconds longest_silence) {
    constexpr std::chrono::milliseconds look{100}, cancel_grace{2000};
    const auto begun = Clock::now();
    std::shared_ptr<std::atomic<bool>> stop;
    Clock::time_point told;
    auto give_up = [&](const char* why) {
        lose(why);
        if (stop) throw base::TimedOut();
        throw Outage(why);
    };
    while (PQisBusy(connection_.get()) || (stop && !*stop)) {
        const auto now = Clock::now();
        if (!stop && base::Within::over()) {
            stop = tell_to_stop(connection_.get());
            told = now;
        }
        if (stop && now - told > cancel_grace) give_up("no answer, and none to a cancel");
        if (!stop && now - begun > longest_silence) give_up("the server does not answer");
        if (!stop && lost_ && *lost_) give_up("the server is left out");
        auto wait = look;
        if (auto until = base::Within::deadline(); !stop && until != base::no_deadline)
            wait = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(until - now), {}, look);
        pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
        // The result is already there; only the cancel request has yet to finish.
        if (!PQisBusy(connection_.get())) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        else if (::poll(&socket, 1, static_cast<int>(wait.count())) > 0 && !PQconsumeInput(connection_.get()))
            return;  // PQgetResult reports the error
    }
}

// Reads the results up to the next sync, one for each thing sent.
std::vector<PostgresResult> PostgresConnection::receive() {
    std::vector<PostgresResult> results;
    for (bool gap = false;;) {
        await_answer(longest_silence_);
        PostgresResult result(PQgetResult(connection_.get()));
        const bool lost = PQstatus(connection_.get()) == CONNECTION_BAD;
        if (!result && (gap || lost)) break;  // two in a row: the connection broke before the sync
        gap = !result;
        if (!result) continue;
        if (PQresultStatus(result.get()) == PGRES_PIPELINE_SYNC) return results;
        results.push_back(std::move(result));
    }
    broken();
}

void PostgresConnection::forget_late_results() {
    for (; late_ > 0; --late_) receive();
}

// Runs several statements at once, which pipeline mode does not allow.
PostgresResult PostgresConnection::simple(
    const char* name, const std::string& text, std::chrono::milliseconds longest
) {
    PQexitPipelineMode(connection_.get());
    if (!PQsendQuery(connection_.get(), text.c_str())) broken();
    PostgresResult last;
    for (;;) {
        await_answer(longest);
        PostgresResult result(PQgetResult(connection_.get()));
        if (!result) break;
        const bool failed_before = last && PQresultStatus(last.get()) == PGRES_FATAL_ERROR;
        if (!failed_before) last = std::move(result);
    }
    if (PQstatus(connection_.get()) != CONNECTION_OK || !last) broken();
    PQenterPipelineMode(connection_.get());
    if (!postgres_succeeded(last.get()) && PQresultStatus(last.get()) != PGRES_EMPTY_QUERY)
        throw_postgres(name, last.get());
    return last;
}

}  // namespace db
