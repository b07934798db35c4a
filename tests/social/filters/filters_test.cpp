// SPDX-License-Identifier: AGPL-3.0-or-later
// The resources of filters, old and new (behaviours: 11.16). What they match is in matching_test.cpp.
#include "resource.hpp"
#include "social/filters/filter.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Filters : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    std::string made(const Fields& fields) {
        auto answer = alice.post("/api/v2/filters", fields);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.id();
    }
    std::string two_words() {
        return made({
            {"title", "Spoilers"},
            {"context[]", "home"},
            {"keywords_attributes[][keyword]", "dragon"},
            {"keywords_attributes[][keyword]", "throne"},
        });
    }
};
ON_EACH_DATABASE(Filters);

TEST_P(Filters, are_made_shown_changed_and_removed) {
    auto filter = alice.post(
        "/api/v2/filters",
        {{"title", "Spoilers"},
         {"context[]", "home"},
         {"context[]", "public"},
         {"context[]", "home"},
         {"filter_action", "hide"},
         {"expires_in", "3600"},
         {"keywords_attributes[0][keyword]", "dragon"},
         {"keywords_attributes[0][whole_word]", "false"}}
    );
    ASSERT_EQ(filter.status, 200) << filter.body;
    EXPECT_EQ(filter["title"], "Spoilers");
    EXPECT_EQ(filter["context"], R"(["home","public"])");
    EXPECT_EQ(filter["filter_action"], "hide");
    EXPECT_EQ(filter["expires_at"], base::to_string(w.now().plus_seconds(3600)));
    EXPECT_EQ(filter["keywords.0.keyword"], "dragon");
    EXPECT_EQ(filter["keywords.0.whole_word"], "false");
    EXPECT_EQ(filter["statuses"], "[]");
    auto path = expect_shown_alone(alice, "/api/v2/filters", filter);

    auto changed = alice.put(path, {{"title", "Series"}, {"expires_in", ""}});
    EXPECT_EQ(changed["title"], "Series");
    EXPECT_EQ(changed["expires_at"], "null");
    EXPECT_EQ(changed["context"], filter["context"]);
    EXPECT_EQ(changed["keywords"], filter["keywords"]);
    EXPECT_EQ(alice.patch(path, {{"filter_action", "blur"}})["filter_action"], "blur");
    // Phanpy says "never" by null.
    alice.put(path, {{"expires_in", "3600"}});
    auto json = [&](const std::string& body) {
        return alice.send(http::Method::put, path, body, "application/json")["expires_at"];
    };
    EXPECT_EQ(json(R"({"title":"Series"})"), base::to_string(w.now().plus_seconds(3600)));
    EXPECT_EQ(json(R"({"title":"Series","context":null,"expires_in":null})"), "null");

    w.changed();
    EXPECT_EQ(alice.del(path).body, "{}");
    EXPECT_EQ(w.changed(), "filters -1, filter_keywords -1");
    EXPECT_EQ(alice.get(path).error(), "Record not found");
    EXPECT_EQ(alice.get("/api/v2/filters").body, "[]");
}

TEST_P(Filters, change_their_keywords_along_with_themselves) {
    auto id = two_words();
    auto shown = alice.get("/api/v2/filters/" + id);
    EXPECT_EQ(shown["keywords.0.keyword"], "dragon");
    EXPECT_EQ(shown["keywords.1.keyword"], "throne");
    EXPECT_EQ(shown["keywords.1.whole_word"], "true");
    auto changed = alice.put(
        "/api/v2/filters/" + id,
        {{"keywords_attributes[0][id]", shown["keywords.0.id"]},
         {"keywords_attributes[0][_destroy]", "true"},
         {"keywords_attributes[1][id]", shown["keywords.1.id"]},
         {"keywords_attributes[1][keyword]", "crown"},
         {"keywords_attributes[2][keyword]", "sword"}}
    );
    ASSERT_EQ(changed.status, 200) << changed.body;
    EXPECT_EQ(changed["keywords.0.id"], shown["keywords.1.id"]);
    EXPECT_EQ(changed["keywords.0.keyword"], "crown");
    EXPECT_EQ(changed["keywords.1.keyword"], "sword");
    EXPECT_EQ(changed["keywords.2"], "absent");
}

TEST_P(Filters, leave_everything_as_it_was_when_a_keyword_is_refused) {
    auto id = two_words();
    auto before = w.dump();
    auto refused = alice.put(
        "/api/v2/filters/" + id,
        {{"title", "new"}, {"keywords_attributes[0][keyword]", std::string(513, 'x')}}
    );
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused.error(), "Validation failed: Keyword is too long (maximum is 512 characters)");
    EXPECT_EQ(w.dump(), before);
}

