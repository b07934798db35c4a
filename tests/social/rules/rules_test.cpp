// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about posts: what is written down, who may, and what they do to what is posted here and comes from elsewhere.
#include "social/rules/stage.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace rule_stage;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::SizeIs, testing::Contains;
ON_EACH_DATABASE(Rules);

const std::string everyone = R"(,"everyone":true)";

TEST_P(Rules, are_refused_where_they_are_not_understood) {
    auto why = [&](const std::string& rule) { return send(http::Method::post, path, rule).error(); };
    const std::string refused = "This rule cannot be used: ";
    EXPECT_EQ(why("{}"), refused + "it has no name");
    EXPECT_EQ(
        why(R"({"name":"x","if":[],"then":[{"act":"report"}]})"),
        refused + "it needs a condition under \"if\""
    );
    EXPECT_EQ(why(R"({"name":"x","unles":[]})"), refused + "nothing is called \"unles\" there");
    EXPECT_EQ(
        why(simple(R"({"field":"texts","op":"is","values":["a"]})", act("report"))),
        refused + "there is no field \"texts\""
    );
    EXPECT_EQ(
        why(simple(R"({"field":"links","op":"contains_word","values":["a"]})", act("report"))),
        refused + "links knows is, not, <, >"
    );
    EXPECT_EQ(
        why(simple(R"({"field":"links","op":">","values":["many"]})", act("report"))),
        refused + "links is a whole number"
    );
    EXPECT_EQ(why(simple(word("..."), act("report"))), refused + "\"...\" has no word");
    EXPECT_EQ(why(simple(word("spam"), act("explode"))), refused + "there is no action \"explode\"");
    EXPECT_EQ(why(simple(word("spam"), act("refuse"))), refused + "refuse needs a text");
    EXPECT_EQ(
        why(simple(word("spam"), act("report"), R"(,"fuse":0)")), refused + "fuse is between 1 and 10000"
    );
    EXPECT_EQ(
        why(simple(R"({"field":"link.domain","op":"in","values":["no domain"]})", act("report"))),
        refused + "\"no domain\" is no domain"
    );
    EXPECT_EQ(owner.post(path, {{"rule", "x"}}).status, 400);
    EXPECT_THAT(owner.get(path).ids(), IsEmpty());
}

TEST_P(Rules, act_however_many_others_watch) {
    for (int i = 0; i < 25; ++i) made(simple(word("spam"), act("report"), everyone));
    auto last = on(simple(word("spam"), act("sensitive"), everyone));
    auto posted = alice.post("/api/v1/statuses", {{"status", "spam, spam, spam"}});
    EXPECT_EQ(posted["sensitive"], "true");
    EXPECT_THAT(hits(last).ids(), SizeIs(1));
    EXPECT_THAT(owner.get(path + "/hits", {{"limit", "40"}}).ids(), SizeIs(21));
}

