// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/copy.hpp"

#include "db/transaction.hpp"
#include "takeover/settle.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <utility>

namespace takeover {

const db::Query<Takeover> current_takeover{
    "current_takeover",
    R"(SELECT id, source, version, state, step, position, rows_done, rows_total, started_at, finished_at FROM takeovers
       ORDER BY id DESC LIMIT 1)"
};
const db::Command begin_takeover{
    "begin_takeover",
    R"(INSERT INTO takeovers (id, source, version, state, started_at, rows_total)
       VALUES ($1, $2, $3, 'copying', $4, $5))"
};
const db::Command note_progress{
    "note_progress", "UPDATE takeovers SET step = $2, position = $3, rows_done = $4 WHERE id = $1"
};
const db::Command set_takeover_state{
    "set_takeover_state",
    "UPDATE takeovers SET state = $2, step = '', position = '', finished_at = $3 WHERE id = $1"
};
const db::Command begin_takeover_again{
    "begin_takeover_again",
    R"(UPDATE takeovers SET state = 'copying', step = '', position = '', rows_done = 0, rows_total = $2,
           version = $3, started_at = $4, finished_at = NULL WHERE id = $1)"
};
const db::Query<Refused> takeover_refusals_listed{
    "takeover_refusals_listed",
    "SELECT kind, former, reason FROM takeover_refusals ORDER BY kind, former LIMIT $1"
};
const db::Query<std::int64_t> takeover_refusals_counted{
    "takeover_refusals_counted", "SELECT count(*) AS n FROM takeover_refusals"
};
const db::Command put_refusal{
    "put_refusal",
    "INSERT INTO takeover_refusals (kind, former, reason) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
const db::Query<bool> is_in_use{
    "is_in_use",
    R"(SELECT EXISTS (SELECT 1 FROM accounts) OR EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM statuses)
           AS used)"
};

std::optional<Takeover> current(db::Read& db) { return db.maybe(current_takeover); }
std::vector<Refused> refusals(db::Read& db, int limit) { return db.all(takeover_refusals_listed, limit); }
std::int64_t refusal_count(db::Read& db) { return db.one(takeover_refusals_counted); }

namespace {

class Writer final : public Sink {
public:
    Writer(
        const Target& target, Numbers& all, Takeover state, std::size_t chunk,
        const std::function<void(const Progress&)>& progress
    )
        : Sink(all), target_(target), state_(std::move(state)), chunk_(chunk), progress_(progress) {
        const auto before = db::read_now(target_.connection, target_.context, [](db::Read& db) {
            return refusals(db, std::numeric_limits<int>::max());
        });
        for (const auto& one : before) note_refused(one.kind, one.former);
    }

    void refuse(const std::string& kind, const std::string& former, const std::string& why) override {
        refused_.push_back({kind, former, why});
        note_refused(kind, former);
    }
    void done(const std::string& position) override {
        state_.position = position;
        ++state_.rows_done;
        if (pending_.size() + refused_.size() + numbers.waiting() >= chunk_) flush();
    }

    void begin(const std::string& step) {
        if (state_.step != step) state_.position.clear();
        state_.step = step;
    }
    const Takeover& state() const { return state_; }

    // Hands over what was put, to be written while more is read. Where one of its kind may be there already, it is waited for:
    // nothing that comes later may refer to one that clashed.
    void flush() {
        wait();
        Batch batch{numbers.take_fresh(), std::exchange(pending_, {}), std::exchange(refused_, {}), state_};
        const bool may_clash =
            std::ranges::any_of(batch.pending, [](const Pending& one) { return !one.kind.empty(); });
        writing_ = std::async(std::launch::async, [this, batch = std::move(batch)] { return write(batch); });
        progress_({state_.step, state_.rows_done, state_.rows_total});
        if (may_clash) wait();
    }
    // Until all that was handed over is written. Throws what went wrong with it.
    void wait() {
        if (!writing_.valid()) return;
        for (const auto& one : writing_.get()) {
            numbers.drop(one.kind, one.former);
            note_refused(one.kind, one.former);
        }
    }

private:
    static constexpr int batches_a_checkpoint = 20;
    struct Pending {
        Writing write;
        std::string kind, former;
        const char* clash = "";
    };
    // Written whole or not at all, with how far the copy is.
    struct Batch {
        std::vector<Numbers::Given> given;
        std::vector<Pending> pending;
        std::vector<Refused> refused;
        Takeover state;
    };

    void add(Writing write) override { pending_.push_back({std::move(write), {}, {}, ""}); }
    void add_unique(Writing write, const std::string& kind, const std::string& former, const char* clash)
        override {
        pending_.push_back({std::move(write), kind, former, clash});
    }

