// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/administering.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/federation/peer.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

const db::Command test_make_pending{
    "test_make_pending", "UPDATE users SET approved = FALSE WHERE account_id = $1"
};
const db::Command test_mark_by_domain{
    "test_mark_by_domain",
    "UPDATE accounts SET suspended_at = $2, suspended_by = $3, version = version + 1 WHERE id = $1"
};

namespace {

using testing::Contains, testing::ElementsAre, testing::IsEmpty, testing::Not, testing::UnorderedElementsAre;

const std::string v1 = "/api/v1/admin/accounts", v2 = "/api/v2/admin/accounts";

struct AdminAccounts : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), mona = staff(w, "mona", accounts::moderator),
           alice = w.local("alice"), bob = w.local("bob");

    Answer act(const Person& who, const Person& whom, Fields fields) {
        return who.post(v1 + "/" + whom.id + "/action", fields);
    }
    Answer act(const Person& whom, const std::string& type) { return act(mona, whom, {{"type", type}}); }
    Answer undo(const Person& whom, const std::string& what) {
        return mona.post(v1 + "/" + whom.id + "/" + what);
    }
    Answer shown(const Person& whom) { return mona.get(v1 + "/" + whom.id); }
    std::vector<std::string> listed(const std::string& path, const Fields& fields = {}) {
        auto answer = mona.get(path, fields);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.all("username");
    }
    Person pending(const std::string& name) {
        auto person = w.local(name);
        w.write([&](db::Write& db) { db.run(test_make_pending, base::AccountId{std::stoll(person.id)}); });
        w.happened(), w.changed();
        return person;
    }
    void suspended_by(const Person& whom, const char* by) {
        w.write([&](db::Write& db) {
            db.run(test_mark_by_domain, base::AccountId{std::stoll(whom.id)}, db.now(), by);
        });
    }
};
ON_EACH_DATABASE(AdminAccounts);

TEST_P(AdminAccounts, are_shown_with_what_staff_may_know) {
    auto answer = shown(alice);
    EXPECT_EQ(answer["email"], "alice@example.com");
    EXPECT_EQ(answer["role.id"], "-99");
    EXPECT_EQ(answer["role.permissions"], "65536");
    EXPECT_EQ(answer["confirmed"], "true");
    EXPECT_EQ(answer["approved"], "true");
    EXPECT_EQ(answer["ips"], "[]");
    EXPECT_EQ(answer["account.id"], alice.id);
    EXPECT_EQ(answer["domain"], "null");
    EXPECT_EQ(mona.get(v1 + "/999").status, 404);
    EXPECT_EQ(mona.get(v1 + "/" + owner.id)["role.permissions"], "8388607");
}

TEST_P(AdminAccounts, that_wait_are_listed_and_suspended_ones_only_where_asked_for) {
    auto pia = pending("pia"), uta = w.unconfirmed("uta"), sid = w.local("sid"), dora = w.local("dora"),
         lim = w.local("lim");
    act(sid, "suspend"), act(dora, "disable"), act(lim, "silence");
    EXPECT_THAT(listed(v1), ElementsAre("lim", "dora", "uta", "pia", "bob", "alice", "mona", "olga"));
    EXPECT_THAT(
        listed(v1, {{"sensitized", "true"}}),
        ElementsAre("lim", "dora", "uta", "pia", "bob", "alice", "mona", "olga")
    );
    EXPECT_THAT(listed(v1, {{"pending", "1"}}), ElementsAre("pia"));
    EXPECT_THAT(listed(v1, {{"disabled", "1"}}), ElementsAre("dora"));
    EXPECT_THAT(listed(v1, {{"silenced", "1"}}), ElementsAre("lim"));
    EXPECT_THAT(listed(v1, {{"suspended", "1"}}), ElementsAre("sid"));
    EXPECT_THAT(listed(v1, {{"suspended", "1"}, {"pending", "1"}}), ElementsAre("sid"));
    EXPECT_THAT(listed(v1, {{"staff", "false"}}), ElementsAre("mona", "olga"));
    EXPECT_THAT(listed(v1, {{"username", "@AL"}}), ElementsAre("alice"));
    EXPECT_THAT(listed(v1, {{"email", "BOB@"}}), ElementsAre("bob"));
    EXPECT_THAT(listed(v1, {{"username", "\xC3\xBF"}}), IsEmpty());  // ends in the highest byte of its kind
    EXPECT_THAT(listed(v1, {{"ip", "nonsense"}}), IsEmpty());
    act(bob, "sensitive");
    EXPECT_THAT(listed(v2, {{"status", "sensitized"}}), ElementsAre("bob"));
    EXPECT_THAT(listed(v2), Contains("sid"));
    EXPECT_THAT(
        listed(v2, {{"permissions", "staff"}, {"origin", "local"}, {"status", "active"}}),
        ElementsAre("mona", "olga")
    );
    EXPECT_THAT(listed(v2, {{"permissions", "other"}}), Contains("alice"));
    EXPECT_THAT(listed(v2, {{"role_ids[]", "1"}}), ElementsAre("mona"));
}

