// SPDX-License-Identifier: AGPL-3.0-or-later
// Which subscription is told what, and what becomes of a message that is not taken.
#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "social/accounts/users/user.hpp"
#include "social/push/message.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using push::Message, push::MessageId, push::Verdict;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::StartsWith;

const std::string point = base::new_p256_key().public_point, secret(16, 's');

struct Payload {
    std::string access_token, preferred_locale, notification_type, icon, title, body;
    std::int64_t notification_id = 0;
};
DESCRIBE(Payload, access_token, preferred_locale, notification_type, icon, title, body, notification_id)

const db::Command test_speak{"test_speak_push", "UPDATE users SET locale = $2 WHERE account_id = $1"};

struct PushMessages : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    void subscribes(const Person& person, const std::string& alerts, Fields more = {}) {
        Fields all{
            {"subscription[endpoint]", "https://push.example/" + person.name},
            {"subscription[keys][p256dh]", base::base64url(point)},
            {"subscription[keys][auth]", base::base64url(secret)}
        };
        for (std::size_t at = 0; at < alerts.size();) {
            auto end = std::min(alerts.find(' ', at), alerts.size());
            all.emplace_back("data[alerts][" + alerts.substr(at, end - at) + "]", "true");
            at = end + 1;
        }
        all.insert(all.end(), more.begin(), more.end());
        ASSERT_EQ(person.post("/api/v1/push/subscription", all).status, 200);
    }
    std::vector<MessageId> lease(const push::Report& report = {}, int room = 100) {
        return w.write([&](db::Write& db) { return push::exchange(db, report, room, 1000).leased; });
    }
    std::vector<Message> due() {
        auto ids = lease();
        return w.read([&](db::Read& db) { return push::messages(db, ids); });
    }
    static Payload read(const Message& message) { return base::json::read<Payload>(message.payload); }
    // What is told by what is due: to whom and of what.
    std::vector<std::string> told() {
        std::vector<std::string> out;
        for (const auto& message : due())
            out.push_back(message.endpoint.substr(21) + " " + read(message).notification_type);
        return out;
    }
    void settle(const Message& message, Verdict verdict, std::int64_t wish = 0) {
        push::Report report;
        report.outcomes = {{message.id, message.subscription, message.attempts, verdict, wish}};
        lease(report, 0);
    }
    std::int64_t waiting() { return w.read(push::waiting); }
};
ON_EACH_DATABASE(PushMessages);

TEST_P(PushMessages, say_what_happened) {
    subscribes(alice, "mention", {{"subscription[standard]", "true"}});
    auto mentioning = bob.status("hello @alice, <here> & there");
    auto messages = due();
    ASSERT_EQ(messages.size(), 1u);
    const auto& message = messages[0];
    EXPECT_EQ(message.endpoint, "https://push.example/alice");
    EXPECT_TRUE(message.standard);
    EXPECT_EQ(message.receiver.point, point);
    EXPECT_EQ(message.receiver.secret, secret);
    auto said = read(message);
    EXPECT_EQ(said.access_token, "");
    EXPECT_EQ(said.preferred_locale, "en");
    EXPECT_EQ(said.notification_type, "mention");
    EXPECT_EQ(std::to_string(said.notification_id), alice.get("/api/v1/notifications")["0.id"]);
    EXPECT_EQ(said.icon, bob.get("/api/v1/accounts/" + bob.id)["avatar_static"]);
    EXPECT_EQ(said.title, "You were mentioned by bob");
    EXPECT_EQ(said.body, "hello @alice, <here> & there");
    EXPECT_THAT(message.payload, HasSubstr("\"notification_id\":" + std::to_string(said.notification_id)));
    EXPECT_THAT(message.unsubscribe_url, StartsWith("http://localhost:3000/api/web/push_subscriptions/"));
    auto stop = message.unsubscribe_url.substr(21);
    EXPECT_EQ(w.anonymous().del(stop).status, 200);
    EXPECT_EQ(alice.get("/api/v1/push/subscription").status, 404);
}

TEST_P(PushMessages, speak_the_language_of_who_reads_them) {
    subscribes(alice, "follow");
    w.write([&](db::Write& db) { db.run(test_speak, base::AccountId{std::stoll(alice.id)}, "de-AT"); });
    ASSERT_EQ(
        bob.patch(
               "/api/v1/accounts/update_credentials",
               {{"display_name", "Bob O'Hara"}, {"note", "I write\nlines"}}
        )
            .status,
        200
    );
    bob.follows(alice);
    auto messages = due();
    ASSERT_EQ(messages.size(), 1u);
    auto said = read(messages[0]);
    EXPECT_EQ(said.preferred_locale, "de-AT");
    EXPECT_EQ(said.title, "Bob O'Hara folgt dir jetzt");
    EXPECT_EQ(said.body, "I write lines");
}

