// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists: what is said elsewhere is suggested or applied as far as staff allowed it, and the last good copy stays whatever the
// other side answers.
#include "social/federation/remote.hpp"
#include "social/moderation/fires_server.hpp"
#include "social/moderation/list_sources/source.hpp"
#include "social/moderation/staff.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

struct RuleInForce {
    std::string domain, severity, origin;
    bool reject_media = false, reject_reports = false;
};
DESCRIBE(RuleInForce, domain, severity, origin, reject_media, reject_reports)
const db::Query<RuleInForce> test_rules_in_force{
    "test_rules_in_force",
    "SELECT domain, severity, origin, reject_media, reject_reports FROM domain_blocks ORDER BY domain"
};

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::HasSubstr, testing::SizeIs,
    testing::UnorderedElementsAre;

const std::string sources = "/api/dunlin/v1/moderation/list_sources";

struct ListSources : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice");
    FiresServer fires;
    std::string id;

    Answer add(const Fields& more = {}) {
        Fields form{{"name", "Theirs"}, {"url", fires.base}};
        form.insert(form.end(), more.begin(), more.end());
        return owner.post(sources, form);
    }
    void subscribe(const Fields& more = {}) {
        fires.open();
        const auto made = add(more);
        ASSERT_EQ(made.status, 200) << made.body;
        id = made.id();
        w.run_jobs();
    }
    // Its first copy was looked at and all of it applied.
    void subscribed(const Fields& more = {}) {
        subscribe(more);
        ASSERT_EQ(act("apply").status, 200);
        w.run_jobs();
    }
    Answer act(const std::string& what, const Fields& form = {}) {
        return owner.post(sources + "/" + id + "/" + what, form);
    }
    std::string one(const std::string& member) { return owner.get(sources + "/" + id)[member]; }
    void read_again() {
        fires.open();
        ASSERT_EQ(act("sync").status, 200);
        w.run_jobs();
    }
    std::vector<std::string> entries() {
        const auto all = owner.get(sources + "/" + id + "/entries");
        std::vector<std::string> out;
        for (std::size_t i = 0; i < all.all("key").size(); ++i)
            out.push_back(all[std::to_string(i) + ".key"] + " " + all[std::to_string(i) + ".state"]);
        return out;
    }
    std::vector<std::string> rules() {
        std::vector<std::string> out;
        for (const auto& one : w.read([](db::Read& db) { return db.all(test_rules_in_force); }))
            out.push_back(
                one.domain + " " + one.severity + (one.reject_media ? " media" : "") +
                (one.reject_reports ? " reports" : "") + (one.origin == "list" ? "" : " " + one.origin)
            );
        return out;
    }
};
ON_EACH_DATABASE(ListSources);

TEST_P(ListSources, suggest_what_a_dataset_recommends_and_change_nothing) {
    fires.block("a.example");
    fires.advise("Domain", "b.example", "Recommendation", "reject");
    fires.advise("Domain", "c.example", "Recommendation", "filter", {"auto-unlisted", "reject-media"});
    fires.advise("Domain", "d.example", "Recommendation", "filter", {"ignore-reports"});
    fires.advise("Domain", "e.example", "Recommendation", "filter", {"auto-cw"});
    fires.advise("Domain", "f.example", "Recommendation", "accept");
    fires.advise("Domain", "g.example", "Advisory");
    fires.advise("Actor", "https://a.example/users/mallory", "Recommendation", "drop");
    fires.advise("EmailDomain", "throwaway.example", "Recommendation", "drop");
    fires.advise("Domain", "not a name", "Recommendation", "drop");
    fires.advise("Planet", "mars", "Recommendation", "drop");
    subscribe();
    EXPECT_EQ(one("hold"), "first");
    EXPECT_EQ(one("entries"), "9");
    EXPECT_EQ(one("refused"), "2");
    EXPECT_EQ(one("problem"), "");
    EXPECT_THAT(
        entries(),
        ElementsAre(
            "a.example suggested",
            "b.example suggested",
            "c.example suggested",
            "d.example suggested",
            "e.example told",
            "f.example told",  // before it is gone along with
            "g.example told",
            "https://a.example/users/mallory told",
            "throwaway.example suggested"
        )
    );
    EXPECT_EQ(owner.get(sources + "/" + id + "/preview")["added"], "4");
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_EQ(act("apply", {{"dry_run", "true"}})["added"], "4");
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_EQ(act("apply")["added"], "4");
    w.run_jobs();
    EXPECT_THAT(
        rules(),
        ElementsAre(
            "a.example suspend", "b.example suspend", "c.example silence media", "d.example noop reports"
        )
    );
    EXPECT_EQ(one("hold"), "none");
    EXPECT_THAT(entries(), testing::Contains("f.example accepted"));
}

