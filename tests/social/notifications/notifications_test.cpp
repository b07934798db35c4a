// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/notify.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_notification{
    "test_notification",
    R"(INSERT INTO notifications (id, account_id, from_account_id, type, status_id, about_id, group_key, created_at)
       VALUES ($1, $2, $3, 'follow', 0, $4, $5, $6))"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Notifications : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    static Answer of(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/notifications", fields);
    }
    static std::vector<std::string> types(const Person& who, const Fields& fields = {}) {
        return of(who, fields).all("type");
    }
    void gives_role(const Person& who, base::RoleId role) {
        w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, base::AccountId{std::stoll(who.id)});
            accounts::set_role(db, user->id, role);
        });
    }
};
ON_EACH_DATABASE(Notifications);

TEST_P(Notifications, of_each_type_come_once) {
    auto status = alice.status("hello");
    for (int twice = 0; twice < 2; ++twice) {
        bob.follows(alice);
        bob.favourites(status);
        bob.reblogs(status);
    }
    bob.status("@alice and again @alice");
    EXPECT_THAT(types(alice), ElementsAre("mention", "reblog", "favourite", "follow"));
    EXPECT_THAT(of(alice).all("account.id"), ElementsAre(bob.id, bob.id, bob.id, bob.id));
    auto all = of(alice);
    EXPECT_EQ(all["1.status.id"], status);
    EXPECT_EQ(all["2.status.id"], status);
    EXPECT_EQ(all["3.status"], "absent");
    EXPECT_TRUE(all["0.group_key"] == "ungrouped-" + all["0.id"]) << all["0.group_key"];
    EXPECT_TRUE(all["2.group_key"].starts_with("favourite-" + status + "-")) << all["2.group_key"];
    EXPECT_TRUE(all["3.group_key"].starts_with("follow-")) << all["3.group_key"];
    EXPECT_THAT(types(bob), IsEmpty());
}

TEST_P(Notifications, of_new_statuses_go_to_those_who_asked_for_them) {
    bob.follows(alice, {{"notify", "true"}});
    carol.follows(alice);
    w.run_jobs();
    w.changed();
    auto status = alice.status("news");
    EXPECT_EQ(w.happened().ends_with("Published, SubscribersContinued"), true);
    w.run_jobs();
    EXPECT_EQ(w.changed(), "conversations +1, statuses +1, home_entries +3, notifications +1");
    EXPECT_THAT(types(bob), ElementsAre("status"));
    EXPECT_EQ(of(bob)["0.status.id"], status);
    EXPECT_THAT(types(carol), IsEmpty());
    auto carols = carol.status("carols");
    alice.answers(carols, "a reply");
    alice.reblogs(carols);
    alice.status("secret", {{"visibility", "direct"}});
    w.run_jobs();
    EXPECT_THAT(types(bob), ElementsAre("status"));
    alice.answers(status, "a self reply");
    w.run_jobs();
    EXPECT_THAT(types(bob), ElementsAre("status", "status"));
}

TEST_P(Notifications, of_new_statuses_leave_out_what_home_does) {
    bob.follows(alice, {{"notify", "true"}, {"languages[]", "de"}});
    alice.status("bonjour", {{"language", "fr"}});
    w.run_jobs();
    EXPECT_THAT(types(bob), IsEmpty());
    auto german = alice.status("hallo", {{"language", "de"}});
    w.run_jobs();
    EXPECT_EQ(of(bob)["0.status.id"], german);
    bob.mutes(alice, {{"notifications", "false"}});
    alice.status("noch etwas", {{"language", "de"}});
    w.run_jobs();
    EXPECT_THAT(types(bob), ElementsAre("status"));
}

TEST_P(Notifications, about_a_mention_are_not_doubled_by_one_about_the_status) {
    bob.follows(alice, {{"notify", "true"}});
    alice.status("news for @bob");
    w.run_jobs();
    EXPECT_EQ(std::ranges::count(types(bob), "mention"), 1);
}

