// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists that say different things of a server: that of the higher priority decides, and of equal ones the stricter.
#include "internet.hpp"
#include "social/federation/remote.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

#include <map>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const std::string sources = "/api/dunlin/v1/moderation/list_sources";

struct ListPriorities : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice");
    std::map<std::string, std::string> ids;

    static std::string address(const std::string& name) { return "https://" + name + ".example/list.csv"; }
    static void says(const std::string& name, const std::string& lines) {
        internet().page(
            address(name), "#domain,#severity,#reject_media,#reject_reports\n" + lines, "text/csv"
        );
    }
    Answer act(const std::string& name, const std::string& what, const Fields& form = {}) {
        auto out = owner.post(sources + "/" + ids[name] + "/" + what, form);
        for (int turn = 0; turn < 3; ++turn) w.run_jobs();
        return out;
    }
    Answer change(const std::string& name, const Fields& form) {
        auto out = owner.put(sources + "/" + ids[name], form);
        for (int turn = 0; turn < 3; ++turn) w.run_jobs();
        return out;
    }
    // Applied as far as it suggests something.
    void list(const std::string& name, int priority, const std::string& lines, const Fields& more = {}) {
        says(name, lines);
        Fields form{
            {"name", name}, {"kind", "list"}, {"url", address(name)}, {"priority", std::to_string(priority)}
        };
        form.insert(form.end(), more.begin(), more.end());
        const auto made = owner.post(sources, form);
        ASSERT_EQ(made.status, 200) << made.body;
        ids[name] = made.id();
        w.run_jobs();
        ASSERT_EQ(act(name, "apply").status, 200);
    }
    void now_says(const std::string& name, const std::string& lines) {
        says(name, lines);
        act(name, "sync");
    }
    std::vector<std::string> rules() {
        const auto all = owner.get("/api/v1/admin/domain_blocks");
        std::vector<std::string> out;
        for (std::size_t i = 0; i < all.ids().size(); ++i)
            out.push_back(all[std::to_string(i) + ".domain"] + " " + all[std::to_string(i) + ".severity"]);
        std::ranges::sort(out);
        return out;
    }
};
ON_EACH_DATABASE(ListPriorities);

TEST_P(ListPriorities, decide_whose_word_counts_however_strict_it_is) {
    remote::follows(w, alice, remote::somebody(w, "fay", "x.example"));
    list("trusted", 10, "x.example,silence,FALSE,FALSE\n");
    list("strict", 0, "x.example,suspend,TRUE,TRUE\ny.example,suspend,TRUE,TRUE\n");
    EXPECT_THAT(rules(), ElementsAre("x.example silence", "y.example suspend"));
    list("other", 20, "y.example,silence,FALSE,FALSE\n");
    EXPECT_THAT(rules(), ElementsAre("x.example silence", "y.example silence"))
        << "the later one is the milder";
    EXPECT_EQ(change("strict", {{"priority", "10"}})["priority"], "10");
    EXPECT_THAT(rules(), ElementsAre("x.example suspend", "y.example silence"))
        << "of equal ones the stricter";
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["following_count"], "0");
    change("trusted", {{"priority", "11"}});
    EXPECT_THAT(rules(), ElementsAre("x.example silence", "y.example silence"));
    // What was brought keeps its rank when it is read no longer.
    EXPECT_EQ(owner.del(sources + "/" + ids["trusted"]).status, 200);
    change("strict", {{"priority", "9"}});
    EXPECT_THAT(rules(), ElementsAre("x.example silence", "y.example silence"));
}

TEST_P(ListPriorities, count_in_what_a_list_would_end) {
    remote::follows(w, alice, remote::somebody(w, "fay", "x.example"));
    list("trusted", 10, "x.example,silence,FALSE,FALSE\n");
    says("strict", "x.example,suspend,FALSE,FALSE\n");
    auto added = [&](const std::string& priority) {
        const auto made = owner.post(
            sources, {{"name", "s"}, {"kind", "list"}, {"url", address("strict")}, {"priority", priority}}
        );
        w.run_jobs();
        const auto lost = owner.get(sources + "/" + made.id() + "/preview")["following"];
        EXPECT_EQ(owner.del(sources + "/" + made.id()).status, 200);
        return lost;
    };
    EXPECT_EQ(added("0"), "0");
    EXPECT_EQ(added("10"), "1");
    EXPECT_EQ(added("11"), "1");
}

