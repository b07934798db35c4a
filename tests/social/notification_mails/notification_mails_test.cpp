// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "internet.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/labels/use.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/push/queue.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr, testing::Not;

constexpr auto choice = "/api/dunlin/v1/notification_choice";

const db::Command test_make_moderator{
    "test_make_moderator", "UPDATE users SET role_id = 1 WHERE account_id = $1"
};
const db::Command test_leave_team{"test_leave_team", "UPDATE users SET role_id = -99 WHERE account_id = $1"};
const db::Command test_odd_zone{"test_odd_zone", "UPDATE users SET time_zone = $2 WHERE account_id = $1"};

struct NotificationMails : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    NotificationMails() {
        w.write([](db::Write& db) { accounts::send_notification_mails(db, true); });
        w.mails();
    }
    static base::AccountId account(const Person& person) { return {std::stoll(person.id)}; }
    void tick() {
        w.write(notification_mails::announce_mails);
        w.run_jobs();
    }
    // What was sent by then.
    std::vector<World::Letter> after(std::int64_t seconds) {
        w.run_jobs();
        w.advance(seconds);
        tick();
        return w.mails();
    }
    // The path of the link in a mail that begins so.
    std::string link(const World::Letter& letter, const std::string& begin) {
        auto from = letter.text.find(w.site().public_url + begin);
        if (from == std::string::npos) return {};
        from += w.site().public_url.size();
        return letter.text.substr(from, letter.text.find_first_of(" \n", from) - from);
    }
    // Happens once, while a mail server takes the next mail.
    static void meanwhile(const std::function<void()>& change) {
        internet().while_mailing = [change, done = std::make_shared<bool>()] {
            if (!std::exchange(*done, true)) change();
        };
    }
    // Quiet from a while ago until a while from now, in hours of UTC.
    void quiet_for(const Person& person, int begun, int lasting) {
        auto hour = [&](std::int64_t seconds) {
            return base::to_string(w.now().plus_seconds(seconds)).substr(11, 5);
        };
        auto answer = person.put(
            choice,
            {{"quiet_from", hour(-begun * 3600)}, {"quiet_until", hour(lasting * 3600)}, {"time_zone", "UTC"}}
        );
        ASSERT_EQ(answer.status, 200) << answer.body;
    }
};
ON_EACH_DATABASE(NotificationMails);

TEST_P(NotificationMails, tell_of_what_happened_while_one_was_away) {
    bob.status("@alice shall we?");
    EXPECT_TRUE(after(60).empty()) << "it is waited for more, and for her to come";
    bob.follows(alice);
    auto mails = after(240);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "alice@example.com");
    EXPECT_EQ(mails[0].subject, "2 new notifications");
    EXPECT_THAT(mails[0].text, HasSubstr("You were mentioned by @bob"));
    EXPECT_THAT(mails[0].text, HasSubstr("shall we?"));
    EXPECT_THAT(mails[0].text, HasSubstr("@bob is now following you"));
    EXPECT_TRUE(after(3600).empty()) << "of each once";
}

TEST_P(NotificationMails, say_of_one_thing_what_it_is) {
    auto id = bob.status("@alice the ending of a book", {{"spoiler_text", "a book"}});
    auto mails = after(300);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].subject, "You were mentioned by @bob");
    EXPECT_THAT(mails[0].text, HasSubstr("[a book]"));
    EXPECT_THAT(mails[0].text, Not(HasSubstr("ending")));
    EXPECT_THAT(mails[0].text, HasSubstr(w.site().public_url + "/@bob/" + id));
}

TEST_P(NotificationMails, come_at_most_every_quarter_of_an_hour) {
    bob.status("@alice first");
    EXPECT_EQ(after(300).size(), 1u);
    bob.status("@alice second");
    bob.status("@alice third");
    EXPECT_TRUE(after(899).empty());
    auto mails = after(1);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_THAT(mails[0].text, HasSubstr("second"));
    EXPECT_THAT(mails[0].text, HasSubstr("third"));
    EXPECT_THAT(mails[0].text, Not(HasSubstr("first")));
}

