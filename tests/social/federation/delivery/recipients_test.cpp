// SPDX-License-Identifier: AGPL-3.0-or-later
// Who was sent a post hears of its edits and its end, whoever follows whom by then.
#include "social/federation/delivery/recipients.hpp"
#include "base/json_read.hpp"
#include "jobs/steps.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/delivery/delivery_scope.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "social/instance/domain_block.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/interactions/remote_favourite.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace {

using federation::InboxId, federation::InboxSet;
using testing::IsEmpty, testing::UnorderedElementsAre;

const db::Command test_recipient_actor{
    "test_recipient_actor",
    "INSERT INTO actors (account_id, inbox, shared_inbox, refreshed_at) VALUES ($1, $2, $3, 0)"
};
const db::Command test_recipient_follow{
    "test_recipient_follow",
    "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, 0)"
};
const db::Command test_recipient_follows_no_more{
    "test_recipient_follows_no_more", "DELETE FROM follows WHERE account_id = $1"
};
const db::Command test_recipient_counted{
    "test_recipient_counted", "UPDATE accounts SET followers_count = followers_count + 1 WHERE id = $1"
};
const db::Command test_recipient_counted_no_more{
    "test_recipient_counted_no_more",
    R"(UPDATE accounts SET followers_count = followers_count - 1
       WHERE id IN (SELECT target_id FROM follows WHERE account_id = $1))"
};
const db::Command test_host_is_away{
    "test_host_is_away", "INSERT INTO hosts (authority, unavailable_since) VALUES ($1, 1)"
};
const db::Query<std::int64_t> test_bytes_of_recipients{
    "test_bytes_of_recipients",
    R"(SELECT CAST((SELECT COALESCE(sum(length(added) + length(missing)), 0) FROM status_recipients)
              + (SELECT COALESCE(sum(length(inboxes)), 0) FROM recipient_sets) AS BIGINT) AS n)"
};
const db::Query<std::int64_t> test_rows_of_recipients{
    "test_rows_of_recipients",
    "SELECT (SELECT count(*) FROM status_recipients) + (SELECT count(*) FROM recipient_sets) AS n"
};

const db::Query<std::string> test_inboxes_told{"test_inboxes_told", "SELECT inbox FROM deliveries"};
const db::Command test_all_are_told{"test_all_are_told", "DELETE FROM deliveries"};

struct Recipients : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    base::AccountId somebody(const std::string& domain, const std::string& name = "fay") {
        auto id = remote::somebody(w, name, domain);
        w.write([&](db::Write& db) {
            db.run(
                test_recipient_actor,
                id,
                "https://" + domain + "/users/" + name + "/inbox",
                "https://" + domain + "/inbox"
            );
        });
        return id;
    }
    void follows(base::AccountId who, const Person& whom) {
        w.write([&](db::Write& db) {
            db.run(test_recipient_follow, db.new_id<base::FollowId>(), who, remote::number(whom));
            db.run(test_recipient_counted, remote::number(whom));
        });
    }
    void leaves(base::AccountId who) {
        w.write([&](db::Write& db) {
            db.run(test_recipient_counted_no_more, who);
            db.run(test_recipient_follows_no_more, who);
        });
    }
    base::AccountId follower(const std::string& domain) {
        auto id = somebody(domain);
        follows(id, alice);
        return id;
    }
    std::vector<base::AccountId> followers(int count) {
        std::vector<base::AccountId> out;
        for (int i = 0; i < count; ++i) out.push_back(follower("h" + std::to_string(i) + ".example"));
        return out;
    }
    std::string said(const std::string& text, const Fields& more = {}) {
        auto id = alice.status(text, more);
        sent(w);
        return id;
    }
    void edits(const std::string& id) {
        EXPECT_EQ(alice.put("/api/v1/statuses/" + id, {{"status", "changed"}}).status, 200);
    }
    void deletes(const std::string& id) { EXPECT_EQ(alice.del("/api/v1/statuses/" + id).status, 200); }
    std::int64_t one(const db::Query<std::int64_t>& query) {
        return w.read([&](db::Read& db) { return db.one(query); });
    }
    std::int64_t rows() { return one(test_rows_of_recipients); }
};
ON_EACH_DATABASE(Recipients);

