// SPDX-License-Identifier: AGPL-3.0-or-later
// How the server does now, and why it is slow where it is: what `dunlin top` and the page of the team show. The running program
// answers (server/monitoring/vitals.hpp), as most of it is in its memory.
#pragma once
#include "base/describe.hpp"
#include "social/moderation/alerts/alert.hpp"

namespace insight {

using moderation::Trouble;

// What makes it slow, by its `kind`.
std::string_view sentence_of_slowness(std::string_view kind);

// Since the minute before.
struct Rates {
    double requests = 0, failed = 0, changes = 0, commits = 0, jobs = 0, deliveries = 0;  // a second
    double writer_percent = 0, readers_percent = 0,
           cpu_percent = 0;                      // of the time; of all readers; of one core
    double commit_ms = 0;                        // mean
    std::int64_t refused = 0, job_failures = 0;  // in all
};
DESCRIBE(
    Rates, requests, failed, changes, commits, jobs, deliveries, writer_percent, readers_percent, cpu_percent,
    commit_ms, refused, job_failures
)

// Of the last five to ten minutes.
struct RouteCost {
    std::string method, path;
    std::int64_t requests = 0, failed = 0;
    double mean_ms = 0, percent = 0;  // of the time that all requests took
};
DESCRIBE(RouteCost, method, path, requests, failed, mean_ms, percent)

// Since the start.
struct SlowOne {
    std::string name;
    std::int64_t times = 0, longest_ms = 0;
};
DESCRIBE(SlowOne, name, times, longest_ms)

struct NodeVitals {
    std::string name, host, roles, version;
    std::int64_t up_seconds = 0, late_ms = 0, waiting = 0, listeners = 0;
    bool leads = false;  // does the work by the clock
};
DESCRIBE(NodeVitals, name, host, roles, version, up_seconds, late_ms, waiting, listeners, leads)

struct BackupVitals {
    std::optional<base::Time> copied_at, reaches_to, verified_at;
    bool sound = true, away = false;
};
DESCRIBE(BackupVitals, copied_at, reaches_to, verified_at, sound, away)

struct Queues {
    std::int64_t jobs_waiting = 0, jobs_given_up = 0, jobs_late_seconds = 0, inbox_late_seconds = 0;
    std::int64_t deliveries_waiting = 0, deliveries_retrying = 0, pushes_waiting = 0;
    std::int64_t hosts_failing = 0, hosts_unavailable = 0;
};
DESCRIBE(
    Queues, jobs_waiting, jobs_given_up, jobs_late_seconds, inbox_late_seconds, deliveries_waiting,
    deliveries_retrying, pushes_waiting, hosts_failing, hosts_unavailable
)

// The busiest minute of an hour, and how many in all.
struct HourVitals {
    base::Time from;
    std::int64_t requests = 0, failed = 0;
    double writer_percent = 0, readers_percent = 0, cpu_percent = 0;
};
DESCRIBE(HourVitals, from, requests, failed, writer_percent, readers_percent, cpu_percent)

// Whom a rate limit refused lately, in words: @alice, an app of hers, an address.
struct RefusedOne {
    std::string limit, who;
    std::int64_t times = 0;
    base::Time first, last;
};
DESCRIBE(RefusedOne, limit, who, times, first, last)

struct Vitals {
    std::string node, host, version;
    std::int64_t up_seconds = 0;
    std::vector<Trouble> slow_because, troubles;
    Rates rates;
    std::int64_t reads_waiting = 0, changes_waiting = 0, cpu_waiting = 0;
    std::int64_t connections = 0, listeners = 0, memory_bytes = 0, open_files = 0;
    std::vector<RouteCost> routes;  // those that took most time
    std::vector<SlowOne> statements, long_changes;
    std::vector<HourVitals> hours;    // the latest first
    std::vector<RefusedOne> refused;  // by rate limits, the most often first
    std::optional<BackupVitals> backup;
    std::optional<std::int64_t> free_for_data, free_for_media, database_bytes;
    std::optional<base::Time> certificate_until;
    // What only the database knows; nothing when it could not be asked.
    std::optional<Queues> queues;
    std::vector<NodeVitals> nodes;
};
DESCRIBE(
    Vitals, node, host, version, up_seconds, slow_because, troubles, rates, reads_waiting, changes_waiting,
    cpu_waiting, connections, listeners, memory_bytes, open_files, routes, statements, long_changes, hours,
    refused, backup, free_for_data, free_for_media, database_bytes, certificate_until, queues, nodes
)

// The question of a page to the program that serves it.
struct LookAtServer {
    using Answer = Vitals;
    std::int64_t at = 0;  // so that it is asked anew
};
DESCRIBE(LookAtServer, at)

// What people are told where the program does less on purpose, or takes nothing new; empty: nothing.
struct LookAtPause {
    using Answer = std::string;
    std::int64_t at = 0;
};
DESCRIBE(LookAtPause, at)

// The same of the doctor: every part, which takes seconds.
struct Finding {
    std::string level, check, text;
};
DESCRIBE(Finding, level, check, text)
struct ExamineServer {
    using Answer = std::vector<Finding>;
    std::int64_t at = 0;
};
DESCRIBE(ExamineServer, at)

}  // namespace insight
