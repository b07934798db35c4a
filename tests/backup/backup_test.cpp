// SPDX-License-Identifier: AGPL-3.0-or-later
// A backup of a database that somebody writes to, brought back and compared.
#include <sqlite3.h>

#include "backup/stage.hpp"
#include "base/deadline.hpp"

#include <fstream>
#include <map>

namespace {

using namespace backup_stage;
using testing::IsEmpty, testing::SizeIs;

std::string bytes_of(const fs::path& path) { return backup::contents(path); }

void flip_a_bit(const fs::path& path, std::size_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const auto byte = static_cast<char>(file.get() ^ 4);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
}

struct Backup : Kept {
    Backup() : Kept("backup"), target(folder / "kept") { options.target = place(); }
    std::shared_ptr<backup::Target> place() const override { return backup::folder_target(target); }

    fs::path target;
};
INSTANTIATE_TEST_SUITE_P(db, Backup, testing::Values(support::Database::sqlite), support::database_name);

TEST_P(Backup, holds_what_was_committed_through_many_logs) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    const Archive archive(target);
    ASSERT_THAT(archive.bases(), SizeIs(1));
    // When the log begins anew is up to how busy the machine is.
    std::int64_t last = 0;
    while (archive.logs(archive.bases()[0]).size() <= 3 && last < 30'000)
        for (int i = 0; i < 200; ++i) add(++last);
    ASSERT_TRUE(brought());
    ASSERT_THAT(archive.bases(), SizeIs(1));
    EXPECT_GT(archive.logs(archive.bases()[0]).size(), 3u);
    EXPECT_EQ(restored(), up_to(last));
    EXPECT_TRUE(verified().sound);
}

TEST_P(Backup, ends_a_verification_wherever_it_stands) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    for (std::int64_t id = 1; id <= 20; ++id) add(id);
    ASSERT_TRUE(brought());
    stop();
    const Archive archive(target);
    int steps = 0;
    for (bool ended = true; ended; ++steps) {
        int left = steps;
        backup::VerifyOptions how{{}, options.scratch, 200, {}, [&] { return left-- == 0; }};
        try {
            backup::verify(archive, how, now());
            ended = false;
        } catch (const base::Stopping&) {
            EXPECT_EQ(backup::last_verified(archive).ms, 0) << steps;
        }
        EXPECT_FALSE(fs::exists(options.scratch)) << steps;
    }
    EXPECT_GT(steps, 3);
    EXPECT_TRUE(backup::last_verified(archive).sound);
}

TEST_P(Backup, says_once_that_it_cannot_be_verified_and_does_it_when_it_can) {
    auto ahead = std::make_shared<std::atomic<std::int64_t>>(0);
    options.clock = [ahead] { return now() + *ahead; };
    options.verify_every = 1ms;
    std::ofstream(folder / "file") << "no folder";
    options.scratch = folder / "file" / "scratch";
    const auto pictures = options.source.media / "media/ab";
    fs::create_directories(pictures);
    testing::internal::CaptureStderr();
    start_with_backup();
    ASSERT_TRUE(has_base());
    // Each picture is copied by a later round.
    for (int round = 1; round <= 3; ++round) {
        const auto name = std::to_string(round) + ".png";
        std::ofstream(pictures / name) << name;
        *ahead += 2 * 3'600'000;
        EXPECT_TRUE(soon([&] { return fs::exists(target / "media" / "media/ab" / name); }));
    }
    EXPECT_EQ(keeper->figures().verified, 0);
    fs::remove(folder / "file");
    fs::create_directories(folder / "file");
    *ahead += 2 * 3'600'000;
    EXPECT_TRUE(soon([&] { return keeper->figures().verified > 0; }));
    EXPECT_TRUE(keeper->figures().sound);
    stop();
    const auto told = testing::internal::GetCapturedStderr();
    const std::string sentence = "the backup is not looked after";
    const auto first = told.find(sentence);
    ASSERT_NE(first, told.npos) << told;
    EXPECT_EQ(told.find(sentence, first + 1), told.npos) << told;
}

