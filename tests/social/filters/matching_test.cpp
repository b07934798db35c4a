// SPDX-License-Identifier: AGPL-3.0-or-later
// What filters match, and where an answer tells of it (behaviours: 11.16).
#include "social/media/media.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

struct Filtering : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    std::string filter(const std::vector<std::string>& words, const Fields& more = {}) {
        Fields fields{{"title", "t"}, {"context[]", "home"}};
        fields.insert(fields.end(), more.begin(), more.end());
        for (const auto& word : words) fields.emplace_back("keywords_attributes[][keyword]", word);
        auto made = alice.post("/api/v2/filters", fields);
        EXPECT_EQ(made.status, 200) << made.body;
        return made.id();
    }
    std::string seen(const std::string& status, const std::string& way = "filtered.0.keyword_matches") {
        return alice.get("/api/v1/statuses/" + status)[way];
    }
    // What a filter of this one keyword finds in this text.
    std::string found(const std::string& keyword, const std::string& text, bool whole = true) {
        auto id = filter(
            {},
            {
                {"keywords_attributes[0][keyword]", keyword},
                {"keywords_attributes[0][whole_word]", whole ? "true" : "false"},
            }
        );
        auto matches = seen(bob.status(text));
        alice.del("/api/v2/filters/" + id);
        return matches;
    }
};
ON_EACH_DATABASE(Filtering);

TEST_P(Filtering, tells_which_filter_matched_and_by_what) {
    auto id = filter({"nothing", "dragon"}, {{"filter_action", "blur"}, {"context[]", "thread"}});
    auto status = bob.status("Here be Dragons, and a DRAGON");
    auto shown = alice.get("/api/v1/statuses/" + status);
    EXPECT_EQ(shown["filtered.0.filter.id"], id);
    EXPECT_EQ(shown["filtered.0.filter.title"], "t");
    EXPECT_EQ(shown["filtered.0.filter.filter_action"], "blur");
    EXPECT_EQ(shown["filtered.0.filter.context"], R"(["home","thread"])");
    EXPECT_EQ(shown["filtered.0.filter.keywords"], "absent");
    EXPECT_EQ(shown["filtered.0.keyword_matches"], R"(["DRAGON"])");
    EXPECT_EQ(shown["filtered.0.status_matches"], "null");
    EXPECT_EQ(shown["filtered.1"], "absent");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["filtered"], "[]");
    EXPECT_EQ(w.anonymous().get("/api/v1/statuses/" + status)["filtered"], "absent");
}

