// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/program.hpp"

#include "base/text/words.hpp"
#include "world.hpp"

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

TEST(RuleReading, has_the_words_of_a_search_index) {
    const std::string long_word(100, 'x');
    for (const std::string text :
         {"",
          " \n ",
          "Hello, World! it's 4you_and-me",
          "caf\u00e9 au lait \u2014 s'il vous pla\u00eet\nplain again",
          "a \u0301b e\u0301 \u00a8 c",
          "\u6771\u4eac\u30bf\u30ef\u30fc and \u6771 \u4eac",
          "one\u00a0two\u200bthree \ufb01ve \U0001f426 six"})
        EXPECT_EQ(rules::words_of(text), base::text::words(text)) << text;
    EXPECT_EQ(rules::words_of(long_word + " b"), base::text::words(long_word + " b"));
}

struct ManyEntries : OnEachWorld {};
ON_EACH_DATABASE(ManyEntries);

// Each is found, and what only begins like one of them is not.
TEST_P(ManyEntries, are_told_apart) {
    std::vector<rules::Program::Entry> entries;
    for (int n = 0; n < 300; ++n) {
        rules::Definition rule;
        rules::Condition said{rules::FieldId::text, rules::Op::contains_word};
        for (int i = 0; i < 5; ++i) said.values.push_back("free " + std::to_string(n * 5 + i) + " birds");
        rule.all_of = {said};
        rule.then = {{statuses::RuleAct::report, {}}};
        rule.everyone = true;
        entries.push_back({{n + 1}, 1, true, rule});
    }
    const rules::Program program(std::move(entries));
    w.read([&](db::Read& db) {
        auto rules_found = [&](const std::string& html) {
            statuses::Candidate post;
            post.html = html;
            rules::Facts facts(db, post);
            std::vector<std::int64_t> out;
            for (const auto& hit : program.judge(post, facts, db.now()).hits) out.push_back(hit.rule);
            return out;
        };
        for (int n = 0; n < 1500; n += 7)
            EXPECT_THAT(
                rules_found("<p>so FREE " + std::to_string(n) + " birds</p>"), ElementsAre(n / 5 + 1)
            );
        EXPECT_THAT(rules_found("<p>free 7 birds, free 8 bird</p>"), ElementsAre(2));
        EXPECT_THAT(rules_found("<p>free birds free 1500 birds 7 free</p>"), IsEmpty());
    });
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
