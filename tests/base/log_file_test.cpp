// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/log_file.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace {

namespace fs = std::filesystem;
using base::LogFile;
using testing::ElementsAre, testing::HasSubstr;

struct LogFiles : testing::Test {
    LogFiles() {
        std::string name = fs::temp_directory_path() / "dunlin-log-XXXXXX";
        folder = ::mkdtemp(name.data());
        file = folder / "dunlin.log";
    }
    ~LogFiles() override { fs::remove_all(folder); }

    // Tries again at once.
    base::LogFileOptions options(std::uintmax_t most = 0, int files = 3) const {
        return {file, most, files, std::chrono::milliseconds(0)};
    }
    static std::string text(const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& one : fs::directory_iterator(folder)) all.push_back(one.path().filename());
        std::ranges::sort(all);
        return all;
    }

    fs::path folder, file;
};

TEST_F(LogFiles, begin_anew_when_they_are_full_and_the_oldest_goes) {
    LogFile log(options(10));
    for (auto line : {"one 1", "two 2", "three", "four ", "five "}) EXPECT_TRUE(log.write(line));
    EXPECT_THAT(names(), ElementsAre("dunlin.log", "dunlin.log.1", "dunlin.log.2"));
    EXPECT_EQ(text(file), "five \n");
    EXPECT_EQ(text(folder / "dunlin.log.1"), "four \n");
    EXPECT_EQ(text(folder / "dunlin.log.2"), "three\n");
}

TEST_F(LogFiles, go_on_after_what_is_there) {
    std::ofstream(file) << "before\n";
    LogFile log(options(20));
    EXPECT_TRUE(log.write("after"));
    EXPECT_EQ(text(file), "before\nafter\n");
    EXPECT_TRUE(log.write("much later"));
    EXPECT_EQ(text(file), "much later\n");
    EXPECT_EQ(text(folder / "dunlin.log.1"), "before\nafter\n");
}

TEST_F(LogFiles, take_a_line_that_is_longer_than_a_file) {
    LogFile log(options(10));
    const std::string line(100, 'x');
    EXPECT_TRUE(log.write(line));
    EXPECT_TRUE(log.write(line));
    EXPECT_EQ(text(file), line + "\n");
    EXPECT_EQ(text(folder / "dunlin.log.1"), line + "\n");
}

TEST_F(LogFiles, are_one_alone_where_that_is_wanted) {
    LogFile log(options(10, 1));
    for (auto line : {"one 1", "two 2"}) EXPECT_TRUE(log.write(line));
    EXPECT_THAT(names(), ElementsAre("dunlin.log"));
    EXPECT_EQ(text(file), "two 2\n");
}

TEST_F(LogFiles, are_left_to_others_without_a_size) {
    LogFile log(options());
    for (int i = 0; i < 1000; ++i) log.write("a line of it");
    EXPECT_THAT(names(), ElementsAre("dunlin.log"));
    fs::rename(file, folder / "moved");
    log.write("still there");
    EXPECT_THAT(text(folder / "moved"), HasSubstr("still there\n"));
    log.reopen();
    EXPECT_TRUE(log.write("a new one"));
    EXPECT_EQ(text(file), "a new one\n");
}

TEST_F(LogFiles, are_written_by_two_one_after_the_other) {
    LogFile one(options(40)), other(options(40));
    one.write(std::string(10, 'a'));
    other.write(std::string(20, 'b'));
    one.write(std::string(30, 'c'));
    other.write(std::string(8, 'd'));
    EXPECT_THAT(names(), ElementsAre("dunlin.log", "dunlin.log.1")) << "it was not full";
    EXPECT_EQ(text(folder / "dunlin.log.1"), std::string(10, 'a') + "\n" + std::string(20, 'b') + "\n");
    EXPECT_EQ(text(file), std::string(30, 'c') + "\n" + std::string(8, 'd') + "\n");
}

TEST_F(LogFiles, are_no_more_than_are_wanted_now) {
    for (auto name : {"dunlin.log", "dunlin.log.1", "dunlin.log.2", "dunlin.log.3", "dunlin.log.4"})
        std::ofstream(folder / name) << "before\n";
    LogFile log(options(10, 2));
    EXPECT_TRUE(log.write("after"));
    EXPECT_THAT(names(), ElementsAre("dunlin.log", "dunlin.log.1"));
}

TEST_F(LogFiles, are_not_begun_anew_too_early_where_others_emptied_them) {
    LogFile log(options(100));
    log.write(std::string(80, 'x'));
    fs::resize_file(file, 0);
    log.write(std::string(40, 'y'));
    EXPECT_THAT(names(), ElementsAre("dunlin.log"));
}

TEST_F(LogFiles, wait_for_a_folder_that_is_missing) {
    file = folder / "gone" / "dunlin.log";
    LogFile log(options());
    EXPECT_FALSE(log.write("lost"));
    EXPECT_EQ(log.problem(), "it cannot be opened: No such file or directory");
    fs::create_directory(folder / "gone");
    EXPECT_TRUE(log.write("found"));
    EXPECT_EQ(text(file), "found\n");
}

TEST_F(LogFiles, are_not_asked_for_with_every_line) {
    file = folder / "gone" / "dunlin.log";
    auto patient = options();
    patient.try_again = std::chrono::hours(1);
    LogFile log(patient);
    EXPECT_FALSE(log.write("lost"));
    fs::create_directory(folder / "gone");
    EXPECT_FALSE(log.write("lost, too"));
    log.reopen();
    EXPECT_TRUE(log.write("found"));
}

TEST_F(LogFiles, refuse_what_a_full_disk_does_not_take_and_go_on_when_it_does) {
    fs::create_symlink("/dev/full", file);
    LogFile log(options(10));
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(log.write("a line"));
    EXPECT_EQ(log.problem(), "it cannot be written: No space left on device");
    fs::remove(file);
    log.reopen();
    EXPECT_TRUE(log.write("a line"));
    EXPECT_EQ(text(file), "a line\n");
}

TEST_F(LogFiles, wait_for_no_reader) {
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    LogFile log(options());
    EXPECT_FALSE(log.write("nobody reads it"));
}

TEST_F(LogFiles, go_on_where_they_cannot_be_renamed) {
    if (::geteuid() == 0) {  // whom no folder stops: a folder in the way does
        fs::create_directories(folder / "dunlin.log.1" / "full");
    } else {
        std::ofstream(file) << "";
        fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    }
    LogFile log(options(10, 2));
    for (auto line : {"one 1", "two 2", "three"}) EXPECT_TRUE(log.write(line));
    fs::permissions(folder, fs::perms::owner_all);
    EXPECT_EQ(text(file), "one 1\ntwo 2\nthree\n");
}

}  // namespace
