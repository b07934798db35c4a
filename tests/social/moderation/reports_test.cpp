// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_make_moderator{
    "test_make_moderator", "UPDATE users SET role_id = 1 WHERE account_id = $1"
};
const db::Command test_insert_rule{"test_insert_rule", "INSERT INTO rules (id, text) VALUES ($1, 'Be kind')"};
const db::Command test_report_target_away{
    "test_report_target_away",
    "UPDATE accounts SET domain = 'far.example', url = 'https://far.example/@x', version = version + 1 WHERE "
    "id = $1"
};

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

struct Reports : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), mona = w.local("mona");

    void SetUp() override {
        w.write([&](db::Write& db) {
            db.run(test_make_moderator, base::AccountId{std::stoll(mona.id)});
            db.run(test_insert_rule, base::RuleId{7});
        });
        w.happened(), w.changed();
    }
    Answer report(Fields fields) {
        fields.emplace_back("account_id", bob.id);
        return alice.post("/api/v1/reports", fields);
    }
};
ON_EACH_DATABASE(Reports);

TEST_P(Reports, keep_what_was_handed_in) {
    auto status = bob.status("rude");
    w.happened(), w.changed();
    auto answer = report({{"status_ids[]", status}, {"comment", "look <here>"}, {"category", "spam"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["category"], "spam");
    EXPECT_EQ(answer["comment"], "look <here>");
    EXPECT_EQ(answer["status_ids"], "[\"" + status + "\"]");
    EXPECT_EQ(answer["rule_ids"], "null");
    EXPECT_EQ(answer["collection_ids"], "[]");
    EXPECT_EQ(answer["forwarded"], "false");
    EXPECT_EQ(answer["action_taken"], "false");
    EXPECT_EQ(answer["action_taken_at"], "null");
    EXPECT_EQ(answer["target_account.id"], bob.id);
    EXPECT_EQ(w.happened(), "Reported, ReportMailWanted");
    EXPECT_EQ(
        w.changed(), "reports +1, report_statuses +1, evidence +1, cases +1, notifications +1, jobs +1"
    );
}

TEST_P(Reports, are_of_the_category_other_unless_they_say_so) {
    EXPECT_EQ(report({})["category"], "other");
    EXPECT_EQ(report({{"category", "legal"}})["category"], "legal");
    auto violation = report({{"category", "spam"}, {"rule_ids[]", "7"}});
    EXPECT_EQ(violation["category"], "violation");
    EXPECT_EQ(violation["rule_ids"], R"(["7"])");
    w.happened(), w.changed();
    EXPECT_EQ(report({{"category", "boring"}}).status, 422);
    EXPECT_EQ(report({{"rule_ids[]", "8"}}).status, 422);
    auto unruly = report({{"category", "violation"}});
    EXPECT_EQ(unruly.status, 422);
    EXPECT_EQ(unruly.error(), "Validation failed: Rule ids does not reference valid rules");
    EXPECT_EQ(report({{"comment", std::string(1001, 'a')}}).status, 422);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Reports, name_only_statuses_that_are_theirs_and_seen) {
    auto direct = bob.status("@mona psst", {{"visibility", "direct"}});
    auto mine = alice.status("mine");
    w.happened(), w.changed();
    for (const auto& id : {direct, mine, std::string("999")})
        EXPECT_EQ(report({{"status_ids[]", id}}).status, 404);
    EXPECT_EQ(report({{"collection_ids[]", "999"}}).status, 404);
    EXPECT_EQ(alice.post("/api/v1/reports", {{"account_id", "999"}}).status, 404);
    EXPECT_EQ(alice.post("/api/v1/reports").status, 404);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Reports, reach_what_was_deleted_first_but_not_what_was_hidden) {
    auto rude = bob.status("rude"), direct = bob.status("@mona psst", {{"visibility", "direct"}});
    bob.del("/api/v1/statuses/" + rude);
    bob.del("/api/v1/statuses/" + direct);
    EXPECT_EQ(report({{"status_ids[]", rude}})["status_ids"], "[\"" + rude + "\"]");
    EXPECT_EQ(report({{"status_ids[]", direct}}).status, 404);
    w.suspend(bob);
    EXPECT_EQ(report({}).status, 404);
}

TEST_P(Reports, tell_moderators_once_until_they_are_resolved) {
    auto first = report({{"comment", "first"}}).id();
    report({{"comment", "second"}});
    auto told = mona.get("/api/v1/notifications");
    EXPECT_THAT(told.all("type"), ElementsAre("admin.report"));
    EXPECT_THAT(told.all("account.id"), ElementsAre(alice.id));
    EXPECT_THAT(told.all("report.id"), ElementsAre(first));
    EXPECT_THAT(bob.get("/api/v1/notifications").ids(), IsEmpty());
    w.run_jobs();
    auto mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "mona@example.com");
    EXPECT_THAT(mails[0].subject, HasSubstr("@bob"));
    EXPECT_THAT(mails[0].text, HasSubstr("first"));
}

TEST_P(Reports, are_told_to_no_moderator_who_is_suspended) {
    w.suspend(mona);
    report({{"comment", "in confidence"}});
    w.run_jobs();
    EXPECT_THAT(w.mails(), IsEmpty());
}

TEST_P(Reports, go_to_the_server_of_the_target_when_asked_to) {
    EXPECT_EQ(report({{"forward", "true"}})["forwarded"], "false");  // bob is from here
    w.write([&](db::Write& db) { db.run(test_report_target_away, base::AccountId{std::stoll(bob.id)}); });
    EXPECT_EQ(report({})["forwarded"], "false");
    EXPECT_EQ(report({{"forward", "true"}})["forwarded"], "true");
    EXPECT_EQ(report({{"forward", "true"}, {"forward_to_domains[]", "FAR.example"}})["forwarded"], "true");
    EXPECT_EQ(report({{"forward", "true"}, {"forward_to_domains[]", "other.example"}})["forwarded"], "false");
}

TEST_P(Reports, name_collections_of_the_reported_account) {
    auto collection = [](const Person& owner) {
        return owner.post(
            "/api/v1/collections", {{"name", "rude people"}, {"sensitive", "false"}, {"discoverable", "true"}}
        )["collection.id"];
    };
    auto theirs = collection(bob), mine = collection(alice);
    EXPECT_EQ(report({{"collection_ids[]", theirs}})["collection_ids"], "[\"" + theirs + "\"]");
    w.happened(), w.changed();
    EXPECT_EQ(report({{"collection_ids[]", mine}}).status, 404);
    EXPECT_EQ(report({{"collection_ids[]", theirs}, {"collection_ids[]", mine}}).status, 404);
    EXPECT_EQ(w.happened() + w.changed(), "");
    bob.blocks(alice);
    EXPECT_EQ(report({{"collection_ids[]", theirs}}).status, 404);
}

TEST_P(Reports, are_limited_to_400_a_day) {
    World limited(GetParam(), {.limits = true});
    auto carol = limited.local("carol"), dora = limited.local("dora");
    auto answer = [&] {
        limited.advance(60);  // so that the general limits stay out of it
        return carol.post("/api/v1/reports", {{"account_id", dora.id}}).status;
    };
    for (int i = 0; i < 400; ++i) ASSERT_EQ(answer(), 200) << i;
    EXPECT_EQ(answer(), 429);
    limited.advance(24 * 3600);
    EXPECT_EQ(answer(), 200);
}

}  // namespace
