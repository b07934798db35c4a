// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/fixtures.hpp"
#include "ap/vectors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

TEST(Fixtures, documents_of_forty_programs_become_what_was_read_in_them_by_eye) {
    NEEDS_DOCUMENTS();
    std::ifstream golden(std::string(DUNLIN_SOURCE_DIR) + "/tests/ap/fixtures.golden.jsonl");
    std::string folder = vectors::documents(), expected;
    for (const auto& file : fixtures::documents(folder)) {
        auto name = std::filesystem::relative(file, folder).string();
        ASSERT_TRUE(std::getline(golden, expected)) << name;
        EXPECT_EQ(fixtures::outcome(name, fixtures::contents(file)), expected);
    }
    EXPECT_FALSE(std::getline(golden, expected)) << expected;
}

// Any of them cut off anywhere, or with a byte changed, is read or refused as well.
TEST(Fixtures, damaged_documents_are_read_or_refused) {
    NEEDS_DOCUMENTS();
    for (const auto& file : fixtures::documents(vectors::documents())) {
        auto whole = fixtures::contents(file);
        for (std::size_t at = 1; at < whole.size(); at += whole.size() / 7 + 1) {
            fixtures::outcome("cut", whole.substr(0, at));
            auto changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ 0x15);
            fixtures::outcome("changed", changed);
        }
    }
}

}  // namespace
