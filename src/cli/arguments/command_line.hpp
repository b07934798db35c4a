// SPDX-License-Identifier: AGPL-3.0-or-later
// Shared by the files that parse arguments into commands. Only they include CLI11, which is slow to compile.
#pragma once
#include "cli/commands.hpp"
#include "config/config_table.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <list>
#include <set>

namespace server {

// The parsed arguments; one of each, because only one command runs.
struct Arguments {
    Settings settings;
    std::list<std::pair<const Option*, Words>> options;
    std::set<const CLI::App*> take_options;  // the commands that take configuration options
    NewAccount new_account;
    AccountChange change;
    NewToken token;
    NewEmoji emoji;
    EmojiImport emoji_import;
    NewAnnouncement announcement;
    NewInvite invite;
    NewServerRule rule;
    ListOrder list;
    SourceOrder source;
    RuleOrder judging;
    HoldOrder held;
    WordsOrder words;
    LabelOrder label;
    TransparencyOrder transparency;
    NewRole role;
    ReportList reports;
    RestoreOrder restore;
    MediaMoveOrder media;
    TakeoverOrder takeover;
    DoctorOrder doctor;
    SetupOrder setup;
    SettingOrder setting;
    std::string name, other, format, out = "docs";
    std::int64_t megabytes = 0;
    PurgeHash purge_hash;
    PruneOrder prune;
    std::optional<std::int64_t> most_megabytes;
    bool check = false, offline = false, once = false, rehearsal = false;
    std::function<int()> run;
};

// Sets the function to run after parsing, so that its errors are not treated as CLI11's.
void on(CLI::App*, Arguments&, std::function<int()> run);
CLI::App* add(CLI::App& parent, const char* name, const char* what, const std::string& example);
void add_json(CLI::App*, Arguments&);
// Every command accepts every option; all but `serve` list only those that locate the server's data.
void add_options(CLI::App*, Arguments&, bool all);

// staff.cpp
void add_warning(CLI::App& accounts, Arguments&);
void add_staff(CLI::App&, Arguments&);
// transfer.cpp
void add_transfer(CLI::App& accounts, Arguments&);
// emojis.cpp
void add_emojis(CLI::App&, Arguments&);
// docs.cpp
void add_docs(CLI::App& app, Arguments&);
// lists.cpp
void add_server_lists(CLI::App&, Arguments&);
void add_list_sources(CLI::App& of_lists, Arguments&);
// media.cpp
void add_media(CLI::App&, Arguments&);
void add_prune(CLI::App&, Arguments&);
// rules.cpp
void add_judging_rules(CLI::App&, Arguments&);
void add_holding(CLI::App&, Arguments&);
void add_words(CLI::App&, Arguments&);
void add_transparency(CLI::App&, Arguments&);
// labels.cpp
void add_labels(CLI::App&, Arguments&);
// nodes.cpp
void add_nodes(CLI::App&, Arguments&);
void add_top(CLI::App&, Arguments&);
void add_tune(CLI::App&, Arguments&);
void add_certificate(CLI::App&, Arguments&);
void add_pauses(CLI::App&, Arguments&);
void add_maintenance(CLI::App&, Arguments&);
// copying.cpp
void add_copying(CLI::App&, Arguments&);
void add_jobs(CLI::App&, Arguments&);
// setup.cpp
void add_setup(CLI::App&, Arguments&);
// takeover.cpp
void add_takeover(CLI::App&, Arguments&);
// backup.cpp
void add_backup(CLI::App&, Arguments&);

}  // namespace server
