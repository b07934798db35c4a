// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers: what is shown before is what happens, and undoing brings back what can come back.
#include "social/accounts/remote/server_limits.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/remote.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/staff.hpp"
#include "social/relationships/list_severing.hpp"
#include "social/relationships/relationship.hpp"

#include <gmock/gmock.h>
#include <algorithm>

const db::Command test_list_follower{
    "test_list_follower",
    "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};
const db::Command test_list_request{
    "test_list_request",
    "INSERT INTO follow_requests (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};
struct TestRule {
    std::string domain, severity, origin;
};
DESCRIBE(TestRule, domain, severity, origin)
const db::Query<TestRule> test_rules{
    "test_rules", "SELECT domain, severity, origin FROM domain_blocks ORDER BY domain"
};
struct TestLimit {
    std::int64_t id = 0;
    bool suspended = false, silenced = false;
    std::int64_t followers_count = 0, following_count = 0;
};
DESCRIBE(TestLimit, id, suspended, silenced, followers_count, following_count)
const db::Query<TestLimit> test_account_limits{
    "test_account_limits",
    R"(SELECT id, suspended_at IS NOT NULL AS suspended, silenced_at IS NOT NULL AS silenced, followers_count,
              following_count
       FROM accounts ORDER BY id)"
};
const db::Query<std::int64_t> test_count_of_follows{"test_count_of_follows", "SELECT count(*) FROM follows"};
const db::Query<std::int64_t> test_count_of_requests{
    "test_count_of_requests", "SELECT count(*) FROM follow_requests"
};
const db::Query<std::int64_t> test_count_of_audit{
    "test_count_of_audit", "SELECT count(*) FROM audit_entries WHERE target_kind = 'ServerList'"
};
const db::Query<std::int64_t> test_count_of_waiting_deliveries{
    "test_count_of_waiting_deliveries", "SELECT count(*) FROM deliveries"
};
const db::Query<std::int64_t> test_count_of_list_lines{
    "test_count_of_list_lines", "SELECT count(*) FROM list_lines"
};
const db::Command test_list_account{
    "test_list_account",
    "INSERT INTO accounts (id, username, domain, uri, url, created_at) VALUES ($1, $2, $3, $4, '', $5)"
};
const db::Query<std::int64_t> test_count_of_suspended{
    "test_count_of_suspended", "SELECT count(*) FROM accounts WHERE suspended_at IS NOT NULL"
};
// Whose counters say something else than the rows.
const db::Query<std::int64_t> test_miscounted{
    "test_miscounted",
    R"(SELECT id FROM accounts a WHERE followers_count <> (SELECT count(*) FROM follows f WHERE f.target_id = a.id)
           OR following_count <> (SELECT count(*) FROM follows f WHERE f.account_id = a.id))"
};
const db::Query<std::int64_t> test_count_of_severed{
    "test_count_of_severed", "SELECT count(*) FROM severed_follows"
};
const db::Query<std::int64_t> test_home_entries{
    "test_home_entries", "SELECT author_id FROM home_entries WHERE account_id = $1 ORDER BY author_id"
};
const db::Query<std::int64_t> test_count_of_list_people{
    "test_count_of_list_people", "SELECT count(*) FROM list_people"
};

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs, testing::HasSubstr, testing::Not;

const std::string lists = "/api/dunlin/v1/moderation/lists",
                  exceptions = "/api/dunlin/v1/moderation/exceptions", blocks = "/api/v1/admin/domain_blocks",
                  notices = "/api/v1/notifications";

