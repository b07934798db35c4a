// SPDX-License-Identifier: AGPL-3.0-or-later
// The rows of endpoints.tsv that answer nothing: no body, and it is not called JSON (docs/decisions/0034). Of all other
// answers World checks that they say something (World::check).
#include "contract/contract.hpp"
#include "http/router.hpp"
#include "world.hpp"

namespace {

struct EmptyAnswers : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    struct Target {
        Person owner;
        std::string collection, item;
    };
    Target target() {
        bob.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}});
        auto made = alice.post(
            "/api/v1/collections",
            {{"name", "c"}, {"sensitive", "false"}, {"discoverable", "true"}, {"account_ids[]", bob.id}}
        );
        EXPECT_EQ(made.status, 200) << made.body;
        return {alice, made["collection.id"], made["collection.items.0.id"]};
    }
    static std::string filled(std::string path, const std::string& name, const std::string& value) {
        if (auto at = path.find(name); at != path.npos) path.replace(at, name.size(), value);
        return path;
    }
};
ON_EACH_DATABASE(EmptyAnswers);

TEST_P(EmptyAnswers, of_every_row_that_says_so_are_not_called_json) {
    int rows = 0;
    for (const auto& row : contract::endpoints()) {
        if (row.returns != "empty body 200") continue;
        SCOPED_TRACE(row.method + " " + row.path);
        ++rows;
        auto [owner, collection, item] = target();
        auto path = filled(row.path, ":collection_id", collection);
        path = filled(path, ":id", row.path.find("/items/") == row.path.npos ? collection : item);
        auto who = row.path.ends_with("/revoke") ? bob : owner;
        auto answer = row.method == "POST" ? who.post(path) : who.del(path);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, "");
        EXPECT_EQ(answer.header("Content-Type"), "text/html; charset=utf-8");
        EXPECT_NE(answer.header("X-RateLimit-Limit"), "");
    }
    EXPECT_EQ(rows, 6);
}

TEST_P(EmptyAnswers, of_pages_not_changed_since_have_no_content_type) {
    auto path = "/api/v1/accounts/" + alice.id;
    auto first = w.anonymous().get(path);
    EXPECT_EQ(first.header("Content-Type"), "application/json; charset=utf-8");
    auto again = w.anonymous().with("If-None-Match", first.header("ETag")).get(path);
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.header("Content-Type"), "");
}

}  // namespace
