// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Accounts : OnEachWorld {
    Person alice = w.local("Alice"), bob = w.local("bob");
};
ON_EACH_DATABASE(Accounts);

TEST_P(Accounts, are_whole) {
    auto id = alice.id;
    EXPECT_EQ(
        w.anonymous().get("/api/v1/accounts/" + id).body,
        R"({"id":")" + id +
            R"(","username":"Alice","acct":"Alice","display_name":"","locked":false,"bot":false,)"
            R"("discoverable":null,"indexable":false,"group":false,"created_at":"2026-01-01T00:00:00.000Z","note":"",)"
            R"("url":"http://localhost:3000/@Alice","uri":"http://localhost:3000/ap/users/)" +
            id +
            R"(",)"
            R"("avatar":"http://localhost:3000/static/avatars/missing.png",)"
            R"("avatar_static":"http://localhost:3000/static/avatars/missing.png","avatar_description":"",)"
            R"("header":"http://localhost:3000/static/headers/missing.png",)"
            R"("header_static":"http://localhost:3000/static/headers/missing.png","header_description":"",)"
            R"("followers_count":0,"following_count":0,"statuses_count":0,"last_status_at":null,"hide_collections":null,)"
            R"("show_media":true,"show_media_replies":true,"show_featured":true,"noindex":true,"emojis":[],"fields":[],)"
            R"("roles":[],"feature_approval":{"automatic":[],"manual":[],"current_user":"denied"}})"
    );
}

TEST_P(Accounts, are_found_by_handle_in_any_case_here_only) {
    for (auto acct : {"alice", "ALICE", "@alice", "alice@localhost", "Alice@LOCALHOST"})
        EXPECT_EQ(w.anonymous().get("/api/v1/accounts/lookup", {{"acct", acct}}).id(), alice.id) << acct;
    for (auto acct : {"alic", "alice@elsewhere.example", "@", "alice@localhost@localhost"})
        EXPECT_EQ(w.anonymous().get("/api/v1/accounts/lookup", {{"acct", acct}}).status, 404) << acct;
}

TEST_P(Accounts, of_unconfirmed_users_do_not_exist_yet) {
    auto ursula = w.unconfirmed("ursula");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + ursula.id).status, 404);
    EXPECT_EQ(alice.get("/api/v1/accounts/lookup", {{"acct", "ursula"}}).status, 404);
    EXPECT_THAT(
        alice.get("/api/v1/accounts", {{"id[]", ursula.id}, {"id[]", bob.id}}).ids(), ElementsAre(bob.id)
    );
    EXPECT_THAT(alice.get("/api/v1/accounts/search", {{"q", "ursula"}}).ids(), IsEmpty());
    w.confirm(ursula);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + ursula.id).status, 200);
}

TEST_P(Accounts, are_read_in_bulk_by_any_spelling_of_the_list) {
    for (auto query : {"id[]=" + alice.id + "&id[]=" + bob.id, "id[0]=" + alice.id + "&id[1]=" + bob.id})
        EXPECT_THAT(
            w.anonymous().get("/api/v1/accounts?" + query).ids(),
            testing::UnorderedElementsAre(alice.id, bob.id)
        ) << query;
    Fields many;
    for (int i = 0; i < 41; ++i) many.emplace_back("id[]", std::to_string(i + 1));
    EXPECT_EQ(alice.get("/api/v1/accounts", many).status, 422);
}

TEST_P(Accounts, are_searched_with_the_exact_handle_first) {
    auto bobby = w.local("bobby");
    for (int i = 0; i < 3; ++i) w.local("f" + std::to_string(i)).follows(bobby);
    EXPECT_EQ(alice.get("/api/v1/accounts/search", {{"q", "bob"}}).ids().front(), bob.id);
    EXPECT_EQ(alice.get("/api/v1/accounts/search", {{"q", "bob"}}).ids().size(), 2u);
    alice.follows(bobby);
    EXPECT_THAT(
        alice.get("/api/v1/accounts/search", {{"q", "bob"}, {"following", "true"}}).ids(),
        ElementsAre(bobby.id)
    );
    EXPECT_THAT(
        alice.get("/api/v1/accounts/search", {{"q", "bob"}, {"limit", "1"}, {"offset", "1"}}).ids(),
        ElementsAre(bobby.id)
    );
    EXPECT_THAT(alice.get("/api/v1/accounts/search", {{"q", "%"}}).ids(), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/accounts/search", {{"q", "_"}}).ids(), IsEmpty());
}

TEST_P(Accounts, verify_credentials_adds_the_source_and_the_role) {
    auto answer = alice.get("/api/v1/accounts/verify_credentials");
    EXPECT_EQ(answer.id(), alice.id);
    EXPECT_EQ(answer["source.privacy"], "public");
    EXPECT_EQ(answer["source.quote_policy"], "public");
    EXPECT_EQ(answer["role.id"], "-99");
    EXPECT_EQ(w.with_scopes(alice, "profile").get("/api/v1/accounts/verify_credentials").id(), alice.id);
}

TEST_P(Accounts, are_shown_to_strangers_from_shared_caches) {
    auto answer = w.anonymous().get("/api/v1/accounts/" + alice.id);
    EXPECT_EQ(
        answer.header("Cache-Control"), "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400"
    );
    EXPECT_TRUE(answer.header("Vary").starts_with("Authorization"));
    auto again =
        w.anonymous().with("If-None-Match", answer.header("ETag")).get("/api/v1/accounts/" + alice.id);
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.body, "");
    EXPECT_EQ(bob.get("/api/v1/accounts/" + alice.id).header("Cache-Control"), "private, no-store");
    alice.status("something new");
    EXPECT_EQ(
        w.anonymous().with("If-None-Match", answer.header("ETag")).get("/api/v1/accounts/" + alice.id).status,
        200
    );
    EXPECT_EQ(w.anonymous().get("/api/v1/accounts/1").header("Cache-Control"), "private, no-store");
    EXPECT_EQ(
        alice.get("/api/v1/accounts/verify_credentials").header("Vary"),
        "Authorization, Origin, Accept-Encoding"
    );
}

TEST_P(Accounts, emojis_and_instance_are_the_same_for_everybody) {
    for (auto path : {"/api/v1/custom_emojis", "/api/v2/instance", "/api/v1/instance"}) {
        auto anonymous = w.anonymous().get(path), mine = alice.get(path),
             revoked = w.bearer("nonsense").get(path);
        EXPECT_EQ(anonymous.body, mine.body);
        EXPECT_EQ(revoked.status, 200);
        EXPECT_EQ(
            mine.header("Cache-Control"),
            "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400"
        ) << path;
        EXPECT_TRUE(mine.header("Vary").empty() || mine.header("Vary") == "Accept-Encoding");
        EXPECT_EQ(alice.with("If-None-Match", mine.header("ETag")).get(path).status, 304);
    }
}

TEST_P(Accounts, count_all_statuses_but_direct_ones_and_tell_the_day_of_the_last) {
    auto shown = [&](const char* member) { return w.anonymous().get("/api/v1/accounts/" + bob.id)[member]; };
    EXPECT_EQ(shown("last_status_at"), "null");
    for (auto visibility : {"public", "unlisted", "private"}) bob.status("s", {{"visibility", visibility}});
    bob.reblogs(alice.status("s"));
    EXPECT_EQ(shown("statuses_count"), "4");
    EXPECT_EQ(shown("last_status_at"), "2026-01-01");
    w.advance(86'400);
    bob.status("@Alice", {{"visibility", "direct"}});
    EXPECT_EQ(shown("statuses_count"), "4");
}

}  // namespace
