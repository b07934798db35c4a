// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that rules hold back: nobody but their author knows of them until the team lets them go, and then they are posts like any other.
#include "social/rules/held.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/stage.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/remote/remote.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using namespace rule_stage;
using testing::ElementsAre, testing::IsEmpty, testing::SizeIs, testing::Contains, testing::Not,
    testing::HasSubstr;
struct Holding : Rules {
    const std::string held = "/api/dunlin/v1/moderation/held";
    Person bob = w.local("bob");

    std::string holding(const std::string& more = "") {
        auto id = made(simple(word("spam"), R"({"act":"hold")" + more + "}"));
        EXPECT_EQ(mode(id, "on")["mode"], "on") << "it needs no rehearsal";
        return id;
    }
    std::string first() { return owner.get(held)["0.id"]; }
    std::vector<std::string> told(const Person& who) {
        w.run_jobs();
        return who.get("/api/v1/notifications").all("type");
    }
    std::string visible(const Person& who, const std::string& status) {
        return std::to_string(who.get("/api/v1/statuses/" + status).status);
    }
};
ON_EACH_DATABASE(Holding);

TEST_P(Holding, show_a_post_of_this_site_to_its_author_alone_until_it_is_released) {
    auto rule = holding();
    remote::follows(w, bob, remote::number(alice));
    auto parent = bob.status("a question");
    auto posted = alice.post(
        "/api/v1/statuses", {{"status", "@bob spam #pills https://a.example"}, {"in_reply_to_id", parent}}
    );
    ASSERT_EQ(posted.status, 200) << posted.body;
    auto status = posted.id();
    EXPECT_EQ(posted["visibility"], "direct");
    EXPECT_EQ(visible(alice, status), "200");
    EXPECT_EQ(visible(bob, status), "404");
    EXPECT_THAT(told(bob), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/timelines/home").ids(), Not(Contains(status)));
    EXPECT_THAT(bob.get("/api/v1/timelines/tag/pills").ids(), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/conversations").ids(), IsEmpty());
    EXPECT_EQ(bob.get("/api/v1/statuses/" + parent)["replies_count"], "0");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["statuses_count"], "0");
    EXPECT_EQ(alice.put("/api/v1/statuses/" + status, {{"status", "@bob more"}}).status, 403);
    auto waiting = owner.get(held);
    EXPECT_EQ(waiting["0.status_id"], status);
    EXPECT_EQ(waiting["0.acct"], "alice");
    EXPECT_EQ(waiting["0.visibility"], "public");
    EXPECT_EQ(waiting["0.mentions_count"], "1");
    EXPECT_THAT(waiting["0.content"], HasSubstr("spam"));
    EXPECT_EQ(waiting["0.rule_ids.0"], rule);

    EXPECT_EQ(owner.post(held + "/" + first() + "/release").status, 200);
    EXPECT_THAT(told(bob), ElementsAre("mention"));
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["visibility"], "public");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["mentions.0.username"], "bob");
    EXPECT_THAT(bob.get("/api/v1/timelines/home").ids(), Contains(status));
    EXPECT_THAT(bob.get("/api/v1/timelines/tag/pills").ids(), ElementsAre(status));
    EXPECT_EQ(bob.get("/api/v1/statuses/" + parent)["replies_count"], "1");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["statuses_count"], "1");
    EXPECT_THAT(owner.get(held).ids(), IsEmpty());
    EXPECT_THAT(logged(w, owner), Contains("release HeldPost"));
    EXPECT_EQ(alice.put("/api/v1/statuses/" + status, {{"status", "eggs"}}).status, 200);
}