TEST_P(PushMessages, are_short_and_keep_behind_the_warning_what_it_warns_of) {
    subscribes(alice, "mention");
    bob.status("@alice " + std::string(300, 'x'));
    bob.status("@alice secret", {{"spoiler_text", "Spoilers"}});
    std::string many = "@alice ";
    for (int i = 0; i < 200; ++i) many += "ä";
    bob.status(many);
    auto messages = due();
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(read(messages[0]).body, "@alice " + std::string(132, 'x') + "…");
    EXPECT_EQ(read(messages[1]).body, "Spoilers");
    EXPECT_EQ(read(messages[2]).body.size(), 7 + 132 * 2 + 3u) << "whole characters";
}

TEST_P(PushMessages, go_to_each_subscription_that_asked_for_such_a_thing) {
    subscribes(alice, "mention favourite");
    subscribes(w.with_scopes(alice, "push"), "reblog");
    subscribes(w.with_scopes(alice, "push"), "");
    subscribes(bob, "mention");
    auto post = alice.status("one");
    EXPECT_THAT(told(), IsEmpty());
    bob.favourites(post);
    bob.reblogs(post);
    bob.follows(alice);
    EXPECT_THAT(told(), ElementsAre("alice favourite", "alice reblog"));
    EXPECT_THAT(told(), IsEmpty()) << "they are leased";
}

TEST_P(PushMessages, cost_nothing_where_nobody_listens) {
    w.changed();
    bob.status("@alice hello");
    EXPECT_THAT(w.changed(), testing::Not(HasSubstr("push_messages")));
}

TEST_P(PushMessages, keep_to_the_policy) {
    bob.follows(alice);
    alice.follows(carol);
    auto with = [&](const std::string& policy) {
        subscribes(alice, "mention", {{"data[policy]", policy}});
        bob.status("@alice from a follower");
        carol.status("@alice from whom she follows");
        std::vector<std::string> from;
        for (const auto& message : due()) from.push_back(read(message).title.substr(22));
        return from;
    };
    EXPECT_THAT(with("all"), ElementsAre("bob", "carol"));
    EXPECT_THAT(with("followed"), ElementsAre("carol"));
    EXPECT_THAT(with("follower"), ElementsAre("bob"));
    EXPECT_THAT(with("none"), IsEmpty());
}

TEST_P(PushMessages, do_not_tell_what_is_held_back_or_hidden) {
    subscribes(alice, "mention");
    alice.put("/api/v2/notifications/policy", {{"for_not_following", "filter"}});
    bob.status("@alice held back");
    EXPECT_EQ(waiting(), 0);
    alice.put("/api/v2/notifications/policy", {{"for_not_following", "accept"}});
    auto filter = [&](const std::string& word, const std::string& action, const std::string& context) {
        Fields fields{
            {"title", word},
            {"context[]", context},
            {"filter_action", action},
            {"keywords_attributes[][keyword]", word}
        };
        ASSERT_EQ(alice.post("/api/v2/filters", fields).status, 200);
    };
    filter("dragon", "hide", "notifications");
    filter("griffin", "warn", "notifications");
    filter("unicorn", "hide", "home");
    bob.status("@alice a dragon");
    bob.status("@alice a griffin");
    bob.status("@alice a unicorn");
    std::vector<std::string> bodies;
    for (const auto& message : due()) bodies.push_back(read(message).body);
    EXPECT_THAT(bodies, ElementsAre("@alice a griffin", "@alice a unicorn"));
}

TEST_P(PushMessages, are_not_sent_when_the_reason_is_gone) {
    subscribes(alice, "mention favourite follow");
    auto gone = [&](const char* why) {
        EXPECT_EQ(waiting(), 1) << why;
        auto ids = lease();
        EXPECT_EQ(ids.size(), 1u) << why;
        EXPECT_THAT(w.read([&](db::Read& db) { return push::messages(db, ids); }), IsEmpty()) << why;
        push::Report report;
        report.needless = ids;
        lease(report, 0);
        EXPECT_EQ(waiting(), 0) << why;
    };
    auto post = bob.status("@alice deleted");
    bob.del("/api/v1/statuses/" + post);
    gone("the post is deleted");
    bob.status("@alice dismissed");
    alice.post("/api/v1/notifications/clear");
    gone("alice has cleared them");
    auto own = alice.status("mine");
    bob.favourites(own);
    bob.post("/api/v1/statuses/" + own + "/unfavourite");
    gone("it is taken back");
    bob.status("@alice late");
    w.advance(48 * 3600 + 1);
    gone("two days have gone by");
    carol.status("@alice blocked");
    alice.blocks(carol);
    gone("the sender is blocked");
    bob.status("@alice suspended");
    w.suspend(bob);
    gone("the sender is suspended");
}

