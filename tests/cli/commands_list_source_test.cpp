// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists of servers from the command line: how far one counts.
#include <gmock/gmock.h>

#include "server/program.hpp"

#include <regex>

namespace {

using testing::ContainsRegex, testing::HasSubstr;

struct ListSourceCommands : Program {
    std::string id;

    void refused(const std::string& command, const std::string& why) {
        auto answer = run(command);
        EXPECT_NE(answer.status, 0) << command;
        EXPECT_THAT(answer.err, HasSubstr(why)) << command;
    }
    // Nothing is read while no server runs.
    void subscribe(const std::string& more) {
        ASSERT_EQ(run("migrate").status, 0);
        const auto made =
            run("list add https://lists.example/all.csv --kind list --name Theirs --json " + more);
        ASSERT_EQ(made.status, 0) << made.err;
        std::smatch found;
        ASSERT_TRUE(std::regex_search(made.out, found, std::regex(R"rx("id":"(\d+)")rx"))) << made.out;
        id = found[1];
    }
};

TEST_F(ListSourceCommands, give_a_list_a_priority_and_show_it) {
    subscribe("--priority 10");
    EXPECT_THAT(run("list sources").out, ContainsRegex("Theirs +list +block +suggest +10 "));
    EXPECT_THAT(run("list change " + id + " --priority 25").out, ContainsRegex("priority +25"));
    EXPECT_THAT(run("list change " + id + " --mode apply").out, ContainsRegex("priority +25"))
        << "what is not named stays";
    EXPECT_THAT(run("list sources " + id).out, ContainsRegex("priority +25"));
    for (const auto* wrong : {"-1", "101", "high"}) {
        EXPECT_NE(run("list change " + id + " --priority=" + wrong).status, 0) << wrong;
        EXPECT_NE(
            run("list add https://lists.example/b.csv --kind list --name B --priority=" + std::string(wrong))
                .status,
            0
        ) << wrong;
    }
    EXPECT_THAT(run("list sources --json").out, HasSubstr(R"("priority":25)"));
}

TEST_F(ListSourceCommands, give_a_list_no_priority_unless_told) {
    subscribe("");
    EXPECT_THAT(run("list sources --json").out, HasSubstr(R"("priority":0)"));
}

TEST_F(ListSourceCommands, tell_what_another_priority_would_change_without_changing_it) {
    subscribe("--priority 10");
    EXPECT_THAT(run("list change " + id + " --priority 5 --dry-run").out, HasSubstr("0 rules would change"));
    EXPECT_THAT(
        run("list change " + id + " --priority 5 --dry-run --json").out, HasSubstr(R"("domains":[])")
    );
    refused("list change " + id + " --name Other --dry-run", "--priority");
    EXPECT_THAT(run("list sources --json").out, HasSubstr(R"("priority":10)"));
}

}  // namespace
