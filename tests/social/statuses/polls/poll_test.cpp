// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/polls/poll.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Polls : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    Fields asking(const Fields& more = {}, const std::vector<std::string>& options = {"tea", "coffee"}) {
        Fields out{{"status", "What?"}, {"poll[expires_in]", "600"}};
        for (const auto& option : options) out.emplace_back("poll[options][]", option);
        out.insert(out.end(), more.begin(), more.end());
        return out;
    }
    std::string poll(const Fields& more = {}) {
        auto id = alice.post("/api/v1/statuses", asking(more))["poll.id"];
        w.happened(), w.changed();
        return id;
    }
    Answer votes(const Person& who, const std::string& id, const std::vector<std::string>& choices) {
        Fields form;
        for (const auto& choice : choices) form.emplace_back("choices[]", choice);
        return who.post("/api/v1/polls/" + id + "/votes", form);
    }
    void expect_refused(const Answer& answer, int status, const std::string& error) {
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.error(), error);
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
    void end_polls() { support::run_periodic(w, statuses::end_polls); }
};
ON_EACH_DATABASE(Polls);

TEST_P(Polls, are_shown_in_the_status_and_by_themselves) {
    auto status =
        alice.post("/api/v1/statuses", asking({{"poll[multiple]", "true"}}, {" tea ", "", "coffee"}));
    EXPECT_EQ(status["poll.expires_at"], "2026-01-01T00:10:00.000Z");
    EXPECT_EQ(status["poll.expired"], "false");
    EXPECT_EQ(status["poll.multiple"], "true");
    EXPECT_EQ(status["poll.votes_count"], "0");
    EXPECT_EQ(status["poll.voters_count"], "0");
    EXPECT_EQ(status["poll.options.0.title"], "tea");
    EXPECT_EQ(status["poll.options.1.title"], "coffee");
    EXPECT_EQ(status["poll.options.1.votes_count"], "0");
    EXPECT_EQ(status["poll.options.2"], "absent");
    EXPECT_EQ(status["poll.voted"], "true");
    EXPECT_EQ(w.happened(), "Published");
    EXPECT_EQ(w.changed(), "conversations +1, statuses +1, polls +1, poll_options +2, home_entries +1");
    auto path = "/api/v1/polls/" + status["poll.id"];
    EXPECT_EQ(bob.get(path)["voted"], "false");
    auto strange = w.anonymous().get(path);
    EXPECT_EQ(strange["voted"], "absent");
    EXPECT_EQ(strange["own_votes"], "absent");
    EXPECT_EQ(strange.header("Cache-Control").substr(0, 10), "max-age=15");
}

TEST_P(Polls, are_checked) {
    auto refused = [&](const Fields& form, const std::string& why) {
        expect_refused(alice.post("/api/v1/statuses", form), 422, "Validation failed: Poll " + why);
    };
    refused(asking({}, {"tea", " "}), "options must have more than one item");
    refused(asking({}, {"1", "2", "3", "4", "5"}), "options can't contain more than 4 items");
    refused(asking({}, {"tea", "tea "}), "options contain duplicate items");
    refused(asking({}, {"tea", std::string(51, 'x')}), "options cannot be longer than 50 characters each");
    refused(asking({{"poll[expires_in]", "299"}}), "expires at is too soon");
    refused(asking({{"poll[expires_in]", "2629747"}}), "expires at is too far into the future");
    refused(
        {{"status", "a"}, {"poll[options][]", "1"}, {"poll[options][]", "2"}},
        "expires at is too far into the future"
    );
    refused({{"status", "a"}, {"poll[multiple]", "1"}}, "options must have more than one item");
    expect_refused(
        alice.post("/api/v1/statuses", asking({{"status", ""}})),
        422,
        "Validation failed: Text can't be blank"
    );
    std::string fifty;
    for (int i = 0; i < 50; ++i) fifty += "\xc3\xa9";
    EXPECT_EQ(alice.post("/api/v1/statuses", asking({}, {"tea", fifty})).status, 200);
}

TEST_P(Polls, take_one_vote_each) {
    auto id = poll();
    auto answer = votes(bob, id, {"1"});
    EXPECT_EQ(answer["voted"], "true");
    EXPECT_EQ(answer["own_votes.0"], "1");
    EXPECT_EQ(answer["votes_count"], "1");
    EXPECT_EQ(answer["voters_count"], "1");
    EXPECT_EQ(answer["options.1.votes_count"], "1");
    EXPECT_EQ(w.happened(), "Voted");
    EXPECT_EQ(w.changed(), "poll_votes +1");
    for (auto again : {"0", "1"})
        expect_refused(
            votes(bob, id, {again}), 422, "Validation failed: You have already voted on this poll"
        );
    expect_refused(
        votes(carol, id, {"0", "1"}), 422, "Validation failed: You have already voted on this poll"
    );
    EXPECT_EQ(votes(carol, id, {"1"})["options.1.votes_count"], "2");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + id)["poll.voters_count"], "2");
    EXPECT_EQ(alice.home(), std::vector{id});
}

