// SPDX-License-Identifier: AGPL-3.0-or-later
// A backup in a bucket: what a server there verifies, and what comes back of it.
#include "backup/stage.hpp"
#include "base/deadline.hpp"
#include "server/backup_place.hpp"
#include "support/s3_server.hpp"

#include <fstream>
#include <set>

namespace {

using namespace backup_stage;
using testing::HasSubstr, testing::IsEmpty, testing::SizeIs;

struct BackupInBucket : Kept {
    BackupInBucket() : Kept("bucket") {
        fs::create_directories(folder / "media/media/ab");
        fs::create_directories(folder / "data");
        config.data = folder / "data";
        config.backup_to = "s3://pictures/of/backup";
        const auto bucket = server.options();
        config.backup_s3_endpoint = bucket.endpoint;
        config.backup_s3_region = bucket.keys.region;
        config.backup_s3_access_key = bucket.keys.access;
        config.backup_s3_secret_key = bucket.keys.secret;
        options.known = folder / "known";
        options.hold_back = 20ms;
    }
    // Before the bucket ends.
    ~BackupInBucket() override { stop(); }
    std::shared_ptr<backup::Target> place() const override {
        return server::backup_place(config, config.backup_to);
    }

    S3Server server;
    server::Config config;
};
INSTANTIATE_TEST_SUITE_P(
    db, BackupInBucket, testing::Values(support::Database::sqlite), support::database_name
);

TEST_P(BackupInBucket, holds_each_moment_through_many_logs_and_goes_on_after_a_kill) {
    std::ofstream(folder / "media/media/ab/ab1.png") << "a picture";
    start_with_backup();
    ASSERT_TRUE(has_base());
    std::int64_t last = 0;
    const auto base = archive().bases()[0];
    while (archive().logs(base).size() <= 3 && last < 30'000)
        for (int i = 0; i < 50; ++i) add(++last);
    ASSERT_TRUE(brought());
    const auto moment = now();
    std::this_thread::sleep_for(50ms);
    const auto then = last;
    for (int i = 0; i < 20; ++i) add(++last);
    server.faults(R"({"reset_every": 1})");  // what is left at the stop cannot be brought away, as at a kill
    add(++last);
    stop();
    server.faults("{}");
    EXPECT_EQ(restored(moment), up_to(then));
    start_with_backup();
    add(++last);
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(last));
    ASSERT_TRUE(soon([&] { return archive().target().size("media/media/ab/ab1.png"); }));
    ASSERT_TRUE(soon([&] { return backup::restore_media(archive(), now(), folder / "back").files == 1; }));
    EXPECT_EQ(backup::contents(folder / "back/media/ab/ab1.png"), "a picture");

    // Whatever copies the bucket into a folder has made a backup that can be read there. Nobody removes meanwhile what no copy needs.
    stop();
    for (const auto& file : std::vector<std::string>{"", "base/", "blocks/", "log/"})
        for (const auto& one :
             file.empty() ? std::vector<backup::Stored>{{"manifest.json"}} : place()->list(file)) {
            fs::create_directories((folder / "kept" / one.name).parent_path());
            place()->fetch(one.name, folder / "kept" / one.name);
        }
    backup::restore_database(Archive(folder / "kept"), std::nullopt, folder / "by-hand.db");
    EXPECT_EQ(db::lines_of(folder / "by-hand.db", "SELECT count(*) FROM numbers")[0], std::to_string(last));
}

TEST_P(BackupInBucket, holds_up_nobody_while_the_bucket_is_away_and_begins_anew_when_too_much_waited) {
    start_with_backup(1 << 20);
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    server.faults(R"({"reset_every": 1})");
    std::int64_t id = 1;
    add(++id);
    ASSERT_TRUE(soon([&] { return keeper->figures().away; }));
    for (int i = 0; i < 20; ++i) add(++id);
    server.faults("{}");
    ASSERT_TRUE(brought());
    EXPECT_THAT(archive().bases(), SizeIs(1)) << "nothing was given up yet";
    EXPECT_EQ(restored(), up_to(id));

    server.faults(R"({"reset_every": 1})");
    ASSERT_TRUE(soon([&] {
        add(++id);
        return follower->state() == db::LogFollower::State::lost;
    }));
    server.faults("{}");
    ASSERT_TRUE(soon([&] { return archive().bases().size() == 2; }));
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(id));
    EXPECT_FALSE(keeper->figures().away);
}

