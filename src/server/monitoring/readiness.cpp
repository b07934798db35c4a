// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/readiness.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"
#include "db/write_gate.hpp"
#include "server/nodes/node_rows.hpp"

#include <mutex>
#include <optional>
#include <vector>

namespace server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{5}, good_for{1};

http::Response answer_of(const std::string& trouble) {
    http::Response response;
    response.content_type = "text/plain; charset=utf-8";
    response.headers.emplace_back("Cache-Control", "private, no-store");
    response.headers.emplace_back("X-Content-Type-Options", "nosniff");
    response.body = trouble.empty() ? "OK" : trouble;
    if (trouble.empty()) return response;
    response.status = 503;
    response.headers.emplace_back("Retry-After", "5");
    return response;
}

std::string cause_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const db::Outage& e) {
        return e.cause;
    } catch (const std::exception& e) {
        return e.what();
    }
}

}  // namespace

// The last result, and the requests that wait for the current one.
struct Readiness::Probes {
    std::mutex mutex;
    std::optional<Clock::time_point> begun, ended;
    int outstanding = 0;         // of the read and the change
    std::string found, trouble;  // the reason if not ready
    std::vector<http::Pending> waiting;

    bool late() const { return begun && Clock::now() - *begun >= patience; }

    // The cause is only logged.
    void part_done(const std::string& why, const std::string& cause) {
        std::unique_lock lock(mutex);
        if (!why.empty()) {
            if (trouble.empty()) base::log_error("not ready: " + why, {{"cause", cause}});
            found = why;
        }
        if (--outstanding > 0) return;
        begun.reset();
        ended = Clock::now();
        trouble = found;
        release(lock, trouble);
    }

    void release(std::unique_lock<std::mutex>& lock, std::string why) {
        auto all = std::exchange(waiting, {});
        lock.unlock();
        for (auto& one : all) one.answer(answer_of(why));
    }
};

// One of the two probes. If the database is unavailable, the job is dropped without running, which counts as
// a failure.
class Readiness::Try {
public:
    Try(std::shared_ptr<Probes> probes, const char* failure)
        : probes_(std::move(probes)), failure_(failure) {}
    Try(const Try&) = delete;
    ~Try() {
        if (!ended_) end(failure_, "it was dropped");
    }

    void well() { end({}, {}); }
    void refused(const char* why) { end(why, "the queue is full"); }
    void failed(const std::exception_ptr& error) { end(failure_, cause_of(error)); }

private:
    void end(const std::string& why, const std::string& cause) {
        ended_ = true;
        probes_->part_done(why, cause);
    }

    const std::shared_ptr<Probes> probes_;
    const char* const failure_;
    bool ended_ = false;
};

constexpr const char* silent = "the database has not answered for 5 seconds";

Readiness::Readiness(db::Engine& engine, std::string node)
    : engine_(engine), node_(std::move(node)), probes_(std::make_shared<Probes>()) {}

void Readiness::answer(http::Pending reply) {
    auto& probes = *probes_;
    {
        std::unique_lock lock(probes.mutex);
        const bool known = probes.ended && Clock::now() - *probes.ended < good_for;
        if (probes.late() || (known && !probes.begun)) {
            const auto why = probes.late() ? silent : probes.trouble;
            lock.unlock();
            return reply.answer(answer_of(why));
        }
        probes.waiting.push_back(std::move(reply));
        if (probes.begun) return;
        probes.begun = Clock::now();
        probes.outstanding = 2;
        probes.found.clear();
    }
    probe();
}

void Readiness::tick() {
    std::unique_lock lock(probes_->mutex);
    if (probes_->late()) probes_->release(lock, silent);
}

void Readiness::probe() {
    const base::Within within(Clock::now() + patience);
    auto reading = std::make_shared<Try>(probes_, "the database cannot be read");
    auto read = [reading](db::Read& db) {
        try {
            nodes(db);
            reading->well();
        } catch (...) {
            reading->failed(std::current_exception());
        }
    };
    if (!engine_.read(std::move(read), db::newest)) reading->refused("too many reads wait for the database");
    auto write = [node = node_](db::Write& db) {
        db.beside_others();
        touch_node(db, node);
    };
    auto writing = std::make_shared<Try>(probes_, "nothing can be written to the database");
    auto written = [writing](std::exception_ptr error) {
        if (error) writing->failed(error);
        else writing->well();
    };
    const db::MakingRoom making_room;  // a server with a full disk is still ready
    if (!engine_.write("touch_node", write, std::move(written)))
        writing->refused("too many changes wait for the database");
}

}  // namespace server
