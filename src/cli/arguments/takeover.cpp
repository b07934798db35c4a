// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands that replace another server.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_source(CLI::App* command, Arguments& a) {
    command
        ->add_option(
            "source", a.takeover.source, "Its database, which is only read: sqlite:FILE or postgres://…"
        )
        ->required()
        ->type_name("SOURCE");
    command
        ->add_option(
            "--old-config",
            a.takeover.old_config,
            "Its configuration: config.yaml, .env.production, prod.secret.exs, .env."
        )
        ->type_name("FILE");
    command->add_option("--files", a.takeover.media, "The folder of its files.")->type_name("FOLDER");
    command->add_flag(
        "--newer",
        a.takeover.newer,
        "Also a version that is newer than those that are known, where its columns are as expected."
    );
    command->add_flag(
        "--lose-portable",
        a.takeover.lose_portable,
        "Of a Mitra: without the people whose ids are of no server (FEP-ef61)."
    );
    add_options(command, a, false);
    add_json(command, a);
}

void add_choice(CLI::App* command, Arguments& a) {
    command->add_flag(
        "--all",
        a.takeover.everything,
        "Also posts and people of other servers that nobody here has to do with."
    );
    command
        ->add_option(
            "--notifications-days", a.takeover.notification_days, "Older notifications stay behind (90)."
        )
        ->check(CLI::Range(0, 36500))
        ->type_name("DAYS");
}

}  // namespace

void add_takeover(CLI::App& app, Arguments& a) {
    auto all =
        add(app,
            "takeover",
            "Take the place of another server on the same domain.",
            "dunlin takeover check postgres:///mastodon_production --old-config .env.production");
    all->require_subcommand(1);
    auto check =
        add(*all,
            "check",
            "Tell what would come along, what is lost, and what to write into dunlin.toml. Changes nothing.",
            "dunlin takeover check sqlite:/gotosocial/sqlite.db --old-config config.yaml");
    add_source(check, a);
    on(check, a, [&a] { return check_takeover(a.settings, a.takeover); });
    auto copy = add(
        *all,
        "copy",
        "Copy everything into an empty database. Goes on where it was cut off; another time it begins anew.",
        "dunlin takeover copy sqlite:/gotosocial/sqlite.db --files /gotosocial/storage"
    );
    add_source(copy, a);
    add_choice(copy, a);
    on(copy, a, [&a] { return copy_takeover(a.settings, a.takeover); });
    auto finish =
        add(*all,
            "finish",
            "The last copy, when the other server has stopped; from then on this one goes its own way.",
            "dunlin takeover finish sqlite:/gotosocial/sqlite.db --files /gotosocial/storage");
    add_source(finish, a);
    add_choice(finish, a);
    finish->add_flag("--anyway", a.takeover.anyway, "Also when keys or counts are not as they should be.");
    on(finish, a, [&a] { return finish_takeover(a.settings, a.takeover); });
    auto compare =
        add(*all,
            "compare",
            "Compare a copy with the other server: all counts, and some people and posts.",
            "dunlin takeover compare sqlite:/gotosocial/sqlite.db");
    add_source(compare, a);
    compare->add_option("--samples", a.takeover.samples, "So many people and so many posts (200).")
        ->check(CLI::Range(1, 100'000))
        ->type_name("NUMBER");
    on(compare, a, [&a] { return compare_takeover(a.settings, a.takeover); });
    auto undo =
        add(*all,
            "undo",
            "Give the place back to the other server. What was posted since is kept in archives.",
            "dunlin takeover undo --to /backup/since");
    undo->add_option("--to", a.takeover.to, "Folder for the archives, one for each who posted.")
        ->type_name("FOLDER");
    undo->add_flag("--dry-run", a.takeover.dry_run, "Only say what came since.");
    add_options(undo, a, false);
    add_json(undo, a);
    on(undo, a, [&a] { return undo_takeover(a.settings, a.takeover); });
    auto show =
        add(*all, "show", "Tell how far a copy is, and what could not be taken.", "dunlin takeover show");
    add_options(show, a, false);
    add_json(show, a);
    on(show, a, [&a] { return show_takeover(a.settings); });
}

}  // namespace server
