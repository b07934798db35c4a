// SPDX-License-Identifier: AGPL-3.0-or-later
// What may be kept, by whom and for how long, as one table against every route that reads (behaviours: sections 6
// and 8).
#include "contract/probing.hpp"

#include <gmock/gmock.h>

namespace {

using testing::AnyOf, testing::HasSubstr, testing::StartsWith;
using Paths = std::set<std::string_view>;

const Paths kept_for_strangers{
    "/api/v1/accounts/:id",
    "/api/v1/accounts/lookup",
    "/api/v1/accounts/:id/statuses",
    "/api/v1/accounts/:id/followers",
    "/api/v1/accounts/:id/following",
    "/api/v1/accounts/:id/endorsements",
    "/api/v1/accounts/:id/collections",
    "/api/v1_alpha/accounts/:id/collections",
    "/api/v1/collections/:id",
    "/api/v1_alpha/collections/:id",
    "/api/v1/statuses/:id",
    "/api/v1/statuses/:id/context",
    "/api/v1/statuses/:id/history",
    "/api/v1/statuses/:id/favourited_by",
    "/api/v1/statuses/:id/reblogged_by",
    "/api/v1/polls/:id",
    "/api/v1/timelines/public",
    "/api/v1/timelines/tag/:id",
    "/api/v1/timelines/link",
    "/api/v1/trends",
    "/api/v1/trends/tags",
    "/api/v1/trends/links",
    "/api/v1/trends/statuses",
    "/api/v1/directory",
    "/api/v1/tags/:id",
    "/api/v1/instance/domain_blocks",
};
const Paths the_same_for_all{
    "/api/v1/instance",
    "/api/v2/instance",
    "/api/v1/instance/activity",
    "/api/v1/instance/extended_description",
    "/api/v1/instance/languages",
    "/api/v1/instance/peers",
    "/api/v1/instance/privacy_policy",
    "/api/v1/instance/rules",
    "/api/v1/instance/terms_of_service",
    "/api/v1/instance/terms_of_service/:date",
    "/api/v1/instance/translation_languages",
    "/api/v1/custom_emojis",
    "/api/v1/peers/search",
};
// Nobody has written them, or nothing trends.
const Paths absent{
    "/api/v1/instance/privacy_policy",
    "/api/v1/instance/terms_of_service",
    "/api/v1/instance/terms_of_service/:date",
    "/api/v1/instance/domain_blocks",
    "/api/v1/timelines/link",
};

struct Caches : testing::TestWithParam<support::Database> {
    struct Site {
        explicit Site(support::Database kind, bool restricted)
            : w(kind, {.site = [=](base::Site& site) { site.restricted = restricted; }}) {
            status = alice.status(
                "which? #tag",
                {{"poll[options][]", "a"}, {"poll[options][]", "b"}, {"poll[expires_in]", "600"}}
            );
            auto made = alice.post(
                "/api/v1/collections", {{"name", "c"}, {"sensitive", "false"}, {"discoverable", "true"}}
            );
            collection = made["collection.id"];
        }
        Answer ask(const Person& who, const http::Route& route) const {
            auto of = [&](std::string_view word) { return route.path.find(word) != route.path.npos; };
            auto id = of("/statuses/:") || of("/polls/") ? status
                      : of("/collections/:")             ? collection
                      : of("/tag")                       ? std::string("tag")
                                                         : alice.id;
            return who.get(filled(route.path, id), {{"acct", "alice"}, {"q", "a"}});
        }
        std::vector<const http::Route*> reading() const {
            std::vector<const http::Route*> out;
            for (const auto* route : w.router().routes())
                if (route->method == http::Method::get && route->path.starts_with("/api/"))
                    out.push_back(route);
            return out;
        }

