// SPDX-License-Identifier: AGPL-3.0-or-later
// Every fact of the description of behaviour has a test, or belongs to a part that has its own: behaviours.tsv is the
// index, one line for each, in their order.
#include "contract/contract.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace {

struct Line {
    std::string fact, words, tests, elsewhere;
};

std::vector<Line> lines() {
    std::ifstream file(std::string(DUNLIN_SOURCE_DIR) + "/tests/contract/behaviours.tsv");
    std::vector<Line> out;
    std::string text;
    std::getline(file, text);
    while (std::getline(file, text)) {
        std::istringstream cells(text);
        Line line;
        for (auto* cell : {&line.fact, &line.words, &line.tests, &line.elsewhere})
            std::getline(cells, *cell, '\t');
        out.push_back(line);
    }
    return out;
}

// "db/Follows" and "end_with_it/sqlite" make Follows.end_with_it.
std::set<std::string> tests_of_this_program() {
    std::set<std::string> out;
    const auto& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const auto& suite = *all.GetTestSuite(i);
        std::string name = suite.name();
        name = name.substr(name.find('/') + 1);
        for (int k = 0; k < suite.total_test_count(); ++k) {
            std::string test = suite.GetTestInfo(k)->name();
            out.insert(name + "." + test.substr(0, test.find('/')));
        }
    }
    return out;
}

TEST(Behaviours, are_indexed_with_tests_that_there_are) {
    auto known = tests_of_this_program();
    const std::set<std::string> parts{"admin", "federation", "push"};
    auto all = lines();
    ASSERT_FALSE(all.empty());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& line = all[i];
        SCOPED_TRACE(line.fact + " " + line.words);
        EXPECT_EQ(line.fact, std::to_string(i + 1));
        EXPECT_FALSE(line.words.empty());
        std::istringstream tests(line.tests), elsewhere(line.elsewhere);
        std::string one;
        while (tests >> one) EXPECT_TRUE(known.contains(one)) << one;
        while (std::getline(elsewhere >> std::ws, one, ';'))
            EXPECT_TRUE(parts.contains(one.substr(0, one.find(':')))) << one;
        EXPECT_FALSE(line.tests.empty() && line.elsewhere.empty());
    }
}

// In its section of groups each line that is no heading and no head of a table tells a fact.
TEST(Behaviours, are_all_in_the_index) {
    std::ifstream file(contract::beside() + "/behaviours.md");
    if (!file) {
        if (std::getenv("CI")) FAIL() << "behaviours.md is missing in " << contract::beside();
        GTEST_SKIP() << "no behaviours.md in " << contract::beside() << ": its facts are not counted";
    }
    std::size_t facts = 0;
    bool inside = false;
    std::string text;
    while (std::getline(file, text)) {
        if (text.starts_with("## ")) inside = text.starts_with("## 11.");
        bool told = !text.empty() && !text.starts_with("#") && !text.starts_with("Format:") &&
                    !text.starts_with("|---") && !text.starts_with("| type");
        if (inside && told) ++facts;
    }
    EXPECT_EQ(facts, lines().size());
}

}  // namespace