TEST_P(ListSources, read_the_names_of_older_servers_and_never_go_beyond_their_ceiling) {
    fires.old_names = true;
    fires.block("a.example");
    fires.advise("Domain", "b.example", "Recommendation", "filter", {"require-follow-requests"});
    subscribed({{"ceiling", "silence"}});
    EXPECT_THAT(rules(), ElementsAre("a.example silence", "b.example silence"));
}

TEST_P(ListSources, follow_the_changes_page_by_page) {
    fires.block("a.example");
    subscribed({{"mode", "apply"}});
    for (auto domain : {"b.example", "c.example", "d.example", "e.example", "f.example"}) fires.block(domain);
    fires.advise("Domain", "a.example", "Recommendation", "filter", {"auto-unlisted"});
    internet().asked.clear();
    read_again();
    EXPECT_THAT(internet().asked, SizeIs(3));  // pages, and never the snapshot again
    w.run_jobs();
    EXPECT_THAT(
        rules(),
        ElementsAre(
            "a.example silence",
            "b.example suspend",
            "c.example suspend",
            "d.example suspend",
            "e.example suspend",
            "f.example suspend"
        )
    );
    // Nothing has changed.
    internet().asked.clear();
    read_again();
    EXPECT_THAT(internet().asked, SizeIs(1));
    EXPECT_THAT(rules(), SizeIs(6));
}

TEST_P(ListSources, apply_by_themselves_only_what_costs_nobody_a_follow) {
    fires.block("a.example");
    subscribed({{"mode", "apply"}});
    remote::follows(w, alice, remote::somebody(w, "fay", "friends.example"));
    owner.post("/api/dunlin/v1/moderation/exceptions", {{"domain", "good.example"}});
    for (auto domain : {"friends.example", "good.example", "spam.example"}) fires.block(domain);
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("a.example suspend", "spam.example suspend"));
    EXPECT_THAT(
        entries(),
        ElementsAre(
            "a.example in_force",
            "friends.example suggested",
            "good.example excepted",
            "spam.example in_force"
        )
    );
    EXPECT_EQ(act("apply", {{"domains[]", "a.example"}}).status, 422);
    EXPECT_EQ(act("apply", {{"domains[]", "friends.example"}}).status, 200);
    w.run_jobs();
    EXPECT_THAT(rules(), SizeIs(3));
}

