// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages about subscribed lists, as a browser without JavaScript uses them.
#include "social/federation/remote.hpp"
#include "social/moderation/fires_server.hpp"
#include "social/moderation/staff.hpp"
#include "social/oauth/session.hpp"

#include <gmock/gmock.h>

#include <regex>

namespace {

using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;

struct SourcePages : OnEachWorld {
    Person olga = staff(w, "olga", accounts::owner), alice = w.local("alice");
    Person browser = signed_in();
    FiresServer fires;
    const std::string sources = "/settings/moderation/sources";
    std::string one;  // the page of the list

    Person signed_in() {
        auto secret = w.write([&](db::Write& db) {
            auto user = accounts::find_user_of(db, {std::stoll(olga.id)});
            return oauth::begin_session(db, user->id, "127.0.0.1", "a browser");
        });
        return w.anonymous()
            .with("Accept", "text/html")
            .with("Cookie", "dunlin_session=" + secret + "; __Host-dunlin_session=" + secret);
    }
    std::string first(const std::string& page, const std::string& what) {
        std::smatch found;
        EXPECT_TRUE(std::regex_search(page, found, std::regex(what))) << what << page;
        return found.size() > 1 ? found[1].str() : "";
    }
    // What such a form sends.
    Answer submit(const std::string& target, Fields fields = {}) {
        const auto page = browser.get(sources).body;
        fields.emplace_back(
            "authenticity_token", first(page, R"rx(name="authenticity_token" value="([^"]+)")rx")
        );
        return browser.post(target, fields);
    }
    void goes(const std::string& target, const std::string& to, const Fields& fields = {}) {
        const auto answer = submit(target, fields);
        EXPECT_EQ(answer.header("Location"), to) << answer.status << answer.body;
        w.run_jobs();
    }
    std::string page() { return browser.get(one).body; }
    void subscribe(const Fields& more = {}) {
        fires.open();
        Fields form{{"name", "Theirs"}, {"url", fires.base}};
        form.insert(form.end(), more.begin(), more.end());
        goes(sources, sources + "?done=list_read", form);
        one = first(browser.get(sources).body, "href=\"(" + sources + "/\\d+)\"");
    }
    void read_again() {
        fires.open();
        goes(one + "/sync", one + "?done=list_read");
    }
    std::vector<std::string> blocked() {
        auto all = olga.get("/api/v1/admin/domain_blocks").all("domain");
        std::ranges::sort(all);
        return all;
    }
    static std::string box(const std::string& domain) {
        return "name=\"domains[]\" value=\"" + domain + "\"";
    }
};
ON_EACH_DATABASE(SourcePages);

TEST_P(SourcePages, subscribe_to_a_list_and_take_some_of_what_it_suggests) {
    EXPECT_EQ(submit(sources, {{"name", "<Theirs>"}, {"url", "http://fires.example"}}).status, 422);
    EXPECT_THAT(
        submit(sources, {{"name", "<Theirs>"}, {"url", "http://fires.example"}}).body,
        HasSubstr("&lt;Theirs&gt;")
    ) << "what was given is there again";
    remote::follows(w, alice, remote::somebody(w, "fay", "friends.example"));
    for (auto domain : {"bad.example", "friends.example", "worse.example"}) fires.block(domain);
    subscribe();
    const auto all = browser.get(sources).body;
    EXPECT_THAT(
        all, AllOf(HasSubstr("Theirs"), HasSubstr("Suggestions that wait: 3"), HasSubstr("Entries: 3"))
    );
    EXPECT_THAT(page(), AllOf(HasSubstr(box("bad.example")), HasSubstr(one + "/accept")));
    EXPECT_LT(page().find(box("friends.example")), page().find(box("bad.example")))
        << "what hurts comes first";
    EXPECT_EQ(submit(one + "/chosen").status, 422);
    EXPECT_EQ(submit(one + "/chosen", {{"domains[]", "else.example"}}).status, 422);
    const auto chosen =
        submit(one + "/chosen", {{"domains[]", "friends.example"}, {"domains[]", "bad.example"}});
    EXPECT_EQ(chosen.status, 200);
    EXPECT_THAT(
        chosen.body,
        AllOf(HasSubstr("Follows that end"), HasSubstr("@alice"), Not(HasSubstr("worse.example")))
    );
    EXPECT_THAT(blocked(), IsEmpty()) << "a look changes nothing";
    EXPECT_EQ(submit(one + "/apply").status, 422) << "neither some nor all";
    goes(one + "/apply", one + "?done=list_applied", {{"domains[]", "bad.example"}});
    EXPECT_THAT(blocked(), ElementsAre("bad.example"));
    goes(one + "/dismiss", one + "?done=acted", {{"domains[]", "friends.example"}});
    EXPECT_THAT(page(), AllOf(Not(HasSubstr(box("friends.example"))), HasSubstr(box("worse.example"))));
    goes(one + "/apply", one + "?done=list_applied", {{"all", "true"}});
    EXPECT_THAT(blocked(), ElementsAre("bad.example", "worse.example"));
    EXPECT_THAT(page(), Not(HasSubstr(one + "/accept"))) << "it was gone along with";
    // The way back is the same as for a file.
    const auto undo = first(page(), "\"(/settings/moderation/lists/\\d+/undo)\"");
    goes(undo, "/settings/moderation/lists?done=list_undone");
    for (int second = 0; second < 5; ++second) w.run_jobs(), w.advance(1);
    EXPECT_THAT(blocked(), ElementsAre("bad.example"));
}

TEST_P(SourcePages, have_nothing_of_it_suggested_any_more) {
    for (auto domain : {"bad.example", "worse.example"}) fires.block(domain);
    subscribe();
    goes(one + "/dismiss", one + "?done=acted", {{"all", "true"}});
    EXPECT_THAT(page(), Not(HasSubstr("domains[]")));
    EXPECT_THAT(browser.get(sources).body, HasSubstr("Suggestions that wait: 0"));
    fires.block("new.example");
    read_again();
    EXPECT_THAT(page(), AllOf(HasSubstr(box("new.example")), Not(HasSubstr(box("bad.example")))));
}

TEST_P(SourcePages, decide_about_what_is_taken_back_and_about_accounts) {
    const auto eve = remote::somebody(w, "eve", "a.example");
    for (auto domain : {"a.example", "b.example", "c.example"}) fires.block(domain);
    fires.advise("Actor", "@eve@a.example", "Recommendation", "filter", {"auto-unlisted"});
    fires.advise("EmailDomain", "throwaway.example", "Recommendation", "drop");
    subscribe();
    goes(one + "/act", one + "?done=acted", {{"key", "@eve@a.example"}});
    EXPECT_EQ(olga.get("/api/v1/admin/accounts/" + std::to_string(eve.value))["silenced"], "true");
    EXPECT_THAT(page(), HasSubstr("throwaway.example"));
    goes(one + "/dismiss", one + "?done=acted", {{"domains[]", "throwaway.example"}});
    EXPECT_THAT(page(), Not(HasSubstr("throwaway.example")));
    goes(one + "/apply", one + "?done=list_applied", {{"all", "true"}});
    for (auto domain : {"a.example", "b.example"}) fires.retract(domain);
    read_again();
    EXPECT_THAT(browser.get(sources).body, HasSubstr("Taken back by it: 2"));
    EXPECT_THAT(page(), HasSubstr(one + "/lift"));
    goes(one + "/lift", one + "?done=acted", {{"domains[]", "a.example"}});
    goes(one + "/dismiss", one + "?done=acted", {{"domains[]", "b.example"}});
    EXPECT_THAT(blocked(), ElementsAre("b.example", "c.example"));
    EXPECT_THAT(page(), Not(HasSubstr(one + "/lift")));
}

TEST_P(SourcePages, keep_nothing_of_a_group_that_is_refused) {
    subscribe();
    const auto before = browser.get(sources);
    const auto id = one.substr(one.rfind('/') + 1);
    const auto refused =
        submit(sources, {{"kind", "group"}, {"name", "Two"}, {"agree", "2"}, {"members[]", id}});
    EXPECT_EQ(refused.status, 422);
    const auto after = browser.get(sources);
    EXPECT_EQ(after.status, 200);
    EXPECT_THAT(after.body, Not(HasSubstr(">Two<")));
}

TEST_P(SourcePages, change_what_a_list_may_do_and_say_what_is_wrong_with_it) {
    subscribe();
    EXPECT_EQ(submit(one, {{"name", " "}}).status, 422);
    goes(
        one,
        one + "?done=saved",
        {{"name", "Ours"}, {"mode", "apply"}, {"ceiling", "silence"}, {"retractions", "keep"}}
    );
    EXPECT_THAT(
        page(),
        AllOf(
            HasSubstr("value=\"apply\" checked"),
            HasSubstr("value=\"silence\" selected"),
            HasSubstr("value=\"keep\" selected")
        )
    );
    internet().page(fires.base + "/changes?since=0", "no JSON");
    internet().page(fires.base + "/changes", "no JSON");
    goes(one + "/sync", one + "?done=list_read");
    EXPECT_THAT(browser.get(sources).body, HasSubstr("no JSON object"));
    EXPECT_THAT(page(), HasSubstr("no JSON object"));
    EXPECT_EQ(browser.get(sources + "/1").status, 404);
    EXPECT_EQ(submit(sources + "/1/sync").status, 404);
}

TEST_P(SourcePages, show_what_a_priority_would_change_before_it_is_saved) {
    remote::follows(w, alice, remote::somebody(w, "fay", "bad.example"));
    fires.block("bad.example");
    subscribe({{"priority", "10"}, {"ceiling", "silence"}});
    goes(one + "/apply", one + "?done=list_applied", {{"all", "true"}});
    olga.post("/api/dunlin/v1/moderation/lists", {{"name", "Others"}, {"data", "bad.example\n"}});
    w.run_jobs();
    auto severity = [&] { return olga.get("/api/v1/admin/domain_blocks")["0.severity"]; };
    EXPECT_EQ(severity(), "silence");
    const Fields lower{{"name", "Ours"}, {"ceiling", "silence"}, {"priority", "0"}};
    const auto shown = submit(one, lower);
    EXPECT_EQ(shown.status, 200);
    EXPECT_THAT(
        shown.body,
        AllOf(
            HasSubstr("10 → 0"),
            HasSubstr("<dt>Follows that end</dt><dd>1</dd>"),
            HasSubstr("bad.example"),
            HasSubstr("@alice"),
            HasSubstr("name=\"name\" value=\"Ours\""),
            HasSubstr("name=\"seen\" value=\"true\"")
        )
    );
    w.run_jobs();
    EXPECT_THAT(page(), HasSubstr("Theirs")) << "nothing is saved yet";
    EXPECT_EQ(severity(), "silence");
    auto seen = lower;
    seen.emplace_back("seen", "true");
    goes(one, one + "?done=saved", seen);
    for (int turn = 0; turn < 3; ++turn) w.run_jobs();
    EXPECT_EQ(severity(), "suspend");
    // What changes no rule is saved at once, and what is no priority is refused.
    EXPECT_EQ(submit(one, {{"name", "Ours"}, {"priority", "101"}}).status, 422);
    goes(one, one + "?done=saved", {{"name", "Theirs again"}, {"ceiling", "silence"}, {"priority", "0"}});
}

TEST_P(SourcePages, show_the_label_of_servers_about_which_a_list_advises) {
    const auto labels = "/api/dunlin/v1/moderation/labels";
    ASSERT_EQ(olga.post(labels, {{"name", "odd"}, {"title", "Odd <servers>"}}).status, 200);
    subscribe();
    EXPECT_THAT(page(), Not(HasSubstr("<dt>Label</dt>")));
    const auto id = one.substr(one.rfind('/') + 1);
    ASSERT_EQ(olga.put("/api/dunlin/v1/moderation/list_sources/" + id, {{"label", "odd"}}).status, 200);
    EXPECT_THAT(page(), HasSubstr("<dt>Label</dt><dd>Odd &lt;servers&gt;</dd>"));
}

TEST_P(SourcePages, end_a_list_and_lift_what_it_alone_says) {
    for (int i = 10; i < 65; ++i) fires.block("d" + std::to_string(i) + ".example");
    fires.page = 100;
    subscribe();
    goes(one + "/apply", one + "?done=list_applied", {{"all", "true"}});
    olga.post("/api/dunlin/v1/moderation/lists", {{"name", "Others"}, {"data", "d10.example\nelse.example"}});
    w.run_jobs();
    const auto before = blocked().size();
    const auto end = browser.get(one + "/end").body;
    const auto lifted = std::stoull(first(end, "<dt>Rules that would be lifted</dt><dd>(\\d+)</dd>"));
    const auto kept = std::stoull(first(end, "<dt>Rules that others say, too</dt><dd>(\\d+)</dd>"));
    goes(one + "/end", sources + "?done=removed", {{"lift", "true"}});
    w.run_jobs();
    EXPECT_EQ(before - blocked().size(), lifted);
    EXPECT_GT(lifted, 50u) << "more than are lifted at once";
    EXPECT_THAT(blocked(), ElementsAre("d10.example", "else.example"));
    EXPECT_EQ(kept, 1u);
    EXPECT_EQ(browser.get(one).status, 404);
}

}  // namespace