TEST_P(NotificationMails, are_about_what_was_chosen) {
    auto mine = alice.status("mine");
    bob.favourites(mine);
    bob.reblogs(mine);
    EXPECT_TRUE(after(300).empty()) << "not at first";
    auto chosen = alice.put(choice, {{"mail_favourite", "true"}, {"mail_mention", "false"}});
    EXPECT_EQ(chosen["mail_favourite"], "true");
    EXPECT_EQ(chosen["mail_mention"], "false");
    EXPECT_EQ(chosen["mail_follow"], "true") << "what was not given stays";
    EXPECT_EQ(alice.get(choice).body, chosen.body);
    EXPECT_EQ(bob.get(choice)["mail_mention"], "true");
    bob.favourites(alice.status("another"));
    bob.status("@alice not this");
    auto mails = after(900);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].subject, "@bob favorited your post");
    EXPECT_THAT(mails[0].text, Not(HasSubstr("not this")));
}

TEST_P(NotificationMails, leave_out_what_was_read_hidden_or_taken_back) {
    bob.status("@alice read");
    auto read = alice.get("/api/v1/notifications")["0.id"];
    alice.post("/api/v1/markers", {{"notifications[last_read_id]", read}});
    EXPECT_TRUE(after(300).empty());
    auto gone = bob.status("@alice deleted");
    w.run_jobs();
    bob.del("/api/v1/statuses/" + gone);
    EXPECT_TRUE(after(900).empty());
    alice.post(
        "/api/v2/filters",
        {{"title", "f"},
         {"context[]", "notifications"},
         {"filter_action", "hide"},
         {"keywords_attributes[][keyword]", "tiresome"}}
    );
    bob.status("@alice tiresome");
    EXPECT_TRUE(after(900).empty());
    const auto dan = w.local("dan");
    w.write([&](db::Write& db) {
        const auto id = labels::create(db, {"spam", {}, labels::LabelEffect::hide});
        labels::put(db, id, labels::Bearer::of(account(dan)), {});
    });
    dan.status("@alice labelled");
    EXPECT_TRUE(after(900).empty());
    bob.status("@alice from somebody muted meanwhile");
    auto carol = w.local("carol");
    carol.status("@alice from somebody blocked meanwhile");
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/notifications").ids().size(), 5u);
    alice.mutes(bob);
    alice.blocks(carol);
    EXPECT_TRUE(after(900).empty());
}

TEST_P(NotificationMails, leave_once_whatever_changes_while_they_do) {
    auto gone = bob.status("@alice one");
    bob.status("@alice two");
    meanwhile([&] { bob.del("/api/v1/statuses/" + gone); });
    EXPECT_EQ(after(300).size(), 1u);
    EXPECT_TRUE(after(900).empty());
    bob.status("@alice three");
    meanwhile([&] { quiet_for(alice, 1, 2); });
    EXPECT_EQ(after(300).size(), 1u) << "it becomes night meanwhile";
    EXPECT_TRUE(after(3 * 3600).empty());
    gone = bob.status("@alice four");
    meanwhile([&] { bob.del("/api/v1/statuses/" + gone); });
    EXPECT_EQ(after(900).size(), 1u) << "nothing is left to tell meanwhile";
    bob.status("@alice five");
    EXPECT_TRUE(after(899).empty()) << "it counts as sent";
    EXPECT_EQ(after(1).size(), 1u);
}

