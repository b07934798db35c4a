// SPDX-License-Identifier: AGPL-3.0-or-later
// Blocks of whole domains: what they hide, whom they part, and how names are spelled.
#include "base/text/host.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_move_away{
    "test_move_away",
    "UPDATE accounts SET domain = $2, url = 'https://far.example/@x', version = version + 1 WHERE id = $1"
};
const db::Command test_move_statuses_away{
    "test_move_statuses_away",
    "UPDATE statuses SET local = FALSE, version = version + 1 WHERE account_id = $1"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct DomainBlocks : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), rita = w.local("rita");

    // From now on somebody of another server.
    void send_away(const Person& who, const std::string& domain = "far.example") {
        w.write([&](db::Write& db) {
            db.run(test_move_away, base::AccountId{std::stoll(who.id)}, domain);
            db.run(test_move_statuses_away, base::AccountId{std::stoll(who.id)});
        });
    }
    Answer block(const std::string& domain) {
        return alice.post("/api/v1/domain_blocks", {{"domain", domain}});
    }
    std::vector<std::string> statuses(const std::string& path) { return alice.get(path).ids(); }
};
ON_EACH_DATABASE(DomainBlocks);

TEST_P(DomainBlocks, are_listed_newest_first_in_one_spelling) {
    for (auto domain : {"one.example", " @TWO.Example. ", "müller.example", "one.example"}) {
        auto answer = block(domain);
        EXPECT_EQ(answer.status, 200) << domain;
        EXPECT_EQ(answer.body, "{}");
    }
    EXPECT_EQ(w.happened(), "DomainBlocked, DomainBlocked, DomainBlocked");
    EXPECT_EQ(w.changed(), "user_domain_blocks +3, jobs +6");
    auto all = alice.get("/api/v1/domain_blocks");
    EXPECT_EQ(all.body, R"(["xn--mller-kva.example","two.example","one.example"])");
    auto first = alice.get("/api/v1/domain_blocks", {{"limit", "1"}});
    EXPECT_EQ(first.body, R"(["xn--mller-kva.example"])");
    EXPECT_EQ(alice.get(first.link("next")).body, R"(["two.example"])");
    EXPECT_NE(first.link("prev").find("since_id="), std::string::npos);
    EXPECT_EQ(bob.get("/api/v1/domain_blocks").body, "[]");
    EXPECT_EQ(alice.del("/api/v1/domain_blocks", {{"domain", "MÜLLER.example"}}).body, "{}");
    EXPECT_EQ(alice.del("/api/v1/domain_blocks", {{"domain", "never.example"}}).body, "{}");
    EXPECT_EQ(alice.get("/api/v1/domain_blocks").body, R"(["two.example","one.example"])");
}

TEST_P(DomainBlocks, refuse_what_is_no_domain) {
    for (auto domain :
         {"", " ", "example", "a b.example", "https://a.example", "a.example:80", "a..example", "-a.example"})
        EXPECT_EQ(block(domain).status, 422) << domain;
    EXPECT_EQ(alice.post("/api/v1/domain_blocks").status, 422);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(DomainBlocks, hide_the_domain_in_timelines_threads_and_boosts) {
    alice.follows(bob);
    auto hers = rita.status("hello #tag");
    auto root = bob.status("what do you think?");
    auto answer = rita.answers(root, "not much");
    auto boost = bob.reblogs(hers);
    send_away(rita);
    EXPECT_THAT(alice.home(), ElementsAre(boost, root));
    EXPECT_EQ(statuses("/api/v1/timelines/tag/tag").size(), 1u);
    block("far.example");
    EXPECT_THAT(alice.home(), ElementsAre(root));
    EXPECT_THAT(statuses("/api/v1/timelines/public"), ElementsAre(root));
    EXPECT_THAT(statuses("/api/v1/timelines/tag/tag"), IsEmpty());
    EXPECT_THAT(statuses("/api/v1/accounts/" + bob.id + "/statuses"), ElementsAre(root));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + root + "/context")["descendants"], "[]");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + hers).status, 200);  // by its id it stays
    EXPECT_THAT(statuses("/api/v1/accounts/" + rita.id + "/statuses"), ElementsAre(answer, hers));
    EXPECT_EQ(bob.get("/api/v1/statuses/" + root + "/context")["descendants.0.id"], answer);
    alice.del("/api/v1/domain_blocks", {{"domain", "far.example"}});
    EXPECT_THAT(alice.home(), ElementsAre(boost, root));
}