TEST_P(Recipients, of_a_public_post_hear_of_its_edits_and_its_end_after_their_last_follower_left) {
    auto fay = follower("a.example");
    auto post = said("hello");
    leaves(fay);
    edits(post);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Update a.example/inbox"));
    deletes(post);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Delete a.example/inbox"));
    EXPECT_EQ(rows(), 0);
    auto next = alice.status("to nobody");
    EXPECT_THAT(sent_lines(w), IsEmpty());
    deletes(next);
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

TEST_P(Recipients, of_an_edit_and_of_a_pin_hear_of_the_end_too) {
    auto post = said("hello"), other = said("pinned");
    auto fay = follower("a.example");
    edits(post);
    alice.post("/api/v1/statuses/" + other + "/pin");
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Update a.example/inbox", "Add a.example/inbox"));
    leaves(fay);
    deletes(post);
    deletes(other);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Delete a.example/inbox", "Delete a.example/inbox"));
}

TEST_P(Recipients, of_a_post_for_followers_hear_of_its_end_but_not_of_new_words) {
    auto fay = follower("a.example");
    auto post = said("hello", {{"visibility", "private"}});
    leaves(fay);
    edits(post);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    deletes(post);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Delete a.example/inbox"));
    EXPECT_EQ(rows(), 0);
}

TEST_P(Recipients, of_a_boost_hear_that_it_is_taken_back) {
    auto fay = follower("a.example");
    auto post = bob.status("hello");
    alice.reblogs(post);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Announce a.example/inbox"));
    leaves(fay);
    alice.post("/api/v1/statuses/" + post + "/unreblog");
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Undo a.example/inbox"));
    EXPECT_EQ(rows(), 0);
}

TEST_P(Recipients, are_those_who_favourited_or_answered_though_they_took_it_back) {
    auto gus = somebody("b.example"), hal = somebody("c.example");
    auto post = said("hello");
    statuses::Liking like{gus, remote::status(post), "https://b.example/likes/1"};
    auto answer = remote::note(w, hal, "1");
    answer.uri = "https://c.example/notes/1";
    answer.in_reply_to = w.site().public_url + "/ap/users/" + alice.id + "/statuses/" + post;
    ASSERT_NE(remote::stored(w, answer), "");
    w.write([&](db::Write& db) {
        statuses::like(db, like);
        statuses::withdraw_remote_favourite(db, like);
        statuses::remove_remote(db, hal, answer.uri);
    });
    deletes(post);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Delete b.example/inbox", "Delete c.example/inbox"));
    EXPECT_EQ(rows(), 0);
}

TEST_P(Recipients, are_not_those_who_could_not_be_sent_anything) {
    follower("bad.example"), follower("away.example");
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"bad.example", instance::Severity::suspend});
        db.run(test_host_is_away, "away.example");
    });
    said("hello");
    EXPECT_EQ(rows(), 0);
}

TEST_P(Recipients, are_forgotten_with_an_account) {
    followers(3);
    said("hello"), said("again");
    EXPECT_EQ(rows(), 2);
    w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(alice)); });
    sent(w);
    EXPECT_EQ(rows(), 0);
}

// Pages of 500.
TEST_P(Recipients, are_all_kept_and_told_once_across_the_edges_of_pages) {
    auto all = followers(1003);
    auto post = said("hello");
    for (auto id : all) leaves(id);
    deletes(post);
    std::set<std::string> told;
    auto lines = sent_lines(w);
    for (const auto& line : lines) told.insert(line);
    EXPECT_EQ(lines.size(), 1003u);
    EXPECT_EQ(told.size(), 1003u);
    EXPECT_EQ(rows(), 0);
}

