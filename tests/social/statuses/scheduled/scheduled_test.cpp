// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/scheduled/scheduled.hpp"

#include "social/statuses/writing/writing_stage.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Scheduling : Writing {
    const std::string all = "/api/v1/scheduled_statuses";

    std::string in(std::int64_t seconds) { return base::to_string(w.now().plus_seconds(seconds)); }
    Answer plan(const Fields& form, std::int64_t seconds = 3600) {
        Fields fields{{"scheduled_at", in(seconds)}};
        fields.insert(fields.end(), form.begin(), form.end());
        return alice.post("/api/v1/statuses", fields);
    }
    std::string planned(const Fields& form, std::int64_t seconds = 3600) {
        auto id = plan(form, seconds).id();
        w.happened(), w.changed();
        return id;
    }
    void tick() {
        support::run_periodic(w, statuses::announce_due);
        w.run_jobs();
    }
};
ON_EACH_DATABASE(Scheduling);

TEST_P(Scheduling, answers_with_what_will_be_published) {
    auto root = bob.status("root");
    w.happened(), w.changed();
    auto answer = plan(
        {{"status", "later @bob"},
         {"in_reply_to_id", root},
         {"spoiler_text", "cw"},
         {"visibility", "unlisted"},
         {"poll[options][]", "a"},
         {"poll[options][]", "b"},
         {"poll[expires_in]", "600"}}
    );
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["scheduled_at"], "2026-01-01T01:00:00.000Z");
    EXPECT_EQ(answer["params.text"], "later @bob");
    EXPECT_EQ(answer["params.in_reply_to_id"], root);
    EXPECT_EQ(answer["params.visibility"], "unlisted");
    EXPECT_EQ(answer["params.sensitive"], "true");
    EXPECT_EQ(answer["params.poll.options.1"], "b");
    EXPECT_EQ(answer["params.poll.expires_in"], "600");
    EXPECT_EQ(answer["params.scheduled_at"], "null");
    EXPECT_EQ(answer["params.with_rate_limit"], "false");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "scheduled_statuses +1");
    EXPECT_EQ(alice.get(all + "/" + answer.id()).body, answer.body);
    EXPECT_THAT(alice.get(all).ids(), ElementsAre(answer.id()));
    EXPECT_THAT(bob.get("/api/v1/notifications").ids(), IsEmpty());
}

