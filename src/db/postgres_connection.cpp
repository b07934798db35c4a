// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/postgres_connection.hpp"

#include <limits>
#include <utility>

namespace db {

// ---- statements ----

namespace {

constexpr auto nobody = std::numeric_limits<std::size_t>::max();

}  // namespace

std::size_t PostgresConnection::post(const Sql& sql, std::span<const Value> values, bool command) {
    if (begun_) ensure_open();
    else ensure_sound();
    if (spoilt_by_) repeat_with_guard();
    if (!sql.postgres) throw Failure(std::string(sql.name) + ": has no text for PostgreSQL");
    parameters_.fill(values);
    forget_answers();
    if (transaction_ && !begun_) send_begin();
    const bool guard = transaction_ && has(guarded_, sql);
    if (guard) send_text("SAVEPOINT statement");
    send_prepared(sql, parameters_);
    const auto place = sent_.size();
    sent_.push_back({Sent::statement, &sql, guard});
    if (command) {
        sent_.back().command = changed_.size();
        changed_.emplace_back();
    }
    if (guard) send_text("RELEASE statement");
    return place;
}

void PostgresConnection::send_prepared(const Sql& sql, const PostgresParameters& parameters) {
    if (pooled_) return send_unprepared(sql, parameters);
    if (!has(prepared_, sql)) send_prepare(sql);
    const int sent = PQsendQueryPrepared(
        connection_.get(),
        statement_name(sql).c_str(),
        parameters.count(),
        parameters.values(),
        parameters.lengths(),
        parameters.formats(),
        1
    );
    if (!sent) broken();
}

void PostgresConnection::send_unprepared(const Sql& sql, const PostgresParameters& parameters) {
    const int sent = PQsendQueryParams(
        connection_.get(),
        sql.postgres,
        parameters.count(),
        nullptr,
        parameters.values(),
        parameters.lengths(),
        parameters.formats(),
        1
    );
    if (!sent) broken();
}

// Waits for everything sent; returns the result of the statement with this index.
PostgresResult PostgresConnection::collect(std::size_t waited_for) {
    const auto begun = Clock::now();
    synchronise();
    auto results = receive();
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun);
    for (std::size_t i = 0; i < sent_.size(); ++i) {
        const auto& sent = sent_[i];
        if (sent.kind == Sent::after_commit) {
            take_position(std::move(results.at(i)));
            continue;
        }
        if (i == waited_for && time > slow_statement && observer_.slow && !waits_)
            observer_.slow(sent.sql->name, time);
        const auto* result = results.at(i).get();
        if (!postgres_succeeded(result) && sent.ahead) {
            failed_ahead(i, result);
            break;
        }
        if (!postgres_succeeded(result)) failed(i, result, i == waited_for);
        if (sent.ahead) sent.ahead->answer = std::move(results[i]);
        if (!sent.command) continue;
        const std::string_view count = PQcmdTuples(results[i].get());
        changed_[*sent.command] = count.empty() ? 0 : std::stoll(std::string(count));
    }
    waits_ = false;
    sent_.clear();
    return waited_for < results.size() ? std::move(results[waited_for]) : PostgresResult();
}

void PostgresConnection::forget_preparations(std::size_t from) {
    for (; from < sent_.size(); ++from)
        if (sent_[from].kind == Sent::preparation) prepared_[sent_[from].sql->number] = false;
}

void PostgresConnection::failed(std::size_t number, const PGresult* result, bool waited_for) {
    const auto sent = sent_[number];
    forget_preparations(number);
    sent_.clear();
    expected_.clear();
    waits_ = false;
    if (spoils_connection(result)) lose(PQresultErrorMessage(result));
    if (transaction_ == Mode::write && refuses_writing(result)) {
        lose("the server only reads");
        throw Outage("the server only reads");
    }
    const bool lost_its_place = sent.command && !waited_for && begun_ && !careful_;
    try {
        throw_postgres(sent.sql ? sent.sql->name : "transaction", result);
    } catch (const Retry& lost) {
        // A replica cancels snapshots that conflict with the changes it has to apply.
        if (transaction_ == Mode::read) throw Outage(lost.what());
        throw;
    } catch (const Duplicate& duplicate) {
        if (sent.guard) {
            simple("undo", "ROLLBACK TO statement; RELEASE statement", setting_up);
            throw;
        }
        // A change that checked for the row before inserting it runs again while nobody else writes.
        by_itself_ = by_itself_ || !alone_;
        careful_ = careful_ || lost_its_place;
        if (!alone_ || lost_its_place) throw Retry(duplicate.what());
        if (begun_) spoilt_by_ = sent.sql;
        throw;
    } catch (const base::Invalid& invalid) {
        if (!lost_its_place) throw;
        careful_ = true;
        throw Retry(invalid.what());
    }
}

