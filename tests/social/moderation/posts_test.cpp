// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team does about posts, and what whoever wrote them is told: what was decided, about what, why, by whom, and how to appeal.
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "social/media/media.hpp"
#include "social/moderation/posts/post_action.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

const db::Command test_house_rule{"test_house_rule", "INSERT INTO rules (id, text) VALUES ($1, 'Be kind')"};

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not, testing::SizeIs,
    testing::UnorderedElementsAre;

struct PostActs : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), mona = staff(w, "mona", accounts::moderator),
           alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    std::string picture() {
        return w.write([&](db::Write& db) {
            media::Media m;
            m.account_id = {std::stoll(bob.id)};
            m.file = "media/ab/abcd.png";
            m.preview = "media/ab/abcd_small.png";
            m.mime = "image/png";
            return std::to_string(media::create(db, m).value);
        });
    }
    std::string report_on(
        const std::string& whom, const std::vector<std::string>& posts, Fields fields = {}
    ) {
        fields.emplace_back("account_id", whom);
        for (const auto& post : posts) fields.emplace_back("status_ids[]", post);
        auto made = alice.post("/api/v1/reports", fields);
        EXPECT_EQ(made.status, 200) << made.body;
        w.run_jobs();
        w.mails(), w.changed(), w.happened(), sent(w);
        return made.id();
    }
    Answer act(const Person& who, const std::string& report, Fields fields) {
        auto done = who.post("/api/dunlin/v1/moderation/reports/" + report + "/posts", fields);
        w.run_jobs();
        return done;
    }
    std::string sensitive(const std::string& post) {
        return carol.get("/api/v1/statuses/" + post)["sensitive"];
    }
    std::string statement() {
        return bob.get("/api/dunlin/v1/strikes/" + bob.get("/api/dunlin/v1/strikes")["0.id"] + "/statement")
            .body;
    }
};
ON_EACH_DATABASE(PostActs);