// Also who is on the first page of followers and on the last, and hears of it before the last is looked at.
TEST_P(Recipients, hear_of_it_once_however_quickly_they_are_told) {
    constexpr int servers = 601;
    for (const char* name : {"fay", "gus"})
        for (int i = 0; i < servers; ++i)
            follows(somebody("h" + std::to_string(i) + ".example", name), alice);
    for (const bool stopped : {false, true}) {
        federation::ActivityFanOut left;
        left.groups = {{federation::Source::followers, std::stoll(alice.id)}};
        w.write([&](db::Write& db) {
            left.activity = db.new_id<federation::ActivityId>();
            federation::record(db, left.activity, {remote::number(alice), "{}", "x"});
        });
        std::vector<std::string> told;
        std::optional<jobs::Stepwise> steps;
        for (bool more = true; more;) {
            ASSERT_LT(told.size(), 2 * servers);
            if (stopped || !steps)
                w.read([&](db::Read& db) {
                    steps = *federation::fan_out_activity(db, left).target<jobs::Stepwise>();
                });
            w.write([&](db::Write& db) {
                const auto rest = steps->take(db);
                more = rest.has_value();
                if (rest) left = base::json::read<federation::ActivityFanOut>(*rest);
                for (auto& inbox : db.all(test_inboxes_told)) told.push_back(std::move(inbox));
                db.run(test_all_are_told);
            });
        }
        EXPECT_EQ(told.size(), servers) << stopped;
        EXPECT_EQ(std::set<std::string>(told.begin(), told.end()).size(), servers) << stopped;
    }
}

TEST_P(Recipients, of_many_posts_take_few_bytes) {
    auto all = followers(700);
    const auto first = said("hello");
    EXPECT_LE(one(test_bytes_of_recipients), 2 * 700);
    std::vector<std::string> posts;
    for (int i = 0; i < 20; ++i) {
        leaves(all[static_cast<std::size_t>(i)]);
        follower("new" + std::to_string(i) + ".example");
        posts.push_back(said("hello @fay@h" + std::to_string(i) + ".example"));
    }
    EXPECT_LE(one(test_bytes_of_recipients), 2 * 700 + 20 * 60);
    // Whatever they share, each keeps its own.
    deletes(first);
    deletes(posts[0]);
    auto lines = sent_lines(w);
    EXPECT_EQ(std::ranges::count(lines, "Delete h19.example/inbox"), 2);
    EXPECT_EQ(std::ranges::count(lines, "Delete new19.example/inbox"), 2);  // follows by now
    for (std::size_t i = 1; i < posts.size(); ++i) deletes(posts[i]);
    sent(w);
    EXPECT_EQ(rows(), 0);
}

// Of the job that sends it; who posts waits for none of them.
TEST_P(Recipients, cost_a_post_the_same_statements_however_many_they_are) {
    const auto statements = [&] {
        alice.status("hello");
        w.queries();
        w.run_jobs();
        return w.queries();
    };
    for (int i = 0; i < 10; ++i) follower("h" + std::to_string(i) + ".example");
    const int first = statements(), few = statements();
    EXPECT_EQ(first, few + 1);  // the inboxes are given their numbers
    for (int i = 10; i < 130; ++i) follower("h" + std::to_string(i) + ".example");
    statements();
    const int many = statements();
    EXPECT_EQ(
        many, few + 6
    );  // the shared set, how many posts use it, and a job for homes, as they are not few
    for (int i = 130; i < 300; ++i) follower("h" + std::to_string(i) + ".example");
    statements();
    EXPECT_EQ(statements(), many);
}

TEST(InboxSets, come_back_as_they_were) {
    std::minstd_rand random{7};
    for (auto widest : {1, 2, 127, 128, 129, 20'000, 5'000'000}) {
        InboxSet set;
        std::int64_t id = 0;
        for (int i = 0; i < 300; ++i) {
            id += std::uniform_int_distribution<std::int64_t>(1, widest)(random);
            set.push_back({id});
        }
        EXPECT_EQ(federation::unpack(federation::pack(set)), set) << widest;
    }
    const InboxSet wide{{1}, {0x7fff'ffff'ffff'ffff}};
    EXPECT_EQ(federation::unpack(federation::pack(wide)), wide);
    EXPECT_EQ(federation::unpack(""), InboxSet{});
}

TEST(InboxSets, of_two_thousand_of_thirty_thousand_take_two_kilobytes) {
    InboxSet set;
    std::minstd_rand random{11};
    std::set<std::int64_t> some;
    while (some.size() < 2000) some.insert(std::uniform_int_distribution<std::int64_t>(1, 30'000)(random));
    for (auto id : some) set.push_back({id});
    EXPECT_LE(federation::pack(set).size(), 2010u);
}

}  // namespace