TEST_P(DomainBlocks, do_not_reach_subdomains) {
    auto status = rita.status("hello");
    send_away(rita, "sub.far.example");
    block("far.example");
    EXPECT_THAT(statuses("/api/v1/timelines/public"), ElementsAre(status));
}

TEST_P(DomainBlocks, refuse_follows_and_notifications) {
    send_away(rita);
    block("far.example");
    w.run_jobs();
    w.happened(), w.changed();
    auto refused = alice.post("/api/v1/accounts/" + rita.id + "/follow");
    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.error(), "This action is not allowed");
    EXPECT_EQ(w.happened() + w.changed(), "");
    auto pair_state = alice.get("/api/v1/accounts/relationships", {{"id[]", rita.id}, {"id[]", bob.id}});
    EXPECT_THAT(pair_state.all("domain_blocking"), ElementsAre("true", "false"));
    rita.status("hey @alice");
    bob.status("hey @alice");
    EXPECT_THAT(alice.get("/api/v1/notifications").all("account.id"), ElementsAre(bob.id));
}

TEST_P(DomainBlocks, end_follows_and_requests_both_ways_and_say_so_once) {
    auto ruth = w.local("ruth");
    alice.follows(rita);
    rita.follows(alice);
    ruth.follows(alice);
    bob.follows(alice);
    bob.follows(rita);
    alice.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    auto rosa = w.local("rosa");
    rosa.follows(alice);
    for (const auto& who : {rita, ruth, rosa}) send_away(who);
    w.run_jobs();
    auto preview = alice.get("/api/v1/domain_blocks/preview", {{"domain", "Far.Example"}});
    EXPECT_EQ(preview.body, R"({"following_count":1,"followers_count":2})");
    w.happened(), w.changed();
    block("far.example");
    EXPECT_EQ(w.happened(), "DomainBlocked");
    w.run_jobs();
    EXPECT_EQ(w.happened(), "FollowRequestAnswered, Unfollowed, Unfollowed, Unfollowed, Severed");
    EXPECT_THAT(alice.get("/api/v1/accounts/" + alice.id + "/followers").ids(), ElementsAre(bob.id));
    EXPECT_THAT(alice.get("/api/v1/accounts/" + alice.id + "/following").ids(), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/follow_requests").ids(), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/accounts/" + rita.id + "/followers").ids(), ElementsAre(bob.id));
    auto notices = alice.get("/api/v1/notifications");
    EXPECT_THAT(notices.all("type"), ElementsAre("severed_relationships", "follow"));
    EXPECT_THAT(notices.all("account.id"), ElementsAre(alice.id, bob.id));
    EXPECT_EQ(notices["0.event.type"], "user_domain_block");
    EXPECT_EQ(notices["0.event.target_name"], "far.example");
    EXPECT_EQ(notices["0.event.followers_count"], "2");
    EXPECT_EQ(notices["0.event.following_count"], "1");
    preview = alice.get("/api/v1/domain_blocks/preview", {{"domain", "far.example"}});
    EXPECT_EQ(preview.body, R"({"following_count":0,"followers_count":0})");
    EXPECT_EQ(alice.get("/api/v1/domain_blocks/preview", {{"domain", "no domain"}}).status, 200);
}

TEST_P(DomainBlocks, of_domains_without_anybody_sever_nothing) {
    alice.follows(bob);
    w.run_jobs();
    w.happened(), w.changed();
    block("far.example");
    w.run_jobs();
    EXPECT_EQ(w.happened(), "DomainBlocked");
    EXPECT_EQ(w.changed(), "user_domain_blocks +1");
}

TEST(Domains, have_one_spelling) {
    auto of = [](std::string_view text) { return base::text::normalized_domain(text).value_or("none"); };
    EXPECT_EQ(of("Example.ORG"), "example.org");
    EXPECT_EQ(of("@example.org."), "example.org");
    EXPECT_EQ(of("ｅｘａｍｐｌｅ.org"), "example.org");
    EXPECT_EQ(of("例え.テスト"), "xn--r8jz45g.xn--zckzah");
    for (auto text :
         {"", ".", "@", "org", "a b.org", "a@b.org", "a.org/x", "a.org:1", "a%2eorg", "..", "a..org"})
        EXPECT_EQ(of(text), "none") << text;
    EXPECT_EQ(of(std::string(64, 'a') + ".org"), "none");
    EXPECT_EQ(of(std::string_view("a.org\0x", 7)), "none");
    EXPECT_EQ(of(std::string(300, 'a') + ".org"), "none");
}

}  // namespace
