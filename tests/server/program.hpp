// SPDX-License-Identifier: AGPL-3.0-or-later
// The real program, run as an operator runs it, on a data folder of its own. It stands beside the test program;
// where it was not built, the tests are skipped.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

struct Program : testing::Test {
    struct Outcome {
        int status = -1;
        std::string out, err;
    };

    void SetUp() override {
        if (std::filesystem::exists(program)) return;
        if (std::getenv("CI")) FAIL() << program << " is not built";
        GTEST_SKIP() << program << " is not built";
    }
    ~Program() override { std::filesystem::remove_all(folder); }

    // `arguments` as typed into a shell; --data comes from the environment.
    Outcome run(const std::string& arguments) const {
        auto errors = folder / "stderr";
        auto command = "DUNLIN_DATA='" + data.string() + "' '" + program.string() + "' " + arguments +
                       " 2>'" + errors.string() + "'";
        Outcome outcome;
        auto pipe = ::popen(command.c_str(), "r");
        char buffer[4096];
        for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
            outcome.out.append(buffer, n);
        outcome.status = WEXITSTATUS(::pclose(pipe));
        outcome.err = contents(errors);
        return outcome;
    }

    static std::string contents(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static std::filesystem::path made() {
        std::string name = std::filesystem::temp_directory_path() / "dunlin-program-XXXXXX";
        return ::mkdtemp(name.data());
    }

    std::filesystem::path folder = made(), data = folder / "data";
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "dunlin";
};