TEST_P(NotificationMails, have_one_job_at_a_time_however_long_it_takes) {
    bob.status("@alice first");
    w.run_jobs();
    w.advance(300);
    w.write(notification_mails::announce_mails);
    EXPECT_THAT(w.happened(), HasSubstr("MailDue"));
    bob.status("@alice second");
    w.advance(1200);
    w.write(notification_mails::announce_mails);
    EXPECT_THAT(w.happened(), Not(HasSubstr("MailDue"))) << "the mail server takes none for a while";
    w.run_jobs();
    auto mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_THAT(mails[0].text, Not(HasSubstr("second")));
    EXPECT_TRUE(after(899).empty());
    mails = after(1);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_THAT(mails[0].text, HasSubstr("second"));
    EXPECT_THAT(mails[0].text, Not(HasSubstr("first")));
    // One that takes longer than its lease leaves all that it had to tell to the next.
    bob.status("@alice third");
    w.run_jobs();
    w.advance(900);
    w.write(notification_mails::announce_mails);
    bob.status("@alice fourth");
    w.advance(notification_mails::lease);
    tick();
    mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_THAT(mails[0].text, HasSubstr("third"));
    EXPECT_THAT(mails[0].text, HasSubstr("fourth"));
    EXPECT_TRUE(after(3600).empty());
}

TEST_P(NotificationMails, tell_of_the_first_of_two_that_were_made_at_once) {
    auto first = bob.status("@alice first");
    auto second = bob.status("@alice second");
    auto list = alice.get("/api/v1/notifications");
    ASSERT_EQ(list.ids().size(), 2u);
    // As another transaction writes it that did not see the first one.
    w.write([&](db::Write& db) {
        const base::NotificationId id{std::stoll(list["0.id"])};
        db.run(notification_mails::want_notification_mail, account(alice), id, db.now().plus_seconds(400));
    });
    auto mails = after(300);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_THAT(mails[0].text, HasSubstr("first"));
    EXPECT_THAT(mails[0].text, HasSubstr("second"));
}

TEST_P(NotificationMails, of_many_nights_that_end_at_once_are_all_taken) {
    w.write([](db::Write& db) {
        for (int i = 1; i <= 250; ++i) {
            const base::AccountId nobody{1'000'000 + i};
            db.run(notification_mails::want_notification_mail, nobody, base::NotificationId{1}, db.now());
        }
    });
    EXPECT_EQ(w.read(notification_mails::due_soon).size(), 250u);
    tick();
    EXPECT_TRUE(w.read(notification_mails::due_soon).empty());
    EXPECT_TRUE(w.mails().empty());
}

TEST_P(NotificationMails, find_what_filters_show_below_what_they_hide) {
    alice.post(
        "/api/v2/filters",
        {{"title", "f"},
         {"context[]", "notifications"},
         {"filter_action", "hide"},
         {"keywords_attributes[][keyword]", "tiresome"}}
    );
    bob.status("@alice worth it");
    for (int i = 0; i < 30; ++i) bob.status("@alice tiresome");
    auto mails = after(300);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].subject, "You were mentioned by @bob");
    EXPECT_THAT(mails[0].text, HasSubstr("worth it"));
    EXPECT_THAT(mails[0].text, Not(HasSubstr("tiresome")));
}

TEST_P(NotificationMails, that_were_put_off_are_not_taken_out_by_who_was_here_before) {
    bob.status("@alice one");
    w.run_jobs();
    w.advance(300);
    auto here = w.read(notification_mails::due_soon);
    EXPECT_EQ(here, std::vector{account(alice)});
    quiet_for(alice, 1, 2);
    tick();
    w.write([&](db::Write& db) { notification_mails::need_no_mail(db, here); });
    EXPECT_EQ(after(2 * 3600).size(), 1u);
}

TEST_P(NotificationMails, go_to_nobody_who_has_a_stream_open) {
    bob.status("@alice here?");
    w.run_jobs();
    w.advance(230);
    EXPECT_TRUE(w.read(notification_mails::due_soon).empty()) << "it is not due within a minute";
    w.advance(10);
    EXPECT_EQ(w.read(notification_mails::due_soon), std::vector{account(alice)});
    w.write([&](db::Write& db) { notification_mails::need_no_mail(db, {account(alice)}); });
    EXPECT_TRUE(after(3600).empty());
    bob.status("@alice and now?");
    auto mails = after(300);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].subject, "You were mentioned by @bob") << "what was seen is not told again";
}

