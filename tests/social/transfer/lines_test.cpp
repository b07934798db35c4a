// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/lines.hpp"

#include "base/errors.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using testing::ElementsAre, testing::IsEmpty;
using transfer::Kind, transfer::Line, transfer::read_csv, transfer::read_lines, transfer::Row;

TEST(Csv, is_read_as_it_is_written) {
    for (const auto& row :
         {Row{"a", "b"}, Row{"", "x", ""}, Row{"a,b", "say \"no\""}, Row{"two\nlines", "ü"}, Row{"\"", ","}})
        EXPECT_THAT(read_csv(transfer::csv_line(row), 1), ElementsAre(row));
}

TEST(Csv, may_come_from_any_system) {
    EXPECT_THAT(
        read_csv(
            "\xEF\xBB\xBF"
            "a,b\r\nc,d",
            9
        ),
        ElementsAre(Row{"a", "b"}, Row{"c", "d"})
    );
    EXPECT_THAT(read_csv("a\n\n\r\nb\n", 9), ElementsAre(Row{"a"}, Row{"b"}));
    EXPECT_THAT(read_csv("a,\n,b", 9), ElementsAre(Row{"a", ""}, Row{"", "b"}));
    EXPECT_THAT(read_csv("\"a\"b,c", 9), ElementsAre(Row{"ab", "c"}));
    EXPECT_THAT(read_csv("", 9), IsEmpty());
}

TEST(Csv, tells_its_separator_by_its_first_line) {
    using base::text::csv_separator;
    EXPECT_EQ(csv_separator("a;b;c,d\n"), ',');
    EXPECT_EQ(csv_separator("\r\na;b\nc,d\n"), ';');
    EXPECT_EQ(csv_separator("\"a,b\n\"\"c\";d\n"), ';');
    EXPECT_EQ(csv_separator("a\tb\n"), '\t');
    EXPECT_EQ(csv_separator("a\tb;c\n"), ';');
    EXPECT_EQ(csv_separator("a\nb;c\n"), ',');
    EXPECT_EQ(csv_separator(""), ',');
    EXPECT_EQ(csv_separator("\"a;b"), ',');
    EXPECT_THAT(read_csv("a;\"b;c\";\n;d,e\n", 9, ';'), ElementsAre(Row{"a", "b;c", ""}, Row{"", "d,e"}));
}

TEST(Csv, is_refused_where_it_is_none) {
    EXPECT_THROW(read_csv("\"never ends", 9), base::Invalid);
    EXPECT_THROW(
        read_csv(
            "\xff\xfe"
            "a",
            9
        ),
        base::Invalid
    );
    EXPECT_THROW(read_csv(std::string_view("a\0b", 3), 9), base::Invalid);
    EXPECT_THAT(read_csv("a\nb\n\"never", 2), ElementsAre(Row{"a"}, Row{"b"}));  // no further than asked for
}

TEST(LinesOfFiles, are_told_by_their_heading_or_by_their_place) {
    auto found = read_lines(
        Kind::following,
        "Languages,Account address,Show boosts,Notify on new posts\n\"de, xx, en\", @bob@far.example "
        ",false,TRUE\n"
    );
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].what, "bob@far.example");
    EXPECT_FALSE(found[0].reblogs);
    EXPECT_TRUE(found[0].notify);
    EXPECT_THAT(found[0].languages, ElementsAre("de", "en"));
    auto bare = read_lines(Kind::following, "bob@far.example\n,\ncarol@far.example,true,false,\n");
    ASSERT_EQ(bare.size(), 2u);
    EXPECT_TRUE(bare[0].reblogs);
    EXPECT_FALSE(bare[0].notify);
    EXPECT_EQ(read_lines(Kind::lists, "Friends,bob@far.example")[0].list, "Friends");
    EXPECT_EQ(
        read_lines(Kind::domain_blocking, "#domain,#severity\nbad.example,suspend")[0].what, "bad.example"
    );
    EXPECT_FALSE(
        read_lines(Kind::muting, "Account address,Hide notifications\na@b.example,f")[0].hide_notifications
    );
}