TEST_P(BackupInBucket, goes_on_while_somebody_writes_all_the_time) {
    auto ahead = std::make_shared<std::atomic<std::int64_t>>(0);
    options.clock = [ahead] { return now() + *ahead; };
    server.faults(R"({"slow": 0.02, "methods": ["PUT"]})");  // longer than from one commit to the next
    start_with_backup();
    std::int64_t last = 0;
    const auto soon_beside = [&](const auto& reached) {
        return soon([&] {
            add(++last);
            return reached();
        });
    };
    ASSERT_TRUE(soon_beside([&] { return keeper->figures().base > 0; }));
    const auto first = keeper->figures().base, then = options.clock();
    EXPECT_TRUE(soon_beside([&] { return keeper->figures().log > then; }));
    *ahead += options.base_every.count();
    ASSERT_TRUE(soon_beside([&] { return keeper->figures().base > first; }));
    const auto end = options.clock();
    ASSERT_TRUE(soon([&] { return keeper->figures().log > end; }));
    EXPECT_EQ(restored(), up_to(last));
}

TEST_P(BackupInBucket, is_not_called_damaged_while_it_is_away) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    stop();
    server.faults(R"({"reset_every": 1, "after": 6})");  // in the middle
    EXPECT_THROW(verified(), backup::Away);
    server.faults("{}");
    EXPECT_EQ(backup::last_verified(archive()).ms, 0);
    EXPECT_TRUE(verified().sound);
    server.faults(R"({"slow": 0.5, "after": 2})");  // the list comes, what it names does not
    const base::Within within(std::chrono::steady_clock::now() + 250ms);
    EXPECT_ANY_THROW(backup::last_verified(archive()));
}

TEST_P(BackupInBucket, shows_a_flipped_bit_and_what_is_missing_of_every_kind) {
    std::ofstream(folder / "media/media/ab/ab1.png") << "a picture";
    start_with_backup();
    ASSERT_TRUE(has_base());
    const auto base = archive().bases()[0];
    // The end of a log that another one follows.
    const auto end_of_one = [&]() -> std::string {
        const auto logs = archive().logs(base);
        for (std::size_t i = 0; i + 1 < logs.size(); ++i)
            if (logs[i].pieces.size() > 1) return logs[i].pieces.back().name;
        return "";
    };
    for (std::int64_t id = 1; end_of_one().empty() && id < 10'000; ++id) add(id);
    ASSERT_TRUE(brought());
    const auto end = end_of_one();
    ASSERT_NE(end, "");
    ASSERT_TRUE(soon([&] { return place()->size(backup::media_list_name); }));
    stop();
    std::ofstream(folder / "media/media/ab/ab2.png") << "another one";
    backup::MediaCopies(archive(), options.source.media, [](const std::string&) {
        return false;
    }).sweep(now(), [] { return false; });
    ASSERT_TRUE(verified().sound);
    const auto place = this->place();
    std::set<std::string> kinds;
    std::vector<backup::Stored> all{{"manifest.json", *place->size("manifest.json")}};
    for (const char* kind : {"base/", "blocks/", "log/", "media/", "lists/"})
        for (auto& one : place->list(kind))
            if (kinds.insert(kind).second) all.push_back(one);
    ASSERT_THAT(kinds, SizeIs(5));
    all.push_back({end});
    for (const auto& one : all) {
        const auto sound = place->read(one.name);
        auto flipped = sound;
        flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 4);
        place->put(one.name, flipped);  // as nothing on the way can tell
        EXPECT_FALSE(verified().sound) << one.name;
        place->remove(one.name);
        if (one.name.starts_with("lists/")) EXPECT_EQ(verified().media_files, 1);
        else if (one.name != "manifest.json") EXPECT_FALSE(verified().sound) << one.name << " is missing";
        place->put(one.name, sound);
    }
    EXPECT_TRUE(verified().sound);
}