TEST_P(NotificationMails, go_to_nobody_without_a_mail_server_or_a_login) {
    w.write([](db::Write& db) { accounts::send_notification_mails(db, false); });
    EXPECT_EQ(alice.get(choice)["mails_are_sent"], "false");
    w.changed();
    bob.status("@alice one");
    EXPECT_THAT(w.changed(), Not(HasSubstr("notification_mails")));
    w.write([](db::Write& db) { accounts::send_notification_mails(db, true); });
    auto carol = w.unconfirmed("carol");
    bob.status("@carol one");
    EXPECT_THAT(w.changed(), Not(HasSubstr("notification_mails")));
    bob.status("@alice two");
    w.suspend(alice);
    EXPECT_TRUE(after(300).empty());
}

TEST_P(NotificationMails, wait_for_the_end_of_quiet_hours_and_come_as_one) {
    quiet_for(alice, 1, 2);
    bob.status("@alice at night");
    EXPECT_TRUE(after(3600).empty());
    bob.follows(alice);
    EXPECT_TRUE(after(3540).empty());
    auto mails = after(60);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].subject, "2 new notifications");
}

TEST_P(NotificationMails, end_by_the_address_in_each_of_them) {
    bob.status("@alice one");
    auto mails = after(300);
    ASSERT_EQ(mails.size(), 1u);
    auto path = link(mails[0], "/notification_mails/");
    ASSERT_NE(path, "");
    // Whoever looks at all addresses of a mail ends nothing.
    EXPECT_EQ(w.anonymous().get(path).status, 200);
    EXPECT_EQ(alice.get(choice)["mail_mention"], "true");
    EXPECT_EQ(w.anonymous().post(path, {{"List-Unsubscribe", "One-Click"}}).status, 200);
    auto after_it = alice.get(choice);
    for (auto kind :
         {"mail_mention", "mail_quote", "mail_follow", "mail_follow_request", "mail_reblog", "mail_favourite"
         })
        EXPECT_EQ(after_it[kind], "false") << kind;
    EXPECT_EQ(after_it["mail_report"], "true");
    bob.status("@alice two");
    EXPECT_TRUE(after(3600).empty());
    // Nobody ends another's.
    auto of_bob = path;
    of_bob.replace(of_bob.find(alice.id), alice.id.size(), bob.id);
    w.changed();
    EXPECT_EQ(w.anonymous().get(of_bob).status, 404);
    EXPECT_EQ(w.anonymous().post(of_bob).status, 404);
    EXPECT_EQ(w.anonymous().post("/notification_mails/nonsense").status, 404);
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(bob.get(choice)["mail_mention"], "true");
}

TEST_P(NotificationMails, about_reports_go_to_staff_who_want_them) {
    auto mod = w.local("mod");
    w.write([&](db::Write& db) { db.run(test_make_moderator, account(mod)); });
    auto reported = [&](const Person& whom) {
        bob.post("/api/v1/reports", {{"account_id", whom.id}, {"comment", "look"}});
        w.run_jobs();
        return w.mails();
    };
    auto mails = reported(alice);
    ASSERT_EQ(mails.size(), 1u);
    auto stop = link(mails[0], "/notification_mails/");
    quiet_for(mod, 1, 1);
    EXPECT_TRUE(reported(w.local("carol")).empty());
    w.advance(3600);
    w.run_jobs();
    EXPECT_EQ(w.mails().size(), 1u) << "when it is not quiet any more";
    EXPECT_EQ(w.anonymous().post(stop).status, 200);
    EXPECT_EQ(mod.get(choice)["mail_report"], "false");
    EXPECT_EQ(mod.get(choice)["mail_mention"], "true");
    EXPECT_TRUE(reported(w.local("dave")).empty());
}

