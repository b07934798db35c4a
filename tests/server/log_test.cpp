// SPDX-License-Identifier: AGPL-3.0-or-later
// Where the lines of a running server go.
#include "serving.hpp"

namespace {

using server_test::Serve;
using testing::HasSubstr, testing::Not;

struct ServeWithLog : Serve {
    // What a file holds, when it holds that.
    std::string once_with(const std::filesystem::path& path, const std::string& words) const {
        std::string text;
        for (int tries = 0; tries < 6000 && text.find(words) == text.npos; ++tries) {
            text = contents(path);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return text;
    }
    std::filesystem::path logs = folder / "logs", file = logs / "dunlin.log";
    std::string options = "--log-requests all --log-file '" + file.string() + "' ";
};

TEST_F(ServeWithLog, they_go_to_the_file_and_to_another_one_when_that_was_moved) {
    std::filesystem::create_directories(logs);
    start(options);
    EXPECT_EQ(get("/health?access_token=hush").status, 200);
    EXPECT_THAT(once_with(file, "/health"), HasSubstr("the database is up to date now"));
    EXPECT_THAT(contents(folder / "err"), Not(HasSubstr("info:")));
    EXPECT_THAT(contents(file), Not(HasSubstr("hush")));
    EXPECT_EQ(mode_of(file) & 037u, 0u) << "others of this machine may read it";
    std::filesystem::rename(file, logs / "moved");
    ::kill(child, SIGUSR1);
    for (int tries = 0; tries < 6000 && !std::filesystem::exists(file); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(get("/livez").status, 200);
    EXPECT_THAT(once_with(file, "/livez"), Not(HasSubstr("up to date")));
    EXPECT_EQ(stop(SIGTERM), 0);
    EXPECT_THAT(contents(file), HasSubstr("stopping"));
}

TEST_F(ServeWithLog, they_go_to_stderr_while_the_folder_is_missing) {
    start(options);
    const auto err = once_with(folder / "err", "up to date");
    EXPECT_THAT(err, HasSubstr("there is no folder " + logs.string()));
    EXPECT_THAT(err, HasSubstr("the log file is not written; lines go to stderr until it is"));
    EXPECT_EQ(get("/health").status, 200);
    std::filesystem::create_directories(logs);
    ::kill(child, SIGUSR1);
    for (int tries = 0; tries < 6000 && !std::filesystem::exists(file); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(get("/livez").status, 200);
    EXPECT_THAT(once_with(file, "/livez"), HasSubstr("the log file is written again"));
    EXPECT_EQ(stop(SIGTERM), 0);
}

TEST_F(ServeWithLog, a_full_disk_stops_nothing) {
    std::filesystem::create_directories(logs);
    std::filesystem::create_symlink("/dev/full", file);
    start(options);
    EXPECT_EQ(get("/health").status, 200);
    EXPECT_THAT(once_with(folder / "err", "/health"), HasSubstr("No space left on device"));
    EXPECT_EQ(stop(SIGTERM), 0);
}

}  // namespace
