// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands for backup and restore.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_from(CLI::App* command, Arguments& a) {
    command->add_option("--from", a.other, "Folder or bucket of the backup; otherwise backup_to.")
        ->type_name("PLACE");
}

void add_restore(CLI::App& app, Arguments& a) {
    auto restore =
        add(app,
            "restore",
            "Bring a server back from a backup, into a data folder without a database.",
            "dunlin restore /mnt/backup/dunlin --at 2026-12-24T18:00:00Z --data /var/lib/dunlin");
    auto& order = a.restore;
    restore->add_option("from", order.from, "Folder of the backup, or its bucket as s3://BUCKET/PREFIX.")
        ->required()
        ->type_name("FROM");
    restore->add_option("--at", order.at, "As it was then; otherwise as late as the backup reaches.")
        ->type_name("TIME");
    restore->add_option("--to", order.to, "Folder to restore into; otherwise the data folder.")
        ->type_name("DIR");
    restore
        ->add_option(
            "--uploads",
            order.uploads,
            "now: uploaded files, too; later: without them; only: nothing but them, into a folder restored "
            "before."
        )
        ->check(CLI::IsMember({"now", "later", "only"}))
        ->type_name("WHEN");
    restore->add_flag(
        "--revoke-tokens",
        order.revoke_tokens,
        "Ends every session and token: those that were revoked after that time live again otherwise."
    );
    add_options(restore, a, false);
    add_json(restore, a);
    on(restore, a, [&a] { return server::restore(a.settings, a.restore); });
}

}  // namespace

void add_backup(CLI::App& app, Arguments& a) {
    auto backup =
        add(app,
            "backup",
            "Make a whole copy now, beside a running server or without one.",
            "dunlin backup /mnt/backup/dunlin");
    backup->add_option("to", a.name, "Folder, or a bucket as s3://BUCKET/PREFIX; otherwise backup_to.")
        ->type_name("TO");
    backup->require_subcommand(0, 1);
    add_options(backup, a, false);
    add_json(backup, a);
    backup->callback([backup, &a] {
        if (backup->get_subcommands().empty()) a.run = [&a] { return back_up(a.settings, a.name); };
    });

    auto list =
        add(*backup, "list", "List the copies, and to which moments they reach.", "dunlin backup list");
    add_from(list, a);
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_backup(a.settings, a.other); });

    auto verify =
        add(*backup,
            "verify",
            "Restore it aside, look at all of it, and write down what was found.",
            "dunlin backup verify --from /mnt/backup/dunlin");
    verify->add_option("at", a.format, "As it was then; otherwise as late as it reaches.")->type_name("AT");
    add_from(verify, a);
    add_options(verify, a, false);
    add_json(verify, a);
    on(verify, a, [&a] { return verify_backup(a.settings, a.other, a.format); });

    auto prune =
        add(*backup,
            "prune",
            "Remove what backup_keep does not keep.",
            "dunlin backup prune --from /mnt/backup/dunlin");
    add_from(prune, a);
    add_options(prune, a, false);
    add_json(prune, a);
    on(prune, a, [&a] { return prune_backup(a.settings, a.other); });

    auto key = add(
        *backup, "key", "Make a key for backup_key, with which a backup is encrypted.", "dunlin backup key"
    );
    add_json(key, a);
    on(key, a, [&a] { return make_backup_key(a.settings); });
    add_restore(app, a);
}

}  // namespace server
