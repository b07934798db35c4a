// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages of the team that are made of forms and rows (pages/staff/sheet.hpp).
#include "server/tables.hpp"
#include "social/instance/about.hpp"
#include "social/labels/label.hpp"
#include "social/moderation/cases/case.hpp"
#include "social/moderation/site/blocks_admin.hpp"
#include "social/moderation/site/site_acts.hpp"
#include "social/moderation/team.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/pages/settings/settings_page.hpp"
#include "social/pages/staff/stage.hpp"
#include "social/rules/label.hpp"
#include "social/rules/word_list.hpp"

#include <regex>

namespace {

using namespace staff_test;

struct SheetPages : StaffStage {
    // The one row of a page that leads somewhere below it.
    static std::string way_below(const http::Response& page, const std::string& path) {
        std::smatch found;
        auto ok = std::regex_search(page.body, found, std::regex(path + "/\\d+"));
        EXPECT_TRUE(ok) << page.body;
        return ok ? found.str() : "";
    }
    static bool went(const http::Response& answer, const std::string& to) {
        return header(answer, "Location") == to;
    }
};
ON_EACH_DATABASE(SheetPages);

TEST_P(SheetPages, take_no_form_at_all_of_who_may_not) {
    auto other = member("other", permission::view_devops);
    auto before = logged().size();
    int forms = 0;
    for (auto slice : server::routes())
        for (const auto& route : slice) {
            if (route.method != http::Method::post || !route.path.starts_with(desk)) continue;
            auto path = std::regex_replace(std::string(route.path), std::regex(":\\w+"), "1");
            EXPECT_EQ(send(*other, path).status, 403) << path;
            EXPECT_EQ(Browser(*this).post(path, {}).status, 302) << path;
            ++forms;
        }
    EXPECT_GT(forms, 60);
    EXPECT_EQ(logged().size(), before);
}

TEST_P(SheetPages, are_there_for_emojis_relays_and_rules_of_the_house) {
    for (const auto& [page, needed] :
         {std::pair{"/emojis", permission::manage_custom_emojis},
          {"/relays", permission::manage_federation},
          {"/house_rules", permission::manage_rules}}) {
        auto may = member("may" + std::to_string(needed), needed);
        auto may_not = member(
            "not" + std::to_string(needed), accounts::all_permissions & ~needed & ~accounts::administrator
        );
        EXPECT_EQ(may->get(desk + page).status, 200) << page;
        EXPECT_EQ(may_not->get(desk + page).status, 403) << page;
        EXPECT_TRUE(has(may->get(desk), desk + page)) << page;
    }
}

TEST_P(SheetPages, bring_a_case_from_the_desk_to_its_end) {
    const moderation::Reported told{report, account_of(alice), bad_account};
    write([&](db::Write& db) { moderation::join_case(db, told); });
    auto who = member("mona", permission::manage_reports | permission::manage_users);
    EXPECT_TRUE(has(who->get(desk), desk + "/cases"));
    auto path = way_below(who->get(desk + "/cases"), desk + "/cases");
    auto page = who->get(path);
    EXPECT_TRUE(has(page, "look at this") && has(page, "@bad") && has(page, path + "/act")) << page.body;
    EXPECT_TRUE(went(send(*who, path + "/claim"), path + "?done=case_taken"));
    EXPECT_TRUE(has(who->get(path), path + "/release"));
    auto other = member("other", permission::manage_reports);
    auto late = send(*other, path + "/claim");
    EXPECT_EQ(late.status, 422);
    EXPECT_TRUE(has(late, "Somebody else has taken it.")) << late.body;
    EXPECT_TRUE(went(send(*who, path + "/notes", {{"note", "seen <before>"}}), path + "?done=noted"));
    EXPECT_TRUE(has(who->get(path), "seen &lt;before&gt;"));
    EXPECT_EQ(send(*who, path + "/notes", {{"note", " "}}).status, 422);
    send(*who, path + "/snooze", {{"hours", "24"}});
    EXPECT_FALSE(has(who->get(desk + "/cases?queue=waiting"), path));
    EXPECT_TRUE(has(who->get(desk + "/cases?queue=snoozed"), path));
    send(*who, path + "/escalate");
    EXPECT_TRUE(has(who->get(desk + "/cases?queue=escalated"), path));
    EXPECT_EQ(who->get(desk + "/cases?queue=nonsense").status, 422);
    EXPECT_TRUE(
        went(send(*who, path + "/act", {{"type", "silence"}, {"text", "Enough"}}), path + "?done=acted")
    );
    EXPECT_TRUE(target().silenced);
    EXPECT_TRUE(row().action_taken_at);
    EXPECT_TRUE(has(who->get(desk + "/cases?queue=closed"), path));
    EXPECT_EQ(send(*who, path + "/claim").status, 422) << "it is closed";
    EXPECT_EQ(who->get(desk + "/cases/1").status, 404);
}

TEST_P(SheetPages, say_who_may_not_sign_up) {
    auto who = member("mona", permission::manage_blocks);
    auto path = desk + "/blocks";
    const std::tuple<std::string, Fields, std::string, std::string> kinds[] = {
        {"email_domains", {{"domain", "Spam.Example"}}, "spam.example", "EmailDomainBlock"},
        {"emails", {{"email", "some.body+x@example.com"}}, "…", "CanonicalEmailBlock"},
        {"networks",
         {{"ip", "192.0.2.9/24"}, {"severity", "sign_up_block"}, {"days", "7"}, {"comment", "as <we> said"}},
         "192.0.2.0/24",
         "IpBlock"},
        {"names",
         {{"username", "adm1n"}, {"within", "1"}},
         "Also as a part of longer names</span>",
         "UsernameBlock"},
    };
    for (const auto& [kind, fields, shown, entry] : kinds) {
        EXPECT_TRUE(went(send(*who, path + "/" + kind, fields), path + "?done=added")) << kind;
        auto page = who->get(path);
        EXPECT_TRUE(has(page, shown)) << kind << page.body;
        auto one = way_below(page, path + "/" + kind);
        EXPECT_TRUE(went(send(*who, one + "/remove"), path + "?done=removed")) << kind;
        EXPECT_FALSE(has(who->get(path), one)) << kind;
        EXPECT_EQ(send(*who, one + "/remove").status, 404) << kind;
        EXPECT_TRUE(noted("create " + entry) && noted("destroy " + entry)) << entry;
    }
    auto refused = send(
        *who, path + "/networks", {{"ip", "nonsense"}, {"severity", "no_access"}, {"comment", "kept <words>"}}
    );
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(has(refused, "kept &lt;words&gt;") && has(refused, "role=\"alert\""));
    EXPECT_EQ(send(*who, path + "/networks", {{"ip", "10.0.0.0/8"}, {"severity", "nonsense"}}).status, 422);
}

TEST_P(SheetPages, keep_texts_for_warnings) {
    auto who = member("mona", permission::manage_settings);
    auto path = desk + "/presets";
    EXPECT_EQ(send(*who, path, {{"title", "kept"}, {"text", " "}}).status, 422);
    EXPECT_TRUE(went(send(*who, path, {{"title", "Kindness"}, {"text", "Be kind."}}), path + "?done=added"));
    auto one = way_below(who->get(path), path);
    EXPECT_TRUE(has(who->get(one), "Be kind."));
    send(*who, one, {{"title", "Kindness"}, {"text", "Be kinder."}});
    auto all = read([](db::Read& db) { return moderation::warning_presets(db); });
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].text, "Be kinder.");
    send(*who, one + "/remove");
    EXPECT_TRUE(read([](db::Read& db) { return moderation::warning_presets(db); }).empty());
    EXPECT_EQ(who->get(one).status, 404);
}

