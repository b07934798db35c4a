// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels from the command line.
#include <gmock/gmock.h>

#include "server/program.hpp"

namespace {

using testing::ContainsRegex, testing::HasSubstr;

struct LabelCommands : Program {
    void refused(const std::string& command, const std::string& why) {
        auto answer = run(command);
        EXPECT_NE(answer.status, 0) << command;
        EXPECT_THAT(answer.err, HasSubstr(why)) << command;
    }
};

TEST_F(LabelCommands, make_labels_and_put_them_on_what_is_there) {
    ASSERT_EQ(run("migrate").status, 0);
    EXPECT_THAT(
        run("label create joke --text 'A joke' --effect warn --json").out,
        HasSubstr(R"("name":"joke","title":"A joke","effect":"warn")")
    );
    EXPECT_EQ(run("label change joke --effect none").status, 0);
    EXPECT_THAT(run("label list").out, ContainsRegex("joke +none +A joke"));
    EXPECT_EQ(run("label put joke --server Far.example").status, 0);
    EXPECT_EQ(run("label take joke --server far.example").status, 0);
    refused("label take joke --server far.example", "does not bear the label");
    refused("label change joke", "--text or --effect");
    refused("label change other --effect none", "`dunlin label list`");
    refused("label put joke", "--account, --post and --server");
    refused("label put joke --account nobody", "no account");
    refused("label put joke --post 12", "no post 12");
    EXPECT_EQ(run("label delete joke --yes").status, 0);
    EXPECT_EQ(run("label list --json").out, "[]\n");
}

}  // namespace