struct ServerLists : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    Answer preview(const std::string& data) { return owner.post(lists + "/preview", {{"data", data}}); }
    std::string apply(const std::string& data, const std::string& name = "Theirs") {
        auto made = owner.post(lists, {{"name", name}, {"data", data}});
        EXPECT_EQ(made.status, 200) << made.body;
        return made.id();
    }
    std::string applied(const std::string& data, const std::string& name = "Theirs") {
        auto id = apply(data, name);
        w.run_jobs();
        EXPECT_EQ(owner.get(lists + "/" + id)["step"], "applied");
        return id;
    }
    Answer undo(const std::string& id) { return owner.post(lists + "/" + id + "/undo"); }
    void undone(const std::string& id) {
        EXPECT_EQ(undo(id).status, 200);
        for (int second = 0; second < 20; ++second) w.run_jobs(), w.advance(1);
        EXPECT_EQ(owner.get(lists + "/" + id)["step"], "undone");
    }
    void follows_back(base::AccountId them, const Person& who) {
        w.write([&](db::Write& db) {
            db.run(test_list_follower, db.new_id<base::FollowId>(), them, remote::number(who), db.now());
            accounts::count_follow(db, them, remote::number(who), 1);
        });
        w.changed(), w.happened();
    }
    std::vector<std::string> rules() {
        std::vector<std::string> out;
        for (const auto& one : w.read([](db::Read& db) { return db.all(test_rules); }))
            out.push_back(one.domain + " " + one.severity + " " + one.origin);
        return out;
    }
    std::string limits() {
        return base::json::to_string(w.read([](db::Read& db) { return db.all(test_account_limits); }));
    }
    std::int64_t count(const db::Query<std::int64_t>& sql) {
        return w.read([&](db::Read& db) { return db.one(sql); });
    }
};
ON_EACH_DATABASE(ServerLists);

TEST_P(ServerLists, are_previewed_as_they_are_applied) {
    auto fay = remote::somebody(w, "fay", "a.example"), gus = remote::somebody(w, "gus", "deep.a.example"),
         hal = remote::somebody(w, "hal", "b.example"), ida = remote::somebody(w, "ida", "own.example"),
         joe = remote::somebody(w, "joe", "sub.own.example");
    remote::follows(w, alice, fay), remote::follows(w, alice, gus), remote::follows(w, bob, fay);
    remote::follows(w, alice, hal), remote::follows(w, alice, ida), remote::follows(w, alice, joe);
    follows_back(fay, alice), follows_back(hal, bob);
    owner.post(blocks, {{"domain", "own.example"}, {"severity", "noop"}});
    w.run_jobs();
    const std::string list =
        "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n"
        "a.example,suspend,true,true,\"spam, lies\",true\nb.example,silence,,,,\n"
        "sub.a.example,silence,,,,\nown.example,suspend,,,,\nno domain,suspend,,,,\n";
    auto before = w.dump();
    auto shown = preview(list);
    EXPECT_EQ(shown["added"], "2");
    EXPECT_EQ(shown["covered"], "1");
    EXPECT_EQ(shown["own"], "1");
    EXPECT_EQ(shown["accounts"], "3");
    EXPECT_EQ(shown["following"], "3");
    EXPECT_EQ(shown["followers"], "1");
    EXPECT_EQ(shown["people"], "2");
    EXPECT_EQ(shown["losing_most.0.username"], "alice");
    EXPECT_EQ(shown["losing_most.0.following"], "2");
    EXPECT_EQ(shown["domains.0.accounts"], "2");
    EXPECT_EQ(shown["domains.2.by"], "a.example");
    EXPECT_EQ(shown["refused.0.line"], "6");
    EXPECT_EQ(shown["refused.0.reason"], "It is not a valid domain name");
    auto tried = owner.post(lists, {{"name", "Theirs"}, {"data", list}, {"dry_run", "true"}});
    EXPECT_EQ(tried["id"], "null");
    EXPECT_EQ(tried["added"], "2");
    EXPECT_EQ(w.dump(), before);

    auto id = applied(list);
    EXPECT_THAT(
        rules(), ElementsAre("a.example suspend list", "b.example silence list", "own.example noop hand")
    );
    EXPECT_TRUE(w.read([](db::Read& db) { return instance::limit_on(db, "deep.a.example"); }).suspended);
    auto done = owner.get(lists + "/" + id);
    EXPECT_EQ(done["step"], "applied");
    for (auto figure : {"accounts", "following", "followers"})
        EXPECT_EQ(done[figure], shown[figure]) << figure;
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["following_count"], "3");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["followers_count"], "0");
    EXPECT_EQ(count(test_count_of_audit), 1);
}