TEST_P(SheetPages, make_roles_that_allow_no_more_than_ones_own) {
    auto who = member("mona", permission::manage_roles | permission::manage_reports);
    auto path = desk + "/roles";
    Fields fields{
        {"name", "Helpers"}, {"position", "20"}, {"permissions[]", "manage_reports"}, {"require_2fa", "1"}
    };
    EXPECT_TRUE(went(send(*who, path, fields), path + "?done=added"));
    auto made = read([](db::Read& db) { return accounts::roles(db); });
    auto found = std::ranges::find(made, "Helpers", &accounts::Role::name);
    ASSERT_NE(found, made.end());
    EXPECT_EQ(found->permissions, permission::manage_reports);
    EXPECT_TRUE(found->require_2fa);
    auto one = path + "/" + std::to_string(found->id.value);
    EXPECT_TRUE(has(who->get(one), "value=\"manage_reports\" checked"));
    fields[2].second = "manage_users";
    EXPECT_EQ(send(*who, one, fields).status, 422) << "nobody gives what they have not";
    fields[2].second = "nonsense";
    EXPECT_EQ(send(*who, one, fields).status, 422);
    fields = {{"name", "Helpers"}, {"position", "600"}, {"permissions[]", "manage_reports"}};
    EXPECT_EQ(send(*who, one, fields).status, 422) << "nor a place above their own";
    EXPECT_EQ(send(*who, path + "/" + std::to_string(accounts::owner.value) + "/remove").status, 403);
    EXPECT_TRUE(went(send(*who, one + "/remove"), path + "?done=removed"));
    EXPECT_EQ(who->get(one).status, 404);
    EXPECT_TRUE(noted("create UserRole") && noted("destroy UserRole"));
}

