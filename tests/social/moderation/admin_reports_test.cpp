// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

const db::Command test_some_rule{"test_some_rule", "INSERT INTO rules (id, text) VALUES ($1, 'Be kind')"};
const db::Command test_end_rule{"test_end_rule", "UPDATE rules SET deleted_at = $2 WHERE id = $1"};
const db::Command test_put_in_hands{
    "test_put_in_hands", "UPDATE reports SET assigned_account_id = $2 WHERE id = $1"
};

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

const std::string path = "/api/v1/admin/reports";

struct AdminReports : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), mona = staff(w, "mona", accounts::moderator),
           alice = w.local("alice"), bob = w.local("bob");

    std::string report(const Person& who, const Person& whom, Fields fields = {}) {
        fields.emplace_back("account_id", whom.id);
        auto answer = who.post("/api/v1/reports", fields);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.id();
    }
    Answer change(const std::string& id, const std::string& what) {
        return mona.post(path + "/" + id + "/" + what);
    }
};
ON_EACH_DATABASE(AdminReports);

TEST_P(AdminReports, are_listed_as_they_are_open_or_resolved) {
    auto first = report(alice, bob), second = report(bob, alice), third = report(mona, bob);
    change(second, "resolve");
    EXPECT_THAT(mona.get(path).ids(), ElementsAre(third, first));
    EXPECT_THAT(mona.get(path, {{"resolved", "true"}}).ids(), ElementsAre(second));
    EXPECT_THAT(
        mona.get(path, {{"resolved", "1"}, {"unresolved", "1"}}).ids(), ElementsAre(third, second, first)
    );
    EXPECT_THAT(mona.get(path, {{"account_id", alice.id}}).ids(), ElementsAre(first));
    EXPECT_THAT(mona.get(path, {{"target_account_id", bob.id}}).ids(), ElementsAre(third, first));
    EXPECT_THAT(
        mona.get(path, {{"target_account_id", bob.id}, {"account_id", mona.id}}).ids(), ElementsAre(third)
    );
    auto page = mona.get(path, {{"limit", "1"}});
    EXPECT_THAT(page.ids(), ElementsAre(third));
    EXPECT_THAT(mona.get(page.link("next")).ids(), ElementsAre(first));
}

TEST_P(AdminReports, cost_a_long_page_no_more_than_a_short_one) {
    w.write([](db::Write& db) {
        db.run(test_some_rule, base::RuleId{7});
        db.run(test_some_rule, base::RuleId{8});
    });
    auto one = [&](int n) {
        auto post = bob.post("/api/v1/statuses", {{"status", "bad " + std::to_string(n)}}).id();
        auto id = report(
            alice,
            bob,
            {{"status_ids[]", post}, {"category", "violation"}, {"rule_ids[]", n % 2 == 0 ? "7" : "8"}}
        );
        if (n % 3 == 0) EXPECT_EQ(bob.del("/api/v1/statuses/" + post).status, 200);
        return id;
    };
    for (int n = 0; n < 2; ++n) one(n);
    mona.get(path);
    w.queries();
    mona.get(path);
    auto few = w.queries();
    for (int n = 2; n < 12; ++n) one(n);
    mona.get(path);
    w.queries();
    auto page = mona.get(path);
    EXPECT_EQ(w.queries(), few);
    EXPECT_EQ(page.ids().size(), 12u);
    for (int n = 0; n < 12; ++n) {
        auto at = std::to_string(11 - n);
        EXPECT_THAT(page[at + ".statuses.0.content"], HasSubstr("bad " + std::to_string(n))) << n;
        EXPECT_EQ(page[at + ".rules.0.id"], n % 2 == 0 ? "7" : "8") << n;
    }
}

TEST_P(AdminReports, pass_through_the_hands_of_staff) {
    auto id = report(alice, bob);
    auto mine = change(id, "assign_to_self");
    EXPECT_EQ(mine["assigned_account.id"], mona.id);
    auto resolved = change(id, "resolve");
    EXPECT_EQ(resolved["action_taken"], "true");
    EXPECT_EQ(resolved["action_taken_by_account.id"], mona.id);
    EXPECT_EQ(resolved["assigned_account.id"], mona.id);
    auto reopened = change(id, "reopen");
    EXPECT_EQ(reopened["action_taken_at"], "null");
    EXPECT_EQ(reopened["action_taken_by_account"], "null");
    EXPECT_EQ(change(id, "unassign")["assigned_account"], "null");
    EXPECT_EQ(change("7", "resolve").status, 404);
    EXPECT_THAT(
        logged(w, owner),
        ElementsAre("assigned_to_self Report", "resolve Report", "reopen Report", "unassigned Report")
    );
}

TEST_P(AdminReports, are_put_into_another_category) {
    w.write([](db::Write& db) { db.run(test_some_rule, base::RuleId{7}); });
    auto id = report(alice, bob);
    auto put = [&](const Fields& fields) { return mona.put(path + "/" + id, fields); };
    EXPECT_EQ(put({{"category", "spam"}})["category"], "spam");
    EXPECT_EQ(
        put({{"category", "spam"}, {"rule_ids[]", "7"}}).error(), "Validation failed: Rule ids must be blank"
    );
    auto broken = put({{"category", "violation"}, {"rule_ids[]", "7"}});
    EXPECT_EQ(broken["rules.0.text"], "Be kind");
    EXPECT_EQ(put({{"category", "violation"}, {"rule_ids[]", "8"}}).status, 422);
    EXPECT_EQ(put({{"category", "boring"}}).status, 422);
    w.write([](db::Write& db) { db.run(test_end_rule, base::RuleId{7}, db.now()); });
    EXPECT_EQ(mona.get(path + "/" + id)["rules.0.text"], "Be kind");
    auto left = put({{"category", "spam"}});
    EXPECT_EQ(left.status, 200);
    EXPECT_EQ(left["rules"], "[]");
}

