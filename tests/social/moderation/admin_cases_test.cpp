// SPDX-License-Identifier: AGPL-3.0-or-later
// Cases of admin-cases.tsv that concern several subjects at once.
#include "social/accounts/account.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/users/invite.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/sent.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/staff.hpp"
#include "streams.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

const db::Command test_shut_role{"test_shut_role", "UPDATE roles SET require_2fa = TRUE WHERE id = $1"};
const db::Command test_make_waiting{
    "test_make_waiting", "UPDATE users SET approved = FALSE WHERE account_id = $1"
};
const db::Command test_invited_with{
    "test_invited_with", "UPDATE users SET invite_code = $2 WHERE account_id = $1"
};

namespace {

using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;

const std::string v1 = "/api/v1/admin/accounts", v2 = "/api/v2/admin/accounts";

struct AdminCases : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    base::AccountId number(const Person& who) { return {std::stoll(who.id)}; }
    Answer act(const Person& whom, Fields fields) {
        return owner.post(v1 + "/" + whom.id + "/action", fields);
    }
};
ON_EACH_DATABASE(AdminCases);

TEST_P(AdminCases, a_role_that_demands_a_second_factor_is_shut_to_who_has_none) {
    auto mona = staff(w, "mona", accounts::moderator);
    EXPECT_EQ(mona.get(v1).status, 200);
    auto role = "/api/dunlin/v1/moderation/roles/1";
    EXPECT_EQ(owner.put(role, {{"require_2fa", "true"}})["require_2fa"], "true");
    EXPECT_EQ(mona.get(v1).status, 403);
    EXPECT_EQ(mona.get(v1).error(), "Your login is currently disabled");
    EXPECT_EQ(mona.get("/api/v1/timelines/home").status, 403);
    EXPECT_EQ(owner.put(role, {{"require_2fa", "false"}})["require_2fa"], "false");
    EXPECT_EQ(mona.get(v1).status, 200);
    w.write([](db::Write& db) { db.run(test_shut_role, accounts::owner); });
    EXPECT_EQ(owner.get(v1).error(), "Your login is currently disabled");
}

TEST_P(AdminCases, scopes_of_one_family_do_not_open_what_has_none_of_its_own) {
    auto reading = w.with_scopes(owner, "admin:read:accounts"),
         writing = w.with_scopes(owner, "admin:write:accounts");
    const auto outside = "This action is outside the authorized scopes";
    for (auto path : {"/api/v1/admin/measures", "/api/v1/admin/dimensions", "/api/v1/admin/retention"})
        EXPECT_EQ(reading.post(path, {{"keys[]", "new_users"}}).error(), outside) << path;
    for (auto path : {"/api/v1/admin/tags", "/api/v1/admin/trends/tags"})
        EXPECT_EQ(reading.get(path).error(), outside) << path;
    EXPECT_EQ(writing.put("/api/v1/admin/tags/1").error(), outside);
    EXPECT_EQ(reading.get(v1).status, 200);
}

TEST_P(AdminCases, lists_have_their_defaults) {
    Peer frida(w, "frida", "far.example");
    frida.known();
    act(alice, {{"type", "suspend"}});
    auto first = owner.get(v1).all("username"), second = owner.get(v2).all("username");
    EXPECT_THAT(first, Not(Contains("frida")));
    EXPECT_THAT(first, Not(Contains("alice")));
    EXPECT_THAT(second, Contains("frida"));
    EXPECT_THAT(second, Contains("alice"));
}

TEST_P(AdminCases, who_was_invited_is_found_by_the_account_of_who_did) {
    auto code = w.write([&](db::Write& db) {
        auto made = accounts::create_invite(db, {number(owner), {}, {}, false});
        db.run(test_invited_with, number(bob), made);
        return made;
    });
    EXPECT_THAT(owner.get(v2, {{"invited_by", owner.id}}).all("username"), ElementsAre("bob"));
    EXPECT_THAT(owner.get(v2, {{"invited_by", alice.id}}).ids(), IsEmpty());
}

TEST_P(AdminCases, a_rejected_sign_up_leaves_nothing_and_hears_nothing) {
    w.write([&](db::Write& db) { db.run(test_make_waiting, number(alice)); });
    EXPECT_EQ(owner.post(v1 + "/" + alice.id + "/reject").body, "{}");
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_TRUE(w.mails().empty());
    auto errors = w.read([](db::Read& db) {
        return accounts::sign_up_errors(db, {"alice", "alice@example.com", "long password", true}).size();
    });
    EXPECT_EQ(errors, 0u);
}