TEST_P(NotificationMails, of_the_team_go_to_nobody_who_left_it_and_tell_of_nothing_that_is_over) {
    auto mod = w.local("mod"), judge = w.local("judge"), other = w.local("other");
    w.write([&](db::Write& db) {
        for (const auto& one : {mod, judge, other}) db.run(test_make_moderator, account(one));
    });
    auto wait = [&](int hours) {
        w.run_jobs();
        EXPECT_TRUE(w.mails().empty());
        w.advance(hours * 3600);
        w.run_jobs();
        auto mails = w.mails();
        std::erase_if(mails, [](const World::Letter& one) { return one.to == "alice@example.com"; });
        return mails;
    };
    for (const auto& one : {mod, judge, other}) quiet_for(one, 1, 1);
    bob.post("/api/v1/reports", {{"account_id", alice.id}, {"comment", "look"}});
    w.run_jobs();
    w.write([&](db::Write& db) { db.run(test_leave_team, account(mod)); });
    w.suspend(other);
    auto mails = wait(1);
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "judge@example.com");
    // It becomes night while it leaves.
    judge.put(choice, {{"quiet_from", ""}, {"quiet_until", ""}});
    meanwhile([&] { quiet_for(judge, 1, 1); });
    bob.post("/api/v1/reports", {{"account_id", w.local("carol").id}, {"comment", "look"}});
    w.run_jobs();
    EXPECT_EQ(w.mails().size(), 1u);
    EXPECT_TRUE(wait(2).empty());
}

TEST_P(NotificationMails, keep_push_messages_away_in_quiet_hours) {
    auto subscribed = alice.post(
        "/api/v1/push/subscription",
        {{"subscription[endpoint]", "https://push.example/send/1"},
         {"subscription[keys][p256dh]", base::base64url(base::new_p256_key().public_point)},
         {"subscription[keys][auth]", base::base64url(std::string(16, 's'))},
         {"data[alerts][mention]", "true"}}
    );
    ASSERT_EQ(subscribed.status, 200) << subscribed.body;
    bob.status("@alice by day");
    EXPECT_EQ(w.read(push::waiting), 1);
    quiet_for(alice, 1, 1);
    bob.status("@alice at night");
    EXPECT_EQ(w.read(push::waiting), 1);
    EXPECT_EQ(alice.get("/api/v1/notifications").ids().size(), 2u) << "the list tells of it";
    w.advance(3600);
    bob.status("@alice in the morning");
    EXPECT_EQ(w.read(push::waiting), 2);
}

TEST_P(NotificationMails, refuse_times_that_are_none) {
    w.changed();
    for (const Fields& bad : std::vector<Fields>{
             {{"quiet_from", "22:00"}},
             {{"quiet_until", "07:00"}},
             {{"quiet_from", "25:00"}, {"quiet_until", "07:00"}},
             {{"quiet_from", "22:00"}, {"quiet_until", "7 o'clock"}},
             {{"quiet_from", "2a:00"}, {"quiet_until", "07:00"}},
             {{"time_zone", "<b>"}},
             {{"time_zone", "Europe/Berlinn"}},
             {{"quiet_from", "22:00"}, {"quiet_until", "07:00"}, {"time_zone", "Europe/Berlinn"}},
             {{"quiet_from", "22:00"}, {"quiet_until", "07:00"}, {"time_zone", ""}}
         })
        EXPECT_EQ(alice.put(choice, bad).status, 422) << bad[0].second;
    EXPECT_EQ(w.changed(), "");
    const Fields night{{"quiet_from", "22:00"}, {"quiet_until", "07:00"}, {"time_zone", "Europe/Berlin"}};
    EXPECT_EQ(alice.put(choice, night).status, 200);
    EXPECT_EQ(alice.put(choice, {{"quiet_from", ""}, {"quiet_until", ""}}).status, 200);
    EXPECT_EQ(w.anonymous().get(choice).status, 401);
    EXPECT_EQ(w.with_scopes(alice, "read").put(choice).status, 403);
}

