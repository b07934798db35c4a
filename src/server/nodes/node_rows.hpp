// SPDX-License-Identifier: AGPL-3.0-or-later
// Who serves the site, as the table `nodes` has it.
#pragma once
#include "db/session.hpp"

namespace server {

// One that has not been seen for longer is gone.
constexpr std::int64_t node_gone_seconds = 30;

struct NodeRow {
    std::string name;  // chosen at its start
    std::string host, roles, version;
    base::Time started_at, seen_at;
    std::int64_t late_ms = 0;    // how long the last row waited to be written
    std::int64_t waiting = 0;    // reads and changes that waited for a connection
    std::int64_t listeners = 0;  // open streams
    std::int64_t jobs_done = 0;
};
DESCRIBE(NodeRow, name, host, roles, version, started_at, seen_at, late_ms, waiting, listeners, jobs_done)

void write_node(db::Write&, const NodeRow&);
void touch_node(db::Write&, const std::string& name);  // it is there
void remove_node(db::Write&, const std::string& name);
// Whether nodes are gone that may have leased rows (db/lock.hpp). A node that was not seen itself lately cannot tell: after the
// database was away, none was.
bool others_left_leases(db::Read&, const std::string& asking);
void free_leases_of_gone(db::Write&);                 // once of each, until it comes back
void free_leases(db::Write&, std::string_view node);  // "": of all
// Who does the work by the clock: of those who are there and work, who came first. Empty: nobody.
std::string leading_node(db::Read&);

std::vector<NodeRow> nodes(db::Read&);  // who is there, first come first
// For what a server must not serve meanwhile. Throws Refused: one does, or did half a minute ago and was killed.
void need_no_node(db::Read&);
// Who went without a word in the last half hour and has not been seen for two minutes; who went first comes first.
std::vector<NodeRow> gone_nodes(db::Read&);

// What the site has not come to yet.
struct Backlog {
    std::int64_t jobs_waiting = 0, jobs_late_seconds = 0, deliveries_waiting = 0;
};
DESCRIBE(Backlog, jobs_waiting, jobs_late_seconds, deliveries_waiting)
Backlog backlog(db::Read&);

}  // namespace server
