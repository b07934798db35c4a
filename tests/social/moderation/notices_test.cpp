// SPDX-License-Identifier: AGPL-3.0-or-later
// Reports by people without an account, by the form at /report.
#include "social/moderation/notices/notice.hpp"
#include "social/moderation/staff.hpp"

#include "internet.hpp"

#include <gmock/gmock.h>

namespace {

const db::Command test_fill_notices{
    "test_fill_notices",
    R"(INSERT INTO notices (report_id, name, email, email_hash, locale, address, network, created_at)
       VALUES ($1, '', '', '', 'en', 'https://social.test', $2, $3))"
};
const db::Query<std::int64_t> test_networks_kept{
    "test_networks_kept", "SELECT count(*) FROM notices WHERE network <> ''"
};

using testing::HasSubstr, testing::Not;

struct Notices : OnEachWorld {
    Person alice = w.local("alice"), mod = staff(w, "mod", accounts::moderator);
    std::string post = alice.status("an insult");
    std::string address = w.site().public_url + "/@alice/" + post;

    Notices() {
        w.run_jobs();
        w.mails(), w.changed(), w.happened();
    }
    static std::string between(const std::string& text, const std::string& begin, const std::string& end) {
        auto from = text.find(begin);
        if (from == std::string::npos) return {};
        from += begin.size();
        return text.substr(from, text.find(end, from) - from);
    }
    // As a browser does it that has opened the page.
    Answer hand_in(const Fields& changed = {}, bool honest = true) {
        auto page = w.anonymous().get("/report");
        auto cookie = page.header("Set-Cookie");
        Fields form{
            {"about", address},
            {"category", "legal"},
            {"comment", "it is an insult by our law"},
            {"sure", "1"},
            {"authenticity_token",
             honest ? between(page.body, "name=\"authenticity_token\" value=\"", "\"") : std::string("no")}
        };
        for (const auto& [name, value] : changed) {
            std::erase_if(form, [&](const auto& field) { return field.first == name; });
            form.emplace_back(name, value);
        }
        return w.anonymous().with("Cookie", cookie.substr(0, cookie.find(';'))).post("/report", form);
    }
    std::string number(const Answer& answer) { return between(answer.body, "<strong>", "</strong>"); }
    std::vector<World::Letter> mails() {
        w.run_jobs();
        return w.mails();
    }
};
ON_EACH_DATABASE(Notices);

TEST_P(Notices, become_reports_that_the_team_finds) {
    auto answer = hand_in({{"name", "Ann <b>"}, {"email", "Ann@Example.org"}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    auto id = number(answer);
    ASSERT_NE(id, "");
    auto report = mod.get("/api/v1/admin/reports/" + id);
    EXPECT_EQ(report["category"], "legal");
    EXPECT_EQ(report["comment"], "it is an insult by our law");
    EXPECT_EQ(report["target_account.username"], "alice");
    EXPECT_EQ(report["account.username"], "without_account") << "apps need somebody there";
    EXPECT_EQ(report["statuses.0.id"], post);
    EXPECT_EQ(mod.get("/api/dunlin/v1/moderation/cases").ids().size(), 1u);
    auto told = mod.get("/api/v1/notifications", {{"types[]", "admin.report"}});
    EXPECT_EQ(told["0.report.id"], id);
    auto sent = mails();
    ASSERT_EQ(sent.size(), 2u);
    std::ranges::sort(sent, {}, &World::Letter::to);
    EXPECT_EQ(sent[0].to, "ann@example.org");
    EXPECT_THAT(sent[0].text, HasSubstr(id));
    EXPECT_THAT(sent[0].text, HasSubstr(address));
    EXPECT_THAT(sent[0].text, Not(HasSubstr("our law")))
        << "nothing that was typed goes to an address that was typed";
    EXPECT_EQ(sent[1].to, "mod@example.com");
    EXPECT_THAT(sent[1].text, HasSubstr("@without_account has reported @alice"));
}

TEST_P(Notices, are_answered_when_they_are_decided_and_once) {
    auto nothing_done = number(hand_in({{"email", "ann@example.org"}}));
    mails();
    EXPECT_EQ(mod.post("/api/v1/admin/reports/" + nothing_done + "/resolve").status, 200);
    auto sent = mails();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].to, "ann@example.org");
    EXPECT_THAT(sent[0].text, HasSubstr("found nothing that it had to act against"));
    mod.post("/api/v1/admin/reports/" + nothing_done + "/reopen");
    mod.post("/api/v1/admin/reports/" + nothing_done + "/resolve");
    EXPECT_TRUE(mails().empty());
    auto acted = number(hand_in({{"email", "ben@example.org"}}));
    mails();
    mod.post("/api/v1/admin/accounts/" + alice.id + "/action", {{"type", "silence"}, {"report_id", acted}});
    sent = mails();
    std::erase_if(sent, [](const World::Letter& one) { return one.to != "ben@example.org"; });
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_THAT(sent[0].text, HasSubstr("has acted"));
    // What the team did before was not for this one.
    auto later = (w.advance(60), number(hand_in({{"email", "cem@example.org"}})));
    mails();
    mod.post("/api/v1/admin/reports/" + later + "/resolve");
    sent = mails();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_THAT(sent[0].text, HasSubstr("found nothing that it had to act against"));
    // Half a year later nobody is known any more.
    w.advance(184 * 86'400);
    w.changed();
    w.write(moderation::purge_notices);
    EXPECT_EQ(w.changed(), "notices -3");
}

TEST_P(Notices, do_not_say_that_the_team_acted_where_others_did) {
    auto deleted = number(hand_in({{"email", "ann@example.org"}}));
    mails();
    alice.del("/api/v1/statuses/" + post);
    mod.post("/api/v1/admin/reports/" + deleted + "/resolve");
    auto sent = mails();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_THAT(sent[0].text, HasSubstr("is no longer there"));
    EXPECT_THAT(sent[0].text, Not(HasSubstr("has acted")));
}

TEST_P(Notices, are_decided_in_one_mail_whatever_changes_meanwhile) {
    auto id = number(hand_in({{"email", "ann@example.org"}}));
    mails();
    internet().while_mailing = [&, done = std::make_shared<bool>()] {
        if (!std::exchange(*done, true)) alice.del("/api/v1/statuses/" + post);
    };
    mod.post("/api/v1/admin/reports/" + id + "/resolve");
    EXPECT_EQ(mails().size(), 1u);
}

TEST_P(Notices, forget_after_a_day_where_they_came_from) {
    hand_in();
    w.advance(86'000);
    w.write(moderation::purge_notices);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_networks_kept); }), 1);
    w.advance(401);
    w.write(moderation::purge_notices);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_networks_kept); }), 0);
}