TEST_P(AdminAccounts, v2_refuses_words_that_it_does_not_know) {
    auto origin = mona.get(v2, {{"origin", "moon"}}), status = mona.get(v2, {{"status", "odd"}});
    EXPECT_EQ(origin.status, 400);
    EXPECT_EQ(origin.error(), "Unknown origin: moon");
    EXPECT_EQ(status.error(), "Unknown status: odd");
}

TEST_P(AdminAccounts, come_in_pages) {
    auto first = mona.get(v1, {{"limit", "3"}});
    EXPECT_THAT(first.all("username"), ElementsAre("bob", "alice", "mona"));
    auto second = mona.get(first.link("next"));
    EXPECT_THAT(second.all("username"), ElementsAre("olga"));
    EXPECT_EQ(second.link("next"), "");
    EXPECT_THAT(mona.get(second.link("prev")).all("username"), ElementsAre("bob", "alice", "mona"));
}

TEST_P(AdminAccounts, of_other_servers_are_found_by_exactly_their_domain) {
    Peer frida(w, "frida", "far.example"), brit(w, "brit", "sub.far.example");
    frida.known(), brit.known();
    EXPECT_THAT(listed(v1, {{"by_domain", "far.example"}}), ElementsAre("frida"));
    EXPECT_THAT(listed(v2, {{"by_domain", " FAR.example"}}), ElementsAre("frida"));
    EXPECT_THAT(listed(v1, {{"remote", "x"}}), UnorderedElementsAre("frida", "brit"));
    EXPECT_THAT(listed(v1, {{"username", "b"}}), ElementsAre("bob"));
    EXPECT_THAT(listed(v1, {{"username", "b"}, {"remote", "x"}}), ElementsAre("brit"));
    EXPECT_THAT(listed(v1, {{"username", "f"}, {"by_domain", "far.example"}}), ElementsAre("frida"));
    EXPECT_THAT(listed(v1, {{"username", "b"}, {"by_domain", "far.example"}}), IsEmpty());
    act(bob, "suspend");
    EXPECT_EQ(owner.del(v1 + "/" + bob.id).status, 200);
    w.run_jobs();
    EXPECT_THAT(listed(v2, {{"origin", "local"}}), ElementsAre("bob", "alice", "mona", "olga"));
    EXPECT_THAT(
        listed(v2, {{"origin", "local"}, {"limit", "2"}, {"max_id", bob.id}}), ElementsAre("alice", "mona")
    );
    auto answer = mona.get(v1 + "/" + std::to_string(frida.id.value));
    for (auto member :
         {"email", "ip", "ips", "confirmed", "approved", "disabled", "locale", "invite_request", "role"})
        EXPECT_EQ(answer[member], "null") << member;
    EXPECT_EQ(answer["domain"], "far.example");
    const auto path = v1 + "/" + std::to_string(frida.id.value);
    EXPECT_EQ(mona.post(path + "/enable").status, 403);
    EXPECT_EQ(mona.post(path + "/action", {{"type", "disable"}}).status, 422);
    EXPECT_EQ(mona.post(path + "/action", {{"type", "none"}}).status, 200);
    EXPECT_EQ(mona.post(path + "/action", {{"type", "suspend"}}).status, 200);
    EXPECT_EQ(owner.del(path).status, 200);
    EXPECT_EQ(owner.del(path).status, 403);
}

