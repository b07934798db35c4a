// SPDX-License-Identifier: AGPL-3.0-or-later
// Groups of subscribed lists count as one list, as far as so many of them agree.
#include "internet.hpp"
#include "social/federation/remote.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

#include <map>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const std::string sources = "/api/dunlin/v1/moderation/list_sources";

struct ListGroups : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice");
    std::map<std::string, std::string> ids;

    static std::string address(const std::string& name) { return "https://" + name + ".example/list.csv"; }
    static void says(const std::string& name, const std::string& lines) {
        internet().page(
            address(name), "#domain,#severity,#reject_media,#reject_reports\n" + lines, "text/csv"
        );
    }
    void list(const std::string& name, const std::string& lines, const Fields& more = {{"mode", "group"}}) {
        says(name, lines);
        Fields form{{"name", name}, {"kind", "list"}, {"url", address(name)}};
        form.insert(form.end(), more.begin(), more.end());
        ids[name] = owner.post(sources, form).id();
        w.run_jobs();
    }
    void now_says(const std::string& name, const std::string& lines) {
        says(name, lines);
        act(name, "sync");
    }
    Answer group(int agree, const std::vector<std::string>& members, const Fields& more = {}) {
        Fields form{{"name", "group"}, {"kind", "group"}, {"agree", std::to_string(agree)}};
        for (const auto& one : members) form.emplace_back("members[]", ids.contains(one) ? ids[one] : one);
        form.insert(form.end(), more.begin(), more.end());
        auto out = owner.post(sources, form);
        if (out.status == 200) ids["group"] = out.id();
        w.run_jobs();
        return out;
    }
    Answer act(const std::string& name, const std::string& what, const Fields& form = {}) {
        auto out = owner.post(sources + "/" + ids[name] + "/" + what, form);
        w.run_jobs();
        w.run_jobs();
        return out;
    }
    static std::string in_words(const Answer& all, const std::string& at) {
        return all[at + ".domain"] + " " + all[at + ".severity"] +
               (all[at + ".reject_media"] == "true" ? " media" : "") +
               (all[at + ".reject_reports"] == "true" ? " reports" : "");
    }
    std::vector<std::string> suggested() {
        const auto all = owner.get(sources + "/" + ids["group"] + "/preview");
        std::vector<std::string> out;
        for (int i = 0; all["domains." + std::to_string(i) + ".domain"] != "absent"; ++i)
            out.push_back(in_words(all, "domains." + std::to_string(i)));
        return out;
    }
    std::vector<std::string> rules() {
        const auto all = owner.get("/api/v1/admin/domain_blocks");
        std::vector<std::string> out;
        for (std::size_t i = 0; i < all.ids().size(); ++i) out.push_back(in_words(all, std::to_string(i)));
        std::ranges::sort(out);
        return out;
    }
    std::vector<std::string> entries(const std::string& name) {
        const auto all = owner.get(sources + "/" + ids[name] + "/entries");
        std::vector<std::string> out;
        for (std::size_t i = 0; i < all.all("key").size(); ++i)
            out.push_back(all[std::to_string(i) + ".key"] + " " + all[std::to_string(i) + ".state"]);
        return out;
    }
};
ON_EACH_DATABASE(ListGroups);

TEST_P(ListGroups, say_the_mildest_on_which_so_many_of_their_lists_agree) {
    list(
        "a",
        "all.example,suspend,,\nmixed.example,suspend,,\nmedia.example,noop,true,\none.example,silence,,\n"
    );
    list(
        "b",
        "all.example,suspend,,\nmixed.example,silence,,\nmedia.example,suspend,,\nsub.one.example,silence,,\n"
    );
    list("c", "all.example,suspend,,\nmixed.example,noop,,true\nmedia.example,silence,,true\n");
    ASSERT_EQ(group(1, {"a", "b", "c"}).status, 200);
    EXPECT_THAT(
        suggested(),
        ElementsAre(
            "all.example suspend",
            "media.example suspend",
            "mixed.example suspend",
            "one.example silence",
            "sub.one.example silence"
        )
    );
    const auto change = [&](const std::string& agree) {
        EXPECT_EQ(owner.put(sources + "/" + ids["group"], {{"agree", agree}})["agree"], agree);
        w.run_jobs();
        return suggested();
    };
    EXPECT_THAT(
        change("2"),
        ElementsAre(
            "all.example suspend", "media.example silence media reports", "mixed.example silence reports"
        )
    );
    EXPECT_THAT(change("3"), ElementsAre("all.example suspend"));
    owner.put(sources + "/" + ids["group"], {{"ceiling", "silence"}});
    w.run_jobs();
    EXPECT_THAT(suggested(), ElementsAre("all.example silence"));
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_THAT(owner.get(sources + "/" + ids["group"] + "/members").all("name"), ElementsAre("a", "b", "c"));
}

