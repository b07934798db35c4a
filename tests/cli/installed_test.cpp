// SPDX-License-Identifier: AGPL-3.0-or-later
// What is installed beside the program and made by it: manual pages, completion, a file of configuration.
#include <gmock/gmock.h>

#include "config/config_load.hpp"
#include "config/config_table.hpp"
#include "server/program.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct Installed : Program {
    // The output of a line of bash, or what was wrong with it.
    std::string bash(const std::string& line) const {
        auto pipe = ::popen(("bash -c '" + line + "' 2>&1").c_str(), "r");
        std::string out;
        char buffer[4096];
        for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
        ::pclose(pipe);
        return out;
    }
    std::string completed(const std::string& words, int current) const {
        return bash(
            "set -u; . " + (folder / "dunlin.bash").string() + "; COMP_WORDS=(dunlin " + words +
            "); COMP_CWORD=" + std::to_string(current) + "; _dunlin; echo \"${COMPREPLY[*]}\""
        );
    }
};

TEST_F(Installed, bash_completes_commands_and_flags) {
    std::ofstream(folder / "dunlin.bash") << run("completion bash").out;
    EXPECT_EQ(completed("ser", 1), "serve\n");
    EXPECT_EQ(completed("account crea", 2), "create\n");
    EXPECT_EQ(completed("account create --passw", 3), "--password\n");
    EXPECT_EQ(completed("account create alice --public-u", 4), "--public-url\n");
    EXPECT_EQ(completed("--data x account alias a", 5), "add\n");
    EXPECT_EQ(completed("completion --da", 2), "\n") << "it takes no options";
    EXPECT_EQ(run("completion tcsh").status, 2);
}

TEST_F(Installed, other_shells_read_theirs) {
    for (const std::string shell : {"zsh", "fish"}) {
        const auto file = folder / shell;
        std::ofstream(file) << run("completion " + shell).out;
        EXPECT_THAT(contents(file), HasSubstr("create"));
        if (!bash("command -v " + shell).empty()) {
            EXPECT_EQ(bash(shell + " -n " + file.string()), "");
        }
    }
}

TEST_F(Installed, fish_completes_commands_and_flags) {
    if (bash("command -v fish").empty()) GTEST_SKIP() << "fish is not installed";
    std::ofstream(folder / "ask.fish") << run("completion fish").out << "complete -C \"$argv\" | cut -f 1\n";
    auto completed = [&](const std::string& line) {
        return bash("HOME=" + folder.string() + " fish " + (folder / "ask.fish").string() + " " + line);
    };
    EXPECT_EQ(completed("dunlin ser"), "serve\n");
    EXPECT_EQ(completed("dunlin account crea"), "create\n");
    EXPECT_EQ(completed("dunlin account create --passw"), "--password\n");
    EXPECT_EQ(completed("dunlin completion --da"), "");
}

TEST_F(Installed, manual_pages_are_good_and_know_everything) {
    ASSERT_EQ(run("docs --man '" + folder.string() + "'").status, 0);
    const auto page = contents(folder / "dunlin.1"), config = contents(folder / "dunlin.toml.5");
    for (const char* said :
         {".SS dunlin account create\n", "\\fB\\-\\-email\\fR \\fIE\\fR", ".SS dunlin serve\n"})
        EXPECT_THAT(page, HasSubstr(said));
    for (const auto& option : server::options())
        EXPECT_THAT(config, HasSubstr("\\fB" + std::string(option.name) + "\\fR")) << option.name;
    for (const char* name : {"dunlin.1", "dunlin.toml.5"})
        EXPECT_EQ(
            bash("! command -v groff >/dev/null || groff -k -man -Tutf8 -ww -z " + (folder / name).string()),
            ""
        );
    EXPECT_EQ(run("docs --man /nowhere").status, 1);
}

TEST_F(Installed, the_example_says_what_holds_without_it) {
    const auto example = run("config example").out;
    EXPECT_TRUE(server::read_toml(example, "example").empty());
    std::string alive;
    std::size_t at = 0;
    for (const auto& option : server::options()) {
        const auto line = "\n#" + std::string(option.name) + " = ";
        at = example.find(line, at);
        ASSERT_NE(at, example.npos) << option.name;
        alive += example.substr(at + 2, example.find('\n', at + 1) - at - 1);
    }
    server::Config config;
    for (const auto& setting : server::read_toml(alive, "example"))
        server::set_value(config, *server::find_option(setting.name), setting.values);
    for (const auto& option : server::options())
        EXPECT_EQ(server::value_of(config, option), server::value_of(server::Config{}, option))
            << option.name;
}

}  // namespace
