// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/windows.hpp"

#include <gtest/gtest.h>

namespace {

using http::Windows;

// Small keys share a shard, and a table for 16 keys has room for two in each.
struct WindowsTest : testing::Test {
    Windows sparing{16, Windows::WhenFull::drop_oldest}, guarding{16, Windows::WhenFull::refuse};
};

TEST_F(WindowsTest, count_up_to_the_limit_and_no_further) {
    for (int i = 1; i <= 3; ++i) {
        auto counted = sparing.add(1, 7, 3);
        EXPECT_EQ(counted.count, i);
        EXPECT_FALSE(counted.refused);
    }
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(sparing.add(1, 7, 3).refused);
    EXPECT_EQ(sparing.count(1, 7), 3);
    EXPECT_EQ(sparing.add(1, 7, 4).count, 4);  // what was refused was not counted
    EXPECT_EQ(sparing.count(2, 7), 0);
}

TEST_F(WindowsTest, begin_anew_with_the_next_window) {
    sparing.add(1, 7, 1);
    EXPECT_TRUE(sparing.add(1, 7, 1).refused);
    EXPECT_EQ(sparing.count(1, 8), 0);
    EXPECT_EQ(sparing.add(1, 8, 1).count, 1);
    EXPECT_TRUE(sparing.add(1, 8, 1).refused);
}

TEST_F(WindowsTest, are_not_opened_again_by_a_clock_that_is_set_back) {
    sparing.add(1, 7, 1);
    EXPECT_TRUE(sparing.add(1, 6, 1).refused);
}

TEST_F(WindowsTest, forget_the_oldest_when_full) {
    for (std::uint64_t key : {1U, 2U, 1U, 3U}) sparing.add(key, 7, 9);
    EXPECT_EQ(sparing.count(1, 7), 0);
    EXPECT_EQ(sparing.count(2, 7), 1);
    EXPECT_EQ(sparing.count(3, 7), 1);
    sparing.add(2, 8, 9);  // a new window makes it the newest
    sparing.add(4, 8, 9);
    EXPECT_EQ(sparing.count(2, 8), 1);
    EXPECT_EQ(sparing.count(4, 8), 1);
    EXPECT_EQ(sparing.count(3, 8), 0);
}

TEST_F(WindowsTest, that_guard_are_kept_until_they_end) {
    guarding.add(1, 7, 9);
    guarding.add(2, 7, 9);
    EXPECT_TRUE(guarding.add(3, 7, 9).refused);
    EXPECT_EQ(guarding.count(1, 7), 1);
    EXPECT_EQ(guarding.count(2, 7), 1);
    EXPECT_EQ(guarding.add(1, 7, 9).count, 2);
    EXPECT_EQ(guarding.add(3, 8, 9).count, 1);
    EXPECT_EQ(guarding.add(4, 8, 9).count, 1);
}

TEST_F(WindowsTest, bear_many_keys_that_come_and_go) {
    Windows many(1 << 10, Windows::WhenFull::drop_oldest);
    std::uint64_t key = 1;
    for (int i = 0; i < 100'000; ++i) {
        key = key * 6364136223846793005ULL + 1442695040888963407ULL;
        ASSERT_EQ(many.add(key, i / 300, 5).count, 1) << i;
        ASSERT_EQ(many.count(key, i / 300), 1) << i;
    }
}

}  // namespace
