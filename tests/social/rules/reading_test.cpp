// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/program.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

TEST(RuleReading, takes_words_and_hosts_out_of_what_we_keep) {
    auto read = rules::read_html(
        R"(<p>One<br />two &amp; <b>thr</b>ee <a href="https://u@Shop.Example.:8443/a?b" rel="nofollow">x</a></p>)"
        R"(<p><a href="https://far.example/@a" class="u-url mention">@<span>a</span></a> )"
        R"(<a href="https://here.example/tags/b" class="mention hashtag" rel="tag">#<span>b</span></a></p>)"
    );
    EXPECT_THAT(read.links, ElementsAre("shop.example"));
    EXPECT_THAT(rules::words_of(read.text), ElementsAre("one", "two", "three", "x", "a", "b"));
}

TEST(RuleReading, bears_what_is_broken) {
    EXPECT_THAT(rules::read_html("<p>a <a href=\"https://x").links, IsEmpty());
    EXPECT_EQ(rules::read_html("a < b &amp").text, "a ");
    EXPECT_THAT(rules::read_html("<a>x</a><a href=\"mailto:a\">y</a>").links, IsEmpty());
}

TEST(RuleReading, sees_through_case_accents_hidden_signs_and_letters_of_other_scripts) {
    EXPECT_THAT(rules::words_of("CÁSINO"), ElementsAre("casino"));
    EXPECT_THAT(rules::words_of("cas\u200bino"), ElementsAre("casino"));
    EXPECT_THAT(rules::words_of("c\u0430sin\u043e"), ElementsAre("casino"));
    EXPECT_THAT(rules::words_of("\uff43\uff41\uff53\uff49\uff4e\uff4f"), ElementsAre("casino"));
    // A word of one script stays what it is.
    EXPECT_THAT(rules::words_of("казино"), ElementsAre("казино"));
}

TEST(RuleReading, reads_what_was_laid_out_for_people_as_it_was) {
    auto kept = rules::json(rules::read_definition(
        R"({"name":"A \"b\"","if":[{"field":"text","op":"contains_word","values":["c","d"]},{"field":"links","op":">","values":[2]}],)"
        R"("then":[{"act":"report"}]})"
    ));
    auto shown = rules::laid_out(kept);
    EXPECT_THAT(shown, testing::HasSubstr("\n  \"name\": \"A \\\"b\\\"\",\n"));
    EXPECT_THAT(
        shown,
        testing::HasSubstr("\n  \"if\": [\n    {\"field\": \"text\", \"op\": \"contains_word\", \"values\": "
                           "[\"c\", \"d\"]},\n    {")
    );
    EXPECT_EQ(rules::json(rules::read_definition(shown)), kept);
}

}  // namespace
