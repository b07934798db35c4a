// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists of servers, for operators: commands of `dunlin list`.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_number(CLI::App* command, Arguments& a, bool required) {
    auto* id = command->add_option("id", a.source.id, "As `dunlin list sources` shows it.")->type_name("ID");
    if (required) id->required();
    add_options(command, a, false);
    add_json(command, a);
}

void add_domains(CLI::App* command, Arguments& a, bool required) {
    auto* domains =
        command
            ->add_option(
                "domains", a.source.domains, "Domains, accounts and mail providers, as the list names them."
            )
            ->type_name("NAME");
    if (required) domains->required();
}

void add_word(
    CLI::App* command, const std::string& name, std::string& to, const std::string& help,
    const std::vector<std::string>& words
) {
    command->add_option(name, to, help)->check(CLI::IsMember(words))->type_name("WORD");
}

void add_role(CLI::App* command, Arguments& a) {
    add_word(
        command,
        "--role",
        a.source.role,
        "block (the default), or allow: no list touches by itself the servers that it accepts.",
        {"block", "allow"}
    );
}

void add_trust(CLI::App* command, Arguments& a) {
    auto& o = a.source;
    add_word(
        command,
        "--mode",
        o.mode,
        "suggest (the default); apply: what costs nobody a follow is applied by itself; or group: it counts "
        "in its groups alone.",
        {"suggest", "apply", "group"}
    );
    add_word(
        command,
        "--ceiling",
        o.ceiling,
        "As strict as it may be: suspend (the default) or silence.",
        {"suspend", "silence"}
    );
    add_word(
        command,
        "--retractions",
        o.retractions,
        "What it takes back: lift it, keep it as a rule of one's own, or ask (the default).",
        {"lift", "keep", "ask"}
    );
    command
        ->add_option(
            "--priority",
            o.priority,
            "Of lists that say different things of a server, those of the highest decide; 0 unless told."
        )
        ->check(CLI::Range(0, 100))
        ->type_name("N");
}

void add_label(CLI::App* command, Arguments& a) {
    command
        ->add_option("--label", a.source.label, "The label of servers about which it advises; empty: none.")
        ->type_name("NAME");
}

void add_agreement(CLI::App* command, Arguments& a, bool required) {
    auto* agree = command->add_option("--agree", a.source.agree, "So many of its members must say so.")
                      ->check(CLI::Range(1, 50))
                      ->type_name("N");
    auto* member =
        command->add_option("--member", a.source.members, "A subscribed list, by its number; once for each.")
            ->allow_extra_args(false)
            ->type_name("ID");
    if (required) agree->required(), member->required();
}

void add_subscribing(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "add",
            "Subscribe to a list: it is read every day, and suggested or applied.",
            "dunlin list add https://fires.example/datasets/7 --name \"Their list\" --mode suggest");
    command->add_option("url", a.source.url, "The address of the list, or of a FIRES dataset.")
        ->required()
        ->type_name("URL");
    command->add_option("--name", a.source.name, "What people who lose follows are told.")
        ->required()
        ->type_name("NAME");
    add_word(
        command,
        "--kind",
        a.source.kind,
        "fires (the default), or list: CSV, one domain a line, or JSON.",
        {"fires", "list"}
    );
    add_role(command, a);
    add_trust(command, a);
    add_label(command, a);
    add_options(command, a, false);
    add_json(command, a);
    on(command, a, [&a] { return add_list_source(a.settings, a.source); });
}

void add_grouping(CLI::App& all, Arguments& a) {
    auto command = add(
        all,
        "group",
        "Have lists count as one: as far as so many of them agree.",
        "dunlin list group \"Two of three\" --agree 2 --member 115200000000000001 --member 115200000000000002"
    );
    command->add_option("name", a.source.name, "What people who lose follows are told.")
        ->required()
        ->type_name("NAME");
    add_agreement(command, a, true);
    add_role(command, a);
    add_trust(command, a);
    add_options(command, a, false);
    add_json(command, a);
    on(command, a, [&a] { return add_list_group(a.settings, a.source); });
}

void add_changing(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "change",
            "Change how far a subscribed list or a group is trusted, or who is in a group.",
            "dunlin list change 115200000000000001 --mode group");
    add_number(command, a, true);
    command->add_option("--name", a.source.name, "What people who lose follows are told.")->type_name("NAME");
    add_trust(command, a);
    add_label(command, a);
    add_agreement(command, a, false);
    command->add_flag(
        "--dry-run",
        a.source.dry_run,
        "Change nothing, only tell which rules --priority would change, and what ends; nothing else of the "
        "list is looked at."
    );
    on(command, a, [&a] { return change_list_source(a.settings, a.source); });
}

void add_showing(CLI::App& all, Arguments& a) {
    auto command =
        add(all, "sources", "Show the subscribed lists, or one with what it says.", "dunlin list sources");
    add_number(command, a, false);
    on(command, a, [&a] { return show_list_sources(a.settings, a.source); });
}

void add_reading(CLI::App& all, Arguments& a) {
    auto command = add(all, "sync", "Read a subscribed list now.", "dunlin list sync 115200000000000001");
    add_number(command, a, true);
    on(command, a, [&a] { return sync_list_source(a.settings, a.source); });
}

void add_accepting(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "accept",
            "Go along with what a list says now: after that it is applied as far as its mode allows.",
            "dunlin list accept 115200000000000001");
    add_number(command, a, true);
    on(command, a, [&a] { return accept_list_source(a.settings, a.source); });
}

void add_taking(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "take",
            "Apply what a subscribed list suggests: about all domains, or about these names.",
            "dunlin list take 115200000000000001 spam.example");
    add_number(command, a, true);
    add_domains(command, a, false);
    command->add_flag("--dry-run", a.source.dry_run, "Change nothing, only tell what would be done.");
    on(command, a, [&a] { return take_from_list_source(a.settings, a.source); });
}

void add_dismissing(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "dismiss",
            "Have nothing suggested of these domains; a rule that the list took back stays as one's own.",
            "dunlin list dismiss 115200000000000001 friends.example");
    add_number(command, a, true);
    add_domains(command, a, false);
    command->add_flag("--all", a.source.all, "Of all domains of which something is suggested.");
    on(command, a, [&a] { return dismiss_from_list_source(a.settings, a.source); });
}

void add_lifting(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "lift",
            "Let rules go that a subscribed list took back.",
            "dunlin list lift 115200000000000001 better.example");
    add_number(command, a, true);
    add_domains(command, a, true);
    on(command, a, [&a] { return lift_of_list_source(a.settings, a.source); });
}

void add_unsubscribing(CLI::App& all, Arguments& a) {
    auto command =
        add(all,
            "unsubscribe",
            "Read a list no longer. The rules that it brought stay; `dunlin list undo` takes them back.",
            "dunlin list unsubscribe 115200000000000001");
    add_number(command, a, true);
    command->add_flag("--lift", a.source.lift, "Let the rules go that it brought and nobody else says.");
    command->add_flag("--dry-run", a.source.dry_run, "Change nothing, only tell what would be lifted.");
    on(command, a, [&a] { return remove_list_source(a.settings, a.source); });
}

}  // namespace

void add_list_sources(CLI::App& all, Arguments& a) {
    add_subscribing(all, a);
    add_grouping(all, a);
    add_changing(all, a);
    add_showing(all, a);
    add_reading(all, a);
    add_accepting(all, a);
    add_taking(all, a);
    add_dismissing(all, a);
    add_lifting(all, a);
    add_unsubscribing(all, a);
}

}  // namespace server
