// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands that label accounts, posts and servers.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_name(CLI::App* command, Arguments& a) {
    command->add_option("name", a.label.name, "Its name, as `dunlin label list` shows it.")
        ->required()
        ->type_name("NAME");
}

void add_what_it_says(CLI::App* command, Arguments& a) {
    command->add_option("--text", a.label.title, "What people read; the name if it is left out.")
        ->type_name("TEXT");
    command
        ->add_option(
            "--effect",
            a.label.effect,
            "What becomes of posts that bear it, for who has not chosen otherwise: none, warn or hide."
        )
        ->check(CLI::IsMember({"none", "warn", "hide"}))
        ->type_name("EFFECT");
}

void add_bearer(CLI::App* command, Arguments& a) {
    command->add_option("--account", a.label.account, "An account that is known here.")->type_name("ACCT");
    command->add_option("--post", a.label.post, "The number of a post.")->type_name("NUMBER");
    command->add_option("--server", a.label.server, "Another server, with all below its domain.")
        ->type_name("DOMAIN");
}

void end(CLI::App* command, Arguments& a, int (*run)(const Settings&, const LabelOrder&)) {
    add_options(command, a, false);
    add_json(command, a);
    on(command, a, [&a, run] { return run(a.settings, a.label); });
}

}  // namespace

void add_labels(CLI::App& app, Arguments& a) {
    auto all =
        add(app, "label", "Label accounts, posts and servers.", "dunlin label put satire --account joker");
    all->require_subcommand(1);
    auto list = add(*all, "list", "List all labels.", "dunlin label list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_labels(a.settings); });

    auto create =
        add(*all,
            "create",
            "Make a label.",
            "dunlin label create satire --text \"This is meant as a joke\" --effect warn");
    add_name(create, a);
    add_what_it_says(create, a);
    end(create, a, create_label);

    auto change =
        add(*all, "change", "Change what a label says or does.", "dunlin label change satire --effect none");
    add_name(change, a);
    add_what_it_says(change, a);
    end(change, a, change_label);

    auto remove =
        add(*all,
            "delete",
            "Delete a label, and take it off all that bears it.",
            "dunlin label delete satire --yes");
    add_name(remove, a);
    remove->add_flag("--yes", a.label.sure, "Without a question.");
    end(remove, a, delete_label);

    auto put =
        add(*all, "put", "Put a label on something.", "dunlin label put satire --account joker@far.example");
    add_name(put, a);
    add_bearer(put, a);
    end(put, a, put_label);

    auto take = add(*all, "take", "Take a label off.", "dunlin label take satire --server far.example");
    add_name(take, a);
    add_bearer(take, a);
    end(take, a, take_label);
}

}  // namespace server