TEST_P(ListSources, that_become_stricter_cost_nobody_a_follow_by_themselves_either) {
    remote::follows(w, alice, remote::somebody(w, "fay", "friends.example"));
    for (auto domain : {"friends.example", "spam.example"})
        fires.advise("Domain", domain, "Recommendation", "filter", {"reject-media"});
    subscribed({{"mode", "apply"}});
    EXPECT_THAT(rules(), ElementsAre("friends.example noop media", "spam.example noop media"));
    for (auto domain : {"friends.example", "spam.example"}) fires.block(domain);
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("friends.example noop media", "spam.example suspend media"));
    EXPECT_THAT(entries(), ElementsAre("friends.example suggested", "spam.example in_force"));
    // Staff may, and take it back like any other list.
    EXPECT_EQ(act("apply", {{"domains[]", "friends.example"}})["joined"], "1");
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("friends.example suspend media", "spam.example suspend media"));
    EXPECT_THAT(entries(), ElementsAre("friends.example in_force", "spam.example in_force"));
    const auto list = owner.get("/api/dunlin/v1/moderation/lists").ids()[0];
    EXPECT_EQ(owner.post("/api/dunlin/v1/moderation/lists/" + list + "/undo").status, 200);
    for (int second = 0; second < 20; ++second) w.run_jobs(), w.advance(1);
    EXPECT_THAT(rules(), ElementsAre("friends.example noop media", "spam.example suspend media"));
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("friends.example noop media", "spam.example suspend media"));
    // What becomes milder becomes so by itself.
    fires.advise("Domain", "spam.example", "Recommendation", "filter", {"reject-media"});
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("friends.example noop media", "spam.example noop media"));
}

// Another subscription beside the one that the tests speak of; its first copy is gone along with.
TEST_P(ListSources, touch_nothing_by_themselves_that_another_one_accepts) {
    FiresServer well{.base = "https://well.example/datasets/1"};
    for (auto domain : {"good.example", "deep.below.example", "above.example", "late.example"})
        well.advise("Domain", domain, "Recommendation", "accept");
    well.block("spam.example");  // as one of those that are well it is not heard of that
    well.open();
    const auto other =
        owner.post(sources, {{"name", "Well"}, {"url", well.base}, {"role", "allow"}, {"mode", "apply"}})
            .id();
    w.run_jobs();
    const std::vector<std::string> before{"reject-media", "ignore-reports"}, milder{"reject-media"};
    fires.advise("Domain", "good.example", "Recommendation", "filter", before);
    subscribed({{"mode", "apply"}});
    EXPECT_THAT(rules(), ElementsAre("good.example noop media reports"))
        << "nobody has looked at the other one yet";
    owner.post(sources + "/" + other + "/accept");
    w.run_jobs();
    EXPECT_EQ(owner.get(sources + "/" + other)["hold"], "none");
    EXPECT_THAT(
        owner.get(sources + "/" + other + "/entries?state=accepted").all("key"),
        ElementsAre("above.example", "deep.below.example", "good.example", "late.example")
    );
    fires.advise("Domain", "good.example", "Recommendation", "filter", {"auto-unlisted"});
    for (auto domain : {"below.example", "sub.above.example", "late.example", "spam.example"})
        fires.block(domain);
    fires.page = 100;
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("good.example noop media reports", "spam.example suspend"));
    EXPECT_THAT(
        entries(),
        ElementsAre(
            "below.example suggested",
            "good.example changed",
            "late.example suggested",
            "spam.example in_force",
            "sub.above.example suggested"
        )
    );
    // What becomes milder may.
    fires.advise("Domain", "good.example", "Recommendation", "filter", milder);
    well.retract("late.example");
    well.open();
    owner.post(sources + "/" + other + "/sync");
    w.run_jobs();
    read_again();
    w.run_jobs();
    EXPECT_THAT(
        rules(), ElementsAre("good.example noop media", "late.example suspend", "spam.example suspend")
    );
    // Staff may.
    owner.post("/api/v1/admin/domain_blocks", {{"domain", "deep.below.example"}, {"severity", "silence"}});
    EXPECT_EQ(act("apply", {{"domains[]", "below.example"}}).status, 200);
    w.run_jobs();
    EXPECT_THAT(rules(), testing::IsSupersetOf({"below.example suspend", "deep.below.example silence hand"}));
    // With the list its word goes.
    owner.del(sources + "/" + other);
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), testing::Contains("sub.above.example suspend"));
}

