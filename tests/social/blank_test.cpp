// SPDX-License-Identifier: AGPL-3.0-or-later
// Text in which there is nothing to see is no text, whatever characters it is made of and wherever it is given.
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

// White space of other scripts, zero width, a filler that counts as a letter, braille without dots.
const std::vector<std::string> blanks{" \n", "\u3000", "\u00a0\u2003", "\u200b\ufeff", "\u3164", "\u2800"};

struct BlankText : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    void SetUp() override { w.happened(), w.changed(); }
    void expect_refused(const std::string& path, const Fields& fields, const std::string& error) {
        auto answer = alice.post(path, fields);
        EXPECT_EQ(answer.status, 422) << path;
        EXPECT_EQ(answer.error(), "Validation failed: " + error);
        EXPECT_EQ(w.happened() + w.changed(), "") << path;
    }
};
ON_EACH_DATABASE(BlankText);

TEST_P(BlankText, is_refused_where_text_is_needed) {
    for (const auto& blank : blanks) {
        expect_refused("/api/v1/statuses", {{"status", blank}}, "Text can't be blank");
        expect_refused("/api/v1/statuses", {{"status", ""}, {"spoiler_text", blank}}, "Text can't be blank");
        expect_refused("/api/v1/lists", {{"title", blank}}, "Title can't be blank");
        expect_refused("/api/v2/filters", {{"title", blank}, {"context[]", "home"}}, "Title can't be blank");
        EXPECT_EQ(
            alice.post("/api/v1/apps", {{"client_name", blank}, {"redirect_uris", "app://done"}}).status, 422
        );
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
}

TEST_P(BlankText, of_an_edit_is_refused) {
    auto id = alice.status("hello");
    w.happened(), w.changed();
    for (const auto& blank : blanks) {
        EXPECT_EQ(alice.put("/api/v1/statuses/" + id, {{"status", blank}}).status, 422);
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
}

TEST_P(BlankText, among_options_is_left_out) {
    for (const auto& blank : blanks) {
        Fields form{{"status", "What?"}, {"poll[expires_in]", "600"}, {"poll[options][]", "tea"}};
        form.emplace_back("poll[options][]", blank);
        EXPECT_EQ(alice.post("/api/v1/statuses", form).status, 422);
        EXPECT_EQ(w.happened() + w.changed(), "");
        form.emplace_back("poll[options][]", "\u3000coffee ");
        auto asked = alice.post("/api/v1/statuses", form);
        EXPECT_EQ(asked["poll.options.1.title"], "coffee");
        EXPECT_EQ(asked["poll.options.2"], "absent");
        w.happened(), w.changed();
    }
}

TEST_P(BlankText, is_taken_for_none_where_none_is_needed) {
    for (const auto& blank : blanks) {
        alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "Alice"}});
        EXPECT_EQ(
            alice.patch("/api/v1/accounts/update_credentials", {{"display_name", blank}})["display_name"], ""
        );
        auto warned = alice.post("/api/v1/statuses", {{"status", "hello"}, {"spoiler_text", blank}});
        EXPECT_EQ(warned["spoiler_text"], "");
        EXPECT_EQ(warned["sensitive"], "false");
        auto note = "/api/v1/accounts/" + bob.id + "/note";
        alice.post(note, {{"comment", "a friend"}});
        EXPECT_EQ(alice.post(note, {{"comment", blank}})["note"], "");
        auto report = alice.post("/api/v1/reports", {{"account_id", bob.id}, {"comment", blank}});
        EXPECT_EQ(report["comment"], "");
    }
}

TEST_P(BlankText, with_something_in_it_is_kept_as_it_is) {
    EXPECT_EQ(alice.post("/api/v1/statuses", {{"status", "\u3000\u4e00"}}).status, 200);
    auto family = std::string("\U0001f468\u200d\U0001f469");
    EXPECT_EQ(alice.post("/api/v1/lists", {{"title", family}})["title"], family);
}

}  // namespace
