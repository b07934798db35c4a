// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_connection.hpp"

#include <utility>

namespace db {

// ---- statements ----

PostgresResult PostgresConnection::run(const Sql& sql, std::span<const Value> values) {
    const bool first = transaction_ && !begun_;
    try {
        post(sql, values);
        return collect();
    } catch (const Outage&) {
        // The server closed a connection that was idle: nothing has happened yet, begin again on a new one.
        if (!first || connection_ || refused_) throw;
        begun_ = false;
        marked_ = std::exchange(savepoint_, false);
    }
    post(sql, values);
    return collect();
}

void PostgresConnection::post(const Sql& sql, std::span<const Value> values) {
    ensure_open();
    forget_late_results();
    if (spoilt_by_) repeat_with_guard();
    if (!sql.postgres) throw Failure(std::string(sql.name) + ": has no text for PostgreSQL");
    parameters_.fill(values);
    if (transaction_ && !begun_) send_begin();
    if (marked_) send_mark();
    const bool guard = transaction_ && has(guarded_, sql);
    if (guard) send("SAVEPOINT statement");
    if (!has(prepared_, sql)) send_prepare(sql);
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
    sent_.push_back({Sent::statement, &sql, guard});
    if (guard) send("RELEASE statement");
}

// Waits for all that was sent; answers the result of the statement.
PostgresResult PostgresConnection::collect() {
    const auto begun = Clock::now();
    synchronise();
    auto results = receive();
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun);
    PostgresResult found;
    for (std::size_t i = 0; i < sent_.size(); ++i) {
        const auto [kind, sql, guard] = sent_[i];
        if (kind == Sent::statement && time > slow_statement && observer_.slow && !waits_)
            observer_.slow(sql->name, time);
        if (!postgres_succeeded(results.at(i).get())) failed(i, results[i].get());
        if (kind == Sent::statement) found = std::move(results[i]);
    }
    waits_ = false;
    sent_.clear();
    return found;
}

void PostgresConnection::failed(std::size_t number, const PGresult* result) {
    const auto [kind, sql, guard] = sent_[number];
    for (; number < sent_.size(); ++number)
        if (sent_[number].kind == Sent::preparation) prepared_[sent_[number].sql->number] = false;
    sent_.clear();
    waits_ = false;
    if (spoils_connection(result)) lose(PQresultErrorMessage(result));
    if (transaction_ == Mode::write && refuses_writing(result)) {
        lose("the server only reads");
        throw Outage("the server only reads");
    }
    try {
        throw_postgres(sql ? sql->name : "transaction", result);
    } catch (const Duplicate&) {
        if (guard) simple("undo", "ROLLBACK TO statement; RELEASE statement");
        else if (begun_) spoilt_by_ = sql;
        throw;
    } catch (const Retry& lost) {
        // A replica cancels snapshots that are in the way of what it has to apply.
        if (transaction_ == Mode::read) throw Outage(lost.what());
        throw;
    }
}

void PostgresConnection::repeat_with_guard() {
    const Sql* sql = std::exchange(spoilt_by_, nullptr);
    set(guarded_, *sql);
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
    if (transaction_ && !begun_) send_begin();
    if (!sent_.empty()) collect();
    simple("script", statements);
}

std::vector<std::string> PostgresConnection::columns(const Sql& sql) {
    ensure_open();
    forget_late_results();
    if (!has(prepared_, sql)) send_prepare(sql);
    if (!PQsendDescribePrepared(connection_.get(), statement_name(sql).c_str())) broken();
    sent_.push_back({Sent::statement, &sql});
    const auto described = collect();
    std::vector<std::string> names;
    for (int i = 0; i < PQnfields(described.get()); ++i) {
        require_readable(sql, described.get(), i);
        names.emplace_back(PQfname(described.get(), i));
    }
    return names;
}

// ---- transactions ----

void PostgresConnection::begin(Mode mode) {
    transaction_ = mode;
    begun_ = marked_ = savepoint_ = false;
    spoilt_by_ = nullptr;
}

void PostgresConnection::commit() {
    if (spoilt_by_) repeat_with_guard();
    const bool writes = transaction_ == Mode::write;
    if (begun_) {
        if (!connection_) {
            begun_ = false;
            transaction_.reset();
            if (!writes) return;  // the job knows: its statement failed
            throw Outage("the connection was lost before the commit");
        }
        if (!writes) {
            send_late("COMMIT");
        } else {
            send("COMMIT");
            synchronise();
            const auto results = receive();
            begun_ = false;
            sent_.clear();
            for (const auto& result : results)
                if (!postgres_succeeded(result.get())) throw_postgres("commit", result.get());
            if (std::string_view(PQcmdStatus(results.back().get())) == "ROLLBACK")
                throw Failure("commit: an error was caught that had undone the transaction");
        }
    }
    begun_ = false;
    transaction_.reset();
}

void PostgresConnection::rollback() noexcept {
    spoilt_by_ = nullptr;
    const bool open = std::exchange(begun_, false);
    transaction_.reset();
    if (!open || !connection_) return;
    try {
        if (!sent_.empty()) {
            synchronise();
            sent_.clear();
            ++late_;
        }
        send_late("ROLLBACK");
    } catch (const std::exception&) {
        // Lost, and reported by lose().
    }
}

void PostgresConnection::mark() { marked_ = true; }

void PostgresConnection::settle() {
    if (spoilt_by_) repeat_with_guard();
    marked_ = false;
}

void PostgresConnection::undo() {
    spoilt_by_ = nullptr;
    if (std::exchange(marked_, false)) return;  // it never said anything
    send("ROLLBACK TO change");
}

}  // namespace db