TEST_P(Polls, with_several_choices_take_each_once_and_more_later) {
    auto id = poll({{"poll[multiple]", "1"}, {"poll[options][]", "water"}});
    EXPECT_EQ(votes(bob, id, {"0", "2"})["votes_count"], "2");
    w.happened(), w.changed();
    auto already = "Validation failed: You have already voted on this poll";
    expect_refused(votes(bob, id, {"1", "2"}), 422, already);
    expect_refused(votes(bob, id, {"1", "1"}), 422, already);
    auto more = votes(bob, id, {"1"});
    EXPECT_EQ(more["votes_count"], "3");
    EXPECT_EQ(more["voters_count"], "1");
    EXPECT_EQ(more["own_votes"], "[0,2,1]");
}

TEST_P(Polls, tell_own_votes_in_the_order_of_voting) {
    auto id = poll({{"poll[multiple]", "1"}, {"poll[options][]", "water"}, {"poll[options][]", "milk"}});
    auto of = [](const Answer& answer) { return answer["own_votes"]; };
    EXPECT_EQ(of(votes(bob, id, {"3", "0"})), "[3,0]");
    EXPECT_EQ(of(votes(bob, id, {"2"})), "[3,0,2]");
    EXPECT_EQ(of(votes(carol, id, {"1", "3", "2"})), "[1,3,2]");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id)["poll.own_votes"], "[3,0,2]");
}

TEST_P(Polls, refuse_votes_that_cannot_count) {
    auto id = poll();
    expect_refused(votes(alice, id, {"0"}), 422, "Validation failed: You cannot vote in your own polls");
    for (auto wrong : {"2", "-1", "x", "", "99999999999999999999"})
        expect_refused(
            votes(bob, id, {wrong}), 422, "Validation failed: The chosen vote option does not exist"
        );
    expect_refused(votes(bob, id, {}), 400, "param is missing or the value is empty or invalid: choices");
    bob.blocks(alice);
    w.happened(), w.changed();
    expect_refused(votes(bob, id, {"0"}), 403, "This action is not allowed");
    w.advance(600);
    expect_refused(votes(carol, id, {"0"}), 422, "Validation failed: The poll has already ended");
}

TEST_P(Polls, of_hidden_statuses_are_not_found) {
    auto id = poll({{"visibility", "private"}}), plain = alice.status("no poll");
    auto gone = poll();
    alice.del("/api/v1/statuses/" + gone);
    alice.blocks(carol);
    auto blocking = poll();
    w.happened(), w.changed();
    for (const auto& hidden : {id, plain, gone, std::string("1"), std::string("x")}) {
        EXPECT_EQ(bob.get("/api/v1/polls/" + hidden).body, R"({"error":"Not Found"})");
        expect_refused(votes(bob, hidden, {"0"}), 404, "Not Found");
    }
    expect_refused(votes(carol, blocking, {"0"}), 404, "Not Found");
}

TEST_P(Polls, that_hide_totals_show_them_when_they_end) {
    auto id = poll({{"poll[hide_totals]", "true"}});
    auto answer = votes(bob, id, {"0"});
    EXPECT_EQ(answer["options.0.votes_count"], "null");
    EXPECT_EQ(answer["votes_count"], "1");
    w.advance(600);
    auto over = carol.get("/api/v1/statuses/" + id);
    EXPECT_EQ(over["poll.expired"], "true");
    EXPECT_EQ(over["poll.options.0.votes_count"], "1");
    EXPECT_EQ(over["poll.options.1.votes_count"], "0");
}

TEST_P(Polls, tell_author_and_voters_once_that_they_ended) {
    auto id = poll();
    votes(bob, id, {"0"});
    w.happened(), w.changed();
    w.advance(599);
    end_polls();
    EXPECT_EQ(w.happened() + w.changed(), "");
    w.advance(1);
    end_polls();
    w.run_jobs();
    EXPECT_EQ(w.happened(), "PollEnded, VotersContinued");
    EXPECT_EQ(w.changed(), "notifications +2");
    for (const auto& told : {alice, bob}) {
        auto notices = told.get("/api/v1/notifications", {{"types[]", "poll"}});
        EXPECT_EQ(notices["0.status.id"], id);
        EXPECT_EQ(notices["0.account.id"], alice.id);
        EXPECT_EQ(notices["0.status.poll.expired"], "true");
    }
    EXPECT_THAT(carol.get("/api/v1/notifications").ids(), IsEmpty());
    w.advance(60);
    end_polls();
    EXPECT_EQ(w.run_jobs(), 0);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Polls, of_deleted_statuses_tell_nobody) {
    auto id = poll();
    votes(bob, id, {"0"});
    alice.del("/api/v1/statuses/" + id);
    w.happened(), w.changed();
    w.advance(601);
    end_polls();
    w.run_jobs();
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Polls, are_handed_back_with_the_source_for_a_redraft) {
    auto id = poll();
    EXPECT_EQ(alice.del("/api/v1/statuses/" + id)["poll.options.1.title"], "coffee");
}

