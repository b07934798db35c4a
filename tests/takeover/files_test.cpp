// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of the server of before, of which some cannot be taken.
#include "takeover/stage.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

namespace {

using namespace takeover_stage;
using takeover::Files;

// No file of this process grows beyond so many bytes, which is how a copy fails in its middle.
struct SmallFiles {
    explicit SmallFiles(rlim_t most) {
        ::getrlimit(RLIMIT_FSIZE, &before);
        old = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit now{most, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, old);
    }
    rlimit before{};
    void (*old)(int) = nullptr;
};

dev_t disk_of(const fs::path& path) {
    struct stat about{};
    ::stat(path.c_str(), &about);
    return about.st_dev;
}

TEST(TakeoverFiles, that_cannot_be_copied_leave_nothing_behind) {
    const Folder here;
    const fs::path elsewhere = fs::path("/dev/shm") / support::fresh_name();
    if (!fs::exists("/dev/shm") || disk_of("/dev/shm") == disk_of(here.path))
        GTEST_SKIP() << "there is one file system alone here";
    fs::create_directories(elsewhere);
    std::ofstream(elsewhere / "large.png") << std::string(100'000, 'x');
    std::ofstream(elsewhere / "small.png") << "small";
    media::FolderFiles kept(here.path / "media");
    const Files files(elsewhere, &kept, here.path / "scratch");
    {
        const SmallFiles limit(4096);
        EXPECT_EQ(files.take("large.png", "former/large.png"), Files::Found::unreadable);
    }
    EXPECT_FALSE(kept.find("former/large.png"));
    EXPECT_TRUE(fs::is_empty(here.path / "scratch"));
    EXPECT_EQ(files.take("small.png", "former/small.png"), Files::Found::copied);
    fs::remove_all(elsewhere);
}

TEST(TakeoverFiles, that_are_links_are_taken_as_what_they_lead_to) {
    const Folder folder;
    const auto from = folder.path / "system";
    fs::create_directories(from / "large");
    std::ofstream(from / "large/a.png") << "bytes";
    fs::create_symlink("large/a.png", from / "link.png");
    media::FolderFiles kept(folder.path / "media");
    const Files files(from, &kept, folder.path / "scratch");
    ASSERT_EQ(files.take("link.png", "former/deep/link.png"), Files::Found::copied);
    const auto taken = folder.path / "media/former/deep/link.png";
    EXPECT_FALSE(fs::is_symlink(taken));
    EXPECT_EQ(contents(taken), "bytes");
}

}  // namespace