TEST_P(BackupInBucket, keeps_nothing_that_no_copy_needs_and_all_that_one_does) {
    std::ofstream(folder / "media/media/ab/ab1.png") << "one";
    std::ofstream(folder / "media/media/ab/ab2.png") << "two";
    start_with_backup();
    ASSERT_TRUE(has_base());
    add(1);
    ASSERT_TRUE(brought());
    stop();
    const auto first = archive().bases()[0];
    backup::MediaCopies media(archive(), options.source.media, [](const std::string&) { return false; });
    media.sweep(first, [] { return false; });
    fs::remove(folder / "media/media/ab/ab1.png");
    media.sweep(first + 1, [] { return false; });
    backup::take_base(archive(), options.source, now());
    ASSERT_THAT(archive().bases(), SizeIs(2));
    const auto done = backup::prune(archive(), {{1, 0}}, now() + 10'000);
    EXPECT_EQ(done.bases, 1);
    EXPECT_EQ(done.media, 1);
    ASSERT_THAT(archive().bases(), SizeIs(1));
    EXPECT_THAT(place()->list(Archive::log_folder(first)), IsEmpty());
    EXPECT_THAT(place()->list("lists/"), IsEmpty()) << "they are in media.list";
    EXPECT_THAT(place()->list("media/"), SizeIs(1));
    EXPECT_EQ(place()->list("blocks/").size(), archive().base(archive().bases()[0]).blocks.size());
    EXPECT_TRUE(verified().sound);
    EXPECT_EQ(restored(), up_to(1));
}

TEST_P(BackupInBucket, is_worked_at_by_one_process_at_a_time) {
    auto other = config;
    other.data = folder / "other";
    fs::create_directories(folder / "other");
    const auto here = place(), there = server::backup_place(other, config.backup_to);
    const auto reason = [](backup::Target& one) -> std::string {
        try {
            one.hold()->require();
            return "";
        } catch (const backup::Away& e) {
            return e.what();
        }
    };
    {
        const auto turn = here->hold();
        EXPECT_THAT(
            reason(*there), HasSubstr("Another machine is at work on the backup in s3://pictures/of/backup")
        );
        EXPECT_THAT(reason(*here), HasSubstr("Another process is at work"));
        EXPECT_NO_THROW(turn->require());
    }
    EXPECT_EQ(reason(*there), "");
    // What a killed process of this data folder left behind stops nobody of the same.
    there->put("turn/" + backup::contents(folder / "other/backup-node"), "left");
    EXPECT_EQ(reason(*there), "");
    EXPECT_EQ(reason(*here), "");
}

TEST_P(BackupInBucket, is_kept_by_one_server) {
    start_with_backup();
    ASSERT_TRUE(has_base());
    auto elsewhere = config;
    elsewhere.data = folder / "elsewhere";
    fs::create_directories(folder / "elsewhere");
    auto aside = options;
    aside.target = server::backup_place(elsewhere, config.backup_to);
    aside.source.database = folder / "elsewhere/dunlin.db";
    backup::restore_database(archive(), std::nullopt, aside.source.database);
    testing::internal::CaptureStderr();
    {
        backup::Keeper other(aside, std::make_shared<db::LogFollower>(aside.source.database, 64 << 20));
        other.start();
        ASSERT_TRUE(soon([&] { return other.figures().away; }));
        EXPECT_EQ(other.figures().base, 0);
    }
    EXPECT_THAT(
        testing::internal::GetCapturedStderr(),
        HasSubstr("Another server keeps this backup, in s3://pictures/of/backup")
    );
    add(1);
    ASSERT_TRUE(brought());
    EXPECT_EQ(restored(), up_to(1));
    // What it left when it was killed does not keep it out, and another one for a while.
    stop();
    place()->put("keeper/" + backup::contents(folder / "data/backup-node"), "left");
    EXPECT_THROW(server::backup_place(elsewhere, config.backup_to)->hold(backup::Turn::keeper), backup::Away);
    start_with_backup();
    EXPECT_TRUE(brought());
}

TEST_P(BackupInBucket, tells_what_is_wrong_with_it_in_one_sentence) {
    const auto reason = [&](const server::Config& given) -> std::string {
        try {
            server::backup_place(given, given.backup_to)->size("manifest.json");
            server::backup_place(given, given.backup_to)->list("base/");
        } catch (const backup::Away& e) {
            return e.what();
        }
        return "";
    };
    auto wrong = config;
    wrong.backup_s3_secret_key = "another";
    EXPECT_EQ(
        reason(wrong),
        "backup_s3_secret_key: the secret key does not fit the access key (SignatureDoesNotMatch); copy it "
        "again, or make a new key"
    );
    wrong.s3_secret_key = "another";  // said once, for both buckets
    EXPECT_THAT(reason(wrong), testing::StartsWith("s3_secret_key: "));
    wrong = config;
    wrong.backup_to = "s3://nowhere/at/all";
    EXPECT_THAT(reason(wrong), testing::StartsWith("backup_to: there is no bucket nowhere"));
    server.stop();
    EXPECT_THAT(reason(config), testing::StartsWith("backup_s3_endpoint: " + config.backup_s3_endpoint));
}

}  // namespace