TEST_P(ListGroups, follow_their_lists_and_cost_nobody_a_follow_by_themselves) {
    list("a", "old.example,suspend,,\n");
    list("b", "old.example,suspend,,\n");
    list("c", "else.example,suspend,,\n");
    group(2, {"a", "b", "c"}, {{"mode", "apply"}, {"retractions", "lift"}});
    EXPECT_THAT(rules(), IsEmpty()) << "nobody has looked at it";
    act("group", "apply");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend"));
    EXPECT_THAT(entries("a"), ElementsAre("old.example told")) << "it speaks through the group alone";
    remote::follows(w, alice, remote::somebody(w, "fay", "friends.example"));
    now_says("a", "old.example,suspend,,\nspam.example,suspend,,\nfriends.example,suspend,,\n");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend")) << "one of two";
    now_says("b", "old.example,suspend,,\nspam.example,silence,,\nfriends.example,suspend,,\n");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend", "spam.example silence"));
    EXPECT_THAT(
        entries("group"),
        ElementsAre("friends.example suggested", "old.example in_force", "spam.example in_force")
    );
    now_says("c", "spam.example,suspend,,\nold.example,suspend,,\n");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend", "spam.example suspend"));
    now_says("a", "spam.example,suspend,,\n");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend", "spam.example suspend")) << "two are left";
    now_says("c", "else.example,suspend,,\n");
    EXPECT_THAT(rules(), ElementsAre("spam.example silence")) << "one is left; and the milder of both";
    EXPECT_THAT(entries("group"), ElementsAre("spam.example in_force"));
}

TEST_P(ListGroups, of_which_a_list_is_ended_say_less) {
    for (auto name : {"a", "b"}) list(name, "old.example,suspend,,\n", {});
    group(2, {"a", "b"});
    act("group", "apply");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend"));
    EXPECT_EQ(owner.del(sources + "/" + ids["a"]).status, 200);
    w.run_jobs();
    EXPECT_THAT(entries("group"), ElementsAre("old.example withdrawn"));
    EXPECT_EQ(owner.get(sources + "/" + ids["group"])["agree"], "2");
    EXPECT_EQ(owner.put(sources + "/" + ids["group"], {{"name", "Ours"}}).status, 422) << "two of one";
    EXPECT_EQ(owner.put(sources + "/" + ids["group"], {{"agree", "1"}}).status, 200);
    w.run_jobs();
    EXPECT_THAT(entries("group"), ElementsAre("old.example in_force"));
    EXPECT_EQ(owner.del(sources + "/" + ids["group"], {{"lift", "true"}}).status, 200);
    w.run_jobs();
    EXPECT_THAT(rules(), IsEmpty());
    EXPECT_THAT(entries("b"), ElementsAre("old.example suggested"));
}

TEST_P(ListGroups, accept_what_enough_of_them_accept) {
    const Fields well{{"role", "allow"}, {"mode", "group"}};
    list("a", "both.example,,,\none.example,,,\n", well);
    list("b", "both.example,,,\n", well);
    group(2, {"a", "b"}, {{"role", "allow"}});
    act("group", "accept");
    for (auto name : {"a", "b"}) act(name, "accept");
    EXPECT_THAT(entries("group"), ElementsAre("both.example accepted"));
    list("blocks", "old.example,suspend,,\n", {{"mode", "apply"}});
    act("blocks", "apply");
    now_says("blocks", "old.example,suspend,,\nboth.example,suspend,,\none.example,suspend,,\n");
    EXPECT_THAT(rules(), ElementsAre("old.example suspend", "one.example suspend"));
}

TEST_P(ListGroups, are_made_of_lists_as_many_of_which_can_agree) {
    for (auto name : {"a", "b"}) list(name, "old.example,suspend,,\n");
    EXPECT_EQ(group(0, {"a", "b"}).status, 422);
    EXPECT_EQ(group(3, {"a", "b"}).status, 422);
    EXPECT_EQ(group(2, {"a", "a"}).status, 422) << "one is one";
    EXPECT_EQ(group(1, {}).status, 422);
    EXPECT_EQ(group(1, {"a", "7"}).status, 422) << "there is no such list";
    EXPECT_EQ(group(1, {"a"}, {{"mode", "group"}}).status, 422);
    EXPECT_EQ(owner.get(sources).ids().size(), 2u) << "nothing is left of what was refused";
    EXPECT_EQ(owner.put(sources + "/" + ids["a"], {{"members[]", ids["b"]}}).status, 422) << "it is no group";
    ASSERT_EQ(group(2, {"a", "b"}).status, 200);
    const auto first = ids["group"];
    EXPECT_EQ(group(1, {"a", first}).status, 422) << "a group in a group";
    EXPECT_EQ(owner.put(sources + "/" + first, {{"members[]", first}, {"agree", "1"}}).status, 422);
    EXPECT_EQ(owner.get(sources + "/" + first)["agree"], "2");
}

}  // namespace
