// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/federation/delivery/hosts.hpp"

namespace server {

namespace {

std::string shown(const std::optional<base::Time>& time) { return time ? base::to_string(*time) : ""; }

struct Retried {
    std::int64_t due = 0;
};
DESCRIBE(Retried, due)

}  // namespace

int list_hosts(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read(federation::hosts);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{
        {"HOST", "STATE", "WAITING", "FAILURES", "ON DAYS", "SIGNATURE", "DELIVERED", "FAILED"}
    };
    for (const auto& one : all)
        rows.push_back(
            {one.host,
             std::string(base::word(one.state)),
             std::to_string(one.waiting),
             std::to_string(one.failures),
             std::to_string(one.failure_days),
             std::string(base::word(one.signature)),
             shown(one.delivered_at),
             shown(one.failed_at)}
        );
    print_table(rows);
    return 0;
}

int list_queue(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read(federation::queue);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"HOST", "WAITING", "RETRYING", "NEXT", "LAST ERROR"}};
    for (const auto& one : all)
        rows.push_back(
            {one.host,
             std::to_string(one.waiting),
             std::to_string(one.retrying),
             base::to_string(one.next_at),
             one.error.value_or("")}
        );
    print_table(rows);
    return 0;
}

int retry_deliveries(const Settings& settings, const std::string& host) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto due = cli.write([&](db::Write& db) { return federation::retry_now(db, host); });
    if (settings.json) print_json(Retried{due});
    else print(std::to_string(due) + (due == 1 ? " delivery is due now" : " deliveries are due now"));
    return 0;
}

}  // namespace server
