// SPDX-License-Identifier: AGPL-3.0-or-later
// What fuzzing begins with gets past the first checks: a seed that is refused at once leads nowhere.
#include "ap/fixtures.hpp"
#include "ap/ld/expand.hpp"
#include "ap/ld/to_rdf.hpp"
#include "http/body/read_params.hpp"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

namespace {

std::vector<std::filesystem::path> seeds(const std::string& fuzzer) {
    std::filesystem::path folder = DUNLIN_SOURCE_DIR "/tests/fuzz/corpus/" + fuzzer;
    std::vector<std::filesystem::path> out;
    if (std::filesystem::is_directory(folder))
        for (const auto& file : std::filesystem::directory_iterator(folder)) out.push_back(file.path());
    return out;
}

TEST(FuzzSeeds, of_json_bodies_become_parameters) {
    auto all = seeds("json_fuzz");
    EXPECT_GE(all.size(), 5u);
    for (const auto& seed : all) {
        http::Params params;
        EXPECT_NO_THROW(http::read_json(fixtures::contents(seed), params)) << seed;
        EXPECT_GT(params.size(), 2u) << seed;
    }
}

TEST(FuzzSeeds, of_linked_data_say_something) {
    auto all = seeds("json_ld_fuzz");
    EXPECT_GE(all.size(), 5u);
    for (const auto& seed : all) {
        auto document = boost::json::parse(fixtures::contents(seed));
        ap::ld::Work work;
        EXPECT_GT(ap::ld::to_rdf(ap::ld::expand(document, work), work).size(), 3u) << seed;
    }
}

}  // namespace