TEST_P(ServerLists, tell_each_person_once_with_all_that_they_lost) {
    for (int i = 0; i < 60; ++i) {
        auto far = remote::somebody(w, "p" + std::to_string(i), "s" + std::to_string(i) + ".example");
        remote::follows(w, alice, far);
        if (i % 2 == 0) remote::follows(w, bob, far), follows_back(far, bob);
    }
    std::string list;
    for (int i = 0; i < 60; ++i) list += "s" + std::to_string(i) + ".example\n";
    apply(list, "A long list");
    w.run_jobs();
    auto told = alice.get(notices, {{"types[]", "severed_relationships"}});
    ASSERT_THAT(told.ids(), SizeIs(1));
    EXPECT_EQ(told["0.event.target_name"], "A long list");
    EXPECT_EQ(told["0.event.following_count"], "60");
    told = bob.get(notices, {{"types[]", "severed_relationships"}});
    ASSERT_THAT(told.ids(), SizeIs(1));
    EXPECT_EQ(told["0.event.following_count"], "30");
    EXPECT_EQ(told["0.event.followers_count"], "30");
    EXPECT_EQ(count(test_count_of_follows), 0);
}

// A reader finds 2,500 accounts and 5,000 follows at once, of which the writer takes some hundred a turn.
TEST_P(ServerLists, end_more_follows_than_a_chunk_has) {
    constexpr std::int64_t first = 1'000'000, known = 6240, servers = 26;
    const std::vector<Person> people{w.local("p1"), w.local("p2"), w.local("p3"), alice, bob};
    w.write([&](db::Write& db) {
        for (std::int64_t n = 0; n < known; ++n) {
            const auto name = "p" + std::to_string(n),
                       server = "s" + std::to_string(n % servers) + ".example";
            db.run(test_list_account, first + n, name, server, "https://" + server + "/" + name, db.now());
        }
        for (std::int64_t n = 0; n < servers; ++n)
            accounts::note_server(db, "s" + std::to_string(n) + ".example");
        for (std::size_t p = 0; p < people.size(); ++p)
            for (std::int64_t n = 0; n < 1248; ++n) {
                const auto here = remote::number(people[p]);
                const base::AccountId there{first + 5 * n + static_cast<std::int64_t>(p)};
                const bool followed = n >= 1144;
                const auto one = followed ? there : here, other = followed ? here : there;
                db.run(test_list_follower, db.new_id<base::FollowId>(), one, other, db.now());
                accounts::count_follow(db, one, other, 1);
            }
    });
    w.changed(), w.happened();
    ASSERT_EQ(count(test_count_of_follows), 6240);
    std::string list;
    for (int n = 0; n < 25; ++n) list += "s" + std::to_string(n) + ".example\n";
    const auto shown = preview(list);
    const auto id = applied(list);
    const auto done = owner.get(lists + "/" + id);
    for (auto figure : {"accounts", "following", "followers"})
        EXPECT_EQ(done[figure], shown[figure]) << figure;
    EXPECT_EQ(done["accounts"], "6000");
    EXPECT_EQ(done["following"], "5500");
    EXPECT_EQ(done["followers"], "500");
    EXPECT_EQ(count(test_count_of_suspended), 6000);
    EXPECT_EQ(count(test_count_of_follows), 240);
    EXPECT_EQ(count(test_count_of_severed), 6000);
    EXPECT_THAT(w.read([](db::Read& db) { return db.all(test_miscounted); }), IsEmpty());
    for (const auto& person : people) {
        auto told = person.get(notices, {{"types[]", "severed_relationships"}});
        ASSERT_THAT(told.ids(), SizeIs(1));
        EXPECT_EQ(told["0.event.following_count"], "1100");
        EXPECT_EQ(told["0.event.followers_count"], "100");
    }
    EXPECT_EQ(undo(id).status, 200);
    w.run_jobs();
    EXPECT_EQ(count(test_count_of_suspended), 0);
}