TEST_P(AdminAccounts, are_found_by_the_addresses_they_came_from) {
    w.write([&](db::Write& db) {
        auto note = [&](const Person& who, const char* address) {
            accounts::note_address(db, accounts::find_user_of(db, {std::stoll(who.id)})->id, address);
        };
        note(alice, "192.0.2.77"), note(bob, "2001:db8::7");
    });
    EXPECT_THAT(listed(v1, {{"ip", "192.0.2.0/24"}}), ElementsAre("alice"));
    EXPECT_THAT(listed(v1, {{"ip", "192.0.2.77"}}), ElementsAre("alice"));
    EXPECT_THAT(listed(v1, {{"ip", "2001:db8::/32"}}), ElementsAre("bob"));
    EXPECT_THAT(listed(v1, {{"ip", "192.0.3.0/24"}}), IsEmpty());
    EXPECT_EQ(shown(alice)["ip"], "192.0.2.77");
    EXPECT_EQ(shown(alice)["ips.0.ip"], "192.0.2.77");
    w.advance(366 * 86'400);
    w.write(accounts::purge_addresses);
    EXPECT_THAT(listed(v1, {{"ip", "192.0.2.0/24"}}), IsEmpty());
}

TEST_P(AdminAccounts, are_marked_and_the_marks_taken_back) {
    for (auto [type, undone, member] :
         {std::tuple{"disable", "enable", "disabled"},
          {"silence", "unsilence", "silenced"},
          {"sensitive", "unsensitive", "sensitized"},
          {"suspend", "unsuspend", "suspended"}}) {
        SCOPED_TRACE(type);
        auto answer = act(alice, type);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body, "{}");
        EXPECT_EQ(shown(alice)[member], "true");
        EXPECT_EQ(undo(alice, undone)[member], "false");
    }
    EXPECT_THAT(
        logged(w, owner),
        ElementsAre(
            "disable User",
            "enable User",
            "silence Account",
            "unsilence Account",
            "sensitive Account",
            "unsensitive Account",
            "suspend Account",
            "unsuspend Account"
        )
    );
    EXPECT_EQ(undo(alice, "unsuspend").status, 403);
}

TEST_P(AdminAccounts, are_warned_by_notification_and_mail_without_a_name) {
    EXPECT_EQ(act(mona, alice, {{"type", "none"}, {"text", "Be kind"}}).status, 200);
    auto told = alice.get("/api/v1/notifications");
    EXPECT_THAT(told.all("type"), ElementsAre("moderation_warning"));
    EXPECT_EQ(told["0.moderation_warning.text"], "Be kind");
    EXPECT_EQ(told["0.moderation_warning.action"], "none");
    EXPECT_EQ(told["0.account.id"], alice.id);
    EXPECT_EQ(told.body.find("mona"), std::string::npos);
    w.run_jobs();
    auto mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "alice@example.com");
    EXPECT_THAT(mails[0].text, testing::HasSubstr("Be kind"));
    EXPECT_EQ(mails[0].text.find("mona"), std::string::npos);
    EXPECT_THAT(logged(w, owner), ElementsAre("create AccountWarning"));
    act(mona, alice, {{"type", "silence"}, {"send_email_notification", "false"}});
    w.run_jobs();
    EXPECT_TRUE(w.mails().empty());
    EXPECT_EQ(alice.get("/api/v1/notifications").ids().size(), 1u);
    auto strikes = owner.get("/api/dunlin/v1/moderation/accounts/" + alice.id + "/strikes");
    EXPECT_THAT(strikes.all("action"), ElementsAre("silence", "none"));
    act(mona, alice, {{"type", "none"}});  // says nothing, and nothing is written down
    EXPECT_THAT(logged(w, owner), ElementsAre("create AccountWarning", "silence Account"));
}

TEST_P(AdminAccounts, attack_61_are_out_of_reach_of_who_does_not_stand_above_them) {
    auto max = staff(w, "max", accounts::moderator);
    for (const auto& whom : {max, owner, mona})
        for (auto type : {"none", "disable", "sensitive", "silence", "suspend"})
            EXPECT_EQ(act(whom, type).status, 403) << type;
    EXPECT_EQ(act(owner, owner, {{"type", "suspend"}}).status, 403);
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_EQ(act(owner, max, {{"type", "silence"}}).status, 200);
}

