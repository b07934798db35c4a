// SPDX-License-Identifier: AGPL-3.0-or-later
// A sample as families of metrics.
#include "server/monitoring/metrics.hpp"

#include <prometheus/metric_family.h>

#include <limits>
#include <map>

namespace server {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

struct Simple {
    const char* name;
    const char* help;
    MetricType type;
    double value;
};

template <class N>
double real(N n) {
    return static_cast<double>(n);
}

double seconds(std::chrono::microseconds us) { return std::chrono::duration<double>(us).count(); }

void add(std::vector<MetricFamily>& page, const Simple& simple) {
    ClientMetric metric;
    if (simple.type == MetricType::Counter) metric.counter.value = simple.value;
    else metric.gauge.value = simple.value;
    page.push_back({simple.name, simple.help, simple.type, {metric}});
}

// Stats::groups as a histogram: commits of 1, 2-3, 4-7 … changes.
void add_groups(std::vector<MetricFamily>& page, const db::Stats& stats) {
    ClientMetric metric;
    double most = 1;
    for (auto commits : stats.groups) {
        metric.histogram.sample_count += commits;
        bool last = metric.histogram.bucket.size() + 1 == stats.groups.size();
        auto bound = last ? std::numeric_limits<double>::infinity() : most * 2 - 1;
        metric.histogram.bucket.push_back({metric.histogram.sample_count, bound});
        most *= 2;
    }
    metric.histogram.sample_sum = real(stats.changes);
    page.push_back(
        {"dunlin_commit_changes", "Changes that went into one commit.", MetricType::Histogram, {metric}}
    );
}

// What has held the writer for long since the start.
void add_longest(std::vector<MetricFamily>& page, const db::Stats& stats) {
    MetricFamily family{
        "dunlin_change_longest_seconds",
        "The longest that each change held the writer.",
        MetricType::Gauge,
        {}
    };
    for (const auto& [name, time] : stats.longest_changes) {
        ClientMetric metric;
        metric.label.push_back({"change", std::string(name)});
        metric.gauge.value = seconds(time);
        family.metric.push_back(std::move(metric));
    }
    if (!family.metric.empty()) page.push_back(std::move(family));
}

void add_backup(std::vector<MetricFamily>& page, const Sample& now) {
    if (!now.backup) return;
    auto time = [](std::int64_t ms) { return static_cast<double>(ms) / 1000; };
    const auto gauge = MetricType::Gauge;
    const Simple simples[] = {
        {"dunlin_backup_base_timestamp_seconds",
         "When the last whole copy was made.",
         gauge,
         time(now.backup->base)},
        {"dunlin_backup_every_seconds", "Time between two whole copies.", gauge, time(now.backup->every)},
        {"dunlin_backup_log_timestamp_seconds",
         "Up to when the backup follows SQLite's log.",
         gauge,
         time(now.backup->log)},
        {"dunlin_backup_verified_timestamp_seconds",
         "When the backup was last verified.",
         gauge,
         time(now.backup->verified)},
        {"dunlin_backup_sound", "Whether it was sound then.", gauge, now.backup->sound ? 1.0 : 0.0},
        {"dunlin_backup_away", "Whether its folder cannot be written.", gauge, now.backup->away ? 1.0 : 0.0},
    };
    for (const auto& simple : simples) add(page, simple);
}

// Names that Prometheus gives what every program has.
void add_process(std::vector<MetricFamily>& page, const Sample& now) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"process_cpu_seconds_total", "CPU time of this process.", counter, now.process.cpu_seconds},
        {"process_start_time_seconds", "When it was started.", gauge, now.process.started_at},
        {"process_resident_memory_bytes", "Memory that it has.", gauge, real(now.process.resident_bytes)},
        {"process_open_fds", "Files and sockets that it has open.", gauge, real(now.process.open_files)},
        {"process_max_fds", "How many it may have open.", gauge, real(now.process.open_files_at_most)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);

    ClientMetric build;
    build.label.push_back({"version", now.version});
    build.gauge.value = 1;
    page.push_back({"dunlin_build_info", "Always 1; the label says which version runs.", gauge, {build}});

    MetricFamily room{"dunlin_disk_free_bytes", "Room that is left where it writes.", gauge, {}};
    for (const auto& [folder, bytes] :
         {std::pair("data", now.free_for_data), {"media", now.free_for_media}}) {
        if (!bytes) continue;
        ClientMetric metric;
        metric.label.push_back({"folder", folder});
        metric.gauge.value = real(*bytes);
        room.metric.push_back(std::move(metric));
    }
    if (!room.metric.empty()) page.push_back(std::move(room));
    if (!now.certificate) return;
    const auto seconds = [](base::Time at) { return static_cast<double>(at.ms) / 1000; };
    add(page,
        {"dunlin_certificate_start_timestamp_seconds",
         "Since when the certificate of this server is good.",
         gauge,
         seconds(now.certificate->from)});
    add(page,
        {"dunlin_certificate_expiry_timestamp_seconds",
         "Until when the certificate of this server is good.",
         gauge,
         seconds(now.certificate->until)});
}

