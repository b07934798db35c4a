// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the setup dialogue.
#include "cli/arguments/command_line.hpp"

namespace server {

void add_setup(CLI::App& app, Arguments& a) {
    auto setup = add(
        app,
        "setup",
        "Ask what a new server needs to know, try each answer and write dunlin.toml; without a terminal all "
        "answers "
        "are options.",
        "dunlin setup --data /var/lib/dunlin --file /etc/dunlin/dunlin.toml\n"
        "  dunlin setup --public-url https://social.example.org --tls proxy --registrations approval --json"
    );
    auto& order = a.setup;
    setup
        ->add_option(
            "--file", order.file, "What to write; otherwise --config, or dunlin.toml in the data folder."
        )
        ->type_name("FILE");
    setup->add_option("--tls", order.tls, "Who does HTTPS: self or proxy.")
        ->check(CLI::IsMember({"self", "proxy"}))
        ->type_name("WORD");
    setup->add_flag("--yes", order.sure, "Write a file anew that is there already; a copy of it is kept.");
    add_options(setup, a, false);
    add_json(setup, a);
    on(setup, a, [&a] { return server::setup(a.settings, a.setup); });
}

}  // namespace server