// Several people have ties of every kind with the same accounts, more than one statement takes.
TEST_P(ServerLists, end_all_ties_and_leave_those_with_others) {
    constexpr int known = 130;
    std::vector<base::AccountId> there;
    for (int n = 0; n <= known; ++n)
        there.push_back(remote::somebody(w, "p" + std::to_string(n), n == known ? "b.example" : "a.example"));
    const Person carol = w.local("carol");
    w.write([&](db::Write& db) {
        for (auto far : there) {
            const auto follows = [&](base::AccountId one, base::AccountId other) {
                db.run(test_list_follower, db.new_id<base::FollowId>(), one, other, db.now());
                accounts::count_follow(db, one, other, 1);
            };
            follows(remote::number(alice), far), follows(far, remote::number(alice));
            follows(remote::number(bob), far);
            db.run(test_list_request, db.new_id<base::FollowId>(), far, remote::number(bob), db.now());
            db.run(test_list_request, db.new_id<base::FollowId>(), remote::number(carol), far, db.now());
        }
    });
    w.changed(), w.happened();
    const auto far = std::to_string(there.front().value), near = std::to_string(there.back().value);
    const auto group = alice.post("/api/v1/lists", {{"title", "Far and near"}}).id();
    for (const auto& id : {far, near}) {
        EXPECT_EQ(alice.post("/api/v1/accounts/" + id + "/endorse").status, 200);
        EXPECT_EQ(alice.post("/api/v1/lists/" + group + "/accounts", {{"account_ids[]", id}}).status, 200);
    }
    const auto done = owner.get(lists + "/" + applied("a.example\n"));
    EXPECT_EQ(done["following"], std::to_string(2 * known));
    EXPECT_EQ(done["followers"], std::to_string(known));
    EXPECT_EQ(count(test_count_of_follows), 3);
    EXPECT_EQ(count(test_count_of_requests), 2);
    EXPECT_EQ(count(test_count_of_severed), 3 * known);
    EXPECT_THAT(w.read([](db::Read& db) { return db.all(test_miscounted); }), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/endorsements").ids(), ElementsAre(near));
    EXPECT_THAT(alice.get("/api/v1/lists/" + group + "/accounts").ids(), ElementsAre(near));
    const auto lost = [&](const Person& who) {
        auto told = who.get(notices, {{"types[]", "severed_relationships"}});
        return told["0.event.following_count"] + " " + told["0.event.followers_count"];
    };
    EXPECT_EQ(lost(alice), "130 130");
    EXPECT_EQ(lost(bob), "130 0");
    EXPECT_THAT(carol.get(notices, {{"types[]", "severed_relationships"}}).ids(), IsEmpty());
}

// Another process may have ended some of what a chunk was found with.
TEST_P(ServerLists, count_what_ended_meanwhile_once) {
    auto fay = remote::somebody(w, "fay", "a.example"), gus = remote::somebody(w, "gus", "a.example");
    for (auto them : {fay, gus}) remote::follows(w, alice, them), follows_back(them, bob);
    const moderation::ListBatchId batch{1};
    std::vector<relationships::ListTie> ties;
    w.write([&](db::Write& db) {
        accounts::limit_accounts(db, {fay, gus}, {.suspended = true});
        relationships::note_list_servers(db, batch, {"a.example"});
        for (auto id : relationships::people_tied_to(db, batch, {fay, gus}))
            relationships::note_list_person(db, batch, id);
        for (const auto& person : relationships::people_of_list(db, batch, {}, 10))
            for (auto kind : {relationships::TieKind::following, relationships::TieKind::followers})
                for (const auto& tie : relationships::ties_of_person(db, batch, person, kind, 0, 10))
                    ties.push_back(tie);
    });
    ASSERT_THAT(ties, SizeIs(4));
    relationships::put_in_order(ties);
    const auto end = [&](std::span<const relationships::ListTie> some) {
        relationships::FollowsEnded out;
        w.write([&](db::Write& db) {
            relationships::TiesEnded ended;
            relationships::sever(db, batch, some, ended);
            out = relationships::conclude(db, "Theirs", ended);
        });
        return std::pair(out.following, out.followers);
    };
    EXPECT_EQ(end(std::span(ties).first(1)), std::pair(std::int64_t{1}, std::int64_t{0}));
    EXPECT_EQ(end(ties), std::pair(std::int64_t{1}, std::int64_t{2}));
    const auto before = w.dump();
    EXPECT_EQ(end(ties), std::pair(std::int64_t{0}, std::int64_t{0}));
    EXPECT_EQ(w.dump(), before);
    EXPECT_EQ(count(test_count_of_follows), 0);
    EXPECT_EQ(count(test_count_of_severed), 4);
    EXPECT_THAT(w.read([](db::Read& db) { return db.all(test_miscounted); }), IsEmpty());
}

TEST_P(ServerLists, say_of_many_domains_what_they_say_of_each) {
    owner.post(blocks, {{"domain", "deep.a.example"}, {"severity", "noop"}});
    owner.post(exceptions, {{"domain", "friends.b.example"}});
    applied(
        "#domain,#severity,#reject_media\na.example,suspend,\nb.example,silence,true\nc.example,suspend,\n"
    );
    const std::vector<std::string> domains{
        "a.example",
        "a.example:3000",
        "x.deep.a.example",
        "sub.b.example",
        "friends.b.example",
        "b.example",
        "elsewhere.example"
    };
    for (bool limited : {false, true}) {
        w.read([&](db::Read& db) {
            const auto all = instance::limits_on(db, domains);
            ASSERT_THAT(all, SizeIs(domains.size()));
            for (std::size_t i = 0; i < domains.size(); ++i) {
                const auto one = instance::limit_on(db, domains[i]);
                EXPECT_EQ(all[i].suspended, one.suspended) << domains[i];
                EXPECT_EQ(all[i].silenced, one.silenced) << domains[i];
                EXPECT_EQ(all[i].reject_media, one.reject_media) << domains[i];
                EXPECT_EQ(all[i].reject_reports, one.reject_reports) << domains[i];
            }
            EXPECT_TRUE(all[0].suspended);
            EXPECT_EQ(all[2].suspended, limited);
            EXPECT_EQ(all[5].silenced, !limited);
            EXPECT_EQ(all[6].suspended, limited);
        });
        w.write([](db::Write& db) { instance::set_federation_mode(db, {.limited_federation = true}); });
    }
}

TEST_P(ServerLists, take_what_was_written_there_out_of_homes) {
    auto fay = remote::somebody(w, "fay", "a.example"), gus = remote::somebody(w, "gus", "b.example"),
         hal = remote::somebody(w, "hal", "c.example");
    for (auto them : {fay, gus, hal}) remote::follows(w, alice, them);
    remote::stored(w, remote::note(w, fay, "1")), remote::stored(w, remote::note(w, gus, "2"));
    w.run_jobs();
    auto home = [&] {
        return w.read([&](db::Read& db) { return db.all(test_home_entries, remote::number(alice)); });
    };
    ASSERT_THAT(home(), ElementsAre(fay.value, gus.value));
    applied("a.example\nc.example\n");
    EXPECT_THAT(home(), ElementsAre(gus.value));
}

TEST_P(ServerLists, that_are_undone_leave_what_was_before) {
    owner.post(blocks, {{"domain", "hand.example"}, {"severity", "silence"}});
    auto fay = remote::somebody(w, "fay", "a.example"), gus = remote::somebody(w, "gus", "hand.example"),
         hal = remote::somebody(w, "hal", "b.example");
    w.run_jobs();
    auto quiet = limits();
    remote::follows(w, alice, fay), remote::follows(w, alice, gus);
    follows_back(hal, alice);
    auto post = remote::stored(w, remote::note(w, fay, "1"));
    auto before = rules();
    auto follows = limits();
    auto id = applied("a.example\nb.example\nhand.example\n");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post).status, 404);
    EXPECT_THAT(rules(), SizeIs(3));
    auto tried = owner.post(lists + "/" + id + "/undo", {{"dry_run", "true"}});
    EXPECT_EQ(tried["removed"], "2");
    EXPECT_EQ(tried["following"], "1");
    EXPECT_EQ(tried["followers"], "1");
    EXPECT_THAT(rules(), SizeIs(3));
    undone(id);
    EXPECT_EQ(rules(), before);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["content"], "<p>hello</p>");
    EXPECT_EQ(count(test_count_of_requests), 1);
    EXPECT_EQ(owner.get(lists + "/" + id)["restored"], "1");
    // As before but for the follower, who cannot be forced back, and for who has not accepted again yet.
    w.write([&](db::Write& db) { relationships::authorize_request(db, fay, remote::number(alice)); });
    w.write([&](db::Write& db) { accounts::count_follow(db, hal, remote::number(alice), 1); });
    EXPECT_EQ(limits(), follows);
    EXPECT_EQ(undo(id).error(), "The list is undone already");
    EXPECT_EQ(count(test_count_of_audit), 2);
}