TEST_P(SheetPages, set_up_webhooks) {
    auto who = member("mona", permission::manage_webhooks | permission::manage_reports);
    auto path = desk + "/webhooks";
    Fields fields{{"url", "https://hooks.example/a"}, {"events[]", "report.created"}, {"enabled", "1"}};
    EXPECT_TRUE(went(send(*who, path, fields), path + "?done=added"));
    auto all = read(moderation::webhooks);
    ASSERT_EQ(all.size(), 1u);
    auto one = path + "/" + std::to_string(all[0].id.value);
    EXPECT_TRUE(has(who->get(one), all[0].secret) && has(who->get(one), "value=\"report.created\" checked"));
    EXPECT_EQ(send(*who, one, {{"url", "nonsense"}, {"events[]", "report.created"}}).status, 422);
    EXPECT_EQ(
        send(*who, one, {{"url", "https://hooks.example/a"}, {"events[]", "account.created"}}).status, 403
    );
    send(*who, one + "/rotate");
    EXPECT_NE(read(moderation::webhooks)[0].secret, all[0].secret);
    EXPECT_TRUE(read(moderation::webhooks)[0].enabled);
    send(*who, one, {{"url", "https://hooks.example/b"}, {"events[]", "report.created"}});
    EXPECT_FALSE(read(moderation::webhooks)[0].enabled) << "what is not ticked holds no more";
    send(*who, one + "/remove");
    EXPECT_TRUE(read(moderation::webhooks).empty());
}

TEST_P(SheetPages, write_the_texts_of_the_site_and_choose_what_visitors_see) {
    auto who = member("mona", permission::manage_settings);
    auto path = desk + "/site";
    send(*who, path + "/about", {{"text", "We are **kind** </textarea>"}});
    EXPECT_TRUE(has(who->get(path), "We are **kind** &lt;/textarea&gt;"));
    EXPECT_TRUE(has(who->get("/about"), "<strong>kind</strong>"));
    send(*who, path + "/privacy", {{"text", "Nothing is kept"}});
    EXPECT_TRUE(has(who->get("/privacy-policy"), "Nothing is kept"));
    EXPECT_EQ(send(*who, path + "/terms", {{"text", "kept"}, {"day", "nonsense"}}).status, 422);
    EXPECT_EQ(send(*who, path + "/terms", {{"text", " "}, {"day", "2026-11-01"}}).status, 422);
    EXPECT_TRUE(
        went(send(*who, path + "/terms", {{"text", "Be good"}, {"day", "2026-11-01"}}), path + "?done=saved")
    );
    EXPECT_TRUE(has(who->get("/terms-of-service"), "Be good"));
    EXPECT_TRUE(went(
        send(*who, path, {{"trends", "1"}, {"blocks", "all"}, {"reasons", "users"}}), path + "?done=saved"
    ));
    auto choices = read(moderation::site_choices);
    EXPECT_TRUE(choices.trends && !choices.trendable_by_default && !choices.profile_directory);
    EXPECT_EQ(choices.show_domain_blocks, "all");
    EXPECT_EQ(send(*who, path, {{"blocks", "nonsense"}}).status, 422);
    EXPECT_EQ(send(*who, path, {{"blocks", "users"}, {"reasons", "nonsense"}}).status, 422);
    EXPECT_EQ(read(moderation::site_choices).show_domain_blocks, "all") << "all of it or nothing";
    EXPECT_TRUE(noted("update Setting") && noted("create TermsOfService"));
}

