// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/id_map.hpp"

#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using Map = base::IdMap<base::StatusId, std::string>;

base::StatusId id(std::int64_t n) { return base::StatusId{n << 16}; }

TEST(IdMap, finds_each_of_a_thousand_and_nothing_else_in_the_order_they_came) {
    Map map;
    EXPECT_FALSE(map.contains(id(1)));
    for (int n = 1000; n > 0; --n) map[id(n)] = std::to_string(n);
    EXPECT_EQ(map.size(), 1000u);
    for (int n = 1; n <= 1000; ++n) EXPECT_EQ(map.find(id(n))->second, std::to_string(n));
    EXPECT_FALSE(map.contains(id(1001)));
    EXPECT_FALSE(map.contains(base::StatusId{}));
    EXPECT_EQ(map.begin()->first, id(1000));
}

TEST(IdMap, keeps_what_it_has_when_more_comes) {
    Map map, others;
    map.reserve(2);
    map.emplace(id(1), "mine");
    map.emplace(id(1), "other");
    others.emplace(id(1), "theirs");
    others.emplace(id(2), "new");
    map.merge(std::move(others));
    EXPECT_EQ(map.size(), 2u);
    EXPECT_EQ(map[id(1)], "mine");
    EXPECT_EQ(map[id(2)], "new");
    map[id(2)] = "changed";
    EXPECT_EQ(map.find(id(2))->second, "changed");
}

}  // namespace