    // Beside the thread that reads, which leaves the connection alone meanwhile, and the numbers, too, where one may clash.
    std::vector<Refused> write(const Batch& batch) {
        std::vector<Refused> clashed;
        db::write_now(target_.connection, target_.context, [&](db::Write& db) {
            clashed.clear();
            Numbers::write(db, batch.given);
            for (const auto& one : batch.pending)
                if (!one.write(db)) clashed.push_back({one.kind, one.former, one.clash});
            for (const auto& one : clashed) Numbers::write_dropped(db, numbers, one.kind, one.former);
            for (const auto& one : batch.refused) db.run(put_refusal, one.kind, one.former, one.reason);
            for (const auto& one : clashed) db.run(put_refusal, one.kind, one.former, one.reason);
            const auto& at = batch.state;
            db.run(note_progress, at.id, at.step, at.position, at.rows_done);
        });
        // Nothing else moves SQLite's log into the file meanwhile.
        if (!target_.connection.is_postgres() && ++batches_ % batches_a_checkpoint == 0)
            target_.connection.script("PRAGMA wal_checkpoint(TRUNCATE)");
        return clashed;
    }

    const Target& target_;
    Takeover state_;
    const std::size_t chunk_;
    const std::function<void(const Progress&)>& progress_;
    std::vector<Pending> pending_;
    std::vector<Refused> refused_;
    int batches_ = 0;
    std::future<std::vector<Refused>> writing_;  // the last member: it is waited for before the others go
};

std::int64_t rows_of(Source& source, const std::vector<Step>& steps) {
    std::int64_t rows = 0;
    for (const auto& step : steps)
        for (const auto& table : step.tables) rows += source.rows(table);
    return rows;
}

bool goes_on(const Takeover& known, const Choice& choice) { return known.state == "copying" && !choice.anew; }

// The one that goes on, or a new one.
Takeover begun(const Target& target, Source& source, const std::vector<Step>& steps, const Choice& choice) {
    const auto name = source.program();
    auto now = db::read_now(target.connection, target.context, [](db::Read& db) {
        return std::pair(current(db), db.one(is_in_use));
    });
    auto& [known, used] = now;
    if (known && known->state == "finished")
        throw Unsuitable("This server has taken over already, and may have posts of its own since");
    if (known && known->source != name)
        throw Unsuitable(
            "A copy of another server, " + known->source + ", was begun here; take an empty database"
        );
    if (!known && used) throw Unsuitable("There are accounts in this database; take an empty one");
    if (known && goes_on(*known, choice)) return *known;
    if (known) empty_tables(target);
    return db::write_now(target.connection, target.context, [&](db::Write& db) {
        const auto rows = rows_of(source, steps);
        if (known) db.run(begin_takeover_again, known->id, rows, source.version(), choice.now);
        else db.run(begin_takeover, choice.now.ms << 16, name, source.version(), choice.now, rows);
        return *current(db);
    });
}

}  // namespace

void copy(
    const Target& target, Source& source, const Files& files, const Choice& chosen,
    const std::function<void(const Progress&)>& progress
) {
    source.check_schema();
    source.check_secrets();
    if (source.is_limited() && !chosen.limited)
        throw Unsuitable(
            "The other server talks to allowed servers alone (LIMITED_FEDERATION_MODE, "
            "instance-federation-mode, or accept of mrf_simple), and "
            "this one would talk to all; write limited_federation = true into dunlin.toml, and the servers "
            "that are "
            "allowed into allowed_servers or the list of the team"
        );
    auto choice = chosen;
    const auto known =
        db::read_now(target.connection, target.context, [](db::Read& db) { return current(db); });
    // A copy that goes on has the moment at which it began, so that its rows are the same.
    if (known && goes_on(*known, choice)) choice.now = known->started_at;
    const auto steps = source.steps(*target.context.site, files, choice);
    const auto state = begun(target, source, steps, choice);
    const db::Context unheard{target.context.site, [now = choice.now] { return now; }, nullptr};
    const Target quietly{target.connection, unheard};
    without_limits(target.connection);
    in_a_hurry(target.connection);
    Numbers numbers;
    db::read_now(target.connection, unheard, [&](db::Read& db) { numbers.load(db); });
    Writer writer(quietly, numbers, state, choice.chunk, progress);
    auto from = std::ranges::find(steps, state.step, &Step::name);
    if (from == steps.end()) from = steps.begin();
    for (; from != steps.end(); ++from) {
        writer.begin(from->name);
        from->copy(writer.state().position, writer);
        writer.flush();
    }
    writer.wait();
    progress({"counts and threads", writer.state().rows_done, writer.state().rows_total});
    if (!source.has_conversations()) make_conversations(quietly, numbers);
    settle(quietly, choice);
    carefully(target.connection);
    db::write_now(target.connection, target.context, [&](db::Write& db) {
        want_the_rest(db);
        db.run(set_takeover_state, state.id, "copied", std::nullopt);
    });
}

std::vector<Count> compare_counts(const Target& target, Source& source) {
    auto out = counted(target);
    const auto there = source.expected();
    for (auto& count : out)
        if (auto it = std::ranges::find(there, count.what, &std::pair<std::string, std::int64_t>::first);
            it != there.end())
            count.there = it->second;
    return out;
}

void finish(const Target& target) {
    db::write_now(target.connection, target.context, [&](db::Write& db) {
        const auto known = current(db);
        if (!known || known->state != "copied")
            throw Unsuitable("There is no whole copy yet: dunlin takeover copy");
        db.run(set_takeover_state, known->id, "finished", db.now());
    });
}

}  // namespace takeover
