// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows that ended together: what is kept of them, and how they come back.
#include "social/accounts/remote/server_purge.hpp"
#include "social/federation/remote.hpp"
#include "social/instance/domain_block.hpp"
#include "social/moderation/staff.hpp"
#include "social/oauth/session.hpp"

#include <gmock/gmock.h>

const db::Query<std::int64_t> test_requests{
    "test_requests", "SELECT count(*) FROM follow_requests WHERE account_id = $1"
};
const db::Query<std::int64_t> test_kept_follows{
    "test_kept_follows", "SELECT count(*) FROM severed_follows WHERE account_id = $1"
};
const db::Command test_their_follow{
    "test_their_follow", "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};
const db::Command test_follow_options{
    "test_follow_options",
    R"(UPDATE follows SET show_reblogs = FALSE, notify = TRUE, languages = '["de","en"]' WHERE account_id = $1)"
};

namespace {

using instance::Severity;
using testing::ElementsAre, testing::HasSubstr, testing::SizeIs;

const std::string severed = "/api/dunlin/v1/severed", restore = "/api/dunlin/v1/moderation/severed/restore";

struct SeveredFollows : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    void rule(Severity severity, const std::string& domain = "far.example") {
        w.write([&](db::Write& db) { instance::put_domain_block(db, {domain, severity}); });
        w.run_jobs();
    }
    void follows_back(base::AccountId them, const Person& who) {
        w.write([&](db::Write& db) {
            db.run(test_their_follow, db.new_id<base::FollowId>(), them, remote::number(who), db.now());
        });
        w.changed();
    }
    std::int64_t count(const db::Query<std::int64_t>& sql, const Person& who) {
        return w.read([&](db::Read& db) { return db.one(sql, remote::number(who)); });
    }
};
ON_EACH_DATABASE(SeveredFollows);

TEST_P(SeveredFollows, are_kept_as_they_were_and_can_be_taken_along) {
    auto fay = remote::somebody(w, "fay"), gus = remote::somebody(w, "gus");
    remote::follows(w, alice, fay);
    w.write([&](db::Write& db) { db.run(test_follow_options, remote::number(alice)); });
    remote::follows(w, alice, gus);
    follows_back(gus, alice);
    rule(Severity::suspend);
    auto events = alice.get(severed);
    ASSERT_THAT(events.ids(), SizeIs(1));
    EXPECT_EQ(events["0.following_count"], "2");
    EXPECT_EQ(events["0.followers_count"], "1");
    EXPECT_EQ(events["0.purged"], "false");
    auto path = severed + "/" + events.ids()[0];
    auto following = alice.get(path + "/following.csv");
    EXPECT_EQ(following.header("Content-Type"), "text/csv; charset=utf-8");
    EXPECT_EQ(
        following.body,
        "Account address,Show boosts,Notify on new posts,Languages\n"
        "fay@far.example,false,true,\"de, en\"\ngus@far.example,true,false,\n"
    );
    EXPECT_EQ(alice.get(path + "/followers.csv").body, "Account address\ngus@far.example\n");
    for (auto what : {"", "/following.csv", "/followers.csv"})
        EXPECT_EQ(bob.get(path + what).status, 404) << what;  // attack 45
    EXPECT_EQ(bob.post(path + "/restore").status, 404);
}

TEST_P(SeveredFollows, are_a_page_without_javascript) {
    auto fay = remote::somebody(w, "fay");
    remote::follows(w, alice, fay);
    auto browser = [&](const Person& who) {
        auto cookie = w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, remote::number(who))->id;
            return oauth::begin_session(db, user, "192.0.2.1", "Browser");
        });
        return w.anonymous().with("Cookie", "dunlin_session=" + cookie);
    };
    const std::string pages = "/settings/account/severed";
    auto in_browser = browser(alice);
    EXPECT_THAT(in_browser.get("/settings/account").body, testing::Not(HasSubstr(pages)));
    rule(Severity::suspend);
    EXPECT_THAT(in_browser.get("/settings/account").body, HasSubstr(pages));
    auto page = in_browser.get(pages);
    EXPECT_THAT(page.body, HasSubstr("This server blocked far.example"));
    auto event = pages + "/" + alice.get(severed).ids()[0];
    EXPECT_THAT(page.body, HasSubstr(event + "/restore"));
    EXPECT_THAT(page.body, testing::Not(HasSubstr("followers.csv"))) << "nobody there followed her";
    EXPECT_THAT(in_browser.get(event + "/following.csv").body, HasSubstr("fay@far.example"));
    for (auto what : {"/following.csv", "/followers.csv"}) {
        EXPECT_EQ(browser(bob).get(event + what).status, 404) << what;
        EXPECT_EQ(w.anonymous().get(event + what).status, 302) << what;
    }
    constexpr std::string_view before = "name=\"authenticity_token\" value=\"";
    auto proof = page.body.substr(page.body.find(before) + before.size());
    proof = proof.substr(0, proof.find('"'));
    EXPECT_EQ(in_browser.post(event + "/restore", {{"authenticity_token", "no"}}).status, 422);
    w.changed();
    auto refused = in_browser.post(event + "/restore", {{"authenticity_token", proof}});
    EXPECT_EQ(refused.status, 302) << refused.body;
    EXPECT_EQ(refused.header("Location"), pages + "?done=asked_again");
    EXPECT_EQ(w.changed(), "jobs +1");
}

