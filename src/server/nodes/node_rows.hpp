// SPDX-License-Identifier: AGPL-3.0-or-later
// The nodes that serve the site, from the table `nodes`.
#pragma once
#include "db/session.hpp"

namespace server {

// A node not seen for longer is considered gone.
constexpr std::int64_t node_gone_seconds = 30;

struct NodeRow {
    std::string name;  // chosen at startup
    std::string host, roles, version;
    base::Time started_at, seen_at;
    std::int64_t late_ms = 0;    // how late the last update of the row was
    std::int64_t waiting = 0;    // reads and changes waiting for a connection
    std::int64_t listeners = 0;  // open streams
    std::int64_t jobs_done = 0;
};
DESCRIBE(NodeRow, name, host, roles, version, started_at, seen_at, late_ms, waiting, listeners, jobs_done)

void write_node(db::Write&, const NodeRow&);
void touch_node(db::Write&, const std::string& name);  // updates when it was seen
void remove_node(db::Write&, const std::string& name);
// Whether nodes that are gone may still hold leases (db/lock.hpp). A node that was not seen itself recently
// cannot tell: after a database outage, none were.
bool others_left_leases(db::Read&, const std::string& asking);
void free_leases_of_gone(db::Write&);                 // once for each node, until it comes back
void free_leases(db::Write&, std::string_view node);  // "": of all nodes
// The node that does periodic work: of the live ones that run jobs, the one that started first. Empty: none.
std::string leading_node(db::Read&);

std::vector<NodeRow> nodes(db::Read&);  // live nodes, in order of start
// For operations during which no server may run. Throws Refused if one does, or did until half a minute ago
// and was killed.
void need_no_node(db::Read&);
// Nodes that disappeared without signing off in the last half hour and have not been seen for two minutes, in
// order of disappearance.
std::vector<NodeRow> gone_nodes(db::Read&);

// Work of the site that is waiting.
struct Backlog {
    std::int64_t jobs_waiting = 0, jobs_late_seconds = 0, deliveries_waiting = 0;
};
DESCRIBE(Backlog, jobs_waiting, jobs_late_seconds, deliveries_waiting)
Backlog backlog(db::Read&);

}  // namespace server