TEST_P(ListPriorities, are_shown_with_what_another_would_change) {
    remote::follows(w, alice, remote::somebody(w, "fay", "x.example"));
    list("trusted", 10, "x.example,silence,FALSE,FALSE\ny.example,silence,FALSE,FALSE\n");
    list("strict", 0, "x.example,suspend,TRUE,TRUE\n");
    list("media", 0, "y.example,silence,TRUE,FALSE\n");
    auto domains = [](const Answer& preview) {
        std::vector<std::string> out;
        for (auto n = 0; preview["domains." + std::to_string(n) + ".domain"] != "absent"; ++n)
            out.push_back(preview["domains." + std::to_string(n) + ".domain"]);
        return out;
    };
    auto shown = [&](const std::string& name, int priority) {
        return owner.get(sources + "/" + ids[name] + "/preview?priority=" + std::to_string(priority));
    };
    const auto lower = shown("trusted", 0);
    EXPECT_THAT(domains(lower), ElementsAre("x.example", "y.example"));
    EXPECT_EQ(lower["domains.0.severity"], "suspend");
    EXPECT_EQ(lower["domains.1.reject_media"], "true");
    EXPECT_EQ(lower["following"], "1");
    EXPECT_EQ(lower["losing_most.0.username"], "alice");
    EXPECT_THAT(domains(shown("strict", 10)), ElementsAre("x.example"));
    EXPECT_EQ(shown("strict", 10)["following"], "1");
    EXPECT_THAT(domains(shown("strict", 9)), IsEmpty());
    EXPECT_EQ(shown("strict", 101).status, 422);
    EXPECT_THAT(rules(), ElementsAre("x.example silence", "y.example silence")) << "a look changes nothing";
    // What was told is what comes.
    change("trusted", {{"priority", "0"}});
    EXPECT_THAT(rules(), ElementsAre("x.example suspend", "y.example silence"));
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["following_count"], "0");
    const auto back = shown("trusted", 10);
    EXPECT_THAT(domains(back), ElementsAre("x.example", "y.example")) << "milder again";
    EXPECT_EQ(back["domains.0.severity"], "silence");
    EXPECT_EQ(back["following"], "0");
}

TEST_P(ListPriorities, let_nothing_stricter_in_by_itself_when_the_higher_one_takes_its_word_back) {
    remote::follows(w, alice, remote::somebody(w, "fay", "x.example"));
    list(
        "trusted",
        10,
        "x.example,silence,FALSE,FALSE\nz.example,silence,FALSE,FALSE\n",
        {{"retractions", "lift"}}
    );
    list("strict", 0, "x.example,suspend,FALSE,FALSE\n");
    now_says("trusted", "other.example,silence,FALSE,FALSE\n");
    EXPECT_THAT(rules(), ElementsAre("x.example silence"));
    EXPECT_THAT(
        owner.get(sources + "/" + ids["trusted"] + "/entries?state=withdrawn").all("key"),
        ElementsAre("x.example")
    );
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["following_count"], "1");
    EXPECT_EQ(act("trusted", "lift", {{"domains[]", "x.example"}}).status, 200);
    EXPECT_THAT(rules(), ElementsAre("x.example suspend")) << "staff may";
}

TEST_P(ListPriorities, are_numbers_from_0_to_100) {
    for (const auto* wrong : {"-1", "101"}) {
        const auto made = owner.post(
            sources, {{"name", "s"}, {"url", "https://fires.example/datasets/7"}, {"priority", wrong}}
        );
        EXPECT_EQ(made.status, 422) << wrong;
    }
    EXPECT_THAT(owner.get(sources).ids(), IsEmpty());
}

}  // namespace