TEST_P(ServerLists, drop_what_waits_for_servers_that_they_suspend) {
    w.write([](db::Write& db) {
        federation::OutgoingActivity out{{1}, "hello", "somebody"};
        federation::send(db, out, {"https://quiet.example/inbox", "https://z.example/inbox"});
    });
    ASSERT_EQ(count(test_count_of_waiting_deliveries), 2);
    applied("#domain,#severity\nquiet.example,silence\nz.example,suspend\n");
    EXPECT_EQ(count(test_count_of_waiting_deliveries), 1);
}

TEST_P(ServerLists, can_be_undone_while_they_are_still_at_work) {
    std::string list;
    for (int i = 0; i < 30; ++i) {
        remote::follows(
            w, alice, remote::somebody(w, "p" + std::to_string(i), "s" + std::to_string(i) + ".example")
        );
        list += "s" + std::to_string(i) + ".example\n";
    }
    auto id = apply(list);
    EXPECT_EQ(undo(id).status, 200);
    for (int second = 0; second < 5; ++second) w.run_jobs(), w.advance(1);
    EXPECT_EQ(owner.get(lists + "/" + id)["step"], "undone");
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_EQ(count(test_count_of_follows), 30);
    EXPECT_THAT(alice.get(notices).ids(), IsEmpty());
    EXPECT_THAT(limits(), Not(HasSubstr("\"suspended\":true")));
}

