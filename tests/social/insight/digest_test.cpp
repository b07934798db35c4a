// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/digest.hpp"

#include "base/json_read.hpp"
#include "internet.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/settings.hpp"
#include "social/moderation/staff.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not, testing::SizeIs;

struct Digests : OnEachWorld {
    Digests() {
        to_monday();
        hour();  // from now on there was a week before
    }
    static constexpr std::int64_t day = 86'400;

    // Of the next Monday, seven o'clock.
    void to_monday() {
        const auto seconds = w.now().ms / 1000, since_monday = (seconds + 3 * day) % (7 * day);
        w.advance(7 * day - since_monday + 7 * 3600);
    }
    void hour() {
        support::run_periodic(w, instance::count_activity);
        support::run_periodic(w, instance::count_everything);
        support::run_periodic(w, insight::begin_digest);
        w.run_jobs();
        w.advance(3600);
    }
    Person owner = staff(w, "olga", {3}), moderator = staff(w, "mona", {1});
};
ON_EACH_DATABASE(Digests);

TEST_P(Digests, are_sent_to_owners_once_a_week) {
    EXPECT_THAT(w.mails(), IsEmpty()) << "a new site has no week to tell of";
    owner.status("one"), owner.status("two");
    w.happened();
    for (int i = 0; i < 48; ++i) hour();
    EXPECT_THAT(w.mails(), IsEmpty());
    to_monday();
    hour();
    const auto letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    EXPECT_EQ(letters[0].to, "olga@example.com");
    EXPECT_THAT(letters[0].subject, HasSubstr("A week of "));
    EXPECT_THAT(letters[0].text, HasSubstr("* Posts in this week: 2\n"));
    EXPECT_THAT(letters[0].text, HasSubstr("* Other servers that fail: 4\n"));
    EXPECT_THAT(letters[0].text, HasSubstr("* slower_one: 1200 ms\n* slow_one: 900 ms\n"));
    EXPECT_THAT(letters[0].text, Not(HasSubstr("{{")));
    for (int i = 0; i < 24; ++i) hour();
    EXPECT_THAT(w.mails(), IsEmpty());
}

TEST_P(Digests, are_begun_by_one_node_alone) {
    to_monday();
    auto one = w.read(insight::begin_digest), other = w.read(insight::begin_digest);
    w.write(one);
    w.write(other);
    w.run_jobs();
    EXPECT_THAT(w.mails(), SizeIs(1));
}

TEST_P(Digests, are_not_sent_where_they_are_turned_off) {
    w.write([](db::Write& db) { instance::set_setting(db, "weekly_digest", "false"); });
    to_monday();
    hour();
    EXPECT_THAT(w.mails(), IsEmpty());
    w.write([](db::Write& db) { instance::set_setting(db, "weekly_digest", "true"); });
    hour();
    EXPECT_THAT(w.mails(), IsEmpty()) << "the week is over";
    to_monday();
    hour();
    EXPECT_THAT(w.mails(), SizeIs(1));
}

TEST_P(Digests, speak_the_language_of_their_reader) {
    w.connection().script("UPDATE users SET locale = 'de'");
    to_monday();
    hour();
    const auto letters = w.mails();
    ASSERT_THAT(letters, SizeIs(1));
    EXPECT_THAT(letters[0].text, HasSubstr("* Beiträge in dieser Woche: 0\n"));
}

TEST_P(Digests, say_what_waits) {
    auto bob = w.local("bob");
    moderator.post("/api/v1/reports", {{"account_id", bob.id}, {"comment", "look"}});
    w.happened(), w.changed();
    to_monday();
    hour();
    w.mails();
    const auto now = w.read([](db::Read& db) { return insight::digest(db, {}); });
    EXPECT_EQ(now.reports_waiting, 1);
    EXPECT_EQ(now.sign_ups_waiting, 0);
    EXPECT_FALSE(now.free_for_data) << "no server was asked";
    EXPECT_EQ(now.until.ms - now.from.ms, 7 * day * 1000);
}

TEST_P(Digests, call_webhooks_that_want_them) {
    const std::string hooks = "/api/dunlin/v1/moderation/webhooks", address = "https://hooks.example/in";
    internet().pages[address] = [&](const base::Fetch&) {
        base::Fetched answer;
        answer.status = 200;
        answer.url = address;
        return answer;
    };
    ASSERT_EQ(owner.post(hooks, {{"url", address}, {"events[]", "digest.written"}}).status, 200);
    to_monday();
    hour();
    w.mails();
    support::run_periodic(w, moderation::take_webhook_calls);
    w.run_jobs();
    std::vector<std::string> told;
    for (auto& one : std::exchange(internet().asked, {}))
        if (one.url == address) {
            const Answer body{200, one.body, {}};
            told.push_back(body["event"] + " " + body["object.host"]);
        }
    EXPECT_THAT(told, ElementsAre("digest.written machine"));
}

}  // namespace
