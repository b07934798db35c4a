// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may see what, as one table, against every route that there is (behaviours: section 10). What is hidden answers
// like what does not exist, by status, body and headers, and no page, list, search or entity shows it on the way.
#include "contract/visibility_stage.hpp"

namespace {

// As the route wants it: the id of this post where it names one.
bool names_a_status(const http::Route& route) { return route.path.starts_with("/api/v1/statuses/:id"); }

// One stage serves all tests that change nothing.
struct VisibilityMatrix : testing::TestWithParam<support::Database> {
    struct Shared {
        explicit Shared(support::Database kind) : w(kind) {}
        World w;
        Stage stage{w};
    };
    static std::map<support::Database, std::unique_ptr<Shared>>& shared() {
        static std::map<support::Database, std::unique_ptr<Shared>> all;
        return all;
    }
    static Shared& of(support::Database kind) {
        auto& one = shared()[kind];
        if (!one) one = std::make_unique<Shared>(kind);
        return *one;
    }
    static void TearDownTestSuite() { shared().clear(); }

    World& w = of(GetParam()).w;
    Stage& stage = of(GetParam()).stage;

    Answer ask(const Person& who, const http::Route& route, const std::string& id) {
        return stage.ask(who, route, id);
    }
};
ON_EACH_DATABASE(VisibilityMatrix);

struct VisibilityAfterChanges : OnEachWorld {
    Stage stage{w};
};
ON_EACH_DATABASE(VisibilityAfterChanges);

TEST_P(VisibilityMatrix, of_a_post_asked_for_by_its_id_is_that_of_the_table) {
    const auto& routes = w.router().routes();
    for (const auto& [name, viewer] : stage.viewers) {
        for (const auto* route : routes) {
            if (!names_a_status(*route) || route->method == http::Method::delete_) continue;
            auto nothing = ask(viewer, *route, stage.no_status);
            for (const auto& post : stage.posts) {
                SCOPED_TRACE(
                    name + ": " + std::string(to_string(route->method)) + " " + std::string(route->path) +
                    " of " + post.name
                );
                if (stage.may_see(viewer, post)) continue;
                w.changed();
                auto answer = ask(viewer, *route, post.id);
                EXPECT_EQ(w.changed(), "");
                EXPECT_EQ(answer.status, nothing.status) << answer.body;
                EXPECT_GE(answer.status, 400);
                EXPECT_EQ(answer.body, nothing.body);
                EXPECT_EQ(told_by_headers(answer), told_by_headers(nothing));
            }
        }
    }
}

TEST_P(VisibilityMatrix, lets_everybody_read_what_the_table_gives_them) {
    for (const auto& [name, viewer] : stage.viewers)
        for (const auto& post : stage.posts) {
            auto answer = viewer.get("/api/v1/statuses/" + post.id);
            EXPECT_EQ(answer.status == 200, stage.may_see(viewer, post))
                << name << " " << post.name << answer.body;
        }
}

TEST_P(VisibilityMatrix, is_kept_by_every_route_that_shows_or_lists) {
    for (const auto* route : w.router().routes()) {
        if (route->method != http::Method::get || names_a_status(*route)) continue;
        if (!route->path.starts_with("/api/")) continue;
        for (const auto& [name, viewer] : stage.viewers) {
            SCOPED_TRACE(name + ": GET " + std::string(route->path));
            for (const auto& answer : stage.ask_all(viewer, *route))
                for (const auto& post : stage.posts)
                    if (!stage.may_see(viewer, post))
                        EXPECT_EQ(answer.body.find(post.marker), std::string::npos)
                            << post.name << " in " << answer.body.substr(0, 2000);
        }
    }
}

TEST_P(VisibilityAfterChanges, is_kept_by_every_change) {
    for (const auto* route : w.router().routes()) {
        bool harmless =
            route->path.find("/auth") == route->path.npos && route->path.find("/apps") == route->path.npos;
        if (route->method == http::Method::get || !route->path.starts_with("/api/") || !harmless) continue;
        for (const auto& name : {"stranger", "blocked"}) {
            SCOPED_TRACE(
                std::string(name) + ": " + std::string(to_string(route->method)) + " " +
                std::string(route->path)
            );
            const auto& viewer = stage.viewers.at(name);
            for (const auto& post : stage.posts) {
                if (stage.may_see(viewer, post)) continue;
                auto answer = stage.ask_with_status(viewer, *route, post.id);
                EXPECT_EQ(answer.body.find(post.marker), std::string::npos)
                    << post.name << " in " << answer.body;
            }
        }
    }
}

// Which posts of the stage a page shows to a viewer, by name; the whole page is compared.
TEST_P(VisibilityMatrix, of_timelines_and_lists_is_that_of_the_table) {
    using Names = std::vector<std::string>;
    const Names open{"public", "unlisted"};
    auto plain = [&](const std::string& viewer, const std::string& path) {
        auto shown = stage.shown(stage.viewers.at(viewer).get(path, {{"limit", "40"}}));
        std::erase_if(shown, [](const std::string& name) { return name.find(' ') != name.npos; });
        std::ranges::sort(shown);
        return shown;
    };
    auto own = "/api/v1/accounts/" + stage.author.id + "/statuses";
    EXPECT_EQ(plain("anonymous", own), open);
    EXPECT_EQ(plain("stranger", own), open);
    for (auto viewer : {"follower", "session"})
        EXPECT_EQ(plain(viewer, own), (Names{"private", "public", "unlisted"})) << viewer;
    EXPECT_EQ(plain("cookie", own), open);
    EXPECT_EQ(plain("mentioned", own), (Names{"direct", "limited", "private", "public", "unlisted"}));
    EXPECT_EQ(plain("author", own), (Names{"direct", "limited", "private", "public", "unlisted"}));
    EXPECT_EQ(plain("blocked", own), Names{});
    for (auto viewer : {"anonymous", "cookie", "stranger", "follower", "session", "mentioned", "author"}) {
        EXPECT_EQ(plain(viewer, "/api/v1/timelines/public"), Names{"public"}) << viewer;
        EXPECT_EQ(plain(viewer, "/api/v1/timelines/tag/stage"), Names{"public"}) << viewer;
    }
    for (auto viewer : {"blocked", "blocking", "muting"}) {
        EXPECT_EQ(plain(viewer, "/api/v1/timelines/public"), Names{}) << viewer;
        EXPECT_EQ(plain(viewer, "/api/v1/timelines/tag/stage"), Names{}) << viewer;
        EXPECT_EQ(plain(viewer, "/api/v1/timelines/home"), Names{}) << viewer;
    }
    for (auto viewer : {"follower", "session"})
        EXPECT_EQ(plain(viewer, "/api/v1/timelines/home"), (Names{"private", "public", "unlisted"}))
            << viewer;
    EXPECT_EQ(stage.viewers.at("cookie").get("/api/v1/timelines/home").status, 401);
    EXPECT_EQ(plain("stranger", "/api/v1/timelines/home"), Names{});
    EXPECT_EQ(stage.viewers.at("suspended").get("/api/v1/timelines/home").status, 403);
}

TEST_P(VisibilityAfterChanges, of_everything_ends_when_its_author_is_suspended) {
    w.suspend(stage.author);
    for (const auto& [name, viewer] : stage.viewers) {
        if (name == "author") continue;
        for (const auto* route : w.router().routes()) {
            if (route->method != http::Method::get || !route->path.starts_with("/api/")) continue;
            SCOPED_TRACE(name + ": GET " + std::string(route->path));
            for (const auto& answer : stage.ask_all(viewer, *route))
                for (const auto& post : stage.posts)
                    EXPECT_EQ(answer.body.find(post.marker), std::string::npos)
                        << post.name << " in " << answer.body;
        }
    }
}

TEST_P(VisibilityAfterChanges, of_a_suspended_account_leaves_its_name_and_nothing_else) {
    w.suspend(stage.author);
    auto shown = stage.viewers.at("stranger").get("/api/v1/accounts/" + stage.author.id);
    EXPECT_EQ(shown["suspended"], "true");
    for (auto member : {"display_name", "note"}) EXPECT_EQ(shown[member], "") << member;
    for (auto member : {"followers_count", "following_count", "statuses_count"})
        EXPECT_EQ(shown[member], "0");
    EXPECT_EQ(shown["fields"], "[]");
}

}  // namespace
