// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands for custom emojis.
#include "cli/arguments/command_line.hpp"

namespace server {

namespace {

void add_create(CLI::App& emojis, Arguments& a) {
    auto create =
        add(emojis,
            "create",
            "Add a custom emoji, or give one another picture.",
            "dunlin emoji create blobcat blobcat.png --category Blobs");
    create->add_option("shortcode", a.emoji.shortcode, "Its name between the colons.")
        ->required()
        ->type_name("SHORTCODE");
    create->add_option("file", a.emoji.file, "PNG, GIF or WebP of at most 256 KiB.")
        ->required()
        ->type_name("FILE");
    create->add_option("--category", a.emoji.category, "Heading in the picker.")->type_name("C");
    add_options(create, a, false);
    add_json(create, a);
    on(create, a, [&a] { return create_emoji(a.settings, a.emoji); });
}

void add_import(CLI::App& emojis, Arguments& a) {
    auto import =
        add(emojis,
            "import",
            "Add all pictures of a folder or archive, also packs of Pleroma and Misskey; status 1 if some "
            "failed.",
            "dunlin emoji import blobs.zip --category Blobs");
    auto& order = a.emoji_import;
    import
        ->add_option(
            "from",
            order.from,
            "A folder, zip or tar.gz. Each picture is called as its file is without the ending, or as "
            "pack.json or "
            "meta.json in it says."
        )
        ->required()
        ->type_name("FILE");
    import->add_option("--category", order.category, "Heading in the picker, instead of what the pack says.")
        ->type_name("C");
    import->add_flag("--overwrite", order.overwrite, "Give those that exist the picture of the pack.");
    add_options(import, a, false);
    add_json(import, a);
    on(import, a, [&a] { return import_emojis(a.settings, a.emoji_import); });
}

}  // namespace

void add_emojis(CLI::App& app, Arguments& a) {
    auto emojis =
        add(app, "emoji", "Make and remove custom emojis.", "dunlin emoji create blobcat blobcat.png");
    emojis->require_subcommand(1);
    add_create(*emojis, a);
    add_import(*emojis, a);

    auto list = add(*emojis, "list", "List those of this site.", "dunlin emoji list --json");
    add_options(list, a, false);
    add_json(list, a);
    on(list, a, [&a] { return list_emojis(a.settings); });

    auto remove =
        add(*emojis,
            "delete",
            "Delete one with its picture; in posts its name stays as text.",
            "dunlin emoji delete blobcat --yes");
    remove->add_option("shortcode", a.name, "Its name between the colons.")
        ->required()
        ->type_name("SHORTCODE");
    remove->add_flag("--yes", a.check, "Without a question.");
    add_options(remove, a, false);
    add_json(remove, a);
    on(remove, a, [&a] { return delete_emoji(a.settings, a.name, a.check); });
}

}  // namespace server
