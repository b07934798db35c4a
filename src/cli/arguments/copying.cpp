// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands that copy a database row by row.
#include "cli/arguments/command_line.hpp"

namespace server {

void add_copying(CLI::App& app, Arguments& a) {
    auto dump =
        add(app,
            "dump",
            "Write the whole database as portable text, beside a running server or without one.",
            "dunlin dump /mnt/stick/dunlin.dump");
    dump->add_option("to", a.name, "File, which is made; - for what is piped out.")
        ->required()
        ->type_name("TO");
    add_options(dump, a, false);
    add_json(dump, a);
    on(dump, a, [&a] { return dump_database(a.settings, a.name); });

    auto load =
        add(app,
            "load",
            "Read such a text into an empty database of either engine, and compare all of it.",
            "dunlin load /mnt/stick/dunlin.dump --database postgres://dunlin@localhost/dunlin");
    load->add_option("from", a.name, "File; - for what is piped in.")->required()->type_name("FROM");
    add_options(load, a, false);
    add_json(load, a);
    on(load, a, [&a] { return load_database(a.settings, a.name); });

    auto move =
        add(app,
            "migrate-to",
            "Copy the database into an empty one of the other engine, beside the running server.",
            "dunlin migrate-to postgres://dunlin:PASSWORD@127.0.0.1/dunlin");
    auto to = move->add_option("to", a.name, "postgres://USER:PASSWORD@HOST/NAME, or sqlite:FOLDER.")
                  ->type_name("TO");
    auto check = move->add_flag("--check", a.check, "Copy nothing: compare what is in both, table by table.");
    check->needs(to);
    auto forget = move->add_flag(
        "--forget", a.offline, "Remove what a run that was killed has left in the database here."
    );
    forget->excludes(to);
    add_options(move, a, false);
    add_json(move, a);
    on(move, a, [&a] {
        if (a.offline) return forget_move(a.settings);
        if (a.name.empty())
            throw Refused("Say where to: postgres://USER:PASSWORD@HOST/NAME, or sqlite:FOLDER");
        return a.check ? compare_with(a.settings, a.name) : migrate_to(a.settings, a.name);
    });
}

}  // namespace server
