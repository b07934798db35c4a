// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/delivery/hosts.hpp"

namespace federation {

const db::Query<HostLine> all_hosts{
    "all_hosts",
    R"(SELECT authority AS host,
           CASE WHEN unavailable_since IS NOT NULL THEN 'unavailable' WHEN paused_until > $1 THEN 'paused'
                WHEN failures > 0 THEN 'failing' ELSE 'well' END AS state,
           signature_scheme AS signature, (SELECT count(*) FROM deliveries d WHERE d.host = authority) AS waiting, failures,
           failure_days, delivered_at, failed_at, unavailable_since
       FROM hosts ORDER BY authority)"
};

std::vector<HostLine> hosts(db::Read& db) { return db.all(all_hosts, db.now()); }

const db::Query<QueueLine> queue_by_host{
    "queue_by_host",
    R"(SELECT host, SUM(CASE WHEN attempts = 0 THEN 1 ELSE 0 END) AS waiting,
           SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS retrying, MIN(run_at) AS next_at, MAX(error) AS error
       FROM deliveries GROUP BY host ORDER BY count(*) DESC, host)"
};

std::vector<QueueLine> queue(db::Read& db) { return db.all(queue_by_host); }

const db::Query<QueueFigures> figures_of_queue{
    "figures_of_queue",
    R"(SELECT COALESCE(SUM(CASE WHEN attempts = 0 THEN 1 ELSE 0 END), 0) AS waiting,
           COALESCE(SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END), 0) AS retrying,
           (SELECT count(*) FROM hosts WHERE failures > 0 AND unavailable_since IS NULL) AS hosts_failing,
           (SELECT count(*) FROM hosts WHERE unavailable_since IS NOT NULL) AS hosts_unavailable
       FROM deliveries)"
};

QueueFigures queue_figures(db::Read& db) { return db.one(figures_of_queue); }

#define FORGIVEN \
    "UPDATE hosts SET failures = 0, failure_days = 0, unavailable_since = NULL, paused_until = 0, "
const db::Command forgive_host{
    "forgive_host",
    FORGIVEN "next_at = CASE WHEN next_at IS NULL THEN NULL ELSE CAST($2 AS BIGINT) END WHERE authority = $1"
};
const db::Command forgive_all_hosts{
    "forgive_all_hosts", FORGIVEN "next_at = CASE WHEN next_at IS NULL THEN NULL ELSE CAST($1 AS BIGINT) END"
};
const db::Command hasten_deliveries_to{
    "hasten_deliveries_to", "UPDATE deliveries SET run_at = $2 WHERE host = $1"
};
const db::Command hasten_all_deliveries{"hasten_all_deliveries", "UPDATE deliveries SET run_at = $1"};

std::int64_t retry_now(db::Write& db, const std::string& host) {
    std::int64_t due = 0;
    if (host.empty()) {
        db.run(forgive_all_hosts, db.now());
        due = db.run(hasten_all_deliveries, db.now());
    } else {
        db.run(forgive_host, host, db.now());
        due = db.run(hasten_deliveries_to, host, db.now());
    }
    if (due > 0) db.announce({std::string(delivery_channel), {}, {}});
    return due;
}

}  // namespace federation
