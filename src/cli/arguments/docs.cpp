// SPDX-License-Identifier: AGPL-3.0-or-later
// The arguments of the commands that document the program, and its commands as data.
#include "base/site.hpp"
#include "cli/arguments/command_line.hpp"
#include "docs/command.hpp"

namespace server {

namespace {

Flag flag_of(const CLI::Option& option) {
    Flag flag;
    flag.help = option.get_description();
    flag.required = option.get_required();
    const auto& names = option.get_lnames();
    const bool takes_value = option.get_items_expected_max() > 0;
    if (names.empty()) flag.name = option.get_type_name();
    else flag.name = "--" + names.front();
    if (!names.empty() && takes_value) flag.value = option.get_type_name();
    return flag;
}

void gather(const CLI::App& at, const std::string& path, const Arguments& a, std::vector<Command>& found) {
    const auto below = at.get_subcommands(std::function<bool(const CLI::App*)>());
    for (const auto* one : below)
        gather(*one, path.empty() ? one->get_name() : path + " " + one->get_name(), a, found);
    if (!below.empty()) return;
    Command command{path, at.get_description(), at.get_footer(), {}, a.take_options.contains(&at)};
    constexpr std::string_view before = "Example:\n  ";
    if (auto start = command.example.find(before); start != std::string::npos)
        command.example.erase(0, start + before.size());
    for (const auto* option : at.get_options(std::function<bool(const CLI::Option*)>()))
        if (option != at.get_help_ptr()) command.flags.push_back(flag_of(*option));
    found.push_back(std::move(command));
}

std::vector<Command> commands_of(const CLI::App& app, const Arguments& a) {
    std::vector<Command> found;
    gather(app, "", a, found);
    return found;
}

int write_manual(const std::string& folder, const std::vector<Command>& commands) {
    const std::string version = base::Site{}.version;
    return write_pages(
        folder,
        {{"dunlin.1", man_page(commands, version)}, {"dunlin.toml.5", man_page_of_configuration(version)}}
    );
}

}  // namespace

void add_docs(CLI::App& app, Arguments& a) {
    auto docs =
        add(app,
            "docs",
            "Write docs/api.md and docs/config.md, or manual pages, from the program's tables.",
            "dunlin docs --check");
    docs->add_option("--out", a.out, "Folder of the pages.")->type_name("DIR");
    docs->add_flag("--check", a.check, "Only compare; status 1 when they differ.");
    docs->add_option("--man", a.name, "Write dunlin.1 and dunlin.toml.5 into this folder instead.")
        ->type_name("DIR");
    on(docs, a, [&a, &app] {
        return a.name.empty() ? write_docs(a.out, a.check) : write_manual(a.name, commands_of(app, a));
    });

    auto shells =
        add(app,
            "completion",
            "Print what makes a shell complete the commands and options of this program.",
            "dunlin completion bash > /etc/bash_completion.d/dunlin");
    shells->add_option("shell", a.name, "bash, zsh or fish.")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("SHELL");
    on(shells, a, [&a, &app] { return print_text(completion(a.name, commands_of(app, a)).value()); });

    auto health =
        add(app,
            "health",
            "Ask the server that runs here whether it can do its work; status 1 when not.",
            "dunlin health --data /var/lib/dunlin");
    add_options(health, a, false);
    on(health, a, [&a] { return server::health(a.settings); });

    auto version = add(app, "version", "Print the version.", "dunlin version");
    add_json(version, a);
    on(version, a, [&a] { return show_version(a.settings.json); });
}

}  // namespace server
