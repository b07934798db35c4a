// SPDX-License-Identifier: AGPL-3.0-or-later
// The part of PostgresConnection that talks to libpq: connecting, sending, receiving.
#include "base/deadline.hpp"
#include "db/postgres_connection.hpp"

#include <poll.h>

#include <utility>

namespace db {

namespace {

// A lock that every node shares from its first change to its end.
#define PRESENCE "491913175, hashtext(current_schema())"

// After a failed attempt to connect, requests are refused for this long without trying again.
constexpr auto pause_between_attempts = std::chrono::seconds(1);

std::string message(const PGconn* connection) {
    std::string text = PQerrorMessage(connection);
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

}  // namespace

// ---- connecting ----

void PostgresConnection::connect() {
    if (base::Within::over()) throw base::TimedOut();
    if (refused_ && Clock::now() - *refused_ < pause_between_attempts) throw Outage("still no connection");
    // The address stands last: what it says wins.
    const char* keywords[] = {
        "fallback_application_name",
        "connect_timeout",
        "tcp_user_timeout",
        "client_encoding",
        "dbname",
        nullptr
    };
    const char* values[] = {"dunlin", "5", "30000", "UTF8", url_.c_str(), nullptr};
    connection_.reset(PQconnectdbParams(keywords, values, 1));
    prepared_.clear();
    sent_.clear();
    begun_ = false;
    late_ = 0;
    spoilt_by_ = nullptr;
    if (!connection_ || PQstatus(connection_.get()) != CONNECTION_OK) {
        refused_ = Clock::now();
        const std::string why = connection_ ? message(connection_.get()) : "out of memory";
        connection_.reset();
        throw Outage(why);
    }
    refused_.reset();
    PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
    PQenterPipelineMode(connection_.get());
    simple("settings", settings);
    if (whom_ == Of::node) simple("presence", "SELECT pg_advisory_lock_shared(" PRESENCE ")");
}

bool PostgresConnection::shut_out_nodes() {
    ensure_open();
    forget_late_results();
    const auto result = simple("presence", "SELECT pg_try_advisory_lock(" PRESENCE ")");
    return *PQgetvalue(result.get(), 0, 0) == 't';
}

// Inside a transaction a lost connection is not replaced: the rest must not run without its beginning.
void PostgresConnection::ensure_open() {
    if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return;
    if (begun_) throw Outage("the connection was lost within the transaction");
    connect();
}

void PostgresConnection::lose(const std::string& why) noexcept {
    if (!connection_) return;
    connection_.reset();
    late_ = 0;
    spoilt_by_ = nullptr;
    sent_.clear();
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

void PostgresConnection::send(const char* text) {
    if (!PQsendQueryParams(connection_.get(), text, 0, nullptr, nullptr, nullptr, nullptr, 1)) broken();
    sent_.push_back({Sent::aside});
}

// Whose result is read with that of the next statement.
void PostgresConnection::send_late(const char* text) {
    send(text);
    synchronise();
    sent_.clear();
    ++late_;
}

void PostgresConnection::send_begin() {
    if (transaction_ == Mode::read) {
        send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    } else {
        send("BEGIN ISOLATION LEVEL READ COMMITTED");
        send("SELECT pg_advisory_xact_lock(4919131752989213764)");
        waits_ = true;
    }
    begun_ = true;
}

void PostgresConnection::send_mark() {
    if (savepoint_) send("RELEASE change");
    send("SAVEPOINT change");
    savepoint_ = true;
    marked_ = false;
}

void PostgresConnection::send_prepare(const Sql& sql) {
    if (!PQsendPrepare(connection_.get(), statement_name(sql).c_str(), sql.postgres, 0, nullptr)) broken();
    sent_.push_back({Sent::preparation, &sql});
    set(prepared_, sql);
}

void PostgresConnection::synchronise() {
    if (!PQpipelineSync(connection_.get())) broken();
}

// Where the work has a deadline, the server is told to stop when it is over. Its answer to that is waited for: the
// connection can go on then.
void PostgresConnection::await_answer() {
    constexpr std::chrono::milliseconds look{100}, cancel_grace{2000};
    std::optional<Clock::time_point> told;
    while (PQisBusy(connection_.get())) {
        if (!told && base::Within::over()) {
            struct Free {
                void operator()(PGcancel* cancel) const { PQfreeCancel(cancel); }
            };
            std::unique_ptr<PGcancel, Free> cancel(PQgetCancel(connection_.get()));
            char reason[256];
            PQcancel(cancel.get(), reason, sizeof reason);
            told = Clock::now();
        }
        if (told && Clock::now() - *told > cancel_grace) {
            lose("no answer, and none to a cancel");
            throw base::TimedOut();
        }
        auto wait = look;
        if (auto until = base::Within::deadline(); !told && until != base::no_deadline)
            wait = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()), {}, look);
        pollfd socket{PQsocket(connection_.get()), POLLIN, 0};
        if (::poll(&socket, 1, static_cast<int>(wait.count())) > 0 && !PQconsumeInput(connection_.get()))
            return;  // PQgetResult tells
    }
}

// The results up to the next synchronisation, one for each thing sent.
std::vector<PostgresResult> PostgresConnection::receive() {
    std::vector<PostgresResult> results;
    for (bool gap = false;;) {
        await_answer();
        PostgresResult result(PQgetResult(connection_.get()));
        const bool lost = PQstatus(connection_.get()) == CONNECTION_BAD;
        if (!result && (gap || lost)) break;  // two in a row: the connection ended before the synchronisation
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

// Several statements at once, which a pipeline does not take.
PostgresResult PostgresConnection::simple(const char* name, const std::string& text) {
    PQexitPipelineMode(connection_.get());
    PostgresResult result(PQexec(connection_.get(), text.c_str()));
    if (PQstatus(connection_.get()) != CONNECTION_OK) broken();
    PQenterPipelineMode(connection_.get());
    if (!postgres_succeeded(result.get()) && PQresultStatus(result.get()) != PGRES_EMPTY_QUERY)
        throw_postgres(name, result.get());
    return result;
}

}  // namespace db