TEST_P(Rules, begin_by_watching_and_are_switched_on_after_a_rehearsal_of_that_version) {
    auto id = made(simple(word("spam"), act("sensitive")));
    EXPECT_EQ(owner.get(path + "/" + id)["mode"], "watch");
    EXPECT_EQ(mode(id, "on").error(), "This rule has to be rehearsed before it is switched on");
    auto rehearsal = rehearsed(id);
    EXPECT_EQ(rehearsal["state"], "done") << rehearsal.body;
    EXPECT_EQ(mode(id, "on")["mode"], "on");
    auto other = simple(word("eggs"), act("sensitive"));
    auto changed = send(http::Method::put, path + "/" + id, other);
    EXPECT_EQ(changed["mode"], "watch");
    EXPECT_EQ(changed["version"], "2");
    EXPECT_EQ(mode(id, "on").status, 422);
    rehearsed(id);
    w.advance(8 * 86'400);
    EXPECT_EQ(mode(id, "on").status, 422);
    rehearsed(id);
    EXPECT_EQ(mode(id, "on").status, 200);
    auto reporting = made(simple(word("ham"), act("report")));
    EXPECT_EQ(mode(reporting, "on").status, 200);
    EXPECT_THAT(owner.get(path + "/" + id + "/versions").all("version"), ElementsAre("2", "1"));
    EXPECT_THAT(logged(w, owner), Contains("mode Rule"));
    EXPECT_EQ(owner.del(path + "/" + id).status, 200);
    EXPECT_EQ(owner.get(path + "/" + id).status, 404);
}

TEST_P(Rules, are_not_changed_over_somebody_else) {
    auto id = made(simple(word("spam"), act("report")));
    auto second = owner.with("If-Match", "\"1\"");
    auto put = [&](const Person& who, const std::string& text) {
        return who.send(
            http::Method::put,
            path + "/" + id,
            "{\"rule\":" + simple(word(text), act("report")) + "}",
            "application/json"
        );
    };
    EXPECT_EQ(put(second, "eggs")["version"], "2");
    EXPECT_EQ(put(second, "ham").status, 409);
    EXPECT_EQ(put(owner, "ham")["version"], "3");
    EXPECT_EQ(put(owner, "ham")["version"], "3");
}

TEST_P(Rules, need_permission_and_more_of_it_where_they_act_on_accounts) {
    auto mod = staff(w, "mia", role_with(w, accounts::permission::manage_blocks));
    auto plain = w.with_scopes(alice, staff_scopes);
    auto post = [&](const Person& who, const std::string& rule) {
        return who.send(http::Method::post, path, "{\"rule\":" + rule + "}", "application/json");
    };
    EXPECT_EQ(post(plain, simple(word("spam"), act("report"))).status, 403);
    EXPECT_EQ(post(mod, simple(word("spam"), act("report"))).status, 200);
    EXPECT_EQ(post(mod, simple(word("spam"), act("suspend_account"))).status, 403);
    auto strict = made(simple(word("spam"), act("suspend_account")));
    EXPECT_EQ(mod.post(path + "/" + strict + "/mode", {{"mode", "off"}}).status, 403);
    EXPECT_EQ(mod.del(path + "/" + strict).status, 403);
}

TEST_P(Rules, watch_without_doing_anything) {
    auto id = made(simple(word("spam"), act("refuse", "No spam")));
    auto status = alice.status("Buy SPÄM now");
    w.run_jobs();
    auto found = hits(id);
    ASSERT_THAT(found.ids(), SizeIs(1)) << found.body;
    EXPECT_EQ(found["0.status_id"], status);
    EXPECT_EQ(found["0.acted"], "false");
    EXPECT_EQ(found["0.matched.0.value"], "spam");
    EXPECT_EQ(owner.get(path + "/" + id)["hits_today"], "1");
    alice.status("Buy eggs");
    EXPECT_THAT(hits(id).ids(), SizeIs(1));
}

TEST_P(Rules, refuse_with_their_words_and_keep_the_hit) {
    auto id = on(simple(word("buy now"), act("refuse", "No advertising here")));
    auto refused = alice.post("/api/v1/statuses", {{"status", "You should B\u200buy, NOW!"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused.error(), "This post was refused: No advertising here");
    EXPECT_EQ(hits(id)["0.refused"], "true");
    EXPECT_EQ(alice.post("/api/v1/statuses", {{"status", "now buy"}}).status, 200);
    auto kept = alice.status("harmless");
    EXPECT_EQ(alice.put("/api/v1/statuses/" + kept, {{"status", "buy now"}}).status, 422);
    EXPECT_THAT(alice.get("/api/v1/statuses/" + kept)["content"], HasSubstr("harmless"));
    auto fay = remote::somebody(w, "fay");
    EXPECT_EQ(brought(remote::note(w, fay, "1", "<p>buy <b>now</b></p>")), "");
    EXPECT_NE(brought(remote::note(w, fay, "2", "<p>bye</p>")), "");
    EXPECT_THAT(hits(id).ids(), SizeIs(3));
}

TEST_P(Rules, mark_posts_from_here_and_elsewhere_alike) {
    on(R"({"name":"Mark","if":[{"field":"link.domain","op":"in","values":["spam.example"]}],
        "then":[{"act":"cw","text":"Perhaps spam"},{"act":"unlist"}]})");
    auto mine = alice.get("/api/v1/statuses/" + alice.status("see https://shop.spam.example/x"));
    EXPECT_EQ(mine["sensitive"], "true");
    EXPECT_EQ(mine["spoiler_text"], "Perhaps spam");
    EXPECT_EQ(mine["visibility"], "unlisted");
    auto fay = remote::somebody(w, "fay");
    auto id = brought(remote::note(w, fay, "1", "<p><a href=\"https://spam.example/\">x</a></p>"));
    auto theirs = alice.get("/api/v1/statuses/" + id);
    EXPECT_EQ(theirs["spoiler_text"], "Perhaps spam");
    EXPECT_EQ(theirs["visibility"], "unlisted");
    auto other = alice.get("/api/v1/statuses/" + alice.status("see https://notspam.example/"));
    EXPECT_EQ(other["visibility"], "public");
    // What it becomes by an edit counts as well.
    auto edited = alice.status("first");
    alice.put("/api/v1/statuses/" + edited, {{"status", "https://spam.example"}});
    EXPECT_EQ(alice.get("/api/v1/statuses/" + edited)["visibility"], "unlisted");
}

TEST_P(Rules, limit_an_account_once_with_their_name_in_the_log) {
    auto id = on(simple(word("spam"), act("limit_account", "No spam")));
    auto fay = remote::somebody(w, "fay");
    brought(remote::note(w, fay, "1", "<p>spam</p>"));
    brought(remote::note(w, fay, "2", "<p>spam again</p>"));
    w.run_jobs();
    auto account = owner.get("/api/v1/admin/accounts/" + remote::text(fay));
    EXPECT_EQ(account["silenced"], "true");
    auto log = owner.get("/api/dunlin/v1/moderation/audit", {{"action", "silence"}});
    ASSERT_THAT(log.ids(), SizeIs(1)) << log.body;
    EXPECT_THAT(log.body, HasSubstr(id));
    auto undone = owner.post(path + "/hits/undo", {{"rule_id", id}});
    EXPECT_EQ(undone["hits"], "2");
    w.run_jobs();
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + remote::text(fay))["silenced"], "false");
}