TEST_P(Holding, keep_a_post_of_another_server_out_of_everything_until_it_is_released) {
    auto rule = holding();
    auto fay = remote::somebody(w, "fay");
    auto note = remote::note(w, fay, "1", "<p>spam for you</p>");
    note.mentions.push_back({remote::number(bob)});
    note.tags = {"pills"};
    note.poll = statuses::RemotePoll{false, {{"yes", 3}, {"no", 1}}, {}, 4};
    note.media.push_back({"https://far.example/a.png", "", "image/png", "a picture", "", 10, 20, 0.5, {}, {}}
    );
    note.quote_policy = statuses::QuotePolicy::public_;
    EXPECT_EQ(brought(note), "");
    EXPECT_EQ(brought(note), "") << "it comes twice and waits once";
    auto hits = w.read([&](db::Read& db) { return rules::hits(db, {std::stoll(rule)}, {}); });
    EXPECT_THAT(hits, SizeIs(1)) << "and is counted once";
    EXPECT_EQ(mode(rule, "off")["mode"], "off");
    EXPECT_EQ(brought(note), "") << "what waits already waits on";
    EXPECT_THAT(told(bob), IsEmpty());
    auto waiting = owner.get(held);
    ASSERT_THAT(waiting.ids(), SizeIs(1)) << waiting.body;
    EXPECT_EQ(waiting["0.uri"], note.uri);
    EXPECT_EQ(waiting["0.acct"], "fay@far.example");
    EXPECT_EQ(waiting["0.media.0"], "https://far.example/a.png");
    EXPECT_EQ(waiting["0.until"], "null");

    EXPECT_EQ(owner.post(held + "/" + first() + "/release").status, 200);
    EXPECT_THAT(told(bob), ElementsAre("mention"));
    auto found = w.read([&](db::Read& db) { return statuses::find_by_uri(db, note.uri); });
    ASSERT_TRUE(found);
    auto shown = bob.get("/api/v1/statuses/" + std::to_string(found->value));
    EXPECT_EQ(shown["poll.options.0.votes_count"], "3");
    EXPECT_EQ(shown["media_attachments.0.description"], "a picture");
    EXPECT_EQ(shown["tags.0.name"], "pills");
    EXPECT_EQ(shown["visibility"], "public");
}

TEST_P(Holding, drop_a_post_for_good) {
    holding();
    auto status = alice.status("spam");
    EXPECT_EQ(owner.post(held + "/" + first() + "/drop").status, 200);
    EXPECT_EQ(visible(alice, status), "404");
    auto fay = remote::somebody(w, "fay");
    auto note = remote::note(w, fay, "1", "<p>spam</p>");
    brought(note);
    EXPECT_EQ(owner.post(held + "/" + first() + "/drop").status, 200);
    EXPECT_EQ(remote::stored(w, note), "") << "it may come again";
    EXPECT_THAT(owner.get(held).ids(), IsEmpty());
    EXPECT_EQ(owner.post(held + "/1/drop").status, 404);
}

TEST_P(Holding, keep_a_poll_waiting_with_its_post) {
    holding();
    auto posted = alice.post(
        "/api/v1/statuses",
        {{"status", "spam?"},
         {"poll[options][]", "yes"},
         {"poll[options][]", "no"},
         {"poll[expires_in]", "3600"}}
    );
    ASSERT_EQ(posted.status, 200) << posted.body;
    const auto status = posted.id();
    auto ends = [&] {
        w.happened();
        support::run_periodic(w, statuses::end_polls);
        return w.happened();
    };
    w.advance(2 * 3600);
    EXPECT_EQ(ends(), "");
    EXPECT_EQ(owner.post(held + "/" + first() + "/release").status, 200);
    w.run_jobs();
    auto poll = bob.get("/api/v1/statuses/" + status);
    EXPECT_EQ(poll["poll.expired"], "false");
    EXPECT_EQ(poll["poll.expires_at"], base::to_string(w.now().plus_seconds(3600)));
    EXPECT_EQ(bob.post("/api/v1/polls/" + poll["poll.id"] + "/votes", {{"choices[]", "0"}}).status, 200);
    EXPECT_EQ(ends(), "");
    w.advance(3601);
    EXPECT_EQ(ends(), "PollEnded, VotersContinued");
    EXPECT_EQ(ends(), "");
}

TEST_P(Holding, of_people_who_are_limited_meanwhile_are_released_as_unlisted) {
    holding();
    auto status = alice.status("spam #pills");
    w.silence(alice);
    EXPECT_EQ(owner.post(held + "/" + first() + "/release").status, 200);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["visibility"], "unlisted");
    EXPECT_THAT(bob.get("/api/v1/timelines/public").ids(), IsEmpty());
}