TEST_P(ServerLists, share_rules_which_go_with_the_last_of_them) {
    auto mild = applied("#domain,#severity\na.example,silence\n"), strict = applied("a.example\n");
    EXPECT_THAT(rules(), ElementsAre("a.example suspend list"));
    EXPECT_EQ(undo(strict)["kept"], "1");
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("a.example silence list"));
    EXPECT_EQ(undo(mild)["removed"], "1");
    w.run_jobs();
    EXPECT_THAT(rules(), IsEmpty());
}

// A chunk that a reader finds has 1000 lines, and the writer takes 50 at once.
TEST_P(ServerLists, longer_than_a_chunk_come_into_force_and_go_whole) {
    std::string all, mild = "#domain,#severity\n";
    for (int i = 0; i < 2001; ++i) {
        const auto domain = "s" + std::to_string(i) + ".example";
        all += domain + "\n";
        if (i % 10 == 0) mild += domain + ",silence\n";
    }
    const auto first = applied(mild);
    owner.post(blocks, {{"domain", "s1999.example"}, {"severity", "silence"}});
    owner.post(exceptions, {{"domain", "friends.s1000.example"}});
    owner.post(exceptions, {{"domain", "s1001.example"}});
    w.run_jobs();
    const auto before = rules();
    ASSERT_THAT(before, SizeIs(201 + 1 + 1));
    const auto shown = preview(all);
    EXPECT_EQ(shown["added"], "1798");
    EXPECT_EQ(shown["joined"], "201");
    const auto id = applied(all);
    const auto after = rules();
    EXPECT_THAT(after, SizeIs(2001 - 1 + 1));
    EXPECT_THAT(after, testing::Contains("friends.s1000.example noop exception"));
    EXPECT_THAT(after, testing::Contains("s1999.example silence hand"));
    EXPECT_EQ(std::ranges::count_if(after, [](auto& one) { return one.ends_with("suspend list"); }), 1999);
    EXPECT_EQ(count(test_count_of_list_lines), 0);
    const auto tried = owner.post(lists + "/" + id + "/undo", {{"dry_run", "true"}});
    EXPECT_EQ(tried["removed"], "1798");
    EXPECT_EQ(tried["kept"], "201");
    EXPECT_EQ(undo(id)["removed"], "1798");
    w.run_jobs();
    EXPECT_EQ(rules(), before);
    undo(first);
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("s1999.example silence hand"));
}

