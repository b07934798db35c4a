// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/stage.hpp"

namespace media {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The files of a test are as old as the machine's clock says, so these tests live after them.
struct MediaSweep : Stage {
    MediaSweep() { database.clock_ms = 4'102'444'800'000; }  // 2100

    void sweep_shard(int shard, std::int64_t before_ms = 4'000'000'000'000) {
        asking([&](const base::Ask& ask, db::Read& db) {
            return sweep_orphans(ask, db, {shard, {before_ms}});
        });
    }
    void account(AccountId id, const std::string& avatar, const std::string& header) {
        write([&](db::Write& db) {
            db.run(insert_account, id, "u" + std::to_string(id.value), avatar, header);
        });
    }
};
ON_EACH_DATABASE(MediaSweep);

TEST_P(MediaSweep, finds_files_without_a_row) {
    for (auto name :
         {"media/ab/ab1.jpg",
          "media/ab/ab1_small.jpg",
          "media/ab/ab2.png",
          "media/ab/ab2_small.jpg",
          "media/ab/ab3_small.jpg",
          "media/ac/ac1.jpg"})
        put(name);
    made(alice, "media/ab/ab1.jpg");
    for (int times : {1, 2}) {
        sweep_shard(0xab);
        EXPECT_THAT(
            stored(),
            ElementsAre(
                "media/ab/ab1.jpg", "media/ab/ab1_small.jpg", "media/ab/ab3_small.jpg", "media/ac/ac1.jpg"
            )
        ) << times;
    }
}

const db::Command test_card{"test_sweep_card", "INSERT INTO card_images (image, card_id) VALUES ($2, $1)"};

// One whose original is back from quarantine, and one that is small enough to be its own preview.
TEST_P(MediaSweep, leaves_the_pictures_of_cards_alone) {
    for (auto name : {"media/ab/ab1.jpg", "media/ab/ab1_small.jpg", "media/ab/ab2.jpg", "media/ab/ab3.jpg"})
        put(name);
    write([](db::Write& db) {
        db.run(test_card, 1, "media/ab/ab1_small.jpg");
        db.run(test_card, 2, "media/ab/ab2.jpg");
    });
    sweep_shard(0xab);
    EXPECT_THAT(stored(), ElementsAre("media/ab/ab1.jpg", "media/ab/ab1_small.jpg", "media/ab/ab2.jpg"));
}

TEST_P(MediaSweep, finds_pictures_that_no_profile_shows) {
    account({7}, "avatars/ab/7-ab1.png", "headers/ab/7-ab2.jpg");
    account({8}, "", "");
    for (auto name :
         {"avatars/ab/7-ab1.png",
          "avatars/ab/7-ab1_static.png",
          "headers/ab/7-ab2.jpg",
          "avatars/ab/7-ab3.gif",
          "avatars/ab/7-ab3_static.png",
          "headers/ab/8-ab4.jpg",
          "avatars/ab/9-ab5.jpg",
          "emojis/ab/ab6.png"})
        put(name);
    sweep_shard(0xab);
    EXPECT_THAT(
        stored(),
        ElementsAre(
            "avatars/ab/7-ab1.png", "avatars/ab/7-ab1_static.png", "emojis/ab/ab6.png", "headers/ab/7-ab2.jpg"
        )
    );
}

// Of a bucket each node has copies.
TEST_P(MediaSweep, tells_the_other_nodes_what_is_gone) {
    std::vector<std::string> files;
    for (int i = 0; i < 45; ++i) files.push_back("media/ab/ab" + std::to_string(i) + ".jpg");
    const auto change =
        asking([&](const base::Ask& ask, db::Read& db) { return remove_files(ask, db, {files}); });
    std::vector<std::string> told;
    write([&](db::Write& db) {
        change(db);
        EXPECT_EQ(db.announcements.size(), 3u);
        for (const auto& one : db.announcements)
            for (const auto& file : files_gone(one.payload)) told.push_back(file);
    });
    EXPECT_EQ(told, files);
}

TEST_P(MediaSweep, leaves_young_files_and_work_alone) {
    put("media/ab/ab1.jpg");
    put(".work/0123/original.jpg");
    sweep_shard(0xab, 1'000'000'000'000);
    EXPECT_THAT(stored(), ElementsAre(".work/0123/original.jpg", "media/ab/ab1.jpg"));
    sweep_shard(0xcd);
    EXPECT_THAT(stored(), ElementsAre("media/ab/ab1.jpg"));
}

TEST_P(MediaSweep, comes_to_every_shard) {
    std::set<int> seen;
    for (int i = 0; i < shards; ++i) {
        write(sweep);
        seen.insert(due->shard);
        EXPECT_EQ(due->before.ms, database.clock_ms - 86'400'000);
        pass(sweep_every_seconds);
    }
    EXPECT_EQ(seen.size(), std::size_t{shards});
    EXPECT_EQ(*seen.rbegin(), shards - 1);
}

TEST_P(MediaSweep, removes_what_nobody_attached_and_then_its_files) {
    made(alice, "media/ab/ab1.jpg");
    put("media/ab/ab1.jpg");
    put("media/ab/ab1.jpg_small.jpg");
    pass(86'401);
    write(sweep);
    EXPECT_EQ(stored().size(), 2u);  // the job comes after the commit
    for (int times : {1, 2}) {
        asking([&](const base::Ask& ask, db::Read& db) { return remove_files(ask, db, {left}); });
        EXPECT_THAT(stored(), IsEmpty()) << times;
    }
}

TEST_P(MediaSweep, never_removes_what_is_outside_the_folder) {
    std::ofstream(folder / "secret") << "x";
    put("a");
    EXPECT_EQ(
        store.remove({{"../secret", (folder / "secret").string(), "", ".work", "a/../../secret", "a", "b"}}),
        1
    );
    EXPECT_TRUE(fs::exists(folder / "secret"));
}

TEST_P(MediaSweep, removes_archives_when_they_are_released_and_those_that_no_row_can_name) {
    for (auto name : {".archives/in-ab", ".archives/7-ab.zip", ".archives/.x/y"}) put(name);
    EXPECT_EQ(store.remove({{".archives", ".archives/../.work", ".archives/.x/y", ".archives/in-ab"}}), 1);
    EXPECT_THAT(stored(), ElementsAre(".archives/.x/y", ".archives/7-ab.zip"));
    const auto written = std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
    sweep_shard(0xab, written + 29LL * 86'400'000);
    EXPECT_EQ(stored().size(), 2u);
    sweep_shard(0xab, written + 31LL * 86'400'000);
    EXPECT_THAT(stored(), IsEmpty());
}

}  // namespace
}  // namespace media
