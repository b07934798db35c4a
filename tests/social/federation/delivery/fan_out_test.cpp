// SPDX-License-Identifier: AGPL-3.0-or-later
// What was written for others and goes late, because a node ended with it in its hands, does not take back what they were told since.
#include "jobs/steps.hpp"
#include "social/accounts/administering.hpp"
#include "social/federation/delivery/status_jobs.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"

#include <gmock/gmock.h>

const db::Query<std::string> test_body_of_activity{
    "test_body_of_activity", "SELECT body FROM activities WHERE id = $1"
};
const db::Query<std::int64_t> test_deliveries_of_activity{
    "test_deliveries_of_activity", "SELECT count(*) FROM deliveries WHERE activity_id = $1"
};

namespace {

using federation::ActivityFanOut, federation::ActivityKind;
using testing::HasSubstr, testing::Not;

struct LateActivities : OnEachWorld {
    Person alice = w.local("alice");
    Peer fay{w, "fay"};

    void SetUp() override {
        fay.known();
        w.write([&](db::Write& db) {
            relationships::follow(db, fay.id, remote::number(alice), {}, "https://far.example/follows/1");
        });
        w.run_jobs();
    }
    // As the job leaves it that ends before anybody is told.
    ActivityFanOut written(
        std::optional<ActivityKind> kind, const std::string& status, const std::string& body
    ) {
        ActivityFanOut out;
        out.groups = {{federation::Source::followers, remote::number(alice).value}};
        out.kind = kind;
        if (kind) out.unless_deleted = remote::status(status);
        else out.profile = remote::number(alice);
        w.write([&](db::Write& db) {
            out.activity = db.new_id<federation::ActivityId>();
            federation::record(db, out.activity, {remote::number(alice), body, "about it"});
        });
        return out;
    }
    jobs::Change found(const ActivityFanOut& what) {
        jobs::Change out;
        w.read([&](db::Read& db) { out = federation::fan_out_activity(db, what); });
        return out;
    }
    std::string told(const ActivityFanOut& what, const jobs::Change& change) {
        w.write([&](db::Write& db) { change(db); });
        return w.read([&](db::Read& db) {
            EXPECT_EQ(db.one(test_deliveries_of_activity, what.activity), 1);
            return db.one(test_body_of_activity, what.activity);
        });
    }
    std::string told(const ActivityFanOut& what) { return told(what, found(what)); }
    void edits(const std::string& status, const std::string& text) {
        EXPECT_EQ(alice.put("/api/v1/statuses/" + status, {{"status", text}}).status, 200);
    }
};
ON_EACH_DATABASE(LateActivities);

TEST_P(LateActivities, go_as_they_were_written_where_nothing_changed) {
    auto status = alice.status("first words");
    EXPECT_EQ(told(written(ActivityKind::create, status, "as written")), "as written");
    edits(status, "other words");
    auto update = written(ActivityKind::update, status, "as written");
    w.read([&](db::Read& db) {
        update.version = federation::delivery_scope(db, update.unless_deleted).value().version;
    });
    EXPECT_NE(update.version, 0);
    EXPECT_EQ(told(update), "as written");
    auto profile = written({}, "", "as written");
    w.read([&](db::Read& db) {
        profile.version = accounts::find_account(db, profile.profile).value().version;
    });
    EXPECT_EQ(told(profile), "as written");
}

TEST_P(LateActivities, of_before_this_version_are_read) {
    auto status = alice.status("first words");
    auto job = written({}, "", "as written");
    auto said = R"({"activity":")" + std::to_string(job.activity.value) + R"(","unless_deleted":")" + status +
                R"(","groups":[{"source":"followers","of":)" + alice.id +
                R"(,"after":0}],"except":"","ended":"0","told":""})";
    EXPECT_EQ(told(base::json::read<ActivityFanOut>(said)), "as written");
}

TEST_P(LateActivities, do_not_tell_new_private_words_to_whom_the_old_ones_wait_for) {
    auto status = alice.status("first words", {{"visibility", "private"}});
    auto create = written(ActivityKind::create, status, "as written");
    create.told = "https://a.example/inbox";
    edits(status, "last words");
    EXPECT_EQ(told(create), "as written");
    create.told.clear();
    create.activity = written(ActivityKind::create, status, "as written").activity;
    EXPECT_THAT(told(create), HasSubstr("last words"));
}

TEST_P(LateActivities, about_people_who_are_gone_are_told_nobody) {
    auto late = written({}, "", "Alice of before");
    w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(alice)); });
    auto change = found(late);
    w.write([&](db::Write& db) { change(db); });
    EXPECT_EQ(w.read([&](db::Read& db) { return db.one(test_deliveries_of_activity, late.activity); }), 0);
}

TEST_P(LateActivities, tell_posts_as_they_are_by_now) {
    auto status = alice.status("first words");
    auto create = written(ActivityKind::create, status, "first words");
    edits(status, "other words");
    auto update = written(ActivityKind::update, status, "other words");
    edits(status, "last words");
    w.run_jobs();
    for (const auto& [late, type] : {std::pair(create, "Create"), std::pair(update, "Update")}) {
        auto body = told(late);
        EXPECT_THAT(body, HasSubstr("last words"));
        EXPECT_THAT(body, HasSubstr(std::string("\"type\":\"") + type));
        EXPECT_THAT(body, Not(HasSubstr("other words")));
    }
}

TEST_P(LateActivities, see_what_changes_while_their_recipients_are_found) {
    auto status = alice.status("first words");
    auto create = written(ActivityKind::create, status, "first words");
    auto update = written(ActivityKind::update, status, "first words");
    auto creating = found(create), updating = found(update);
    edits(status, "last words");
    EXPECT_THAT(told(create, creating), HasSubstr("last words"));
    EXPECT_THAT(told(update, updating), HasSubstr("last words"));
}

TEST_P(LateActivities, tell_profiles_as_they_are_by_now) {
    auto late = written({}, "", "Alice of before");
    EXPECT_EQ(
        alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "Alice of now"}}).status, 200
    );
    EXPECT_THAT(told(late), HasSubstr("Alice of now"));
}

TEST_P(LateActivities, about_posts_that_are_gone_are_told_nobody) {
    auto status = alice.status("first words");
    auto create = written(ActivityKind::create, status, "first words");
    EXPECT_EQ(alice.del("/api/v1/statuses/" + status).status, 200);
    w.run_jobs();
    auto change = found(create);
    w.write([&](db::Write& db) { change(db); });
    EXPECT_EQ(w.read([&](db::Read& db) { return db.one(test_deliveries_of_activity, create.activity); }), 0);
}

}  // namespace