TEST_P(ServerLists, wait_until_the_one_before_is_in_force) {
    auto id = apply("big.example\n");
    auto second = owner.post(lists, {{"name", "x"}, {"data", "sub.big.example,silence\n"}});
    EXPECT_EQ(second.error(), "Another list comes into force just now");
    // What was decided meanwhile is heeded.
    owner.post(blocks, {{"domain", "big.example"}, {"severity", "noop"}});
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("big.example noop hand"));
    EXPECT_EQ(undo(id)["kept"], "1");
    id = apply("other.example\nmore.example\n");
    owner.post(exceptions, {{"domain", "other.example"}});
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("big.example noop hand", "more.example suspend list"));
}

TEST_P(ServerLists, leave_alone_what_staff_decided_since) {
    auto id = applied("a.example\nb.example\nc.example\n");
    auto all = owner.get(blocks);
    std::string a, b;
    for (std::size_t i = 0; i < all.ids().size(); ++i) {
        if (all.all("domain")[i] == "a.example") a = all.ids()[i];
        if (all.all("domain")[i] == "b.example") b = all.ids()[i];
    }
    owner.put(blocks + "/" + a, {{"public_comment", "ours now"}});
    owner.del(blocks + "/" + b);
    EXPECT_EQ(undo(id)["removed"], "1");
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("a.example suspend hand"));
}

