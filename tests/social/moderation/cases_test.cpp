// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/cases/case.hpp"
#include "social/moderation/cases/note.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

const std::string cases = "/api/dunlin/v1/moderation/cases", reports = "/api/v1/admin/reports";

struct Cases : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), mona = staff(w, "mona", accounts::moderator),
           max = staff(w, "max", accounts::moderator), alice = w.local("alice"), bob = w.local("bob"),
           carl = w.local("carl");

    std::string report(const Person& who, const Person& whom, Fields fields = {}) {
        fields.emplace_back("account_id", whom.id);
        auto answer = who.post("/api/v1/reports", fields);
        EXPECT_EQ(answer.status, 200) << answer.body;
        w.happened(), w.changed();
        return answer.id();
    }
    // Whom the cases are about, the first one first.
    std::vector<std::string> queue(const Person& who, const std::string& name = "waiting") {
        auto answer = who.get(cases, {{"queue", name}});
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.all("account.username");
    }
    std::string about(const Person& whom) {
        auto answer = owner.get(cases, {{"limit", "40"}});
        auto ids = answer.ids(), names = answer.all("account.username");
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (names[i] == whom.name) return cases + "/" + ids[i];
        return cases + "/0";
    }
    Answer does(const Person& who, const Person& whom, const std::string& what, const Fields& more = {}) {
        return who.post(about(whom) + "/" + what, more);
    }
};
ON_EACH_DATABASE(Cases);

TEST_P(Cases, hold_all_open_reports_on_an_account_the_most_urgent_first) {
    report(alice, bob), report(carl, bob, {{"category", "spam"}}),
        report(alice, carl, {{"category", "legal"}});
    EXPECT_THAT(queue(mona), ElementsAre("carl", "bob"));
    auto shown = mona.get(about(bob));
    EXPECT_EQ(shown["summary.score"], "35");
    EXPECT_EQ(shown["points.category"], "30");
    EXPECT_EQ(shown["points.reporters"], "5");
    EXPECT_EQ(shown["summary.reports_count"], "2");
    EXPECT_EQ(shown["summary.categories"], R"(["other","spam"])");
    EXPECT_EQ(shown["reports.1.account.username"], "alice");
    w.advance(71 * 3600);  // what waits longest comes first in the end
    report(mona, alice, {{"category", "legal"}});
    EXPECT_THAT(queue(mona), ElementsAre("carl", "bob", "alice"));
    EXPECT_EQ(mona.get(cases + "/7").status, 404);
}

TEST_P(Cases, end_with_their_last_report_and_begin_anew_with_the_next) {
    auto first = report(alice, bob), second = report(carl, bob);
    auto path = about(bob);
    mona.post(reports + "/" + first + "/resolve");
    EXPECT_EQ(mona.get(path)["summary.open"], "true");
    mona.post(reports + "/" + second + "/resolve");
    auto closed = mona.get(path);
    EXPECT_EQ(closed["summary.open"], "false");
    EXPECT_EQ(closed["summary.closed_by_id"], mona.id);
    EXPECT_EQ(closed["reports.0.id"], second);
    EXPECT_EQ(closed["reports.1.id"], first);
    EXPECT_THAT(queue(mona), IsEmpty());
    EXPECT_THAT(queue(mona, "closed"), ElementsAre("bob"));
    mona.post(reports + "/" + first + "/reopen");
    EXPECT_NE(about(bob), path);
    EXPECT_THAT(queue(mona), ElementsAre("bob"));
    EXPECT_EQ(does(mona, bob, "close")["summary.open"], "false");
    EXPECT_EQ(mona.get(reports + "/" + first)["action_taken"], "true");
    EXPECT_EQ(mona.post(path + "/claim").error(), "This case is closed");
}