void add_bucket(std::vector<MetricFamily>& page, const Sample& now) {
    if (!now.bucket) return;
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    const auto& s3 = now.bucket->client;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_s3_requests_total", "What the bucket of media was asked, each try for itself.", counter, real(s3.requests)},
        {"dunlin_s3_failures_total", "Of those, what was refused, failed or was not answered.", counter, real(s3.failures)},
        {"dunlin_s3_retries_total", "What was asked once more.", counter, real(s3.retries)},
        {"dunlin_s3_seconds_total", "Time that the bucket took to answer.", counter, seconds(s3.took)},
        {"dunlin_s3_sent_bytes_total", "Bytes of files that were put there.", counter, real(s3.sent)},
        {"dunlin_s3_received_bytes_total", "Bytes of files that were read there.", counter, real(s3.received)},
        {"dunlin_media_cache_bytes", "Copies here of what is in the bucket.", gauge, real(now.bucket->cached)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_replica(std::vector<MetricFamily>& page, const db::Stats& stats) {
    if (!stats.replica) return;
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    const auto& replica = *stats.replica;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_replica_serves", "Whether the replica serves reads; 0: the primary serves all.", gauge, replica.serves ? 1.0 : 0.0},
        {"dunlin_replica_late_seconds", "For how long the primary has had what the replica has not.", gauge, seconds(replica.late)},
        {"dunlin_replica_behind_bytes", "Bytes of the log of changes that the replica has not got yet.", gauge, real(replica.bytes_behind)},
        {"dunlin_replica_reads_total", "Reads that the replica served.", counter, real(replica.reads)},
        {"dunlin_replica_not_yet_total", "Reads that the primary served because the replica had not got yet what they had to see.", counter, real(replica.not_yet)},
        {"dunlin_replica_left_out_total", "How often the replica was left out: it was silent, away or too late.", counter, real(replica.left_out)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_requests(std::vector<MetricFamily>& page, const net::Counters& net) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_connections_open", "Connections that are open.", gauge, real(net.connections_open)},
        {"dunlin_connections_accepted_total", "Connections that were accepted.", counter, real(net.connections_accepted)},
        {"dunlin_connections_refused_total", "Connections refused because too many were open.", counter, real(net.connections_refused)},
        {"dunlin_http_requests_total", "Requests of any kind, files and unknown paths too.", counter, real(net.requests)},
        {"dunlin_http_received_bytes_total", "Bytes of request bodies.", counter, real(net.bytes_in)},
        {"dunlin_http_sent_bytes_total", "Bytes of answers.", counter, real(net.bytes_out)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_database(std::vector<MetricFamily>& page, const db::Stats& db) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_reads_waiting", "Reads that wait for a reader.", gauge, real(db.reads_waiting)},
        {"dunlin_reads_total", "Reads that were run.", counter, real(db.reads)},
        {"dunlin_reads_refused_total", "Reads refused because the queue was full.", counter, real(db.reads_refused)},
        {"dunlin_read_seconds_total", "Time that readers were busy.", counter, seconds(db.reading)},
        {"dunlin_changes_waiting", "Changes that wait for the writer.", gauge, real(db.writes_waiting)},
        {"dunlin_changes_total", "Changes that were run.", counter, real(db.changes)},
        {"dunlin_changes_failed_total", "Changes that were undone.", counter, real(db.changes_failed)},
        {"dunlin_changes_refused_total", "Changes refused because the queue was full.", counter, real(db.changes_refused)},
        {"dunlin_changes_slow_total", "Changes that held the writer for long.", counter, real(db.changes_slow)},
        {"dunlin_write_seconds_total", "Time that writers were busy.", counter, seconds(db.writing)},
        {"dunlin_commit_longest_seconds", "The longest commit of a group of changes (SQLite).", gauge, seconds(db.longest_commit)},
        {"dunlin_commits_failed_total", "Commits that failed.", counter, real(db.commits_failed)},
        {"dunlin_transaction_retries_total", "Changes run again (PostgreSQL).", counter, real(db.retries)},
        {"dunlin_changes_alone_total", "Changes beside which no other ran on any node (PostgreSQL).", counter, real(db.alone)},
        {"dunlin_statements_slow_total", "Statements that took long.", counter, real(db.statements_slow)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_work(std::vector<MetricFamily>& page, const Sample& now) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_cpu_waiting", "Passwords and images that wait for a thread.", gauge, real(now.cpu_waiting)},
        {"dunlin_jobs_done_total", "Jobs that were done here.", counter, real(now.jobs_done)},
        {"dunlin_periodic_runs_total", "Runs of work by the clock, which one node of a site does.", counter, real(now.periodic_runs)},
        {"dunlin_job_failures_total", "Runs of jobs that failed.", counter, real(now.job_failures)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_streams(std::vector<MetricFamily>& page, const Sample& now) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_websockets_open", "WebSockets that are open.", gauge, real(now.streams.websockets)},
        {"dunlin_event_streams_open", "Event streams that are open.", gauge, real(now.streams.event_streams)},
        {"dunlin_stream_subscriptions", "Streams that somebody listens to, each as often as somebody does.", gauge, real(now.streams.subscriptions)},
        {"dunlin_stream_events_total", "Events that streams were asked to tell.", counter, real(now.streams.events)},
        {"dunlin_stream_events_dropped_total", "Events that were not told because too many waited.", counter, real(now.streams.dropped)},
        {"dunlin_stream_messages_total", "Messages to listeners.", counter, real(now.streams.messages)},
        {"dunlin_streams_overrun_total", "Streams ended because their readers were too slow.", counter, real(now.network.streams_overrun)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_sent(std::vector<MetricFamily>& page, const Sample& now) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_deliveries_under_way", "Deliveries that wait for the answer of another server.", gauge, real(now.deliveries.under_way)},
        {"dunlin_deliveries_done_total", "Deliveries that were taken.", counter, real(now.deliveries.delivered)},
        {"dunlin_deliveries_refused_total", "Deliveries that were refused for good.", counter, real(now.deliveries.refused)},
        {"dunlin_deliveries_failed_total", "Tries of deliveries that failed.", counter, real(now.deliveries.failed)},
        {"dunlin_pushes_under_way", "Push messages that wait for the answer of a push service.", gauge, real(now.pushes.under_way)},
        {"dunlin_pushes_sent_total", "Push messages that were taken.", counter, real(now.pushes.sent)},
        {"dunlin_pushes_failed_total", "Tries of push messages that failed.", counter, real(now.pushes.failed)},
        {"dunlin_push_subscriptions_ended_total", "Push subscriptions that their service refused for good.", counter, real(now.pushes.gone)},
        {"dunlin_mails_sent_total", "Mails that a mail server took.", counter, real(now.mails_sent)},
        {"dunlin_mails_failed_total", "Tries to send a mail that failed, be it for good.", counter, real(now.mails_failed)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

void add_nodes(std::vector<MetricFamily>& page, const Sample& now) {
    const auto counter = MetricType::Counter, gauge = MetricType::Gauge;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_nodes_heard", "Other nodes of this site that were heard of in the last half minute.", gauge, real(now.nodes.others)},
        {"dunlin_nodes_connected", "Whether there is a way to hear other nodes.", gauge, now.nodes.connected ? 1.0 : 0.0},
        {"dunlin_node_messages_sent_total", "What other nodes were told.", counter, real(now.nodes.said)},
        {"dunlin_node_messages_received_total", "What other nodes have told.", counter, real(now.nodes.heard)},
        {"dunlin_node_messages_missed_total", "How often something may have been missed of what other nodes told.", counter, real(now.nodes.missed)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
}

// Of each name that of several which has farthest to go. What was given up is told among jobs.
void add_builds(std::vector<MetricFamily>& page, const std::vector<Build>& builds) {
    std::map<std::string_view, const Build*> slowest;
    for (const auto& build : builds) {
        if (build.given_up) continue;
        const auto place = slowest.try_emplace(build.name, &build).first;
        if (build.done < place->second->done) place->second = &build;
    }
    MetricFamily family{
        "dunlin_build_done_ratio",
        "How much of what is built beside the server is done.",
        MetricType::Gauge,
        {}
    };
    for (const auto& [name, build] : slowest) {
        ClientMetric metric;
        metric.label.push_back({"build", std::string(name)});
        metric.gauge.value = build->done;
        family.metric.push_back(std::move(metric));
    }
    if (!family.metric.empty()) page.push_back(std::move(family));
}

void add_stored(std::vector<MetricFamily>& page, const Sample::Stored& stored) {
    const auto gauge = MetricType::Gauge;
    const auto& queue = stored.queue;
    // clang-format off
    const Simple simples[] = {
        {"dunlin_jobs_waiting", "Jobs that are due or will be tried again.", gauge, real(stored.jobs_waiting)},
        {"dunlin_jobs_given_up", "Jobs that failed too often.", gauge, real(stored.jobs_given_up)},
        {"dunlin_deliveries_waiting", "Deliveries not tried yet.", gauge, real(queue.waiting)},
        {"dunlin_deliveries_retrying", "Deliveries that will be tried again.", gauge, real(queue.retrying)},
        {"dunlin_hosts_failing", "Hosts that did not take the last delivery.", gauge, real(queue.hosts_failing)},
        {"dunlin_hosts_unavailable", "Hosts that are sent nothing, because they failed for days.", gauge, real(queue.hosts_unavailable)},
        {"dunlin_pushes_waiting", "Push messages that are not sent yet or will be tried again.", gauge, real(stored.pushes_waiting)},
        {"dunlin_jobs_late_seconds", "For how long the oldest job has been due.", gauge, stored.jobs_late},
        {"dunlin_inbox_late_seconds", "For how long the oldest activity of another server has been due.", gauge, stored.inbox_late},
        {"dunlin_database_bytes", "Size of the database.", gauge, real(stored.bytes)},
    };
    // clang-format on
    for (const auto& simple : simples) add(page, simple);
    add_builds(page, stored.builds);
}

}  // namespace

void add_families(std::vector<MetricFamily>& page, const Sample& now) {
    add_requests(page, now.network);
    add_database(page, now.database);
    add_work(page, now);
    add_streams(page, now);
    add_sent(page, now);
    add_nodes(page, now);
    add_groups(page, now.database);
    add_longest(page, now.database);
    add_replica(page, now.database);
    add_backup(page, now);
    add_bucket(page, now);
    add_process(page, now);
    if (now.stored) add_stored(page, *now.stored);
}

}  // namespace server
