// SPDX-License-Identifier: AGPL-3.0-or-later
// Whoever wrote here what a rule covers or drops is told that a program did it, and may appeal.
#include "social/accounts/administering.hpp"
#include "social/accounts/restricting.hpp"
#include "social/rules/held.hpp"
#include "social/rules/stage.hpp"

#include <gmock/gmock.h>

struct TestOldStrike {
    std::int64_t id = 0;
    bool lifted = false;
};
DESCRIBE(TestOldStrike, id, lifted)

const db::Query<TestOldStrike> test_old_strikes{
    "test_old_strikes", "SELECT id, lifted_at IS NOT NULL AS lifted FROM strikes ORDER BY id"
};
const db::Command test_old_strike{
    "test_old_strike",
    "INSERT INTO strikes (id, account_id, actor_id, action, text, created_at) VALUES ($1, $2, 0, $3, '', $4)"
};
const db::Command test_old_account{
    "test_old_account",
    R"(INSERT INTO accounts (id, username, created_at, silenced_at, silenced_by, suspended_at, suspended_by, sensitized_at)
       VALUES (1, 'a', 0, 20, '', 20, 'domain', 20))"
};
const db::Command test_old_free_account{
    "test_old_free_account", "INSERT INTO accounts (id, username, created_at) VALUES (2, 'b', 0)"
};
const db::Command test_old_user{
    "test_old_user",
    "INSERT INTO users (id, account_id, email, created_at, disabled) VALUES (1, 1, 'a', 0, TRUE)"
};

namespace {

using namespace rule_stage;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::SizeIs;

struct RulesTell : Rules {
    Answer strikes() {
        w.run_jobs();
        return alice.get("/api/dunlin/v1/strikes");
    }
    Answer statement(const std::string& strike) {
        return alice.get("/api/dunlin/v1/strikes/" + strike + "/statement");
    }
    std::string told(const std::string& strike) {
        auto said = statement(strike);
        return said["decision"] + " automated=" + said["automated"] + " reported=" + said["reported"];
    }
    void approve_appeal(const std::string& strike) {
        EXPECT_EQ(alice.post("/api/dunlin/v1/strikes/" + strike + "/appeal", {{"text", "No"}}).status, 200);
        auto appeal = owner.get("/api/dunlin/v1/moderation/appeals")["0.id"];
        EXPECT_EQ(owner.post("/api/dunlin/v1/moderation/appeals/" + appeal + "/approve").status, 200);
        w.run_jobs();
    }
};
ON_EACH_DATABASE(RulesTell);

TEST_P(RulesTell, who_wrote_what_they_cover_and_take_it_back_after_an_appeal) {
    on(R"({"name":"Mark","if":[)" + word("pills") +
       R"(],"then":[{"act":"cw","text":"Perhaps spam"},{"act":"unlist"}]})");
    w.mails();
    auto post = alice.status("pills");
    auto made = strikes();
    ASSERT_THAT(made.ids(), SizeIs(1)) << made.body;
    EXPECT_EQ(told(made["0.id"]), "mark_statuses_as_sensitive automated=true reported=false");
    EXPECT_THAT(statement(made["0.id"])["posts.0.url"], HasSubstr(post));
    auto mails = w.mails();
    ASSERT_THAT(mails, SizeIs(1));
    EXPECT_THAT(mails[0].text, HasSubstr("A program found and decided this"));
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), ElementsAre("moderation_warning"));
    approve_appeal(made["0.id"]);
    auto now = alice.get("/api/v1/statuses/" + post);
    EXPECT_EQ(now["sensitive"] + now["spoiler_text"] + now["visibility"], "falsepublic");
    // Of what was covered already nothing has to be said, nor of what came from another server.
    alice.status("pills", {{"sensitive", "true"}});
    auto fay = remote::somebody(w, "fay");
    brought(remote::note(w, fay, "1", "<p>pills</p>"));
    EXPECT_THAT(strikes().ids(), SizeIs(1));
}

TEST_P(RulesTell, once_where_two_of_them_cover_a_post_and_not_where_it_is_undone) {
    auto first = on(simple(word("pills"), act("sensitive")));
    auto other =
        on(R"({"name":"Other","if":[)" + word("pills") + R"(],"then":[{"act":"cw","text":"Perhaps spam"}]})");
    auto post = alice.status("pills");
    auto before = strikes();
    EXPECT_THAT(before.ids(), SizeIs(1));
    // It is covered by the other one, which tells now.
    EXPECT_EQ(owner.post(path + "/hits/undo", {{"rule_id", first}}).status, 200);
    auto now = strikes();
    ASSERT_THAT(now.ids(), SizeIs(1));
    EXPECT_NE(now["0.id"], before["0.id"]);
    EXPECT_EQ(now["0.status_ids"], "[\"" + post + "\"]");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["sensitive"], "true");
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), SizeIs(1));
    EXPECT_EQ(owner.post(path + "/hits/undo", {{"rule_id", other}}).status, 200);
    EXPECT_THAT(strikes().ids(), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["sensitive"], "false");
}

