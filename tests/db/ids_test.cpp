// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/worker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <thread>
#include <vector>

namespace {

// As JavaScript writes whole numbers below 1e21.
std::string shortest_in_full(double number) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr;
    std::string digits;
    const std::string all(text, end);
    const auto e = all.find('e');
    for (const char c : all.substr(0, e))
        if (c != '.') digits += c;
    digits.append(static_cast<std::size_t>(std::stoi(all.substr(e + 1))) + 1 - digits.size(), '0');
    return digits;
}

TEST(NewIds, carry_their_millisecond_in_the_upper_bits) {
    db::IdSequence sequence;
    const base::Time far{1'767'225'600'000};
    EXPECT_EQ(sequence.next(far) >> 16, far.ms);
}

TEST(NewIds, grow_within_a_millisecond_and_when_the_clock_goes_back) {
    db::IdSequence sequence;
    const base::Time now{1'767'225'601'000};
    auto last = sequence.next(now);
    for (const auto time : {now, now, base::Time{1000}, base::Time{now.ms - 1}, now}) {
        const auto next = sequence.next(time);
        EXPECT_GT(next, last);
        last = next;
    }
}

TEST(NewIds, start_somewhere_else_in_each_millisecond) {
    db::IdSequence sequence;
    std::set<std::int64_t> starts;
    for (std::int64_t ms = 1'767'225'602'000; ms < 1'767'225'602'020; ++ms)
        starts.insert(sequence.next({ms}) & 0xffff);
    EXPECT_GT(starts.size(), 10u);
}

// Each is written as it is by a program that has doubles alone: in the fewest digits that lead back to the same.
TEST(NewIds, of_doubles_are_the_same_in_javascript) {
    db::IdSequence sequence(db::double_step);
    for (std::int64_t ms : {1'767'225'601'000, 2'100'000'000'000, 2'300'000'000'000}) {
        auto last = sequence.next({ms});
        EXPECT_EQ(last >> 16, ms);
        for (int i = 0; i < 1000; ++i) {
            const auto next = sequence.next({ms});
            EXPECT_GT(next, last);
            EXPECT_EQ(shortest_in_full(static_cast<double>(next)), std::to_string(next));
            last = next;
        }
    }
}

TEST(NewIds, are_unique_and_ordered_on_every_thread) {
    db::IdSequence sequence;
    std::vector<std::vector<std::int64_t>> ids(4);
    {
        std::vector<std::jthread> threads;
        for (auto& mine : ids)
            threads.emplace_back([&] {
                for (int i = 0; i < 5000; ++i) mine.push_back(sequence.next({1'767'225'603'000 + i / 100}));
            });
    }
    std::set<std::int64_t> all;
    for (const auto& mine : ids) {
        EXPECT_TRUE(std::ranges::is_sorted(mine));
        all.insert(mine.begin(), mine.end());
    }
    EXPECT_EQ(all.size(), 20000u);
}

}  // namespace
