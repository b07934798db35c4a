// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands for lists of servers.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_file(CLI::App* command, Arguments& a) {
    command
        ->add_option(
            "file", a.list.file, "CSV as Mastodon has it, one domain a line, or JSON; - for what is piped in."
        )
        ->required()
        ->type_name("FILE");
    command
        ->add_option(
            "--severity", a.list.severity, "Where a line says none: suspend (the default), silence or noop."
        )
        ->check(CLI::IsMember({"silence", "suspend", "noop"}))
        ->type_name("S");
    add_options(command, a, false);
    add_json(command, a);
}

void add_number(CLI::App* command, Arguments& a, bool required) {
    auto* id = command->add_option("id", a.list.id, "As `dunlin list show` shows it.")->type_name("ID");
    if (required) id->required();
    add_options(command, a, false);
    add_json(command, a);
}

void add_dry_run(CLI::App* command, Arguments& a) {
    command->add_flag("--dry-run", a.list.dry_run, "Change nothing, only tell what would be done.");
}

}  // namespace

void add_server_lists(CLI::App& app, Arguments& a) {
    auto all =
        add(app, "list", "Apply whole lists of servers that others block.", "dunlin list preview blocks.csv");
    all->require_subcommand(1);
    auto preview = add(*all, "preview", "Tell what a list would do.", "dunlin list preview blocks.csv");
    add_file(preview, a);
    on(preview, a, [&a] { return preview_list(a.settings, a.list); });
    auto apply =
        add(*all,
            "apply",
            "Apply a list. What was decided here before stays.",
            "dunlin list apply blocks.csv --name \"Their list\"");
    add_file(apply, a);
    apply->add_option("--name", a.list.name, "What people who lose follows are told; otherwise the file.")
        ->type_name("NAME");
    add_dry_run(apply, a);
    on(apply, a, [&a] { return apply_list(a.settings, a.list); });
    auto undo =
        add(*all,
            "undo",
            "Take a list back, for 30 days: posts are shown again, follows of people here asked for again.",
            "dunlin list undo 115200000000000001");
    add_number(undo, a, true);
    add_dry_run(undo, a);
    on(undo, a, [&a] { return undo_list(a.settings, a.list); });
    auto show = add(*all, "show", "Show the lists that were applied, or one.", "dunlin list show");
    add_number(show, a, false);
    on(show, a, [&a] { return show_lists(a.settings, a.list); });
    auto out =
        add(*all,
            "export",
            "Write all rules about servers, or those of one list, as CSV.",
            "dunlin list export > domain_blocks.csv");
    add_number(out, a, false);
    on(out, a, [&a] { return export_list(a.settings, a.list); });
    auto except =
        add(*all,
            "except",
            "Let no list decide about a domain and those below it; without one, show those.",
            "dunlin list except friends.example --comment \"We know them.\"");
    except->add_option("domain", a.list.domain, "Without port.")->type_name("DOMAIN");
    except->add_option("--comment", a.list.name, "Why, for moderators.")->type_name("TEXT");
    except->add_flag("--remove", a.list.remove, "Except it no longer.");
    add_options(except, a, false);
    add_json(except, a);
    on(except, a, [&a] { return except_from_lists(a.settings, a.list); });
    add_list_sources(*all, a);
}

}  // namespace server
