// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists that rules have in common, and what rules note and tell besides what they do to a post.
#include "social/rules/label.hpp"
#include "social/rules/stage.hpp"
#include "social/rules/word_list.hpp"

#include <gmock/gmock.h>

namespace {

using namespace rule_stage;
using testing::ElementsAre, testing::IsEmpty, testing::SizeIs, testing::Contains, testing::HasSubstr;

struct WordLists : Rules {
    const std::string lists = "/api/dunlin/v1/moderation/word_lists";

    std::string list(const std::string& name, const std::string& entries, const std::string& kind = "words") {
        auto made = owner.post(lists, {{"name", name}, {"kind", kind}, {"entries", entries}});
        EXPECT_EQ(made.status, 200) << made.body;
        return made.id();
    }
    static std::string listed(const std::string& name, const std::string& field = "text") {
        return R"({"field":")" + field + R"(","op":")" + (field == "text" ? "contains_word" : "in") +
               R"(","lists":[")" + name + R"("]})";
    }
    std::string refusing(const std::string& condition) { return on(simple(condition, act("refuse", "No."))); }
    int says(const std::string& text) { return alice.post("/api/v1/statuses", {{"status", text}}).status; }
};
ON_EACH_DATABASE(WordLists);

TEST_P(WordLists, stand_in_rules_by_their_name_and_hold_as_they_are_now) {
    auto id = list("Pills", "cheap pills\nCASINO, as everybody says\n\n# a comment\nCASINO\n");
    EXPECT_EQ(owner.get(lists + "/" + id)["size"], "2") << "each counts once";
    refusing(listed("Pills"));
    EXPECT_EQ(says("Buy cheap pills now"), 422);
    EXPECT_EQ(says("the Cásino is open"), 422);
    EXPECT_EQ(says("cheap bread and pills"), 200);
    EXPECT_EQ(owner.put(lists + "/" + id, {{"entries", "bread\n"}}).status, 200);
    EXPECT_EQ(says("Buy cheap pills now"), 200) << "without another word to the rule";
    EXPECT_EQ(says("cheap bread and pills"), 422);
    EXPECT_EQ(owner.get(lists + "/" + id + "/entries.csv").body, "bread\n");
    EXPECT_THAT(logged(w, owner), testing::IsSupersetOf({"create WordList", "update WordList"}));
}

TEST_P(WordLists, hold_domains_with_all_below_them_and_hashtags) {
    list("Shops", "shop.example\n", "domains");
    list("Tags", "#Spam\n", "hashtags");
    refusing(listed("Shops", "link.domain"));
    refusing(listed("Tags", "hashtag"));
    EXPECT_EQ(says("https://www.shop.example/a"), 422);
    EXPECT_EQ(says("https://shop.example.org/a"), 200);
    EXPECT_EQ(says("all #spam"), 422);
    EXPECT_EQ(says("all spam"), 200);
}

