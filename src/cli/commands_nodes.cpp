// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "server/nodes/node_rows.hpp"

namespace server {

namespace {

struct Listed {
    std::vector<NodeRow> nodes;
    std::string leads;  // the name of the node that does periodic work
    Backlog backlog;
};
DESCRIBE(Listed, nodes, leads, backlog)

std::string span_of(std::int64_t ms) {
    const auto seconds = std::max<std::int64_t>(ms, 0) / 1000;
    if (seconds < 120) return std::to_string(seconds) + " s";
    if (seconds < 7200) return std::to_string(seconds / 60) + " min";
    return std::to_string(seconds / 3600) + " h";
}

}  // namespace

int list_nodes(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    base::Time now;
    auto listed = cli.read([&](db::Read& db) {
        now = db.now();
        return Listed{nodes(db), leading_node(db), backlog(db)};
    });
    if (settings.json) return print_json(listed), 0;
    if (listed.nodes.empty()) return print("No server is running."), 0;
    std::vector<std::vector<std::string>> rows{
        {"NODE", "HOST", "ROLES", "VERSION", "UP", "SEEN", "LISTENERS", "WAITING", "LATE"}
    };
    for (const auto& one : listed.nodes)
        rows.push_back(
            {one.name.substr(0, 8) + (one.name == listed.leads ? " *" : ""),
             one.host,
             one.roles,
             one.version,
             span_of(now.ms - one.started_at.ms),
             span_of(now.ms - one.seen_at.ms),
             std::to_string(one.listeners),
             std::to_string(one.waiting),
             std::to_string(one.late_ms) + " ms"}
        );
    print_table(rows);
    print(
        "Jobs that are due: " + std::to_string(listed.backlog.jobs_waiting) + ", the first for " +
        span_of(listed.backlog.jobs_late_seconds * 1000) + "; deliveries that wait: " +
        std::to_string(listed.backlog.deliveries_waiting) + ". * does the work by the clock."
    );
    return 0;
}

}  // namespace server