TEST_P(ServerLists, never_decide_about_exceptions) {
    auto fay = remote::somebody(w, "fay", "friends.big.example"),
         gus = remote::somebody(w, "gus", "big.example");
    remote::follows(w, alice, fay), remote::follows(w, alice, gus);
    EXPECT_EQ(owner.post(exceptions, {{"domain", "Friends.big.example"}})["domain"], "friends.big.example");
    auto shown = preview("big.example\nx.friends.big.example\n");
    EXPECT_EQ(shown["excepted"], "1");
    EXPECT_EQ(shown["following"], "1");
    auto id = applied("big.example\nx.friends.big.example\n");
    EXPECT_THAT(rules(), ElementsAre("big.example suspend list", "friends.big.example noop exception"));
    EXPECT_EQ(count(test_count_of_follows), 1);
    undone(id);
    EXPECT_THAT(rules(), IsEmpty());
    id = applied("big.example\nother.example\n");
    EXPECT_EQ(
        owner.post(exceptions, {{"domain", "other.example"}, {"dry_run", "1"}})["ended.0"], "other.example"
    );
    owner.post(exceptions, {{"domain", "other.example"}});
    EXPECT_THAT(rules(), ElementsAre("big.example suspend list", "friends.big.example noop exception"));
    EXPECT_EQ(owner.del(exceptions + "/friends.big.example").body, "{}");
    EXPECT_EQ(owner.del(exceptions + "/friends.big.example").status, 404);
    EXPECT_THAT(rules(), ElementsAre("big.example suspend list"));
    EXPECT_THAT(owner.get(exceptions).all("domain"), ElementsAre("other.example"));
    // The rule of an exception goes with that of the list, also when it is staff that removes it.
    owner.post(exceptions, {{"domain", "friends.big.example"}});
    EXPECT_THAT(rules(), SizeIs(2));
    auto all = owner.get(blocks);
    for (std::size_t i = 0; i < all.ids().size(); ++i)
        if (all.all("domain")[i] == "big.example") owner.del(blocks + "/" + all.ids()[i]);
    EXPECT_THAT(rules(), IsEmpty());
}

TEST_P(ServerLists, are_refused_with_a_reason) {
    EXPECT_EQ(preview("").error(), "There is nothing new in the list");
    EXPECT_EQ(preview("[{").error(), "The list cannot be read");
    EXPECT_EQ(preview("{}").error(), "The list cannot be read");
    EXPECT_EQ(preview("#domain,#severity\n\"never").error(), "The list cannot be read");
    EXPECT_EQ(owner.post(lists, {{"data", "a.example"}}).error(), "Validation failed: Name can't be blank");
    applied("a.example\n");
    EXPECT_EQ(owner.post(lists, {{"name", "x"}, {"data", w.site().domain}}).status, 422);
    EXPECT_EQ(owner.post(exceptions, {{"domain", "no domain"}}).status, 422);
    auto old = owner.get(lists).ids()[0];
    w.advance(31 * 86'400);
    EXPECT_EQ(undo(old).error(), "A list can be undone for 30 days");
}

TEST_P(ServerLists, forget_what_they_severed_after_a_month) {
    remote::follows(w, alice, remote::somebody(w, "fay", "a.example"));
    auto id = applied("a.example\n");
    auto event = alice.get("/api/dunlin/v1/severed").ids()[0];
    EXPECT_THAT(
        alice.get("/api/dunlin/v1/severed/" + event + "/following.csv").body, HasSubstr("fay@a.example")
    );
    w.write(moderation::forget_lists);
    w.run_jobs();
    EXPECT_EQ(count(test_count_of_list_people), 1);
    w.advance(31 * 86'400);
    w.write(moderation::forget_lists);
    w.run_jobs();
    EXPECT_EQ(owner.get(lists + "/" + id)["forgotten"], "true");
    EXPECT_EQ(alice.get("/api/dunlin/v1/severed")["0.purged"], "true");
    EXPECT_EQ(count(test_count_of_list_people), 0);
}

TEST_P(ServerLists, come_out_as_they_went_in) {
    const std::string csv =
        "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n"
        "a.example,suspend,true,false,\"spam, lies\",true\nb.example,silence,false,true,,false\n";
    auto id = applied(csv);
    auto file = owner.get(lists + "/" + id + "/domains.csv");
    EXPECT_EQ(file.body, csv);
    EXPECT_EQ(file.header("Content-Type"), "text/csv; charset=utf-8");
    EXPECT_EQ(owner.get("/api/dunlin/v1/moderation/domain_blocks.csv").body, csv);
    EXPECT_THAT(
        owner.get(lists + "/" + id + "/domains", {{"after", "a.example"}}).all("domain"),
        ElementsAre("b.example")
    );
    EXPECT_THAT(owner.get(lists).all("name"), ElementsAre("Theirs"));
}

}  // namespace
