// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/withholding.hpp"
#include "social/media/copy.hpp"
#include "social/media/stage.hpp"

namespace media {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const db::Command suspend{"test_withholding_suspend", "UPDATE accounts SET suspended_at = $2 WHERE id = $1"};
const db::Command insert_remote{
    "test_withholding_remote",
    R"(INSERT INTO accounts (id, username, domain, uri, avatar, header, created_at)
       VALUES ($1, 'far', 'far.example', 'https://far.example/u', $2, '', 0))"
};
const db::Command insert_status{
    "test_withholding_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, deleted_at)
       VALUES ($1, $2, $1, 'public', 0, $3))"
};
const db::Command insert_media{
    "test_withholding_media",
    R"(INSERT INTO media (id, account_id, status_id, type, file, preview, mime, created_at)
       VALUES ($1, $2, $3, 'image', $4, $5, 'image/jpeg', 0))"
};

struct Withholding : Stage {
    Withholding() {
        write([&](db::Write& db) {
            db.run(insert_account, alice, "alice", "avatars/aa/1-aa.png", "headers/aa/1-ab.png");
            db.run(insert_account, bob, "bob", "avatars/bb/2-bb.png", "");
        });
    }
    void suspended(AccountId id, bool so) {
        write([&](db::Write& db) { db.run(suspend, id, so ? std::optional(db.now()) : std::nullopt); });
    }
    // One turn of the job; what it emitted.
    std::optional<SuspensionsChanged> turn(const SuspensionsChanged& e) {
        next_.reset();
        auto change =
            asking([&](const base::Ask& ask, db::Read& db) { return withhold_or_restore(ask, db, e); });
        write(change);
        return next_;
    }
    int turns(std::vector<AccountId> accounts) {
        int count = 0;
        std::optional<SuspensionsChanged> e{{std::move(accounts)}};
        for (; e; ++count) e = turn(*e);
        return count;
    }
    void emitted(db::Write& db, std::type_index type, const void* event) override {
        if (type == typeid(SuspensionsChanged)) next_ = *static_cast<const SuspensionsChanged*>(event);
        Stage::emitted(db, type, event);
    }
    // With two files on the disk.
    void picture(std::int64_t id, AccountId owner, std::optional<std::int64_t> status) {
        auto name = "media/ab/" + std::to_string(id);
        write([&](db::Write& db) {
            db.run(insert_media, id, owner, status, name + ".jpg", name + "_small.jpg");
        });
        put(name + ".jpg");
        put(name + "_small.jpg");
    }
    std::vector<std::string> served() const {
        auto all = stored();
        std::erase_if(all, [](const std::string& name) { return name.starts_with("."); });
        return all;
    }

    std::optional<SuspensionsChanged> next_;
};
ON_EACH_DATABASE(Withholding);

TEST_P(Withholding, takes_all_files_of_a_suspended_account_out_and_puts_them_back) {
    write([&](db::Write& db) {
        db.run(insert_status, 10, alice, std::nullopt);
        db.run(insert_status, 11, alice, std::optional(db.now()));  // deleted, for moderators only
        db.run(insert_status, 12, bob, std::nullopt);
    });
    picture(1, alice, 10);
    picture(2, alice, 11);
    picture(3, alice, std::nullopt);
    picture(4, bob, 12);
    for (auto name : {"avatars/aa/1-aa.png", "headers/aa/1-ab.png", "avatars/bb/2-bb.png"}) put(name);
    auto before = served();
    suspended(alice, true);
    for (int times : {1, 2}) {
        turns({alice});
        EXPECT_THAT(served(), ElementsAre("avatars/bb/2-bb.png", "media/ab/4.jpg", "media/ab/4_small.jpg"))
            << times;
    }
    EXPECT_EQ(fs::status(folder / "media/.withheld").permissions(), fs::perms::owner_all);
    suspended(alice, false);
    for (int times : {1, 2}) {
        turns({alice});
        EXPECT_EQ(served(), before) << times;
    }
    EXPECT_EQ(stored(), before);
    EXPECT_THAT(left, IsEmpty());
}

TEST_P(Withholding, goes_in_chunks_that_lose_nothing_between_them) {
    // Three files of one status stand across the edge of 500.
    for (std::int64_t id = 1; id <= 620; ++id) {
        std::int64_t status = 1000 + id / 3;
        if (id % 3 == 0 || id == 1)
            write([&](db::Write& db) { db.run(insert_status, status, alice, std::nullopt); });
        picture(id, alice, status);
    }
    suspended(alice, true);
    EXPECT_GT(turns({alice, bob}), 1);
    EXPECT_THAT(served(), IsEmpty());
    suspended(alice, false);
    EXPECT_GT(turns({alice, bob}), 1);
    EXPECT_EQ(served().size(), 1240u);
}

TEST_P(Withholding, removes_copies_of_pictures_of_other_servers) {
    const std::string theirs = "https://far.example/a.png", others = "https://far.example/b.png";
    constexpr AccountId far{9};
    write([&](db::Write& db) {
        db.run(insert_remote, far, theirs);
        keep_copy(db, theirs, {"media/cc/c1.png", "media/cc/c1_small.jpg"}, 5);
        keep_copy(db, others, {"media/cc/c2.png", "media/cc/c2_small.jpg"}, 5);
    });
    EXPECT_EQ(turns({far}), 1);
    EXPECT_THAT(left, IsEmpty());
    suspended(far, true);
    EXPECT_EQ(turns({far}), 1);
    EXPECT_THAT(left, UnorderedElementsAre("media/cc/c1.png", "media/cc/c1_small.jpg"));
    read([&](db::Read& db) {
        EXPECT_FALSE(find_copy(db, theirs));
        EXPECT_TRUE(find_copy(db, others));
    });
}

TEST_P(Withholding, does_not_keep_files_from_being_removed) {
    put("avatars/aa/1-aa.png");
    suspended(alice, true);
    turns({alice});
    EXPECT_THAT(stored(), ElementsAre(".withheld/avatars/aa/1-aa.png"));
    EXPECT_THAT(store.old_files({0xaa, {4'000'000'000'000}}), ElementsAre("avatars/aa/1-aa.png"));
    EXPECT_EQ(store.remove({{"avatars/aa/1-aa.png"}}), 1);
    EXPECT_THAT(stored(), IsEmpty());
}

}  // namespace
}  // namespace media