TEST_P(Backup, brings_back_each_moment) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    std::vector<std::int64_t> when;
    std::map<std::int64_t, std::size_t> reached;  // by the moment: so many were brought away
    for (std::int64_t id = 1; id <= 300; ++id) {
        add(id);
        when.push_back(now());
        if (id % 10 == 0) std::this_thread::sleep_for(5ms);
        if (id % 75 == 0) {
            ASSERT_TRUE(brought());
            reached[now()] = when.size();
        }
    }
    ASSERT_TRUE(brought());
    for (std::size_t i = 40; i < when.size(); i += 37) {
        const auto ids = restored(when[i]);
        EXPECT_EQ(ids, up_to(static_cast<std::int64_t>(ids.size())));
        // One more may have been committed by then and not answered yet.
        const auto answered = std::ranges::count_if(when, [&](auto ms) { return ms <= when[i]; });
        EXPECT_LE(ids.size(), static_cast<std::size_t>(answered) + 1);
    }
    for (const auto& [at, count] : reached) EXPECT_GE(restored(at).size(), count);
}

TEST_P(Backup, goes_on_where_it_was_after_a_stop) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    for (std::int64_t id = 1; id <= 20; ++id) add(id);
    stop();
    EXPECT_EQ(restored(), up_to(20));  // what was left came at the end
    start_with_backup();
    for (std::int64_t id = 21; id <= 40; ++id) add(id);
    ASSERT_TRUE(has_base());
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(40));
    EXPECT_THAT(Archive(target).bases(), SizeIs(1));
}

TEST_P(Backup, begins_anew_when_others_emptied_the_log_meanwhile) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    stop();
    db::fold_log(options.source.database);
    start_with_backup();
    add(2);
    ASSERT_TRUE(soon([&] { return Archive(target).bases().size() == 2; }));
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(2));
}

TEST_P(Backup, begins_anew_when_a_power_cut_took_a_page_out_of_the_log) {
    database.options.log_pages = 10'000;
    start_with_backup();
    ASSERT_TRUE(has_base());
    for (std::int64_t id = 1; id <= 20; ++id) add(id);
    stop();
    const auto log = options.source.database.string() + "-wal";
    constexpr std::uint64_t page = 4096, frame = db::frame_header_bytes + page;
    const auto frames = (fs::file_size(log) - db::log_header_bytes) / frame;
    ASSERT_GT(frames, 10u);
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(db::log_header_bytes + (frames - 4) * frame - page));
    file.write("lost", 4);
    file.close();
    start_with_backup();
    add(101);
    EXPECT_TRUE(soon([&] { return Archive(target).bases().size() == 2; }));
    ASSERT_TRUE(brought());
    EXPECT_LT(ids().size(), 20u);
    EXPECT_EQ(restored(), ids());
}

