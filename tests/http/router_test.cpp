// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/router.hpp"

#include <gtest/gtest.h>

namespace {

using http::Method;

void nothing(db::Read&) {}

constexpr http::Route table[] = {
    http::get<nothing>("/"),
    http::get<nothing>("/api/v1/accounts"),
    http::get<nothing>("/api/v1/accounts/lookup"),
    http::get<nothing>("/api/v1/accounts/:id"),
    http::del<nothing>("/api/v1/accounts/:id"),
    http::get<nothing>("/api/v1/accounts/:id/statuses"),
    http::post<nothing>("/api/v1/accounts/:account_id/follow"),
    http::get<nothing>("/api/v1/accounts/lookup/deep"),
    http::get<nothing>("/a/:x/b/:y"),
    http::get<nothing>("/@:username"),
    http::get<nothing>("/@:username/:status"),
};

struct RouteSearch : testing::Test {
    http::Router router;
    RouteSearch() { router.add(table); }
    std::string found(Method method, std::string_view path) {
        auto match = router.find(method, path);
        if (!match.route) return "none";
        std::string out(match.route->path);
        for (auto [name, value] : match.parameters) out += " " + std::string(name) + "=" + std::string(value);
        return out;
    }
};

TEST_F(RouteSearch, goes_by_method_and_path) {
    EXPECT_EQ(found(Method::get, "/"), "/");
    EXPECT_EQ(found(Method::get, "/api/v1/accounts"), "/api/v1/accounts");
    EXPECT_EQ(found(Method::get, "/api/v1/accounts/5"), "/api/v1/accounts/:id id=5");
    EXPECT_EQ(found(Method::delete_, "/api/v1/accounts/5"), "/api/v1/accounts/:id id=5");
    EXPECT_EQ(found(Method::post, "/api/v1/accounts/5"), "none");
    EXPECT_EQ(found(Method::get, "/a/1/b/2"), "/a/:x/b/:y x=1 y=2");
}

TEST_F(RouteSearch, knows_a_handle_by_its_at) {
    EXPECT_EQ(found(Method::get, "/@alice"), "/@:username username=alice");
    EXPECT_EQ(found(Method::get, "/%40alice/7"), "/@:username/:status username=alice status=7");
    EXPECT_EQ(found(Method::get, "/@"), "none");
    EXPECT_EQ(found(Method::get, "/alice"), "none");
}

TEST_F(RouteSearch, prefers_a_word_to_a_parameter_but_falls_back) {
    EXPECT_EQ(found(Method::get, "/api/v1/accounts/lookup"), "/api/v1/accounts/lookup");
    EXPECT_EQ(found(Method::delete_, "/api/v1/accounts/lookup"), "/api/v1/accounts/:id id=lookup");
    EXPECT_EQ(
        found(Method::get, "/api/v1/accounts/lookup/statuses"), "/api/v1/accounts/:id/statuses id=lookup"
    );
}

TEST_F(RouteSearch, lets_routes_name_a_parameter_differently_at_the_same_place) {
    EXPECT_EQ(
        found(Method::post, "/api/v1/accounts/5/follow"), "/api/v1/accounts/:account_id/follow account_id=5"
    );
    EXPECT_EQ(found(Method::get, "/api/v1/accounts/5/statuses"), "/api/v1/accounts/:id/statuses id=5");
}

TEST_F(RouteSearch, takes_head_for_get_and_tolerates_one_slash_at_the_end) {
    EXPECT_EQ(found(Method::head, "/api/v1/accounts"), "/api/v1/accounts");
    EXPECT_EQ(found(Method::get, "/api/v1/accounts/"), "/api/v1/accounts");
    EXPECT_EQ(found(Method::get, "/api/v1/accounts/5/"), "/api/v1/accounts/:id id=5");
    EXPECT_EQ(found(Method::get, "/api/v1/accounts//"), "none");
}

TEST_F(RouteSearch, finds_nothing_where_there_is_nothing) {
    for (auto path :
         {"",
          "api",
          "///",
          "/api",
          "/api/v1",
          "/api/v1/accounts/5/nothing",
          "/api/v1/accounts//statuses",
          "/a//b/2",
          "*"})
        EXPECT_EQ(found(Method::get, path), "none") << path;
}

}  // namespace