TEST_P(PostActs, delete_what_was_reported_and_say_so_to_whoever_wrote_it) {
    w.write([](db::Write& db) { db.run(test_house_rule, base::RuleId{7}); });
    auto rude = bob.status("rude"), other = bob.status("also rude"), kept = bob.status("kind");
    auto report = report_on(bob.id, {rude, other}, {{"category", "violation"}, {"rule_ids[]", "7"}});
    auto done = act(mona, report, {{"type", "delete_statuses"}, {"text", "Not here"}});
    EXPECT_EQ(done.status, 200) << done.body;
    EXPECT_EQ(done["action_taken"], "true");
    EXPECT_EQ(carol.get("/api/v1/statuses/" + rude).status, 404);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + other).status, 404);
    EXPECT_EQ(carol.get("/api/v1/statuses/" + kept).status, 200);
    EXPECT_EQ(mona.get("/api/v1/admin/reports/" + report)["statuses.0.content"], "<p>also rude</p>");

    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("moderation_warning"));
    auto told = bob.get("/api/dunlin/v1/strikes");
    EXPECT_EQ(told["0.action"], "delete_statuses");
    EXPECT_EQ(told["0.status_ids"], "[\"" + rude + "\",\"" + other + "\"]");
    auto said = bob.get("/api/dunlin/v1/strikes/" + told["0.id"] + "/statement");
    EXPECT_EQ(said["decision"] + " " + said["scope"], "delete_statuses posts");
    EXPECT_EQ(said["automated"] + said["reported"], "falsetrue");
    EXPECT_EQ(said["ground"] + ": " + said["rules.0.text"], "violation: Be kind");
    EXPECT_EQ(said["text"], "Not here");
    EXPECT_EQ(said["posts.1.id"], other);
    EXPECT_EQ(said["posts.1.url"], "null") << "it is gone";
    EXPECT_EQ(
        said["appeal.until"].substr(0, 10), base::to_string(w.now().plus_seconds(20 * 86'400)).substr(0, 10)
    );
    EXPECT_EQ(said["ends_at"], "null");
    auto mails = w.mails();
    ASSERT_THAT(mails, SizeIs(1));
    EXPECT_EQ(mails[0].to, "bob@example.com");
    for (auto words :
         {"Your posts have been removed", "Not here", "Be kind", "The team decided this after a report."})
        EXPECT_THAT(mails[0].text, HasSubstr(words));
    for (const auto& text : {said.body, mails[0].text, told.body})
        EXPECT_THAT(text, Not(testing::AnyOf(HasSubstr("mona"), HasSubstr("alice"))));
    EXPECT_THAT(logged(w, owner), ElementsAre("delete_statuses Account", "resolve Report"));
    EXPECT_EQ(act(mona, report, {{"type", "delete_statuses"}}).status, 422) << "nothing is left";
    EXPECT_EQ(alice.get("/api/dunlin/v1/strikes/" + told["0.id"] + "/statement").status, 404);
}

TEST_P(PostActs, cover_media_until_an_appeal_is_approved) {
    auto shown = bob.status("look", {{"media_ids[]", picture()}}), words = bob.status("words alone");
    auto report = report_on(bob.id, {shown, words});
    EXPECT_EQ(act(mona, report, {{"type", "mark_statuses_as_sensitive"}}).status, 200);
    EXPECT_EQ(sensitive(shown) + sensitive(words), "truefalse");
    EXPECT_THAT(
        carol.get("/api/v1/statuses/" + shown + "/history").all("sensitive"), ElementsAre("false", "true")
    );
    auto strike = bob.get("/api/dunlin/v1/strikes");
    EXPECT_EQ(strike["0.action"], "mark_statuses_as_sensitive");
    EXPECT_EQ(strike["0.status_ids"], "[\"" + shown + "\"]");
    EXPECT_THAT(statement(), HasSubstr("/@bob/" + shown));
    auto again = report_on(bob.id, {shown, words});
    EXPECT_EQ(
        act(mona, again, {{"type", "mark_statuses_as_sensitive"}}).error(),
        "None of the reported posts has media to be covered"
    );
    bob.post("/api/dunlin/v1/strikes/" + strike["0.id"] + "/appeal", {{"text", "It is art"}});
    auto appeal = owner.get("/api/dunlin/v1/moderation/appeals")["0.id"];
    EXPECT_EQ(owner.post("/api/dunlin/v1/moderation/appeals/" + appeal + "/approve").status, 200);
    w.run_jobs();
    EXPECT_EQ(sensitive(shown), "false");
    EXPECT_THAT(statement(), Not(HasSubstr("\"overruled_at\":null")));
}

TEST_P(PostActs, are_decided_once_before_anything_is_seen_of_it) {
    auto rude = bob.status("rude"), other = bob.status("also rude");
    auto report = report_on(bob.id, {rude, other});
    const auto path = "/api/dunlin/v1/moderation/reports/" + report + "/posts";
    const Fields deletes{{"type", "delete_statuses"}};
    EXPECT_EQ(mona.post(path, {{"type", "delete_statuses"}, {"status_ids[]", rude}}).status, 200);
    EXPECT_EQ(mona.post(path, {{"type", "delete_statuses"}, {"status_ids[]", rude}}).status, 422);
    EXPECT_EQ(mona.post(path, deletes).status, 200) << "the other one is left";
    EXPECT_EQ(mona.post(path, deletes).error(), "None of the reported posts is left");
    w.run_jobs();
    EXPECT_THAT(w.mails(), SizeIs(2));
    EXPECT_THAT(
        bob.get("/api/dunlin/v1/strikes").all("status_ids"),
        ElementsAre("[\"" + other + "\"]", "[\"" + rude + "\"]")
    );
    EXPECT_EQ(bob.get("/api/v1/statuses/" + rude).status, 404);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + other).status, 404);
}

