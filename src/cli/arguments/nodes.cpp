// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of what looks at the running servers of a site.
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

}  // namespace server
