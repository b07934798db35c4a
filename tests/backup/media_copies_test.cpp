// SPDX-License-Identifier: AGPL-3.0-or-later
// The list of uploaded files beside a backup, where folders, names and other processes are not as one would have them.
#include "backup/media_copies.hpp"

#include <sys/resource.h>

#include "backup/stage.hpp"

#include <fstream>

namespace {

using namespace backup_stage;
using testing::IsEmpty, testing::SizeIs;

struct MediaBackup : Kept {
    MediaBackup() : Kept("media-backup"), target(folder / "kept") { place()->prepare(); }
    std::shared_ptr<backup::Target> place() const override { return backup::folder_target(target); }

    static bool nothing(const std::string&) { return false; }
    static bool never() { return false; }
    static void upload(const fs::path& file) { std::ofstream(file) << file.filename().string(); }

    fs::path target;
};
INSTANTIATE_TEST_SUITE_P(db, MediaBackup, testing::Values(support::Database::sqlite), support::database_name);

// While too many files are open, no folder can be read.
TEST_P(MediaBackup, takes_no_media_for_gone_when_their_folder_cannot_be_read) {
    std::ofstream(options.source.media / "one.png") << "one";
    const Archive archive(target);
    archive.target().prepare();
    backup::MediaCopies media(archive, options.source.media, [](const std::string&) { return false; });
    media.sweep(1000, [] { return false; });
    rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), usual.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    const auto back = [&] { return ::setrlimit(RLIMIT_NOFILE, &usual) != 0; };
    EXPECT_THROW(media.sweep(2000, back), backup::Away);
    back();
    EXPECT_EQ(backup::read_media_list(archive)["one.png"].gone, 0);
    fs::remove(options.source.media / "one.png");
    media.sweep(3000, [] { return false; });
    EXPECT_EQ(backup::read_media_list(archive)["one.png"].gone, 3000);
}

TEST_P(MediaBackup, keeps_names_with_blanks_and_leaves_out_those_with_line_ends) {
    const backup::Words names{"my own picture.png", " blank", "blank ", "1 + 2 - 3", "plain.png"};
    for (const auto& name : names) upload(options.source.media / name);
    upload(options.source.media / "two\nlines");
    upload(options.source.media / "a\ttab");
    backup::MediaCopies media(archive(), options.source.media, nothing);
    testing::internal::CaptureStderr();
    media.sweep(1000, never);
    media.sweep(1001, never);
    const auto told = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(told, '\n'), 1) << told;
    EXPECT_THAT(told, testing::HasSubstr("left out of the backup"));
    const auto list = backup::read_media_list(archive());
    EXPECT_THAT(list, SizeIs(names.size()));
    for (const auto& name : names) EXPECT_TRUE(list.contains(name)) << name;
    fs::remove(options.source.media / names[0]);
    media.sweep(2000, never);
    EXPECT_EQ(backup::read_media_list(archive())[names[0]].gone, 2000);
    const auto restored = backup::restore_media(archive(), 1500, folder / "then");
    EXPECT_EQ(restored.files, static_cast<std::int64_t>(names.size()));
    EXPECT_THAT(restored.faults, IsEmpty());
}

TEST_P(MediaBackup, reads_a_list_that_has_names_with_line_ends) {
    upload(options.source.media / "plain.png");
    const std::string name = "two\n\nlines.png";
    fs::copy(options.source.media / "plain.png", target / "media" / name);
    const auto hash = backup::sha256_of(target / "media" / name);
    const auto line = backup::checked_line("500 + " + name + " 9 " + hash);
    backup::put(target / backup::media_list_name, line);
    backup::MediaCopies media(archive(), options.source.media, nothing);
    media.sweep(1000, never);
    const auto list = backup::read_media_list(archive());
    EXPECT_THAT(list, SizeIs(2));
    EXPECT_EQ(list.at(name).sha256, hash);
    EXPECT_EQ(list.at(name).gone, 1000);
    EXPECT_EQ(backup::restore_media(archive(), 900, folder / "then").files, 2);
    // What is damaged is still told from that.
    backup::put(target / backup::media_list_name, "6" + line.substr(1));
    EXPECT_THROW(backup::read_media_list(archive()), backup::Broken);
}

TEST_P(MediaBackup, keeps_what_is_noted_while_it_is_pruned) {
    for (const char* name : {"1.png", "2.png"}) upload(options.source.media / name);
    backup::MediaCopies media(archive(), options.source.media, nothing);
    media.sweep(1000, never);
    fs::remove(options.source.media / "1.png");
    media.sweep(2000, never);
    const auto look = [](const std::string&) {};
    int more = 2;
    const auto beside = std::make_shared<Watched>(target, look, look, [&](const std::string&) {
        upload(options.source.media / (std::to_string(++more) + ".png"));
        media.sweep(3000, never);
    });
    EXPECT_EQ(backup::prune(Archive(beside), {{1, 0}}, now()).media, 1);
    ASSERT_GT(more, 2);
    const auto list = backup::read_media_list(archive());
    EXPECT_FALSE(list.contains("1.png"));
    for (int i = 2; i <= more; ++i) EXPECT_TRUE(list.contains(std::to_string(i) + ".png")) << i;
}

TEST_P(MediaBackup, go_on_after_a_line_that_was_half_written) {
    const auto list = target / backup::media_list_name;
    const auto sweep = [&](std::int64_t now) {
        backup::MediaCopies(archive(), options.source.media, nothing).sweep(now, never);
    };
    upload(options.source.media / "1.png");
    sweep(1000);
    const auto whole = fs::file_size(list);
    upload(options.source.media / "2.png");
    sweep(1001);
    for (const auto left : {whole + 1, fs::file_size(list) - 1}) {
        fs::resize_file(list, left);
        upload(options.source.media / "3.png");
        sweep(1002);
        EXPECT_THAT(backup::read_media_list(archive()), SizeIs(3)) << left;
        fs::remove(options.source.media / "3.png");
        fs::resize_file(list, whole);
        sweep(1003);
    }
}

// The other one has a while to write between the moment the list was measured and that in which it grows.
TEST_P(MediaBackup, keeps_what_two_note_at_once) {
    for (const char* name : {"a", "b"}) {
        fs::create_directories(options.source.media / name);
        upload(options.source.media / name / (name + std::string(".png")));
    }
    const auto sweep = [&](const Archive& into, const char* name) {
        backup::MediaCopies(into, options.source.media / name, nothing).sweep(1000, never);
    };
    std::thread other;
    std::atomic<bool> done = false;
    const auto look = [&](const std::string& name) {
        if (name != backup::media_list_name) return;
        other = std::thread([&] {
            sweep(archive(), "b");
            done = true;
        });
        for (int i = 0; i < 100 && !done; ++i) std::this_thread::sleep_for(5ms);
    };
    sweep(Archive(std::make_shared<Watched>(target, look, [](const std::string&) {})), "a");
    other.join();
    EXPECT_THAT(backup::read_media_list(archive()), SizeIs(2));
}

}  // namespace