        World w;
        Person alice = w.local("alice");
        std::string status, collection;
    };
    Site open{GetParam(), false};
};
ON_EACH_DATABASE(Caches);

TEST_P(Caches, keep_what_the_table_says_and_nothing_else) {
    auto stranger = open.w.anonymous();
    for (const auto* route : open.reading()) {
        SCOPED_TRACE(std::string(route->path));
        if (route->path == "/api/openapi.json" || absent.contains(route->path)) continue;
        auto theirs = open.ask(stranger, *route), mine = open.ask(open.alice, *route);
        auto again = open.ask(stranger.with("If-None-Match", theirs.header("ETag")), *route);
        if (the_same_for_all.contains(route->path)) {
            ASSERT_EQ(theirs.status, 200) << theirs.body;
            EXPECT_THAT(theirs.header("Cache-Control"), HasSubstr("max-age=300, public"));
            EXPECT_THAT(theirs.header("Vary"), AnyOf("", "Accept-Encoding"));
            EXPECT_EQ(mine.body, theirs.body);
            EXPECT_EQ(mine.header("Cache-Control"), theirs.header("Cache-Control"));
            EXPECT_EQ(mine.header("Set-Cookie"), "");
        } else if (kept_for_strangers.contains(route->path)) {
            ASSERT_EQ(theirs.status, 200) << theirs.body;
            EXPECT_THAT(theirs.header("Cache-Control"), HasSubstr("max-age=15, public"));
            EXPECT_THAT(theirs.header("Vary"), HasSubstr("Authorization"));
            EXPECT_EQ(mine.header("Cache-Control"), "private, no-store");
            EXPECT_EQ(mine.header("ETag"), "");
        } else {
            EXPECT_EQ(theirs.header("Cache-Control"), "private, no-store");
            EXPECT_THAT(theirs.header("Vary"), StartsWith("Authorization, Origin"));
            EXPECT_EQ(theirs.header("ETag"), "");
            continue;
        }
        EXPECT_EQ(again.status, 304);
        EXPECT_EQ(again.body, "");
        EXPECT_EQ(again.header("ETag"), theirs.header("ETag"));
        EXPECT_EQ(open.ask(stranger.with("If-None-Match", "W/\"1-1\""), *route).status, 200);
    }
}

TEST_P(Caches, do_not_keep_refusals) {
    auto stranger = open.w.anonymous();
    for (auto path : kept_for_strangers) {
        if (path.find(":id") == path.npos || path == "/api/v1/tags/:id") continue;
        auto answer = stranger.get(filled(path, "1"));
        if (answer.status == 200) continue;  // a timeline of a hashtag
        EXPECT_EQ(answer.header("Cache-Control"), "private, no-store") << path;
    }
}

TEST_P(Caches, of_trends_tell_languages_apart) {
    for (auto path : {"/api/v1/trends/links", "/api/v1/trends/statuses"})
        EXPECT_THAT(open.w.anonymous().get(path).header("Vary"), HasSubstr("Accept-Language")) << path;
}

// One who is logged in sees all that is to be seen otherwise.
TEST_P(Caches, keep_nothing_where_strangers_may_read_nothing) {
    Site closed(GetParam(), true);
    for (const auto* route : closed.reading()) {
        SCOPED_TRACE(std::string(route->path));
        for (const auto& who : {closed.w.anonymous(), closed.alice}) {
            auto answer = closed.ask(who, *route);
            EXPECT_EQ(answer.header("Cache-Control"), "private, no-store");
            EXPECT_THAT(answer.header("Vary"), HasSubstr("Authorization"));
            EXPECT_EQ(answer.header("ETag"), "");
        }
        // Other servers sign what they ask there; no token opens it.
        const bool signed_only = route->path == "/api/dunlin/v1/outside";
        EXPECT_EQ(closed.ask(closed.alice, *route).status == 401, signed_only);
    }
    auto emojis = closed.alice.get("/api/v1/custom_emojis");
    EXPECT_EQ(emojis.status, 200);
    EXPECT_THAT(emojis.header("Vary"), StartsWith("Authorization"));
    EXPECT_EQ(closed.w.anonymous().get("/api/v1/custom_emojis").status, 401);
    EXPECT_EQ(closed.w.app().get("/api/v1/custom_emojis").status, 401);
}

TEST_P(Caches, old_addresses_say_since_when_they_are_old) {
    const std::pair<std::string_view, std::int64_t> old[] = {
        {"/api/v1/accounts/:account_id/identity_proofs", 1648598400},
        {"/api/v1/trends", 1648598400},
        {"/api/v1/filters", 1668384000},
        {"/api/v1/filters/:id", 1668384000},
        {"/api/v1/instance", 1668384000},
        {"/api/v1/suggestions", 1621123200},
        {"/api/v1_alpha/collections/:id", 1781049600},
        {"/api/v1_alpha/accounts/:id/collections", 1781049600},
    };
    for (const auto* route : open.reading()) {
        auto found = std::ranges::find(old, route->path, [](const auto& row) { return row.first; });
        auto told = open.ask(open.alice, *route).header("Deprecation");
        if (found != std::end(old)) EXPECT_EQ(told, "@" + std::to_string(found->second)) << route->path;
        else if (!route->path.starts_with("/api/v1_alpha/")) EXPECT_EQ(told, "") << route->path;
    }
}

}  // namespace