TEST_P(Holding, leave_unlisted_what_the_limited_wrote_when_a_rule_is_undone) {
    auto rule = on(simple(word("eggs"), act("unlist")));
    auto status = alice.status("eggs"), bobs = bob.status("eggs");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["visibility"], "unlisted");
    w.silence(alice);
    owner.post(path + "/hits/undo", {{"rule_id", rule}});
    w.run_jobs();
    EXPECT_EQ(bob.get("/api/v1/statuses/" + bobs)["visibility"], "public");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["visibility"], "unlisted");
}

TEST_P(Holding, may_be_set_aside_and_taken_up_again_for_a_week) {
    holding();
    auto status = alice.status("spam");
    auto id = first();
    EXPECT_EQ(owner.post(held + "/" + id + "/set_aside").status, 200);
    EXPECT_THAT(owner.get(held).ids(), IsEmpty());
    EXPECT_THAT(owner.get(held, {{"set_aside", "true"}}).ids(), ElementsAre(id));
    w.advance(rules::aside_for_seconds - 1);
    w.write(rules::find_due_held);
    w.run_jobs();
    EXPECT_EQ(visible(alice, status), "200");
    EXPECT_EQ(owner.post(held + "/" + id + "/take_up").status, 200);
    EXPECT_THAT(owner.get(held).ids(), ElementsAre(id));
    EXPECT_EQ(owner.get(held)["0.until"], "null");
    w.advance(rules::aside_for_seconds);
    w.write(rules::find_due_held);
    w.run_jobs();
    EXPECT_THAT(owner.get(held).ids(), ElementsAre(id)) << "it waits without an end";
    EXPECT_EQ(owner.post(held + "/" + id + "/set_aside").status, 200);
    w.advance(rules::aside_for_seconds + 1);
    w.write(rules::find_due_held);
    w.run_jobs();
    EXPECT_EQ(visible(alice, status), "404");
    EXPECT_THAT(owner.get(held, {{"set_aside", "true"}}).ids(), IsEmpty());
    EXPECT_THAT(logged(w, owner), testing::IsSupersetOf({"set_aside HeldPost", "take_up HeldPost"}));
}

TEST_P(Holding, end_as_the_team_says_that_was_faster_than_their_time) {
    holding(R"(,"hours":2,"then":"release")");
    auto removed = alice.status("spam");
    auto first_id = first();
    EXPECT_EQ(owner.post(held + "/" + first_id + "/take_up").status, 404) << "nobody set it aside";
    w.advance(2 * 3600 + 1);
    w.write(rules::find_due_held);
    EXPECT_EQ(owner.post(held + "/" + first_id + "/set_aside").status, 200);
    w.run_jobs();
    EXPECT_THAT(owner.get(held, {{"set_aside", "true"}}).ids(), ElementsAre(first_id));
    EXPECT_EQ(visible(bob, removed), "404");
    w.advance(rules::aside_for_seconds + 1);
    w.write(rules::find_due_held);
    EXPECT_EQ(owner.post(held + "/" + first_id + "/take_up").status, 200);
    w.run_jobs();
    EXPECT_THAT(owner.get(held).ids(), ElementsAre(first_id)) << "it waits on";
    EXPECT_EQ(visible(bob, removed), "404");
    EXPECT_EQ(visible(alice, removed), "200");
    EXPECT_EQ(owner.post(held + "/" + first_id + "/take_up").status, 404);
}

TEST_P(Holding, end_by_themselves_as_the_rule_says) {
    holding(R"(,"hours":2,"then":"release")");
    auto released = alice.status("spam");
    mode(owner.get(path)["0.id"], "off");
    auto drops = made(simple(word("eggs"), R"({"act":"hold","hours":3,"then":"drop"})"));
    mode(drops, "on");
    auto dropped = alice.status("eggs");
    EXPECT_EQ(owner.get(held)["0.then"], "drop");
    w.advance(2 * 3600 + 1);
    w.write(rules::find_due_held);
    w.run_jobs();
    EXPECT_EQ(visible(bob, released), "200");
    EXPECT_EQ(visible(alice, dropped), "200");
    w.advance(3600);
    w.write(rules::find_due_held);
    w.run_jobs();
    EXPECT_EQ(visible(alice, dropped), "404");
    auto why = send(http::Method::post, path, simple(word("x"), R"({"act":"hold","hours":5})")).error();
    EXPECT_THAT(why, HasSubstr("after hours, then is release or drop"));
}