TEST_P(AdminCases, attack_62_what_an_open_report_names_outlives_the_deletion_by_staff) {
    auto rude = bob.status("rude words");
    auto report = alice.post("/api/v1/reports", {{"account_id", bob.id}, {"status_ids[]", rude}}).id();
    act(bob, {{"type", "suspend"}});
    owner.post("/api/v1/admin/reports/" + report + "/reopen");
    EXPECT_EQ(owner.del(v1 + "/" + bob.id).body, "{}");
    w.run_jobs();
    EXPECT_EQ(owner.get("/api/v1/admin/reports/" + report)["statuses.0.content"], "<p>rude words</p>");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + rude).status, 404);
    EXPECT_EQ(owner.del(v1 + "/" + bob.id).status, 403);
}

TEST_P(AdminCases, streams_end_with_a_suspension_and_posts_come_back_with_its_end) {
    auto post = alice.status("words that stay");
    bob.follows(alice);
    w.run_jobs();
    Ear ear(w, alice, "stream=user");
    EXPECT_FALSE(ear.closed());
    EXPECT_EQ(act(alice, {{"type", "suspend"}}).status, 200);
    EXPECT_TRUE(ear.closed());
    w.run_jobs();
    EXPECT_EQ(bob.get("/api/v1/statuses/" + post).status, 404);
    EXPECT_EQ(alice.get("/api/v1/timelines/home").status, 403);
    EXPECT_THAT(bob.home(), IsEmpty());
    EXPECT_EQ(owner.post(v1 + "/" + alice.id + "/unsuspend").status, 200);
    w.run_jobs();
    EXPECT_EQ(bob.get("/api/v1/statuses/" + post)["content"], "<p>words that stay</p>");
    EXPECT_THAT(bob.home(), ElementsAre(post));
}

TEST_P(AdminCases, every_mark_is_told_to_its_owner) {
    for (std::string type : {"none", "sensitive", "silence", "disable", "suspend"}) {
        auto whom = w.local("u" + type);
        EXPECT_EQ(act(whom, {{"type", type}, {"text", "Because"}}).status, 200);
        w.run_jobs();
        auto mails = w.mails();
        ASSERT_EQ(mails.size(), 1u) << type;
        EXPECT_EQ(mails[0].to, "u" + type + "@example.com");
        EXPECT_THAT(mails[0].text, HasSubstr("Because"));
    }
}

TEST_P(AdminCases, who_can_do_nothing_else_reads_why_and_appeals) {
    const std::string strikes = "/api/dunlin/v1/strikes";
    act(alice, {{"type", "suspend"}, {"text", "Because"}});
    act(bob, {{"type", "disable"}, {"text", "Because"}});
    for (const auto& who : {alice, bob}) {
        EXPECT_EQ(who.get("/api/v1/timelines/home").error(), "Your login is currently disabled");
        auto mine = who.get(strikes);
        EXPECT_THAT(mine.all("text"), ElementsAre("Because"));
        EXPECT_EQ(mine["0.target_account.id"], who.id);
        auto path = strikes + "/" + mine.ids()[0];
        EXPECT_EQ(who.get(path).status, 200);
        EXPECT_EQ(who.post(path + "/appeal", {{"text", "It was not me"}})["appeal.state"], "pending");
    }
    EXPECT_EQ(alice.get(strikes + "/" + bob.get(strikes).ids()[0]).status, 404);
    EXPECT_EQ(w.with_scopes(alice, "write").get(strikes).status, 403);
    EXPECT_EQ(w.anonymous().get(strikes).status, 401);
}

TEST_P(AdminCases, a_flag_keeps_what_is_deleted_and_drops_what_nobody_knows) {
    Peer frida(w, "frida", "far.example");
    frida.known();
    auto open = alice.status("open words"), gone = alice.status("gone words");
    auto uri = uri_of(w, gone);
    alice.del("/api/v1/statuses/" + gone);
    auto objects = "[\"" + uri_of(w, alice) + "\",\"" + uri_of(w, open) + "\",\"" + uri + "\",\"" +
                   w.site().public_url + "/users/alice/statuses/77\"]";
    EXPECT_EQ(frida.brings(frida.activity("Flag", objects, "1", R"(,"content":"bad")")).status, 202);
    w.run_inbox();
    auto reports = owner.get("/api/v1/admin/reports");
    ASSERT_EQ(reports.ids().size(), 1u);
    EXPECT_EQ(reports["0.statuses.0.id"], gone);
    EXPECT_EQ(reports["0.statuses.0.content"], "<p>gone words</p>");
    EXPECT_EQ(reports["0.statuses.1.id"], open);
    EXPECT_EQ(reports["0.statuses.2.id"], "absent");
}

