// SPDX-License-Identifier: AGPL-3.0-or-later
// What concerns everybody who follows, blocks or mutes an account is done for all of them, however many they are.
#include "social/federation/remote.hpp"
#include "social/relationships/move.hpp"

#include <gmock/gmock.h>

struct TestMute {
    std::int64_t account = 0;
    bool notifications = false;
    std::optional<base::Time> until;
};
DESCRIBE(TestMute, account, notifications, until)

const db::Command test_request{
    "test_request",
    "INSERT INTO follow_requests (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};
const db::Command test_block{
    "test_block", "INSERT INTO blocks (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};
const db::Command test_mute{
    "test_mute",
    R"(INSERT INTO mutes (id, account_id, target_id, hide_notifications, expires_at, created_at)
       VALUES ($1, $2, $3, FALSE, $4, 0))"
};
const db::Command test_note{
    "test_note", "INSERT INTO account_notes (account_id, target_id, comment) VALUES ($1, $2, 'known')"
};
const db::Command test_many_people{
    "test_many_people",
    R"(INSERT INTO accounts (id, username, domain, uri, url, created_at)
       WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
       SELECT n, 'p' || n, $2, '', 'https://far.example/@p', 0 FROM numbers)",
    R"(INSERT INTO accounts (id, username, domain, uri, url, created_at)
       SELECT n, 'p' || n, $2, '', 'https://far.example/@p', 0 FROM generate_series(1, $1::bigint) n)"
};
const db::Query<std::int64_t> test_blockers{
    "test_blockers", "SELECT count(*) AS n FROM blocks WHERE target_id = $1"
};
const db::Query<std::int64_t> test_noted{
    "test_noted", "SELECT count(*) AS n FROM account_notes WHERE target_id = $1 AND comment = 'known'"
};
const db::Query<TestMute> test_mutes_of{
    "test_mutes_of",
    R"(SELECT account_id AS account, hide_notifications AS notifications, expires_at AS until FROM mutes
       WHERE target_id = $1 ORDER BY account_id)"
};

namespace {

constexpr std::int64_t many = 1001;  // more than were ever taken at once

struct Chunks : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    base::AccountId here = remote::number(alice), there = remote::number(bob);

    void people(const std::string& domain) {
        w.write([&](db::Write& db) { db.run(test_many_people, many, domain); });
    }
    template <class F>
    void each(F&& f) {
        w.write([&](db::Write& db) {
            for (std::int64_t n = 1; n <= many; ++n) f(db, base::AccountId{n});
        });
    }
    void lock(bool locked) {
        alice.patch("/api/v1/accounts/update_credentials", {{"locked", locked ? "true" : "false"}});
    }
    std::string followers() { return alice.get("/api/v1/accounts/" + alice.id)["followers_count"]; }
    template <class Sql>
    auto count(const Sql& sql) {
        return w.read([&](db::Read& db) { return db.one(sql, there); });
    }
    void move() {
        w.write([&](db::Write& db) { relationships::move(db, here, there); });
        w.run_jobs();
    }
};
ON_EACH_DATABASE(Chunks);

TEST_P(Chunks, unlocking_accepts_all_who_wait) {
    lock(true);
    people("far.example");
    each([&](db::Write& db, base::AccountId who) {
        db.run(test_request, db.new_id<base::FollowRequestId>(), who, here, db.now());
    });
    lock(false);
    w.run_jobs();
    EXPECT_EQ(followers(), std::to_string(many));
    EXPECT_TRUE(alice.get("/api/v1/follow_requests").ids().empty());
}

TEST_P(Chunks, locking_again_stops_the_acceptance) {
    lock(true);
    people("far.example");
    each([&](db::Write& db, base::AccountId who) {
        db.run(test_request, db.new_id<base::FollowRequestId>(), who, here, db.now());
    });
    lock(false);
    lock(true);
    w.run_jobs();
    auto accepted = std::stoll(followers());
    EXPECT_LT(accepted, many);
    EXPECT_EQ(
        alice.get("/api/v1/follow_requests", {{"limit", "80"}}).ids().size(),
        static_cast<std::size_t>(std::min<std::int64_t>(many - accepted, 80))
    );
}

TEST_P(Chunks, moving_takes_all_blocks_and_notes_along) {
    people("");
    each([&](db::Write& db, base::AccountId who) {
        db.run(test_block, db.new_id<base::BlockId>(), who, here, db.now());
        db.run(test_note, who, here);
    });
    move();
    EXPECT_EQ(count(test_blockers), many);
    EXPECT_EQ(count(test_noted), many);
}

TEST_P(Chunks, moving_takes_all_mutes_along_until_they_end) {
    people("");
    auto soon = base::Time{w.now().ms + 400}, later = w.now().plus_seconds(3600),
         past = base::Time{w.now().ms - 1};
    each([&](db::Write& db, base::AccountId who) {
        std::optional<base::Time> until;
        if (who.value == 1) until = soon;
        if (who.value == 2) until = later;
        if (who.value == 3) until = past;
        db.run(test_mute, db.new_id<base::MuteId>(), who, here, until);
    });
    // Somebody has muted the new account already, for longer.
    w.write([&](db::Write& db) {
        db.run(test_mute, db.new_id<base::MuteId>(), base::AccountId{2}, there, std::optional<base::Time>());
    });
    move();
    auto mutes = w.read([&](db::Read& db) { return db.all(test_mutes_of, there); });
    ASSERT_EQ(std::ssize(mutes), many - 1);  // all but the one that has ended
    EXPECT_EQ(mutes[0].account, 1);
    ASSERT_TRUE(mutes[0].until);
    EXPECT_EQ(mutes[0].until->ms, soon.ms);
    EXPECT_EQ(mutes[1].account, 2);
    EXPECT_FALSE(mutes[1].until);
    EXPECT_EQ(mutes[2].account, 4);
    EXPECT_FALSE(mutes[2].notifications);
}

TEST_P(Chunks, moving_that_is_taken_back_takes_nobody_along_any_more) {
    people("");
    each([&](db::Write& db, base::AccountId who) {
        db.run(test_block, db.new_id<base::BlockId>(), who, here, db.now());
        db.run(test_mute, db.new_id<base::MuteId>(), who, here, std::optional<base::Time>());
        db.run(test_note, who, here);
    });
    w.write([&](db::Write& db) {
        relationships::move(db, here, there);
        accounts::move_to(db, here, {});
    });
    w.run_jobs();
    EXPECT_EQ(count(test_blockers), 0);
    EXPECT_EQ(count(test_noted), 0);
}

}  // namespace