TEST_P(Filters, refuse_what_is_blank_too_long_or_unknown) {
    auto refusal = [&](const Fields& fields) {
        auto answer = alice.post("/api/v2/filters", fields);
        EXPECT_EQ(answer.status, 422);
        return answer.error();
    };
    Fields home{{"context[]", "home"}}, titled{{"title", "t"}};
    EXPECT_EQ(refusal(home), "Validation failed: Title can't be blank");
    EXPECT_EQ(refusal(titled), "Validation failed: Context can't be blank");
    EXPECT_EQ(
        refusal({{"title", std::string(257, 'x')}, {"context[]", "home"}}),
        "Validation failed: Title is too long (maximum is 256 characters)"
    );
    EXPECT_EQ(
        refusal({{"title", "t"}, {"context[]", "nowhere"}}),
        "Validation failed: Context is not included in the list"
    );
    EXPECT_EQ(
        refusal({{"title", "t"}, {"context[]", "home"}, {"filter_action", "burn"}}),
        "Validation failed: Filter action is not included in the list"
    );
    EXPECT_EQ(
        refusal({{"title", "t"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", " "}}),
        "Validation failed: Keyword can't be blank"
    );
    EXPECT_THAT(alice.get("/api/v2/filters").ids(), IsEmpty());
}

TEST_P(Filters, have_keywords_of_their_own_addresses) {
    auto id = made({{"title", "t"}, {"context[]", "thread"}});
    auto word = alice.post("/api/v2/filters/" + id + "/keywords", {{"keyword", "dragon"}});
    EXPECT_EQ(word["whole_word"], "true");
    EXPECT_EQ(alice.get("/api/v2/filters/" + id + "/keywords").body, "[" + word.body + "]");
    auto path = "/api/v2/filters/keywords/" + word.id();
    EXPECT_EQ(alice.get(path).body, word.body);
    EXPECT_EQ(alice.put(path, {{"keyword", "throne"}})["keyword"], "throne");
    EXPECT_EQ(alice.patch(path, {{"whole_word", "false"}})["keyword"], "throne");
    EXPECT_EQ(alice.get(path)["whole_word"], "false");
    EXPECT_EQ(alice.put(path, {{"keyword", ""}}).error(), "Validation failed: Keyword can't be blank");
    EXPECT_EQ(
        alice.post("/api/v2/filters/" + id + "/keywords").error(), "Validation failed: Keyword can't be blank"
    );
    EXPECT_EQ(alice.del(path).body, "{}");
    EXPECT_EQ(alice.get(path).status, 404);
}

TEST_P(Filters, name_single_statuses_that_their_owner_may_see) {
    auto id = made({{"title", "t"}, {"context[]", "home"}});
    auto path = "/api/v2/filters/" + id + "/statuses";
    auto status = bob.status("hello"), hidden = bob.status("hidden", {{"visibility", "private"}});
    auto named = alice.post(path, {{"status_id", status}});
    ASSERT_EQ(named.status, 200) << named.body;
    EXPECT_EQ(named["status_id"], status);
    EXPECT_EQ(alice.get(path).body, "[" + named.body + "]");
    EXPECT_EQ(alice.get("/api/v2/filters/statuses/" + named.id()).body, named.body);
    EXPECT_EQ(
        alice.post(path, {{"status_id", status}}).error(), "Validation failed: Status has already been taken"
    );
    for (const auto& none : {hidden, std::string("12345"), std::string("x"), std::string("")}) {
        auto answer = alice.post(path, {{"status_id", none}});
        EXPECT_EQ(answer.status, 422);
        EXPECT_EQ(answer.error(), "Validation failed: Status must exist");
    }
    EXPECT_EQ(alice.del("/api/v2/filters/statuses/" + named.id()).body, "{}");
    EXPECT_EQ(alice.get(path).body, "[]");
}

TEST_P(Filters, are_nobody_elses_business) {
    auto id = two_words();
    auto word = alice.get("/api/v2/filters/" + id)["keywords.0.id"];
    auto named = alice.post("/api/v2/filters/" + id + "/statuses", {{"status_id", bob.status("hi")}}).id();
    auto before = w.dump();
    auto filter = "/api/v2/filters/" + id, keyword = "/api/v2/filters/keywords/" + word,
         status = "/api/v2/filters/statuses/" + named, v1 = "/api/v1/filters/" + word;
    for (const auto& path : {filter, keyword, status, v1, filter + "/keywords", filter + "/statuses"}) {
        EXPECT_EQ(bob.get(path).status, 404) << path;
        if (path != filter + "/keywords" && path != filter + "/statuses")
            EXPECT_EQ(bob.del(path).status, 404) << path;
    }
    for (const auto& path : {filter, keyword, v1})
        EXPECT_EQ(bob.put(path, {{"title", "mine"}, {"keyword", "mine"}, {"phrase", "mine"}}).status, 404);
    EXPECT_EQ(bob.post(filter + "/keywords", {{"keyword", "x"}}).status, 404);
    EXPECT_EQ(bob.post(filter + "/statuses", {{"status_id", bob.status("x")}}).status, 404);
    auto own = bob.post("/api/v2/filters", {{"title", "t"}, {"context[]", "home"}}).id();
    EXPECT_EQ(
        bob.put(
               "/api/v2/filters/" + own,
               {{"keywords_attributes[0][id]", word}, {"keywords_attributes[0][_destroy]", "1"}}
        )
            .status,
        404
    );
    EXPECT_EQ(alice.get(filter)["keywords.0.keyword"], "dragon");
    EXPECT_EQ(bob.get("/api/v1/filters").body, "[]");
}

TEST_P(Filters, appear_keyword_by_keyword_to_older_apps) {
    auto one = alice.post(
        "/api/v1/filters",
        {{"phrase", "dragon"}, {"context[]", "home"}, {"irreversible", "true"}, {"expires_in", "60"}}
    );
    ASSERT_EQ(one.status, 200) << one.body;
    EXPECT_EQ(one.header("Deprecation"), "@1668384000");
    EXPECT_EQ(one["phrase"], "dragon");
    EXPECT_EQ(one["irreversible"], "true");
    EXPECT_EQ(one["whole_word"], "true");
    EXPECT_EQ(alice.get("/api/v2/filters")["0.filter_action"], "hide");
    EXPECT_EQ(alice.get("/api/v2/filters")["0.title"], "dragon");
    EXPECT_EQ(alice.get("/api/v2/filters")["0.keywords.0.id"], one.id());
    auto path = "/api/v1/filters/" + one.id();
    EXPECT_EQ(alice.get(path).body, one.body);
    auto changed = alice.put(path, {{"phrase", "throne"}, {"context[]", "thread"}, {"whole_word", "0"}});
    EXPECT_EQ(changed["phrase"], "throne");
    EXPECT_EQ(changed["context"], R"(["thread"])");
    EXPECT_EQ(changed["whole_word"], "false");
    EXPECT_EQ(changed["expires_at"], one["expires_at"]);
    EXPECT_EQ(alice.patch(path, {{"irreversible", "false"}})["irreversible"], "false");
    two_words();
    EXPECT_THAT(alice.get("/api/v1/filters").all("phrase"), ElementsAre("throne", "dragon", "throne"));
    EXPECT_EQ(alice.del(path).body, "{}");
    EXPECT_EQ(alice.get(path).status, 404);
    EXPECT_EQ(alice.post("/api/v1/filters", {{"context[]", "home"}}).status, 422);
    EXPECT_EQ(
        alice.post("/api/v1/filters", {{"phrase", "x"}}).error(), "Validation failed: Context can't be blank"
    );
}

TEST_P(Filters, take_no_blanks_around_their_words) {
    auto newer = alice.post(
        "/api/v2/filters",
        {{"title", "t"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", "  ice dragon \u00a0"}}
    );
    EXPECT_EQ(newer["keywords.0.keyword"], "ice dragon");
    auto path = "/api/v2/filters/keywords/" + newer["keywords.0.id"];
    EXPECT_EQ(alice.put(path, {{"keyword", "throne "}})["keyword"], "throne");
    EXPECT_EQ(alice.put(path, {{"keyword", "  "}}).status, 422);
    EXPECT_EQ(
        alice.post("/api/v1/filters", {{"phrase", "dragon "}, {"context[]", "home"}})["phrase"], "dragon"
    );
}

TEST_P(Filters, of_several_keywords_are_not_changed_by_an_app_that_sees_only_one) {
    auto id = two_words();
    auto path = "/api/v1/filters/" + alice.get("/api/v2/filters/" + id)["keywords.0.id"];
    for (const Fields& fields :
         {Fields{{"context[]", "thread"}}, {{"irreversible", "1"}}, {{"expires_in", "9"}}}) {
        auto answer = alice.put(path, fields);
        EXPECT_EQ(answer.status, 422);
        EXPECT_TRUE(answer.error().starts_with("Validation failed: ")) << answer.body;
    }
    EXPECT_EQ(alice.put(path, {{"phrase", "wyvern"}, {"context[]", "home"}})["phrase"], "wyvern");
    EXPECT_EQ(alice.get("/api/v2/filters/" + id)["title"], "Spoilers");
    EXPECT_EQ(alice.del(path).status, 200);
    EXPECT_EQ(alice.get("/api/v2/filters/" + id)["keywords.0.keyword"], "throne");
}

TEST_P(Filters, tell_the_streams_of_their_owner_when_they_change) {
    base::AccountId me{std::stoll(alice.id)};
    w.write([&](db::Write& db) {
        filters::Changes changes;
        changes.title = "t";
        changes.context = {{filters::Context::home}};
        auto id = filters::create(db, me, changes);
        filters::add_keyword(db, me, id, {{}, "word", {}, false});
        filters::remove(db, me, id);
        ASSERT_EQ(db.announcements.size(), 3u);
        for (const auto& news : db.announcements) {
            EXPECT_EQ(news.channel, "user:" + alice.id);
            EXPECT_EQ(news.event, "filters_changed");
            EXPECT_EQ(news.payload, "");
        }
    });
}

TEST_P(Filters, are_so_many_at_most) {
    Fields many{{"title", "t"}, {"context[]", "home"}};
    for (int i = 0; i < 1000; ++i)
        many.emplace_back("keywords_attributes[][keyword]", "w" + std::to_string(i));
    for (int i = 0; i < 2; ++i) made(many);
    auto before = w.dump();
    auto answer = alice.post("/api/v2/filters", many);
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(w.dump(), before);
}

}  // namespace