TEST_P(AdminCases, who_is_suspended_is_gone_after_a_month_and_others_are_told_but_the_name_stays) {
    Peer frida(w, "frida", "far.example");
    frida.known();
    EXPECT_EQ(frida.brings(frida.follow(uri_of(w, alice))).status, 202);
    w.run_inbox();
    alice.status("words");
    sent(w);
    act(alice, {{"type", "suspend"}});
    sent(w);
    w.advance(29 * 86'400);
    w.write(accounts::delete_long_suspended);
    EXPECT_THAT(sent_lines(w), Not(Contains(HasSubstr("Delete"))));
    w.advance(2 * 86'400);
    w.write(accounts::delete_long_suspended);
    auto told = sent(w);
    ASSERT_THAT(told, testing::SizeIs(1));
    EXPECT_EQ(told[0]["type"], "Delete");
    EXPECT_EQ(told[0]["object"], uri_of(w, alice));
    auto codes = w.read([](db::Read& db) {
        std::vector<std::string> out;
        for (const auto& e :
             accounts::sign_up_errors(db, {"alice", "alice@example.com", "long password", true}))
            out.push_back(e.field + " " + e.code);
        return out;
    });
    EXPECT_THAT(codes, ElementsAre("username ERR_TAKEN", "email ERR_TAKEN"));
}

struct Attendance : OnEachWorld {};
ON_EACH_DATABASE(Attendance);

TEST_P(Attendance, is_not_missed_before_there_is_anybody) {
    EXPECT_FALSE(support::run_periodic(w, moderation::look_for_moderators));
    EXPECT_EQ(w.anonymous().get("/api/v2/instance")["registrations.approval_required"], "false");
}

TEST_P(AdminCases, attack_85_where_nobody_looks_sign_ups_wait) {
    auto needed = [&] { return w.anonymous().get("/api/v2/instance")["registrations.approval_required"]; };
    const std::string path = "/api/dunlin/v1/moderation/registrations";
    owner.get(v1);
    w.write([&](db::Write& db) {
        accounts::record_activity(db, accounts::find_user_of(db, number(owner))->id);
    });
    w.advance(7 * 86'400);
    EXPECT_FALSE(support::run_periodic(w, moderation::look_for_moderators));
    EXPECT_EQ(needed(), "false");
    w.advance(2 * 86'400);
    w.mails();
    EXPECT_TRUE(support::run_periodic(w, moderation::look_for_moderators));
    EXPECT_EQ(needed(), "true");
    EXPECT_EQ(w.anonymous().get("/api/v1/instance")["approval_required"], "true");
    w.run_jobs();
    auto mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "olga@example.com");
    EXPECT_THAT(mails[0].text, HasSubstr("dunlin registrations open"));
    auto made = w.app("read write")
                    .post(
                        "/api/v1/accounts",
                        {{"username", "eve"},
                         {"email", "eve@example.com"},
                         {"password", "long enough a password"},
                         {"agreement", "true"}}
                    );
    EXPECT_EQ(made.status, 200);
    EXPECT_EQ(owner.get(v2, {{"username", "eve"}})["0.approved"], "false");
    EXPECT_FALSE(support::run_periodic(w, moderation::look_for_moderators));
    EXPECT_EQ(owner.put(path, {{"mode", "open"}})["registrations"], "open");
    EXPECT_EQ(needed(), "false");
    EXPECT_THAT(logged(w, owner), ElementsAre("update Setting", "update Setting"));
}

TEST_P(AdminCases, do_not_say_that_sign_ups_are_open_where_the_setting_has_them_wait) {
    const std::string path = "/api/dunlin/v1/moderation/registrations";
    w.site().approval_required = true;
    const auto refused = owner.put(path, {{"mode", "open"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_THAT(refused["error"], HasSubstr("\"registrations\""));
    EXPECT_EQ(owner.get(path)["registrations"], "approval");
    EXPECT_THAT(logged(w, owner), testing::IsEmpty());
    EXPECT_EQ(owner.put(path, {{"mode", "approval"}}).status, 200);
}

}  // namespace