TEST_P(ListSources, of_domains_may_be_of_those_that_are_well) {
    internet().page("https://lists.example/well.csv", "good.example\nfine.example\n", "text/plain");
    fires.base = "https://lists.example/well.csv";
    id = add({{"kind", "list"}, {"role", "allow"}}).id();
    w.run_jobs();
    EXPECT_THAT(entries(), ElementsAre("fine.example told", "good.example told"));
    EXPECT_EQ(act("apply").status, 422) << "there are no rules in it";
    act("accept");
    w.run_jobs();
    EXPECT_THAT(entries(), ElementsAre("fine.example accepted", "good.example accepted"));
    EXPECT_THAT(rules(), IsEmpty());
}

TEST_P(ListSources, wait_for_staff_still_when_one_name_of_them_was_taken) {
    for (auto domain : {"a.example", "b.example"}) fires.block(domain);
    subscribe({{"mode", "apply"}});
    EXPECT_EQ(act("apply", {{"domains[]", "a.example"}})["added"], "1");
    w.run_jobs();
    read_again();
    w.run_jobs();
    EXPECT_EQ(one("hold"), "first");
    EXPECT_THAT(rules(), ElementsAre("a.example suspend"));
}

TEST_P(ListSources, lift_what_is_taken_back) {
    const auto fay = remote::somebody(w, "fay", "a.example");
    fires.block("a.example");
    fires.block("b.example");
    fires.block("c.example");
    subscribed({{"retractions", "lift"}});
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + std::to_string(fay.value))["suspended"], "true");
    fires.retract("a.example");
    fires.bury(1);
    read_again();
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("c.example suspend"));
    EXPECT_THAT(entries(), ElementsAre("c.example in_force"));
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + std::to_string(fay.value))["suspended"], "false");
    // Somebody else blocks it still.
    owner.post("/api/dunlin/v1/moderation/lists", {{"name", "Others"}, {"data", "c.example"}});
    w.run_jobs();
    fires.retract("c.example");
    read_again();
    EXPECT_THAT(rules(), ElementsAre("c.example suspend"));
    // What it says again comes again.
    fires.block("a.example");
    read_again();
    EXPECT_THAT(entries(), ElementsAre("a.example suggested"));
}

TEST_P(ListSources, keep_as_own_what_is_taken_back) {
    fires.block("a.example");
    subscribed({{"retractions", "keep"}});
    fires.retract("a.example");
    read_again();
    EXPECT_THAT(rules(), ElementsAre("a.example suspend hand"));
    EXPECT_THAT(entries(), IsEmpty());
}

TEST_P(ListSources, ask_about_what_is_taken_back) {
    fires.block("a.example");
    fires.block("b.example");
    fires.block("c.example");
    subscribed();
    fires.retract("a.example");
    fires.retract("b.example");
    read_again();
    EXPECT_THAT(entries(), ElementsAre("a.example withdrawn", "b.example withdrawn", "c.example in_force"));
    EXPECT_THAT(rules(), SizeIs(3));
    EXPECT_EQ(act("lift", {{"domains[]", "a.example"}}).status, 200);
    EXPECT_EQ(
        act("lift", {{"domains[]", "c.example"}}).status, 200
    );  // it was not taken back: nothing happens
    EXPECT_EQ(act("dismiss", {{"domains[]", "b.example"}}).status, 200);
    EXPECT_EQ(act("lift").status, 422);
    EXPECT_THAT(rules(), ElementsAre("b.example suspend hand", "c.example suspend"));
    EXPECT_THAT(entries(), ElementsAre("c.example in_force"));
}

