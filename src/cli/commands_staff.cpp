// SPDX-License-Identifier: AGPL-3.0-or-later
// Reports, warnings, roles and the audit log. What is done here is written down as done by the operator.
#include "base/text/join.hpp"
#include "cli/cli_context.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/cases/note.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/team.hpp"

namespace server {

namespace {

moderation::ReportId report_id(const std::string& text) {
    return id_of<moderation::ReportId>(text, "a report", "`dunlin report list` shows them");
}

[[noreturn]] void refuse_report(const std::string& id) {
    throw Refused("There is no report " + id + "; `dunlin report list` shows those that are open");
}

moderation::AdminReport report(CliContext& cli, const std::string& id) {
    try {
        return cli.read([&](db::Read& db) {
            return moderation::entities(db, std::vector{moderation::admin_report(db, report_id(id))}, {})[0];
        });
    } catch (const base::NotFound&) {
        refuse_report(id);
    }
}

std::string handle(const std::optional<moderation::AdminAccount>& account) {
    if (!account) return "(gone)";
    return "@" + account->username + (account->domain ? "@" + *account->domain : "");
}

std::string author(CliContext& cli, base::AccountId id) {
    return id ? cli.read([&](db::Read& db) { return moderation::name_of(db, id); }) : std::string("operator");
}

}  // namespace

int show_notes(const Settings& settings, const std::string& name, const std::string& add) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto id = cli.read([&](db::Read& db) { return local_account(db, name).id; });
    auto subject = std::to_string(id.value);
    constexpr auto kind = moderation::NoteKind::account;
    if (!add.empty())
        cli.write([&](db::Write& db) {
            moderation::add_note(db, accounts::the_operator(), kind, subject, add);
        });
    auto all = cli.read([&](db::Read& db) { return moderation::notes(db, kind, subject); });
    if (settings.json) return print_json(all), 0;
    for (const auto& one : all)
        print(base::to_string(one.created_at) + " " + author(cli, one.author_id) + ": " + one.text);
    return 0;
}

int warn_account(const Settings& settings, const std::string& name, const std::string& text) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto warned = cli.write([&](db::Write& db) {
        auto found = local_account(db, name);
        moderation::AccountAction warning;
        warning.text = text;
        moderation::act(db, accounts::the_operator(), found.id, warning);
        return found.username;
    });
    print("Account @" + warned + " is warned.");
    return 0;
}

int list_reports(const Settings& settings, const ReportList& wanted) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read([&](db::Read& db) {
        moderation::ReportFilter filter;
        if (wanted.all) filter.state = moderation::ReportState::all;
        base::Range newest;
        newest.limit = 200;
        return moderation::entities(db, moderation::admin_reports(db, filter, newest), {});
    });
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"ID", "ON", "BY", "CATEGORY", "SINCE", "COMMENT"}};
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.id.value),
             handle(one.target_account),
             handle(one.account),
             std::string(base::word(one.category)),
             base::to_string(one.created_at),
             one.comment.substr(0, one.comment.find('\n'))}
        );
    print_table(rows);
    return 0;
}

int show_report(const Settings& settings, const std::string& id) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto found = report(cli, id);
    if (settings.json) return print_json(found), 0;
    print("Report " + id + " on " + handle(found.target_account) + " by " + handle(found.account));
    print(
        "Category: " + std::string(base::word(found.category)) + ", since " +
        base::to_string(found.created_at)
    );
    if (found.action_taken_at) print("Resolved: " + base::to_string(*found.action_taken_at));
    if (!found.comment.empty()) print("Comment: " + found.comment);
    for (const auto& rule : found.rules) print("Rule: " + rule.text);
    if (found.statuses.text != "[]") print("Posts: " + found.statuses.text);
    return 0;
}

int resolve_report(const Settings& settings, const std::string& id) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    try {
        cli.write([&](db::Write& db) { moderation::resolve(db, accounts::the_operator(), report_id(id)); });
    } catch (const base::NotFound&) {
        refuse_report(id);
    }
    print("Report " + id + " is resolved.");
    return 0;
}

int assign_report(const Settings& settings, const std::string& id, const std::string& name) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    try {
        cli.write([&](db::Write& db) {
            auto who = accounts::actor(db, local_account(db, name).id);
            if (!who.may(accounts::permission::manage_reports))
                throw Refused("@" + name + " has no role that handles reports");
            moderation::assign(db, who, report_id(id));
        });
    } catch (const base::NotFound&) {
        refuse_report(id);
    }
    print("Report " + id + " is in the hands of @" + name + ".");
    return 0;
}

int set_registrations(const Settings& settings, const std::string& mode) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    if (!mode.empty())
        cli.write([&](db::Write& db) {
            moderation::set_approval(db, accounts::the_operator(), mode == "approval");
        });
    print("Registrations: " + cli.read([](db::Read& db) { return moderation::registrations(db); }));
    return 0;
}

int list_audit(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    base::Range newest;
    newest.limit = 100;
    auto all = cli.read([&](db::Read& db) { return moderation::audit_entries(db, newest, {}); });
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"ID", "AT", "BY", "ACTION", "ON"}};
    for (const auto& one : all) {
        auto who = author(cli, one.actor_id);
        rows.push_back(
            {std::to_string(one.id.value),
             base::to_string(one.at),
             who,
             one.action,
             one.target_kind + " " + one.target_name}
        );
    }
    print_table(rows);
    return 0;
}

int verify_audit(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto verdict = cli.read(moderation::verify_audit);
    if (settings.json) print_json(verdict);
    else if (verdict.problem.empty())
        print(
            std::to_string(verdict.entries) + " entries are as they were written; the last is " + verdict.head
        );
    else print(verdict.problem + ".");
    return verdict.problem.empty() ? 0 : 1;
}

int list_roles(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read(accounts::roles);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"ID", "NAME", "POSITION", "SECOND FACTOR", "ALLOWS"}};
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.id.value),
             one.id == accounts::everyone ? "(everybody)" : one.name,
             std::to_string(one.position),
             one.require_2fa ? "required" : "-",
             base::text::joined(moderation::names_of_permissions(one.permissions))}
        );
    print_table(rows);
    return 0;
}

int set_role(const Settings& settings, const NewRole& given) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto made = cli.write([&](db::Write& db) {
        const auto who = accounts::the_operator();
        accounts::RoleForm form;
        form.name = given.name;
        form.position = given.position;
        form.require_2fa = given.require_second_factor;
        if (!given.permissions.empty()) form.permissions = moderation::permissions_named(given.permissions);
        auto known = accounts::find_role(db, given.name);
        if (known) moderation::edit_role(db, who, *known, form);
        return accounts::role(db, known ? *known : moderation::add_role(db, who, form));
    });
    if (settings.json) return print_json(made), 0;
    print(
        "Role " + made.name +
        " allows: " + base::text::joined(moderation::names_of_permissions(made.permissions)) + "."
    );
    return 0;
}

}  // namespace server