TEST_P(Polls, of_a_page_cost_the_same_as_one) {
    auto one = alice.post("/api/v1/statuses", asking()).id();
    votes(bob, one, {"0"});
    bob.get("/api/v1/accounts/" + alice.id + "/statuses", {{"limit", "1"}});
    alice.post("/api/v1/statuses", asking());
    w.queries();
    bob.get("/api/v1/accounts/" + alice.id + "/statuses", {{"limit", "1"}});
    auto cost = w.queries();
    for (int i = 0; i < 15; ++i) alice.post("/api/v1/statuses", asking());
    w.queries();
    EXPECT_EQ(bob.get("/api/v1/accounts/" + alice.id + "/statuses")["16.poll.own_votes.0"], "0");
    EXPECT_EQ(w.queries(), cost);
}

struct EditedPolls : Polls {
    Answer edit(const std::string& id, const Fields& form) {
        return alice.put("/api/v1/statuses/" + id, form);
    }
};
ON_EACH_DATABASE(EditedPolls);

TEST_P(EditedPolls, keep_their_votes_while_they_ask_the_same) {
    auto id = poll();
    votes(bob, id, {"0"});
    w.happened(), w.changed();
    EXPECT_EQ(edit(id, asking())["edited_at"], "null");
    EXPECT_EQ(w.happened() + w.changed(), "");
    w.advance(60);
    auto answer = edit(id, asking({{"status", "Which?"}, {"poll[expires_in]", "900"}}));
    EXPECT_EQ(answer["poll.votes_count"], "1");
    EXPECT_EQ(answer["poll.expires_at"], "2026-01-01T00:16:00.000Z");
    EXPECT_EQ(
        edit(id, asking({{"status", "Which?"}, {"poll[hide_totals]", "1"}}))["poll.options.0.votes_count"],
        "null"
    );
}

TEST_P(EditedPolls, may_end_at_another_time_without_an_edit) {
    auto id = poll();
    votes(bob, id, {"0"});
    w.happened(), w.changed();
    auto answer = edit(id, asking({{"poll[expires_in]", "86400"}}));
    EXPECT_EQ(answer["poll.expires_at"], "2026-01-02T00:00:00.000Z");
    EXPECT_EQ(answer["poll.votes_count"], "1");
    EXPECT_EQ(answer["edited_at"], "null");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id)["poll.expires_at"], "2026-01-02T00:00:00.000Z");
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(EditedPolls, lose_their_votes_when_they_ask_something_else) {
    auto id = poll();
    votes(bob, id, {"0"});
    w.happened(), w.changed();
    auto answer = edit(id, asking({}, {"tea", "water"}));
    EXPECT_EQ(answer["poll.votes_count"], "0");
    EXPECT_EQ(answer["poll.voters_count"], "0");
    EXPECT_EQ(answer["poll.options.1.title"], "water");
    EXPECT_EQ(w.happened(), "Edited");
    EXPECT_EQ(w.changed(), "status_edits +2, poll_votes -1");
    EXPECT_EQ(votes(bob, id, {"1"}).status, 200);
    EXPECT_EQ(edit(id, asking({{"poll[multiple]", "1"}}, {"tea", "water"}))["poll.votes_count"], "0");
    auto history = bob.get("/api/v1/statuses/" + id + "/history");
    EXPECT_EQ(history["0.poll.options.1.title"], "coffee");
    EXPECT_EQ(history["1.poll.options.1.title"], "water");
}

TEST_P(EditedPolls, go_when_they_are_left_out_and_come_when_they_are_given) {
    auto id = poll();
    EXPECT_EQ(edit(id, {{"status", "What?"}})["poll"], "null");
    EXPECT_EQ(w.changed(), "status_edits +2, polls -1, poll_options -2");
    EXPECT_EQ(bob.get("/api/v1/polls/" + id).status, 404);
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id + "/history")["1.poll"], "absent");
    EXPECT_EQ(edit(id, asking())["poll.options.0.title"], "tea");
    w.happened(), w.changed();
    expect_refused(
        edit(id, asking({}, {"tea"})), 422, "Validation failed: Poll options must have more than one item"
    );
}

TEST_P(EditedPolls, that_are_over_stay_over_when_the_text_of_their_post_is_edited) {
    auto id = poll();
    votes(bob, id, {"0"});
    w.advance(600);
    const auto ended = carol.get("/api/v1/statuses/" + id)["poll.expires_at"];
    auto answer = edit(id, asking({{"status", "What now?"}, {"poll[expires_in]", "900"}}));
    EXPECT_EQ(answer["content"], "<p>What now?</p>");
    EXPECT_EQ(answer["poll.expired"], "true");
    EXPECT_EQ(answer["poll.expires_at"], ended);
    EXPECT_EQ(answer["poll.votes_count"], "1");
}

}  // namespace
