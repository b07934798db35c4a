// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/shared_state.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Kept = base::MadeOnce<int, std::string>;

std::shared_ptr<const int> number(int n) { return std::make_shared<const int>(n); }

}  // namespace

TEST(MadeOnce, keeps_what_was_made_of_a_version_until_another_is_wanted) {
    Kept kept;
    int made = 0;
    const auto make = [&] { return number(++made); };
    EXPECT_EQ(kept.of("a"), nullptr);
    EXPECT_EQ(*kept.get("a", make), 1);
    EXPECT_EQ(*kept.get("a", make), 1);
    EXPECT_EQ(*kept.of("a"), 1);
    EXPECT_EQ(*kept.get("b", make), 2);
    EXPECT_EQ(kept.of("a"), nullptr);
}

TEST(MadeOnce, keeps_nothing_of_what_could_not_be_made) {
    Kept kept;
    EXPECT_THROW(kept.get("a", []() -> Kept::Made { throw std::runtime_error("away"); }), std::runtime_error);
    EXPECT_EQ(*kept.get("a", [] { return number(3); }), 3);
}

TEST(MadeOnce, is_made_by_one_while_all_others_wait) {
    Kept kept;
    std::atomic<int> made = 0, asked = 0;
    std::promise<void> begun, go_on;
    auto first = std::async(std::launch::async, [&] {
        return *kept.get("a", [&] {
            begun.set_value();
            go_on.get_future().wait();
            return number(++made);
        });
    });
    begun.get_future().wait();
    std::vector<std::future<int>> others;
    for (int i = 0; i < 4; ++i)
        others.push_back(std::async(std::launch::async, [&] {
            ++asked;
            return *kept.get("a", [&] { return number(++made); });
        }));
    while (asked < 4) std::this_thread::yield();
    go_on.set_value();
    EXPECT_EQ(first.get(), 1);
    for (auto& one : others) EXPECT_EQ(one.get(), 1);
    EXPECT_EQ(made, 1);
}