TEST_P(Holding, leave_what_is_there_as_it_is_where_an_edit_would_be_held) {
    holding();
    auto kept = alice.status("harmless");
    EXPECT_THAT(
        alice.put("/api/v1/statuses/" + kept, {{"status", "spam"}}).error(),
        HasSubstr("has to look at it first")
    );
    EXPECT_THAT(alice.get("/api/v1/statuses/" + kept)["content"], HasSubstr("harmless"));
    EXPECT_THAT(owner.get(held).ids(), IsEmpty());
}

TEST_P(Holding, forget_what_its_author_deletes) {
    holding();
    auto status = alice.status("spam");
    EXPECT_EQ(alice.del("/api/v1/statuses/" + status).status, 200);
    auto fay = remote::somebody(w, "fay");
    auto note = remote::note(w, fay, "1", "<p>spam</p>");
    brought(note);
    w.write([&](db::Write& db) { statuses::remove_remote(db, fay, note.uri); });
    EXPECT_THAT(owner.get(held).ids(), IsEmpty());
    EXPECT_EQ(remote::stored(w, note), "");
}

TEST_P(Holding, are_let_go_where_the_rule_is_undone_unless_another_one_holds_them) {
    auto one = holding();
    auto two = made(simple(word("eggs"), act("hold")));
    mode(two, "on");
    auto alone = alice.status("spam"), both = alice.status("spam and eggs");
    auto fay = remote::somebody(w, "fay");
    auto note = remote::note(w, fay, "1", "<p>spam</p>");
    brought(note);
    owner.post(path + "/hits/undo", {{"rule_id", one}});
    w.run_jobs();
    EXPECT_EQ(visible(bob, alone), "200");
    EXPECT_EQ(visible(bob, both), "404");
    EXPECT_TRUE(w.read([&](db::Read& db) { return statuses::find_by_uri(db, note.uri); }));
    owner.post(path + "/hits/undo", {{"rule_id", two}});
    w.run_jobs();
    EXPECT_EQ(visible(bob, both), "200");
}

TEST_P(Holding, stay_set_aside_where_the_rule_is_undone) {
    auto rule = holding();
    auto removed = alice.status("spam");
    auto id = first();
    EXPECT_EQ(owner.post(held + "/" + id + "/set_aside").status, 200);
    auto waiting = alice.status("more spam");
    owner.post(path + "/hits/undo", {{"rule_id", rule}});
    w.run_jobs();
    EXPECT_EQ(visible(bob, removed), "404");
    EXPECT_EQ(visible(bob, waiting), "200");
    EXPECT_THAT(owner.get(held, {{"set_aside", "true"}}).ids(), ElementsAre(id));
}

TEST_P(Holding, stay_with_an_account_that_two_rules_limit_until_the_second_is_undone) {
    auto one = on(simple(word("spam"), act("limit_account"))),
         two = on(simple(word("eggs"), act("limit_account")));
    auto fay = remote::somebody(w, "fay");
    brought(remote::note(w, fay, "1", "<p>spam</p>"));
    brought(remote::note(w, fay, "2", "<p>eggs</p>"));
    w.run_jobs();
    auto limited = [&] { return owner.get("/api/v1/admin/accounts/" + remote::text(fay))["silenced"]; };
    EXPECT_EQ(limited(), "true");
    owner.post(path + "/hits/undo", {{"rule_id", one}});
    w.run_jobs();
    EXPECT_EQ(limited(), "true");
    owner.post(path + "/hits/undo", {{"rule_id", two}});
    w.run_jobs();
    EXPECT_EQ(limited(), "false");
}

TEST_P(Holding, are_looked_through_by_staff_alone) {
    holding();
    alice.status("spam");
    auto plain = w.with_scopes(alice, staff_scopes);
    EXPECT_EQ(plain.get(held).status, 403);
    EXPECT_EQ(plain.post(held + "/" + first() + "/release").status, 403);
    EXPECT_THAT(owner.get(held).ids(), SizeIs(1));
}

}  // namespace
