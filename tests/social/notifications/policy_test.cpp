// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct NotificationPolicies : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    static std::vector<std::string> types(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/notifications", fields).all("type");
    }
    void sets(const std::string& rule, const std::string& answer) const {
        EXPECT_EQ(alice.patch("/api/v2/notifications/policy", {{rule, answer}})[rule], answer);
    }
    Answer requests(const Fields& fields = {}) const {
        return alice.get("/api/v1/notifications/requests", fields);
    }
    std::string direct(const Person& from, const std::string& text) const {
        return from.status(text, {{"visibility", "direct"}});
    }
};
ON_EACH_DATABASE(NotificationPolicies);

TEST_P(NotificationPolicies, have_defaults_that_reading_does_not_store) {
    w.changed();
    EXPECT_EQ(
        alice.get("/api/v2/notifications/policy").body,
        R"({"for_not_following":"accept","for_not_followers":"accept","for_new_accounts":"accept",)"
        R"("for_private_mentions":"filter","for_limited_accounts":"filter","for_bots":"accept",)"
        R"("summary":{"pending_requests_count":0,"pending_notifications_count":0}})"
    );
    EXPECT_EQ(
        alice.get("/api/v1/notifications/policy").body,
        R"({"filter_not_following":false,"filter_not_followers":false,"filter_new_accounts":false,)"
        R"("filter_private_mentions":true,"filter_bots":false,)"
        R"("summary":{"pending_requests_count":0,"pending_notifications_count":0}})"
    );
    EXPECT_EQ(w.changed(), "");
}

TEST_P(NotificationPolicies, are_changed_rule_by_rule_in_both_shapes) {
    auto path = "/api/v2/notifications/policy";
    EXPECT_EQ(alice.put(path, {{"for_bots", "drop"}})["for_bots"], "drop");
    auto old = alice.patch(
        "/api/v1/notifications/policy", {{"filter_not_following", "1"}, {"filter_private_mentions", "false"}}
    );
    EXPECT_EQ(old["filter_not_following"], "true");
    EXPECT_EQ(old["filter_bots"], "true");
    auto now = alice.get(path);
    EXPECT_EQ(now["for_not_following"], "filter");
    EXPECT_EQ(now["for_private_mentions"], "accept");
    EXPECT_EQ(now["for_limited_accounts"], "filter");
    EXPECT_EQ(now["for_bots"], "drop");
    EXPECT_EQ(alice.patch(path, {{"for_bots", "perhaps"}}).status, 422);
    EXPECT_EQ(bob.get(path)["for_bots"], "accept");
}

struct Rule {
    std::string name;
    std::function<void(World&, const Person& alice, const Person& bob)> before;
    bool applies;
};