TEST_P(Backup, is_not_outrun_by_checkpoints_of_others) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    sqlite3* admin = nullptr;
    ASSERT_EQ(sqlite3_open(options.source.database.c_str(), &admin), SQLITE_OK);
    for (std::int64_t id = 1; id <= 200; ++id) {
        add(id);
        if (id % 3 == 0)
            sqlite3_wal_checkpoint_v2(admin, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
        if (id % 7 == 0)
            sqlite3_exec(
                admin,
                ("INSERT INTO numbers VALUES (" + std::to_string(10'000 + id) + ", 0)").c_str(),
                nullptr,
                nullptr,
                nullptr
            );
    }
    sqlite3_close(admin);
    ASSERT_TRUE(brought());
    const auto all = ids();
    EXPECT_EQ(restored(), all);
    EXPECT_GE(all.size(), 200u);
}

TEST_P(Backup, holds_up_nobody_while_its_folder_is_away) {
    start_with_backup(1 << 20);
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    const auto away = folder / "away";
    fs::rename(target, away);
    std::ofstream(target) << "no folder";
    std::int64_t id = 1;
    ASSERT_TRUE(soon([&] {
        add(++id);
        return follower->state() == db::LogFollower::State::lost;
    }));
    EXPECT_TRUE(soon([&] { return keeper->figures().away; }));
    fs::remove(target);
    fs::rename(away, target);
    ASSERT_TRUE(soon([&] { return Archive(target).bases().size() == 2; }));
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(id));
    EXPECT_FALSE(keeper->figures().away);
}

TEST_P(Backup, gives_nothing_up_for_a_long_log_of_which_little_waits) {
    database.options.checkpoint_every = 1h;
    start();
    db::LogFollower one(options.source.database, 16 << 10);
    one.start();
    for (std::int64_t id = 1; id <= 50; ++id) add(id);
    one.copying(true);
    one.advance(50);
    one.follow_anew();
    EXPECT_FALSE(one.restartable());  // while the whole copy is made
    std::uint64_t pages = 0;
    while (const auto piece = one.next()) pages = piece->after.frames();
    EXPECT_GE(pages, 50u);
    one.copying(false);
    EXPECT_TRUE(one.restartable());
    for (int i = 0; i < 3; ++i) one.advance(pages);  // nobody says that it was brought
    EXPECT_EQ(one.state(), db::LogFollower::State::following);
    one.advance(pages + 5);
    EXPECT_EQ(one.state(), db::LogFollower::State::lost);
}

TEST_P(Backup, notices_a_log_that_begins_anew_before_it_was_read_for_the_first_time) {
    database.options.checkpoint_every = 1h;
    start();
    for (std::int64_t id = 1; id <= 1500; ++id) add(id);  // more than is read at once
    sqlite3* admin = nullptr;
    ASSERT_EQ(sqlite3_open(options.source.database.c_str(), &admin), SQLITE_OK);
    sqlite3_exec(admin, "PRAGMA wal_checkpoint(PASSIVE)", nullptr, nullptr, nullptr);
    db::LogFollower one(options.source.database, 64 << 20);
    one.start();
    one.follow_anew();
    const auto piece = one.next();
    ASSERT_TRUE(piece);
    ASSERT_LT(piece->bytes.size(), fs::file_size(options.source.database.string() + "-wal"));
    add(1501);  // all was moved into the file, so this stands at the beginning
    sqlite3_close(admin);
    while (one.next()) {}
    EXPECT_EQ(one.state(), db::LogFollower::State::lost);
}

TEST_P(Backup, is_no_empty_one_where_it_cannot_be_read) {
    const auto place = backup::folder_target(folder / "place");
    EXPECT_THAT(place->list("base/"), IsEmpty());
    fs::create_directories(folder / "place");
    std::ofstream(folder / "place/blocks") << "no folder";
    EXPECT_THAT(place->list("blocks/"), IsEmpty());
    fs::create_symlink("base", folder / "place/base");  // around and around
    EXPECT_THROW(place->list("base/"), backup::Away);
    EXPECT_THROW(place->size("base/one"), backup::Away);
}

TEST_P(Backup, follows_the_older_copy_while_a_younger_one_cannot_be_ended) {
    auto ahead = std::make_shared<std::atomic<std::int64_t>>(0);
    options.clock = [ahead] { return now() + *ahead; };
    start_with_backup();
    ASSERT_TRUE(has_base());
    const Archive archive(target);
    std::int64_t last = 0;
    for (int i = 0; i < 20; ++i) add(++last);
    fs::create_directory(target / "manifest.json.part");  // the next one cannot be written
    *ahead += options.base_every.count();
    ASSERT_TRUE(soon([&] { return keeper->figures().away; }));
    for (int i = 0; i < 20; ++i) add(++last);
    const auto then = options.clock();
    ASSERT_TRUE(soon([&] { return keeper->figures().log > then; }));
    ASSERT_THAT(archive.bases(), SizeIs(1));
    EXPECT_EQ(restored(), up_to(last));
    fs::remove(target / "manifest.json.part");
    ASSERT_TRUE(soon([&] { return archive.bases().size() == 2; }));
    add(++last);
    const auto end = options.clock();
    ASSERT_TRUE(soon([&] { return keeper->figures().log > end; }));
    EXPECT_EQ(restored(), up_to(last));
}

TEST_P(Backup, begins_anew_when_a_whole_copy_broke_off_at_its_end) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    const Archive archive(target);
    fs::remove_all(target / "base");  // the next one cannot be named
    add(1);
    ASSERT_TRUE(soon([&] { return keeper->figures().away; }));
    fs::create_directory(target / "base");
    ASSERT_TRUE(soon([&] { return archive.bases().size() == 1; }));
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(1));
}

