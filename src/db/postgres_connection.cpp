// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_connection.hpp"

#include <algorithm>
#include <utility>

namespace db {

namespace {

void set(std::vector<bool>& flags, unsigned number) {
    if (number >= flags.size()) flags.resize(std::max(number + 1, Sql::count()));
    flags[number] = true;
}

}  // namespace

// ---- statements ----

PostgresResult PostgresConnection::run(const Sql& sql, std::span<const Value> values) {
    const bool first = transaction_ && !begun_;
    try {
        return run_once(sql, values);
    } catch (const Outage&) {
        // The server closed a connection that was idle: nothing has happened yet, begin again on a new one.
        if (!first || connection_ || refused_) throw;
        begun_ = false;
    }
    return run_once(sql, values);
}

PostgresResult PostgresConnection::run_once(const Sql& sql, std::span<const Value> values) {
    ensure_open();
    forget_late_results();
    if (spoilt_by_) repeat_with_guard();
    parameters_.fill(values);

    const auto begun = Clock::now();
    const bool prepares = !known(sql), begins = transaction_ && !begun_, guard = transaction_ && guarded(sql);
    if (prepares && !sql.postgres) throw Failure(std::string(sql.name) + ": has no text for PostgreSQL");
    if (begins) send_begin();
    if (guard) send("SAVEPOINT change");
    if (prepares) send_prepare(sql);
    const int sent = PQsendQueryPrepared(
        connection_.get(),
        statement_name(sql).c_str(),
        parameters_.count(),
        parameters_.values(),
        parameters_.lengths(),
        parameters_.formats(),
        1
    );
    if (!sent) broken();
    if (guard) send("RELEASE change");
    synchronise();
    auto results = receive();

    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun);
    if (time > slow_statement && watch_.slow) watch_.slow(sql.name, time);
    const std::size_t at_prepare = (begins ? 1u : 0u) + (guard ? 1u : 0u);
    if (prepares && at_prepare < results.size() && postgres_succeeded(results[at_prepare].get()))
        set(prepared_, sql.number);
    for (const auto& result : results)
        if (!postgres_succeeded(result.get())) failed(sql, result.get(), guard);
    return std::move(results.at(at_prepare + (prepares ? 1u : 0u)));
}

void PostgresConnection::failed(const Sql& sql, const PGresult* result, bool guard) {
    if (spoils_connection(result)) lose(PQresultErrorMessage(result));
    if (transaction_ == Mode::write && refuses_writing(result)) {
        lose("the server only reads");
        throw Outage("the server only reads");
    }
    try {
        throw_postgres(sql.name, result);
    } catch (const Duplicate&) {
        if (guard) simple("undo", "ROLLBACK TO change; RELEASE change");
        else if (begun_) spoilt_by_ = &sql;
        throw;
    } catch (const Retry& lost) {
        // A replica cancels snapshots that are in the way of what it has to apply.
        if (transaction_ == Mode::read) throw Outage(lost.what());
        throw;
    }
}

void PostgresConnection::repeat_with_guard() {
    const Sql* sql = std::exchange(spoilt_by_, nullptr);
    set(guarded_, sql->number);
    throw Retry(std::string(sql->name) + ": a duplicate was caught, once more with a savepoint");
}

std::unique_ptr<Rows> PostgresConnection::query(const Sql& sql, std::span<const Value> values) {
    return std::make_unique<PostgresRows>(sql, run(sql, values));
}

std::int64_t PostgresConnection::execute(const Sql& sql, std::span<const Value> values) {
    const auto result = run(sql, values);
    const std::string_view count = PQcmdTuples(result.get());
    return count.empty() ? 0 : std::stoll(std::string(count));
}

void PostgresConnection::script(const std::string& statements) {
    ensure_open();
    forget_late_results();
    if (spoilt_by_) repeat_with_guard();
    if (transaction_ && !begun_) {
        send_begin();
        synchronise();
        receive();
    }
    simple("script", statements);
}

std::vector<std::string> PostgresConnection::columns(const Sql& sql) {
    ensure_open();
    forget_late_results();
    const bool prepares = !known(sql);
    if (prepares) send_prepare(sql);
    PQsendDescribePrepared(connection_.get(), statement_name(sql).c_str());
    synchronise();
    const auto results = receive();
    for (const auto& result : results)
        if (!postgres_succeeded(result.get())) throw_postgres(sql.name, result.get());
    set(prepared_, sql.number);
    std::vector<std::string> names;
    for (int i = 0; i < PQnfields(results.back().get()); ++i) {
        require_readable(sql, results.back().get(), i);
        names.emplace_back(PQfname(results.back().get(), i));
    }
    return names;
}

// ---- transactions ----

void PostgresConnection::begin(Mode mode) {
    transaction_ = mode;
    begun_ = false;
    spoilt_by_ = nullptr;
}

void PostgresConnection::commit() {
    if (spoilt_by_) repeat_with_guard();
    const bool writes = transaction_ == Mode::write;
    if (std::exchange(begun_, false)) {
        if (!connection_) {
            transaction_.reset();
            if (!writes) return;  // the job knows: its statement failed
            throw Outage("the connection was lost before the commit");
        }
        send("COMMIT");
        synchronise();
        if (writes) {
            const auto results = receive();
            if (!postgres_succeeded(results.at(0).get())) throw_postgres("commit", results.at(0).get());
            if (std::string_view(PQcmdStatus(results.at(0).get())) == "ROLLBACK")
                throw Failure("commit: an error was caught that had undone the transaction");
        } else {
            ++late_;
        }
    }
    transaction_.reset();
}

void PostgresConnection::rollback() noexcept {
    spoilt_by_ = nullptr;
    const bool open = std::exchange(begun_, false);
    transaction_.reset();
    if (!open || !connection_) return;
    try {
        send("ROLLBACK");
        synchronise();
        ++late_;
    } catch (const std::exception&) {
        // Lost, and reported by lose().
    }
}

}  // namespace db
