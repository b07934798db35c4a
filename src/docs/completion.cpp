// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/join.hpp"
#include "config/config_table.hpp"
#include "docs/command.hpp"

#include <map>

namespace server {

namespace {

using Words = std::vector<std::string>;

// The words that may follow each beginning of a command, with their meaning: "" to "account", "account" to
// "create".
using Steps = std::map<std::string, std::map<std::string, std::string>>;

Steps steps_of(std::span<const Command> commands) {
    Steps steps;
    for (const auto& command : commands) {
        std::size_t end = 0;
        for (std::size_t at = 0; end != command.name.npos; at = end + 1) {
            end = command.name.find(' ', at);
            const auto before = at == 0 ? "" : command.name.substr(0, at - 1);
            auto& what = steps[before][command.name.substr(at, end == command.name.npos ? end : end - at)];
            what = end == command.name.npos ? command.what : "";
        }
    }
    return steps;
}

// The flags of all commands that take configuration options, with descriptions.
std::vector<Flag> flags_of_options() {
    std::vector<Flag> all{{"--config", "FILE", "File of options."}};
    for (const auto& option : options()) {
        const auto name = flag_name(option);
        const std::string help(option.help);
        all.push_back({name, is_switch(option) ? "" : "VALUE", help});
        if (is_switch(option)) all.push_back({"--no-" + name.substr(2), "", help});
    }
    return all;
}

std::string names_of(const std::vector<Flag>& flags) {
    Words names;
    for (const auto& flag : flags)
        if (flag.named()) names.push_back(flag.name);
    return base::text::joined(names, " ");
}

// Quoted for a shell.
std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

// Walks the command words of the line as far as they are known; for bash and zsh.
std::string walk(const Steps& steps) {
    std::string code = "        case \"$at $word\" in\n            ";
    bool first = true;
    for (const auto& [before, next] : steps)
        for (const auto& [word, what] : next) {
            code += (first ? "" : "|") + in_quotes(before + " " + word);
            first = false;
        }
    return code + ") at=\"${at:+$at }$word\" ;;\n        esac\n";
}

std::string candidates(const Steps& steps, std::span<const Command> commands) {
    std::string code = "    case \"$at\" in\n";
    for (const auto& [before, next] : steps) {
        Words words;
        for (const auto& [word, what] : next) words.push_back(word);
        code +=
            "        " + in_quotes(before) + ") found=" + in_quotes(base::text::joined(words, " ")) + " ;;\n";
    }
    for (const auto& command : commands)
        code += "        " + in_quotes(command.name) + ") found=" + in_quotes(names_of(command.flags)) +
                (command.takes_options ? "\" $options\"" : "") + " ;;\n";
    return code + "    esac\n    found+=' --help'\n";
}

std::string for_bash(std::span<const Command> commands) {
    const auto steps = steps_of(commands);
    return "# Completion of dunlin in bash, made by `dunlin completion bash`.\n_dunlin() {\n"
           "    local at='' found='' word current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
           "    local options=" +
           in_quotes(names_of(flags_of_options())) +
           "\n    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" + walk(steps) + "    done\n" +
           candidates(steps, commands) +
           "    COMPREPLY=($(compgen -W \"$found\" -- \"$current\"))\n"
           "}\ncomplete -o bashdefault -o default -F _dunlin dunlin\n";
}

std::string for_zsh(std::span<const Command> commands) {
    const auto steps = steps_of(commands);
    return "#compdef dunlin\n# Completion of dunlin in zsh, made by `dunlin completion zsh`.\n"
           "local at='' found='' word\nlocal options=" +
           in_quotes(names_of(flags_of_options())) + "\nfor word in \"${(@)words[2,CURRENT-1]}\"; do\n" +
           walk(steps) + "done\n" + candidates(steps, commands) +
           "compadd -- ${=found}\n[[ $words[CURRENT] == -* ]] || _files\n";
}

std::string line_of_fish(const std::string& at, const std::string& rest, std::string_view what) {
    return "complete -c dunlin -n " + in_quotes("test (__dunlin_at) = " + in_quotes(at)) + " " + rest +
           " -d " + in_quotes(what) + "\n";
}

std::string flag_of_fish(const std::string& at, const Flag& flag) {
    if (!flag.named()) return "";
    return line_of_fish(at, "-l " + flag.name.substr(2) + (flag.value.empty() ? "" : " -r"), flag.help);
}

std::string for_fish(std::span<const Command> commands) {
    const auto steps = steps_of(commands);
    Words known;
    for (const auto& [before, next] : steps)
        for (const auto& [word, what] : next) known.push_back(in_quotes(before + " " + word));
    std::string code =
        "# Completion of dunlin in fish, made by `dunlin completion fish`.\n"
        "function __dunlin_at\n    set -l at ''\n    for word in (commandline -opc)[2..-1]\n"
        "        if contains -- \"$at $word\" " +
        base::text::joined(known, " ") +
        "\n            set at (string trim \"$at $word\")\n        end\n    end\n    echo \"$at\"\nend\n"
        "complete -c dunlin -l help -d 'Say what it takes.'\n";
    for (const auto& [before, next] : steps)
        for (const auto& [word, what] : next) code += line_of_fish(before, "-f -a " + word, what);
    for (const auto& command : commands)
        for (const auto& flag : command.flags) code += flag_of_fish(command.name, flag);
    Words with_options;
    for (const auto& command : commands)
        if (command.takes_options) with_options.push_back(in_quotes(command.name));
    for (const auto& flag : flags_of_options())
        code += "complete -c dunlin -n " +
                in_quotes("contains -- (__dunlin_at) " + base::text::joined(with_options, " ")) + " -l " +
                flag.name.substr(2) + (flag.value.empty() ? "" : " -r") + " -d " + in_quotes(flag.help) +
                "\n";
    return code;
}

}  // namespace

std::optional<std::string> completion(std::string_view shell, std::span<const Command> commands) {
    if (shell == "bash") return for_bash(commands);
    if (shell == "zsh") return for_zsh(commands);
    if (shell == "fish") return for_fish(commands);
    return std::nullopt;
}

}  // namespace server
