// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands that show a site's running servers.
#include "cli/arguments/command_line.hpp"

namespace server {

void add_nodes(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "nodes",
            "List the servers of this site, what each does and how far behind.",
            "dunlin nodes --json");
    add_options(all, a, false);
    add_json(all, a);
    on(all, a, [&a] { return list_nodes(a.settings); });
}

void add_top(CLI::App& app, Arguments& a) {
    auto shown =
        add(app,
            "top",
            "Show how the running server does and why it is slow, anew every two seconds until Ctrl-C.",
            "dunlin top");
    shown->add_flag("--once", a.once, "Show it once; so it is where nobody looks at a terminal.");
    shown->require_subcommand(0, 1);
    add_options(shown, a, false);
    add_json(shown, a);
    shown->callback([shown, &a] {
        if (shown->get_subcommands().empty()) a.run = [&a] { return top(a.settings, a.once); };
    });
    auto limits =
        add(*shown,
            "limits",
            "Show whom which rate limit refused since the server began, how often and when.",
            "dunlin top limits --json");
    add_options(limits, a, false);
    add_json(limits, a);
    on(limits, a, [&a] { return top_limits(a.settings); });
}

void add_tune(CLI::App& app, Arguments& a) {
    auto tuned =
        add(app,
            "tune",
            "Look at the machine and the running server and propose options for dunlin.toml, each with its "
            "reason; nothing is set.",
            "dunlin tune\n  dunlin tune --json");
    add_options(tuned, a, false);
    add_json(tuned, a);
    on(tuned, a, [&a] { return tune(a.settings); });
}

void add_certificate(CLI::App& app, Arguments& a) {
    auto shown = add(
        app,
        "certificate",
        "Show the certificate that the server has issued to itself, when it is renewed, and why it was not.",
        "dunlin certificate --json"
    );
    shown->require_subcommand(0, 1);
    add_options(shown, a, false);
    add_json(shown, a);
    shown->callback([shown, &a] {
        if (shown->get_subcommands().empty()) a.run = [&a] { return show_certificate(a.settings); };
    });
    auto renewed =
        add(*shown,
            "renew",
            "Have the running server get a new one now, for example after its key became known.",
            "dunlin certificate renew");
    add_options(renewed, a, false);
    add_json(renewed, a);
    on(renewed, a, [&a] { return renew_certificate(a.settings); });
}

void add_pauses(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "read-only",
            "Show whether changes are made, or have the running server make none; everything can be read.",
            "dunlin read-only on --reason \"We are moving and back at noon\"");
    all->require_subcommand(0, 1);
    add_options(all, a, false);
    add_json(all, a);
    all->callback([all, &a] {
        if (all->get_subcommands().empty()) a.run = [&a] { return show_read_only(a.settings); };
    });
    auto begun =
        add(*all,
            "on",
            "Refuse changes, and answer when none is under way any more; lasts until off, over restarts.",
            "dunlin read-only on");
    begun->add_option("--reason", a.other, "What people are told.")->type_name("TEXT");
    add_options(begun, a, false);
    add_json(begun, a);
    on(begun, a, [&a] { return set_read_only(a.settings, true, a.other); });
    auto ended = add(*all, "off", "Make changes again.", "dunlin read-only off");
    add_options(ended, a, false);
    add_json(ended, a);
    on(ended, a, [&a] { return set_read_only(a.settings, false, {}); });
}

void add_maintenance(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "maintenance",
            "Show whether everybody is let in, or let in nobody but the team; others are told to come again.",
            "dunlin maintenance on --message \"Back at noon\"");
    all->require_subcommand(0, 1);
    add_options(all, a, false);
    add_json(all, a);
    all->callback([all, &a] {
        if (all->get_subcommands().empty()) a.run = [&a] { return show_maintenance(a.settings); };
    });
    auto begun =
        add(*all, "on", "Let in the team alone; lasts until off, over restarts.", "dunlin maintenance on");
    begun->add_option("--message", a.other, "What everybody else is told.")->type_name("TEXT");
    add_options(begun, a, false);
    add_json(begun, a);
    on(begun, a, [&a] { return set_maintenance(a.settings, true, a.other); });
    auto ended = add(*all, "off", "Let everybody in again.", "dunlin maintenance off");
    add_options(ended, a, false);
    add_json(ended, a);
    on(ended, a, [&a] { return set_maintenance(a.settings, false, {}); });
}

void add_jobs(CLI::App& app, Arguments& a) {
    auto all =
        add(app, "jobs", "Look at background work that waits, fails or was given up.", "dunlin jobs list");
    all->require_subcommand(1);
    auto list = add(*all, "list", "Count what waits, and list what was given up.", "dunlin jobs list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_jobs(a.settings); });
    auto retried = add(
        *all, "retry", "Try a job again, or all that were given up.", "dunlin jobs retry 115811234611200021"
    );
    retried->add_option("number", a.name, "As the list shows it; left out, all that were given up.")
        ->type_name("NUMBER");
    add_options(retried, a, false);
    add_json(retried, a);
    on(retried, a, [&a] { return retry_jobs(a.settings, a.name); });
    auto dropped = add(*all, "drop", "Never do a job.", "dunlin jobs drop 115811234611200021");
    dropped->add_option("number", a.name, "As the list shows it.")->required()->type_name("NUMBER");
    add_options(dropped, a, false);
    add_json(dropped, a);
    on(dropped, a, [&a] { return drop_job(a.settings, a.name); });
}

}  // namespace server