TEST_P(Rules, report_with_the_post_and_what_matched) {
    auto id = made(simple(word("spam"), act("report")));
    mode(id, "on");
    auto fay = remote::somebody(w, "fay");
    auto status = brought(remote::note(w, fay, "1", "<p>spam</p>"));
    w.run_jobs();
    auto reports = owner.get("/api/v1/admin/reports");
    ASSERT_THAT(reports.ids(), SizeIs(1)) << reports.body;
    EXPECT_EQ(reports["0.account.username"], "moderation_rules");
    EXPECT_EQ(reports["0.statuses.0.id"], status);
    EXPECT_THAT(reports["0.comment"], HasSubstr("Rule \"Test\", version 1"));
}

TEST_P(Rules, let_staff_and_the_trusted_pass_unless_they_are_for_everyone) {
    auto id = on(simple(word("spam"), act("sensitive")));
    EXPECT_EQ(owner.get("/api/v1/statuses/" + owner.status("spam"))["sensitive"], "false");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("spam"))["sensitive"], "true");
    for (int i = 0; i < 100; ++i) alice.status("post " + std::to_string(i));
    w.advance(91 * 86'400);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("spam"))["sensitive"], "false");
    send(http::Method::put, path + "/" + id, simple(word("spam"), act("sensitive"), everyone));
    rehearsed(id);
    mode(id, "on");
    EXPECT_EQ(owner.get("/api/v1/statuses/" + owner.status("spam"))["sensitive"], "true");
}

TEST_P(Rules, read_what_is_not_public_only_if_they_say_so_and_keep_no_word_of_it) {
    auto open = made(simple(word("spam"), act("report"))),
         all = made(simple(word("spam"), act("report"), R"(,"private":true)"));
    alice.status("spam", {{"visibility", "private"}});
    EXPECT_THAT(hits(open).ids(), IsEmpty());
    ASSERT_THAT(hits(all).ids(), SizeIs(1));
    EXPECT_EQ(hits(all)["0.matched.0.field"], "text");
    EXPECT_EQ(hits(all)["0.matched.0.value"], "");
}

TEST_P(Rules, go_in_order_and_end_where_one_allows) {
    on(simple(R"({"field":"author.handle","op":"is","values":["Alice"]})", act("allow"), R"(,"order":-1)"));
    on(simple(word("spam"), act("sensitive")));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("spam"))["sensitive"], "false");
    auto bob = w.local("bob");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + bob.status("spam"))["sensitive"], "true");
}

