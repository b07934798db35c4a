// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists and their members (behaviours: 11.11). Their timeline is in timelines/list_test.cpp.
#include "resource.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct Lists : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    std::string made(const std::string& title = "friends") {
        return alice.post("/api/v1/lists", {{"title", title}}).id();
    }
    static std::string accounts(const std::string& list) { return "/api/v1/lists/" + list + "/accounts"; }
    std::vector<std::string> members(const std::string& list) { return alice.get(accounts(list)).ids(); }
};
ON_EACH_DATABASE(Lists);

TEST_P(Lists, are_made_shown_changed_and_removed) {
    auto list = alice.post("/api/v1/lists", {{"title", "friends"}});
    EXPECT_EQ(list["title"], "friends");
    EXPECT_EQ(list["replies_policy"], "list");
    EXPECT_EQ(list["exclusive"], "false");
    auto path = expect_shown_alone(alice, "/api/v1/lists", list);
    auto changed = alice.put(path, {{"replies_policy", "none"}, {"exclusive", "true"}});
    EXPECT_EQ(changed["title"], "friends");
    EXPECT_EQ(changed["replies_policy"], "none");
    EXPECT_EQ(changed["exclusive"], "true");
    EXPECT_EQ(alice.patch(path, {{"title", "foes"}})["title"], "foes");
    EXPECT_EQ(alice.get(path)["exclusive"], "true");
    alice.follows(bob);
    alice.post(accounts(list.id()), {{"account_ids[]", bob.id}});
    w.changed();
    EXPECT_EQ(alice.del(path).body, "{}");
    EXPECT_EQ(w.changed(), "lists -1, list_members -1");
    EXPECT_EQ(alice.get(path).error(), "Record not found");
}

TEST_P(Lists, refuse_titles_and_policies_that_are_none) {
    auto list = made();
    auto before = w.dump();
    for (bool anew : {true, false}) {
        auto refusal = [&](const Fields& fields) {
            auto answer =
                anew ? alice.post("/api/v1/lists", fields) : alice.put("/api/v1/lists/" + list, fields);
            EXPECT_EQ(answer.status, 422) << answer.body;
            return answer.error();
        };
        EXPECT_EQ(refusal({{"title", " "}}), "Validation failed: Title can't be blank");
        EXPECT_EQ(
            refusal({{"title", std::string(257, 'x')}}),
            "Validation failed: Title is too long (maximum is 256 characters)"
        );
        EXPECT_EQ(
            refusal({{"title", "t"}, {"replies_policy", "everyone"}}),
            "Validation failed: Replies policy is not included in the list"
        );
    }
    EXPECT_EQ(alice.post("/api/v1/lists").error(), "Validation failed: Title can't be blank");
    EXPECT_EQ(w.dump(), before);
}

TEST_P(Lists, are_fifty_at_most) {
    for (int i = 0; i < 50; ++i) made();
    auto answer = alice.post("/api/v1/lists", {{"title", "one more"}});
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(answer.error(), "Validation failed: You have reached the maximum number of lists");
    EXPECT_EQ(bob.post("/api/v1/lists", {{"title", "mine"}}).status, 200);
}

TEST_P(Lists, hold_whom_one_follows_or_asked_to_and_oneself) {
    auto list = made();
    carol.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    alice.follows(bob);
    alice.follows(carol);
    auto dora = w.local("dora");
    for (const auto& id : {bob.id, carol.id, alice.id})
        EXPECT_EQ(alice.post(accounts(list), {{"account_ids[]", id}}).body, "{}");
    EXPECT_THAT(members(list), ElementsAre(carol.id, bob.id, alice.id));
    w.changed();
    auto refused = alice.post(accounts(list), {{"account_ids[]", dora.id}});
    EXPECT_EQ(refused.status, 422);
    EXPECT_TRUE(refused.error().starts_with("Validation failed: Account "));
    auto again = alice.post(accounts(list), {{"account_ids[]", bob.id}});
    EXPECT_EQ(again.error(), "Validation failed: Account has already been taken");
    EXPECT_EQ(alice.post(accounts(list), {{"account_ids[]", "1"}}).status, 404);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Lists, take_all_of_several_or_none) {
    auto list = made();
    alice.follows(bob);
    alice.follows(carol);
    auto dora = w.local("dora");
    Fields all{{"account_ids[]", bob.id}, {"account_ids[]", carol.id}, {"account_ids[]", bob.id}};
    auto with_dora = all;
    with_dora.emplace_back("account_ids[]", dora.id);
    EXPECT_EQ(alice.post(accounts(list), with_dora).status, 422);
    EXPECT_THAT(members(list), IsEmpty());
    EXPECT_EQ(alice.post(accounts(list), all).status, 200);
    EXPECT_THAT(members(list), ElementsAre(carol.id, bob.id));
    EXPECT_EQ(alice.del(accounts(list), with_dora).body, "{}");
    EXPECT_THAT(members(list), IsEmpty());
}

