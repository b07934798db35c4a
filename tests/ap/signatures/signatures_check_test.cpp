// SPDX-License-Identifier: AGPL-3.0-or-later
// The program dunlin-signatures-check, run as people run it.
#include "ap/vectors.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/json.hpp>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

struct Run {
    int exit = -1;
    std::vector<json::object> lines;
};

Run check(const std::string& file) {
    const auto program = fs::read_symlink("/proc/self/exe").parent_path() / "dunlin-signatures-check";
    Run run;
    FILE* out = popen(("'" + program.string() + "' '" + file + "'").c_str(), "r");
    if (!out) return run;
    std::string text;
    for (int c; (c = std::fgetc(out)) != EOF;) {
        if (c != '\n') {
            text += static_cast<char>(c);
            continue;
        }
        run.lines.push_back(json::parse(text).as_object());
        text.clear();
    }
    const int status = pclose(out);
    if (WIFEXITED(status)) run.exit = WEXITSTATUS(status);
    return run;
}

std::string file_of(const std::string& content) {
    const auto path = fs::temp_directory_path() / ("signatures_check_" + std::to_string(getpid()) + ".json");
    std::ofstream(path) << content;
    return path.string();
}

TEST(SignaturesCheck, judges_all_vectors_as_expected) {
    std::size_t lines = 0;
    for (auto folder : {"http-signatures", "object-integrity-proofs", "ld-signatures"})
        for (const auto& file : fs::directory_iterator(vectors::folder() + "/" + folder)) {
            const auto run = check(file.path().string());
            EXPECT_EQ(run.exit, 0) << file.path();
            EXPECT_FALSE(run.lines.empty()) << file.path();
            lines += run.lines.size();
        }
    EXPECT_EQ(lines, 124u);
}

TEST(SignaturesCheck, fails_when_a_verdict_is_another_than_expected) {
    const auto path = file_of(R"({"cases":[
        {"name":"unsigned","now":"2026-03-01T12:00:00Z","expect":"accept",
         "request":{"method":"GET","target":"/users/bob","headers":{"Host":"local.example"}}},
        {"name":"unsigned too","now":"2026-03-01T12:00:00Z","expect":"reject",
         "request":{"method":"GET","target":"/users/bob","headers":{"Host":"local.example"}}}]})");
    const auto run = check(path);
    fs::remove(path);
    EXPECT_EQ(run.exit, 1);
    ASSERT_EQ(run.lines.size(), 2u);
    EXPECT_EQ(run.lines[0].at("verdict"), "reject");
    EXPECT_EQ(run.lines[0].at("ok"), false);
    EXPECT_EQ(run.lines[1].at("ok"), true);
}

TEST(SignaturesCheck, says_so_when_a_file_cannot_be_judged) {
    for (auto content :
         {"", "{", "[]", "{}", R"({"cases":[]})", R"({"cases":[{"signed":1,"valid":true}]})"}) {
        const auto path = file_of(content);
        const auto run = check(path);
        fs::remove(path);
        EXPECT_EQ(run.exit, 1) << content;
        ASSERT_EQ(run.lines.size(), 1u) << content;
        EXPECT_EQ(run.lines[0].at("verdict"), "error") << content;
    }
    EXPECT_EQ(check("/nonexistent.json").exit, 1);
}

}  // namespace
