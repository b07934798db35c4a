// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules of moderators about whole servers: what they end, what they hide, and what comes back.
#include "social/accounts/remote/server_limits.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "social/instance/domain_block.hpp"

#include <gmock/gmock.h>

namespace {

using instance::Severity;
using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct LimitedServers : OnEachWorld {
    Person alice = w.local("alice"), carl = w.local("carl");
    Peer bob = Peer(w).known();
    Peer sue = Peer(w, "sue", "sub.far.example").known();
    Peer eve = Peer(w, "eve", "other.example").known();

    void comes(const Peer& from, const std::string& body) {
        ASSERT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    void rule(const instance::ServerRule& rule) {
        w.write([&](db::Write& db) { instance::put_domain_block(db, rule); });
    }
    bool lift(const std::string& domain) {
        bool removed = w.write([&](db::Write& db) { return instance::remove_domain_block(db, domain); });
        w.run_jobs();
        return removed;
    }
    std::string acct(const Peer& who) { return "/api/v1/accounts/" + std::to_string(who.id.value); }
    // All three follow alice, and she follows bob; nothing of that is left to be told.
    void befriend() {
        for (const auto* who : {&bob, &sue, &eve}) comes(*who, who->follow(uri_of(w, alice)));
        remote::follows(w, alice, bob.id);
        sent(w);
        w.happened();
    }
    std::string said_by(const Peer& who, const std::string& number) {
        comes(who, who.create(who.note(number, "hello from " + who.name), number));
        auto found = alice.home();
        return found.empty() ? "" : found.front();
    }
};
ON_EACH_DATABASE(LimitedServers);

TEST_P(LimitedServers, that_are_suspended_lose_all_follows_are_told_so_and_hear_nothing_more) {
    befriend();
    alice.status("on its way");
    w.run_jobs();
    rule({" FAR.example.", Severity::suspend});
    EXPECT_THAT(
        sent_lines(w),
        UnorderedElementsAre(
            "Create other.example/users/eve/inbox",
            "Reject far.example/users/bob/inbox",
            "Reject sub.far.example/users/sue/inbox",
            "Undo far.example/users/bob/inbox"
        )
    );
    auto theirs = "/api/v1/accounts/" + alice.id;
    EXPECT_THAT(carl.get(theirs + "/followers").ids(), ElementsAre(std::to_string(eve.id.value)));
    EXPECT_THAT(carl.get(theirs + "/following").ids(), IsEmpty());
    alice.status("for who is left");
    EXPECT_THAT(sent_lines(w), ElementsAre("Create other.example/users/eve/inbox"));
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice), "9")).status, 403);
}

TEST_P(LimitedServers, that_are_suspended_are_named_once_to_who_lost_follows) {
    befriend();
    comes(bob, bob.follow(uri_of(w, carl), "2"));
    w.run_jobs();
    rule({"far.example", Severity::suspend});
    w.run_jobs();
    auto notices = alice.get("/api/v1/notifications", {{"types[]", "severed_relationships"}});
    ASSERT_EQ(notices.ids().size(), 1u);
    EXPECT_EQ(notices["0.event.type"], "domain_block");
    EXPECT_EQ(notices["0.event.target_name"], "far.example");
    EXPECT_EQ(notices["0.event.followers_count"], "2");
    EXPECT_EQ(notices["0.event.following_count"], "1");
    auto his = carl.get("/api/v1/notifications", {{"types[]", "severed_relationships"}});
    EXPECT_THAT(his.all("event.followers_count"), ElementsAre("1"));
    // The same rule again severs nothing and tells nobody.
    rule({"far.example", Severity::suspend, false, "spam"});
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/notifications", {{"types[]", "severed_relationships"}}).ids().size(), 1u);
}

TEST_P(LimitedServers, that_are_suspended_are_hidden_until_the_rule_ends) {
    remote::follows(w, alice, bob.id);
    auto status = said_by(bob, "1");
    ASSERT_NE(status, "");
    rule({"far.example", Severity::suspend});
    w.run_jobs();
    EXPECT_THAT(alice.home(), IsEmpty());
    EXPECT_THAT(carl.get("/api/v1/timelines/public").ids(), IsEmpty());
    EXPECT_THAT(carl.get(acct(bob) + "/statuses").ids(), IsEmpty());
    EXPECT_EQ(carl.get(acct(bob))["suspended"], "true");
    EXPECT_EQ(carl.get(acct(sue))["suspended"], "true");
    EXPECT_EQ(carl.get(acct(eve))["suspended"], "absent");
    EXPECT_THAT(carl.get("/api/v2/search", {{"q", "bob@far.example"}})["accounts"], "[]");
    EXPECT_TRUE(lift("Far.Example"));
    EXPECT_FALSE(lift("far.example"));
    EXPECT_EQ(carl.get(acct(bob))["suspended"], "absent");
    EXPECT_THAT(carl.get("/api/v1/timelines/public").ids(), ElementsAre(status));
    EXPECT_THAT(alice.home(), IsEmpty());  // follows do not come back
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
}

