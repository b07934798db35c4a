// SPDX-License-Identifier: AGPL-3.0-or-later
// What the program reports about itself: problems, for those who are notified, and its state, for whoever
// asks.
#include "server/app.hpp"

#include "base/deadline.hpp"
#include "base/log.hpp"
#include "config/clock.hpp"
#include "server/checks/certificates.hpp"
#include "server/doctor/doctor.hpp"
#include "server/monitoring/refused.hpp"
#include "server/nodes/node_rows.hpp"

#include <unistd.h>
#include <future>

namespace server {

namespace {

insight::Queues queues_of(const Sample::Stored& stored) {
    insight::Queues out;
    out.jobs_waiting = stored.jobs_waiting;
    out.jobs_given_up = stored.jobs_given_up;
    out.jobs_late_seconds = static_cast<std::int64_t>(stored.jobs_late);
    out.inbox_late_seconds = static_cast<std::int64_t>(stored.inbox_late);
    out.deliveries_waiting = stored.queue.waiting;
    out.deliveries_retrying = stored.queue.retrying;
    out.pushes_waiting = stored.pushes_waiting;
    out.hosts_failing = stored.queue.hosts_failing;
    out.hosts_unavailable = stored.queue.hosts_unavailable;
    return out;
}

// Values that only the database knows.
struct SiteVitals {
    insight::Queues queues;
    std::int64_t bytes = 0;
    std::vector<insight::NodeVitals> nodes;
    Troubles troubles;
};

std::vector<insight::NodeVitals> nodes_of(db::Read& db) {
    std::vector<insight::NodeVitals> out;
    const auto leads = leading_node(db);
    for (const auto& one : nodes(db))
        out.push_back(
            {one.name,
             one.host,
             one.roles,
             one.version,
             (db.now().ms - one.started_at.ms) / 1000,
             one.late_ms,
             one.waiting,
             one.listeners,
             one.name == leads}
        );
    return out;
}

// Limits the wait for the database: when it is slow, which is when people ask, they soon get the rest.
SiteVitals site_vitals(db::Engine& engine) {
    constexpr std::chrono::seconds at_most{3};
    auto told = std::make_shared<std::promise<SiteVitals>>();
    auto found = told->get_future();
    auto look = [told](db::Read& db) {
        try {
            const auto stored = stored_figures(db);
            told->set_value({queues_of(stored), stored.bytes, nodes_of(db), troubles_of_site(db)});
        } catch (...) {
            told->set_exception(std::current_exception());
        }
    };
    const base::Within within(std::chrono::steady_clock::now() + at_most);
    if (!engine.read(std::move(look), db::newest)) throw base::Unavailable();
    told.reset();
    if (found.wait_for(at_most) != std::future_status::ready) throw base::TimedOut();
    return found.get();
}

}  // namespace

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

Machine machine_of(const Config& config) {
    db::Options database;
    database.postgres_url = config.database;
    database.readers = config.readers;
    database.writers = config.writers;
    Machine out;
    out.cores = std::max<std::int64_t>(std::thread::hardware_concurrency(), 1);
    out.readers = database.reader_threads();
    out.writers = database.writer_threads();
    out.cpu_threads = config.cpu_threads > 0 ? config.cpu_threads : std::max<std::int64_t>(out.cores / 2, 1);
    return out;
}

Sample App::sample() const {
    Sample sample;
    sample.database = engine_->stats();
    sample.network = server_->counters();
    sample.cpu_waiting = cpu_.waiting();
    sample.job_failures = runner_.failures();
    sample.jobs_done = runner_.done();
    sample.periodic_runs = runner_.periodic_runs();
    sample.deliveries = delivery_worker_.counters();
    sample.pushes = pusher_.counters();
    sample.streams = hub_->figures();
    sample.nodes = nodes_.figures();
    if (keeper_) sample.backup = keeper_->figures();
    if (dumps_) sample.backup = dumps_->figures();
    if (media_.bucket) sample.bucket = {media_.bucket->client().figures(), media_.bucket->cached_bytes()};
    sample.answered = meter_.answered();
    sample.failed = meter_.failed();
    sample.mails_sent = mail_->all_sent();
    sample.mails_failed = mail_->all_failed();
    sample.mails_failed_in_a_row = mail_->failed_in_a_row();
    sample.mail_failure = mail_->last_failure();
    sample.process = process_figures();
    sample.version = site_.version;
    sample.free_for_data = free_bytes(config_.data_path());
    sample.free_for_media = free_bytes(config_.media_path());
    if (!certificate_) sample.certificate = validity_of_file(config_);
    else if (const auto facts = certificate_->facts()) sample.certificate = {facts->from, facts->until};
    return sample;
}

// If the database does not respond soon, uses ids instead of names.
std::vector<insight::RefusedOne> App::refused(std::size_t most) {
    constexpr std::chrono::seconds at_most{1};
    auto rows = limiter_.refused();
    if (rows.size() > most) rows.resize(most);
    auto told = std::make_shared<std::promise<std::vector<insight::RefusedOne>>>();
    auto found = told->get_future();
    const base::Within within(std::chrono::steady_clock::now() + at_most);
    auto look = [told, rows](db::Read& db) {
        try {
            told->set_value(in_words(rows, [&](const http::LimitRefusal& one) {
                return name_of_refused(db, one);
            }));
        } catch (...) {
            told->set_exception(std::current_exception());
        }
    };
    try {
        const bool asked = !rows.empty() && engine_->read(std::move(look));
        told.reset();  // a dropped query is not waited for
        if (asked && found.wait_for(at_most) == std::future_status::ready) return found.get();
    } catch (const std::exception& e) {
        base::log_debug("who was refused is told by numbers", {{"cause", e.what()}});
    }
    return in_words(rows, [](const http::LimitRefusal& one) { return number_of_refused(one); });
}

// Writes problems to the table of alerts, from which one node notifies the people who look after the site.
void App::note_troubles() {
    const bool paused = in_maintenance_ || gate_->is_closed();
    const auto seen = sample();
    auto here = trouble_watch_.look(seen, disk_room(config_), paused, clock_now());
    auto backup = seen.backup ? troubles_of_backup(*seen.backup, clock_now()) : Troubles();
    {
        const std::lock_guard lock(troubles_mutex_);
        troubles_ = here;
        troubles_.insert(troubles_.end(), backup.begin(), backup.end());
    }
    if (here.empty() && backup.empty()) return;
    const db::MakingRoom making_room;  // a full disk must be reported too
    auto note = [here, backup, place = host_name()](db::Write& db) {
        db.beside_others();
        moderation::note_troubles(db, place, here);
        moderation::note_troubles(db, "", backup);
    };
    engine_->write("note_troubles", note, [](std::exception_ptr) {});
}

void App::answer_about_servers() {
    services_.answers<insight::LookAtPause>([this](const auto&) { return sentence_of_pause().value_or(""); });
    services_.answers<insight::LookAtServer>([this](const auto&) { return vitals(); });
    services_.answers<insight::ExamineServer>([this](const auto&) { return examine(); });
    services_.answers<insight::LookFromOutside>([this](const insight::LookFromOutside& asked) {
        return stranger_.look(asked.origin, clock_now());
    });
}

void App::count_vitals() { vitals_watch_.count(sample(), meter_.costs(), clock_now()); }

insight::Vitals App::vitals() {
    auto out = vitals_watch_.vitals(sample(), meter_.costs(), clock_now());
    out.node = nodes_.name();
    out.host = host_name();
    {
        const std::lock_guard lock(troubles_mutex_);
        out.troubles = troubles_;
    }
    constexpr std::size_t shown = 10;
    out.refused = refused(shown);
    try {
        const auto site = site_vitals(*engine_);
        out.queues = site.queues;
        out.database_bytes = site.bytes;
        out.nodes = site.nodes;
        out.troubles.insert(out.troubles.end(), site.troubles.begin(), site.troubles.end());
    } catch (const std::exception& e) {
        base::log_warning("what only the database knows is not shown", {{"cause", e.what()}});
    }
    return out;
}

// One examination at a time; concurrent callers, and those within 20 seconds, get the same result.
std::vector<insight::Finding> App::examine() {
    constexpr std::chrono::seconds good_for{20};
    const std::unique_lock looking(examining_mutex_, std::try_to_lock);
    {
        const std::lock_guard lock(examined_mutex_);
        const bool fresh = std::chrono::steady_clock::now() - examined_at_ < good_for;
        if (!examined_.empty() && (fresh || !looking)) return examined_;
    }
    const auto warning = std::string(base::word(Level::warning));
    if (!looking) return {{warning, "doctor", "it is being looked at; ask again in a minute"}};
    std::vector<insight::Finding> found;
    try {
        Loaded loaded;
        loaded.config = config_;
        for (const auto& seen : server::examine(loaded, {}))
            found.push_back({std::string(base::word(seen.level)), seen.check, seen.text});
    } catch (const std::exception& e) {
        found = {{warning, "doctor", "it could not be looked at: " + std::string(e.what())}};
    }
    const std::lock_guard lock(examined_mutex_);
    examined_ = std::move(found);
    examined_at_ = std::chrono::steady_clock::now();
    return examined_;
}

}  // namespace server
