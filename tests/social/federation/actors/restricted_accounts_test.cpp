// SPDX-License-Identifier: AGPL-3.0-or-later
// Decisions of moderators about single accounts: what they end, what they hide, and what comes back.
#include "social/accounts/restricting.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "social/instance/domain_block.hpp"

#include <gmock/gmock.h>

namespace {

using instance::Severity;
using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct RestrictedAccounts : OnEachWorld {
    Person alice = w.local("alice"), carl = w.local("carl");
    Peer bob = Peer(w).known();
    Peer sue = Peer(w, "sue").known();

    void comes(const Peer& from, const std::string& body) {
        ASSERT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    using Decision = void (*)(db::Write&, base::AccountId);
    void decide(Decision decision, base::AccountId about) {
        w.write([&](db::Write& db) { decision(db, about); });
    }
    void rule(Severity severity) {
        w.write([&](db::Write& db) { instance::put_domain_block(db, {"far.example", severity}); });
        w.run_jobs();
    }
    void lift() {
        w.write([&](db::Write& db) { instance::remove_domain_block(db, "far.example"); });
        w.run_jobs();
    }
    std::string acct(const Peer& who) { return "/api/v1/accounts/" + remote::text(who.id); }
    std::string suspended(const Peer& who) { return carl.get(acct(who))["suspended"]; }
    std::string limited(const Peer& who) { return carl.get(acct(who))["limited"]; }
    std::vector<std::string> public_posts() { return carl.get("/api/v1/timelines/public").ids(); }
    Answer severed(Person& who) {
        return who.get("/api/v1/notifications", {{"types[]", "severed_relationships"}});
    }
};
ON_EACH_DATABASE(RestrictedAccounts);

TEST_P(RestrictedAccounts, of_other_servers_lose_all_follows_when_suspended_and_are_told_so) {
    comes(bob, bob.follow(uri_of(w, alice), "1"));
    comes(sue, sue.follow(uri_of(w, alice), "3"));
    comes(bob, bob.follow(uri_of(w, carl), "2"));
    remote::follows(w, alice, bob.id);
    sent(w);
    decide(accounts::suspend, bob.id);
    EXPECT_THAT(
        sent_lines(w),
        UnorderedElementsAre(
            "Reject far.example/users/bob/inbox",
            "Reject far.example/users/bob/inbox",
            "Undo far.example/users/bob/inbox"
        )
    );
    auto hers = "/api/v1/accounts/" + alice.id;
    EXPECT_THAT(carl.get(hers + "/followers").ids(), ElementsAre(remote::text(sue.id)));
    EXPECT_THAT(carl.get(hers + "/following").ids(), IsEmpty());
    auto told = severed(alice);
    ASSERT_EQ(told.ids().size(), 1u);
    EXPECT_EQ(told["0.event.type"], "account_suspension");
    EXPECT_EQ(told["0.event.target_name"], "bob@far.example");
    EXPECT_EQ(told["0.event.followers_count"], "1");
    EXPECT_EQ(told["0.event.following_count"], "1");
    EXPECT_THAT(severed(carl).all("event.followers_count"), ElementsAre("1"));
    // Again, it severs nothing and tells nobody.
    decide(accounts::suspend, bob.id);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(severed(alice).ids().size(), 1u);
}

TEST_P(RestrictedAccounts, of_other_servers_are_neither_shown_nor_heard_while_suspended) {
    remote::follows(w, alice, bob.id);
    remote::follows(w, alice, sue.id);
    comes(bob, bob.create(bob.note("1", "hello"), "1"));
    ASSERT_EQ(alice.home().size(), 1u);
    auto post = alice.home().front();
    decide(accounts::suspend, bob.id);
    w.run_jobs();
    EXPECT_EQ(suspended(bob), "true");
    EXPECT_EQ(suspended(sue), "absent");
    EXPECT_THAT(alice.home(), IsEmpty());
    EXPECT_THAT(public_posts(), IsEmpty());
    comes(sue, sue.create(sue.note("3", "hello from sue"), "3"));
    EXPECT_EQ(alice.home().size(), 1u);
    w.changed();
    comes(bob, bob.follow(uri_of(w, alice), "2"));
    EXPECT_THAT(carl.get("/api/v1/accounts/" + alice.id + "/followers").ids(), IsEmpty());
    decide(accounts::unsuspend, bob.id);
    EXPECT_EQ(suspended(bob), "absent");
    EXPECT_THAT(public_posts(), testing::Contains(post));
    comes(bob, bob.follow(uri_of(w, alice), "4"));
    EXPECT_THAT(
        carl.get("/api/v1/accounts/" + alice.id + "/followers").ids(), ElementsAre(remote::text(bob.id))
    );
}

TEST_P(RestrictedAccounts, that_are_limited_reach_only_who_follows_them) {
    remote::follows(w, alice, bob.id);
    decide(accounts::silence, bob.id);
    comes(bob, bob.create(bob.note("1", "hello"), "1"));
    auto post = alice.home();
    EXPECT_EQ(post.size(), 1u);
    EXPECT_THAT(public_posts(), IsEmpty());
    EXPECT_EQ(limited(bob), "true");
    EXPECT_EQ(limited(sue), "absent");
    comes(bob, bob.follow(uri_of(w, carl)));
    EXPECT_THAT(carl.get("/api/v1/follow_requests").ids(), ElementsAre(remote::text(bob.id)));
    decide(accounts::unsilence, bob.id);
    EXPECT_EQ(limited(bob), "absent");
    EXPECT_THAT(public_posts(), ElementsAre(post.front()));
}

TEST_P(RestrictedAccounts, of_this_site_are_limited_too) {
    decide(accounts::silence, remote::number(alice));
    auto post = alice.status("hello");
    EXPECT_EQ(carl.get("/api/v1/accounts/" + alice.id)["limited"], "true");
    EXPECT_THAT(public_posts(), IsEmpty());
    decide(accounts::unsilence, remote::number(alice));
    EXPECT_EQ(carl.get("/api/v1/accounts/" + alice.id)["limited"], "absent");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("again"))["visibility"], "public");
}

TEST_P(RestrictedAccounts, stay_so_whatever_becomes_of_rules_about_their_server) {
    decide(accounts::suspend, bob.id);
    decide(accounts::silence, bob.id);
    rule(Severity::suspend);
    lift();
    EXPECT_EQ(suspended(bob), "true");
    EXPECT_EQ(suspended(sue), "absent");
    // Nor does its own server decide.
    remote::stored(w, remote::account("bob"));
    EXPECT_EQ(suspended(bob), "true");
    decide(accounts::unsuspend, bob.id);
    EXPECT_EQ(suspended(bob), "absent");
    EXPECT_EQ(limited(bob), "true");
    decide(accounts::unsilence, bob.id);
    EXPECT_EQ(limited(bob), "absent");
}

TEST_P(RestrictedAccounts, that_are_let_go_stay_under_the_rules_about_their_server) {
    rule(Severity::suspend);
    decide(accounts::suspend, bob.id);
    decide(accounts::unsuspend, bob.id);
    EXPECT_EQ(suspended(bob), "true");
    lift();
    EXPECT_EQ(suspended(bob), "absent");
    rule(Severity::silence);
    decide(accounts::silence, bob.id);
    decide(accounts::unsilence, bob.id);
    EXPECT_EQ(limited(bob), "true");
    lift();
    EXPECT_EQ(limited(bob), "absent");
}

}  // namespace