TEST_P(PushMessages, end_with_the_token_and_the_user) {
    auto phone = w.with_scopes(alice, "push");
    subscribes(phone, "mention");
    bob.status("@alice one");
    w.revoke(phone);
    EXPECT_THAT(told(), IsEmpty());
    bob.status("@alice two");
    EXPECT_EQ(waiting(), 1) << "no more is queued";
    subscribes(carol, "mention");
    bob.status("@carol one");
    w.write([&](db::Write& db) {
        auto user = accounts::find_user_of(db, {std::stoll(carol.id)});
        accounts::set_disabled(db, user->id, true);
    });
    EXPECT_THAT(told(), IsEmpty());
}

TEST_P(PushMessages, that_failed_are_tried_five_times_ever_later) {
    subscribes(alice, "mention");
    bob.status("@alice hello");
    std::vector<std::int64_t> pauses;
    for (int i = 0; i < 5; ++i) {
        auto messages = due();
        ASSERT_EQ(messages.size(), 1u) << i;
        EXPECT_EQ(messages[0].attempts, i);
        settle(messages[0], Verdict::failed);
        auto before = w.now();
        while (waiting() > 0 && lease({}, 0).empty()) {
            auto next = w.write([&](db::Write& db) { return push::exchange(db, {}, 0, 1000).next_at; });
            if (!next) break;
            w.advance((next->ms - w.now().ms) / 1000);
        }
        pauses.push_back((w.now().ms - before.ms) / 1000);
    }
    EXPECT_THAT(pauses, ElementsAre(1, 4, 20, 120, 0));
    EXPECT_EQ(waiting(), 0);
    EXPECT_EQ(alice.get("/api/v1/push/subscription").status, 200);
}

TEST_P(PushMessages, wait_as_long_as_the_service_wishes_within_bounds) {
    subscribes(alice, "mention");
    bob.status("@alice hello");
    for (auto [wish, seconds] : {std::pair<std::int64_t, std::int64_t>{90, 90}, {10'000'000, 6 * 3600}}) {
        auto messages = due();
        ASSERT_EQ(messages.size(), 1u);
        settle(messages[0], Verdict::failed, wish);
        w.advance(seconds - 1);
        EXPECT_THAT(due(), IsEmpty());
        w.advance(1);
    }
    EXPECT_EQ(due().size(), 1u);
}

TEST_P(PushMessages, that_are_refused_for_good_end_the_subscription) {
    subscribes(alice, "mention");
    subscribes(w.with_scopes(alice, "push"), "mention");
    bob.status("@alice hello");
    auto messages = due();
    ASSERT_EQ(messages.size(), 2u);
    w.changed();
    settle(messages[0], Verdict::gone);
    EXPECT_EQ(w.changed(), "push_subscriptions -1, push_messages -1");
    settle(messages[1], Verdict::sent);
    EXPECT_EQ(w.changed(), "push_messages -1");
}

TEST_P(PushMessages, that_nobody_answered_for_come_back) {
    subscribes(alice, "mention");
    bob.status("@alice hello");
    EXPECT_EQ(lease().size(), 1u);
    EXPECT_THAT(lease(), IsEmpty());
    w.advance(push::lease_seconds + 1);
    EXPECT_EQ(lease().size(), 1u) << "the lease is over";
    w.write([](db::Write& db) { push::release_messages(db, ""); });
    auto ids = lease();
    EXPECT_EQ(ids.size(), 1u) << "the process was killed";
    push::Report report;
    report.rescheduled = ids;
    EXPECT_THAT(lease(report), IsEmpty());
    w.advance(10);
    report = {};
    report.crowded = lease();
    EXPECT_THAT(lease(report), IsEmpty());
    w.advance(2);
    report = {};
    report.released = lease();
    EXPECT_EQ(lease(report).size(), 1u);
}

TEST_P(PushMessages, cost_as_many_queries_for_forty_as_for_one) {
    subscribes(alice, "mention");
    bob.status("@alice warms up what is kept");
    due();
    auto cost = [&](int count) {
        for (int i = 0; i < count; ++i) (i % 2 == 0 ? bob : carol).status("@alice " + std::to_string(i));
        auto ids = lease();
        w.queries();
        auto found = w.read([&](db::Read& db) { return push::messages(db, ids); });
        EXPECT_EQ(std::ssize(found), count);
        return w.queries();
    };
    auto one = cost(1);
    EXPECT_EQ(cost(40), one);
}

TEST(PushVerdicts, follow_the_answer) {
    using base::FetchFailure;
    for (int status : {200, 201, 202, 204})
        EXPECT_EQ(push::verdict(FetchFailure::none, status), Verdict::sent) << status;
    for (int status : {400, 401, 403, 404, 410, 413})
        EXPECT_EQ(push::verdict(FetchFailure::none, status), Verdict::gone) << status;
    for (int status : {301, 408, 429, 500, 503})
        EXPECT_EQ(push::verdict(FetchFailure::none, status), Verdict::failed) << status;
    EXPECT_EQ(push::verdict(FetchFailure::forbidden_address, 0), Verdict::failed);
    EXPECT_EQ(push::verdict(FetchFailure::timeout, 0), Verdict::failed);
}

}  // namespace
