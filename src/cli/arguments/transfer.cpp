// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands that export and import a person's posts.
#include "cli/arguments/command_line.hpp"

namespace server {

void add_transfer(CLI::App& accounts, Arguments& a) {
    auto taken =
        add(accounts,
            "export",
            "Write all that somebody posted, with media, likes and lists, into one zip file.",
            "dunlin account export alice --to alice.zip");
    taken->add_option("name", a.name, "User name.")->required()->type_name("NAME");
    taken->add_option("--to", a.other, "The file to write.")->required()->type_name("FILE");
    add_options(taken, a, false);
    add_json(taken, a);
    on(taken, a, [&a] { return export_account(a.settings, a.name, a.other); });

    auto brought = add(
        accounts,
        "import",
        "Make posts of those in an archive of Mastodon or Dunlin, or go on where that broke off; nobody is "
        "told.",
        "dunlin account import alice archive.zip"
    );
    brought->add_option("name", a.name, "User name.")->required()->type_name("NAME");
    brought->add_option("file", a.other, "The zip file.")->required()->type_name("FILE");
    add_options(brought, a, false);
    add_json(brought, a);
    on(brought, a, [&a] { return import_account(a.settings, a.name, a.other); });
}

}  // namespace server