TEST_P(AdminReports, show_private_and_deleted_posts) {
    auto open = bob.status("open words"),
         secret = bob.status("@alice secret words", {{"visibility", "direct"}}),
         gone = bob.status("gone words");
    bob.del("/api/v1/statuses/" + gone);
    auto id = report(alice, bob, {{"status_ids[]", open}, {"status_ids[]", secret}, {"status_ids[]", gone}});
    auto answer = mona.get(path + "/" + id);
    EXPECT_THAT(answer["statuses"], HasSubstr("open words"));
    EXPECT_THAT(answer["statuses"], HasSubstr("secret words"));
    EXPECT_THAT(answer["statuses"], HasSubstr("gone words"));
    EXPECT_EQ(answer["statuses.0.id"], gone);
}

TEST_P(AdminReports, attack_62_show_what_went_with_its_author) {
    auto rude = bob.status("rude words");
    auto id = report(alice, bob, {{"status_ids[]", rude}});
    auto account = "/api/v1/admin/accounts/" + bob.id;
    w.write([&](db::Write& db) { accounts::delete_local(db, {std::stoll(bob.id)}); });
    w.run_jobs();
    auto answer = mona.get(path + "/" + id);
    EXPECT_EQ(answer["statuses.0.content"], "<p>rude words</p>");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + rude).status, 404);
    EXPECT_EQ(owner.del(account).status, 403);
}

TEST_P(AdminReports, on_an_account_end_with_what_is_done_about_it) {
    auto status = bob.status("rude");
    auto first = report(alice, bob, {{"status_ids[]", status}}), second = report(mona, bob);
    auto act = [&](const Person& who, Fields fields) {
        return who.post("/api/v1/admin/accounts/" + bob.id + "/action", fields);
    };
    EXPECT_EQ(act(mona, {{"type", "none"}, {"report_id", first}}).status, 200);
    EXPECT_THAT(mona.get(path).ids(), ElementsAre(second));
    auto strike = bob.get("/api/dunlin/v1/strikes");
    EXPECT_EQ(strike["0.status_ids"], "[\"" + status + "\"]");
    auto other = report(bob, alice);
    EXPECT_EQ(
        act(mona, {{"type", "none"}, {"report_id", other}}).error(),
        "Validation failed: Report is not about this account"
    );
    auto users_alone = staff(w, "uma", role_with(w, accounts::permission::manage_users));
    EXPECT_EQ(act(users_alone, {{"type", "silence"}}).status, 403);
    EXPECT_EQ(mona.get("/api/v1/admin/accounts/" + bob.id)["silenced"], "false");
    EXPECT_EQ(w.changed(), "");
    auto third = report(mona, bob);
    EXPECT_EQ(act(mona, {{"type", "silence"}}).status, 200);
    EXPECT_THAT(mona.get(path, {{"target_account_id", bob.id}}).ids(), IsEmpty());
    EXPECT_EQ(mona.get(path + "/" + third)["action_taken_by_account.id"], mona.id);
    EXPECT_EQ(bob.get("/api/dunlin/v1/strikes").ids().size(), 2u);
}

TEST_P(AdminReports, are_not_judged_by_who_is_in_them) {
    auto max = staff(w, "max", accounts::moderator);
    auto post = bob.status("rude");
    auto mine = report(mona, bob, {{"status_ids[]", post}}), about_me = report(alice, mona);
    report(alice, bob);
    w.run_jobs();
    w.happened(), w.changed();
    for (auto what : {"resolve", "reopen", "assign_to_self", "unassign"})
        EXPECT_EQ(change(about_me, what).status, 403) << what;
    EXPECT_EQ(mona.put(path + "/" + about_me, {{"category", "spam"}}).status, 403);
    EXPECT_EQ(
        mona.post("/api/dunlin/v1/moderation/reports/" + mine + "/posts", {{"type", "delete_statuses"}})
            .status,
        403
    );
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(mona.get(path + "/" + about_me)["action_taken"], "false");
    EXPECT_EQ(max.post(path + "/" + about_me + "/resolve")["action_taken"], "true");
    // Apps for the reference let who reported go on with it.
    EXPECT_EQ(change(mine, "assign_to_self")["assigned_account.id"], mona.id);
    EXPECT_EQ(mona.put(path + "/" + mine, {{"category", "spam"}})["category"], "spam");
    EXPECT_EQ(change(mine, "resolve")["action_taken"], "true");
    EXPECT_EQ(change(mine, "reopen")["action_taken"], "false");
    const auto action = "/api/v1/admin/accounts/" + bob.id + "/action";
    EXPECT_EQ(mona.post(action, {{"type", "none"}, {"report_id", mine}}).status, 200);
    EXPECT_EQ(mona.get(path + "/" + mine)["action_taken"], "true");
}

TEST_P(AdminReports, are_let_go_of_by_who_has_them) {
    auto id = report(mona, bob);
    w.write([&](db::Write& db) {
        db.run(test_put_in_hands, moderation::ReportId{std::stoll(id)}, base::AccountId{std::stoll(mona.id)});
    });
    EXPECT_EQ(change(id, "unassign")["assigned_account"], "null");
}

}  // namespace