TEST_P(LimitedServers, that_are_silenced_reach_only_who_follows_them) {
    remote::follows(w, alice, bob.id);
    rule({"far.example", Severity::silence});
    w.run_jobs();
    auto status = said_by(bob, "1");
    EXPECT_THAT(alice.home(), ElementsAre(status));
    EXPECT_THAT(carl.get("/api/v1/timelines/public").ids(), IsEmpty());
    EXPECT_EQ(carl.get(acct(bob))["limited"], "true");
    comes(sue, sue.follow(uri_of(w, carl)));
    EXPECT_THAT(carl.get("/api/v1/follow_requests").ids(), ElementsAre(std::to_string(sue.id.value)));
    EXPECT_TRUE(lift("far.example"));
    EXPECT_EQ(carl.get(acct(bob))["limited"], "absent");
    EXPECT_THAT(carl.get("/api/v1/timelines/public").ids(), ElementsAre(status));
}

TEST_P(LimitedServers, are_limited_by_what_is_left_when_one_of_several_rules_ends) {
    rule({"far.example", Severity::suspend});
    rule({"sub.far.example", Severity::silence});
    w.run_jobs();
    EXPECT_TRUE(lift("far.example"));
    EXPECT_EQ(carl.get(acct(bob))["suspended"], "absent");
    EXPECT_EQ(carl.get(acct(bob))["limited"], "absent");
    EXPECT_EQ(carl.get(acct(sue))["suspended"], "absent");
    EXPECT_EQ(carl.get(acct(sue))["limited"], "true");
    rule({"sub.far.example", Severity::noop, false, {}, {}, true, true});
    w.run_jobs();
    EXPECT_EQ(carl.get(acct(sue))["limited"], "absent");
}

TEST_P(LimitedServers, are_found_one_after_the_other_and_no_others) {
    for (auto domain :
         {"far.example:3000",
          "a.far.example",
          "z.sub.far.example",
          "sub.far.example:80",
          "xfar.example",
          "-far.example",
          "far.example.org",
          "example",
          "far.examples",
          "0.example"})
        remote::somebody(w, "x", domain);
    auto within = [&](const std::string& domain) {
        std::vector<std::string> out;
        std::optional<std::string> at = "";
        for (;;) {
            at = w.read([&](db::Read& db) { return accounts::next_domain_within(db, domain, *at); });
            if (!at || out.size() > 20) return out;
            out.push_back(*at);
        }
    };
    EXPECT_THAT(
        within("far.example"),
        UnorderedElementsAre(
            "far.example",
            "far.example:3000",
            "a.far.example",
            "sub.far.example",
            "sub.far.example:80",
            "z.sub.far.example"
        )
    );
    EXPECT_THAT(
        within("sub.far.example"),
        UnorderedElementsAre("sub.far.example", "sub.far.example:80", "z.sub.far.example")
    );
    EXPECT_THAT(within("z.sub.far.example"), ElementsAre("z.sub.far.example"));
    EXPECT_THAT(within("unknown.example"), IsEmpty());
}

TEST_P(LimitedServers, are_not_let_back_when_somebody_else_suspended_them) {
    auto gone = remote::account("gone");
    gone.suspended = true;
    auto id = remote::stored(w, gone);
    rule({"far.example", Severity::suspend});
    w.run_jobs();
    lift("far.example");
    EXPECT_EQ(carl.get("/api/v1/accounts/" + remote::text(id))["suspended"], "true");
}

TEST_P(LimitedServers, are_never_this_one_nor_what_is_no_domain) {
    auto own = w.site().domain.substr(0, w.site().domain.find(':'));
    w.changed();
    for (const auto& domain : {own, std::string("no domain"), std::string("x.example:80"), std::string()})
        EXPECT_THROW(rule({domain, Severity::suspend}), base::Invalid) << domain;
    EXPECT_FALSE(lift("no domain"));
    EXPECT_EQ(w.changed(), "");
}

TEST_P(LimitedServers, send_no_reports_and_show_no_pictures_where_that_is_refused) {
    rule({"far.example", Severity::noop, false, {}, {}, true, true});
    w.run_jobs();
    w.changed();
    comes(bob, bob.activity("Flag", uri_of(w, carl), "5"));
    comes(eve, eve.activity("Flag", uri_of(w, carl), "5"));
    EXPECT_NE(w.changed().find("reports +1"), std::string::npos);
    auto more = R"(,"attachment":{"type":"Image","mediaType":"image/png","url":"https://far.example/p.png"})";
    comes(
        bob,
        bob.create(
            bob.note(
                "7",
                "look @carl",
                more + std::string(R"(,"tag":{"type":"Mention","href":")") + uri_of(w, carl) + "\"}"
            ),
            "7"
        )
    );
    auto shown = carl.get("/api/v1/notifications", {{"types[]", "mention"}});
    EXPECT_EQ(shown["0.status.media_attachments"], "[]");
}

}  // namespace