TEST_P(ListSources, say_of_accounts_and_mail_providers_what_staff_may_do) {
    const auto eve = remote::somebody(w, "eve", "a.example"), fay = remote::somebody(w, "fay", "a.example");
    const auto uri = w.read([&](db::Read& db) { return accounts::account(db, eve).uri; });
    fires.advise("Actor", uri, "Recommendation", "drop");
    fires.advise("Actor", "@fay@a.example", "Recommendation", "filter", {"auto-unlisted"});
    fires.advise("EmailDomain", "throwaway.example", "Recommendation", "drop");
    fires.advise("EmailDomain", "odd.example", "Recommendation", "drop");
    subscribe({{"mode", "apply"}});
    act("accept");
    w.run_jobs();
    auto state = [&](const std::string& key) {
        for (const auto& one : entries())
            if (one.starts_with(key + " ")) return one.substr(key.size() + 1);
        return std::string("absent");
    };
    auto does = [&](const std::string& key) { return act("act", {{"key", key}}).status; };
    auto is = [&](base::AccountId who, const std::string& mark) {
        return owner.get("/api/v1/admin/accounts/" + std::to_string(who.value))[mark];
    };
    EXPECT_EQ(state(uri), "suggested") << "not by itself";
    EXPECT_EQ(does(uri), 200);
    EXPECT_EQ(is(eve, "suspended"), "true");
    EXPECT_EQ(state(uri), "in_force");
    EXPECT_EQ(does(uri), 422);
    EXPECT_EQ(does("@fay@a.example"), 200);
    EXPECT_EQ(is(fay, "silenced"), "true");
    EXPECT_EQ(does("throwaway.example"), 200);
    EXPECT_EQ(owner.get("/api/v1/admin/email_domain_blocks")["0.domain"], "throwaway.example");
    EXPECT_EQ(state("throwaway.example"), "in_force");
    EXPECT_EQ(does("nobody.example"), 404);
    act("dismiss", {{"domains[]", "odd.example"}});
    EXPECT_EQ(state("odd.example"), "turned_down");
    const auto all = sources + "/" + id + "/entries";
    EXPECT_THAT(
        owner.get(all + "?state=in_force&about=actor").all("key"), ElementsAre("@fay@a.example", uri)
    );
    const auto page = owner.get(all + "?limit=2").all("key");
    EXPECT_THAT(page, ElementsAre("@fay@a.example", uri));
    EXPECT_THAT(
        owner.get(all + "?after=" + page.back()).all("key"), ElementsAre("odd.example", "throwaway.example")
    );
}

TEST_P(ListSources, suggest_no_more_what_was_dismissed_or_undone) {
    fires.block("a.example");
    fires.block("b.example");
    subscribe({{"mode", "apply"}});
    EXPECT_EQ(act("dismiss", {{"domains[]", "a.example"}}).status, 200);
    EXPECT_EQ(act("apply")["added"], "1");
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("b.example suspend"));
    const auto list = owner.get("/api/dunlin/v1/moderation/lists").ids()[0];
    owner.post("/api/dunlin/v1/moderation/lists/" + list + "/undo");
    for (int second = 0; second < 20; ++second) w.run_jobs(), w.advance(1);
    EXPECT_THAT(rules(), IsEmpty());
    read_again();
    w.run_jobs();
    EXPECT_THAT(entries(), ElementsAre("a.example turned_down", "b.example turned_down"));
    EXPECT_THAT(rules(), IsEmpty());
}

TEST_P(ListSources, wait_for_staff_when_they_grow_or_shrink_much) {
    for (int i = 10; i < 40; ++i) fires.block("d" + std::to_string(i) + ".example");
    fires.page = 100;
    subscribed({{"mode", "apply"}, {"retractions", "lift"}});
    EXPECT_THAT(rules(), SizeIs(30));
    for (int i = 10; i < 21; ++i) fires.block("more" + std::to_string(i) + ".example");
    read_again();
    EXPECT_EQ(one("hold"), "grown");
    EXPECT_THAT(rules(), SizeIs(30));
    EXPECT_EQ(act("accept").status, 200);
    w.run_jobs();
    EXPECT_EQ(one("hold"), "none");
    EXPECT_THAT(rules(), SizeIs(41));
    for (int i = 10; i < 35; ++i) fires.retract("d" + std::to_string(i) + ".example");
    read_again();
    EXPECT_EQ(one("hold"), "shrunk");
    EXPECT_THAT(rules(), SizeIs(41));
    act("accept");
    w.run_jobs();
    EXPECT_THAT(rules(), SizeIs(16));
}