TEST_P(Notifications, are_withdrawn_with_what_they_tell) {
    auto status = alice.status("hello @carol");
    bob.favourites(status);
    bob.reblogs(status);
    bob.post("/api/v1/statuses/" + status + "/unfavourite");
    bob.post("/api/v1/statuses/" + status + "/unreblog");
    EXPECT_THAT(types(alice), IsEmpty());
    EXPECT_THAT(types(carol), ElementsAre("mention"));
    alice.del("/api/v1/statuses/" + status);
    EXPECT_THAT(types(carol), IsEmpty());
}

TEST_P(Notifications, of_a_follow_are_withdrawn_when_it_ends) {
    bob.follows(alice);
    bob.unfollows(alice);
    EXPECT_THAT(types(alice), IsEmpty());
}

TEST_P(Notifications, come_neither_from_blocked_nor_from_muted_people) {
    auto status = alice.status("hello");
    alice.blocks(bob);
    alice.mutes(carol);
    bob.status("@alice");
    carol.status("@alice");
    carol.favourites(status);
    carol.follows(alice);
    EXPECT_THAT(types(alice), IsEmpty());
    alice.post("/api/v1/accounts/" + carol.id + "/unmute");
    EXPECT_THAT(types(alice), IsEmpty());  // dropped, not hidden
}

TEST_P(Notifications, do_not_come_from_those_who_block_the_recipient) {
    bob.blocks(alice);
    w.changed();
    bob.status("@alice");
    EXPECT_THAT(types(alice), IsEmpty());
}