void PostgresConnection::repeat_with_guard() {
    const Sql* sql = std::exchange(spoilt_by_, nullptr);
    set(guarded_, *sql);
    throw Retry(std::string(sql->name) + ": a duplicate was caught, once more with a savepoint");
}

// ---- asked ahead ----

void PostgresConnection::ask_ahead(const Sql& sql, std::span<const Value> values) {
    if (!transaction_ || asks_in_turn_ || !sql.postgres) return;
    // Fills the values first, which throws for invalid ones: an error from PostgreSQL would spoil the
    // snapshot for all queries.
    std::list<Expected> one;
    one.emplace_back(&sql).values.fill(values);
    // In a snapshot, an answer that has not been used yet is just as good.
    const auto answered = [&](const Expected& other) {
        return other.sql == &sql && other.answer && other.values.same_as(one.front().values);
    };
    if (transaction_ != Mode::read || std::ranges::none_of(expected_, answered))
        expected_.splice(expected_.end(), one);
}

// Returns nullptr if the query was not sent ahead; if it was only queued for that, it is removed.
PostgresResult PostgresConnection::answered_ahead(const Sql& sql, std::span<const Value> values) {
    if (std::ranges::find(expected_, &sql, &Expected::sql) == expected_.end()) return nullptr;
    parameters_.fill(values);
    const auto same = [&](const Expected& one) { return one.sql == &sql && one.values.same_as(parameters_); };
    const auto found = std::ranges::find_if(expected_, same);
    if (found == expected_.end()) return nullptr;
    auto answer = std::move(found->answer);
    expected_.erase(found);
    return answer;
}

// Sent behind the query that is waited for, so that no answer is older than one that was asked for earlier.
void PostgresConnection::send_expected() {
    for (auto& one : expected_) {
        if (one.answer) continue;
        send_prepared(*one.sql, one.values);
        sent_.push_back({.kind = Sent::statement, .sql = one.sql, .ahead = &one});
    }
}

// A snapshot always gives the same answers. In a change, others may have committed meanwhile, and what it
// does next may require later queries to see those commits; so unused answers are dropped and asked for
// again.
void PostgresConnection::forget_answers() {
    if (transaction_ != Mode::write) return;
    for (auto& one : expected_) one.answer.reset();
}

// The failed query has not been made yet. A change runs once more without sending queries ahead, so that the
// error surfaces at its own query, if that is made at all; a snapshot is unusable and reports the error at
// the next query.
void PostgresConnection::failed_ahead(std::size_t number, const PGresult* result) {
    if (transaction_ == Mode::read) {
        try {
            failed(number, result, false);
        } catch (...) {
            failed_ahead_ = std::current_exception();
        }
        return;
    }
    std::string why;
    try {
        failed(number, result, false);
    } catch (const Failure& error) {
        why = error.what();
    } catch (const base::Invalid& error) {
        why = error.what();
    }
    asks_in_turn_ = true;
    throw Retry(why);
}

PostgresResult PostgresConnection::ask(const Sql& sql, std::span<const Value> values) {
    const auto place = post(sql, values, false);
    send_expected();
    return collect(place);
}

std::unique_ptr<Rows> PostgresConnection::query(const Sql& sql, std::span<const Value> values) {
    if (failed_ahead_) std::rethrow_exception(failed_ahead_);
    if (auto answer = answered_ahead(sql, values))
        return std::make_unique<PostgresRows>(sql, std::move(answer));
    const bool first = transaction_ && !begun_;
    try {
        return std::make_unique<PostgresRows>(sql, ask(sql, values));
    } catch (const Outage&) {
        // The server closed an idle connection; nothing has happened yet, so start over on a new one.
        if (!first || connection_ || refused_) throw;
        begun_ = false;
    }
    return std::make_unique<PostgresRows>(sql, ask(sql, values));
}

std::int64_t PostgresConnection::execute(const Sql& sql, std::span<const Value> values) {
    if (!transaction_) changed_.clear();
    collect(post(sql, values, true));
    return *changed_.back();
}

std::int64_t PostgresConnection::send(const Sql& sql, std::span<const Value> values) {
    if (!transaction_) changed_.clear();
    const auto place = post(sql, values, true);
    if (careful_ || !transaction_ || sent_[place].guard) collect(place);
    return static_cast<std::int64_t>(changed_.size()) - 1;
}

std::int64_t PostgresConnection::changed_by(std::int64_t sent) {
    const auto command = static_cast<std::size_t>(sent);
    if (changed_.at(command)) return *changed_[command];
    const auto place = std::ranges::find(sent_, std::optional(command), &Sent::command);
    if (place == sent_.end()) throw Outage("the connection was lost within the transaction");
    const auto number = static_cast<std::size_t>(place - sent_.begin());
    send_expected();
    collect(number);
    return *changed_[command];
}

void PostgresConnection::send_last(const Sql& sql, std::span<const Value> values) {
    if (alone_ || !transaction_) send(sql, values);
    else last_.push_back({&sql, {values.begin(), values.end()}});
}

// Sorted by the first argument, the row, in every transaction, which prevents deadlocks.
void PostgresConnection::send_last_ones() {
    auto before = [](const Last& a, const Last& b) {
        const auto row = [](const Last& one) {
            return one.values.empty() ? 0 : std::get<std::int64_t>(one.values[0]);
        };
        return std::pair(row(a), a.sql->number) < std::pair(row(b), b.sql->number);
    };
    std::ranges::stable_sort(last_, before);
    for (const auto& one : std::exchange(last_, {})) post(*one.sql, one.values, true);
}

const Query<std::int64_t> position_now{
    "position_now",
    "SELECT 0",
    R"(SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE (pg_current_wal_insert_lsn() - '0/0')::bigint END)"
};

void PostgresConnection::send_position() {
    parameters_.fill({});
    send_prepared(position_now, parameters_);
    sent_.push_back({.kind = Sent::after_commit, .sql = &position_now});
}

// If this query fails, the change is committed all the same.
void PostgresConnection::take_position(PostgresResult result) {
    position_ = newest;
    if (!postgres_succeeded(result.get())) return;
    PostgresRows rows(position_now, std::move(result));
    if (rows.next()) position_ = end_of_last_change(rows.integer(0));
}

void PostgresConnection::script(const std::string& statements) {
    ensure_open();
    forget_late_results();
    if (spoilt_by_) repeat_with_guard();
    if (transaction_ && !begun_) send_begin();
    if (!sent_.empty()) collect(nobody);
    simple("script", statements, as_long_as_it_takes);
}

std::vector<std::string> PostgresConnection::columns(const Sql& sql) {
    ensure_open();
    forget_late_results();
    if (pooled_ || !has(prepared_, sql)) send_prepare(sql);
    if (!PQsendDescribePrepared(connection_.get(), statement_name(sql).c_str())) broken();
    sent_.push_back({Sent::statement, &sql});
    const auto described = collect(sent_.size() - 1);
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
    begun_ = false;
    alone_ = true;
    spoilt_by_ = nullptr;
    changed_.clear();
    last_.clear();
    locked_.clear();
    expected_.clear();
    failed_ahead_ = nullptr;
}

void PostgresConnection::beside_others() {
    if (transaction_ == Mode::write && !begun_) alone_ = by_itself_;
}

void PostgresConnection::lock(std::span<const Lock> all) {
    if (alone_) return;
    if (begun_) ensure_open();
    else ensure_sound();
    std::vector<Lock> wanted;
    for (const auto& one : all)
        if (std::ranges::none_of(locked_, [&](const Lock& held) {
                return held.key == one.key && (one.shared || !held.shared);
            }))
            wanted.push_back(one);
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    forget_answers();
    if (!begun_) send_begin(wanted);
    else if (!wanted.empty()) send_locks(wanted);
    locked_.insert(locked_.end(), wanted.begin(), wanted.end());
}

void PostgresConnection::commit() {
    if (spoilt_by_) repeat_with_guard();
    const bool writes = transaction_ == Mode::write;
    if (writes) send_last_ones();
    if (begun_) {
        if (!connection_) {
            begun_ = false;
            transaction_.reset();
            if (!writes) return;  // the job knows: its statement failed
            throw Outage("the connection was lost before the commit");
        }
        if (writes) {
            send_text("COMMIT");
            const auto commit = sent_.size() - 1;
            if (tells_positions_) send_position();
            waits_ = true;
            const auto ended = collect(commit);
            if (std::string_view(PQcmdStatus(ended.get())) == "ROLLBACK") {
                begun_ = false;
                throw Failure("commit: an error was caught that had undone the transaction");
            }
            was_alone_ = alone_;
            careful_ = by_itself_ = asks_in_turn_ = false;
        } else {
            send_late("COMMIT");
        }
    }
    begun_ = false;
    transaction_.reset();
}

void PostgresConnection::rollback() noexcept {
    spoilt_by_ = nullptr;
    last_.clear();
    const bool open = std::exchange(begun_, false);
    transaction_.reset();
    if (!open || !connection_) return;
    try {
        if (!sent_.empty()) {
            synchronise();
            const auto results = receive();
            for (std::size_t i = 0; i < results.size() && i < sent_.size(); ++i)
                if (!postgres_succeeded(results[i].get()))
                    forget_preparations(std::exchange(i, results.size()));
            sent_.clear();
        }
        send_late("ROLLBACK");
    } catch (const std::exception&) {
        // Lost, and reported by lose().
    }
}

}  // namespace db