TEST_P(ListSources, keep_the_last_good_copy_and_ask_less_and_less_often) {
    fires.block("a.example");
    subscribe();
    const auto good = entries();
    auto fails = [&](const std::string& body, int status, const std::string& problem) {
        Fetched answer;
        answer.status = status;
        answer.body = body;
        internet().pages[fires.base + "/changes?since=0"] = [=](const base::Fetch&) { return answer; };
        EXPECT_EQ(act("sync").status, 200);
        w.run_jobs();
        EXPECT_THAT(one("problem"), HasSubstr(problem)) << body;
        EXPECT_EQ(entries(), good);
    };
    fails("", 500, "500");
    fails("no JSON", 200, "no JSON");
    fails("[]", 200, "no JSON object");
    fails(R"({"type":"Person"})", 200, "no collection");
    fails(R"({"type":"OrderedCollectionPage","next":"https://else.example/x"})", 200, "another server");
    fails(
        R"({"type":"OrderedCollectionPage","next":")" + fires.base + R"(/changes?since=0"})", 200, "itself"
    );
    Fetched led_on;
    led_on.status = 200;
    led_on.url = "https://else.example/changes";
    led_on.body = R"({"type":"OrderedCollectionPage"})";
    internet().pages[fires.base + "/changes?since=0"] = [=](const base::Fetch&) { return led_on; };
    act("sync");
    w.run_jobs();
    EXPECT_THAT(one("problem"), HasSubstr("another server"));
    EXPECT_EQ(one("failures"), "7");
    const auto next = base::parse_time(one("next_at"));
    ASSERT_TRUE(next);
    EXPECT_GT(next->ms - w.now().ms, 6 * 3600 * 1000);
    internet().asked.clear();
    w.advance(24 * 3600);
    support::run_periodic(w, moderation::find_due_sources);
    w.run_jobs();
    EXPECT_THAT(internet().asked, SizeIs(1));
    // A cursor that is not known any more: all of it is read anew.
    fails("", 410, "");
    EXPECT_EQ(one("failures"), "0");
    EXPECT_EQ(one("problem"), "");
    fires.block("b.example");
    read_again();
    EXPECT_THAT(entries(), ElementsAre("a.example suggested", "b.example suggested"));
}

TEST_P(ListSources, end_with_a_server_whose_pages_do_not) {
    fires.block("a.example");
    subscribe();
    for (int i = 0; i < 80; ++i)
        internet().page(
            fires.base + "/changes?since=" + std::to_string(i),
            R"({"type":"OrderedCollectionPage","orderedItems":[],"next":")" + fires.base +
                "/changes?since=" + std::to_string(i + 1) + "\"}"
        );
    internet().asked.clear();
    act("sync");
    w.run_jobs();
    EXPECT_THAT(internet().asked, SizeIs(50));
    EXPECT_THAT(one("problem"), HasSubstr("more changes"));
}