TEST_P(Lists, lose_who_is_not_followed_any_more) {
    auto list = made();
    auto put = [&](const Person& who) { alice.post(accounts(list), {{"account_ids[]", who.id}}); };
    alice.follows(bob);
    put(bob);
    alice.unfollows(bob);
    EXPECT_THAT(members(list), IsEmpty());
    alice.follows(bob);
    EXPECT_THAT(members(list), IsEmpty());
    put(bob);
    bob.blocks(alice);
    EXPECT_THAT(members(list), IsEmpty());

    carol.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    alice.follows(carol);
    put(carol);
    carol.post("/api/v1/follow_requests/" + alice.id + "/authorize");
    EXPECT_THAT(members(list), ElementsAre(carol.id));
    alice.unfollows(carol);
    alice.follows(carol);
    put(carol);
    carol.post("/api/v1/follow_requests/" + alice.id + "/reject");
    EXPECT_THAT(members(list), IsEmpty());
}

TEST_P(Lists, show_their_members_in_pages_or_all_at_once) {
    auto list = made();
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) {
        auto friend_ = w.local("friend" + std::to_string(i));
        alice.follows(friend_);
        alice.post(accounts(list), {{"account_ids[]", friend_.id}});
        ids.insert(ids.begin(), friend_.id);
    }
    auto page = alice.get(accounts(list) + "?limit=2");
    EXPECT_THAT(page.ids(), ElementsAre(ids[0], ids[1]));
    auto next = alice.get(page.link("next"));
    EXPECT_THAT(next.ids(), ElementsAre(ids[2], ids[3]));
    EXPECT_NE(next.link("prev").find("since_id=" + ids[2]), std::string::npos);
    auto all = alice.get(accounts(list) + "?limit=0");
    EXPECT_EQ(all.ids(), ids);
    EXPECT_EQ(all.header("Link"), "");
    auto gone = w.bearer("");
    gone.id = ids[1];
    w.suspend(gone);
    EXPECT_EQ(alice.get(accounts(list)).ids().size(), 4u);
}

TEST_P(Lists, with_an_account_are_told_to_their_owner_only) {
    auto one = made("one"), two = made("two");
    made("three");
    alice.follows(bob);
    for (const auto& list : {one, two}) alice.post(accounts(list), {{"account_ids[]", bob.id}});
    auto path = "/api/v1/accounts/" + bob.id + "/lists";
    EXPECT_THAT(alice.get(path).all("title"), ElementsAre("one", "two"));
    EXPECT_EQ(carol.get(path).body, "[]");
    EXPECT_EQ(alice.get("/api/v1/accounts/1/lists").status, 404);
    w.suspend(bob);
    EXPECT_EQ(alice.get(path).body, "[]");
}

TEST_P(Lists, are_nobody_elses_business) {
    auto list = made();
    alice.follows(bob);
    alice.post(accounts(list), {{"account_ids[]", bob.id}});
    auto before = w.dump();
    auto path = "/api/v1/lists/" + list;
    for (const auto& answer :
         {carol.get(path),
          carol.put(path, {{"title", "mine"}}),
          carol.patch(path, {{"title", "mine"}}),
          carol.del(path),
          carol.get(accounts(list)),
          carol.post(accounts(list), {{"account_ids[]", carol.id}}),
          carol.del(accounts(list), {{"account_ids[]", bob.id}}),
          carol.get("/api/v1/timelines/list/" + list)}) {
        EXPECT_EQ(answer.status, 404);
        EXPECT_EQ(answer.body, R"({"error":"Record not found"})");
    }
    EXPECT_EQ(w.dump(), before);
    EXPECT_EQ(carol.get("/api/v1/lists").body, "[]");
}

}  // namespace
