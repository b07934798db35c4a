// SPDX-License-Identifier: AGPL-3.0-or-later
// What an account wrote, as different people see it: the same as each status by itself, whatever is left out.
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_give_media{
    "test_give_media", "UPDATE statuses SET relations = relations | 4, version = version + 1 WHERE id = $1"
};

const db::Command test_answer_the_unknown{
    "test_answer_the_unknown",
    "UPDATE statuses SET in_reply_to_account_id = -1 WHERE account_id = $1 AND id > $2"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct StatusesOfSomebody : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), follower = w.local("follower"),
           anyone = w.anonymous();
    std::string path = "/api/v1/accounts/" + alice.id + "/statuses";
    std::vector<std::string> made;

    void SetUp() override { follower.follows(alice); }

    void give_media(const std::string& status) {
        w.write([&](db::Write& db) { db.run(test_give_media, base::StatusId{std::stoll(status)}); });
    }
    // Some of every sort, mixed.
    void write_much() {
        auto his = bob.status("his");
        auto own = alice.status("own");
        made.push_back(own);
        int n = 0;
        for (std::string visibility : {"public", "unlisted", "private", "direct", "public", "private"})
            for (std::string named : {"", "@bob ", "@follower "})
                for (bool tagged : {false, true}) {
                    auto text = named + (tagged ? "#tag " : "") + std::to_string(n);
                    Fields fields{{"visibility", visibility}};
                    auto id = n % 3 == 0   ? alice.answers(his, text, fields)
                              : n % 3 == 1 ? alice.answers(own, text, fields)
                                           : alice.status(text, fields);
                    if (n % 4 == 0) give_media(id);
                    made.push_back(id);
                    ++n;
                }
        made.push_back(alice.reblogs(his));
    }
    // Newest first, each looked at by itself.
    std::vector<std::string> expected(const Person& who, const Fields& filter) {
        auto set = [&](const std::string& name) {
            return std::ranges::any_of(filter, [&](const auto& f) { return f.first == name; });
        };
        std::vector<std::string> out;
        for (auto id = made.rbegin(); id != made.rend(); ++id) {
            auto one = who.get("/api/v1/statuses/" + *id);
            if (one.status != 200) continue;
            bool boost = one["reblog"] != "null";
            auto to = one["in_reply_to_account_id"];
            auto n = std::ranges::find(made, *id) - made.begin() - 1;  // as write_much counts
            bool media = !boost && n >= 0 && n % 4 == 0;
            if (set("only_media") && !media) continue;
            if (set("exclude_replies") && to != "null" && to != alice.id) continue;
            if (set("exclude_reblogs") && boost) continue;
            if (set("tagged") && (boost || one["tags.0.name"] != "tag")) continue;
            out.push_back(*id);
        }
        return out;
    }
    std::vector<std::string> all_pages(const Person& who, Fields fields, const char* direction) {
        fields.emplace_back("limit", "2");
        std::vector<std::string> out;
        if (std::string_view(direction) == "prev") fields.emplace_back("min_id", "1");
        for (auto page = who.get(path, fields); !page.ids().empty();) {
            auto ids = page.ids();
            out.insert(
                std::string_view(direction) == "prev" ? out.begin() : out.end(), ids.begin(), ids.end()
            );
            auto next = page.link(direction);
            if (next.empty()) break;
            page = who.get(next);
        }
        return out;
    }
};
ON_EACH_DATABASE(StatusesOfSomebody);

TEST_P(StatusesOfSomebody, are_listed_for_everybody_as_each_can_be_opened) {
    write_much();
    std::vector<Fields> filters{
        {},
        {{"only_media", "true"}},
        {{"exclude_replies", "true"}},
        {{"exclude_reblogs", "true"}},
        {{"tagged", "tag"}},
        {{"exclude_replies", "true"}, {"exclude_reblogs", "true"}},
        {{"only_media", "true"}, {"exclude_replies", "true"}},
        {{"tagged", "tag"}, {"only_media", "true"}},
        {{"tagged", "tag"}, {"exclude_replies", "true"}},
    };
    for (const auto* who : {&anyone, &bob, &follower, &alice})
        for (const auto& filter : filters) {
            auto wanted = expected(*who, filter);
            auto all = filter;
            all.emplace_back("limit", "40");
            std::string about = who->name + ", " + (filter.empty() ? "everything" : filter[0].first);
            EXPECT_EQ(who->get(path, all).ids(), wanted) << about;
            EXPECT_EQ(all_pages(*who, filter, "next"), wanted) << about;
            EXPECT_EQ(all_pages(*who, filter, "prev"), wanted) << about;
        }
}

TEST_P(StatusesOfSomebody, that_a_stranger_may_read_are_found_past_hundreds_they_may_not) {
    auto open = alice.status("open #tag"), named = alice.status("@bob #tag", {{"visibility", "direct"}});
    for (int i = 0; i < 300; ++i) alice.status("closed #tag", {{"visibility", "private"}});
    EXPECT_THAT(bob.get(path).ids(), ElementsAre(named, open));
    w.queries();
    EXPECT_THAT(bob.get(path).ids(), ElementsAre(named, open));
    auto queries = w.queries();
    for (int i = 0; i < 300; ++i) alice.status("closed #tag", {{"visibility", "private"}});
    w.queries();
    EXPECT_THAT(bob.get(path).ids(), ElementsAre(named, open));
    EXPECT_EQ(w.queries(), queries);
    EXPECT_THAT(bob.get(path, {{"tagged", "tag"}}).ids(), ElementsAre(named, open));
    EXPECT_THAT(anyone.get(path).ids(), ElementsAre(open));
    EXPECT_THAT(follower.get(path, {{"limit", "40"}}).ids().size(), 40u);
    EXPECT_THAT(bob.get(path, {{"only_media", "true"}}).ids(), IsEmpty());
}

TEST_P(StatusesOfSomebody, are_found_past_hundreds_of_answers_to_what_nobody_knows_here) {
    auto open = alice.status("open");
    for (int i = 0; i < 600; ++i) alice.status("answer");
    w.write([&](db::Write& db) {
        db.run(
            test_answer_the_unknown, base::AccountId{std::stoll(alice.id)}, base::StatusId{std::stoll(open)}
        );
    });
    const Fields one_without_answers{{"exclude_replies", "true"}, {"limit", "1"}};
    anyone.get(path, one_without_answers);
    w.queries();
    EXPECT_THAT(anyone.get(path, one_without_answers).ids(), ElementsAre(open));
    EXPECT_LE(w.queries(), 50) << "not one for each answer";
    EXPECT_THAT(anyone.get(path, {{"exclude_replies", "true"}, {"limit", "40"}}).ids(), ElementsAre(open));
}

TEST_P(StatusesOfSomebody, for_this_site_only_are_not_listed_for_nobody_in_particular) {
    auto open = alice.status("open #tag"), inside = alice.status("inside #tag", {{"local_only", "true"}});
    for (const Fields& filter : {Fields{}, Fields{{"tagged", "tag"}}, Fields{{"exclude_replies", "true"}}}) {
        EXPECT_THAT(anyone.get(path, filter).ids(), ElementsAre(open));
        EXPECT_THAT(bob.get(path, filter).ids(), ElementsAre(inside, open));
    }
}

}  // namespace