TEST_P(Filtering, ignores_case_and_keeps_to_whole_words_where_wanted) {
    EXPECT_EQ(found("cat", "concatenate"), "absent");
    EXPECT_EQ(found("cat", "concatenate", false), R"(["cat"])");
    EXPECT_EQ(found("CAT", "a cat!"), R"(["cat"])");
    EXPECT_EQ(found("cat", "cat_food"), "absent");
    EXPECT_EQ(found("#cat", "my#cat"), R"(["#cat"])");  // no word begins with a sign
    EXPECT_EQ(found("#cat", "#cats"), "absent");
    EXPECT_EQ(found("c++", "c++11"), R"(["c++"])");
    EXPECT_EQ(found("größe", "Die GRÖSSE nicht, die GRÖßE"), R"(["GRÖßE"])");
    EXPECT_EQ(found("éte", "l'ÉTE"), R"(["ÉTE"])");
    EXPECT_EQ(found("été", "répété"), "absent");
    EXPECT_EQ(found("猫", "猫が好き", false), R"(["猫"])");
    EXPECT_EQ(found("one two", "one two"), R"(["one two"])");
    EXPECT_EQ(found(".*", "anything"), "absent");
}

TEST_P(Filtering, reports_the_first_match_in_the_text) {
    filter({"late", "early", "earl"});
    EXPECT_EQ(seen(bob.status("early and late")), R"(["early"])");
}

TEST_P(Filtering, looks_into_warnings_options_descriptions_and_text_without_markup) {
    filter({"dragon"});
    EXPECT_EQ(seen(bob.status("text", {{"spoiler_text", "A dragon"}})), R"(["dragon"])");
    EXPECT_EQ(seen(bob.status("a dr**ag**on", {{"content_type", "text/markdown"}})), R"(["dragon"])");
    EXPECT_EQ(
        seen(bob.status(
            "which?",
            {{"poll[options][]", "a dragon"}, {"poll[options][]", "none"}, {"poll[expires_in]", "600"}}
        )),
        R"(["dragon"])"
    );
    media::Media image;
    image.account_id = {std::stoll(bob.id)};
    image.file = image.preview = "a/b.png";
    image.mime = "image/png";
    image.description = "A dragon in the sky";
    auto id = w.write([&](db::Write& db) { return media::create(db, image); });
    EXPECT_EQ(seen(bob.status("look", {{"media_ids[]", std::to_string(id.value)}})), R"(["dragon"])");
    filter({"strong", "href"});
    EXPECT_EQ(
        seen(bob.status("**bold** https://example.com", {{"content_type", "text/markdown"}})), "absent"
    );
}

TEST_P(Filtering, names_single_statuses_and_their_boosts) {
    auto id = filter({"other"});
    auto status = bob.status("hello");
    alice.post("/api/v2/filters/" + id + "/statuses", {{"status_id", status}});
    auto boost = bob.reblogs(status);
    EXPECT_EQ(seen(status, "filtered.0.status_matches"), "[\"" + status + "\"]");
    EXPECT_EQ(seen(status), "null");
    EXPECT_EQ(seen(boost, "filtered.0.status_matches"), "[\"" + status + "\"]");
    EXPECT_EQ(seen(boost, "reblog.filtered.0.status_matches"), "[\"" + status + "\"]");
    EXPECT_EQ(seen(bob.status("hello"), "filtered"), "[]");
}

TEST_P(Filtering, stops_when_the_filter_expires_or_changes_and_with_the_text) {
    auto id = filter({"dragon"}, {{"expires_in", "60"}});
    auto status = bob.status("dragon");
    EXPECT_EQ(seen(status), R"(["dragon"])");
    w.advance(61);
    EXPECT_EQ(seen(status, "filtered"), "[]");
    EXPECT_EQ(alice.get("/api/v2/filters").ids().size(), 1u);
    alice.put("/api/v2/filters/" + id, {{"expires_in", ""}});
    EXPECT_EQ(seen(status), R"(["dragon"])");
    auto word = alice.get("/api/v2/filters/" + id)["keywords.0.id"];
    alice.put("/api/v2/filters/keywords/" + word, {{"keyword", "throne"}});
    EXPECT_EQ(seen(status, "filtered"), "[]");
    alice.put("/api/v2/filters/keywords/" + word, {{"keyword", "drag"}, {"whole_word", "false"}});
    EXPECT_EQ(seen(status), R"(["drag"])");
    alice.del("/api/v2/filters/" + id);
    EXPECT_EQ(seen(status, "filtered"), "[]");
}

TEST_P(Filtering, is_told_in_every_answer_with_statuses_and_removes_nothing) {
    filter({"dragon"}, {{"filter_action", "hide"}});
    alice.follows(bob);
    auto status = bob.status("dragon for @alice #tag");
    auto own = alice.answers(status, "dragon");
    alice.favourites(status);
    alice.post("/api/v1/statuses/" + status + "/bookmark");
    for (auto [path, way] : std::vector<std::pair<std::string, std::string>>{
             {"/api/v1/timelines/home", "0."},
             {"/api/v1/timelines/public", "0."},
             {"/api/v1/timelines/tag/tag", "0."},
             {"/api/v1/accounts/" + bob.id + "/statuses", "0."},
             {"/api/v1/statuses/" + own, ""},
             {"/api/v1/statuses/" + own + "/context", "ancestors.0."},
             {"/api/v1/statuses/" + status + "/context", "descendants.0."},
             {"/api/v1/favourites", "0."},
             {"/api/v1/bookmarks", "0."},
             {"/api/v1/notifications", "0.status."},
         })
        EXPECT_EQ(alice.get(path)[way + "filtered.0.keyword_matches"], R"(["dragon"])") << path;
    EXPECT_EQ(alice.home().size(), 2u);
    EXPECT_EQ(alice.del("/api/v1/statuses/" + own)["filtered.0.keyword_matches"], R"(["dragon"])");
}

TEST_P(Filtering, costs_the_same_queries_for_one_and_for_forty) {
    filter({"dragon", "throne"});
    alice.follows(bob);
    w.run_jobs();
    bob.status("one");
    alice.home();
    bob.status("two");
    w.queries();
    alice.home({{"limit", "1"}});
    auto few = w.queries();
    for (int i = 0; i < 40; ++i) bob.status(i % 2 ? "dragon" : "nothing");
    w.queries();
    EXPECT_EQ(alice.home({{"limit", "40"}}).size(), 40u);
    EXPECT_EQ(w.queries(), few);
    alice.home({{"limit", "40"}});
    auto kept = w.queries();
    EXPECT_LT(kept, few);  // nothing is read again to decide what was decided
}

}  // namespace