TEST_P(Cases, are_claimed_by_one_at_a_time) {
    report(alice, bob);
    auto path = about(bob);
    auto does = [&](const Person& who, const std::string& what) { return who.post(path + "/" + what); };
    auto claimed = does(mona, "claim");
    EXPECT_EQ(claimed["summary.claimed_by_id"], mona.id);
    auto refused = does(max, "claim");
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.error(), "This case is claimed by mona");
    EXPECT_EQ(does(max, "snooze").status, 409);
    EXPECT_THAT(queue(max), IsEmpty());
    EXPECT_THAT(queue(mona), ElementsAre("bob"));
    EXPECT_THAT(queue(mona, "mine"), ElementsAre("bob"));
    EXPECT_EQ(does(max, "release").status, 403);  // stands no higher
    w.advance(20 * 60);
    does(mona, "claim");  // renewed
    w.advance(20 * 60);
    EXPECT_EQ(does(max, "claim").status, 409);
    w.advance(11 * 60);
    EXPECT_EQ(does(max, "claim")["summary.claimed_by_id"], max.id);  // it lapsed
    EXPECT_EQ(does(owner, "release")["summary.claimed_by_id"], "null");
    EXPECT_THAT(logged(w, owner), ElementsAre("claim Case", "claim Case", "release Case"));
}

TEST_P(Cases, are_put_off_until_later_or_until_somebody_else_reports) {
    report(alice, bob);
    EXPECT_EQ(does(mona, bob, "snooze", {{"hours", "721"}}).status, 422);
    EXPECT_NE(does(mona, bob, "snooze", {{"hours", "2"}})["summary.snoozed_until"], "null");
    EXPECT_THAT(queue(mona), IsEmpty());
    EXPECT_THAT(queue(mona, "snoozed"), ElementsAre("bob"));
    w.advance(2 * 3600 + 1);
    EXPECT_THAT(queue(mona), ElementsAre("bob"));
    does(mona, bob, "snooze", {{"hours", "2"}});
    report(carl, bob);
    EXPECT_THAT(queue(mona), ElementsAre("bob"));
}

TEST_P(Cases, are_handed_up) {
    report(alice, bob), report(alice, carl);
    EXPECT_EQ(does(mona, bob, "escalate")["summary.escalated"], "true");
    EXPECT_THAT(queue(owner, "escalated"), ElementsAre("bob"));
    does(owner, bob, "deescalate");
    EXPECT_THAT(queue(owner, "escalated"), IsEmpty());
}

TEST_P(Cases, are_ended_by_what_is_done_about_the_account) {
    auto first = report(alice, bob);
    report(carl, bob);
    auto path = about(bob);
    EXPECT_EQ(does(mona, bob, "act", {{"type", "odd"}}).status, 422);
    EXPECT_EQ(does(mona, bob, "act", {{"type", "delete_statuses"}}).status, 422);
    auto done = does(mona, bob, "act", {{"type", "none"}, {"text", "Please do not"}});
    EXPECT_EQ(done["summary.open"], "false");
    EXPECT_EQ(done["reports.0.action_taken_by_account.id"], mona.id);
    EXPECT_THAT(bob.get("/api/dunlin/v1/strikes").all("text"), ElementsAre("Please do not"));
    report(alice, bob);
    EXPECT_EQ(does(mona, bob, "act", {{"type", "silence"}})["summary.open"], "false");
    EXPECT_EQ(mona.get("/api/v1/admin/accounts/" + bob.id)["silenced"], "true");
    EXPECT_NE(mona.get(path)["summary.id"], done["summary.closed_at"]);
}

TEST_P(Cases, are_not_judged_by_who_is_in_them) {
    report(mona, bob), report(alice, mona);
    for (auto what : {"claim", "close"}) {
        EXPECT_EQ(does(mona, bob, what).status, 403) << what;
        EXPECT_EQ(does(mona, mona, what).status, 403) << what;
    }
    EXPECT_EQ(does(mona, bob, "act", {{"type", "silence"}}).status, 403);
    EXPECT_EQ(does(mona, mona, "snooze", {{"hours", "700"}}).status, 403);
    EXPECT_EQ(does(mona, mona, "escalate").status, 200);  // others are to look
    EXPECT_EQ(does(mona, mona, "deescalate").status, 403);
    EXPECT_EQ(does(max, bob, "claim").status, 200);
    EXPECT_EQ(w.mails().size(), 0u);
}