TEST_P(SheetPages, write_the_rules_of_the_house_in_their_order) {
    auto who = member("mona", permission::manage_rules);
    auto path = desk + "/house_rules";
    for (auto text : {"Be kind", "No spam"})
        EXPECT_TRUE(went(send(*who, path, {{"text", text}, {"hint", "always"}}), path + "?done=added"));
    auto texts = [&] {
        std::vector<std::string> out;
        for (const auto& one : read([](db::Read& db) { return instance::rules(db); }))
            out.push_back(one.text);
        return out;
    };
    EXPECT_EQ(texts(), (std::vector<std::string>{"Be kind", "No spam"}));
    auto second = read([](db::Read& db) { return instance::rules(db)[1].id; });
    auto one = path + "/" + std::to_string(second.value);
    send(*who, one + "/up");
    EXPECT_EQ(texts(), (std::vector<std::string>{"No spam", "Be kind"}));
    send(*who, one, {{"text", "No spam at all"}});
    EXPECT_EQ(texts()[0], "No spam at all");
    EXPECT_EQ(send(*who, one, {{"text", ""}}).status, 422);
    send(*who, one + "/remove");
    EXPECT_EQ(texts(), std::vector<std::string>{"Be kind"});
    EXPECT_EQ(who->get(one).status, 404);
    EXPECT_EQ(send(*who, one + "/up").status, 404);
    EXPECT_TRUE(noted("create Rule") && noted("update Rule") && noted("destroy Rule"));
}

