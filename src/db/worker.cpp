// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/worker.hpp"

#include "base/log.hpp"
#include "db/engine.hpp"
#include "db/transaction.hpp"

#include <atomic>
#include <mutex>
#include <vector>

namespace db {

namespace {

void log_slow(const char* sentence, const char* name, std::chrono::microseconds time) {
    base::log_warning(sentence, {{"name", name}, {"ms", std::to_string(time.count() / 1000)}});
}

}  // namespace

std::string cause(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Outage& e) {
        return e.cause;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "unknown exception";
    }
}

StatementObserver EngineSupport::observe() {
    return {
        .slow =
            [this](const char* statement, std::chrono::microseconds time) {
                counters.statement_was_slow(statement, time);
                log_slow("a statement was slow", statement, time);
            },
        .trouble = [](const std::string& line) { base::log_warning("database", {{"cause", line}}); },
    };
}

Context EngineSupport::context() const {
    Context now = options.context;
    if (now.site) now.site = &site_now(*now.site);
    return now;
}

void EngineSupport::read(Connection& connection, std::vector<ReadJob>& jobs, const More& more) {
    const ScopedTimer busy(counters.reading_us);
    for (std::size_t next = 0; next < jobs.size();) {
        bool begun = false;
        try {
            in_transaction(connection, Mode::read, [&] {
                begun = true;
                do {
                    while (next < jobs.size()) {
                        const Context now = context();
                        Read session(connection, now);
                        counters.reads.fetch_add(1, std::memory_order_relaxed);
                        auto& job = jobs[next++];
                        const base::Within within(job.until, &cancelled);
                        job.run(session);
                    }
                    jobs.clear();
                    next = 0;
                } while (more && more(jobs) && !jobs.empty());
            });
        } catch (...) {
            if (!begun) ++next;
            base::log_error(
                "a read of the database was dropped", {{"cause", cause(std::current_exception())}}
            );
        }
    }
}

void EngineSupport::note_time(
    const Change& change, std::chrono::steady_clock::time_point begun, std::chrono::microseconds limit
) {
    const auto time =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
    counters.change_took(change.name, time);
    if (time <= limit) return;
    ++counters.changes_slow;
    log_slow("a change was slow", change.name, time);
}

bool EngineSupport::refuses(Change& change) {
    auto refusal = gate ? gate->refusal(change.makes_room) : std::nullopt;
    if (!refusal) return false;
    change.error = std::make_exception_ptr(*std::move(refusal));
    finish(change);
    return true;
}

void EngineSupport::run(Change& change, Write& session) const {
    if (gate)
        if (auto refusal = gate->refusal(change.makes_room)) throw *std::move(refusal);
    const base::Within within(change.until, &cancelled);
    if (base::Within::over()) throw base::TimedOut();
    change.run(session);
}

void EngineSupport::announce(std::vector<Announcement> announcements) const {
    if (announcements.empty() || !options.announced) return;
    try {
        options.announced(std::move(announcements));
    } catch (...) {
        base::log_error("announcements were lost", {{"cause", cause(std::current_exception())}});
    }
}

// The first change that finds the disk full closes the gate for the next ones, and fails with the same error
// as they will.
void EngineSupport::look_at_failure(Change& change) const {
    if (!gate) return;
    try {
        std::rethrow_exception(change.error);
    } catch (const DiskFull& full) {
        if (!gate->is_full())
            base::log_error("the disk is full: nothing new is taken", {{"cause", full.cause}});
        gate->fill();
        if (auto refusal = gate->refusal(false)) change.error = std::make_exception_ptr(*std::move(refusal));
    } catch (...) {
        // Other errors need no translation.
    }
}

void EngineSupport::finish(Change& change) {
    counters.changes.fetch_add(1, std::memory_order_relaxed);
    if (change.error) {
        counters.changes_failed.fetch_add(1, std::memory_order_relaxed);
        look_at_failure(change);
    }
    try {
        if (change.done) change.done(change.error);
    } catch (...) {
        base::log_error(
            "what follows a change threw",
            {{"change", change.name}, {"cause", cause(std::current_exception())}}
        );
    }
}

// ---- the facts of the site ----

namespace {

std::atomic<const base::Site*> used = nullptr;

}  // namespace

void use_site(std::unique_ptr<const base::Site> site) {
    // Each time staff change a setting this keeps a few hundred bytes more.
    static std::mutex mutex;
    static std::vector<std::unique_ptr<const base::Site>> all;
    const std::lock_guard lock(mutex);
    used = site.get();
    if (site) all.push_back(std::move(site));
}

const base::Site& site_now(const base::Site& opened_with) {
    const auto* site = used.load();
    return site ? *site : opened_with;
}

}  // namespace db