TEST_P(PostActs, tell_other_servers_of_posts_of_this_site_and_keep_theirs_away) {
    Peer far = Peer(w).known();
    far.brings(far.follow(uri_of(w, bob)));
    w.run_inbox();
    auto shown = bob.status("look", {{"media_ids[]", picture()}}), rude = bob.status("rude");
    w.run_jobs();
    act(mona, report_on(bob.id, {shown}), {{"type", "mark_statuses_as_sensitive"}});
    EXPECT_THAT(sent_lines(w), ElementsAre("Update far.example/users/bob/inbox"));
    act(mona, report_on(bob.id, {rude}), {{"type", "delete_statuses"}});
    EXPECT_THAT(sent_lines(w), ElementsAre("Delete far.example/users/bob/inbox"));

    remote::follows(w, alice, far.id);
    auto create = far.create(far.note("1", "theirs"), "1");
    EXPECT_EQ(far.brings(create).status, 202);
    w.run_inbox();
    auto theirs = alice.get("/api/v1/timelines/home")["0.id"];
    act(mona, report_on(remote::text(far.id), {theirs}), {{"type", "delete_statuses"}});
    EXPECT_EQ(alice.get("/api/v1/statuses/" + theirs).status, 404);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_TRUE(w.mails().empty());
    far.brings(far.create(far.note("1", "theirs"), "again"));
    w.run_inbox();
    EXPECT_THAT(alice.get("/api/v1/timelines/home").ids(), IsEmpty()) << "it does not come back";
}

TEST_P(PostActs, are_for_who_handles_reports_and_stands_above) {
    auto rude = bob.status("rude"), mine = alice.status("mine");
    auto report = report_on(bob.id, {rude});
    auto users = staff(w, "uma", role_with(w, accounts::permission::manage_users));
    const Fields deletes{{"type", "delete_statuses"}};
    EXPECT_EQ(act(alice, report, deletes).status, 403);
    EXPECT_EQ(act(users, report, deletes).status, 403);
    EXPECT_EQ(act(mona, "1", deletes).status, 404);
    EXPECT_EQ(act(mona, report, {{"type", "silence"}}).status, 422);
    EXPECT_EQ(act(mona, report, {{"type", "dance"}}).status, 422);
    EXPECT_EQ(act(mona, report, {{"type", "delete_statuses"}, {"status_ids[]", mine}}).status, 422);
    auto above = report_on(owner.id, {owner.status("by the owner")});
    EXPECT_EQ(act(mona, above, deletes).status, 403);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + rude).status, 200);
    EXPECT_EQ(bob.get("/api/dunlin/v1/strikes").ids(), std::vector<std::string>{});
    EXPECT_THAT(logged(w, owner), IsEmpty());
    // Of several, those that are named; nobody is told of spam.
    auto spam = bob.status("spam");
    auto both = report_on(bob.id, {rude, spam}, {{"category", "spam"}});
    EXPECT_EQ(act(mona, both, {{"type", "delete_statuses"}, {"status_ids[]", spam}}).status, 200);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + rude).status, 200);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + spam).status, 404);
    EXPECT_TRUE(w.mails().empty());
    EXPECT_THAT(bob.get("/api/dunlin/v1/strikes").all("action"), ElementsAre("delete_statuses"));
}

TEST_P(PostActs, go_on_in_the_background_where_there_are_many) {
    std::vector<base::StatusId> posts;
    std::vector<std::string> written;
    for (int i = 0; i < 40; ++i) {
        written.push_back(bob.status("number " + std::to_string(i)));
        posts.push_back({std::stoll(written.back())});
    }
    auto report = report_on(bob.id, written);
    EXPECT_EQ(act(mona, report, {{"type", "delete_statuses"}}).status, 200);
    for (const auto& post : written) EXPECT_EQ(bob.get("/api/v1/statuses/" + post).status, 404);
    EXPECT_EQ(bob.get("/api/v1/accounts/" + bob.id)["statuses_count"], "0");
    // Done twice is done once.
    w.write([&](db::Write& db) {
        moderation::delete_posts(db, {{std::stoll(bob.id)}, posts});
        moderation::delete_posts(db, {{std::stoll(alice.id)}, posts});
    });
    EXPECT_EQ(bob.get("/api/v1/accounts/" + bob.id)["statuses_count"], "0");
    EXPECT_THAT(bob.get("/api/dunlin/v1/strikes").ids(), SizeIs(1));
}

}  // namespace