TEST(LinesOfFiles, are_read_as_spreadsheets_write_them_back) {
    for (const char separator : {',', ';', '\t'}) {
        std::string csv =
            " ACCOUNT ADDRESS |show boosts|Notify On New Posts|languages\nbob@far.example|||\n"
            "carol@far.example|FALSE|True|de\n";
        std::ranges::replace(csv, '|', separator);
        const auto found = read_lines(Kind::following, csv, true);
        ASSERT_EQ(found.size(), 2u);
        EXPECT_EQ(found[0].what, "bob@far.example");
        EXPECT_TRUE(found[0].reblogs);
        EXPECT_FALSE(found[0].notify);
        EXPECT_FALSE(found[1].reblogs);
        EXPECT_TRUE(found[1].notify);
        EXPECT_THAT(found[1].languages, ElementsAre("de"));
    }
    EXPECT_TRUE(
        read_lines(Kind::muting, "Account address,Hide notifications\na@b.example, \n")[0].hide_notifications
    );
    EXPECT_EQ(read_lines(Kind::bookmarks, "https://far.example/a;b\n")[0].what, "https://far.example/a;b");
}

TEST(LinesOfFiles, of_which_the_first_says_nothing_replace_nothing) {
    for (auto [kind, csv] :
         {std::pair(Kind::following, "Konto,Boosts\nbob@far.example,true\n"),
          std::pair(Kind::lists, "Liste,Konto\nFriends,bob@far.example\n"),
          std::pair(Kind::domain_blocking, "Domains\nbad.example\n"),
          std::pair(Kind::bookmarks, "Links\nhttps://far.example/1\n")}) {
        EXPECT_THROW(read_lines(kind, csv, true), base::Invalid) << csv;
        EXPECT_EQ(read_lines(kind, csv).size(), 2u) << csv;
    }
    for (auto [kind, csv] :
         {std::pair(Kind::blocking, "@bob@far.example\n"),
          std::pair(Kind::lists, "Friends,bob@far.example\n"),
          std::pair(Kind::domain_blocking, "bad.example\n"),
          std::pair(Kind::bookmarks, "https://far.example/1\n")})
        EXPECT_EQ(read_lines(kind, csv, true).size(), 1u) << csv;
}

TEST(LinesOfFiles, come_back_as_they_went) {
    Line line;
    line.what = "bob@far.example";
    line.list = "Near, and \"dear\"";
    line.reblogs = false;
    line.notify = true;
    line.hide_notifications = false;
    line.languages = {"de", "pt"};
    for (auto kind : {Kind::following, Kind::lists, Kind::muting, Kind::blocking}) {
        auto again = read_lines(kind, transfer::heading(kind) + transfer::csv_of(kind, line));
        ASSERT_EQ(again.size(), 1u);
        EXPECT_EQ(transfer::csv_of(kind, again[0]), transfer::csv_of(kind, line));
    }
}

TEST(LinesOfFiles, are_some_and_not_too_many) {
    EXPECT_THROW(read_lines(Kind::following, ""), base::Invalid);
    EXPECT_THROW(read_lines(Kind::following, "Account address,Show boosts\n"), base::Invalid);
    EXPECT_THROW(read_lines(Kind::lists, "bob@far.example\n"), base::Invalid);
    std::string many;
    for (std::size_t i = 0; i < transfer::most_lines; ++i) many += "a@b.example\n";
    EXPECT_EQ(read_lines(Kind::blocking, many).size(), transfer::most_lines);
    EXPECT_EQ(read_lines(Kind::blocking, "Account address\n" + many).size(), transfer::most_lines);
    EXPECT_THROW(read_lines(Kind::blocking, many + "a@b.example\n"), base::Invalid);
}

}  // namespace
