// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts, appeals, announcements, invites and the log, as the team has them without JavaScript.
#include "social/accounts/users/invite.hpp"
#include "social/announcements/announcement.hpp"
#include "social/moderation/cases/note.hpp"
#include "social/pages/staff/stage.hpp"
#include "social/rules/hit.hpp"
#include "social/rules/rehearsal.hpp"

namespace {

using namespace staff_test;

struct MoreStaffPages : StaffStage {
    std::string accounts_page = desk + "/accounts", page = pages::account_page(bad_account),
                appeals = desk + "/appeals", news = desk + "/announcements", invites = desk + "/invites",
                audit = desk + "/audit";

    std::vector<accounts::Invite> all_invites() {
        return read([](db::Read& db) { return accounts::invites(db); });
    }
    std::vector<announcements::Announcement> all_news() {
        return read([](db::Read& db) { return announcements::all(db); });
    }
};
ON_EACH_DATABASE(MoreStaffPages);

TEST_P(MoreStaffPages, find_accounts_by_what_is_known_of_them) {
    auto who = member("mona", permission::manage_users);
    auto all = who->get(accounts_page);
    EXPECT_TRUE(has(all, "@bad") && has(all, "@alice") && has(all, page)) << all.body;
    auto named = who->get(accounts_page + "?name=%40ba&origin=local&state=");
    EXPECT_TRUE(has(named, "@bad") && !has(named, "@alice"));
    EXPECT_FALSE(has(who->get(accounts_page + "?origin=remote"), "@bad"));
    EXPECT_FALSE(has(who->get(accounts_page + "?state=suspended"), "@bad"));
    EXPECT_TRUE(has(who->get(accounts_page + "?state=nonsense"), "@bad"));
    EXPECT_TRUE(has(who->get(accounts_page + "?name=nobody"), "Nothing."));
    EXPECT_EQ(who->get(accounts_page + "/7").status, 404);
}

TEST_P(MoreStaffPages, act_on_an_account_from_its_own_page) {
    auto who = member("mona", permission::manage_users | permission::manage_reports);
    EXPECT_EQ(
        header(send(*who, page + "/act", {{"type", "silence"}, {"text", "Enough <b>"}}), "Location"),
        page + "?done=acted"
    );
    EXPECT_TRUE(target().silenced);
    auto shown = who->get(page);
    EXPECT_TRUE(has(shown, "Enough &lt;b&gt;") && has(shown, page + "/unsilence")) << shown.body;
    send(*who, page + "/unsilence");
    EXPECT_FALSE(target().silenced);
    EXPECT_EQ(send(*who, page + "/act", {{"type", "nonsense"}}).status, 422);
    EXPECT_EQ(logged().size(), 3u) << "with the report that was answered by it";
}

TEST_P(MoreStaffPages, keep_notes_that_the_team_alone_reads) {
    auto who = member("mona", permission::manage_users);
    EXPECT_EQ(send(*who, page + "/note", {{"text", ""}}).status, 422);
    EXPECT_EQ(
        header(send(*who, page + "/note", {{"text", "once <warned>"}}), "Location"), page + "?done=noted"
    );
    auto shown = who->get(page);
    EXPECT_TRUE(has(shown, "once &lt;warned&gt;") && has(shown, "@mona"));
    Browser alice_{*this};
    alice_.sign_in("alice");
    EXPECT_EQ(alice_.get(page).status, 403);
    EXPECT_EQ(send(alice_, page + "/note", {{"text", "mine"}}).status, 403);
}

TEST_P(MoreStaffPages, give_roles_below_ones_own_and_no_others) {
    auto low = role_with(permission::manage_reports, 10), high = role_with(permission::manage_reports, 900);
    auto who =
        member("mona", permission::manage_users | permission::manage_roles | permission::manage_reports, 500);
    auto form = who->get(page);
    EXPECT_TRUE(has(form, "value=\"" + std::to_string(low.value) + "\""));
    EXPECT_FALSE(has(form, "value=\"" + std::to_string(high.value) + "\""));
    EXPECT_EQ(send(*who, page + "/role", {{"role", std::to_string(high.value)}}).status, 422);
    EXPECT_NE(target().role->id, high);
    auto given = send(*who, page + "/role", {{"role", std::to_string(low.value)}});
    EXPECT_EQ(header(given, "Location"), page + "?done=role_given");
    EXPECT_EQ(target().role->id, low);
    auto plain = member("users", permission::manage_users, 600);
    EXPECT_FALSE(has(plain->get(page), page + "/role"));
    EXPECT_EQ(send(*plain, page + "/role", {{"role", std::to_string(low.value)}}).status, 403);
}

TEST_P(MoreStaffPages, decide_appeals) {
    auto act = [&] {
        moderation::AccountAction wanted;
        wanted.type = moderation::StrikeAction::silence;
        wanted.text = "Be quiet";
        return write([&](db::Write& db) {
            auto strike = moderation::act(db, accounts::the_operator(), bad_account, wanted);
            return moderation::appeal_against(db, bad_account, strike, "I was <quiet>");
        });
    };
    auto first = act();
    auto who = member("mona", permission::manage_appeals);
    auto shown = who->get(appeals);
    EXPECT_TRUE(has(shown, "I was &lt;quiet&gt;") && has(shown, "Be quiet") && has(shown, "@bad"))
        << shown.body;
    auto path = [&](moderation::AppealId id) { return appeals + "/" + std::to_string(id.value); };
    EXPECT_EQ(header(send(*who, path(first) + "/approve"), "Location"), appeals + "?done=appeal_approved");
    EXPECT_FALSE(target().silenced);
    auto second = act();
    EXPECT_EQ(header(send(*who, path(second) + "/reject"), "Location"), appeals + "?done=appeal_rejected");
    EXPECT_TRUE(target().silenced);
    EXPECT_TRUE(has(who->get(appeals), "Nobody appeals."));
    EXPECT_EQ(send(*who, appeals + "/7/approve").status, 404);
    auto other = member("reports", permission::manage_reports);
    EXPECT_EQ(send(*other, path(second) + "/approve").status, 403);
}

TEST_P(MoreStaffPages, tell_who_decided_what_is_appealed_against) {
    auto mona = member("mona", permission::manage_appeals | permission::manage_reports);
    auto kate = member("kate", permission::manage_appeals);
    const auto decided_by = read([](db::Read& db) { return accounts::find_by_acct(db, "mona")->id; });
    write([&](db::Write& db) {
        moderation::AccountAction wanted;
        wanted.type = moderation::StrikeAction::silence;
        const auto strike = moderation::act(db, accounts::actor(db, decided_by), bad_account, wanted);
        moderation::appeal_against(db, bad_account, strike, "I was quiet");
    });
    const auto warning = "You decided this yourself";
    EXPECT_TRUE(has(mona->get(appeals), warning));
    const auto shown = kate->get(appeals);
    EXPECT_TRUE(has(shown, "@mona") && !has(shown, warning)) << shown.body;
}

TEST_P(MoreStaffPages, announce_and_withdraw) {
    auto who = member("mona", permission::manage_announcements);
    EXPECT_EQ(send(*who, news, {{"text", ""}}).status, 422);
    auto wrong = send(*who, news, {{"text", "kept"}, {"starts", "tomorrow"}});
    EXPECT_TRUE(wrong.status == 422 && has(wrong, ">kept<") && has(wrong, "2026-12-24")) << wrong.body;
    auto made = send(*who, news, {{"text", "We <move>"}, {"starts", "2030-01-02"}, {"ends", "2030-01-03"}});
    EXPECT_EQ(header(made, "Location"), news + "?done=saved");
    ASSERT_EQ(all_news().size(), 1u);
    EXPECT_TRUE(all_news()[0].all_day && all_news()[0].ends_at);
    EXPECT_TRUE(has(who->get(news), "We &lt;move&gt;"));
    auto other = member("reports", permission::manage_reports);
    EXPECT_EQ(other->get(news).status, 403);
    EXPECT_EQ(send(*other, news, {{"text", "mine"}}).status, 403);
    auto path = news + "/" + std::to_string(all_news()[0].id.value) + "/remove";
    EXPECT_EQ(send(*other, path).status, 403);
    EXPECT_EQ(all_news().size(), 1u);
    EXPECT_EQ(header(send(*who, path), "Location"), news + "?done=withdrawn");
    EXPECT_TRUE(all_news().empty());
    EXPECT_TRUE(noted("create Announcement") && noted("destroy Announcement"));
}

TEST_P(MoreStaffPages, make_invites_and_end_them) {
    auto who = member("mona", permission::manage_invites);
    send(*who, invites, {{"uses", "5"}, {"days", "7"}, {"autofollow", "1"}});
    send(*who, invites, {{"uses", "0"}, {"days", "0"}});
    auto all = all_invites();
    ASSERT_EQ(all.size(), 2u);
    if (all[0].max_uses) std::swap(all[0], all[1]);  // both of one moment
    EXPECT_TRUE(!all[0].max_uses && !all[0].expires_at && !all[0].autofollow);
    EXPECT_TRUE(all[1].max_uses == 5 && all[1].expires_at && all[1].autofollow);
    EXPECT_EQ(all[0].username, "mona");
    EXPECT_TRUE(has(who->get(invites), "/invite/" + all[1].code));
    auto other = member("reports", permission::manage_reports);
    EXPECT_EQ(other->get(invites).status, 403);
    EXPECT_EQ(send(*other, invites, {{"uses", "1"}}).status, 403);
    EXPECT_EQ(send(*other, invites + "/" + all[0].code + "/remove").status, 403);
    EXPECT_EQ(send(*who, invites + "/nothing/remove").status, 404);
    EXPECT_EQ(all_invites().size(), 2u);
    EXPECT_EQ(
        header(send(*who, invites + "/" + all[0].code + "/remove"), "Location"),
        invites + "?done=invite_revoked"
    );
    read([&](db::Read& db) { EXPECT_FALSE(accounts::is_valid_invite(db, all[0].code)); });
    auto log = member("auditor", permission::view_audit_log)->get(audit);
    EXPECT_TRUE(has(log, "Invite") && !has(log, all[1].code)) << "the log is no way in";
}

TEST_P(MoreStaffPages, write_rules_about_posts_and_let_them_act) {
    auto who = member("mona", permission::manage_blocks);
    auto list = desk + "/rules";
    EXPECT_TRUE(has(who->get(list + "/json"), "contains_word"));
    auto wrong = send(*who, list, {{"rule", "{\"name\": \"kept <here>\"}"}});
    EXPECT_TRUE(wrong.status == 422 && has(wrong, "kept &lt;here&gt;")) << wrong.body;
    Fields rule{
        {"rule",
         R"({"name":"Pills","if":[{"field":"text","op":"contains_word","values":["casino"]}],"then":[{"act":"report"}]})"
        }
    };
    auto made = send(*who, list, rule);
    EXPECT_EQ(made.status, 302) << made.body;
    auto all = read([](db::Read& db) { return rules::rules(db); });
    ASSERT_EQ(all.size(), 1u);
    auto page_of_rule = list + "/" + std::to_string(all[0].id.value);
    EXPECT_EQ(header(made, "Location"), page_of_rule + "?done=rule_saved");
    auto state = [&] { return read([&](db::Read& db) { return rules::rule(db, all[0].id); }); };
    // In lines, and what it found in words.
    EXPECT_TRUE(has(who->get(page_of_rule), "\n  &quot;name&quot;: &quot;Pills&quot;,\n"));
    statuses::Judged judged;
    judged.account = bad_account;
    judged.hits.push_back({all[0].id.value, 1, false, {}, R"([{"field":"text","value":"casino"}])"});
    write([&](db::Write& db) { rules::keep_hits(db, judged); });
    auto found = who->get(page_of_rule);
    EXPECT_TRUE(has(found, "<code dir=\"ltr\">text</code> <bdi>casino</bdi>")) << found.body;
    EXPECT_FALSE(has(found, "&quot;field&quot;:&quot;text"));
    send(*who, page_of_rule + "/mode", {{"mode", "on"}});
    EXPECT_EQ(state().mode, rules::Mode::on);
    EXPECT_EQ(send(*who, page_of_rule + "/mode", {{"mode", "x"}}).status, 422);
    EXPECT_EQ(header(send(*who, page_of_rule + "/rehearse"), "Location"), page_of_rule + "?done=rehearsing");
    EXPECT_EQ(read([&](db::Read& db) { return rules::rehearsals(db, all[0].id); }).size(), 1u);
    rule[0].second.replace(rule[0].second.find("casino"), 6, "roulette");
    rule.emplace_back("version", "1");
    EXPECT_EQ(send(*who, page_of_rule, rule).status, 302);
    EXPECT_EQ(state().version, 2);
    EXPECT_EQ(send(*who, page_of_rule, {{"rule", "x"}}).status, 422);
    EXPECT_EQ(state().version, 2);
    EXPECT_TRUE(has(who->get(page_of_rule), "roulette"));
    EXPECT_EQ(send(*who, page_of_rule + "/undo").status, 302);
    auto other = member("reports", permission::manage_reports);
    for (auto path : {"", "/mode", "/rehearse", "/undo", "/remove"})
        EXPECT_EQ(send(*other, page_of_rule + path, rule).status, 403) << path;
    EXPECT_EQ(send(*who, page_of_rule + "/remove").status, 302);
    EXPECT_TRUE(read([](db::Read& db) { return rules::rules(db); }).empty());
    EXPECT_EQ(who->get(page_of_rule).status, 404);
}

TEST_P(MoreStaffPages, tell_who_of_the_team_did_what) {
    auto mona =
        member("mona", permission::manage_users | permission::manage_reports | permission::view_audit_log);
    send(*mona, page + "/act", {{"type", "silence"}});
    write([&](db::Write& db) { moderation::unsilence(db, accounts::the_operator(), bad_account); });
    auto all = mona->get(audit);
    EXPECT_TRUE(has(all, "@mona") && has(all, "The command line") && has(all, "unsilence")) << all.body;
    auto hers = mona->get(audit + "?by=%40mona");
    EXPECT_TRUE(has(hers, "silence") && !has(hers, "unsilence")) << hers.body;
    EXPECT_TRUE(has(mona->get(audit + "?by=nobody"), "Nothing."));
    EXPECT_TRUE(has(mona->get(audit + "?about=" + std::to_string(bad_account.value)), "unsilence"));
    EXPECT_TRUE(has(mona->get(page), audit + "?about="));
}

}  // namespace
