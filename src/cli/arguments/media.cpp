// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands for media and for pruning remote content.
#include "cli/arguments/command_line.hpp"

namespace server {

void add_media(CLI::App& app, Arguments& a) {
    auto media =
        add(app, "media", "Where media are, and copies of pictures of other servers.", "dunlin media usage");
    media->require_subcommand(1);
    auto usage = add(*media, "usage", "Say how much room they take.", "dunlin media usage --most 20480");
    usage->add_option("--most", a.most_megabytes, "From now on let them take so many megabytes.")
        ->type_name("MB");
    add_options(usage, a, false);
    add_json(usage, a);
    on(usage, a, [&a] { return show_media_usage(a.settings, a.most_megabytes); });

    auto prune =
        add(*media, "prune", "Remove those not looked at for longest.", "dunlin media prune --to 1024");
    prune->add_option("--to", a.megabytes, "Until all take no more than so many megabytes.")
        ->required()
        ->type_name("MB");
    add_options(prune, a, false);
    add_json(prune, a);
    on(prune, a, [&a] { return prune_media(a.settings, a.megabytes); });

    auto purge =
        add(*media,
            "purge-hash",
            "Remove a picture from wherever it is, and refuse it from now on.",
            "dunlin media purge-hash --kind sha256 HASH");
    purge->add_option("hash", a.purge_hash.hash, "64 hexadecimal digits.")->required()->type_name("HASH");
    purge->add_option("--kind", a.purge_hash.kind, "pdq: of what it looks like; sha256: of its bytes.")
        ->check(CLI::IsMember({"pdq", "sha256"}))
        ->type_name("KIND");
    purge
        ->add_option(
            "--distance",
            a.purge_hash.distance,
            "By how many of 256 bits it may look different; 31 unless given."
        )
        ->check(CLI::Range(0, 64))
        ->type_name("BITS");
    purge->add_flag("--dry-run", a.purge_hash.dry_run, "Say what would be removed.");
    add_options(purge, a, false);
    add_json(purge, a);
    on(purge, a, [&a] { return purge_hash(a.settings, a.purge_hash); });

    auto migrate =
        add(*media,
            "migrate",
            "Copy all files into the bucket or the folder, beside a running server; a second run goes on.",
            "dunlin media migrate --to s3");
    migrate->add_option("--to", a.media.to, "Where they shall be: s3 or folder.")
        ->required()
        ->check(CLI::IsMember({"s3", "folder"}))
        ->type_name("PLACE");
    migrate->add_flag("--dry-run", a.media.dry_run, "Say what would be copied.");
    migrate->add_flag("--remove", a.media.remove, "Remove each where it was, once its copy was verified.");
    add_options(migrate, a, false);
    add_json(migrate, a);
    on(migrate, a, [&a] { return migrate_media(a.settings, a.media); });
}

void add_prune(CLI::App& app, Arguments& a) {
    auto prune =
        add(app,
            "prune",
            "Remove now what came from other servers and the rules let go, or say what takes room and what "
            "would go.",
            "dunlin prune --dry-run\n  dunlin prune --dry-run --days 90 --json");
    prune->add_flag(
        "--dry-run", a.prune.dry_run, "Change nothing; say what takes room, by kind and by server."
    );
    prune->add_option("--days", a.prune.days, "With --dry-run: as if remote_posts_days were that.")
        ->check(CLI::Range(1, 36'500))
        ->type_name("DAYS");
    add_options(prune, a, false);
    add_json(prune, a);
    on(prune, a, [&a] { return server::prune(a.settings, a.prune); });
}

}  // namespace server
