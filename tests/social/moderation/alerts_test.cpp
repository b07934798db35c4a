// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/alerts/alert.hpp"
#include "social/moderation/webhooks/webhook.hpp"

#include "internet.hpp"
#include "social/moderation/staff.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using moderation::Trouble;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not, testing::SizeIs;

struct Alerts : OnEachWorld {
    Person owner = staff(w, "olga", {3});

    // A minute of a server on which that is wrong.
    void minute(const std::vector<Trouble>& wrong, const std::string& place = "one") {
        w.write([&](db::Write& db) { moderation::note_troubles(db, place, wrong); });
        support::run_periodic(w, moderation::tell_of_alerts);
        w.run_jobs();
        w.advance(60);
    }
    void minutes(int many, const std::vector<Trouble>& wrong) {
        for (int i = 0; i < many; ++i) minute(wrong);
    }
    std::vector<std::string> standing() {
        std::vector<std::string> kinds;
        for (const auto& one : w.read(moderation::standing_alerts)) kinds.push_back(one.kind);
        return kinds;
    }
};
ON_EACH_DATABASE(Alerts);

const Trouble disk{"disk", "812 MB are free"}, backup{"backup", "the last copy is 3 days old"};

TEST_P(Alerts, are_told_once_when_something_lasts_and_once_when_it_is_over) {
    minutes(5, {disk});
    EXPECT_THAT(w.mails(), IsEmpty()) << "it could have passed by itself";
    minute({disk});
    auto letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    EXPECT_EQ(letters[0].to, "olga@example.com");
    EXPECT_THAT(letters[0].subject, HasSubstr("Something is wrong with"));
    EXPECT_THAT(letters[0].text, HasSubstr("The disk is nearly full (one)\n  812 MB are free"));
    minutes(120, {disk});
    EXPECT_THAT(w.mails(), IsEmpty());
    EXPECT_THAT(standing(), ElementsAre("disk"));

    minutes(14, {});
    EXPECT_THAT(w.mails(), IsEmpty()) << "it could come again";
    minutes(3, {});
    letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    EXPECT_THAT(letters[0].subject, HasSubstr("is well again"));
    EXPECT_THAT(letters[0].text, HasSubstr("The disk is nearly full (one)"));
    EXPECT_THAT(letters[0].text, Not(HasSubstr("has been for some minutes")));
    EXPECT_THAT(standing(), IsEmpty());
    EXPECT_THAT(w.read([](db::Read& db) { return moderation::past_alerts(db, {0}); }), SizeIs(1));
    minutes(60, {});
    EXPECT_THAT(w.mails(), IsEmpty());
}

TEST_P(Alerts, are_not_over_because_the_server_was_down) {
    minutes(8, {disk});
    EXPECT_THAT(w.mails(), SizeIs(1));
    w.advance(7200);
    minutes(1, {});  // it looks before anybody has told what is wrong
    minutes(30, {disk});
    EXPECT_THAT(w.mails(), IsEmpty());
    EXPECT_THAT(standing(), ElementsAre("disk"));
    w.advance(7200);
    minutes(20, {});
    const auto letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    EXPECT_THAT(letters[0].subject, HasSubstr("is well again"));
}

TEST_P(Alerts, of_what_comes_and_goes_are_one) {
    minutes(8, {disk});
    EXPECT_THAT(w.mails(), SizeIs(1));
    for (int i = 0; i < 20; ++i) {
        minutes(10, {});
        minutes(2, {disk});
    }
    EXPECT_THAT(w.mails(), IsEmpty());
}

TEST_P(Alerts, of_what_passes_by_itself_are_none) {
    for (int i = 0; i < 20; ++i) {
        minutes(4, {disk});
        minutes(5, {});
    }
    EXPECT_THAT(w.mails(), IsEmpty());
    EXPECT_THAT(standing(), IsEmpty());
}

TEST_P(Alerts, about_many_things_are_one_letter_in_half_an_hour) {
    std::vector<Trouble> all;
    for (const auto& [kind, sentence] : moderation::trouble_kinds())
        all.push_back({std::string(kind), "detail of " + std::string(kind)});
    minutes(8, all);
    auto letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    for (const auto& one : all) EXPECT_THAT(letters[0].text, HasSubstr(one.detail));
    for (const std::string place : {"two", "three", "four"})
        for (int i = 0; i < 7; ++i) minute({disk}, place);
    EXPECT_THAT(w.mails(), IsEmpty());
    for (int i = 0; i < 10; ++i)
        for (const std::string place : {"one", "two", "three", "four"}) {
            w.write([&](db::Write& db) { moderation::note_troubles(db, place, {disk}); });
            w.advance(15);
            minute({disk}, place);
        }
    EXPECT_THAT(w.mails(), SizeIs(1));
}

TEST_P(Alerts, reach_all_who_look_after_the_server_and_nobody_else) {
    staff(w, "adam", {2});
    staff(w, "mona", {1});
    staff(w, "dora", role_with(w, accounts::permission::view_devops));
    w.local("bob");
    minutes(8, {backup});
    std::vector<std::string> to;
    for (const auto& letter : w.mails()) to.push_back(letter.to);
    std::ranges::sort(to);
    EXPECT_THAT(to, testing::IsSupersetOf({"dora@example.com", "olga@example.com"}));
    EXPECT_THAT(to, Not(testing::Contains("mona@example.com")));
    EXPECT_THAT(to, Not(testing::Contains("bob@example.com")));
}

TEST_P(Alerts, are_in_the_language_of_who_reads_them) {
    w.connection().script("UPDATE users SET locale = 'de'");
    minutes(8, {backup});
    auto letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    EXPECT_THAT(letters[0].subject, HasSubstr("stimmt etwas nicht"));
    EXPECT_THAT(letters[0].text, HasSubstr("Die Sicherung wird nicht mehr gemacht (one)"));
}

TEST_P(Alerts, call_webhooks_that_want_them) {
    const std::string hooks = "/api/dunlin/v1/moderation/webhooks", address = "https://hooks.example/in";
    internet().pages[address] = [&](const base::Fetch&) {
        base::Fetched answer;
        answer.status = 200;
        answer.url = address;
        return answer;
    };
    auto made =
        owner.post(hooks, {{"url", address}, {"events[]", "alert.began"}, {"events[]", "alert.ended"}});
    ASSERT_EQ(made.status, 200) << made.body;
    auto calls = [&] {
        support::run_periodic(w, moderation::take_webhook_calls);
        w.run_jobs();
        std::vector<std::string> told;
        for (auto& one : std::exchange(internet().asked, {}))
            if (one.url == address) {
                const Answer body{200, one.body, {}};
                told.push_back(body["event"] + " " + body["object.kind"] + " " + body["object.place"]);
            }
        return told;
    };
    minutes(8, {disk});
    EXPECT_THAT(calls(), ElementsAre("alert.began disk one"));
    minutes(40, {});
    EXPECT_THAT(calls(), ElementsAre("alert.ended disk one"));
}

TEST_P(Alerts, are_forgotten_after_a_month) {
    minutes(8, {disk});
    minutes(40, {});
    w.advance(31 * 86'400);
    minutes(40, {backup});
    auto past = w.read([](db::Read& db) { return moderation::past_alerts(db, {0}); });
    ASSERT_THAT(past, SizeIs(1));
    EXPECT_EQ(past[0].kind, "backup");
}

}  // namespace
