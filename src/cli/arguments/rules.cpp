// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands for rules about posts.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_number(CLI::App* command, Arguments& a, bool required = true) {
    auto* id = command->add_option("id", a.judging.id, "As `dunlin rule list` shows it.")->type_name("ID");
    if (required) id->required();
}

CLI::App* finished(CLI::App* command, Arguments& a) {
    add_options(command, a, false);
    add_json(command, a);
    return command;
}

void add_trying(CLI::App& all, Arguments& a) {
    auto check =
        add(all, "check", "Tell which rules apply to a text, and why.", "dunlin rule check \"cheap pills\"");
    check->add_option("text", a.judging.text, "As if somebody had posted it for everybody.")
        ->required()
        ->type_name("TEXT");
    on(finished(check, a), a, [&a] { return check_text(a.settings, a.judging); });
    auto rehearse =
        add(all,
            "rehearse",
            "Hold a rule against the posts of the last days. Nothing is changed by it.",
            "dunlin rule rehearse 115200000000000001 --days 30");
    add_number(rehearse, a);
    rehearse->add_option("--days", a.judging.days, "How far back; 7 are the default, 90 the most.")
        ->type_name("N");
    on(finished(rehearse, a), a, [&a] { return rehearse_rule(a.settings, a.judging); });
}

void add_switching(CLI::App& all, Arguments& a) {
    auto mode =
        add(all,
            "mode",
            "Switch a rule: on, watch (it only notes what it finds) or off.",
            "dunlin rule mode 115200000000000001 on");
    add_number(mode, a);
    mode->add_option("mode", a.judging.mode, "on, watch or off.")
        ->required()
        ->check(CLI::IsMember({"on", "watch", "off"}))
        ->type_name("MODE");
    on(finished(mode, a), a, [&a] { return set_rule_mode(a.settings, a.judging); });
    auto undo =
        add(all,
            "undo",
            "Take back what a rule did: marks on posts, limits of accounts, reports.",
            "dunlin rule undo 115200000000000001 --since 2026-01-02T03:04:05Z");
    add_number(undo, a);
    undo->add_option("--since", a.judging.since, "From when; without it all that is kept.")
        ->type_name("TIME");
    undo->add_flag("--dry-run", a.judging.dry_run, "Change nothing, only tell what would be done.");
    on(finished(undo, a), a, [&a] { return undo_rule(a.settings, a.judging); });
}

}  // namespace

void add_judging_rules(CLI::App& app, Arguments& a) {
    auto all =
        add(app, "rule", "Judge posts by rules before they are shown.", "dunlin rule import rules.json");
    all->require_subcommand(1);
    auto list = add(*all, "list", "Show the rules and how often they hit.", "dunlin rule list");
    on(finished(list, a), a, [&a] { return list_rules(a.settings); });
    auto show = add(*all, "show", "Show a rule and its rehearsals.", "dunlin rule show 115200000000000001");
    add_number(show, a);
    on(finished(show, a), a, [&a] { return show_rule(a.settings, a.judging); });
    auto in =
        add(*all,
            "import",
            "Add a rule, or a list of them; one that has the name already takes the new words.",
            "dunlin rule import rules.json");
    in->add_option("file", a.judging.file, "JSON; - for what is piped in.")->required()->type_name("FILE");
    on(finished(in, a), a, [&a] { return import_rules(a.settings, a.judging); });
    auto out = add(*all, "export", "Write all rules, or one, as JSON.", "dunlin rule export > rules.json");
    add_number(out, a, false);
    add_options(out, a, false);
    on(out, a, [&a] { return export_rules(a.settings, a.judging); });
    add_trying(*all, a);
    add_switching(*all, a);
}

void add_words(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "words",
            "Keep lists of words, domains and hashtags for rules.",
            "dunlin words import pills pills.txt");
    all->require_subcommand(1);
    auto list = add(*all, "list", "Show the lists.", "dunlin words list");
    on(finished(list, a), a, [&a] { return list_words(a.settings); });
    auto name = [&a](CLI::App* command) {
        command->add_option("name", a.words.name, "Of the list, as rules name it.")
            ->required()
            ->type_name("NAME");
    };
    auto in =
        add(*all,
            "import",
            "Make a list, or let one have other entries. A rule that names it uses them at once.",
            "dunlin words import pills pills.txt --of words");
    name(in);
    in->add_option("file", a.words.file, "One entry in each line; - for what is piped in.")
        ->required()
        ->type_name("FILE");
    in->add_option("--of", a.words.kind, "words, domains or hashtags; a new one is of words.")
        ->check(CLI::IsMember({"words", "domains", "hashtags"}))
        ->type_name("KIND");
    on(finished(in, a), a, [&a] { return import_words(a.settings, a.words); });
    auto out = add(*all, "export", "Write the entries of a list.", "dunlin words export pills > pills.txt");
    name(out);
    add_options(out, a, false);
    on(out, a, [&a] { return export_words(a.settings, a.words); });
    auto gone = add(*all, "remove", "Remove a list that no rule uses.", "dunlin words remove pills");
    name(gone);
    on(finished(gone, a), a, [&a] { return remove_words(a.settings, a.words); });
}

void add_holding(CLI::App& app, Arguments& a) {
    auto all = add(
        app, "hold", "Look through posts that rules hold back, before anybody sees them.", "dunlin hold list"
    );
    all->require_subcommand(1);
    auto list = add(*all, "list", "Show the posts that wait, the newest first.", "dunlin hold list");
    on(finished(list, a), a, [&a] { return list_held(a.settings); });
    auto number = [&a](CLI::App* command) {
        command->add_option("id", a.held.id, "As `dunlin hold list` shows it.")->required()->type_name("ID");
    };
    auto release = add(*all, "release", "Publish a post.", "dunlin hold release 115200000000000001");
    number(release);
    on(finished(release, a), a, [&a] { return release_held(a.settings, a.held); });
    auto drop = add(*all, "drop", "Let a post go for good.", "dunlin hold drop 115200000000000001");
    number(drop);
    on(finished(drop, a), a, [&a] { return drop_held(a.settings, a.held); });
}

void add_transparency(CLI::App& app, Arguments& a) {
    auto show =
        add(app,
            "transparency",
            "Count what the team did in a time, to be published: no name is in it.",
            "dunlin transparency --from 2026-01-01 --to 2026-12-31 > report.md");
    show->add_option("--from", a.transparency.from, "The first day; 30 days, where nothing is said.")
        ->type_name("DAY");
    show->add_option("--to", a.transparency.to, "The last day; today, where nothing is said.")
        ->type_name("DAY");
    show->add_option("--form", a.transparency.form, "markdown or csv.")
        ->check(CLI::IsMember({"markdown", "csv"}))
        ->type_name("FORM");
    on(finished(show, a), a, [&a] { return show_transparency(a.settings, a.transparency); });
}

}  // namespace server
