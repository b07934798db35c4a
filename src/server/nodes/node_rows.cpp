// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/nodes/node_rows.hpp"

#include "config/config.hpp"
#include "jobs/runner.hpp"
#include "social/federation/delivery/hosts.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/inbox/inbox_item.hpp"
#include "social/federation/inbox/unverified.hpp"
#include "social/media/processing.hpp"
#include "social/push/queue.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/post_import.hpp"

#include <algorithm>

namespace server {

const db::Command put_node{
    "put_node",
    R"(INSERT INTO nodes (name, host, roles, version, started_at, seen_at, late_ms, waiting, listeners, jobs_done)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at,
           late_ms = excluded.late_ms, waiting = excluded.waiting, listeners = excluded.listeners,
           jobs_done = excluded.jobs_done, leases_freed = FALSE)"
};
const db::Command forget_old_nodes{"forget_old_nodes", "DELETE FROM nodes WHERE seen_at < $1"};

void write_node(db::Write& db, const NodeRow& row) {
    db.run(
        put_node,
        row.name,
        row.host,
        row.roles,
        row.version,
        row.started_at,
        db.now(),
        row.late_ms,
        row.waiting,
        row.listeners,
        row.jobs_done
    );
    db.run(forget_old_nodes, db.now().plus_seconds(-60 * node_gone_seconds));
}

const db::Command see_node{"see_node", "UPDATE nodes SET seen_at = $2 WHERE name = $1"};

void touch_node(db::Write& db, const std::string& name) { db.run(see_node, name, db.now()); }

const db::Command delete_node{"delete_node", "DELETE FROM nodes WHERE name = $1"};

void remove_node(db::Write& db, const std::string& name) { db.run(delete_node, name); }

const db::Query<std::string> first_that_works{
    "first_that_works",
    "SELECT name FROM nodes WHERE seen_at > $1 AND roles LIKE '%jobs%' ORDER BY started_at, name LIMIT 1"
};

std::string leading_node(db::Read& db) {
    return db.maybe(first_that_works, db.now().plus_seconds(-node_gone_seconds)).value_or("");
}

const db::Query<bool> is_seen_lately{
    "is_seen_lately", "SELECT EXISTS (SELECT 1 FROM nodes WHERE name = $1 AND seen_at > $2)"
};
const db::Query<std::string> gone_with_leases{
    "gone_with_leases", "SELECT name FROM nodes WHERE seen_at <= $1 AND leases_freed = FALSE"
};
const db::Query<std::string> note_leases_freed{
    "note_leases_freed",
    "UPDATE nodes SET leases_freed = TRUE WHERE seen_at <= $1 AND leases_freed = FALSE RETURNING name"
};

bool others_left_leases(db::Read& db, const std::string& asking) {
    return db.one(is_seen_lately, asking, db.now().plus_seconds(-node_gone_seconds)) &&
           !db.all(gone_with_leases, db.now().plus_seconds(-node_gone_seconds)).empty();
}

void free_leases_of_gone(db::Write& db) {
    for (const auto& node : db.all(note_leases_freed, db.now().plus_seconds(-node_gone_seconds)))
        free_leases(db, node);
}

void free_leases(db::Write& db, std::string_view node) {
    jobs::release_leases(db, node);
    federation::release_items(db, node);
    federation::release_unverified(db, node);
    federation::release_hosts(db, node);
    push::release_messages(db, node);
    media::release_tasks(db, node);
    transfer::release_archives(db, node);
    transfer::release_post_imports(db, node);
}

#define NODES                                                                                              \
    "SELECT name, host, roles, version, started_at, seen_at, late_ms, waiting, listeners, jobs_done FROM " \
    "nodes "
const db::Query<NodeRow> all_nodes{"all_nodes", NODES "WHERE seen_at > $1 ORDER BY started_at, name"};
const db::Query<NodeRow> silent_nodes{"silent_nodes", NODES "WHERE seen_at <= $1 ORDER BY seen_at, name"};

std::vector<NodeRow> nodes(db::Read& db) {
    return db.all(all_nodes, db.now().plus_seconds(-node_gone_seconds));
}

std::vector<NodeRow> gone_nodes(db::Read& db) {
    return db.all(silent_nodes, db.now().plus_seconds(-4 * node_gone_seconds));
}

void need_no_node(db::Read& db) {
    if (nodes(db).empty()) return;
    throw Refused(
        "A server runs with this database; stop it (dunlin nodes), or wait half a minute after it was killed"
    );
}

const db::Query<std::int64_t> due_jobs{
    "due_jobs", "SELECT CAST(COUNT(*) AS BIGINT) FROM jobs WHERE run_at <= $1"
};
const db::Query<base::Time> first_due_job{
    "first_due_job", "SELECT run_at FROM jobs WHERE run_at <= $1 ORDER BY run_at LIMIT 1"
};

Backlog backlog(db::Read& db) {
    Backlog out;
    out.jobs_waiting = db.one(due_jobs, db.now());
    if (const auto first = db.maybe(first_due_job, db.now()))
        out.jobs_late_seconds = (db.now().ms - first->ms) / 1000;
    out.deliveries_waiting = federation::queue_figures(db).waiting;
    return out;
}

}  // namespace server
