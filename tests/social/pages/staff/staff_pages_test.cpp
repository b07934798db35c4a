// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages of the team, as a browser without JavaScript uses them: who may open which, and that nobody gets further by a form
// than by the API.
#include "social/pages/staff/stage.hpp"

namespace {

using namespace staff_test;

struct StaffPages : StaffStage {};
ON_EACH_DATABASE(StaffPages);

TEST_P(StaffPages, open_to_whom_the_api_tells_the_same_and_to_nobody_else) {
    const std::pair<std::string, std::string_view> pages[] = {
        {reports, "/api/v1/admin/reports"},
        {one, "/api/v1/admin/reports/:id"},
        {sign_ups, "/api/v2/admin/accounts"},
        {servers, "/api/v1/admin/domain_blocks"},
        {servers + "/add", "/api/v1/admin/domain_blocks"},
        {desk + "/accounts", "/api/v2/admin/accounts"},
        {pages::account_page(bad_account), "/api/v1/admin/accounts/:id"},
        {desk + "/appeals", "/api/dunlin/v1/moderation/appeals"},
        {desk + "/audit", "/api/dunlin/v1/moderation/audit"},
        {desk + "/rules", "/api/dunlin/v1/moderation/rules"},
        {desk + "/rules/add", "/api/dunlin/v1/moderation/rules"},
        {desk + "/rules/json", "/api/dunlin/v1/moderation/rules"},
        {desk + "/cases", "/api/dunlin/v1/moderation/cases"},
        {desk + "/held", "/api/dunlin/v1/moderation/held"},
        {desk + "/lists", "/api/dunlin/v1/moderation/lists"},
        {desk + "/sources", "/api/dunlin/v1/moderation/list_sources"},
        {desk + "/blocks", "/api/v1/admin/ip_blocks"},
        {desk + "/trends", "/api/v1/admin/tags"},
        {desk + "/presets", "/api/dunlin/v1/moderation/presets"},
        {desk + "/roles", "/api/dunlin/v1/moderation/roles"},
        {desk + "/roles/add", "/api/dunlin/v1/moderation/roles"},
        {desk + "/roles/-99", "/api/dunlin/v1/moderation/roles"},
        {desk + "/webhooks", "/api/dunlin/v1/moderation/webhooks"},
        {desk + "/webhooks/add", "/api/dunlin/v1/moderation/webhooks"},
        {desk + "/words", "/api/dunlin/v1/moderation/word_lists"},
        {desk + "/pictures", "/api/dunlin/v1/moderation/hash_lists"},
        {desk + "/transparency", "/api/dunlin/v1/moderation/transparency"},
        {desk + "/site", "/api/dunlin/v1/moderation/registrations"},
    };
    for (auto may :
         {std::int64_t(0),
          permission::manage_reports,
          permission::manage_users,
          permission::manage_federation,
          permission::manage_appeals,
          permission::manage_blocks,
          permission::view_audit_log,
          permission::view_dashboard,
          permission::manage_settings,
          permission::manage_roles,
          permission::manage_taxonomies,
          permission::manage_webhooks,
          permission::view_devops}) {
        auto who = member("staff" + std::to_string(may), may);
        bool any = may == permission::view_devops;  // its page says what no route of the API does
        for (const auto& [page, route] : pages) {
            const http::Route asked{.path = route};
            bool opens = (server::permissions_for(asked) & may) != 0;
            any = any || opens;
            auto answer = who->get(page);
            EXPECT_EQ(answer.status, opens ? 200 : 403) << page << " with " << may;
            if (opens) {
                EXPECT_EQ(header(answer, "Cache-Control"), "private, no-store");
                EXPECT_FALSE(has(answer, "<script")) << page;
            }
        }
        EXPECT_EQ(who->get(desk).status, any ? 200 : 403) << may;
        EXPECT_EQ(has(who->get("/settings/account"), "href=\"/settings/moderation\""), any) << may;
        if (any)
            EXPECT_EQ(
                has(who->get(desk), "/settings/moderation/servers"), may == permission::manage_federation
            );
    }
    Browser nobody{*this};
    for (const auto& path : {desk, reports, one, sign_ups, servers})
        EXPECT_EQ(
            header(nobody.get(path), "Location"), "/auth/sign_in?return_to=" + http::percent_encoded(path)
        ) << path;
}

TEST_P(StaffPages, take_no_form_of_who_may_not_or_without_its_proof) {
    auto account = waiting("newcomer");
    write([](db::Write& db) { instance::put_domain_block(db, {.domain = "bad.example"}); });
    auto rule = servers + "/" + std::to_string(blocks()[0].id.value);
    auto sign_up = sign_ups + "/" + std::to_string(account.value);
    const std::pair<std::string, std::int64_t> targets[] = {
        {one + "/assign", permission::manage_reports},
        {one + "/unassign", permission::manage_reports},
        {one + "/resolve", permission::manage_reports},
        {one + "/reopen", permission::manage_reports},
        {one + "/act", permission::manage_reports},
        {one + "/unsuspend", permission::manage_reports},
        {one + "/unsilence", permission::manage_reports},
        {one + "/unsensitive", permission::manage_reports},
        {one + "/enable", permission::manage_reports},
        {sign_up + "/approve", permission::manage_users},
        {sign_up + "/reject", permission::manage_users},
        {servers, permission::manage_federation},
        {rule, permission::manage_federation},
        {rule + "/remove", permission::manage_federation},
    };
    const Fields fields{{"type", "suspend"}, {"domain", "other.example"}, {"severity", "suspend"}};
    Browser plain{*this};
    plain.sign_in("alice");
    auto all =
        member("all", permission::manage_reports | permission::manage_users | permission::manage_federation);
    auto before = logged().size();
    for (const auto& [path, needed] : targets) {
        auto others =
            (permission::manage_reports | permission::manage_users | permission::manage_federation) & ~needed;
        auto foreign = member("not" + std::to_string(std::hash<std::string>()(path) % 100'000'000), others);
        EXPECT_EQ(send(*foreign, path, fields).status, 403) << path;
        EXPECT_EQ(send(plain, path, fields).status, 403) << path;
        auto forged = fields;
        forged.emplace_back("authenticity_token", "x");
        EXPECT_EQ(all->post(path, forged).status, 422) << path;
        EXPECT_EQ(Browser(*this).post(path, fields).status, 302) << path;
    }
    EXPECT_EQ(logged().size(), before);
    EXPECT_FALSE(row().action_taken_at || row().assigned_account_id || target().suspended);
    EXPECT_EQ(blocks().size(), 1u);
    read([&](db::Read& db) { EXPECT_FALSE(accounts::find_user_of(db, account)->approved); });
}

TEST_P(StaffPages, list_reports_by_state_and_by_whom_they_are_about) {
    complain("once more");
    auto who = member("mona", permission::manage_reports);
    auto open = who->get(reports);
    EXPECT_TRUE(has(open, "look at this") && has(open, "once more") && has(open, "@bad")) << open.body;
    EXPECT_TRUE(has(open, "Spam"));
    EXPECT_FALSE(has(who->get(reports + "?state=resolved"), "look at this"));
    EXPECT_TRUE(has(who->get(reports + "?state=all&about=%40bad"), "look at this"));
    EXPECT_TRUE(has(who->get(reports + "?by=alice"), "look at this"));
    EXPECT_FALSE(has(who->get(reports + "?about=alice"), "look at this"));
    EXPECT_FALSE(has(who->get(reports + "?about=nobody"), "look at this")) << "nobody is called so";
    EXPECT_EQ(who->get(reports + "?state=nonsense").status, 422);
    for (int i = 0; i < 25; ++i) complain("number " + std::to_string(i));
    auto first = who->get(reports);
    auto at = first.body.find("max_id=");
    ASSERT_NE(at, std::string::npos);
    auto last = first.body.substr(at, first.body.find('"', at) - at);
    EXPECT_TRUE(has(who->get(reports + "?" + last), "look at this"));
    EXPECT_FALSE(has(who->get(reports + "?" + last), "number 24"));
}

TEST_P(StaffPages, take_a_report_from_hand_to_hand) {
    auto who = member("mona", permission::manage_reports);
    EXPECT_EQ(header(send(*who, one + "/assign"), "Location"), one + "?done=assigned");
    EXPECT_TRUE(has(who->get(one), "taken by mona"));
    send(*who, one + "/unassign");
    EXPECT_FALSE(row().assigned_account_id);
    send(*who, one + "/resolve");
    EXPECT_TRUE(row().action_taken_at);
    send(*who, one + "/reopen");
    EXPECT_FALSE(row().action_taken_at);
    for (auto entry : {"assigned_to_self Report", "unassigned Report", "resolve Report", "reopen Report"})
        EXPECT_TRUE(noted(entry)) << entry;
    EXPECT_EQ(who->get(reports + "/7").status, 404);
    EXPECT_EQ(who->get(reports + "/x").status, 404);
    EXPECT_EQ(send(*who, reports + "/7/resolve").status, 404);
}

TEST_P(StaffPages, act_on_the_account_and_take_it_back) {
    auto who = member("mona", permission::manage_reports | permission::manage_users);
    struct Case {
        std::string type, undo, entry;
        bool (*holds)(const moderation::AdminAccount&);
    };
    for (const auto& [type, undo, entry, holds] :
         {Case{"sensitive", "unsensitive", "sensitive Account", [](const auto& a) { return a.sensitized; }},
          Case{"silence", "unsilence", "silence Account", [](const auto& a) { return a.silenced; }},
          Case{"disable", "enable", "disable User", [](const auto& a) { return *a.disabled; }},
          Case{"suspend", "unsuspend", "suspend Account", [](const auto& a) { return a.suspended; }}}) {
        auto done = send(*who, one + "/act", {{"type", type}, {"text", "Enough of " + type}, {"tell", "1"}});
        EXPECT_EQ(header(done, "Location"), one + "?done=acted") << type;
        EXPECT_TRUE(holds(target())) << type;
        EXPECT_TRUE(noted(entry)) << entry;
        EXPECT_TRUE(has(who->get(one), one + "/" + undo)) << type;
        EXPECT_EQ(header(send(*who, one + "/" + undo), "Location"), one + "?done=undone");
        EXPECT_FALSE(holds(target())) << undo;
        EXPECT_FALSE(has(who->get(one), one + "/" + undo)) << type;
    }
    EXPECT_TRUE(row().action_taken_at);
    auto told = read([&](db::Read& db) { return moderation::strikes_of(db, bad_account, {}); });
    ASSERT_EQ(told.size(), 4u);
    EXPECT_EQ(told.back().text, "Enough of sensitive");
    EXPECT_EQ(told.back().report_id, report);
    const auto account = who->get(pages::account_page(bad_account));
    EXPECT_TRUE(has(account, "Freeze") && has(account, "Enough of disable"));
    EXPECT_FALSE(has(account, "Your account")) << "that is said to whom it is about";
}

TEST_P(StaffPages, delete_the_posts_of_a_report_and_tell_their_author_why) {
    auto who = member("mona", permission::manage_reports);
    EXPECT_FALSE(has(who->get(one), "Delete the posts")) << "there are none";
    const auto reporter = account_of(alice);
    auto about = write([&](db::Write& db) {
        statuses::Draft draft;
        draft.account = bad_account;
        draft.text = draft.content.html = "rude";
        moderation::Complaint complaint;
        complaint.target = bad_account;
        complaint.category = moderation::Category::legal;
        complaint.statuses = {statuses::create(db, draft).id};
        return moderation::report(db, statuses::audience(db, reporter), complaint);
    });
    auto page_of_it = reports + "/" + std::to_string(about.value);
    EXPECT_TRUE(has(who->get(page_of_it), "Delete the posts"));
    auto nothing = send(*who, page_of_it + "/act", {{"type", "mark_statuses_as_sensitive"}});
    EXPECT_TRUE(nothing.status == 422 && has(nothing, "None of the reported posts has media"))
        << nothing.body;
    auto done =
        send(*who, page_of_it + "/act", {{"type", "delete_statuses"}, {"text", "Go <away>"}, {"tell", "1"}});
    EXPECT_EQ(header(done, "Location"), page_of_it + "?done=acted");
    EXPECT_TRUE(noted("delete_statuses Account") && noted("resolve Report"));
    Browser owner_of_it(*this);
    owner_of_it.sign_in("bad");
    auto told = owner_of_it.get("/settings/account/strikes");
    for (auto words :
         {"Your posts have been removed",
          "The team decided this after a report.",
          "against the law",
          "Go &lt;away&gt;",
          "You may appeal until"})
        EXPECT_TRUE(has(told, words)) << words << told.body;
    EXPECT_FALSE(has(told, "mona") || has(told, "alice"));
}

TEST_P(StaffPages, warn_with_a_text_that_was_written_before) {
    auto preset = write([](db::Write& db) {
        return moderation::put_warning_preset(db, accounts::the_operator(), {{}, "Kindness", "Be kind."});
    });
    auto who = member("mona", permission::manage_reports);
    EXPECT_TRUE(has(who->get(one), ">Kindness</option>"));
    send(
        *who, one + "/act", {{"type", "none"}, {"preset", std::to_string(preset.value)}, {"text", "Please."}}
    );
    auto told = read([&](db::Read& db) { return moderation::strikes_of(db, bad_account, {}); });
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].text, "Be kind.\n\nPlease.");
    auto refused = send(*who, one + "/act", {{"type", "nonsense"}, {"text", "kept <words>"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(has(refused, "kept &lt;words&gt;") && has(refused, "role=\"alert\"")) << refused.body;
}

TEST_P(StaffPages, do_not_let_anybody_act_on_who_stands_above_or_beside_them) {
    auto high = role_with(permission::manage_rules, 500);
    write([&](db::Write& db) { accounts::set_role(db, bad, high); });
    auto lower = member("lower", permission::manage_reports | permission::manage_users, 499);
    auto beside = member("beside", permission::manage_reports | permission::manage_users, 500);
    for (auto* who : {lower.get(), beside.get()}) {
        EXPECT_TRUE(has(who->get(one), "stands above you"));
        EXPECT_FALSE(has(who->get(one), one + "/act"));
        EXPECT_EQ(send(*who, one + "/act", {{"type", "suspend"}}).status, 403);
    }
    EXPECT_FALSE(target().suspended);
    EXPECT_FALSE(row().action_taken_at);
    auto above = member("above", permission::manage_reports | permission::manage_users, 501);
    EXPECT_EQ(send(*above, one + "/act", {{"type", "silence"}}).status, 302);
    EXPECT_TRUE(target().silenced);
}

TEST_P(StaffPages, freeze_only_for_who_may_manage_users) {
    auto who = member("mona", permission::manage_reports);
    EXPECT_FALSE(has(who->get(one), "value=\"disable\""));
    EXPECT_EQ(send(*who, one + "/act", {{"type", "disable"}}).status, 403);
    EXPECT_FALSE(*target().disabled);
    EXPECT_EQ(send(*who, one + "/act", {{"type", "silence"}}).status, 302);
    EXPECT_EQ(send(*who, one + "/unsilence").status, 403) << "as by the API";
    EXPECT_TRUE(target().silenced);
}

TEST_P(StaffPages, let_sign_ups_in_or_not) {
    auto yes = waiting("welcome"), no = waiting("unwelcome");
    auto who = member("mona", permission::manage_users);
    auto page = who->get(sign_ups);
    EXPECT_TRUE(has(page, "@welcome") && has(page, "@unwelcome") && has(page, "welcome@example.com"));
    EXPECT_TRUE(has(page, "I like &lt;birds&gt;")) << page.body;
    auto path = [&](base::AccountId id) { return sign_ups + "/" + std::to_string(id.value); };
    EXPECT_EQ(header(send(*who, path(yes) + "/approve"), "Location"), sign_ups + "?done=approved");
    EXPECT_EQ(header(send(*who, path(no) + "/reject"), "Location"), sign_ups + "?done=rejected");
    read([&](db::Read& db) {
        EXPECT_TRUE(accounts::find_user_of(db, yes)->approved);
        EXPECT_FALSE(accounts::find_user_of(db, no));
    });
    EXPECT_TRUE(noted("approve User") && noted("reject User"));
    EXPECT_EQ(send(*who, path(yes) + "/reject").status, 403) << "who is in stays";
    EXPECT_TRUE(has(who->get(sign_ups), "Nobody waits."));
}

TEST_P(StaffPages, limit_other_servers) {
    auto who = member("fred", permission::manage_federation);
    EXPECT_TRUE(has(who->get(servers), "None yet."));
    Fields rule{
        {"domain", "Bad.Example"},
        {"severity", "silence"},
        {"reject_media", "1"},
        {"public_comment", "spam"},
        {"private_comment", "as <we> said"}
    };
    EXPECT_EQ(header(send(*who, servers, rule), "Location"), servers + "?done=server_added");
    ASSERT_EQ(blocks().size(), 1u);
    auto made = blocks()[0];
    EXPECT_EQ(made.domain, "bad.example");
    EXPECT_TRUE(made.reject_media && !made.reject_reports);
    EXPECT_TRUE(has(who->get(servers), "bad.example") && has(who->get(servers), "no media"));

    auto twice = send(*who, servers, rule);
    EXPECT_EQ(twice.status, 422);
    EXPECT_TRUE(has(twice, "stricter limits") && has(twice, "as &lt;we&gt; said")) << twice.body;
    EXPECT_EQ(send(*who, servers, {{"domain", "not a domain"}, {"severity", "silence"}}).status, 422);

    auto path = servers + "/" + std::to_string(made.id.value);
    EXPECT_TRUE(has(who->get(path), "as &lt;we&gt; said"));
    send(*who, path, {{"severity", "suspend"}, {"reject_reports", "1"}, {"public_comment", "more spam"}});
    made = blocks()[0];
    EXPECT_EQ(made.severity, instance::Severity::suspend);
    EXPECT_TRUE(!made.reject_media && made.reject_reports) << "what is not ticked holds no more";
    EXPECT_EQ(made.public_comment, "more spam");
    EXPECT_EQ(header(send(*who, path + "/remove"), "Location"), servers + "?done=server_removed");
    EXPECT_TRUE(blocks().empty());
    for (auto entry : {"create DomainBlock", "update DomainBlock", "destroy DomainBlock"})
        EXPECT_TRUE(noted(entry)) << entry;
    EXPECT_EQ(who->get(path).status, 404);
}

}  // namespace