TEST_P(Notices, take_the_addresses_by_which_people_know_things) {
    for (const auto& one :
         {address,
          " " + address + "?x#y ",
          w.site().public_url + "/@alice",
          std::string("@alice"),
          "@alice@" + w.site().domain,
          w.site().public_url + "/ap/users/" + alice.id + "/statuses/" + post}) {
        auto answer = hand_in({{"about", one}});
        EXPECT_EQ(answer.status, 200) << one;
        auto report = mod.get("/api/v1/admin/reports/" + number(answer));
        EXPECT_EQ(report["target_account.username"], "alice") << one;
    }
}

TEST_P(Notices, know_nothing_of_what_not_everybody_sees) {
    auto secret = alice.status("for friends", {{"visibility", "private"}});
    w.run_jobs();
    w.changed();
    std::string said;
    for (const auto& one :
         {w.site().public_url + "/@alice/" + secret,
          w.site().public_url + "/@alice/99",
          w.site().public_url + "/@nobody",
          std::string("https://elsewhere.example/1"),
          std::string("")}) {
        auto answer = hand_in({{"about", one}});
        EXPECT_EQ(answer.status, 422) << one;
        auto why = between(answer.body, "role=\"alert\">", "<");
        if (said.empty()) said = why;
        EXPECT_EQ(why, said) << one;
    }
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Notices, need_a_reason_a_confirmation_and_the_page) {
    EXPECT_EQ(hand_in().status, 200);
    w.run_jobs();
    w.changed();
    EXPECT_EQ(hand_in({{"comment", "  "}}).status, 422);
    EXPECT_EQ(hand_in({{"comment", std::string(1001, 'a')}}).status, 422);
    EXPECT_EQ(hand_in({{"name", std::string(101, 'a')}}).status, 422);
    EXPECT_EQ(hand_in({{"email", "nonsense"}}).status, 422);
    EXPECT_EQ(hand_in({{"rule_ids[]", "99"}}).status, 422);
    EXPECT_EQ(hand_in({{"sure", "0"}}).status, 422);
    EXPECT_EQ(hand_in({}, false).status, 422);
    EXPECT_EQ(w.changed(), "");
    auto kept = hand_in({{"comment", ""}, {"name", "Ann <b>"}});
    EXPECT_THAT(kept.body, HasSubstr("Ann &lt;b&gt;")) << "what was typed stays";
    EXPECT_EQ(hand_in({{"comment", std::string(1000, 'a')}, {"category", "nonsense"}}).status, 200);
}

TEST_P(Notices, cannot_be_used_to_flood) {
    for (int i = 0; i < moderation::most_notices_of_network; ++i) EXPECT_EQ(hand_in().status, 200);
    w.changed();
    EXPECT_EQ(hand_in().status, 429);
    EXPECT_EQ(w.changed(), "");
    w.advance(86'401);
    EXPECT_EQ(hand_in().status, 200);
    // From everywhere
    w.write([](db::Write& db) {
        for (int i = 0; i < moderation::most_notices_of_all - 2; ++i)
            db.run(test_fill_notices, moderation::ReportId{i + 1}, std::to_string(i), db.now());
    });
    EXPECT_EQ(hand_in().status, 200);
    w.changed();
    EXPECT_EQ(hand_in().status, 429);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Notices, bring_an_address_three_receipts_and_three_decisions_a_day) {
    std::vector<std::string> numbers;
    for (const auto* spelled :
         {"vic.tim@example.org",
          "victim+a@example.org",
          "Victim+b@example.org",
          "victim+c@example.org",
          "victim@example.org"}) {
        auto answer = hand_in({{"email", spelled}});
        ASSERT_EQ(answer.status, 200);
        numbers.push_back(number(answer));
        EXPECT_EQ(answer.body.find("You are told of it by mail.") != std::string::npos, numbers.size() <= 3)
            << spelled;
    }
    auto to_victim = [&] {
        auto sent = mails();
        return std::ranges::count_if(sent, [](const World::Letter& one) {
            return one.to.ends_with("@example.org");
        });
    };
    EXPECT_EQ(to_victim(), 3);
    for (const auto& one : numbers)
        EXPECT_EQ(mod.post("/api/v1/admin/reports/" + one + "/resolve").status, 200);
    EXPECT_EQ(to_victim(), 3);
    w.advance(86'399);
    EXPECT_EQ(to_victim(), 0);
    w.advance(1);
    EXPECT_EQ(to_victim(), 2) << "nobody is left without an answer";
    w.advance(86'400);
    EXPECT_EQ(to_victim(), 0);
}

}  // namespace