TEST_P(Backup, writes_nothing_where_its_disk_is_not_mounted) {
    options.known = folder / "known";
    start_with_backup();
    ASSERT_TRUE(has_base());
    const auto disk = folder / "disk";
    auto unmounted = [&] {
        fs::rename(target, disk);
        fs::create_directory(target);
    };
    auto mounted = [&] {
        EXPECT_TRUE(fs::is_empty(target));
        fs::remove(target);
        fs::rename(disk, target);
    };
    ASSERT_TRUE(brought());
    unmounted();
    ASSERT_TRUE(soon([&] { return keeper->figures().away; }));
    add(1);
    mounted();
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(1));
    stop();
    unmounted();
    start_with_backup();
    ASSERT_TRUE(soon([&] { return keeper->figures().away; }));
    add(2);
    mounted();
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(2));
    EXPECT_THAT(Archive(target).bases(), SizeIs(1));
}

TEST_P(Backup, leaves_no_gap_in_a_log_that_was_cut) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    const Archive archive(target);
    const auto base = archive.bases()[0];
    fs::resize_file(target / archive.logs(base).back().pieces[0].name, 100);
    add(2);
    ASSERT_TRUE(soon([&] { return archive.bases().size() == 2; }));
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(2));
}

TEST_P(Backup, mends_its_blocks_once_they_were_found_damaged) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    stop();
    const Archive archive(target);
    backup::take_base(archive, options.source, now());
    flip_a_bit(target / Archive::block(archive.base(archive.bases().back()).blocks[0].sha256), 100);
    EXPECT_FALSE(verified().sound);
    backup::take_base(archive, options.source, now());
    EXPECT_TRUE(verified().sound);
    EXPECT_EQ(restored(), up_to(1));
}

TEST_P(Backup, does_without_what_is_damaged) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    stop();
    const Archive archive(target);
    const auto damaged = archive.bases()[0];
    flip_a_bit(target / Archive::times(damaged, archive.logs(damaged).back().number), 0);
    start_with_backup();
    add(2);
    ASSERT_TRUE(soon([&] { return archive.bases().size() == 2; }));
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(2));
}

TEST_P(Backup, mends_a_damaged_manifest_where_it_is_known_to_be_its_own) {
    options.known = folder / "known";
    start_with_backup();
    ASSERT_TRUE(has_base());
    stop();
    const Archive archive(target);
    flip_a_bit(target / backup::manifest_name, 20);
    ASSERT_THROW(archive.manifest(), backup::Broken);
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    EXPECT_EQ(archive.manifest().public_url, "http://backup.example");
    stop();
    flip_a_bit(target / backup::manifest_name, 20);
    fs::remove(options.known);
    EXPECT_THROW(backup::require_own(archive, options.source.manifest), backup::Broken);
    backup::put(options.known, "/somewhere/else");
    start_with_backup();
    EXPECT_TRUE(soon([&] { return keeper->figures().away; }));
    EXPECT_THROW(archive.manifest(), backup::Broken);
}

