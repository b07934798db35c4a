// SPDX-License-Identifier: AGPL-3.0-or-later
// Who beyond this server is sent what: exactly these inboxes, and nobody else's.
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/delivery/queue.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/relationships/relationship.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>
#include <boost/json.hpp>

#include <algorithm>
#include <set>

namespace {

using namespace federation;
using testing::IsEmpty, testing::UnorderedElementsAre;

const db::Command test_remote_account{
    "test_remote_account",
    "INSERT INTO accounts (id, username, domain, uri, url, created_at) VALUES ($1, $2, $3, $4, $4, 0)"
};
const db::Command test_remote_actor{
    "test_remote_actor",
    "INSERT INTO actors (account_id, inbox, shared_inbox, refreshed_at) VALUES ($1, $2, $3, 0)"
};
const db::Command test_follow{
    "test_follow", "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, 0)"
};
const db::Command test_favourite{
    "test_favourite", "INSERT INTO favourites (id, account_id, status_id) VALUES ($1, $2, $3)"
};
const db::Command test_mention{
    "test_mention", "INSERT INTO mentions (status_id, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
const db::Command test_suspend_remote{
    "test_suspend_remote", "UPDATE accounts SET suspended_at = 1 WHERE id = $1"
};

struct Reach : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    // Two of one server with a shared inbox, one of a server without.
    base::AccountId fay = remote("fay", "a.example", true), fred = remote("fred", "a.example", true);
    base::AccountId gus = remote("gus", "b.example", false), hal = remote("hal", "c.example", true);
    base::AccountId ivy = remote("ivy", "d.example", true);

    base::AccountId remote(const std::string& name, const std::string& domain, bool shared) {
        return w.write([&](db::Write& db) {
            auto id = db.new_id<base::AccountId>();
            auto uri = "https://" + domain + "/users/" + name;
            db.run(test_remote_account, id, name, domain, uri);
            db.run(test_remote_actor, id, uri + "/inbox", shared ? "https://" + domain + "/inbox" : "");
            return id;
        });
    }
    void follows(base::AccountId who, const Person& whom) {
        w.write([&](db::Write& db) {
            db.run(test_follow, db.new_id<base::FollowId>(), who, base::AccountId{std::stoll(whom.id)});
        });
    }
    // "Type inbox" of everything sent since last asked.
    std::vector<std::string> sent() {
        w.run_jobs();
        std::vector<std::string> out;
        for (;;) {
            auto work = w.write([](db::Write& db) { return exchange(db, {}, {100, 100}, {}); });
            if (work.batches.empty()) return out;
            Report report;
            for (auto& batch : work.batches) {
                report.finished.push_back(batch.host);
                for (auto& one : batch.deliveries) {
                    auto body =
                        w.read([&](db::Read& db) { return bodies(db, {one.activity}); })[one.activity];
                    auto type = boost::json::parse(body).at("type").as_string();
                    out.push_back(std::string(std::string_view(type)) + " " + one.inbox.substr(8));
                    report.outcomes.push_back({one, batch.host, Verdict::delivered});
                }
            }
            w.write([&](db::Write& db) { exchange(db, report, {}, {}); });
        }
    }
};
ON_EACH_DATABASE(Reach);

TEST_P(Reach, of_a_post_is_what_its_visibility_says) {
    follows(fay, alice), follows(fred, alice), follows(gus, alice);
    struct Row {
        const char* visibility;
        std::vector<std::string> inboxes;
    };
    const std::string a = "Create a.example/inbox", b = "Create b.example/users/gus/inbox",
                      c = "Create c.example/inbox";
    const Row rows[] = {
        {"public", {a, b, c}}, {"unlisted", {a, b, c}}, {"private", {a, b, c}}, {"direct", {c}}
    };
    for (const auto& row : rows) {
        alice.status("hello @hal@c.example", {{"visibility", row.visibility}});
        EXPECT_THAT(sent(), testing::UnorderedElementsAreArray(row.inboxes)) << row.visibility;
    }
}

TEST_P(Reach, of_local_posts_ends_here_attack_57) {
    follows(fay, alice);
    auto status = alice.status("hello @hal@c.example", {{"local_only", "true"}});
    bob.reblogs(status);
    bob.favourites(status);
    alice.put("/api/v1/statuses/" + status, {{"status", "changed"}});
    alice.post("/api/v1/statuses/" + status + "/pin");
    alice.del("/api/v1/statuses/" + status);
    EXPECT_THAT(sent(), IsEmpty());
}

TEST_P(Reach, writes_one_job_and_nothing_more_when_a_post_is_published) {
    follows(fay, alice);
    w.run_jobs();
    w.changed();
    alice.status("hello");
    EXPECT_EQ(w.changed(), "conversations +1, statuses +1, home_entries +1, jobs +1");
    EXPECT_THAT(sent(), UnorderedElementsAre("Create a.example/inbox"));
}

TEST_P(Reach, leaves_out_the_suspended) {
    follows(fay, alice), follows(gus, alice);
    w.write([&](db::Write& db) { db.run(test_suspend_remote, gus); });
    alice.status("hello");
    EXPECT_THAT(sent(), UnorderedElementsAre("Create a.example/inbox"));
}

TEST_P(Reach, of_an_edit_and_a_deletion_is_everybody_who_may_have_the_post) {
    follows(fay, alice);
    auto status = alice.status("hello");
    sent();
    w.write([&](db::Write& db) {
        db.run(test_favourite, db.new_id<base::FavouriteId>(), hal, base::StatusId{std::stoll(status)});
    });
    alice.put("/api/v1/statuses/" + status, {{"status", "changed"}});
    EXPECT_THAT(sent(), UnorderedElementsAre("Update a.example/inbox", "Update c.example/inbox"));
    alice.del("/api/v1/statuses/" + status);
    EXPECT_THAT(sent(), UnorderedElementsAre("Delete a.example/inbox", "Delete c.example/inbox"));
}

TEST_P(Reach, of_a_deleted_post_that_was_not_told_yet_is_nobody_new) {
    follows(fay, alice);
    auto status = alice.status("hello");
    alice.del("/api/v1/statuses/" + status);
    EXPECT_THAT(sent(), UnorderedElementsAre("Delete a.example/inbox"));
}

TEST_P(Reach, of_a_reply_includes_the_followers_of_a_local_author) {
    follows(fay, alice), follows(gus, bob);
    auto status = alice.status("hello");
    sent();
    bob.answers(status, "hi");
    EXPECT_THAT(sent(), UnorderedElementsAre("Create a.example/inbox", "Create b.example/users/gus/inbox"));
    bob.answers(status, "psst", {{"visibility", "private"}});
    EXPECT_THAT(sent(), UnorderedElementsAre("Create b.example/users/gus/inbox"));
}

TEST_P(Reach, of_a_boost_is_the_followers_and_its_undoing_the_same) {
    follows(fay, bob);
    auto status = alice.status("hello");
    sent();
    auto boost = bob.reblogs(status);
    EXPECT_THAT(sent(), UnorderedElementsAre("Announce a.example/inbox"));
    bob.post("/api/v1/statuses/" + status + "/unreblog");
    EXPECT_THAT(sent(), UnorderedElementsAre("Undo a.example/inbox"));
}

TEST_P(Reach, of_follows_and_blocks_is_the_other_one_alone) {
    auto path = "/api/v1/accounts/" + std::to_string(gus.value);
    alice.post(path + "/follow");
    EXPECT_THAT(sent(), UnorderedElementsAre("Follow b.example/users/gus/inbox"));
    EXPECT_EQ(
        alice.get("/api/v1/accounts/relationships", {{"id", std::to_string(gus.value)}})["0.following"],
        "false"
    );
    alice.post(path + "/unfollow");
    EXPECT_THAT(sent(), UnorderedElementsAre("Undo b.example/users/gus/inbox"));
    alice.post(path + "/block");
    EXPECT_THAT(sent(), UnorderedElementsAre("Block b.example/users/gus/inbox"));
    alice.post(path + "/unblock");
    EXPECT_THAT(sent(), UnorderedElementsAre("Undo b.example/users/gus/inbox"));
}

TEST_P(Reach, of_a_follower_who_is_let_in_sent_away_or_removed_is_that_follower) {
    alice.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    w.advance(20);
    support::run_periodic(w, send_planned_updates);
    sent();
    auto ask = [&](base::AccountId who) {
        w.write([&](db::Write& db) {
            relationships::follow(db, who, base::AccountId{std::stoll(alice.id)}, {});
        });
    };
    ask(gus), ask(hal);
    EXPECT_THAT(sent(), IsEmpty());
    alice.post("/api/v1/follow_requests/" + std::to_string(gus.value) + "/authorize");
    EXPECT_THAT(sent(), UnorderedElementsAre("Accept b.example/users/gus/inbox"));
    alice.post("/api/v1/follow_requests/" + std::to_string(hal.value) + "/reject");
    EXPECT_THAT(sent(), UnorderedElementsAre("Reject c.example/users/hal/inbox"));
    alice.post("/api/v1/accounts/" + std::to_string(gus.value) + "/remove_from_followers");
    EXPECT_THAT(sent(), UnorderedElementsAre("Reject b.example/users/gus/inbox"));
    ask(ivy);
    w.write([&](db::Write& db) { relationships::unfollow(db, ivy, base::AccountId{std::stoll(alice.id)}); });
    EXPECT_THAT(sent(), IsEmpty());
}

TEST_P(Reach, of_a_profile_is_the_followers_once_for_many_changes) {
    follows(fay, alice), follows(gus, alice);
    for (auto name : {"A", "B", "C"})
        alice.patch("/api/v1/accounts/update_credentials", {{"display_name", name}});
    support::run_periodic(w, send_planned_updates);
    EXPECT_THAT(sent(), IsEmpty());
    w.advance(20);
    support::run_periodic(w, send_planned_updates);
    EXPECT_THAT(sent(), UnorderedElementsAre("Update a.example/inbox", "Update b.example/users/gus/inbox"));
    support::run_periodic(w, send_planned_updates);
    EXPECT_THAT(sent(), IsEmpty());
}

TEST_P(Reach, of_a_deletion_is_each_server_once_however_many_accounts_it_has_across_the_pages) {
    constexpr int servers = 1001;  // more than two pages
    for (int i = 0; i < servers; ++i) {
        auto domain = "s" + std::to_string(i) + ".example";
        remote("first", domain, true);
        if (i % 100 == 0) remote("second", domain, true);
    }
    for (int i = 0; i < 501; ++i) remote("lone" + std::to_string(i), "alone.example", false);
    std::vector<std::string> inboxes;
    auto begun = recipients_of_everybody({std::stoll(alice.id)});
    for (const auto& source : {Source::everybody, Source::alone}) {
        auto group = std::ranges::find(begun, source, &RecipientGroup::source);
        ASSERT_NE(group, begun.end());
        for (std::optional<RecipientGroup> next = *group; next;) {
            auto found = w.read([&](db::Read& db) { return recipient_page(db, *next); });
            inboxes.insert(inboxes.end(), found.inboxes.begin(), found.inboxes.end());
            next = found.rest;
        }
    }
    EXPECT_EQ(inboxes.size(), servers + 501u + 4u);  // and those of the fixture
    EXPECT_EQ(std::set<std::string>(inboxes.begin(), inboxes.end()).size(), inboxes.size());
}

}  // namespace
