// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/cache.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace {

using Texts = base::Cache<std::string>;

std::shared_ptr<const std::string> text(const std::string& s) {
    return std::make_shared<const std::string>(s);
}

TEST(Cache, keeps_each_version_apart) {
    Texts cache(1 << 20);
    cache.put({1, 1}, text("old"), 3);
    cache.put({1, 2}, text("new"), 3);
    EXPECT_EQ(*cache.find({1, 1}), "old");
    EXPECT_EQ(*cache.find({1, 2}), "new");
    EXPECT_EQ(cache.find({1, 3}), nullptr);
    EXPECT_EQ(cache.find({2, 1}), nullptr);
    EXPECT_EQ(cache.find({-1, 1}), nullptr);
}

TEST(Cache, stays_within_its_bytes) {
    constexpr std::size_t bytes = 1 << 20, each = 1000;
    Texts cache(bytes);
    for (std::int64_t i = 0; i < 10'000; ++i) cache.put({i, 1}, text("x"), each);
    std::size_t held = 0;
    for (std::int64_t i = 0; i < 10'000; ++i) held += cache.find({i, 1}) ? each : 0;
    EXPECT_LE(held, bytes);
    EXPECT_GT(held, bytes / 4);
}

TEST(Cache, keeps_what_is_asked_for) {
    Texts cache(1 << 20);
    cache.put({-7, 1}, text("wanted"), 10);
    for (std::int64_t i = 0; i < 10'000; ++i) {
        cache.put({i, 1}, text("x"), 1000);
        ASSERT_TRUE(cache.find({-7, 1})) << i;
    }
}

TEST(Cache, leaves_values_alive_that_somebody_holds) {
    Texts cache(1 << 16);
    cache.put({1, 1}, text("held"), 10);
    auto held = cache.find({1, 1});
    for (std::int64_t i = 2; i < 10'000; ++i) cache.put({i, 1}, text("x"), 1000);
    EXPECT_EQ(*held, "held");
}

TEST(Cache, bears_many_threads) {
    Texts cache(1 << 18);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (std::int64_t i = 0; i < 5000; ++i) {
                cache.put({i % 700, 1}, text(std::to_string(i % 700)), 500);
                if (auto found = cache.find({i % 311, 1})) EXPECT_EQ(*found, std::to_string(i % 311));
            }
        });
    for (auto& thread : threads) thread.join();
}

}  // namespace
