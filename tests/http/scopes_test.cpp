// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/scopes.hpp"

#include <gtest/gtest.h>

namespace {

bool opens(std::string_view held, std::string_view required) {
    return (*http::parse_scopes(held) & http::accepted_scopes(required)).any();
}

TEST(Scopes, are_read_in_any_order_and_written_in_one) {
    EXPECT_EQ(http::to_string(*http::parse_scopes("write read:lists read")), "read write read:lists");
    EXPECT_EQ(http::to_string(*http::parse_scopes("")), "");
    EXPECT_EQ(http::to_string(*http::parse_scopes("read+write")), "read write");
    EXPECT_FALSE(http::parse_scopes("read nonsense"));
    EXPECT_FALSE(http::parse_scopes("read:nonsense"));
    EXPECT_FALSE(http::parse_scopes("READ"));
}

TEST(Scopes, of_a_parent_cover_its_children_and_nothing_else) {
    EXPECT_TRUE(opens("read", "read:statuses"));
    EXPECT_TRUE(opens("read:statuses", "read:statuses"));
    EXPECT_FALSE(opens("read:accounts", "read:statuses"));
    EXPECT_FALSE(opens("write", "read:statuses"));
    EXPECT_FALSE(opens("read", "admin:read:accounts"));
    EXPECT_TRUE(opens("admin:read", "admin:read:accounts"));
    EXPECT_FALSE(opens("admin:write", "admin:read:accounts"));
    EXPECT_FALSE(opens("read:statuses", "read"));
}

TEST(Scopes, that_are_alternatives_each_open) {
    for (auto held : {"profile", "read", "read:accounts"})
        EXPECT_TRUE(opens(held, "profile|read:accounts")) << held;
    for (auto held : {"follow", "write", "write:follows"})
        EXPECT_TRUE(opens(held, "follow|write:follows")) << held;
    EXPECT_FALSE(opens("push follow", "profile|read:accounts"));
}

TEST(Scopes, a_route_asks_for_must_exist) {
    EXPECT_THROW(http::accepted_scopes("read:nonsense"), std::logic_error);
    for (auto word : http::scope_words()) EXPECT_NO_THROW(http::accepted_scopes(word)) << word;
}

TEST(Scopes, fit_into_their_set) { EXPECT_LE(http::scope_words().size(), http::Scopes().size()); }

}  // namespace
