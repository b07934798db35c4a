// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/server_lists/list_lines.hpp"

#include <gmock/gmock.h>

namespace {

using instance::Severity;
using moderation::ListFormat, moderation::ServerList;
using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

ServerList read(std::string_view text) {
    return moderation::read_server_list(text, Severity::suspend, "here.example");
}

std::vector<std::string> domains(const ServerList& list) {
    std::vector<std::string> out;
    for (const auto& one : list.rules) out.push_back(one.domain);
    return out;
}

std::vector<std::string> reasons(const ServerList& list) {
    std::vector<std::string> out;
    for (const auto& one : list.refused) out.push_back(std::to_string(one.line) + ": " + one.reason);
    return out;
}

TEST(ListLines, of_csv_are_told_by_their_columns) {
    auto list = read("#domain,#severity,#public_comment\nBad.Example.,silence,\"a, b\"\nb.example,,\n");
    EXPECT_EQ(list.format, ListFormat::csv);
    EXPECT_THAT(domains(list), ElementsAre("bad.example", "b.example"));
    EXPECT_EQ(list.rules[0].severity, Severity::silence);
    EXPECT_EQ(list.rules[0].public_comment, "a, b");
    EXPECT_EQ(list.rules[1].severity, Severity::suspend);
    EXPECT_EQ(list.rules[1].public_comment, std::nullopt);
}

TEST(ListLines, of_csv_need_no_heading) {
    auto list = read("a.example,noop,true,False\n");
    EXPECT_EQ(list.rules[0].severity, Severity::noop);
    EXPECT_TRUE(list.rules[0].reject_media);
    EXPECT_FALSE(list.rules[0].reject_reports);
}

TEST(ListLines, of_text_hold_a_domain_each) {
    auto list = read("# from a friend\n\na.example\r\n  müller.example # known for spam\n");
    EXPECT_EQ(list.format, ListFormat::text);
    EXPECT_THAT(domains(list), ElementsAre("a.example", "xn--mller-kva.example"));
    EXPECT_THAT(list.refused, IsEmpty());
}

TEST(ListLines, of_json_are_what_an_instance_tells) {
    auto list = read(
        R"([{"domain":"a.example","digest":"x","severity":"silence","comment":"why"},
            {"domain":"b**.example","digest":"y","severity":"suspend","comment":null}, 7, "c.example"])"
    );
    EXPECT_EQ(list.format, ListFormat::json);
    EXPECT_THAT(domains(list), ElementsAre("a.example", "c.example"));
    EXPECT_EQ(list.rules[0].public_comment, "why");
    EXPECT_EQ(read(R"([{"domain":"a.example","comment":"a\u0000b"}])").rules[0].public_comment, "ab");
    EXPECT_THAT(
        reasons(list), ElementsAre("2: A part of the name is hidden", "3: It is not a valid domain name")
    );
}

TEST(ListLines, that_cannot_be_taken_say_why) {
    auto list = read(
        "#domain,#severity\na.example,\nA.example,\nexample,\nhere.example,\nx.example,ban\nhttp://b.example/"
        ",\n"
    );
    EXPECT_THAT(domains(list), ElementsAre("a.example"));
    EXPECT_THAT(
        reasons(list),
        ElementsAre(
            "3: It is in the list already",
            "4: It is not a valid domain name",
            "5: It is this server, or one above it",
            "6: Its severity is none of silence, suspend and noop",
            "7: It is not a valid domain name"
        )
    );
}

TEST(ListLines, are_so_many_at_most) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "s" + std::to_string(i) + ".example\n";
    EXPECT_THAT(read(text).rules, SizeIs(20'000));
    EXPECT_THROW(read(text + "one.more.example\n"), base::Invalid);
    EXPECT_THROW(read("\xFF\xFE"), base::Invalid);
    EXPECT_THROW(read("\"never ends,"), base::Invalid);
    EXPECT_THROW(read(" \n# nothing\n"), base::Invalid);
}

}  // namespace