TEST_P(SheetPages, keep_lists_of_words) {
    auto who = member("mona", permission::manage_blocks);
    auto path = desk + "/words";
    auto refused = send(*who, path, {{"name", "Shops"}, {"kind", "domains"}, {"entries", "no domain"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(has(refused, "no domain</textarea>") && has(refused, "Line 1")) << refused.body;
    EXPECT_TRUE(went(
        send(*who, path, {{"name", "Pills"}, {"kind", "words"}, {"entries", "pills"}}), path + "?done=added"
    ));
    auto one = way_below(who->get(path), path);
    EXPECT_TRUE(has(who->get(one), "pills\n</textarea>"));
    EXPECT_TRUE(
        went(send(*who, one, {{"kind", "words"}, {"entries", "pills\r\npotions"}}), path + "?done=saved")
    );
    EXPECT_TRUE(has(who->get(path), "Entries: 2"));
    EXPECT_TRUE(went(send(*who, one + "/remove"), path + "?done=removed"));
    EXPECT_EQ(who->get(one).status, 404);
    EXPECT_TRUE(noted("create WordList") && noted("update WordList") && noted("destroy WordList"));
}

TEST_P(SheetPages, take_long_lists_of_words_of_whom_they_know_alone) {
    auto who = member("mona", permission::manage_blocks);
    auto largest = [&](const Browser& browser) {
        std::string cookies;
        for (const auto& [name, value] : browser.cookies) cookies += name + "=" + value + "; ";
        http::Request head;
        head.method = http::Method::post;
        head.target = desk + "/words";
        head.headers = {
            {"Host", site.domain}, {"Cookie", cookies}, {"Content-Type", "application/x-www-form-urlencoded"}
        };
        std::uint64_t out = 0;
        dispatch->admit(std::move(head), http::PendingAdmission([&](http::Admission terms) {
                            out = terms.most_bytes;
                        }));
        return out;
    };
    EXPECT_GE(largest(*who), 3 * rules::largest_word_list);
    EXPECT_EQ(largest(Browser(*this)), 1u << 20);
    std::string long_one;
    for (int i = 0; i < 90'000; ++i) long_one += "word" + std::to_string(i) + " of a list\n";
    auto path = desk + "/words";
    EXPECT_TRUE(went(
        send(*who, path, {{"name", "Long"}, {"kind", "words"}, {"entries", long_one}}), path + "?done=added"
    ));
    EXPECT_TRUE(has(who->get(path), "Entries: 90000"));
}

TEST_P(SheetPages, write_common_rules_in_plain_fields) {
    auto who = member("mona", permission::manage_blocks);
    auto list = desk + "/rules";
    auto empty = who->get(list + "/add");
    EXPECT_TRUE(has(empty, "name=\"words\"") && has(empty, "Hold it until the team")) << empty.body;
    Fields fields{
        {"name", "Pills"},
        {"words", "cheap pills\r\ncasino"},
        {"links", "0"},
        {"author_days", "3"},
        {"origin", "elsewhere"},
        {"first_contact", "1"},
        {"acts[]", "report"},
        {"acts[]", "unlist"},
        {"cw", "Perhaps spam"}
    };
    auto made = send(*who, list + "/form", fields);
    ASSERT_EQ(made.status, 302) << made.body;
    auto rule = [&] { return read([](db::Read& db) { return rules::rules(db).at(0); }); };
    EXPECT_EQ(
        rule().definition,
        rules::json(rules::read_definition(
            R"({"name":"Pills","if":[{"field":"text","op":"contains_word","values":["cheap pills","casino"]},)"
            R"({"field":"links","op":">","values":[0]},{"field":"author.age_days","op":"<","values":[3]},)"
            R"({"field":"author.local","op":"is","values":[false]},{"field":"first_contact","op":"is","values":[true]}],)"
            R"("then":[{"act":"report"},{"act":"unlist"},{"act":"cw","text":"Perhaps spam"}]})"
        ))
    );
    // They are filled in, and changed.
    auto one = list + "/" + std::to_string(rule().id.value);
    EXPECT_TRUE(has(who->get(one), one + "/form"));
    auto again = who->get(one + "/form");
    EXPECT_TRUE(has(again, "cheap pills\ncasino\n</textarea>") && has(again, "value=\"Perhaps spam\""))
        << again.body;
    EXPECT_TRUE(has(again, "value=\"unlist\" checked") && !has(again, "value=\"hold\" checked"));
    fields.emplace_back("version", "1");
    fields[1].second = "casino";
    EXPECT_EQ(send(*who, one + "/form", fields).status, 302);
    EXPECT_EQ(rule().version, 2);
    // What cannot be is said, and what was filled in stays.
    struct Row {
        Fields fields;
        const char* why;
    };
    const Row rows[] = {
        {{{"name", "All"}, {"acts[]", "report"}}, "it would apply to every post"},
        {{{"name", "Kept <here>"}, {"words", "x"}}, "it does nothing"},
        {{{"name", "No"}, {"links", "many"}, {"acts[]", "report"}}, "no number"},
        {{{"name", "No"}, {"links", "99999999999999999999"}, {"acts[]", "report"}}, "no number"},
        {{{"name", "No"}, {"domains", "no domain"}, {"acts[]", "report"}}, "is no domain"},
        {{{"name", "No"}, {"list", "gone"}, {"acts[]", "report"}}, "there is no list"},
    };
    for (const auto& row : rows) {
        auto refused = send(*who, list + "/form", row.fields);
        EXPECT_TRUE(refused.status == 422 && has(refused, row.why)) << row.why << refused.body;
    }
    EXPECT_EQ(
        send(*who, list + "/form", {{"name", "x"}, {"words", "x"}, {"acts[]", "suspend_account"}}).status, 403
    );
    EXPECT_EQ(read([](db::Read& db) { return rules::rules(db).size(); }), 1u);
    // What says more is JSON, and so is what does something that no field is for.
    const auto id = rule().id;
    for (const auto* more :
         {R"({"name":"More","if":[{"field":"has_poll","op":"is","values":[true]}],"then":[{"act":"report"}]})",
          R"({"name":"More","if":[{"field":"links","op":">","values":[0]}],"then":[{"act":"allow"}]})",
          R"({"name":"More","if":[{"field":"links","op":">","values":[0]}],"then":[{"act":"limit_account"}]})",
          R"({"name":"More","if":[{"field":"links","op":">","values":[0]}],"then":[{"act":"suspend_account"}]})"
         }) {
        write([&](db::Write& db) {
            rules::change_rule(db, accounts::the_operator(), id, rules::read_definition(more), {});
        });
        EXPECT_FALSE(has(who->get(one), one + "/form")) << more;
        EXPECT_TRUE(went(who->get(one + "/form"), one)) << more;
    }
    auto other = member("reports", permission::manage_reports);
    EXPECT_EQ(send(*other, list + "/form", fields).status, 403);
    EXPECT_EQ(send(*other, one + "/form", fields).status, 403);
}

TEST_P(SheetPages, put_labels_on_an_account_and_take_them_off) {
    auto path = pages::account_page(bad_account);
    auto who = member("mona", permission::manage_users);
    EXPECT_FALSE(has(who->get(path), "/labels")) << "there are none to put on";
    write([&](db::Write& db) { rules::put_label(db, bad_account, "seller <x>", {7}); });
    auto id = read([](db::Read& db) { return std::to_string(labels::all_labels(db).front().id.value); });
    const Fields label{{"label", id}};
    EXPECT_TRUE(has(who->get(path), "seller &lt;x&gt;") && has(who->get(path), path + "/labels/remove"));
    auto other = member("other", permission::manage_blocks);
    EXPECT_EQ(send(*other, path + "/labels/remove", label).status, 403);
    EXPECT_TRUE(went(send(*who, path + "/labels/remove", label), path + "?done=removed"));
    EXPECT_FALSE(has(who->get(path), "/labels/remove"));
    EXPECT_EQ(send(*who, path + "/labels/remove", label).status, 404);
    EXPECT_TRUE(went(send(*who, path + "/labels", label), path + "?done=added"));
    EXPECT_TRUE(has(who->get(path), path + "/labels/remove"));
    EXPECT_TRUE(noted("remove_label Account") && noted("put_label Account"));
}

TEST_P(SheetPages, put_labels_on_a_post_and_take_them_off) {
    auto posted = [&](statuses::Visibility visibility) {
        return write([&](db::Write& db) {
            statuses::Draft draft;
            draft.account = bad_account;
            draft.text = draft.content.html = "rude words";
            draft.visibility = visibility;
            return statuses::create(db, draft).id;
        });
    };
    const auto post = posted(statuses::Visibility::public_);
    const auto path = pages::post_page(post);
    auto who = member("mona", permission::manage_reports);
    EXPECT_TRUE(has(who->get(path), "rude words"));
    EXPECT_FALSE(has(who->get(path), path + "/labels")) << "there are none to put on";
    const auto label = write([](db::Write& db) { return labels::create(db, {"joke <x>", {}, {}}); });
    const Fields named{{"label", std::to_string(label.value)}};
    EXPECT_EQ(send(*member("other", permission::manage_blocks), path + "/labels", named).status, 403);
    EXPECT_TRUE(went(send(*who, path + "/labels", named), path + "?done=added"));
    EXPECT_TRUE(has(who->get(path), "joke &lt;x&gt;") && has(who->get(path), path + "/labels/remove"));
    auto keeper = member("kate", permission::manage_taxonomies);
    EXPECT_TRUE(has(keeper->get(desk + "/labels/" + std::to_string(label.value)), "href=\"" + path + "\""));
    EXPECT_TRUE(went(send(*who, path + "/labels/remove", named), path + "?done=removed"));
    EXPECT_FALSE(has(who->get(path), path + "/labels/remove"));
    EXPECT_EQ(send(*who, path + "/labels/remove", named).status, 404);
    EXPECT_TRUE(noted("put_label Status") && noted("remove_label Status"));
    EXPECT_FALSE(has(who->get(pages::post_page(posted(statuses::Visibility::private_))), "rude words"))
        << "the words of what not everybody may read come with a report alone";
    EXPECT_EQ(who->get(pages::post_page({1})).status, 404);
}

TEST_P(SheetPages, keep_labels) {
    auto who = member("mona", permission::manage_taxonomies | permission::manage_federation);
    auto path = desk + "/labels";
    EXPECT_EQ(send(*who, path, {{"name", " "}, {"effect", "warn"}}).status, 422);
    EXPECT_TRUE(went(
        send(*who, path, {{"name", "joke"}, {"title", "A <joke>"}, {"effect", "warn"}}), path + "?done=added"
    ));
    auto one = way_below(who->get(path), path);
    EXPECT_TRUE(has(who->get(path), "A &lt;joke&gt;") && has(who->get(path), "Warns before the post"));
    EXPECT_TRUE(went(send(*who, one, {{"title", "Joke"}, {"effect", "hide"}}), one + "?done=saved"));
    EXPECT_TRUE(has(who->get(one), "value=\"Joke\""));
    EXPECT_EQ(send(*who, one + "/put", {{"domain", "no domain"}}).status, 422);
    EXPECT_TRUE(went(send(*who, one + "/put", {{"domain", "Far.example"}}), one + "?done=added"));
    EXPECT_TRUE(has(who->get(one), "far.example"));
    EXPECT_EQ(send(*who, one + "/put", {{"account_id", std::to_string(bad_account.value)}}).status, 403);
    EXPECT_TRUE(went(send(*who, one + "/take", {{"domain", "far.example"}}), one + "?done=removed"));
    EXPECT_FALSE(has(who->get(one), "far.example"));
    EXPECT_TRUE(went(send(*who, one + "/remove"), path + "?done=removed"));
    EXPECT_EQ(who->get(one).status, 404);
    EXPECT_TRUE(noted("create Label") && noted("update Label") && noted("put_label Instance"));
}

TEST_P(SheetPages, count_what_the_team_did_between_two_days) {
    auto who = member("mona", permission::view_dashboard);
    auto path = desk + "/transparency";
    const auto today = pages::day_of(read([](db::Read& db) { return db.now(); }));
    EXPECT_TRUE(has(who->get(path + "?to=" + today), "spam, here"));
    EXPECT_FALSE(has(who->get(path + "?from=2020-01-01&to=2020-02-01"), "spam, here"));
    EXPECT_EQ(who->get(path + "?from=nonsense").status, 422);
    auto file = who->get(path + "/file?from=2020-01-01&to=2020-02-01");
    EXPECT_TRUE(has(file, "# Moderation of") && has(file, "2020-01-01"));
    EXPECT_EQ(member("other", permission::manage_users)->get(path + "/file").status, 403);
}

TEST_P(SheetPages, add_and_remove_relays) {
    auto who = member("mona", permission::manage_federation);
    auto path = desk + "/relays";
    EXPECT_TRUE(went(send(*who, path, {{"address", "https://relay.example/inbox"}}), path + "?done=added"));
    EXPECT_EQ(send(*who, path, {{"address", "https://relay.example/inbox"}}).status, 422);
    EXPECT_EQ(send(*who, path, {{"address", "nonsense/inbox"}}).status, 422);
    auto one = way_below(who->get(path), path);
    EXPECT_TRUE(went(send(*who, one + "/remove"), path + "?done=removed"));
    EXPECT_TRUE(read(federation::relays).empty());
    EXPECT_TRUE(noted("create Relay") && noted("destroy Relay"));
}

}  // namespace