TEST_P(NotificationMails, end_whatever_zone_the_login_came_with) {
    bob.status("@alice one");
    auto mails = after(300);
    ASSERT_EQ(mails.size(), 1u);
    w.write([&](db::Write& db) { db.run(test_odd_zone, account(alice), "Europe/Berlinn"); });
    EXPECT_EQ(alice.get(choice)["time_zone"], "");
    EXPECT_EQ(w.anonymous().post(link(mails[0], "/notification_mails/")).status, 200);
    EXPECT_EQ(alice.get(choice)["mail_mention"], "false");
    EXPECT_EQ(alice.put(choice, {{"mail_mention", "true"}})["mail_mention"], "true");
}

base::Time at(const std::string& text) { return *base::parse_time(text); }

std::string quiet(accounts::NotificationChoice chosen, const std::string& now) {
    auto ends = accounts::quiet_until(chosen, at(now));
    return ends ? base::to_string(*ends) : "";
}

TEST(QuietHours, end_in_the_time_of_the_zone) {
    accounts::NotificationChoice night;
    night.quiet_from = "22:00";
    night.quiet_until = "07:30";
    night.time_zone = "Europe/Berlin";
    EXPECT_EQ(quiet(night, "2026-07-01T19:59:59Z"), "");
    EXPECT_EQ(quiet(night, "2026-07-01T20:00:00Z"), "2026-07-02T05:30:00.000Z");
    EXPECT_EQ(quiet(night, "2026-07-02T05:29:59Z"), "2026-07-02T05:30:00.000Z");
    EXPECT_EQ(quiet(night, "2026-07-02T05:30:00Z"), "");
    EXPECT_EQ(quiet(night, "2026-12-01T20:30:00Z"), "") << "in winter it is half past nine";
    // The clock goes forward in this night.
    EXPECT_EQ(quiet(night, "2026-03-28T23:00:00Z"), "2026-03-29T05:30:00.000Z");
    // In October it goes back.
    EXPECT_EQ(quiet(night, "2026-10-24T21:00:00Z"), "2026-10-25T06:30:00.000Z");
    night.time_zone = "Pacific/Auckland";
    EXPECT_EQ(quiet(night, "2026-07-01T12:00:00Z"), "2026-07-01T19:30:00.000Z");
    night.time_zone = "America/Los_Angeles";
    EXPECT_EQ(quiet(night, "2026-07-02T06:00:00Z"), "2026-07-02T14:30:00.000Z");
    accounts::NotificationChoice nap;
    nap.quiet_from = "13:00";
    nap.quiet_until = "14:00";
    EXPECT_EQ(quiet(nap, "2026-07-01T13:30:00Z"), "2026-07-01T14:00:00.000Z");
    EXPECT_EQ(quiet(nap, "2026-07-01T14:00:00Z"), "");
    nap.quiet_until = "13:00";
    EXPECT_EQ(quiet(nap, "2026-07-01T13:30:00Z"), "") << "no time at all";
    EXPECT_EQ(quiet({}, "2026-07-01T13:30:00Z"), "");
}

TEST(QuietHours, begin_and_end_where_the_clock_changes_at_that_time) {
    accounts::NotificationChoice night;
    night.time_zone = "Europe/Berlin";
    night.quiet_from = "00:30";
    night.quiet_until = "02:30";
    // No clock shows half past two; at 01:00Z it goes from two to three.
    EXPECT_EQ(quiet(night, "2026-03-29T00:45:00Z"), "2026-03-29T01:30:00.000Z");
    EXPECT_EQ(quiet(night, "2026-03-29T01:30:00Z"), "");
    // It is half past two twice, at 00:30Z and 01:30Z.
    EXPECT_EQ(quiet(night, "2026-10-25T00:00:00Z"), "2026-10-25T01:30:00.000Z");
    night.quiet_from = "02:30";
    night.quiet_until = "06:00";
    EXPECT_EQ(quiet(night, "2026-03-29T01:45:00Z"), "2026-03-29T04:00:00.000Z");
    EXPECT_EQ(quiet(night, "2026-10-25T01:45:00Z"), "2026-10-25T05:00:00.000Z");
}

}  // namespace