TEST_P(SeveredFollows, go_with_whose_they_were) {
    const auto fay = remote::somebody(w, "fay"), ida = remote::somebody(w, "ida", "other.example");
    for (const auto& who : {alice, bob}) {
        remote::follows(w, who, fay);
        remote::follows(w, who, ida);
    }
    rule(Severity::suspend);
    rule(Severity::suspend, "other.example");
    ASSERT_EQ(count(test_kept_follows, alice), 2);
    w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(alice)); });
    w.run_jobs();
    EXPECT_EQ(count(test_kept_follows, alice), 0);
    EXPECT_EQ(count(test_kept_follows, bob), 2);
    EXPECT_THAT(bob.get(severed).ids(), SizeIs(2));
}

TEST_P(SeveredFollows, by_a_suspension_or_a_block_of_ones_own_are_kept_too) {
    auto fay = remote::somebody(w, "fay"), ida = remote::somebody(w, "ida", "other.example");
    remote::follows(w, alice, fay), remote::follows(w, alice, ida);
    owner.post("/api/v1/admin/accounts/" + remote::text(fay) + "/action", {{"type", "suspend"}});
    w.run_jobs();
    alice.post("/api/v1/domain_blocks", {{"domain", "other.example"}});
    w.run_jobs();
    auto events = alice.get(severed);
    EXPECT_THAT(events.all("type"), ElementsAre("user_domain_block", "account_suspension"));
    EXPECT_THAT(
        alice.get(severed + "/" + events.ids()[0] + "/following.csv").body, HasSubstr("ida@other.example")
    );
    EXPECT_THAT(
        alice.get(severed + "/" + events.ids()[1] + "/following.csv").body, HasSubstr("fay@far.example")
    );
}

TEST_P(SeveredFollows, are_asked_for_again_once_across_the_edges_of_chunks) {
    constexpr int many = 203;  // more than are severed at a time
    for (int i = 0; i < many; ++i) remote::follows(w, alice, remote::somebody(w, "p" + std::to_string(i)));
    rule(Severity::suspend);
    auto event = alice.get(severed);
    ASSERT_THAT(event.ids(), SizeIs(1));
    EXPECT_EQ(event["0.following_count"], std::to_string(many));
    EXPECT_EQ(count(test_kept_follows, alice), many);
    EXPECT_EQ(owner.post(restore, {{"domain", "far.example"}}).error(), "This server is suspended");
    rule(Severity::noop);
    EXPECT_EQ(alice.post(severed + "/" + event.ids()[0] + "/restore").status, 200);
    w.run_jobs();
    EXPECT_EQ(count(test_requests, alice), many);
    EXPECT_EQ(owner.post(restore, {{"domain", "FAR.example"}}).body, "{}");
    w.run_jobs();
    EXPECT_EQ(count(test_requests, alice), many);  // asked already
    EXPECT_THAT(logged(w, owner), ElementsAre("restore Instance"));
}

TEST_P(SeveredFollows, go_with_the_data_of_the_server_after_a_month) {
    auto fay = remote::somebody(w, "fay");
    remote::follows(w, alice, fay);
    for (int i = 0; i < 25; ++i) remote::somebody(w, "p" + std::to_string(i));
    auto post = remote::stored(w, remote::note(w, fay, "1"));
    auto elsewhere = remote::somebody(w, "ida", "other.example");
    rule(Severity::suspend);
    auto purge = [&] {
        w.write(accounts::purge_suspended_servers);
        return w.run_jobs();
    };
    w.advance(29 * 86'400);
    rule(Severity::suspend);  // changed, but no less suspended
    EXPECT_EQ(purge(), 0);
    w.advance(2 * 86'400);
    EXPECT_GT(purge(), 0);
    auto shown = owner.get("/api/v1/admin/accounts/" + remote::text(fay));
    EXPECT_EQ(shown["username"], "fay");
    EXPECT_EQ(shown["account.display_name"], "");
    EXPECT_EQ(
        owner.get("/api/v1/admin/accounts/" + remote::text(elsewhere))["account.display_name"], "The ida"
    );
    auto events = alice.get(severed);
    EXPECT_EQ(events["0.purged"], "true");
    EXPECT_EQ(count(test_kept_follows, alice), 0);
    EXPECT_EQ(
        alice.post(severed + "/" + events.ids()[0] + "/restore").error(), "Nothing is left of these follows"
    );
    EXPECT_EQ(purge(), 0);
    // The rule ends: the names are free to come back, the words are not there any more.
    w.write([](db::Write& db) { instance::remove_domain_block(db, "far.example"); });
    w.run_jobs();
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + remote::text(fay))["suspended"], "false");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post).status, 404);
}

TEST_P(SeveredFollows, stay_when_the_rule_ends_in_time) {
    auto fay = remote::somebody(w, "fay");
    remote::follows(w, alice, fay);
    auto post = remote::stored(w, remote::note(w, fay, "1"));
    rule(Severity::suspend);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post).status, 404);
    w.advance(20 * 86'400);
    rule(Severity::silence);
    w.advance(20 * 86'400);
    w.write(accounts::purge_suspended_servers);
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["content"], "<p>hello</p>");
    EXPECT_EQ(count(test_kept_follows, alice), 1);
}

}  // namespace
