// SPDX-License-Identifier: AGPL-3.0-or-later
// Parses arguments into commands.
#include "cli/arguments/command_line.hpp"

#include "base/errors.hpp"
#include "cli/cli_context.hpp"
#include "db/connection.hpp"
#include "docs/command.hpp"

namespace server {

void on(CLI::App* command, Arguments& a, std::function<int()> run) {
    command->callback([&a, run = std::move(run)] { a.run = run; });
}

CLI::App* add(CLI::App& parent, const char* name, const char* what, const std::string& example) {
    auto command = parent.add_subcommand(name, what);
    command->footer("\nExample:\n  " + example);
    return command;
}

void add_json(CLI::App* command, Arguments& a) {
    command->add_flag("--json", a.settings.json, "Print JSON.");
}

namespace {

std::string placeholder(const Option& option) {
    if (is_list(option)) return "LIST";
    if (std::holds_alternative<int Config::*>(option.member)) return "N";
    return std::holds_alternative<std::string Config::*>(option.member) ? "TEXT" : "WORD";
}

void add_option(CLI::App* command, Arguments& a, const Option& option, bool shown) {
    auto& [its_option, words] = a.options.emplace_back(&option, Words{});
    auto flag = flag_name(option);
    CLI::Option* made;
    if (is_switch(option)) made = command->add_flag(flag + ",!--no-" + flag.substr(2), words);
    else
        made = command->add_option(flag, words)
                   ->expected(1)
                   ->allow_extra_args(false)
                   ->type_name(placeholder(option));
    made->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    made->description(std::string(option.help));
    made->group(shown ? std::string(option.section) : "");
}

}  // namespace

void add_options(CLI::App* command, Arguments& a, bool all) {
    a.take_options.insert(command);
    // Only once the command is chosen: creating a hundred options for each takes longer than most commands.
    command->preparse_callback([command, &a, all](std::size_t) {
        command
            ->add_option(
                "--config", a.settings.file, "Configuration file; otherwise dunlin.toml in the data folder."
            )
            ->type_name("FILE")
            ->group(all ? "Addresses" : "Server");
        for (const auto& option : options()) {
            bool shown = all || option.name == "data" || option.name == "database";
            add_option(command, a, option, shown);
        }
    });
}

namespace {

void add_serving(CLI::App& app, Arguments& a) {
    auto serve = add(
        app,
        "serve",
        "Run the server.",
        "dunlin serve --data /var/lib/dunlin --listen 127.0.0.1:3000 --public-url https://social.example.org"
    );
    serve->add_flag(
        "--rehearse",
        a.rehearsal,
        "Serve a copy of another server that is not finished yet (`dunlin takeover copy`), to look at it: "
        "nothing is sent "
        "to anybody, nobody is asked."
    );
    add_options(serve, a, true);
    on(serve, a, [&a] { return server::serve(a.settings, a.rehearsal); });

    auto migrate =
        add(app,
            "migrate",
            "Bring the database up to date; `serve` does the same at its start.",
            "dunlin migrate --data /var/lib/dunlin");
    migrate->add_flag(
        "--dry-run", a.check, "Only say what would be done, with how many rows, and about how long it takes."
    );
    migrate->add_flag(
        "--status",
        a.once,
        "Only say whether it is up to date, and how far the running server is in building what it needs."
    );
    add_options(migrate, a, false);
    add_json(migrate, a);
    on(migrate, a, [&a] {
        return a.once ? show_migrations(a.settings) : server::migrate(a.settings, a.check);
    });
}

void add_account_create(CLI::App& accounts, Arguments& a) {
    auto create =
        add(accounts,
            "create",
            "Make an account and its login.",
            "dunlin account create alice --email alice@example.org --confirmed --role owner");
    create->add_option("name", a.new_account.name, "User name, without @ and domain.")
        ->required()
        ->type_name("NAME");
    create->add_option("--email", a.new_account.email, "E-mail address.")->required()->type_name("E");
    create
        ->add_option(
            "--password", a.new_account.password, "Password; left out, a good one is made and printed."
        )
        ->type_name("P");
    create->add_option("--role", a.new_account.role, "user, moderator, admin or owner.")->type_name("ROLE");
    create->add_flag("--confirmed", a.new_account.confirmed, "The e-mail address needs no confirmation.");
    add_options(create, a, false);
    add_json(create, a);
    on(create, a, [&a] { return create_account(a.settings, a.new_account); });
}

void add_account_modify(CLI::App& accounts, Arguments& a) {
    auto modify = add(accounts, "modify", "Change a login.", "dunlin account modify alice --reset-password");
    modify->add_option("name", a.change.name, "User name or e-mail address.")->required()->type_name("NAME");
    modify->add_option("--role", a.change.role, "user, moderator, admin or owner.")->type_name("ROLE");
    modify->add_option("--email", a.change.email, "New e-mail address; needs no confirmation.")
        ->type_name("E");
    modify->add_option("--password", a.change.password, "New password; ends every session.")->type_name("P");
    modify->add_flag(
        "--reset-password", a.change.reset_password, "Make a new password and print it; ends every session."
    );
    modify->add_flag(
        "--remove-second-factor",
        a.change.remove_second_factor,
        "Forget the authenticator, passkeys and recovery codes of somebody who has lost them."
    );
    modify->add_flag("--confirm", a.change.confirm, "The e-mail address is good.");
    modify->add_flag("--approve", a.change.approve, "Let somebody in who waits for approval.");
    modify->add_flag("--disable", a.change.disable, "No more logins; ends every session.");
    modify->add_flag("--enable", a.change.enable, "Undo --disable.");
    add_options(modify, a, false);
    add_json(modify, a);
    on(modify, a, [&a] { return modify_account(a.settings, a.change); });
}

void add_account_ends(CLI::App& accounts, Arguments& a) {
    auto gone =
        add(accounts,
            "delete",
            "Delete an account and all it has written, for good.",
            "dunlin account delete alice --yes");
    gone->add_option("name", a.name, "User name.")->required()->type_name("NAME");
    gone->add_flag("--yes", a.check, "It is meant so.");
    add_options(gone, a, false);
    on(gone, a, [&a] { return delete_account(a.settings, a.name, a.check); });

    auto restrict = [&](const char* command, const char* what, Restrict how) {
        auto made =
            add(accounts, command, what, "dunlin account " + std::string(command) + " bob@far.example");
        made->add_option("name", a.name, "User name, with @ and domain for an account of another server.")
            ->required()
            ->type_name("NAME");
        add_options(made, a, false);
        add_json(made, a);
        on(made, a, [&a, how] { return restrict_account(a.settings, a.name, how); });
    };
    restrict("suspend", "Hide an account; one of this site is deleted after a month.", Restrict::suspend);
    restrict("unsuspend", "Show a suspended account again.", Restrict::unsuspend);
    restrict("limit", "Show an account to its followers only.", Restrict::limit);
    restrict("unlimit", "Show a limited account to everybody again.", Restrict::unlimit);
    add_warning(accounts, a);
}

void add_moves(CLI::App& accounts, Arguments& a) {
    auto aliases =
        add(accounts,
            "alias",
            "Name other accounts of the same person, which may then move here.",
            "dunlin account alias list alice");
    aliases->require_subcommand(1);
    auto with_name = [&](CLI::App* command) {
        command->add_option("name", a.name, "User name.")->required()->type_name("NAME");
        add_options(command, a, false);
    };
    auto made = add(*aliases, "add", "Name one.", "dunlin account alias add alice alice@old.example");
    with_name(made);
    made->add_option("other", a.other, "Its handle or address.")->required()->type_name("HANDLE");
    on(made, a, [&a] { return add_alias(a.settings, a.name, a.other); });
    auto gone =
        add(*aliases,
            "remove",
            "Name it no more.",
            "dunlin account alias remove alice https://old.example/users/alice");
    with_name(gone);
    gone->add_option("other", a.other, "Its address, as the list shows it.")->required()->type_name("URL");
    on(gone, a, [&a] { return remove_alias(a.settings, a.name, a.other); });
    auto list = add(*aliases, "list", "List those that are named.", "dunlin account alias list alice --json");
    with_name(list);
    add_json(list, a);
    on(list, a, [&a] { return list_aliases(a.settings, a.name); });

    auto move =
        add(accounts,
            "move",
            "Go on as another account, which must name this one; followers are told.",
            "dunlin account move alice alice@new.example");
    with_name(move);
    move->add_option("target", a.other, "Handle or address of the new account.")
        ->required()
        ->type_name("HANDLE");
    on(move, a, [&a] { return move_account(a.settings, a.name, a.other); });
}

void add_accounts(CLI::App& app, Arguments& a) {
    auto accounts = add(app, "account", "Make, list, show and change accounts.", "dunlin account list");
    accounts->require_subcommand(1);
    add_account_create(*accounts, a);
    add_account_modify(*accounts, a);

    auto list = add(*accounts, "list", "List all logins.", "dunlin account list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_accounts(a.settings); });

    auto show = add(*accounts, "show", "Show one login.", "dunlin account show alice");
    show->add_option("name", a.name, "User name or e-mail address.")->required()->type_name("NAME");
    add_options(show, a, false);
    add_json(show, a);
    on(show, a, [&a] { return show_account(a.settings, a.name); });
    add_account_ends(*accounts, a);
    add_moves(*accounts, a);
    add_transfer(*accounts, a);
}

void add_tokens(CLI::App& app, Arguments& a) {
    auto tokens =
        add(app, "token", "Make access tokens.", "dunlin token create alice --scopes \"read write\"");
    tokens->require_subcommand(1);
    auto token =
        add(*tokens,
            "create",
            "Make an access token and print it alone.",
            "TOKEN=$(dunlin token create alice --scopes \"read write follow push\")");
    token->add_option("name", a.token.name, "User name or e-mail address.")->required()->type_name("NAME");
    token->add_option("--scopes", a.token.scopes, "Scopes, separated by spaces.")
        ->required()
        ->type_name("SCOPES");
    add_options(token, a, false);
    add_json(token, a);
    on(token, a, [&a] { return create_token(a.settings, a.token); });
}

void add_announcements(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "announcement",
            "Tell everybody something.",
            "dunlin announcement create \"Down on Sunday, 8 to 9\"");
    all->require_subcommand(1);
    auto made =
        add(*all,
            "create",
            "Announce something; prints its number.",
            "dunlin announcement create \"Down on Sunday\" --ends-at 2026-12-24T18:00:00Z");
    auto& given = a.announcement;
    made->add_option("text", given.text, "What to say; may hold links, mentions and emojis.")
        ->required()
        ->type_name("TEXT");
    made->add_option("--publish-at", given.publish_at, "Not before then.")->type_name("TIME");
    made->add_option("--starts-at", given.starts_at, "When what it is about begins.")->type_name("TIME");
    made->add_option("--ends-at", given.ends_at, "When it ends and is shown no more.")->type_name("TIME");
    made->add_flag("--all-day", given.all_day, "The times are days.");
    add_options(made, a, false);
    on(made, a, [&a] { return create_announcement(a.settings, a.announcement); });

    auto list = add(*all, "list", "List all announcements.", "dunlin announcement list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_announcements(a.settings); });

    auto gone = add(*all, "delete", "Delete an announcement.", "dunlin announcement delete 115");
    gone->add_option("number", a.name, "As the list shows it.")->required()->type_name("NUMBER");
    add_options(gone, a, false);
    add_json(gone, a);
    on(gone, a, [&a] { return delete_announcement(a.settings, a.name); });
}

void add_invites(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "invite",
            "Let people sign up where registrations are closed or approved.",
            "dunlin invite create --uses 1");
    all->require_subcommand(1);
    auto made =
        add(*all,
            "create",
            "Make an invite; prints the address to hand out.",
            "dunlin invite create --uses 5 --expires 7 --autofollow alice");
    made->add_option("--uses", a.invite.uses, "So many may use it; otherwise everybody.")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    made->add_option("--expires", a.invite.days, "So long it is valid; otherwise for good.")
        ->check(CLI::Range(1, 3650))
        ->type_name("DAYS");
    made->add_option("--autofollow", a.invite.autofollow, "Whom those who use it follow from the start.")
        ->type_name("NAME");
    add_options(made, a, false);
    add_json(made, a);
    on(made, a, [&a] { return create_invite(a.settings, a.invite); });

    auto list = add(*all, "list", "List all invites.", "dunlin invite list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_invites(a.settings); });

    auto gone = add(*all, "revoke", "End an invite.", "dunlin invite revoke kZ7mWq3P");
    gone->add_option("code", a.name, "The last part of its address.")->required()->type_name("CODE");
    add_options(gone, a, false);
    add_json(gone, a);
    on(gone, a, [&a] { return revoke_invite(a.settings, a.name); });
}

void add_federation(CLI::App& app, Arguments& a) {
    auto all =
        add(app, "federation", "See what goes to other servers, and hasten it.", "dunlin federation hosts");
    all->require_subcommand(1);

    auto hosts = add(
        *all, "hosts", "List the hosts that are sent something, and how they do.", "dunlin federation hosts"
    );
    add_options(hosts, a, false);
    add_json(hosts, a);
    on(hosts, a, [&a] { return list_hosts(a.settings); });

    auto queue =
        add(*all, "queue", "List what waits to be delivered, by host.", "dunlin federation queue --json");
    add_options(queue, a, false);
    add_json(queue, a);
    on(queue, a, [&a] { return list_queue(a.settings); });

    auto retry =
        add(*all,
            "retry",
            "Try to deliver what waits now, also to hosts that were given up.",
            "dunlin federation retry social.example.org");
    retry->add_option("host", a.name, "Only to this one; with its port, where it has one.")
        ->type_name("HOST");
    add_options(retry, a, false);
    add_json(retry, a);
    on(retry, a, [&a] { return retry_deliveries(a.settings, a.name); });
}

void add_relays(CLI::App& app, Arguments& a) {
    auto all = add(app, "relay", "Servers that hand round the public posts of many.", "dunlin relay list");
    all->require_subcommand(1);
    auto made =
        add(*all, "add", "Ask one to take this server in.", "dunlin relay add https://relay.example/inbox");
    made->add_option("address", a.name, "Its inbox, or its actor where it is one that boosts.")
        ->required()
        ->type_name("URL");
    add_options(made, a, false);
    on(made, a, [&a] { return add_relay(a.settings, a.name); });
    auto gone = add(*all, "remove", "Unfollow one.", "dunlin relay remove https://relay.example/inbox");
    gone->add_option("address", a.name, "As the list shows it.")->required()->type_name("URL");
    add_options(gone, a, false);
    on(gone, a, [&a] { return remove_relay(a.settings, a.name); });
    auto list = add(*all, "list", "List them and what they answered.", "dunlin relay list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_relays(a.settings); });
}

void add_streaming(CLI::App& app, Arguments& a) {
    auto list =
        add(app, "streaming", "List who listens to streams, and to which.", "dunlin streaming --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_streams(a.settings); });
}

void add_domains(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "domain",
            "Limit other servers. (Those that limited_federation lets in are named by allowed_servers.)",
            "dunlin domain list");
    all->require_subcommand(1);
    auto made =
        add(*all,
            "block",
            "Limit a server and all domains below its own; or limit it otherwise.",
            "dunlin domain block bad.example --severity suspend --public-comment spam");
    auto& rule = a.rule;
    made->add_option("domain", rule.domain, "Without port.")->required()->type_name("DOMAIN");
    made->add_option(
            "--severity",
            rule.severity,
            "silence (the default): its posts are shown to followers only, its people ask before they "
            "follow; "
            "suspend: nothing comes from there or goes there, follows end, posts are hidden; "
            "noop: only what the flags say."
    )
        ->check(CLI::IsMember({"silence", "suspend", "noop"}))
        ->type_name("S");
    made->add_flag("--reject-media", rule.reject_media, "Show no pictures, films or sounds of it.");
    made->add_flag("--reject-reports", rule.reject_reports, "Take no reports of it.");
    made->add_flag("--obfuscate", rule.obfuscate, "Hide a part of its name in the list that people see.");
    made->add_option("--public-comment", rule.public_comment, "Why, for that list.")->type_name("TEXT");
    made->add_option("--private-comment", rule.private_comment, "Why, for moderators.")->type_name("TEXT");
    add_options(made, a, false);
    add_json(made, a);
    on(made, a, [&a] { return block_server(a.settings, a.rule); });

    auto gone =
        add(*all,
            "unblock",
            "Limit a server no more; follows that have ended do not come back.",
            "dunlin domain unblock bad.example");
    gone->add_option("domain", a.name, "As the list shows it.")->required()->type_name("DOMAIN");
    add_options(gone, a, false);
    on(gone, a, [&a] { return unblock_server(a.settings, a.name); });

    auto list = add(*all, "list", "List limited servers.", "dunlin domain list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_blocked_servers(a.settings); });
}

void add_knowledge(CLI::App& app, Arguments& a) {
    auto routes =
        add(app, "routes", "List every endpoint: method, path, auth, scopes.", "dunlin routes --format tsv");
    routes->add_option("--format", a.format, "tsv or json; otherwise a table.")
        ->check(CLI::IsMember({"tsv", "json"}))
        ->type_name("F");
    on(routes, a, [&a] { return list_routes(a.format); });

    auto openapi =
        add(app, "openapi", "Print the OpenAPI 3.1 description of the API.", "dunlin openapi > openapi.json");
    on(openapi, a, [] { return print_openapi(); });

    auto config = add(app, "config", "Check and show the configuration.", "dunlin config show");
    config->require_subcommand(1);
    auto check =
        add(*config,
            "check",
            "Look for mistakes; status 1 for what a server can live with, 2 for the rest.",
            "dunlin config check --config dunlin.toml");
    check->add_flag(
        "--offline", a.offline, "Look at files only; ask neither the database nor other servers."
    );
    add_options(check, a, false);
    add_json(check, a);
    on(check, a, [&a] { return check_config(a.settings, a.offline); });
    auto show =
        add(*config,
            "show",
            "Print every option, its value and where that came from.",
            "dunlin config show --json");
    add_options(show, a, false);
    add_json(show, a);
    on(show, a, [&a] { return show_config(a.settings); });

    auto example =
        add(*config,
            "example",
            "Print a file with every option as it is without one, to begin with.",
            "dunlin config example > data/dunlin.toml");
    on(example, a, [] { return print_text(example_configuration()); });

    auto doctor =
        add(app,
            "doctor",
            "Look at all that a server needs and say what to do; status 1 for warnings, 2 for faults.",
            "dunlin doctor --data /var/lib/dunlin --mail-to you@example.org");
    auto& order = a.doctor;
    doctor->add_option("--mail-to", order.mail_to, "Send a mail there, to see whether it arrives.")
        ->type_name("E");
    doctor
        ->add_option(
            "--from-outside",
            order.outside,
            "Also look at the public address as a stranger would: from here, or have the Dunlin at URL look."
        )
        ->expected(0, 1)
        ->type_name("URL");
    auto fix = doctor->add_flag(
        "--fix", order.fix, "Also mend what can be mended without a decision, after a question; says what."
    );
    doctor->add_flag("--dry-run", order.dry_run, "With --fix: only say what would be mended.")->needs(fix);
    doctor->add_flag("--yes", order.sure, "With --fix: without a question.")->needs(fix);
    add_options(doctor, a, false);
    add_json(doctor, a);
    on(doctor, a, [&a] { return server::doctor(a.settings, a.doctor); });
}

void gather_flags(Arguments& a) {
    for (auto& [option, words] : a.options) {
        if (words.empty()) continue;
        if (!is_list(*option)) words.erase(words.begin(), words.end() - 1);  // the last value counts
        a.settings.flags.push_back({std::string(option->name), std::move(words), flag_name(*option)});
    }
}

int run_command(const Arguments& a) {
    try {
        return a.run();
    } catch (const ConfigError& e) {
        print_note(e.what());
        return 2;
    } catch (const db::Damaged& e) {
        print_note(
            "The database " + a.settings.load().config.database_file().string() +
            " is damaged, or is no SQLite database (" + e.what() +
            "); put a backup in its place, or name another data folder with --data"
        );
    } catch (const db::Outage& e) {
        auto cause = e.cause.substr(0, e.cause.find('\n'));
        print_note("The database cannot be used: " + cause + "; check that it runs, --database and --data");
    } catch (const std::exception& e) {
        print_note(e.what());
    }
    return 1;
}

}  // namespace

int run(int argc, const char* const* argv) {
    CLI::App app("Dunlin, a social server for the fediverse.", "dunlin");
    Arguments a;
    app.require_subcommand(1);
    app.set_version_flag("--version", version_line(), "Print the version.");
    app.footer("\nExample:\n  dunlin serve --data data\n\n`dunlin COMMAND --help` says more.");
    add_setup(app, a);
    add_serving(app, a);
    add_accounts(app, a);
    add_tokens(app, a);
    add_emojis(app, a);
    add_media(app, a);
    add_prune(app, a);
    add_announcements(app, a);
    add_invites(app, a);
    add_federation(app, a);
    add_relays(app, a);
    add_streaming(app, a);
    add_nodes(app, a);
    add_top(app, a);
    add_tune(app, a);
    add_certificate(app, a);
    add_pauses(app, a);
    add_maintenance(app, a);
    add_jobs(app, a);
    add_domains(app, a);
    add_server_lists(app, a);
    add_judging_rules(app, a);
    add_words(app, a);
    add_labels(app, a);
    add_holding(app, a);
    add_transparency(app, a);
    add_staff(app, a);
    add_backup(app, a);
    add_copying(app, a);
    add_takeover(app, a);
    add_knowledge(app, a);
    add_docs(app, a);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);
        print_note(
            std::string(e.what()) +
            "\n`dunlin --help` lists the commands, `dunlin COMMAND --help` what each takes."
        );
        return 2;
    }
    gather_flags(a);
    return run_command(a);
}

}  // namespace server