TEST_P(Backup, copies_media_once_and_knows_what_went) {
    fs::create_directories(options.source.media / "media/ab");
    std::ofstream(options.source.media / "media/ab/ab1.png") << "one";
    std::ofstream(options.source.media / "media/ab/ab2.png") << "two";
    fs::create_directories(options.source.media / ".work/x");
    std::ofstream(options.source.media / ".work/x/part") << "passing";
    fs::create_directories(options.source.media / ".archives");
    std::ofstream(options.source.media / ".archives/1-secret.zip") << "all of somebody";
    const Archive archive(target);
    archive.target().prepare();
    backup::MediaCopies media(archive, options.source.media, [](const std::string& name) {
        return name == "media/ab/ab2.png";
    });
    media.sweep(1000, [] { return false; });
    EXPECT_EQ(bytes_of(target / "media" / "media/ab/ab1.png"), "one");
    EXPECT_FALSE(fs::exists(target / "media" / "media/ab/ab2.png"));
    EXPECT_FALSE(fs::exists(target / "media" / ".work"));
    EXPECT_FALSE(fs::exists(target / "media" / ".archives"));
    fs::remove(options.source.media / "media/ab/ab1.png");
    media.sweep(2000, [] { return false; });
    EXPECT_EQ(backup::read_media_list(archive)["media/ab/ab1.png"].gone, 2000);
    EXPECT_EQ(backup::restore_media(archive, 1500, folder / "then").files, 1);
    EXPECT_EQ(backup::restore_media(archive, 2500, folder / "later").files, 0);
    EXPECT_EQ(bytes_of(folder / "then/media/ab/ab1.png"), "one");
}

TEST_P(Backup, brings_back_the_media_that_are_sound) {
    fs::create_directories(options.source.media / "media/ab");
    for (const char* name : {"ab1.png", "ab2.png", "ab3.png"})
        std::ofstream(options.source.media / "media/ab" / name) << name;
    const Archive archive(target);
    archive.target().prepare();
    backup::MediaCopies media(archive, options.source.media, [](const std::string&) { return false; });
    media.sweep(1000, [] { return false; });
    fs::remove(target / "media" / "media/ab/ab1.png");
    flip_a_bit(target / "media" / "media/ab/ab2.png", 0);
    const auto done = backup::restore_media(archive, 1500, folder / "then");
    EXPECT_EQ(done.files, 1);
    EXPECT_THAT(done.faults, SizeIs(2));
    EXPECT_EQ(bytes_of(folder / "then/media/ab/ab3.png"), "ab3.png");
    EXPECT_FALSE(fs::exists(folder / "then/media/ab/ab2.png"));
}

TEST_P(Backup, keeps_what_tells_pictures_that_were_removed) {
    const Archive archive(target);
    archive.target().prepare();
    EXPECT_THAT(backup::removed_pictures(archive), testing::IsEmpty());
    backup::Words removed{"key", "one"};
    backup::MediaCopies media(
        archive, options.source.media, [](const std::string&) { return false; }, [&] { return removed; }
    );
    media.sweep(1000, [] { return false; });
    EXPECT_EQ(backup::removed_pictures(archive), removed);
    removed.push_back("two");
    media.sweep(2000, [] { return false; });
    EXPECT_EQ(backup::removed_pictures(archive), removed);
    removed.clear();  // it could not be told
    media.sweep(3000, [] { return false; });
    EXPECT_EQ(backup::removed_pictures(archive).size(), 3u);
    flip_a_bit(target / backup::removed_pictures_name, 0);
    EXPECT_THROW(backup::removed_pictures(archive), backup::Broken);
}

