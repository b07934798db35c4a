// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/cli_context.hpp"
#include "social/insight/transparency.hpp"

#include <iostream>

namespace server {

namespace {

base::Time day(const std::string& text, base::Time otherwise) {
    if (text.empty()) return otherwise;
    auto time = base::parse_time(text);
    if (!time) throw Refused("\"" + text + "\" is no day; one is written 2026-12-24");
    return *time;
}

}  // namespace

int show_transparency(const Settings& settings, const TransparencyOrder& order) {
    auto config = settings.load().config;
    CliContext cli(config, CliContext::Missing::refuse);
    auto report = cli.read([&](db::Read& db) {
        auto to = day(order.to, db.now());
        auto from = day(order.from, to.plus_seconds(-29 * 86'400));
        if (from > to) throw Refused("The first day is after the last");
        return insight::transparency(db, insight::days_between(from, to));
    });
    if (settings.json) print_json(report);
    else if (order.form == "csv") std::cout << insight::csv(report);
    else std::cout << insight::markdown(report, site_of(config));
    return 0;
}

}  // namespace server