TEST_P(RulesTell, for_all_of_them_that_cover_a_post_so_that_an_appeal_uncovers_it) {
    on(simple(word("pills"), act("sensitive")));
    auto other = on(
        R"({"name":"Other","if":[)" + word("pills") +
        R"(],"then":[{"act":"cw","text":"Perhaps spam"},{"act":"report"},{"act":"label","text":"seller"}]})"
    );
    auto post = alice.status("pills");
    auto made = strikes();
    ASSERT_THAT(made.ids(), SizeIs(1)) << made.body;
    EXPECT_THAT(owner.get("/api/v1/admin/reports").ids(), SizeIs(1));
    w.mails();
    approve_appeal(made["0.id"]);
    auto now = alice.get("/api/v1/statuses/" + post);
    EXPECT_EQ(now["sensitive"] + now["spoiler_text"], "false");
    EXPECT_EQ(hits(other)["0.undone_at"].empty(), false);
    EXPECT_NE(hits(other)["0.undone_at"], "null");
    EXPECT_THAT(owner.get("/api/v1/admin/reports").ids(), IsEmpty()) << "it is answered";
    EXPECT_EQ(strikes().ids(), made.ids()) << "the other one does not tell instead";
}

TEST_P(RulesTell, what_they_cover_of_a_post_that_was_held_when_it_is_released) {
    on(R"({"name":"Wait","if":[)" + word("pills") +
       R"(],"then":[{"act":"hold"},{"act":"cw","text":"Perhaps spam"},{"act":"report"}]})");
    auto post = alice.status("pills");
    EXPECT_THAT(strikes().ids(), IsEmpty());
    const std::string held = "/api/dunlin/v1/moderation/held";
    EXPECT_EQ(owner.post(held + "/" + owner.get(held)["0.id"] + "/release").status, 200);
    auto made = strikes();
    ASSERT_THAT(made.ids(), SizeIs(1)) << made.body;
    EXPECT_EQ(told(made["0.id"]), "mark_statuses_as_sensitive automated=true reported=false");
    EXPECT_EQ(made["0.status_ids"], "[\"" + post + "\"]");
    approve_appeal(made["0.id"]);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["spoiler_text"], "");
    // As well where it is released before anything else was done about it.
    auto soon = alice.status("more pills");
    EXPECT_EQ(owner.post(held + "/" + owner.get(held)["0.id"] + "/release").status, 200);
    EXPECT_EQ(strikes()["0.status_ids"], "[\"" + soon + "\"]");
    EXPECT_THAT(owner.get("/api/v1/admin/reports").ids(), SizeIs(1));
}

TEST_P(RulesTell, who_is_limited_by_them_about_which_post) {
    on(simple(word("pills"), act("limit_account", "No spam")));
    auto post = alice.status("pills");
    auto made = strikes();
    EXPECT_EQ(told(made["0.id"]), "silence automated=true reported=false");
    EXPECT_EQ(made["0.status_ids"], "[\"" + post + "\"]");
    EXPECT_EQ(statement(made["0.id"])["text"], "No spam");
}

TEST_P(RulesTell, whose_held_post_is_dropped_by_whom) {
    auto id = made(simple(word("pills"), R"({"act":"hold","hours":3,"then":"drop"})"));
    mode(id, "on");
    auto first = alice.status("pills"), second = alice.status("more pills");
    EXPECT_THAT(strikes().ids(), IsEmpty());
    const std::string held = "/api/dunlin/v1/moderation/held";
    EXPECT_EQ(owner.post(held + "/" + owner.get(held)["0.id"] + "/drop").status, 200);
    auto made = strikes();
    EXPECT_EQ(told(made["0.id"]), "delete_statuses automated=false reported=false");
    EXPECT_EQ(made["0.status_ids"], "[\"" + second + "\"]");
    w.advance(3 * 3600 + 1);
    w.write(rules::find_due_held);
    w.run_jobs();
    made = strikes();
    ASSERT_THAT(made.ids(), SizeIs(2));
    EXPECT_EQ(told(made["0.id"]), "delete_statuses automated=true reported=false");
    EXPECT_EQ(made["0.status_ids"], "[\"" + first + "\"]");
}

// ---- a restriction ends with the last decision that holds it: those that were lifted before hold nothing ----