TEST_P(WordLists, match_one_of_very_many_words_in_a_rule_that_has_values_too) {
    std::string many;
    for (int i = 0; i < 20'000; ++i) many += "word" + std::to_string(i) + "x\n";
    list("Many", many);
    refusing(R"({"field":"text","op":"contains_word","values":["eggs"],"lists":["Many"]})");
    EXPECT_EQ(says("here is word19999x"), 422);
    EXPECT_EQ(says("here are eggs"), 422);
    EXPECT_EQ(says("here is word20000x"), 200);
}

TEST_P(WordLists, match_phrases_that_begin_alike_by_all_of_their_words) {
    list("Phrases", "buy\nbuy now\nbuy cheap pills here\nsell it\n");
    refusing(listed("Phrases"));
    for (const auto* text : {"buy", "BUY now", "please buy cheap pills here and now", "do sell it"})
        EXPECT_EQ(says(text), 422) << text;
    // Half in the warning and half in the text, of whatever letters.
    for (const auto* warning : {"they sell", "élan, they sell"})
        EXPECT_EQ(alice.post("/api/v1/statuses", {{"spoiler_text", warning}, {"status", "it"}}).status, 422)
            << warning;
    auto id = list("Longer", "rent cheap flats\nrent a car\n");
    refusing(listed("Longer"));
    for (const auto* text : {"rent a car today", "Rent cheap flats"}) EXPECT_EQ(says(text), 422) << text;
    for (const auto* text : {"rent", "rent a", "rent cheap", "cheap flats", "rent a flat car", "sell"})
        EXPECT_EQ(says(text), 200) << text;
    EXPECT_EQ(owner.put(lists + "/" + id, {{"entries", "rent\n"}}).status, 200);
    EXPECT_EQ(says("a rent"), 422);
}

TEST_P(WordLists, are_bounded_all_together) {
    std::string many;
    for (int i = 0; i < 100'000; ++i) many += "w" + std::to_string(i) + "\n";
    for (auto name : {"a", "b", "c"}) list(name, many);
    auto refused = owner.post(lists, {{"name", "d"}, {"entries", "one more"}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_THAT(refused.error(), HasSubstr("more than 300000 entries"));
    auto id = owner.get(lists).all("id")[0];
    EXPECT_EQ(owner.put(lists + "/" + id, {{"entries", "fewer\n"}}).status, 200);
    list("d", "one more\n");
    EXPECT_THAT(owner.get(lists).all("name"), ElementsAre("a", "b", "c", "d"));
}

TEST_P(WordLists, are_refused_with_the_line_that_is_wrong) {
    auto wrong = [&](const std::string& entries, const std::string& kind = "words") {
        return owner.post(lists, {{"name", "Wrong"}, {"kind", kind}, {"entries", entries}}).error();
    };
    EXPECT_THAT(wrong("fine.example\nno domain\n", "domains"), HasSubstr("Line 2"));
    EXPECT_THAT(wrong("fine\n...\n"), HasSubstr("Line 2"));
    EXPECT_THAT(wrong("\n# nothing\n"), HasSubstr("nothing"));
    list("Right", "a\n");
    EXPECT_THAT(
        owner.post(lists, {{"name", "Right"}, {"entries", "a"}}).error(), HasSubstr("already been taken")
    );
    EXPECT_EQ(owner.post(lists, {{"name", " "}, {"entries", "a"}}).status, 422);
    EXPECT_EQ(owner.post(lists, {{"name", "x"}, {"kind", "nonsense"}, {"entries", "a"}}).status, 422);
    EXPECT_EQ(owner.get(lists + "/1").status, 404);
    EXPECT_EQ(alice.get(lists).status, 403);
    EXPECT_THAT(owner.get(lists).all("name"), ElementsAre("Right"));
}

TEST_P(WordLists, stay_as_long_as_a_rule_names_them) {
    auto why = [&](const std::string& condition) {
        return send(http::Method::post, path, simple(condition, act("report"))).error();
    };
    EXPECT_THAT(why(listed("Nobody")), HasSubstr("no list"));
    auto id = list("Pills", "pills\n");
    EXPECT_THAT(why(listed("Pills", "hashtag")), HasSubstr("is of words"));
    EXPECT_THAT(why(R"({"field":"author.handle","op":"in","lists":["Pills"]})"), HasSubstr("lists are for"));
    auto rule = made(simple(listed("Pills"), act("report")));
    EXPECT_THAT(owner.del(lists + "/" + id).error(), HasSubstr("uses this list"));
    EXPECT_EQ(owner.put(lists + "/" + id, {{"entries", "a.example"}, {"kind", "domains"}}).status, 422);
    EXPECT_EQ(owner.get(path + "/" + rule)["rule.if.0.lists.0"], "Pills");
    EXPECT_EQ(owner.del(path + "/" + rule).status, 200);
    EXPECT_EQ(owner.del(lists + "/" + id).status, 200);
    EXPECT_THAT(owner.get(lists).ids(), IsEmpty());
}

TEST_P(WordLists, are_what_a_rehearsal_and_an_explanation_go_by) {
    list("Pills", "pills\n");
    alice.status("old pills");
    auto rule = made(simple(listed("Pills"), act("refuse", "No.")));
    EXPECT_EQ(rehearsed(rule)["result.hits"], "1");
    auto explained = owner.post(path + "/check", {{"text", "more pills"}, {"rule_id", rule}});
    EXPECT_EQ(explained["0.conditions.0.holds"], "true") << explained.body;
}

TEST_P(WordLists, let_rules_note_something_of_the_author_that_other_rules_read) {
    auto noting = made(simple(word("spam"), act("label", "spammer")));
    EXPECT_EQ(mode(noting, "on")["mode"], "on") << "it needs no rehearsal";
    refusing(R"({"field":"author.label","op":"is","values":["spammer"]})");
    EXPECT_EQ(says("harmless"), 200);
    EXPECT_EQ(says("spam"), 200);
    w.run_jobs();
    auto labels = w.read([&](db::Read& db) { return rules::labels_of(db, remote::number(alice)); });
    ASSERT_THAT(labels, SizeIs(1));
    EXPECT_EQ(labels[0], "spammer");
    EXPECT_EQ(says("harmless again"), 422);
    EXPECT_EQ(owner.post(path + "/hits/undo", {{"rule_id", noting}}).status, 200);
    w.run_jobs();
    EXPECT_EQ(says("harmless at last"), 200) << "what a rule noted goes with its undoing";
    EXPECT_EQ(send(http::Method::post, path, simple(word("x"), act("label"))).status, 422)
        << "it needs a text";
    EXPECT_EQ(
        send(http::Method::post, path, simple(word("x"), act("label", std::string(51, 'x')))).status, 422
    );
}

TEST_P(WordLists, read_labels_of_authors_and_servers_whoever_put_them_there) {
    const std::string labels = "/api/dunlin/v1/moderation/labels";
    auto joke = owner.post(labels, {{"name", "joke"}}).id();
    refusing(R"({"field":"author.label","op":"is","values":["joke"]})");
    auto of_servers =
        on(simple(R"({"field":"server.label","op":"in","values":["joke","x"]})", act("refuse", "No.")));
    EXPECT_EQ(says("one"), 200);
    owner.post(labels + "/" + joke + "/uses", {{"account_id", alice.id}});
    EXPECT_EQ(says("two"), 422);
    owner.del(labels + "/" + joke + "/uses", {{"account_id", alice.id}});
    EXPECT_EQ(says("three"), 200);
    auto far = remote::somebody(w, "far");
    EXPECT_NE(brought(remote::note(w, far, "1")), "");
    owner.post(labels + "/" + joke + "/uses", {{"domain", "far.example"}});
    EXPECT_EQ(brought(remote::note(w, far, "2")), "");
    auto noting = made(simple(word("spam"), act("label", "seller")));
    mode(noting, "on");
    says("spam");
    w.run_jobs();
    EXPECT_THAT(owner.get(labels, {{"account_id", alice.id}}).all("name"), ElementsAre("seller"));
    EXPECT_EQ(owner.get(labels, {{"account_id", alice.id}})["0.effect"], "none");
}

TEST_P(WordLists, keep_what_two_rules_note_until_both_are_undone) {
    auto one = made(simple(word("spam"), act("label", "seller"))),
         two = made(simple(word("eggs"), act("label", "seller")));
    mode(one, "on"), mode(two, "on");
    says("spam and eggs");
    w.run_jobs();
    auto labels = [&] {
        return w.read([&](db::Read& db) { return rules::labels_of(db, remote::number(alice)); });
    };
    ASSERT_THAT(labels(), SizeIs(1));
    auto undo = [&](const std::string& rule) {
        EXPECT_EQ(owner.post(path + "/hits/undo", {{"rule_id", rule}}).status, 200);
        w.run_jobs();
    };
    undo(one);
    EXPECT_THAT(labels(), SizeIs(1));
    undo(two);
    EXPECT_THAT(labels(), IsEmpty());
}

TEST_P(WordLists, that_rules_about_accounts_use_are_changed_by_who_may_act_on_accounts) {
    auto mona = staff(w, "mona", role_with(w, accounts::permission::manage_blocks));
    auto id = list("Pills", "pills\n"), free = list("Free", "eggs\n");
    on(simple(listed("Pills"), act("suspend_account")));
    made(simple(listed("Free"), act("report")));
    EXPECT_EQ(mona.put(lists + "/" + id, {{"entries", "everybody"}}).status, 403);
    EXPECT_EQ(owner.get(lists + "/" + id + "/entries.csv").body, "pills\n");
    EXPECT_EQ(mona.put(lists + "/" + free, {{"entries", "bread"}}).status, 200);
    EXPECT_EQ(owner.put(lists + "/" + id, {{"entries", "potions"}}).status, 200);
}

TEST_P(WordLists, cannot_be_a_way_round_by_what_rules_note) {
    auto mona = staff(w, "mona", role_with(w, accounts::permission::manage_blocks));
    auto reading = [&](const std::string& label, const std::string& what) {
        return simple(R"({"field":"author.label","op":"is","values":[")" + label + R"("]})", what);
    };
    on(reading("second", act("suspend_account")));
    auto id = list("Pills", "pills\n");
    auto noting = made(simple(listed("Pills"), act("label", "first")));
    auto turn = [&](const std::string& rule, const std::string& mode) {
        return mona.post(path + "/" + rule + "/mode", {{"mode", mode}}).status;
    };
    EXPECT_EQ(turn(noting, "on"), 200) << "nobody acts on it yet";
    EXPECT_EQ(turn(noting, "watch"), 200);
    made(reading("first", act("label", "second")));
    EXPECT_EQ(turn(noting, "on"), 403);
    EXPECT_EQ(owner.get(path + "/" + noting)["mode"], "watch");
    EXPECT_EQ(mona.put(lists + "/" + id, {{"entries", "everybody"}}).status, 403);
    auto other = made(simple(word("spam"), act("label", "third")));
    EXPECT_EQ(turn(other, "on"), 200);
    EXPECT_EQ(
        mona.send(
                http::Method::put,
                path + "/" + other,
                "{\"rule\":" + simple(word("spam"), act("label", "second")) + "}",
                "application/json"
        )
            .status,
        403
    );
    EXPECT_EQ(mode(noting, "on")["mode"], "on");
}

TEST_P(WordLists, let_rules_tell_the_team_once_an_hour) {
    auto telling = made(simple(word("spam"), act("notify")));
    EXPECT_EQ(mode(telling, "on")["mode"], "on");
    auto letters = [&] {
        w.run_jobs();
        return std::ranges::count_if(w.mails(), [](const auto& mail) {
            return mail.subject.find("has found something") != std::string::npos;
        });
    };
    EXPECT_EQ(letters(), 0);
    says("spam"), says("spam again");
    EXPECT_EQ(letters(), 1) << "to the owner, who alone may manage blocks";
    w.advance(rules::notices_apart_seconds + 1);
    says("more spam");
    EXPECT_EQ(letters(), 1);
}

}  // namespace