TEST_P(Notifications, of_suspended_people_are_hidden) {
    bob.follows(alice);
    carol.status("@alice");
    auto id = of(alice, {{"types[]", "follow"}})["0.id"];
    w.suspend(bob);
    EXPECT_THAT(types(alice), ElementsAre("mention"));
    EXPECT_THAT(of(alice, {{"types[]", "follow"}}).ids(), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/notifications/" + id).status, 404);
    auto count = [&](const std::string& version, const Fields& fields) {
        return alice.get("/api/" + version + "/notifications/unread_count", fields)["count"];
    };
    for (const std::string version : {"v1", "v2"}) {
        EXPECT_EQ(count(version, {}), "1");
        EXPECT_EQ(count(version, {{"types[]", "follow"}}), "0");
    }
}

TEST_P(Notifications, fill_their_pages_however_many_of_them_are_hidden) {
    auto status = alice.status("hello");
    bob.favourites(status);
    for (int i = 0; i < 5; ++i) {
        auto p = w.local("p" + std::to_string(i));
        p.favourites(status);
        w.suspend(p);
    }
    carol.favourites(status);
    auto page = of(alice, {{"limit", "2"}});
    EXPECT_EQ(page["0.account.id"], carol.id);
    EXPECT_EQ(page["1.account.id"], bob.id);
}

TEST_P(Notifications, show_their_senders_as_they_are_now) {
    bob.follows(alice);
    EXPECT_EQ(of(alice)["0.account.display_name"], "");
    bob.patch("/api/v1/accounts/update_credentials", {{"display_name", "Bob the Elder"}});
    EXPECT_EQ(of(alice)["0.account.display_name"], "Bob the Elder");
}

TEST_P(Notifications, are_private) {
    bob.follows(alice);
    auto id = of(alice)["0.id"];
    EXPECT_EQ(carol.get("/api/v1/notifications/" + id).status, 404);
    EXPECT_EQ(carol.post("/api/v1/notifications/" + id + "/dismiss").status, 404);
    EXPECT_EQ(alice.get("/api/v1/notifications/" + id)["type"], "follow");
}

TEST_P(Notifications, can_be_dismissed_and_cleared) {
    bob.follows(alice);
    carol.follows(alice);
    bob.follows(carol);
    w.happened(), w.changed();
    auto id = of(alice)["0.id"];
    EXPECT_EQ(alice.post("/api/v1/notifications/" + id + "/dismiss").body, "{}");
    EXPECT_EQ(w.changed(), "notifications -1");
    EXPECT_EQ(alice.post("/api/v1/notifications/" + id + "/dismiss").status, 404);
    EXPECT_EQ(alice.post("/api/v1/notifications/clear").body, "{}");
    EXPECT_EQ(w.changed(), "notifications -1");
    EXPECT_EQ(w.happened(), "");
    EXPECT_THAT(types(carol), ElementsAre("follow"));
}

TEST_P(Notifications, however_many_are_cleared_at_once_and_deleted_little_by_little) {
    auto status = alice.status("hello");
    bob.favourites(status);
    w.write([&](db::Write& db) {
        for (int i = 0; i < 1200; ++i)
            db.run(
                test_notification,
                db.new_id_of_double<base::JobId>(),
                base::AccountId{std::stoll(alice.id)},
                base::AccountId{std::stoll(carol.id)},
                i,
                "follow-" + std::to_string(i / 100),
                db.now()
            );
    });
    EXPECT_EQ(of(alice).ids().size(), 40u);
    auto some = of(alice)["0.id"];
    w.happened(), w.changed();
    EXPECT_EQ(alice.post("/api/v1/notifications/clear").body, "{}");
    auto changed = w.changed();
    EXPECT_NE(changed.find("notifications -500"), std::string::npos) << changed;
    EXPECT_NE(changed.find("notification_clearings +1"), std::string::npos) << changed;
    // Nothing of them is shown, and what comes is.
    EXPECT_EQ(of(alice).body, "[]");
    EXPECT_EQ(of(alice, {{"min_id", "1"}}).body, "[]");
    EXPECT_EQ(alice.get("/api/v2/notifications")["notification_groups"], "[]");
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count")["count"], "0");
    EXPECT_EQ(alice.get("/api/v2/notifications/unread_count")["count"], "0");
    EXPECT_EQ(alice.get("/api/v1/notifications/" + some).status, 404);
    EXPECT_EQ(alice.get("/api/v2/notifications/follow-11").status, 404);
    EXPECT_EQ(alice.get("/api/v2/notifications/follow-11/accounts").body, "[]");
    bob.follows(alice);
    EXPECT_THAT(types(alice), ElementsAre("follow"));
    EXPECT_EQ(alice.get("/api/v2/notifications/unread_count")["count"], "1");
    w.changed();
    w.run_jobs();
    changed = w.changed();
    EXPECT_NE(changed.find("notifications -701"), std::string::npos) << changed;
    EXPECT_NE(changed.find("notification_clearings -1"), std::string::npos) << changed;
    EXPECT_THAT(types(alice), ElementsAre("follow"));
}

TEST_P(Notifications, are_filtered_by_type_and_sender) {
    auto status = alice.status("hello");
    bob.follows(alice);
    bob.favourites(status);
    carol.favourites(status);
    EXPECT_THAT(types(alice, {{"types[]", "favourite"}}), ElementsAre("favourite", "favourite"));
    EXPECT_THAT(types(alice, {{"exclude_types[]", "favourite"}}), ElementsAre("follow"));
    EXPECT_THAT(
        types(alice, {{"exclude_types[]", "favourite"}, {"exclude_types[]", "nonsense"}}),
        ElementsAre("follow")
    );
    EXPECT_THAT(types(alice, {{"types[]", "favourite"}, {"account_id", carol.id}}), ElementsAre("favourite"));
    EXPECT_THAT(types(alice, {{"types[]", "nonsense"}, {"types[]", "follow"}}), ElementsAre("follow"));
    EXPECT_THAT(types(alice, {{"account_id", "12345"}}), IsEmpty());
    EXPECT_THAT(types(alice, {{"account_id", "carol"}}), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count", {{"account_id", "carol"}})["count"], "0");
    EXPECT_THAT(types(alice, {{"types[]", "nonsense"}}), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count", {{"types[]", "nonsense"}})["count"], "0");
}

TEST_P(Notifications, are_paged_and_always_tell_their_neighbours) {
    auto status = alice.status("hello");
    for (int i = 0; i < 5; ++i) w.local("p" + std::to_string(i)).favourites(status);
    auto first = of(alice, {{"limit", "2"}});
    auto second = alice.get(first.link("next"));
    auto last = alice.get(second.link("next"));
    EXPECT_EQ(last.ids().size(), 1u);
    EXPECT_NE(last.link("next"), "");
    EXPECT_EQ(alice.get(last.link("next")).body, "[]");
    EXPECT_EQ(alice.get(second.link("prev")).ids(), first.ids());
    EXPECT_THAT(of(alice, {{"since_id", second.ids()[0]}}).ids(), testing::ElementsAreArray(first.ids()));
}

TEST_P(Notifications, are_counted_from_the_marker_on) {
    auto status = alice.status("hello");
    for (int i = 0; i < 3; ++i) w.local("p" + std::to_string(i)).favourites(status);
    bob.follows(alice);
    auto count = [&](const Fields& fields = {}) {
        return alice.get("/api/v1/notifications/unread_count", fields)["count"];
    };
    EXPECT_EQ(count(), "4");
    EXPECT_EQ(count({{"limit", "2"}}), "2");
    EXPECT_EQ(count({{"types[]", "follow"}}), "1");
    EXPECT_EQ(count({{"exclude_types[]", "follow"}}), "3");
    alice.post("/api/v1/markers", {{"notifications[last_read_id]", of(alice).ids()[2]}});
    EXPECT_EQ(count(), "2");
}

TEST_P(Notifications, that_are_not_shown_are_not_counted_as_unread) {
    alice.follows(bob, {{"notify", "true"}});
    auto closed = bob.status("for followers", {{"visibility", "private"}});
    carol.status("@alice hello");
    w.run_jobs();
    auto counts = [&] {
        std::vector<std::string> out;
        for (const std::string version : {"v1", "v2"})
            for (const Fields& fields : {Fields{}, Fields{{"types[]", "status"}}})
                out.push_back(alice.get("/api/" + version + "/notifications/unread_count", fields)["count"]);
        return out;
    };
    EXPECT_THAT(counts(), ElementsAre("2", "1", "2", "1"));
    alice.unfollows(bob);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + closed).status, 404);
    EXPECT_THAT(types(alice), ElementsAre("mention"));
    EXPECT_THAT(counts(), ElementsAre("1", "0", "1", "0"));
}

TEST_P(Notifications, of_every_type_are_stored_once) {
    gives_role(alice, accounts::owner);
    base::StatusId status{std::stoll(alice.status("hello"))};
    std::set<std::string> words;
    for (int twice = 0; twice < 2; ++twice) {
        w.advance(1);
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<notifications::Type>>([&](auto e) {
            words.insert(notifications::word_of(e.value));
            w.write([&](db::Write& db) {
                notifications::notify(
                    db,
                    {base::AccountId{std::stoll(alice.id)},
                     base::AccountId{std::stoll(bob.id)},
                     e.value,
                     status,
                     5}
                );
            });
        });
    }
    EXPECT_TRUE(words.contains("admin.sign_up"));
    EXPECT_THAT(types(alice), testing::UnorderedElementsAreArray(words));
    EXPECT_EQ(types(alice)[0], "collection_update");  // the second one took the place of the first
}

TEST_P(Notifications, of_likes_share_a_group_for_up_to_twelve_hours) {
    auto status = alice.status("hello"), other = alice.status("other");
    auto liked_by = [&](const std::string& name, const std::string& liked) {
        w.local(name).favourites(liked);
        return of(alice)["0.group_key"];
    };
    auto hour = [&] { return std::to_string(w.now().ms / 3'600'000); };
    auto first = liked_by("dora", status);
    EXPECT_EQ(first, "favourite-" + status + "-" + hour());
    w.advance(11 * 3600);
    EXPECT_EQ(liked_by("eve", status), first);
    EXPECT_EQ(liked_by("fred", other), "favourite-" + other + "-" + hour());
    w.advance(3600);
    EXPECT_EQ(liked_by("gus", status), "favourite-" + status + "-" + hour());
}

TEST_P(Notifications, of_types_a_client_does_not_know_come_with_words_to_show) {
    auto notify = [&](notifications::Type type) {
        w.write([&](db::Write& db) {
            notifications::notify(
                db, {base::AccountId{std::stoll(alice.id)}, base::AccountId{std::stoll(bob.id)}, type, {}, 7}
            );
        });
    };
    gives_role(alice, accounts::moderator);
    notify(notifications::Type::admin_sign_up);
    notify(notifications::Type::annual_report);
    notify(notifications::Type::collection_update);
    EXPECT_THAT(of(alice).all("fallback"), ElementsAre("absent", "absent", "absent"));
    auto told = of(alice, {{"supported_types[]", "collection_update"}});
    EXPECT_THAT(told.all("type"), ElementsAre("collection_update", "annual_report", "admin.sign_up"));
    EXPECT_EQ(told["0.fallback"], "absent");
    EXPECT_EQ(told["0.collection"], "null");
    EXPECT_EQ(told["1.fallback"], "absent");  // every client knows it
    EXPECT_EQ(told["2.fallback.title"], "New sign-up");
    EXPECT_EQ(told["2.fallback.description"], "null");
    auto one = alice.get("/api/v1/notifications/" + told.ids()[2], {{"supported_types[]", "mention"}});
    EXPECT_EQ(one["fallback.title"], "New sign-up");
    auto groups = alice.get("/api/v2/notifications", {{"supported_types[]", "mention"}});
    EXPECT_EQ(groups["notification_groups.0.fallback.title"], "Collection changed");
    EXPECT_EQ(groups["notification_groups.1.annual_report.year"], "7");
}

TEST_P(Notifications, of_sign_ups_go_to_those_who_manage_users) {
    gives_role(alice, accounts::moderator);
    auto dora = w.unconfirmed("dora");
    EXPECT_THAT(types(alice), IsEmpty());
    w.write([&](db::Write& db) {
        accounts::confirm(db, accounts::find_user_of(db, base::AccountId{std::stoll(dora.id)})->id);
    });
    EXPECT_THAT(types(alice), ElementsAre("admin.sign_up"));
    auto told = of(alice);
    EXPECT_EQ(told["0.account.acct"], "dora");
    EXPECT_THAT(types(bob), IsEmpty());
    gives_role(alice, accounts::everyone);
    EXPECT_THAT(types(alice), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/notifications/unread_count")["count"], "0");
    EXPECT_EQ(alice.get("/api/v1/notifications/" + told["0.id"]).status, 404);
    EXPECT_EQ(alice.get("/api/v2/notifications")["notification_groups"], "[]");
    EXPECT_EQ(alice.get("/api/v2/notifications/" + told["0.group_key"]).status, 404);
}

TEST_P(Notifications, do_not_come_from_answers_to_and_mentions_of_hidden_people) {
    auto bobs = bob.status("hello");
    alice.mutes(bob);
    carol.answers(bobs, "@alice look");
    carol.status("@alice @bob look");
    EXPECT_THAT(types(alice), IsEmpty());
    carol.status("@alice look");
    EXPECT_THAT(types(alice), ElementsAre("mention"));
}

TEST_P(Notifications, of_mentions_by_moderators_come_even_from_the_blocked) {
    gives_role(bob, accounts::moderator);
    alice.mutes(bob);
    bob.status("@alice hear me");
    bob.favourites(alice.status("hello"));
    EXPECT_THAT(types(alice), ElementsAre("mention"));
    gives_role(alice, accounts::moderator);  // nobody above the recipient
    bob.status("@alice again");
    EXPECT_THAT(types(alice), ElementsAre("mention"));
}

TEST_P(Notifications, cost_the_same_queries_for_one_and_for_forty) {
    auto status = alice.status("hello");
    bob.status("@alice #t");
    of(alice);
    w.queries();
    EXPECT_EQ(of(alice).ids().size(), 1u);
    auto few = w.queries();
    for (int i = 0; i < 40; ++i) {
        auto p = w.local("p" + std::to_string(i));
        p.status("@alice #t" + std::to_string(i));
        p.favourites(status);
    }
    of(alice, {{"limit", "80"}});
    w.queries();
    EXPECT_EQ(of(alice, {{"limit", "80"}}).ids().size(), 80u);
    EXPECT_EQ(w.queries(), few);
}

}  // namespace
