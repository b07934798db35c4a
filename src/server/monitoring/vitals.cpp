// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/vitals.hpp"

#include <algorithm>
#include <cmath>

namespace server {

namespace {

constexpr std::int64_t minute_ms = 60'000, hour_ms = 60 * minute_ms, costs_every_ms = 5 * minute_ms;
constexpr std::size_t hours_kept = 24, lines = 15;

double seconds(std::chrono::microseconds us) { return std::chrono::duration<double>(us).count(); }

double tenth(double value) { return std::round(value * 10) / 10; }

std::string whole(double value) { return std::to_string(static_cast<std::int64_t>(std::lround(value))); }

std::optional<base::Time> time_of(std::int64_t ms) {
    return ms > 0 ? std::optional(base::Time{ms}) : std::nullopt;
}

std::optional<std::int64_t> bytes_of(const std::optional<std::uint64_t>& bytes) {
    return bytes ? std::optional(static_cast<std::int64_t>(*bytes)) : std::nullopt;
}

std::vector<insight::SlowOne> first_of(const std::vector<db::SlowOne>& all) {
    std::vector<insight::SlowOne> out;
    for (const auto& one : all) {
        if (out.size() == lines) break;
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(one.longest).count();
        out.push_back({std::string(one.name), static_cast<std::int64_t>(one.times), ms});
    }
    return out;
}

}  // namespace

VitalsWatch::Counted VitalsWatch::counted(const Sample& sample, base::Time now) {
    const auto& db = sample.database;
    Counted out;
    out.at = now;
    out.answered = sample.answered;
    out.failed = sample.failed;
    out.changes = db.changes;
    out.commits = db.commits;
    out.refused = db.reads_refused + db.changes_refused;
    out.jobs = sample.jobs_done;
    out.job_failures = sample.job_failures;
    out.deliveries = static_cast<std::int64_t>(sample.deliveries.delivered);
    out.writing = seconds(db.writing);
    out.reading = seconds(db.reading);
    out.committing = seconds(db.committing);
    out.cpu = sample.process.cpu_seconds;
    return out;
}

insight::Rates VitalsWatch::rates(const Counted& from, const Counted& to) const {
    insight::Rates out;
    const auto time = static_cast<double>(to.at.ms - from.at.ms) / 1000;
    if (time <= 0) return out;
    auto rate = [&](auto before, auto after) { return tenth(static_cast<double>(after - before) / time); };
    out.requests = rate(from.answered, to.answered);
    out.failed = rate(from.failed, to.failed);
    out.changes = rate(from.changes, to.changes);
    out.commits = rate(from.commits, to.commits);
    out.jobs = rate(from.jobs, to.jobs);
    out.deliveries = rate(from.deliveries, to.deliveries);
    auto percent_of = [&](double busy, std::int64_t threads) {
        return tenth(busy / time * 100 / static_cast<double>(std::max<std::int64_t>(threads, 1)));
    };
    out.writer_percent = percent_of(to.writing - from.writing, machine_.writers);
    out.readers_percent = percent_of(to.reading - from.reading, machine_.readers);
    out.cpu_percent = percent_of(to.cpu - from.cpu, 1);
    const auto commits = to.commits - from.commits;
    if (commits > 0)
        out.commit_ms = tenth((to.committing - from.committing) * 1000 / static_cast<double>(commits));
    out.refused = static_cast<std::int64_t>(to.refused - from.refused);
    out.job_failures = to.job_failures - from.job_failures;
    return out;
}

void VitalsWatch::keep_hour(const Counted& from, const Counted& to) {
    const base::Time begun{to.at.ms / hour_ms * hour_ms};
    if (hours_.empty() || hours_.front().from.ms != begun.ms) hours_.push_front({begun});
    if (hours_.size() > hours_kept) hours_.pop_back();
    auto& hour = hours_.front();
    const auto lately = rates(from, to);
    hour.requests += static_cast<std::int64_t>(to.answered - from.answered);
    hour.failed += static_cast<std::int64_t>(to.failed - from.failed);
    hour.writer_percent = std::max(hour.writer_percent, lately.writer_percent);
    hour.readers_percent = std::max(hour.readers_percent, lately.readers_percent);
    hour.cpu_percent = std::max(hour.cpu_percent, lately.cpu_percent);
}

void VitalsWatch::count(const Sample& sample, std::vector<Meter::Cost> costs, base::Time now) {
    const std::lock_guard lock(mutex_);
    minute_.push_back(counted(sample, now));
    while (minute_.size() > 1 && minute_.front().at.ms < now.ms - minute_ms) minute_.pop_front();
    if (!hour_from_) hour_from_ = minute_.back();
    if (now.ms - hour_from_->at.ms >= minute_ms) {
        keep_hour(*hour_from_, minute_.back());
        hour_from_ = minute_.back();
    }
    if (now.ms - lately_.at.ms < costs_every_ms) return;
    before_ = std::move(lately_);
    lately_ = {now, std::move(costs)};
}

std::vector<insight::RouteCost> VitalsWatch::routes(const std::vector<Meter::Cost>& now) const {
    std::vector<insight::RouteCost> out;
    double all = 0;
    for (const auto& one : now) {
        auto since = one;
        const auto then = std::ranges::find(before_.all, one.route, &Meter::Cost::route);
        if (then != before_.all.end()) {
            since.requests -= then->requests;
            since.failed -= then->failed;
            since.seconds -= then->seconds;
        }
        if (since.requests == 0) continue;
        all += since.seconds;
        out.push_back(
            {std::string(http::to_string(one.route->method)),
             std::string(one.route->path),
             static_cast<std::int64_t>(since.requests),
             static_cast<std::int64_t>(since.failed),
             tenth(since.seconds * 1000 / static_cast<double>(since.requests)),
             since.seconds}
        );
    }
    std::ranges::sort(out, std::ranges::greater{}, &insight::RouteCost::percent);
    if (out.size() > lines) out.resize(lines);
    for (auto& one : out) one.percent = all > 0 ? tenth(one.percent * 100 / all) : 0;
    return out;
}

// Applies rules; each result names its measurements and the remedy.
std::vector<insight::Trouble> VitalsWatch::why_slow(const insight::Vitals& now) const {
    constexpr double busy = 70, slow_commit = 20, most = 60;
    constexpr std::int64_t some = 10;
    std::vector<insight::Trouble> found;
    const auto& rates = now.rates;
    auto worst = [](const std::vector<insight::SlowOne>& all) {
        return all.empty() ? std::string()
                           : "; the longest: " + all.front().name + ", " +
                                 std::to_string(all.front().longest_ms) + " ms";
    };
    if (rates.refused > 0)
        found.push_back(
            {"refused", std::to_string(rates.refused) + " in the last minute; queue says how many may wait"}
        );
    if (rates.writer_percent > busy)
        found.push_back(
            {"writer",
             whole(rates.writer_percent) + " % of the time, " + std::to_string(now.changes_waiting) +
                 " changes wait" + worst(now.long_changes) +
                 ". A faster disk helps, or PostgreSQL with writers"}
        );
    if (rates.readers_percent > busy)
        found.push_back(
            {"readers",
             "All " + std::to_string(machine_.readers) + " readers are busy " + whole(rates.readers_percent) +
                 " % of the time, " + std::to_string(now.reads_waiting) + " reads wait" +
                 worst(now.statements) + ". More cores with more readers help, or a replica"}
        );
    if (rates.commit_ms > slow_commit)
        found.push_back(
            {"commit",
             "A commit takes " + whole(rates.commit_ms) +
                 " ms; see what else writes to that disk, or move data to a faster one"}
        );
    if (now.cpu_waiting > 2 * machine_.cpu_threads)
        found.push_back(
            {"cpu",
             std::to_string(now.cpu_waiting) + " wait for " + std::to_string(machine_.cpu_threads) +
                 " threads; cpu_threads gives them more"}
        );
    if (rates.cpu_percent > 90.0 * static_cast<double>(machine_.cores))
        found.push_back(
            {"machine", whole(rates.cpu_percent) + " % of " + std::to_string(machine_.cores) + " cores"}
        );
    if (rates.job_failures > some)
        found.push_back(
            {"jobs", std::to_string(rates.job_failures) + " in the last minute; dunlin jobs list names them"}
        );
    if (!found.empty() && !now.routes.empty() && now.routes.front().percent > most &&
        now.routes.front().requests > some) {
        const auto& route = now.routes.front();
        found.push_back(
            {"route",
             route.method + " " + route.path + ": " + whole(route.percent) + " %, " +
                 std::to_string(route.requests) + " requests of " + whole(route.mean_ms) + " ms"}
        );
    }
    return found;
}

insight::Vitals VitalsWatch::vitals(
    const Sample& sample, const std::vector<Meter::Cost>& costs, base::Time now
) const {
    insight::Vitals out;
    {
        const std::lock_guard lock(mutex_);
        if (!minute_.empty()) out.rates = rates(minute_.front(), counted(sample, now));
        out.hours.assign(hours_.begin(), hours_.end());
        out.routes = routes(costs);
    }
    out.version = sample.version;
    out.up_seconds = now.ms / 1000 - static_cast<std::int64_t>(sample.process.started_at);
    out.reads_waiting = static_cast<std::int64_t>(sample.database.reads_waiting);
    out.changes_waiting = static_cast<std::int64_t>(sample.database.writes_waiting);
    out.cpu_waiting = static_cast<std::int64_t>(sample.cpu_waiting);
    out.connections = static_cast<std::int64_t>(sample.network.connections_open);
    out.listeners = static_cast<std::int64_t>(sample.streams.websockets + sample.streams.event_streams);
    out.memory_bytes = static_cast<std::int64_t>(sample.process.resident_bytes);
    out.open_files = static_cast<std::int64_t>(sample.process.open_files);
    out.statements = first_of(sample.database.slow_statements);
    for (const auto& [name, time] : sample.database.longest_changes) {
        if (out.long_changes.size() == lines) break;
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
        out.long_changes.push_back({std::string(name), 0, ms});
    }
    if (sample.backup)
        out.backup = {
            time_of(sample.backup->base),
            time_of(sample.backup->log),
            time_of(sample.backup->verified),
            sample.backup->sound,
            sample.backup->away
        };
    out.free_for_data = bytes_of(sample.free_for_data);
    out.free_for_media = bytes_of(sample.free_for_media);
    if (sample.certificate) out.certificate_until = sample.certificate->until;
    out.slow_because = why_slow(out);
    return out;
}

}  // namespace server
