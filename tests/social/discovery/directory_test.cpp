// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/settings.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_directory_change{
    "test_directory_change",
    R"(UPDATE accounts SET domain = $2, url = 'https://far.example/@x', moved_to_id = $3, version = version + 1
       WHERE id = $1)",
    R"(UPDATE accounts SET domain = $2, url = 'https://far.example/@x', moved_to_id = CAST($3 AS BIGINT),
           version = version + 1 WHERE id = $1)"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Directory : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol"), dora = w.local("dora");

    void SetUp() override {
        for (const auto& who : {bob, carol, dora}) discoverable(who);
    }
    static void discoverable(const Person& who, const char* value = "true") {
        who.patch("/api/v1/accounts/update_credentials", {{"discoverable", value}});
    }
    std::vector<std::string> list(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/directory", fields).ids();
    }
    void change(const Person& who, const std::string& domain, std::optional<std::int64_t> moved_to) {
        w.write([&](db::Write& db) {
            db.run(test_directory_change, base::AccountId{std::stoll(who.id)}, domain, moved_to);
        });
    }
};
ON_EACH_DATABASE(Directory);

TEST_P(Directory, lists_by_activity_or_age) {
    EXPECT_THAT(list(alice), ElementsAre(dora.id, carol.id, bob.id));
    w.advance(1);
    carol.status("old");
    w.advance(1);
    bob.status("new");
    EXPECT_THAT(list(alice), ElementsAre(bob.id, carol.id, dora.id));
    EXPECT_THAT(list(alice, {{"order", "new"}}), ElementsAre(dora.id, carol.id, bob.id));
    EXPECT_THAT(list(alice, {{"limit", "1"}, {"offset", "1"}}), ElementsAre(carol.id));
    EXPECT_THAT(list(alice, {{"offset", "3"}}), IsEmpty());
    EXPECT_THAT(list(alice, {{"offset", "-5"}, {"limit", "0"}}), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/directory").header("Link"), "");
    EXPECT_EQ(alice.get("/api/v1/directory", {{"order", "best"}}).status, 422);
}

TEST_P(Directory, is_open_to_strangers_and_shared) {
    auto answer = w.anonymous().get("/api/v1/directory");
    EXPECT_THAT(answer.ids(), ElementsAre(dora.id, carol.id, bob.id));
    EXPECT_THAT(answer.header("Cache-Control"), testing::HasSubstr("max-age=15"));
}

TEST_P(Directory, leaves_out_who_does_not_want_or_may_not_be_found) {
    discoverable(bob, "false");
    EXPECT_THAT(list(alice), ElementsAre(dora.id, carol.id));
    w.silence(carol);
    EXPECT_THAT(list(alice), ElementsAre(dora.id));
    w.suspend(dora);
    EXPECT_THAT(list(alice), IsEmpty());
    discoverable(bob);
    change(bob, "", std::stoll(alice.id));
    EXPECT_THAT(list(alice), IsEmpty());
    auto ursula = w.unconfirmed("ursula");
    EXPECT_THAT(list(alice), IsEmpty());
}

TEST_P(Directory, leaves_out_whom_the_viewer_hides) {
    alice.blocks(bob);
    alice.mutes(carol, {{"duration", "60"}});
    EXPECT_THAT(list(alice), ElementsAre(dora.id));
    EXPECT_THAT(list(bob), ElementsAre(dora.id, carol.id, bob.id));
    w.advance(61);
    change(dora, "far.example", {});
    EXPECT_THAT(list(alice), ElementsAre(dora.id, carol.id));
    EXPECT_THAT(list(alice, {{"local", "true"}}), ElementsAre(carol.id));
    EXPECT_EQ(alice.post("/api/v1/domain_blocks", {{"domain", "far.example"}}).status, 200);
    EXPECT_THAT(list(alice), ElementsAre(carol.id));
}

TEST_P(Directory, can_be_switched_off) {
    w.write([](db::Write& db) { instance::set_setting(db, "profile_directory", "false"); });
    auto answer = alice.get("/api/v1/directory");
    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(answer.error(), "Not Found");
}

}  // namespace
