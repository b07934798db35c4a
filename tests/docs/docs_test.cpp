// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gtest/gtest.h>

#include "docs/docs.hpp"
#include "server/tables.hpp"

#include <fstream>
#include <iterator>
#include <set>

namespace {

std::string page(const std::string& name) {
    std::ifstream file(std::string(DUNLIN_SOURCE_DIR) + "/docs/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Docs, are_what_the_program_says) {
    // Not EXPECT_EQ, which would print both.
    EXPECT_TRUE(page("config.md") == server::config_page()) << "run build/dev/dunlin docs";
    EXPECT_TRUE(page("api.md") == server::api_page(server::sorted_routes())) << "run build/dev/dunlin docs";
}

TEST(RouteTable, stands_with_each_route_once) {
    std::set<std::pair<http::Method, std::string_view>> seen;
    for (const auto* route : server::sorted_routes())
        EXPECT_TRUE(seen.emplace(route->method, route->path).second) << route->path;
    EXPECT_FALSE(seen.empty());
}

TEST(Periodic, is_done_now_and_then) {
    for (const auto& work : server::periodic()) EXPECT_GT(work.every_seconds, 0) << work.name;
}

}  // namespace