TEST_P(AdminAccounts, demand_a_type_that_there_is) {
    EXPECT_EQ(
        act(mona, alice, {}).error(),
        "Validation failed: Type can't be blank, Type is not included in the list"
    );
    EXPECT_EQ(act(alice, "odd").error(), "Validation failed: Type is not included in the list");
    EXPECT_EQ(act(mona, alice, {{"type", "none"}, {"warning_preset_id", "7"}}).status, 404);
    EXPECT_EQ(act(mona, alice, {{"type", "none"}, {"report_id", "7"}}).status, 404);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(AdminAccounts, are_warned_with_a_text_written_before) {
    auto preset =
        owner.post("/api/dunlin/v1/moderation/presets", {{"title", "Spam"}, {"text", "No adverts."}});
    ASSERT_EQ(preset.status, 200);
    act(mona, alice, {{"type", "none"}, {"warning_preset_id", preset.id()}, {"text", "Really."}});
    act(mona, alice, {{"type", "none"}, {"warning_preset_id", preset.id()}});
    auto strikes = alice.get("/api/dunlin/v1/strikes");
    EXPECT_THAT(strikes.all("text"), ElementsAre("No adverts.", "No adverts.\n\nReally."));
}

TEST_P(AdminAccounts, that_sign_up_are_approved_or_rejected) {
    auto pia = pending("pia"), rob = pending("rob");
    auto approved = undo(pia, "approve");
    EXPECT_EQ(approved["approved"], "true");
    EXPECT_EQ(undo(pia, "approve").status, 403);
    EXPECT_EQ(mona.get("/api/v1/notifications")["0.account.id"], pia.id);
    EXPECT_EQ(undo(rob, "reject").body, "{}");
    EXPECT_EQ(undo(rob, "reject").status, 404);
    w.run_jobs();
    w.mails();
    EXPECT_EQ(w.local("rob").name, "rob");  // the name is free again
    EXPECT_THAT(logged(w, owner), ElementsAre("approve User", "reject User"));
    EXPECT_EQ(undo(alice, "reject").status, 403);
}

TEST_P(AdminAccounts, that_did_not_confirm_are_announced_when_they_do) {
    auto uta = w.unconfirmed("uta");
    w.write([&](db::Write& db) { db.run(test_make_pending, base::AccountId{std::stoll(uta.id)}); });
    EXPECT_EQ(undo(uta, "approve")["approved"], "true");
    EXPECT_THAT(mona.get("/api/v1/notifications").all("account.id"), Not(Contains(uta.id)));
}

TEST_P(AdminAccounts, suspended_elsewhere_or_by_a_rule_are_not_lifted_here) {
    for (auto by : {"remote", "domain"}) {
        suspended_by(alice, by);
        EXPECT_EQ(undo(alice, "unsuspend").status, 403);
        EXPECT_EQ(owner.del(v1 + "/" + alice.id).status, 403);
    }
}

TEST_P(AdminAccounts, that_are_suspended_keep_their_address_until_it_is_lifted) {
    auto taken = [&] {
        return w.read([](db::Read& db) {
            for (const auto& e :
                 accounts::sign_up_errors(db, {"new", "a.l.ice+x@Example.com", "long password", true}))
                if (e.field == "email") return e.code;
            return std::string();
        });
    };
    act(alice, "suspend");
    EXPECT_EQ(taken(), "ERR_TAKEN");
    undo(alice, "unsuspend");
    EXPECT_EQ(taken(), "");
}

TEST_P(AdminAccounts, that_are_suspended_are_deleted_after_a_month_or_when_staff_says_so) {
    EXPECT_EQ(owner.del(v1 + "/" + alice.id).status, 403);
    act(alice, "suspend"), act(bob, "suspend");
    EXPECT_EQ(mona.del(v1 + "/" + alice.id).status, 403);  // has no say in this
    EXPECT_EQ(owner.del(v1 + "/" + alice.id).body, "{}");
    EXPECT_EQ(owner.del(v1 + "/" + alice.id).status, 403);
    w.run_jobs();
    EXPECT_EQ(shown(alice)["suspended"], "true");
    EXPECT_EQ(shown(alice)["email"], "null");
    w.advance(29 * 86'400);
    act(bob, "suspend");  // begins anew
    w.advance(29 * 86'400);
    w.write(accounts::delete_long_suspended);
    EXPECT_EQ(shown(bob)["email"], "bob@example.com");
    w.advance(2 * 86'400);
    w.write(accounts::delete_long_suspended);
    EXPECT_EQ(shown(bob)["email"], "null");
}

TEST_P(AdminAccounts, appeal_once_and_in_time) {
    act(alice, "silence"), act(bob, "silence");
    auto strike = alice.get("/api/dunlin/v1/strikes").ids()[0];
    auto appeal = [&](const Person& who, const std::string& text) {
        return who.post("/api/dunlin/v1/strikes/" + strike + "/appeal", {{"text", text}});
    };
    EXPECT_EQ(appeal(bob, "Not mine").status, 404);
    EXPECT_EQ(appeal(alice, "").status, 422);
    EXPECT_EQ(appeal(alice, std::string(2001, 'a')).status, 422);
    EXPECT_EQ(appeal(alice, "It was not me")["appeal.state"], "pending");
    EXPECT_EQ(appeal(alice, "Again").status, 422);
    w.run_jobs();
    auto mails = w.mails();
    EXPECT_EQ(std::ranges::count(mails, "olga@example.com", &World::Letter::to), 1);
    auto waiting = owner.get("/api/dunlin/v1/moderation/appeals");
    EXPECT_THAT(waiting.all("text"), ElementsAre("It was not me"));
    auto path = "/api/dunlin/v1/moderation/appeals/" + waiting.ids()[0];
    EXPECT_EQ(mona.post(path + "/approve").status, 403);
    EXPECT_EQ(owner.post(path + "/approve")["state"], "approved");
    EXPECT_EQ(owner.post(path + "/reject").status, 422);
    EXPECT_EQ(shown(alice)["silenced"], "false");
    EXPECT_EQ(shown(bob)["silenced"], "true");
    w.run_jobs();
    EXPECT_THAT(w.mails()[0].subject, testing::HasSubstr("approved"));
    w.advance(21 * 86'400);
    strike = bob.get("/api/dunlin/v1/strikes").ids()[0];
    EXPECT_EQ(appeal(bob, "Late").error(), "It is too late to appeal this strike");
    w.site().appeal_days = 183;
    w.advance(162 * 86'400 + 1);
    EXPECT_EQ(appeal(bob, "Late").error(), "It is too late to appeal this strike");
    w.advance(-2);
    const auto until = bob.get("/api/dunlin/v1/strikes/" + strike + "/statement")["appeal.until"];
    EXPECT_GE(until, base::to_string(w.now()));
    EXPECT_EQ(appeal(bob, "In time")["appeal.state"], "pending");
}

TEST_P(AdminAccounts, are_not_written_to_about_an_appeal_that_is_decided_by_then) {
    act(alice, "silence");
    w.run_jobs();
    w.mails();
    auto strike = alice.get("/api/dunlin/v1/strikes").ids()[0];
    alice.post("/api/dunlin/v1/strikes/" + strike + "/appeal", {{"text", "It was not me"}});
    auto appeals = owner.get("/api/dunlin/v1/moderation/appeals").ids();
    ASSERT_EQ(appeals.size(), 1u);
    owner.post("/api/dunlin/v1/moderation/appeals/" + appeals[0] + "/approve");
    w.run_jobs();
    auto mails = w.mails();
    ASSERT_EQ(mails.size(), 1u);
    EXPECT_EQ(mails[0].to, "alice@example.com");
}

TEST_P(AdminAccounts, do_not_decide_their_own_appeals) {
    auto judge = staff(w, "judy", role_with(w, accounts::permission::manage_appeals, 5));
    act(judge, "silence");
    auto strike = "/api/dunlin/v1/strikes/" + judge.get("/api/dunlin/v1/strikes").ids()[0];
    judge.post(strike + "/appeal", {{"text", "It was not me"}});
    auto path =
        "/api/dunlin/v1/moderation/appeals/" + owner.get("/api/dunlin/v1/moderation/appeals").ids()[0];
    for (auto decision : {"/approve", "/reject"}) EXPECT_EQ(judge.post(path + decision).status, 403);
    EXPECT_EQ(shown(judge)["silenced"], "true");
    EXPECT_EQ(owner.post(path + "/approve")["state"], "approved");
}

}  // namespace