TEST_P(Backup, shows_a_flipped_bit_in_every_kind_of_file) {
    fs::create_directories(options.source.media / "media/ab");
    std::ofstream(options.source.media / "media/ab/ab1.png") << "a picture";
    start_with_backup();
    ASSERT_TRUE(has_base());
    for (std::int64_t id = 1; id <= 20; ++id) add(id);
    ASSERT_TRUE(soon([&] { return fs::exists(target / "media" / "media/ab/ab1.png"); }));
    ASSERT_TRUE(brought());
    stop();
    ASSERT_TRUE(verified().sound);
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(target))
        if (entry.is_regular_file()) files.push_back(entry.path());
    // What changed while the copy was made left a block that no copy names.
    const auto is_missed = [&](const fs::path& file) {
        fs::rename(file, folder / "aside");
        const bool missed = !verified().sound;
        fs::rename(folder / "aside", file);
        return missed;
    };
    int kinds = 0, blocks = 0;
    for (const auto& file : files) {
        const auto name = file.lexically_relative(target).string();
        if (name.ends_with("lock") || name.starts_with("check/")) continue;
        if (name.starts_with("blocks/") && !is_missed(file)) continue;
        blocks += name.starts_with("blocks/");
        const auto size = fs::file_size(file);
        ASSERT_GT(size, 0u) << name;
        ++kinds;
        for (auto at : {std::uintmax_t{0}, size / 3, size / 2, size - 1}) {
            flip_a_bit(file, at);
            EXPECT_FALSE(verified().sound) << name << " at " << at;
            flip_a_bit(file, at);
        }
    }
    EXPECT_GT(blocks, 0);
    EXPECT_GE(kinds, 7);  // manifest, base, blocks, log and its times, media and their list
    EXPECT_TRUE(verified().sound);
}

TEST(BackupKeep, understands_what_is_written) {
    EXPECT_THAT(*backup::parse_keep("2d all, 30d daily, 1y monthly"), SizeIs(3));
    for (auto wrong : {"", "all", "2 all", "2d", "d all", "2d sometimes", "2d all 3d daily", "-1d all"})
        EXPECT_FALSE(backup::parse_keep(wrong)) << wrong;
}

TEST(BackupKeep, thins_out_with_age) {
    constexpr std::int64_t hour = 3'600'000, day = 24 * hour;
    const auto rules = *backup::parse_keep("2d all, 10d daily, 1y monthly");
    std::vector<backup::Span> bases;
    const auto last = 400 * day + hour;
    for (auto at = hour; at <= last; at += 12 * hour) bases.push_back({at, at + 12 * hour});
    const auto stay = backup::kept(bases, rules, last);
    EXPECT_TRUE(stay.contains(last));
    auto younger = [&](std::int64_t age) {
        return std::ranges::count_if(stay, [&](auto ms) { return ms >= last - age; });
    };
    EXPECT_EQ(younger(2 * day), 5);
    EXPECT_THAT(younger(10 * day), testing::AllOf(testing::Ge(5 + 7), testing::Le(5 + 9)));
    EXPECT_GE(stay.size(), 5u + 8 + 11);
    EXPECT_LE(stay.size(), 5u + 8 + 14);
    EXPECT_EQ(backup::kept({{1, 2}}, rules, last), std::set<std::int64_t>{1});  // the only one
}

TEST_P(Backup, keeps_nothing_that_no_copy_needs) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    const Archive archive(target);
    const auto first = archive.bases()[0];
    backup::take_base(archive, options.source, now());
    ASSERT_THAT(archive.bases(), SizeIs(2));
    stop();
    backup::prune(archive, {{1, 0}}, now() + 10'000);
    ASSERT_THAT(archive.bases(), SizeIs(1));
    EXPECT_NE(archive.bases()[0], first);
    EXPECT_FALSE(fs::exists(target / Archive::log_folder(first)));
    std::size_t blocks = 0;
    for (const auto& entry : fs::recursive_directory_iterator(target / "blocks"))
        blocks += entry.is_regular_file();
    EXPECT_EQ(blocks, archive.base(archive.bases()[0]).blocks.size());
    EXPECT_EQ(restored(), up_to(1));
}

}  // namespace