TEST_P(Scheduling, publishes_once_and_in_time) {
    auto id = planned(
        {{"status", "later @bob"},
         {"poll[options][]", "a"},
         {"poll[options][]", "b"},
         {"poll[expires_in]", "600"}}
    );
    w.advance(3599);
    tick();
    EXPECT_EQ(w.happened() + w.changed(), "");
    w.advance(1);
    tick();
    EXPECT_EQ(w.happened(), "ScheduledDue, Published");
    EXPECT_EQ(
        w.changed(),
        "conversations +1, statuses +1, mentions +1, polls +1, poll_options +2, scheduled_statuses -1, "
        "home_entries +1, notifications +1"
    );
    auto status = alice.get("/api/v1/statuses/" + alice.home()[0]);
    EXPECT_EQ(status["created_at"], "2026-01-01T01:00:00.000Z");
    EXPECT_EQ(status["poll.expires_at"], "2026-01-01T01:10:00.000Z");
    EXPECT_EQ(status["application.name"], "An app");
    EXPECT_THAT(alice.get(all).ids(), IsEmpty());
    EXPECT_EQ(alice.get(all + "/" + id).status, 404);
    w.advance(3600);
    tick();
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Scheduling, needs_a_time_well_ahead) {
    constexpr auto too_soon = "Validation failed: Scheduled at date must be in the future";
    for (auto seconds : {1, 299, 300}) expect_refused(plan({{"status", "a"}}, seconds), 422, too_soon);
    EXPECT_EQ(plan({{"status", "a"}}, 301)["params.text"], "a");
    EXPECT_EQ(plan({{"status", "now"}}, -60)["content"], "<p>now</p>");
    w.happened(), w.changed();
    expect_refused(
        alice.post("/api/v1/statuses", {{"status", "a"}, {"scheduled_at", "soon"}}), 422, "Record invalid"
    );
    for (const auto* written : {"Thu, 01 Jan 2026 02:00:00 +0100", "Thu Jan 01 2026 01:00:00 GMT"})
        EXPECT_EQ(
            alice.post("/api/v1/statuses", {{"status", "a"}, {"scheduled_at", written}})["scheduled_at"],
            "2026-01-01T01:00:00.000Z"
        ) << written;
    auto far =
        alice.post("/api/v1/statuses", {{"status", "draft"}, {"scheduled_at", "9999-12-31T00:00:00Z"}});
    EXPECT_EQ(far["scheduled_at"], "9999-12-31T00:00:00.000Z");
    w.advance(50LL * 365 * 86'400);
    w.happened(), w.changed();
    tick();
    EXPECT_EQ(alice.get(all + "/" + far.id()).status, 200);
}

TEST_P(Scheduling, checks_the_status_beforehand) {
    auto hidden = bob.status("hidden", {{"visibility", "private"}});
    w.happened(), w.changed();
    expect_refused(plan({}), 422, "Validation failed: Text can't be blank");
    expect_refused(
        plan({{"status", "a"}, {"in_reply_to_id", hidden}}),
        404,
        "The post you are trying to reply to does not appear to exist."
    );
    expect_refused(
        plan({{"status", "a"}, {"media_ids[]", "1"}}),
        422,
        "Media 1 not found or already attached to another post"
    );
    EXPECT_EQ(plan({{"status", "@bob"}, {"allowed_mentions[]", alice.id}}).status, 422);
}

TEST_P(Scheduling, with_an_idempotency_key_happens_once) {
    auto keyed = alice.with("Idempotency-Key", "abc");
    Fields form{{"status", "a"}, {"scheduled_at", in(600)}};
    auto first = keyed.post("/api/v1/statuses", form);
    w.happened(), w.changed();
    EXPECT_EQ(keyed.post("/api/v1/statuses", form).body, first.body);
    EXPECT_EQ(keyed.post("/api/v1/statuses", {{"status", "b"}}).body, first.body);
    EXPECT_EQ(w.happened() + w.changed(), "");
    w.advance(600);
    tick();
    EXPECT_EQ(keyed.post("/api/v1/statuses", form).id(), alice.home()[0]);
}

TEST_P(Scheduling, moves_and_ends_at_the_authors_will) {
    auto id = planned({{"status", "a"}}, 600);
    EXPECT_EQ(
        alice.put(all + "/" + id, {{"scheduled_at", in(7200)}})["scheduled_at"], "2026-01-01T02:00:00.000Z"
    );
    EXPECT_EQ(alice.patch(all + "/" + id)["scheduled_at"], "2026-01-01T02:00:00.000Z");
    expect_refused(
        alice.put(all + "/" + id, {{"scheduled_at", in(60)}}),
        422,
        "Validation failed: Scheduled at date must be in the future"
    );
    expect_refused(
        alice.put(all + "/" + id, {{"scheduled_at", "2026-13-01T00:00:00Z"}}), 422, "Record invalid"
    );
    EXPECT_EQ(alice.get(all + "/" + id)["scheduled_at"], "2026-01-01T02:00:00.000Z");
    for (auto answer :
         {bob.get(all + "/" + id),
          bob.put(all + "/" + id, {{"scheduled_at", in(9000)}}),
          bob.del(all + "/" + id)})
        expect_refused(answer, 404, "Record not found");
    EXPECT_THAT(bob.get(all).ids(), IsEmpty());
    w.advance(600);
    tick();
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(alice.del(all + "/" + id).body, "{}");
    EXPECT_EQ(w.changed(), "scheduled_statuses -1");
    EXPECT_EQ(alice.del(all + "/" + id).status, 404);
    w.advance(7200);
    tick();
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Scheduling, moved_after_it_was_due_waits_for_the_new_time) {
    auto id = planned({{"status", "a"}}, 600);
    w.advance(600);
    support::run_periodic(w, statuses::announce_due);
    EXPECT_EQ(alice.put(all + "/" + id, {{"scheduled_at", in(600)}}).status, 200);
    w.run_jobs();
    EXPECT_THAT(alice.home(), IsEmpty());
    w.advance(600);
    tick();
    EXPECT_EQ(alice.home().size(), 1u);
}

TEST_P(Scheduling, that_cannot_be_published_stays_a_draft) {
    auto root = bob.status("root");
    auto id = planned({{"status", "a"}, {"in_reply_to_id", root}}, 600);
    bob.del("/api/v1/statuses/" + root);
    w.happened(), w.changed();
    w.advance(600);
    tick();
    EXPECT_EQ(w.happened(), "ScheduledDue");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(alice.get(all + "/" + id)["params.text"], "a");
    w.advance(600);
    tick();
    EXPECT_EQ(w.happened() + w.changed(), "");
    auto other = planned({{"status", "b"}}, 600);
    w.suspend(alice);
    w.advance(600);
    tick();
    EXPECT_EQ(w.happened(), "ScheduledDue");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(alice.get(all + "/" + other).status, 403);
}

TEST_P(Scheduling, is_limited_by_day_and_in_all) {
    for (int i = 0; i < 25; ++i) EXPECT_EQ(plan({{"status", "a"}}).status, 200);
    w.happened(), w.changed();
    expect_refused(
        plan({{"status", "a"}}),
        422,
        "Validation failed: You have exceeded the limit of 25 scheduled posts for today"
    );
    auto first = alice.get(all, {{"limit", "1"}}).ids()[0];
    EXPECT_EQ(alice.put(all + "/" + first, {{"scheduled_at", in(7200)}}).status, 200);
    for (int day = 1; day < 12; ++day)
        for (int i = 0; i < 25; ++i) plan({{"status", "a"}}, day * 86'400);
    w.happened(), w.changed();
    expect_refused(
        plan({{"status", "a"}}, 40 * 86'400),
        422,
        "Validation failed: You have exceeded the limit of 300 scheduled posts"
    );
}

TEST_P(Scheduling, pages_newest_first) {
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(planned({{"status", "a"}}));
    auto page = alice.get(all, {{"limit", "2"}});
    EXPECT_THAT(page.ids(), ElementsAre(ids[4], ids[3]));
    auto next = alice.get(page.link("next"));
    EXPECT_THAT(next.ids(), ElementsAre(ids[2], ids[1]));
    EXPECT_THAT(alice.get(next.link("prev")).ids(), ElementsAre(ids[4], ids[3]));
    EXPECT_THAT(alice.get(all, {{"min_id", ids[0]}, {"limit", "2"}}).ids(), ElementsAre(ids[2], ids[1]));
    w.queries();
    alice.get(all, {{"limit", "1"}});
    auto cost = w.queries();
    alice.get(all);
    EXPECT_EQ(w.queries(), cost);
}

TEST_P(Scheduling, keeps_its_media) {
    auto image = picture();
    auto planned_answer = plan({{"status", "a"}, {"media_ids[]", image}});
    auto id = planned_answer.id();
    EXPECT_EQ(planned_answer["params.media_ids.0"], image);
    EXPECT_EQ(planned_answer["media_attachments.0.id"], image);
    w.happened(), w.changed();
    EXPECT_EQ(alice.put("/api/v1/media/" + image, {{"description", "a bird"}})["description"], "a bird");
    EXPECT_EQ(alice.get(all + "/" + id)["media_attachments.0.description"], "a bird");
    expect_refused(
        alice.del("/api/v1/media/" + image), 422, "Media attachment is currently used by a status"
    );
    auto taken = "Media " + image + " not found or already attached to another post";
    expect_refused(alice.post("/api/v1/statuses", {{"status", "b"}, {"media_ids[]", image}}), 422, taken);
    expect_refused(plan({{"status", "b"}, {"media_ids[]", image}}), 422, taken);
    w.advance(3 * 86'400);
    w.write(media::remove_expired);
    EXPECT_EQ(w.changed(), "");
    tick();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.home()[0])["media_attachments.0.id"], image);
}

TEST_P(Scheduling, ended_frees_its_media) {
    auto image = picture();
    auto id = planned({{"status", "a"}, {"media_ids[]", image}});
    alice.del(all + "/" + id);
    EXPECT_EQ(alice.post("/api/v1/statuses", {{"status", "b"}, {"media_ids[]", image}}).status, 200);
}

}  // namespace