TEST_P(Cases, come_in_pages_in_the_order_of_urgency) {
    std::vector<std::string> expected;
    for (int i = 0; i < 5; ++i) {
        auto whom = w.local("p" + std::to_string(i));
        report(alice, whom, {{"category", i % 2 ? "spam" : "other"}});
    }
    auto first = mona.get(cases, {{"limit", "2"}});
    EXPECT_THAT(first.all("account.username"), ElementsAre("p3", "p1"));
    auto second = mona.get(first.link("next"));
    EXPECT_THAT(second.all("account.username"), ElementsAre("p4", "p2"));
    EXPECT_THAT(mona.get(second.link("next")).all("account.username"), ElementsAre("p0"));
}

TEST_P(Cases, of_an_account_with_many_reports_end_in_one_act) {
    for (int i = 0; i < 210; ++i) {  // more than a case counts
        auto who = w.local("r" + std::to_string(i));
        report(who, bob);
    }
    EXPECT_EQ(mona.get(about(bob))["summary.score"], "60");
    EXPECT_EQ(does(mona, bob, "close")["summary.open"], "false");
    EXPECT_THAT(mona.get(reports).ids(), IsEmpty());
}

TEST_P(Cases, with_more_reports_than_one_change_takes_end_little_by_little) {
    for (int i = 0; i < 260; ++i) report(alice, bob);
    EXPECT_EQ(does(mona, bob, "act", {{"type", "silence"}}).status, 200);
    EXPECT_THAT(mona.get(reports).ids(), SizeIs(10));
    auto later = report(carl, bob);
    w.run_jobs();
    EXPECT_THAT(mona.get(reports).ids(), ElementsAre(later));
    auto resolved = mona.get(reports, {{"resolved", "true"}});
    EXPECT_THAT(resolved.all("action_taken_by_account.id"), testing::Each(mona.id));
    EXPECT_EQ(does(mona, bob, "close")["summary.closed_by_id"], mona.id);
}

TEST_P(Cases, and_accounts_and_servers_have_notes_of_the_team) {
    report(alice, bob);
    auto on_case = about(bob) + "/notes";
    const std::string on_account = "/api/dunlin/v1/moderation/accounts/" + bob.id + "/notes",
                      on_server = "/api/dunlin/v1/moderation/servers/Far.example/notes";
    for (const auto& path : {on_case, on_account}) {
        SCOPED_TRACE(path);
        EXPECT_EQ(mona.get(path).body, "[]");
        EXPECT_THAT(mona.post(path, {{"text", "Seen before"}}).all("text"), ElementsAre("Seen before"));
        auto both = max.post(path, {{"text", "Twice"}});
        EXPECT_THAT(both.all("text"), ElementsAre("Seen before", "Twice"));
        EXPECT_THAT(both.all("author_id"), ElementsAre(mona.id, max.id));
        EXPECT_EQ(mona.post(path, {{"text", " "}}).status, 422);
        EXPECT_EQ(mona.post(path, {{"text", std::string(2001, 'a')}}).status, 422);
        EXPECT_EQ(alice.get(path).status, 403);
        auto note = "/api/dunlin/v1/moderation/notes/";
        EXPECT_EQ(max.del(note + both.ids()[0]).status, 403);  // of a colleague
        EXPECT_EQ(mona.del(note + both.ids()[0]).body, "{}");
        EXPECT_EQ(owner.del(note + both.ids()[1]).body, "{}");
        EXPECT_EQ(owner.del(note + both.ids()[1]).status, 404);
        EXPECT_EQ(mona.get(path).body, "[]");
    }
    auto by_operator = w.write([&](db::Write& db) {
        return moderation::add_note(
            db, accounts::the_operator(), moderation::NoteKind::account, bob.id, "From the command line"
        );
    });
    EXPECT_EQ(mona.del("/api/dunlin/v1/moderation/notes/" + std::to_string(by_operator.value)).status, 403);
    EXPECT_EQ(mona.get(on_server).status, 403);
    EXPECT_THAT(
        owner.post(on_server, {{"text", "Run by friends"}}).all("text"), ElementsAre("Run by friends")
    );
    EXPECT_THAT(
        owner.get("/api/dunlin/v1/moderation/servers/far.example/notes").all("text"),
        ElementsAre("Run by friends")
    );
    EXPECT_EQ(mona.get("/api/dunlin/v1/moderation/accounts/7/notes").status, 404);
}

}  // namespace