TEST_P(NotificationPolicies, apply_each_rule_to_whom_it_means) {
    auto nothing = [](World&, const Person&, const Person&) {};
    auto alice_follows = [](World&, const Person& a, const Person& b) { a.follows(b); };
    auto bob_follows = [](World&, const Person& a, const Person& b) { b.follows(a); };
    auto bob_followed_long_ago = [](World& world, const Person& a, const Person& b) {
        b.follows(a);
        world.advance(3 * 86'400 + 1);
    };
    auto a_month = [](World& world, const Person&, const Person&) { world.advance(30 * 86'400 + 1); };
    auto silenced = [](World& world, const Person&, const Person& b) { world.silence(b); };
    auto silenced_followed = [](World& world, const Person& a, const Person& b) {
        a.follows(b);
        world.silence(b);
    };
    auto bot = [](World&, const Person&, const Person& b) {
        EXPECT_EQ(b.patch("/api/v1/accounts/update_credentials", {{"bot", "true"}}).status, 200);
    };
    const Rule rules[] = {
        {"for_not_following", nothing, true},
        {"for_not_following", alice_follows, false},
        {"for_not_followers", nothing, true},
        {"for_not_followers", bob_follows, true},
        {"for_not_followers", bob_followed_long_ago, false},
        {"for_new_accounts", nothing, true},
        {"for_new_accounts", a_month, false},
        {"for_new_accounts", alice_follows, false},
        {"for_limited_accounts", nothing, false},
        {"for_limited_accounts", silenced, true},
        {"for_limited_accounts", silenced_followed, false},
        {"for_bots", nothing, false},
        {"for_bots", bot, true},
    };
    int number = 0;
    for (const auto& [name, before, applies] : rules)
        for (const std::string answer : {"accept", "filter", "drop"}) {
            auto suffix = std::to_string(number++);
            auto a = w.local("a" + suffix), b = w.local("b" + suffix);
            a.patch("/api/v2/notifications/policy", {{name, answer}});
            before(w, a, b);
            a.post("/api/v1/notifications/clear");
            b.status("@a" + suffix + " hello");
            SCOPED_TRACE(name + " " + answer + " " + suffix);
            bool shown = !applies || answer == "accept", stored = shown || answer == "filter";
            EXPECT_EQ(types(a).size(), shown ? 1u : 0u);
            EXPECT_EQ(types(a, {{"include_filtered", "true"}}).size(), stored ? 1u : 0u);
        }
}

TEST_P(NotificationPolicies, let_the_strictest_rule_win) {
    sets("for_not_following", "filter");
    sets("for_not_followers", "drop");
    bob.status("@alice");
    EXPECT_THAT(types(alice, {{"include_filtered", "true"}}), IsEmpty());
}

TEST_P(NotificationPolicies, hold_back_unasked_direct_messages_but_no_answers) {
    direct(bob, "@alice psst");
    EXPECT_THAT(types(alice), IsEmpty());
    auto mine = direct(alice, "@carol hello");
    carol.answers(mine, "@alice hi", {{"visibility", "direct"}});
    EXPECT_THAT(types(alice), ElementsAre("mention"));
    alice.follows(bob);
    direct(bob, "@alice psst again");
    EXPECT_THAT(types(alice), ElementsAre("mention", "mention"));
}

TEST_P(NotificationPolicies, do_not_touch_what_the_recipient_asked_for) {
    sets("for_not_followers", "drop");
    alice.follows(bob, {{"notify", "true"}});
    bob.status("news");
    w.run_jobs();
    EXPECT_THAT(types(alice), ElementsAre("status"));
}

TEST_P(NotificationPolicies, keep_held_notifications_out_of_lists_counts_and_groups) {
    sets("for_not_following", "filter");
    auto status = alice.status("hello");
    bob.favourites(status);
    carol.favourites(status);
    EXPECT_THAT(types(alice), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count")["count"], "0");
    EXPECT_EQ(alice.get("/api/v2/notifications")["notification_groups"], "[]");
    EXPECT_EQ(alice.get("/api/v2/notifications/unread_count")["count"], "0");
    auto all = alice.get("/api/v1/notifications", {{"include_filtered", "true"}});
    EXPECT_THAT(all.all("filtered"), ElementsAre("true", "true"));
    EXPECT_EQ(all["0.group_key"], "ungrouped-" + all["0.id"]);
    EXPECT_THAT(types(alice, {{"account_id", bob.id}}), ElementsAre("favourite"));
    auto groups = alice.get("/api/v2/notifications", {{"include_filtered", "true"}});
    EXPECT_EQ(groups["notification_groups.1.notifications_count"], "1");
    EXPECT_EQ(requests().body, "[]");  // likes ask for no answer
}

TEST_P(NotificationPolicies, make_one_request_of_a_sender) {
    direct(bob, "@alice one");
    w.advance(5);
    auto last = direct(bob, "@alice two");
    direct(carol, "@alice three");
    auto found = requests();
    EXPECT_THAT(found.all("account.acct"), ElementsAre("carol", "bob"));
    EXPECT_EQ(found["1.notifications_count"], "2");
    EXPECT_EQ(found["1.last_status.id"], last);
    EXPECT_EQ(found["1.created_at"], "2026-01-01T00:00:00.000Z");
    EXPECT_EQ(found["1.updated_at"], "2026-01-01T00:00:05.000Z");
    EXPECT_EQ(alice.get("/api/v1/notifications/requests/" + found.ids()[1])["account.acct"], "bob");
    EXPECT_EQ(bob.get("/api/v1/notifications/requests/" + found.ids()[1]).status, 404);
    EXPECT_EQ(bob.post("/api/v1/notifications/requests/" + found.ids()[1] + "/accept").status, 404);
    EXPECT_EQ(bob.post("/api/v1/notifications/requests/" + found.ids()[1] + "/dismiss").status, 404);
    auto summary = alice.get("/api/v2/notifications/policy");
    EXPECT_EQ(summary["summary.pending_requests_count"], "2");
    EXPECT_EQ(summary["summary.pending_notifications_count"], "3");
    auto first = requests({{"limit", "1"}});
    EXPECT_THAT(first.all("account.acct"), ElementsAre("carol"));
    auto second = alice.get(first.link("next"));
    EXPECT_THAT(second.all("account.acct"), ElementsAre("bob"));
    EXPECT_THAT(alice.get(second.link("prev")).all("account.acct"), ElementsAre("carol"));
    w.suspend(carol);
    EXPECT_THAT(requests().all("account.acct"), ElementsAre("bob"));
}

TEST_P(NotificationPolicies, forget_a_request_with_what_it_was_about) {
    auto one = direct(bob, "@alice one"), two = direct(bob, "@alice two");
    bob.del("/api/v1/statuses/" + two);
    EXPECT_EQ(requests()["0.notifications_count"], "1");
    EXPECT_EQ(requests()["0.last_status.id"], one);
    bob.del("/api/v1/statuses/" + one);
    EXPECT_EQ(requests().body, "[]");
    direct(bob, "@alice three");
    alice.blocks(bob);
    EXPECT_EQ(requests().body, "[]");
}

TEST_P(NotificationPolicies, let_everything_in_once_a_request_is_accepted) {
    sets("for_not_following", "filter");
    auto status = alice.status("hello");
    bob.favourites(status);
    direct(bob, "@alice one");
    direct(carol, "@alice two");
    auto id = requests().ids()[1];
    w.happened(), w.changed();
    EXPECT_EQ(alice.post("/api/v1/notifications/requests/" + id + "/accept").body, "{}");
    EXPECT_EQ(w.happened(), "RequestAccepted");
    EXPECT_EQ(w.changed(), "notification_requests -1, notification_permissions +1, jobs +1");
    EXPECT_EQ(alice.get("/api/v1/notifications/requests/merged")["merged"], "false");
    EXPECT_THAT(types(alice), IsEmpty());
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/notifications/requests/merged")["merged"], "true");
    EXPECT_THAT(types(alice), ElementsAre("mention", "favourite"));
    EXPECT_TRUE(alice.get("/api/v1/notifications")["1.group_key"].starts_with("ungrouped-"));
    direct(bob, "@alice three");
    EXPECT_THAT(types(alice), ElementsAre("mention", "mention", "favourite"));
    EXPECT_EQ(alice.post("/api/v1/notifications/requests/" + id + "/accept").status, 404);
    alice.blocks(bob);
    alice.post("/api/v1/accounts/" + bob.id + "/unblock");
    direct(bob, "@alice four");
    EXPECT_THAT(types(alice), IsEmpty());  // who was blocked asks anew
}

TEST_P(NotificationPolicies, remove_what_is_held_once_a_request_is_dismissed) {
    direct(bob, "@alice one");
    auto id = requests().ids()[0];
    w.changed();
    EXPECT_EQ(alice.post("/api/v1/notifications/requests/" + id + "/dismiss").body, "{}");
    EXPECT_EQ(w.changed(), "notification_requests -1, notifications -1");
    direct(bob, "@alice two");
    EXPECT_EQ(requests()["0.notifications_count"], "1");
    EXPECT_NE(requests().ids()[0], id);
}

TEST_P(NotificationPolicies, take_answers_to_many_requests_at_once) {
    direct(bob, "@alice one");
    direct(carol, "@alice two");
    direct(bob, "@carol three");
    auto carols = carol.get("/api/v1/notifications/requests").ids()[0];
    auto mine = requests().ids();
    EXPECT_EQ(
        alice
            .post(
                "/api/v1/notifications/requests/accept",
                {{"id[]", mine[0]}, {"id[]", carols}, {"id[]", "12345"}, {"id[]", "nonsense"}}
            )
            .body,
        "{}"
    );
    w.run_jobs();
    EXPECT_THAT(types(alice), ElementsAre("mention"));
    EXPECT_EQ(alice.post("/api/v1/notifications/requests/dismiss", {{"id[]", mine[1]}}).body, "{}");
    EXPECT_EQ(requests().body, "[]");
    EXPECT_EQ(carol.get("/api/v1/notifications/requests").ids().size(), 1u);
    EXPECT_EQ(alice.post("/api/v1/notifications/requests/accept").body, "{}");
}

TEST_P(NotificationPolicies, count_held_notifications_up_to_a_hundred) {
    for (int i = 0; i < 103; ++i) {
        direct(bob, "@alice " + std::to_string(i));
        w.advance(1);
    }
    EXPECT_EQ(requests()["0.notifications_count"], "100");
    EXPECT_EQ(alice.get("/api/v2/notifications/policy")["summary.pending_notifications_count"], "100");
    alice.post("/api/v1/notifications/clear");
    EXPECT_EQ(requests().body, "[]");
}

TEST_P(NotificationPolicies, cost_the_same_queries_for_one_request_and_for_forty) {
    direct(bob, "@alice hello");
    requests();
    w.queries();
    requests();
    auto few = w.queries();
    for (int i = 0; i < 40; ++i) direct(w.local("p" + std::to_string(i)), "@alice hello");
    requests();
    w.queries();
    EXPECT_EQ(requests().ids().size(), 40u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace
