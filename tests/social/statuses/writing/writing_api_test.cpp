// SPDX-License-Identifier: AGPL-3.0-or-later
// What a client asks while somebody writes.
#include "social/oauth/stage.hpp"
#include "social/statuses/writing/kept_draft.hpp"

namespace {

using namespace oauth_test;

struct Writing : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice"), bob = user("bob");
    std::string token = write([](db::Write& db) { return oauth::create_token(db, "alice", "read write"); });
    std::string others = write([](db::Write& db) { return oauth::create_token(db, "bob", "read write"); });

    http::Response put(const std::string& key, const std::string& body) {
        http::Headers headers{{"Authorization", "Bearer " + token}, {"Content-Type", "application/json"}};
        return send(http::Method::put, "/api/dunlin/v1/drafts/" + key, body, std::move(headers));
    }
    boost::json::array drafts(const std::string& of) {
        return boost::json::parse(get("/api/dunlin/v1/drafts", of).body).as_array();
    }
    boost::json::value check(Fields fields) {
        return boost::json::parse(post("/api/dunlin/v1/compose/check", std::move(fields), token).body);
    }
};
ON_EACH_DATABASE(Writing);

TEST_P(Writing, shows_what_becomes_of_a_text_and_whom_it_names) {
    auto plain =
        check({{"status", "Hello @bob and @nobody #Birds https://example.org/a/long/address/of/more"}});
    EXPECT_NE(text(plain, "content").find("class=\"u-url mention\""), std::string::npos)
        << text(plain, "content");
    EXPECT_EQ(plain.at("characters").as_int64(), 30 + 23);
    EXPECT_EQ(plain.at("max_characters").as_int64(), site.max_characters);
    EXPECT_EQ(
        boost::json::serialize(plain.at("mentions")),
        R"([{"acct":"bob","known":true},{"acct":"nobody","known":false}])"
    );
    EXPECT_EQ(boost::json::serialize(plain.at("tags")), R"(["Birds"])");
    auto marked = check({{"status", "**loud**"}, {"content_type", "text/markdown"}, {"spoiler_text", "abc"}});
    EXPECT_EQ(text(marked, "content"), "<p><strong>loud</strong></p>");
    EXPECT_EQ(marked.at("characters").as_int64(), 8 + 3);
    EXPECT_EQ(
        post("/api/dunlin/v1/compose/check", {{"status", std::string(200'001, 'x')}}, token).status, 422
    );
    EXPECT_EQ(post("/api/dunlin/v1/compose/check", {{"status", "x"}}).status, 401);
}

TEST_P(Writing, keeps_drafts_for_other_devices_of_the_same_person) {
    EXPECT_EQ(put("one", R"({"data":{"text":"first","n":1}})").status, 200);
    pass(1);
    EXPECT_EQ(put("two", R"({"data":{"text":"second"}})").status, 200);
    pass(1);
    EXPECT_EQ(put("one", R"({"data":{"text":"changed","n":2}})").status, 200);
    auto mine = drafts(token);
    ASSERT_EQ(mine.size(), 2u);
    EXPECT_EQ(text(mine[0], "key"), "one");
    EXPECT_EQ(boost::json::serialize(mine[0].at("data")), R"({"text":"changed","n":2})");
    EXPECT_TRUE(drafts(others).empty());
    http::Headers headers{{"Authorization", "Bearer " + token}};
    EXPECT_EQ(send(http::Method::delete_, "/api/dunlin/v1/drafts/one", "", headers).status, 200);
    EXPECT_EQ(send(http::Method::delete_, "/api/dunlin/v1/drafts/one", "", headers).status, 200);
    EXPECT_EQ(drafts(token).size(), 1u);
}

TEST_P(Writing, refuses_drafts_that_are_none_too_long_or_too_many) {
    for (auto body : {"", "{}", "[]", R"({"data":"x"})", R"({"data":[1]})", "{\"data\":{"})
        EXPECT_EQ(put("one", body).status, 400) << body;
    EXPECT_EQ(put(std::string(65, 'k'), R"({"data":{}})").status, 422);
    EXPECT_EQ(put("a%20b", R"({"data":{}})").status, 422);
    EXPECT_EQ(put("one", R"({"data":{"text":")" + std::string(140'000, 'x') + "\"}}").status, 422);
    for (std::size_t i = 0; i < statuses::most_kept_drafts; ++i)
        ASSERT_EQ(put("k" + std::to_string(i), R"({"data":{}})").status, 200);
    EXPECT_EQ(put("more", R"({"data":{}})").status, 422);
    EXPECT_EQ(put("k7", R"({"data":{"text":"again"}})").status, 200);
}

}  // namespace