TEST_P(Rules, end_at_their_time) {
    auto rule = simple(
        word("spam"), act("report"), R"(,"expires_at":")" + base::to_string(w.now().plus_seconds(60)) + "\""
    );
    auto id = made(rule);
    alice.status("spam");
    w.advance(61);
    alice.status("spam");
    EXPECT_THAT(hits(id).ids(), SizeIs(1));
}

TEST_P(Rules, tell_strangers_from_those_who_had_to_do_with_each_other) {
    on(simple(R"({"field":"mentions.strangers","op":">","values":[0]})", act("no_notify")));
    auto fay = remote::somebody(w, "fay"), gus = remote::somebody(w, "gus");
    remote::follows(w, alice, gus);
    auto naming = [&](base::AccountId author, const std::string& name) {
        auto note = remote::note(w, author, name, "<p>hey</p>");
        note.mentions.push_back({remote::number(alice)});
        return brought(note);
    };
    auto told = [&] { return alice.get("/api/v1/notifications").ids().size(); };
    naming(fay, "1");
    EXPECT_EQ(told(), 0u);
    naming(gus, "2");
    EXPECT_EQ(told(), 1u);
    // Now she was named by them before.
    naming(fay, "3");
    EXPECT_EQ(told(), 2u);
}

TEST_P(Rules, are_asked_when_a_scheduled_post_is_published) {
    auto later = base::to_string(w.now().plus_seconds(600));
    auto planned = [&](const std::string& text) {
        return alice.post("/api/v1/statuses", {{"status", text}, {"scheduled_at", later}}).status;
    };
    EXPECT_EQ(planned("first spam"), 200);
    EXPECT_EQ(planned("then eggs"), 200);
    on(simple(word("spam"), act("sensitive")));
    on(simple(word("eggs"), act("refuse", "No eggs")));
    EXPECT_EQ(planned("more eggs"), 422);
    w.advance(700);
    support::run_periodic(w, statuses::announce_due);
    w.run_jobs();
    auto mine = alice.get("/api/v1/accounts/" + alice.id + "/statuses");
    ASSERT_THAT(mine.ids(), SizeIs(1)) << mine.body;
    EXPECT_EQ(mine["0.sensitive"], "true");
}

TEST_P(Rules, explain_a_text_and_a_post) {
    auto id = made(simple(word("spam"), act("sensitive")));
    auto hit = owner.post(path + "/check", {{"text", "some spam"}});
    EXPECT_EQ(hit["0.id"], id);
    EXPECT_EQ(hit["0.applies"], "false") << "staff passes";
    EXPECT_EQ(hit["0.conditions.0.holds"], "true");
    EXPECT_EQ(hit["0.conditions.0.value"], "spam");
    auto status = alice.status("spam");
    EXPECT_EQ(owner.post(path + "/check", {{"status_id", status}})["0.applies"], "true");
    auto hidden = alice.status("spam", {{"visibility", "direct"}});
    EXPECT_EQ(owner.post(path + "/check", {{"status_id", hidden}}).status, 404);
}

std::string contents(const std::string& name) {
    std::ifstream in(std::filesystem::path(DUNLIN_SOURCE_DIR) / name);
    return (std::ostringstream() << in.rdbuf()).str();
}

TEST(RuleFields, stand_in_the_documentation) {
    auto page = contents("docs/operating/rules.md");
    for (const auto& one : rules::fields()) {
        std::string line = "| `" + std::string(one.name) + "` | " + std::string(rules::word(one.type)) +
                           " | `" + std::string(rules::operators(one.type)) + "` | " + std::string(one.help) +
                           " |";
        EXPECT_THAT(page, HasSubstr(line));
    }
}

TEST(RuleFields, of_the_ready_rules_are_known) {
    int found = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::filesystem::path(DUNLIN_SOURCE_DIR) / "examples/rules")) {
        auto rule = rules::read_definition(contents("examples/rules/" + file.path().filename().string()));
        EXPECT_EQ(rules::json(rules::read_definition(rules::json(rule))), rules::json(rule));
        ++found;
    }
    EXPECT_EQ(found, 5);
}

}  // namespace
