// SPDX-License-Identifier: AGPL-3.0-or-later
// Every attack that comes by way of federation has a test that is named after its number.
#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace {

// Part A of the list, and of the other parts those for which federation is the way in. What concerns whole servers has
// more tests in tests/hostile.
constexpr int numbers[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                           21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 57, 63, 64, 66,
                           67, 68, 69, 71, 73, 74, 76, 77, 78, 80, 86, 87, 89, 90, 91, 96, 97, 101};

std::set<int> named(const std::string& test) {
    static const std::regex name("attack((_[0-9]+)+)", std::regex::icase), number("[0-9]+");
    static const std::regex suite("Attack([0-9]+)");
    std::set<int> out;
    auto collect = [&](const std::string& text) {
        for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at)
            out.insert(std::stoi(at->str()));
    };
    for (std::sregex_iterator at(test.begin(), test.end(), name), end; at != end; ++at) collect((*at)[1]);
    for (std::sregex_iterator at(test.begin(), test.end(), suite), end; at != end; ++at) collect((*at)[1]);
    return out;
}

TEST(AttackNumbers, have_a_test_each) {
    std::set<int> tested;
    const auto& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const auto& suite = *all.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j)
            tested.merge(named(std::string(suite.name()) + "." + suite.GetTestInfo(j)->name()));
    }
    for (int number : numbers) EXPECT_TRUE(tested.contains(number)) << "attack " << number;
}

}  // namespace
