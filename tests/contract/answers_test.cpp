// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers full of everything a small life leaves behind, so that World checks each entity with its parts filled.
#include "http/router.hpp"
#include "world.hpp"

namespace {

struct Answers : OnEachWorld {};
ON_EACH_DATABASE(Answers);

TEST_P(Answers, of_every_reading_route_match_the_contract) {
    auto alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");
    EXPECT_EQ(
        alice
            .patch(
                "/api/v1/accounts/update_credentials",
                {{"display_name", "Alice"},
                 {"note", "I am @bob #me https://a.example"},
                 {"locked", "true"},
                 {"fields_attributes[0][name]", "site"},
                 {"fields_attributes[0][value]", "https://a.example"},
                 {"source[privacy]", "public"},
                 {"source[language]", "de"}}
            )
            .status,
        200
    );
    bob.follows(alice);
    carol.follows(alice);
    EXPECT_EQ(alice.post("/api/v1/follow_requests/" + bob.id + "/authorize").status, 200);
    alice.follows(bob, {{"languages[]", "en"}, {"notify", "true"}});
    auto status = alice.status(
        "Hello @bob and #World https://example.com", {{"spoiler_text", "greeting"}, {"language", "en"}}
    );
    auto reply = bob.answers(status, "@alice hi", {{"visibility", "private"}});
    auto reblog = bob.reblogs(status);
    bob.favourites(status);
    EXPECT_EQ(bob.post("/api/v1/statuses/" + status + "/bookmark").status, 200);
    EXPECT_EQ(alice.post("/api/v1/markers", {{"home[last_read_id]", status}}).status, 200);
    carol.mutes(bob, {{"duration", "3600"}});
    w.run_jobs();
    auto people = {w.anonymous(), alice, bob, carol};
    for (const auto* route : w.router().routes()) {
        if (route->method != http::Method::get || !route->path.starts_with("/api/")) continue;
        bool of_status = route->path.starts_with("/api/v1/statuses");
        for (const auto& id :
             {of_status ? status : alice.id, of_status ? reply : bob.id, of_status ? reblog : carol.id}) {
            std::string path(route->path);
            if (auto at = path.find(":id"); at != path.npos)
                path.replace(
                    at,
                    3,
                    path.find("/tag/:") != path.npos || path.find("/tags/:") != path.npos ? "world" : id
                );
            Fields query{{"acct", "alice"}, {"q", "a"}, {"timeline[]", "home"}};
            query.emplace_back("id[]", of_status ? status : alice.id);
            for (const auto& who : people) who.get(path, query);  // World validates
        }
    }
    for (const auto& id : alice.get("/api/v1/notifications").ids())
        EXPECT_EQ(alice.get("/api/v1/notifications/" + id).status, 200);
    EXPECT_EQ(
        alice.get("/api/v1/notifications").all("type"),
        (std::vector<std::string>{"favourite", "reblog", "mention", "follow", "follow_request"})
    );
    EXPECT_EQ(alice.del("/api/v1/statuses/" + status)["text"], "Hello @bob and #World https://example.com");
}

TEST_P(Answers, about_suspended_limited_and_moved_people_match_the_contract) {
    auto alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");
    alice.follows(bob);
    alice.follows(carol);
    bob.status("hi");
    w.suspend(bob);
    w.silence(carol);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["suspended"], "true");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["display_name"], "");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + carol.id)["limited"], "true");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id + "/statuses").body, "[]");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id + "/followers").body, "[]");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id + "/following").ids().size(), 2u);
    EXPECT_EQ(alice.home(), std::vector<std::string>{});
}

}  // namespace