TEST_P(ListSources, may_be_files_of_domains) {
    internet().page(
        "https://lists.example/blocks.csv",
        "#domain,#severity,#obfuscate\na.example,suspend,true\nb.example,silence,false\n",
        "text/csv"
    );
    fires.base = "https://lists.example/blocks.csv";
    const auto made = add({{"kind", "list"}});
    id = made.id();
    w.run_jobs();
    EXPECT_THAT(entries(), ElementsAre("a.example suggested", "b.example suggested"));
    act("apply");
    w.run_jobs();
    EXPECT_THAT(rules(), ElementsAre("a.example suspend", "b.example silence"));
    EXPECT_THAT(
        owner.get("/api/v1/admin/domain_blocks").all("obfuscate"), UnorderedElementsAre("true", "false")
    );
    internet().page(
        "https://lists.example/blocks.csv",
        "<!DOCTYPE html>\n<html>\n<title>Please sign in</title>\n<p>To see this list you must sign in.\n",
        "text/html"
    );
    act("sync");
    w.run_jobs();
    EXPECT_THAT(one("problem"), HasSubstr("no domains"));
    EXPECT_THAT(entries(), ElementsAre("a.example in_force", "b.example in_force"));
    internet().page("https://lists.example/blocks.csv", "#domain,#severity\nb.example,silence\n", "text/csv");
    act("sync");
    w.run_jobs();
    EXPECT_THAT(entries(), ElementsAre("a.example withdrawn", "b.example in_force"));
}

TEST_P(ListSources, are_added_changed_and_removed_by_who_may) {
    fires.block("a.example");
    fires.open();
    EXPECT_EQ(add({{"name", " "}}).status, 422);
    for (auto url : {"http://fires.example/datasets/7", "fires.example", "https://", "https://a b.example/"})
        EXPECT_EQ(owner.post(sources, {{"name", "Theirs"}, {"url", url}}).status, 422) << url;
    EXPECT_EQ(alice.post(sources, {{"name", "Theirs"}, {"url", fires.base}}).status, 403);
    subscribed();
    EXPECT_EQ(add().status, 422);  // it is subscribed to already
    EXPECT_EQ(owner.put(sources + "/" + id, {{"mode", "apply"}, {"name", "Ours"}})["mode"], "apply");
    EXPECT_EQ(one("name"), "Ours");
    EXPECT_EQ(owner.del(sources + "/" + id).status, 200);
    EXPECT_EQ(owner.get(sources + "/" + id).status, 404);
    EXPECT_EQ(act("sync").status, 404);
    EXPECT_THAT(rules(), ElementsAre("a.example suspend"));
    w.run_jobs();
}

TEST_P(ListSources, give_a_label_to_the_servers_about_which_they_advise_until_they_take_it_back) {
    const std::string path = "/api/dunlin/v1/moderation/labels";
    const auto label = owner.post(path, {{"name", "adult"}}).id();
    auto labelled = [&] { return owner.get(path + "/" + label + "/uses").all("domain"); };
    fires.advise("Domain", "a.example", "Advisory");
    fires.advise("Domain", "b.example", "Advisory");
    fires.block("c.example");
    EXPECT_EQ(add({{"label", "nothing"}}).status, 422);
    subscribe({{"label", "adult"}});
    EXPECT_EQ(one("label_id"), label);
    EXPECT_THAT(labelled(), IsEmpty()) << "staff has not looked at it";
    EXPECT_EQ(act("accept").status, 200);
    w.run_jobs();
    EXPECT_THAT(labelled(), UnorderedElementsAre("a.example", "b.example"));
    EXPECT_EQ(owner.get(path + "/" + label + "/uses")["0.source"], "list");
    owner.post(path + "/" + label + "/uses", {{"domain", "b.example"}});
    fires.retract("a.example"), fires.retract("b.example");
    fires.advise("Domain", "d.example", "Advisory");
    read_again();
    EXPECT_THAT(labelled(), UnorderedElementsAre("b.example", "d.example")) << "one is staff's word now";
    EXPECT_EQ(owner.put(sources + "/" + id, {{"label", ""}})["label_id"], "null");
    w.run_jobs();
    EXPECT_THAT(labelled(), ElementsAre("b.example"));
    EXPECT_EQ(owner.put(sources + "/" + id, {{"label", "adult"}})["label_id"], label);
    w.run_jobs();
    EXPECT_THAT(labelled(), SizeIs(2));
    EXPECT_EQ(owner.del(sources + "/" + id).status, 200);
    w.run_jobs();
    EXPECT_THAT(labelled(), ElementsAre("b.example"));
}

}  // namespace