struct LiftedStrikes : Rules {
    Answer act(const std::string& type) {
        return owner.post("/api/v1/admin/accounts/" + alice.id + "/action", {{"type", type}});
    }
    Answer undo(const std::string& what) {
        return owner.post("/api/v1/admin/accounts/" + alice.id + "/" + what);
    }
    std::string is(const std::string& member) {
        return owner.get("/api/v1/admin/accounts/" + alice.id)[member];
    }
    std::string last_strike() { return alice.get("/api/dunlin/v1/strikes")["0.id"]; }
    void approve_appeal(const std::string& strike) {
        EXPECT_EQ(alice.post("/api/dunlin/v1/strikes/" + strike + "/appeal", {{"text", "No"}}).status, 200);
        auto appeal = owner.get("/api/dunlin/v1/moderation/appeals")["0.id"];
        EXPECT_EQ(owner.post("/api/dunlin/v1/moderation/appeals/" + appeal + "/approve").status, 200);
    }
    void undo_hits(const std::string& rule) {
        EXPECT_EQ(owner.post(path + "/hits/undo", {{"rule_id", rule}}).status, 200);
        w.run_jobs();
    }
};
ON_EACH_DATABASE(LiftedStrikes);

TEST_P(LiftedStrikes, do_not_keep_limited_whom_a_rule_lets_go) {
    act("silence"), undo("unsilence");
    auto rule = on(simple(word("pills"), rule_stage::act("limit_account", "No spam")));
    alice.status("pills");
    w.run_jobs();
    EXPECT_EQ(is("silenced"), "true");
    undo_hits(rule);
    EXPECT_EQ(is("silenced"), "false");
}

TEST_P(LiftedStrikes, do_not_let_be_deleted_whom_a_rule_lets_go) {
    act("suspend"), undo("unsuspend");
    auto rule = on(simple(word("pills"), rule_stage::act("suspend_account", "No spam")));
    alice.status("pills");
    w.run_jobs();
    EXPECT_EQ(is("suspended"), "true");
    undo_hits(rule);
    EXPECT_EQ(is("suspended"), "false");
    w.advance(31 * 86'400);
    w.write(accounts::delete_long_suspended);
    EXPECT_EQ(is("email"), "alice@example.com");
}

TEST_P(LiftedStrikes, are_told_from_those_that_hold_when_a_rule_lets_go) {
    auto rule = on(simple(word("pills"), rule_stage::act("limit_account", "No spam")));
    alice.status("pills");
    w.run_jobs();
    act("silence");
    undo_hits(rule);
    EXPECT_EQ(is("silenced"), "true");
}

TEST_P(LiftedStrikes, are_told_from_those_that_hold_when_an_appeal_is_approved) {
    for (auto [type, member] : {std::pair{"silence", "silenced"}, {"sensitive", "sensitized"}}) {
        SCOPED_TRACE(type);
        act(type);
        auto first = last_strike();
        act(type);
        auto second = last_strike();
        approve_appeal(first);
        EXPECT_EQ(is(member), "true") << "the other decision holds";
        approve_appeal(second);
        EXPECT_EQ(is(member), "false");
    }
}

TEST_P(LiftedStrikes, take_nothing_back_of_what_was_decided_since) {
    act("silence"), undo("unsilence");
    auto first = last_strike();
    act("silence");
    auto second = last_strike();
    approve_appeal(first);
    EXPECT_EQ(is("silenced"), "true");
    approve_appeal(second);
    EXPECT_EQ(is("silenced"), "false");
}

TEST_P(LiftedStrikes, are_also_those_of_what_ended_some_other_way) {
    act("silence");
    w.write([&](db::Write& db) { accounts::unsilence(db, remote::number(alice)); });
    act("silence");
    approve_appeal(last_strike());
    EXPECT_EQ(is("silenced"), "false");
}

struct StrikesOfBefore : support::OnEachDatabase {};
ON_EACH_DATABASE(StrikesOfBefore);

TEST_P(StrikesOfBefore, hold_what_is_in_force_since_they_were_made) {
    auto connection = database.connection();
    auto all = db::embedded_migrations(database.is_postgres());
    auto at =
        std::ranges::find_if(all, [](const db::Migration& m) { return m.name.ends_with("lifted_strikes"); });
    ASSERT_NE(at, all.end());
    db::migrate(*connection, {0}, {all.begin(), at});
    std::vector<std::int64_t> holding;
    db::write_now(*connection, database.options.context, [&](db::Write& db) {
        db.run(test_old_account), db.run(test_old_free_account), db.run(test_old_user);
        std::int64_t id = 0;
        auto strike = [&](std::int64_t account, const std::string& action, std::int64_t time, bool holds) {
            db.run(test_old_strike, ++id, account, action, time);
            if (holds) holding.push_back(id);
        };
        for (auto action : {"silence", "sensitive", "suspend"}) {
            bool by_hand = action != std::string("suspend");
            strike(1, action, 10, false), strike(1, action, 20, by_hand), strike(2, action, 20, false);
        }
        strike(1, "disable", 10, true), strike(2, "disable", 10, false), strike(2, "none", 10, true);
    });
    db::migrate(*connection, {0}, all);
    std::vector<std::int64_t> found;
    db::read_now(*database.connection(db::Mode::read), database.options.context, [&](db::Read& db) {
        for (const auto& one : db.all(test_old_strikes))
            if (!one.lifted) found.push_back(one.id);
        return 0;
    });
    EXPECT_EQ(found, holding);
}

}  // namespace
