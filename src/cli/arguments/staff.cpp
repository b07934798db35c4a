// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the staff commands: reports, warnings, roles, and the audit log.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_reports(CLI::App& app, Arguments& a) {
    auto all = add(app, "report", "Look at reports and resolve them.", "dunlin report list");
    all->require_subcommand(1);
    auto list = add(*all, "list", "List those that are open.", "dunlin report list --json");
    list->add_flag("--all", a.reports.all, "Also those that are resolved.");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_reports(a.settings, a.reports); });
    auto show =
        add(*all, "show", "Show one, with what was reported.", "dunlin report show 115200000000000001");
    show->add_option("id", a.name, "As the list shows it.")->required()->type_name("ID");
    add_options(show, a, false);
    add_json(show, a);
    on(show, a, [&a] { return show_report(a.settings, a.name); });
    auto resolve = add(*all, "resolve", "Close one.", "dunlin report resolve 115200000000000001");
    resolve->add_option("id", a.name, "As the list shows it.")->required()->type_name("ID");
    add_options(resolve, a, false);
    on(resolve, a, [&a] { return resolve_report(a.settings, a.name); });
    auto assign =
        add(*all,
            "assign",
            "Put one into the hands of a moderator.",
            "dunlin report assign 115200000000000001 alice");
    assign->add_option("id", a.name, "As the list shows it.")->required()->type_name("ID");
    assign->add_option("moderator", a.other, "User name.")->required()->type_name("NAME");
    add_options(assign, a, false);
    on(assign, a, [&a] { return assign_report(a.settings, a.name, a.other); });
}

void add_audit(CLI::App& app, Arguments& a) {
    auto all = add(app, "audit", "Read the log of what staff did, and check it.", "dunlin audit verify");
    all->require_subcommand(1);
    auto list = add(*all, "list", "List the last hundred acts.", "dunlin audit list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_audit(a.settings); });
    auto verify = add(
        *all, "verify", "Find out whether the log was tampered with; status 1 if so.", "dunlin audit verify"
    );
    add_options(verify, a, false);
    add_json(verify, a);
    on(verify, a, [&a] { return verify_audit(a.settings); });
}

void add_roles(CLI::App& app, Arguments& a) {
    auto all = add(app, "role", "Look at roles, make and change them.", "dunlin role list");
    all->require_subcommand(1);
    auto list = add(*all, "list", "List them, the highest first.", "dunlin role list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_roles(a.settings); });
    auto set =
        add(*all,
            "set",
            "Make a role, or change the one of that name.",
            "dunlin role set Helper --permissions manage_reports,view_dashboard --position 5");
    set->add_option("name", a.role.name, "Its name.")->required()->type_name("NAME");
    set->add_option("--permissions", a.role.permissions, "All that it allows, as the list shows them.")
        ->delimiter(',')
        ->type_name("LIST");
    set->add_option(
           "--require-second-factor", a.role.require_second_factor, "yes or no: nothing without one."
    )
        ->type_name("BOOL");
    set->add_option("--position", a.role.position, "Who stands higher may act on who stands lower.")
        ->type_name("N");
    add_options(set, a, false);
    add_json(set, a);
    on(set, a, [&a] { return set_role(a.settings, a.role); });
}

void add_registrations(CLI::App& app, Arguments& a) {
    auto set =
        add(app,
            "registrations",
            "Say whether sign-ups wait for approval beyond what is configured.",
            "dunlin registrations open");
    set->add_option("mode", a.name, "open or approval; without it, what holds is told.")
        ->check(CLI::IsMember({"open", "approval"}))
        ->type_name("MODE");
    add_options(set, a, false);
    on(set, a, [&a] { return set_registrations(a.settings, a.name); });
}

void add_settings(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "setting",
            "Look at what the site is and change it while the server runs, which follows within seconds.",
            "dunlin setting list");
    all->require_subcommand(1);
    auto with_name = [&](CLI::App* command, bool required) {
        command->add_option("name", a.setting.name, "As the list shows it.")
            ->required(required)
            ->type_name("NAME");
        add_options(command, a, false);
        add_json(command, a);
    };
    auto list =
        add(*all,
            "list",
            "List all, and whether each is the default, stored, or set where.",
            "dunlin setting list");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_settings(a.settings); });
    auto get = add(*all, "get", "Print one.", "dunlin setting get title");
    with_name(get, true);
    on(get, a, [&a] { return get_setting(a.settings, a.setting); });
    auto set =
        add(*all,
            "set",
            "Change one. What dunlin.toml, the environment or a flag of the server sets wins over it.",
            "dunlin setting set registrations approval");
    with_name(set, true);
    set->add_option("value", a.setting.value, "Lists are separated by commas.")
        ->required()
        ->type_name("VALUE");
    on(set, a, [&a] { return set_setting(a.settings, a.setting); });
    auto undo =
        add(*all,
            "undo",
            "Take back the last change of one; a second time does it again.",
            "dunlin setting undo title");
    with_name(undo, true);
    on(undo, a, [&a] { return undo_setting(a.settings, a.setting); });
    auto history = add(
        *all, "history", "List the last hundred changes, of one or of all.", "dunlin setting history title"
    );
    with_name(history, false);
    on(history, a, [&a] { return show_setting_history(a.settings, a.setting); });
}

void add_digest(CLI::App& app, Arguments& a) {
    auto sent =
        add(app,
            "digest",
            "Send the weekly letter about the server now, to those who look after it.",
            "dunlin digest --dry-run");
    sent->add_flag("--dry-run", a.check, "Only print it.");
    add_options(sent, a, false);
    add_json(sent, a);
    on(sent, a, [&a] { return a.check ? show_digest(a.settings) : send_digest(a.settings); });
}

}  // namespace

void add_warning(CLI::App& accounts, Arguments& a) {
    auto warn =
        add(accounts,
            "warn",
            "Send somebody of this site a warning.",
            "dunlin account warn alice \"No adverts, please.\"");
    warn->add_option("name", a.name, "User name.")->required()->type_name("NAME");
    warn->add_option("text", a.other, "What it says.")->required()->type_name("TEXT");
    add_options(warn, a, false);
    on(warn, a, [&a] { return warn_account(a.settings, a.name, a.other); });
    auto notes =
        add(accounts,
            "notes",
            "Read what the team has written down about somebody of this site, or add to it.",
            "dunlin account notes alice --add \"Asked by mail to be patient.\"");
    notes->add_option("name", a.name, "User name.")->required()->type_name("NAME");
    notes->add_option("--add", a.other, "What is added.")->type_name("TEXT");
    add_options(notes, a, false);
    add_json(notes, a);
    on(notes, a, [&a] { return show_notes(a.settings, a.name, a.other); });
}

void add_staff(CLI::App& app, Arguments& a) {
    add_reports(app, a);
    add_audit(app, a);
    add_roles(app, a);
    add_registrations(app, a);
    add_settings(app, a);
    add_digest(app, a);
}

}  // namespace server
