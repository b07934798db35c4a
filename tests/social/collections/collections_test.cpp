// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::SizeIs,
    testing::UnorderedElementsAre;

const db::Command test_item_is_pending{
    "test_item_is_pending", "UPDATE collection_items SET state = 'pending' WHERE id = $1"
};

struct Collections : OnEachWorld {
    Person alice = w.local("alice"), bob = featurable("bob"), carol = featurable("carol"),
           dan = w.local("dan");

    Person featurable(const std::string& name) {
        auto who = w.local(name);
        EXPECT_EQ(who.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}}).status, 200);
        return who;
    }
    static Answer create(const Person& who, const Fields& more = {}) {
        Fields form{{"name", "Friends"}, {"sensitive", "false"}, {"discoverable", "true"}};
        for (const auto& [name, value] : more) {
            if (name != "account_ids[]") std::erase_if(form, [&](const auto& f) { return f.first == name; });
            form.emplace_back(name, value);
        }
        return who.post("/api/v1/collections", form);
    }
    static std::string created(const Person& who, const Fields& more = {}) {
        auto answer = create(who, more);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer["collection.id"];
    }
    static std::string path(const std::string& collection) { return "/api/v1/collections/" + collection; }
    static Answer show(const Person& who, const std::string& id) { return who.get(path(id)); }
    static Answer add(const Person& owner, const std::string& id, const Person& whom) {
        return owner.post(path(id) + "/items", {{"account_id", whom.id}});
    }
    static std::string added(const Person& owner, const std::string& id, const Person& whom) {
        auto answer = add(owner, id, whom);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer["collection_item.id"];
    }
    static std::vector<std::string> members(const Person& who, const std::string& id) {
        Answer items{200, show(who, id)["collection.items"], {}};
        return items.all("account_id");
    }
    static std::vector<std::string> list(const Person& who, const std::string& path, const Fields& f = {}) {
        auto answer = who.get("/api/v1/accounts/" + path, f);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return Answer{200, answer["collections"], {}}.ids();
    }
    static std::vector<std::string> told(const Person& who) {
        return who.get("/api/v1/notifications").all("type");
    }
    void clear() { w.run_jobs(), w.happened(), w.changed(); }
    void nothing_happened() { EXPECT_EQ(w.happened() + w.changed(), ""); }
    void faulty(const Answer& answer, const std::string& field, const std::string& code) {
        EXPECT_EQ(answer.status, 422) << answer.body;
        EXPECT_THAT(answer["error.error"], HasSubstr("Validation failed: "));
        EXPECT_EQ(answer["error.details." + field + ".0.error"], code) << answer.body;
        nothing_happened();
    }
};
ON_EACH_DATABASE(Collections);

TEST_P(Collections, are_made_with_accounts_who_are_told) {
    clear();
    auto answer = create(
        alice,
        {{"description", "Good people"},
         {"language", "de"},
         {"tag_name", "#Cats"},
         {"account_ids[]", carol.id},
         {"account_ids[]", bob.id},
         {"account_ids[]", bob.id}}
    );
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(w.happened(), "AddedToCollection, AddedToCollection, CollectionMade");
    EXPECT_EQ(w.changed(), "tags +1, collections +1, collection_items +2, notifications +2");
    EXPECT_EQ(answer["collection.name"], "Friends");
    EXPECT_EQ(answer["collection.description"], "Good people");
    EXPECT_EQ(answer["collection.language"], "de");
    EXPECT_EQ(answer["collection.account_id"], alice.id);
    EXPECT_EQ(answer["collection.item_count"], "2");
    EXPECT_EQ(answer["collection.items.0.account_id"], carol.id);
    EXPECT_EQ(answer["collection.items.1.state"], "accepted");
    EXPECT_EQ(answer["collection.tag.name"], "cats");
    EXPECT_EQ(answer["collection.tag.url"], "http://localhost:3000/tags/cats");
    EXPECT_EQ(answer["collection.url"], "http://localhost:3000/collections/" + answer["collection.id"]);
    EXPECT_THAT(told(bob), ElementsAre("added_to_collection"));
    EXPECT_THAT(told(carol), ElementsAre("added_to_collection"));
    auto notice = bob.get("/api/v1/notifications");
    EXPECT_EQ(notice["0.account.id"], alice.id);
    EXPECT_EQ(notice["0.collection.id"], answer["collection.id"]);
    EXPECT_EQ(notice["0.collection.items.0.account_id"], carol.id);
}

TEST_P(Collections, with_faults_are_refused_field_by_field) {
    clear();
    faulty(create(alice, {{"name", " "}}), "name", "ERR_BLANK");
    faulty(create(alice, {{"name", std::string(41, 'x')}}), "name", "ERR_TOO_LONG");
    faulty(create(alice, {{"description", std::string(101, 'x')}}), "description", "ERR_TOO_LONG");
    faulty(create(alice, {{"language", "klingonese"}}), "language", "ERR_INVALID");
    faulty(create(alice, {{"sensitive", ""}}), "sensitive", "ERR_INCLUSION");
    faulty(create(alice, {{"discoverable", ""}}), "discoverable", "ERR_INCLUSION");
    faulty(create(alice, {{"tag_name", "12 34"}}), "tag_name", "ERR_INVALID");
    Fields many;
    for (int i = 0; i < 26; ++i) many.emplace_back("account_ids[]", std::to_string(i + 1));
    faulty(create(alice, many), "account_ids", "ERR_INVALID");
    faulty(alice.post("/api/v1/collections"), "name", "ERR_BLANK");
    std::string umlauts;
    for (int i = 0; i < 40; ++i) umlauts += "\xc3\xbc";
    EXPECT_EQ(create(alice, {{"name", umlauts}}).status, 200);
}

TEST_P(Collections, hold_only_accounts_that_let_themselves_be_featured) {
    auto locked = featurable("locked"), blocker = featurable("blocker"), blocked = featurable("blocked"),
         gone = featurable("gone");
    locked.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    blocker.blocks(alice);
    alice.blocks(blocked);
    w.suspend(gone);
    auto id = created(alice);
    clear();
    for (const auto& who : {dan, locked, blocker, blocked}) {
        EXPECT_EQ(create(alice, {{"account_ids[]", who.id}}).status, 403) << who.name;
        EXPECT_EQ(add(alice, id, who).status, 403) << who.name;
    }
    EXPECT_EQ(create(alice, {{"account_ids[]", gone.id}}).status, 404);
    EXPECT_EQ(create(alice, {{"account_ids[]", "12345"}}).status, 404);
    EXPECT_EQ(add(alice, id, gone).status, 404);
    nothing_happened();
    EXPECT_EQ(add(alice, id, alice).status, 200);  // oneself always
    EXPECT_THAT(told(alice), IsEmpty());
    alice.follows(locked);
    locked.post("/api/v1/follow_requests/" + alice.id + "/authorize");
    EXPECT_EQ(add(alice, id, locked).status, 200);
}

TEST_P(Collections, are_as_many_as_the_role_allows) {
    for (int i = 0; i < 10; ++i) created(alice);
    clear();
    faulty(create(alice), "base", "ERR_INVALID");
    EXPECT_EQ(create(bob).status, 200);
}

TEST_P(Collections, are_shown_with_their_owner_first) {
    auto id = created(alice, {{"account_ids[]", bob.id}, {"account_ids[]", alice.id}});
    for (const auto& who : {alice, dan, w.anonymous()}) {
        auto answer = show(who, id);
        EXPECT_EQ(answer.status, 200);
        EXPECT_THAT((Answer{200, answer["accounts"], {}}.ids()), ElementsAre(alice.id, bob.id));
        EXPECT_EQ(answer["collection.item_count"], "2");
    }
    EXPECT_THAT(show(w.anonymous(), id).header("Cache-Control"), HasSubstr("public"));
}

TEST_P(Collections, hide_whom_the_viewer_blocks_and_who_is_suspended) {
    auto id = created(alice, {{"account_ids[]", bob.id}, {"account_ids[]", carol.id}});
    dan.blocks(bob);
    EXPECT_THAT(members(dan, id), ElementsAre(carol.id));
    EXPECT_EQ(show(dan, id)["collection.item_count"], "1");
    w.suspend(carol);
    EXPECT_THAT(members(alice, id), ElementsAre(bob.id));
}

TEST_P(Collections, are_closed_to_whom_the_owner_blocks_and_gone_with_the_owner) {
    auto id = created(alice);
    alice.blocks(dan);
    EXPECT_EQ(show(dan, id).status, 403);
    EXPECT_THAT(list(dan, alice.id + "/collections"), IsEmpty());
    EXPECT_EQ(show(bob, id).status, 200);
    w.suspend(alice);
    EXPECT_EQ(show(bob, id).status, 404);
    EXPECT_THAT(list(bob, alice.id + "/collections"), IsEmpty());
}

TEST_P(Collections, show_those_who_wait_to_the_owner_alone) {
    auto id = created(alice, {{"account_ids[]", bob.id}});
    auto item = show(alice, id)["collection.items.0.id"];
    w.write([&](db::Write& db) { db.run(test_item_is_pending, std::int64_t{std::stoll(item)}); });
    EXPECT_EQ(show(alice, id)["collection.items.0.state"], "pending");
    EXPECT_EQ(show(dan, id)["collection.items"], "[]");
    EXPECT_EQ(show(dan, id)["collection.item_count"], "0");
    EXPECT_THAT(list(bob, bob.id + "/in_collections"), IsEmpty());
}

TEST_P(Collections, are_changed_by_their_owner_and_the_members_are_told_once) {
    auto id = created(alice, {{"description", "d"}, {"tag_name", "cats"}, {"account_ids[]", bob.id}});
    clear();
    w.advance(60);
    for (int twice = 0; twice < 2; ++twice) {
        auto answer = alice.patch(path(id), {{"name", "Best friends"}, {"description", ""}});
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer["collection.name"], "Best friends");
        EXPECT_EQ(answer["collection.description"], "null");
        EXPECT_EQ(answer["collection.tag.name"], "cats");
        EXPECT_EQ(answer["collection.discoverable"], "true");
        EXPECT_EQ(answer["collection.created_at"], "2026-01-01T00:00:00.000Z");
        EXPECT_EQ(answer["collection.updated_at"], "2026-01-01T00:01:00.000Z");
    }
    EXPECT_EQ(w.happened(), "CollectionChanged");
    EXPECT_THAT(told(bob), ElementsAre("collection_update", "added_to_collection"));
    alice.put(path(id), {{"name", "Very best friends"}, {"tag_name", ""}, {"discoverable", "false"}});
    EXPECT_THAT(told(bob), ElementsAre("collection_update", "added_to_collection"));
    EXPECT_EQ(show(alice, id)["collection.tag"], "null");
    alice.patch(path(id), {{"description", "d"}, {"tag_name", "dogs"}, {"language", "de"}});
    auto emptied = alice.send(
        http::Method::patch,
        path(id),
        R"({"name":null,"description":null,"tag_name":null,"language":null})",
        "application/json"
    );
    EXPECT_EQ(emptied["collection.name"], "Very best friends");
    for (auto member : {"description", "tag", "language"})
        EXPECT_EQ(emptied["collection." + std::string(member)], "null") << member;
    clear();
    faulty(alice.patch(path(id), {{"name", ""}}), "name", "ERR_BLANK");
    EXPECT_EQ(bob.patch(path(id), {{"name", "x"}}).status, 403);
    EXPECT_EQ(alice.patch(path("12345"), {{"name", "x"}}).status, 404);
    nothing_happened();
}

TEST_P(Collections, are_deleted_by_their_owner_with_all_that_tells_of_them) {
    auto id = created(alice, {{"account_ids[]", bob.id}});
    alice.patch(path(id), {{"name", "Best friends"}});
    clear();
    EXPECT_EQ(bob.del(path(id)).status, 403);
    nothing_happened();
    auto answer = alice.del(path(id));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(w.changed(), "collections -1, collection_items -1, notifications -2");
    EXPECT_EQ(show(alice, id).status, 404);
    EXPECT_EQ(alice.del(path(id)).status, 404);
}

TEST_P(Collections, take_an_account_once_and_25_in_all) {
    auto id = created(alice, {{"account_ids[]", bob.id}});
    clear();
    EXPECT_EQ(add(alice, id, bob).status, 422);
    EXPECT_EQ(alice.post(path(id) + "/items").status, 422);
    EXPECT_EQ(add(bob, id, carol).status, 403);
    EXPECT_EQ(add(alice, "12345", carol).status, 404);
    nothing_happened();
    auto answer = add(alice, id, carol);
    EXPECT_EQ(answer["collection_item.state"], "accepted");
    EXPECT_EQ(answer["collection_item.account_id"], carol.id);
    EXPECT_THAT(told(carol), ElementsAre("added_to_collection"));
    for (int i = 3; i <= 25; ++i) added(alice, id, featurable("m" + std::to_string(i)));
    auto last = featurable("last");
    EXPECT_EQ(add(alice, id, last).status, 422);
    EXPECT_THAT(members(dan, id), SizeIs(25));
}

TEST_P(Collections, let_their_owner_take_accounts_out) {
    auto id = created(alice, {{"account_ids[]", bob.id}}), other = created(alice);
    auto item = show(alice, id)["collection.items.0.id"];
    clear();
    EXPECT_EQ(bob.del(path(id) + "/items/" + item).status, 403);
    EXPECT_EQ(alice.del(path(other) + "/items/" + item).status, 404);
    nothing_happened();
    auto answer = alice.del(path(id) + "/items/" + item);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "");
    EXPECT_THAT(members(alice, id), IsEmpty());
    EXPECT_EQ(alice.del(path(id) + "/items/" + item).status, 404);
    EXPECT_EQ(add(alice, id, bob).status, 200);
}

TEST_P(Collections, are_left_for_good) {
    auto id = created(alice, {{"account_ids[]", bob.id}});
    auto item = show(alice, id)["collection.items.0.id"];
    auto revoke = path(id) + "/items/" + item + "/revoke";
    clear();
    EXPECT_EQ(alice.post(revoke).status, 403);
    EXPECT_EQ(carol.post(revoke).status, 403);
    EXPECT_EQ(bob.post(path("12345") + "/items/" + item + "/revoke").status, 404);
    nothing_happened();
    EXPECT_EQ(bob.post(revoke).body, "");
    EXPECT_EQ(bob.post(revoke).status, 200);
    EXPECT_EQ(w.happened(), "LeftCollection");
    EXPECT_THAT(members(alice, id), IsEmpty());
    EXPECT_THAT(list(bob, bob.id + "/in_collections"), IsEmpty());
    EXPECT_EQ(add(alice, id, bob).status, 422);
    EXPECT_EQ(alice.del(path(id) + "/items/" + item).status, 404);  // which would let them be put there again
}

TEST_P(Collections, lose_those_who_block_the_owner_or_whom_the_owner_blocks) {
    auto alices = created(alice, {{"account_ids[]", bob.id}, {"account_ids[]", carol.id}});
    auto bobs = created(bob, {{"account_ids[]", carol.id}});
    alice.blocks(bob);
    EXPECT_THAT(members(carol, alices), ElementsAre(carol.id));
    carol.blocks(alice);
    EXPECT_THAT(members(dan, alices), IsEmpty());
    EXPECT_THAT(members(dan, bobs), ElementsAre(carol.id));
}

TEST_P(Collections, of_an_account_are_listed_newest_first_by_offset) {
    std::vector<std::string> made;
    for (int i = 0; i < 5; ++i) made.insert(made.begin(), created(alice));
    auto hidden = created(alice, {{"discoverable", "false"}});
    auto of_alice = alice.id + "/collections";
    EXPECT_EQ(list(dan, of_alice), made);
    EXPECT_EQ(list(w.anonymous(), of_alice), made);
    EXPECT_EQ(list(alice, of_alice)[0], hidden);
    auto page = dan.get("/api/v1/accounts/" + of_alice, {{"limit", "2"}, {"offset", "1"}});
    EXPECT_THAT((Answer{200, page["collections"], {}}.ids()), ElementsAre(made[1], made[2]));
    EXPECT_EQ(page.link("next"), "/api/v1/accounts/" + of_alice + "?limit=2&offset=3");
    EXPECT_EQ(page.link("prev"), "/api/v1/accounts/" + of_alice + "?limit=2&offset=0");
    auto last = dan.get(page.link("next"));
    EXPECT_THAT((Answer{200, last["collections"], {}}.ids()), ElementsAre(made[3], made[4]));
    auto beyond = dan.get(last.link("next"));
    EXPECT_EQ(beyond.body, "{\"collections\":[]}");
    EXPECT_EQ(beyond.link("next"), "");
    EXPECT_THAT(list(dan, of_alice, {{"offset", "-3"}, {"limit", "1"}}), ElementsAre(made[0]));
    EXPECT_EQ(dan.get("/api/v1/accounts/12345/collections").status, 404);
}

TEST_P(Collections, that_feature_an_account_are_listed_to_it_alone) {
    auto first = created(alice, {{"discoverable", "false"}, {"account_ids[]", bob.id}});
    auto second = created(carol, {{"account_ids[]", bob.id}});
    created(alice, {{"account_ids[]", carol.id}});
    EXPECT_THAT(list(bob, bob.id + "/in_collections"), ElementsAre(second, first));
    auto page = bob.get("/api/v1/accounts/" + bob.id + "/in_collections", {{"limit", "1"}});
    EXPECT_THAT(page.link("next"), HasSubstr("offset=1"));
    EXPECT_EQ(page.link("prev"), "");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id + "/in_collections").status, 403);
    EXPECT_EQ(bob.get("/api/v1/accounts/12345/in_collections").status, 404);
}

TEST_P(Collections, answer_at_their_old_addresses_which_say_that_they_are_old) {
    auto id = created(alice, {{"account_ids[]", bob.id}});
    auto old = alice.get("/api/v1_alpha/collections/" + id);
    EXPECT_EQ(old.body, show(alice, id).body);
    EXPECT_EQ(old.header("Deprecation"), "@1781049600");
    EXPECT_EQ(show(alice, id).header("Deprecation"), "");
    auto listed = bob.get("/api/v1_alpha/accounts/" + bob.id + "/in_collections");
    EXPECT_EQ(listed["collections.0.id"], id);
    EXPECT_EQ(listed.header("Deprecation"), "");
    EXPECT_EQ(alice.del("/api/v1_alpha/collections/" + id).header("Deprecation"), "@1781049600");
}

TEST_P(Collections, cost_the_same_queries_on_a_page_of_one_and_of_many) {
    created(alice, {{"account_ids[]", bob.id}});
    auto cost = [&] {
        list(dan, alice.id + "/collections");
        w.queries();
        list(dan, alice.id + "/collections");
        return w.queries();
    };
    auto few = cost();
    for (int i = 0; i < 9; ++i) created(alice, {{"account_ids[]", bob.id}, {"account_ids[]", carol.id}});
    EXPECT_EQ(cost(), few);
}

TEST_P(Collections, can_be_come_upon_by_whoever_is_here_newest_first_a_page_at_a_time) {
    auto one = created(alice), two = created(bob, {{"name", "Two"}, {"account_ids[]", carol.id}});
    created(alice, {{"discoverable", "false"}});
    created(alice, {{"sensitive", "true"}});
    clear();
    auto ask = [&](const Person& who, const Fields& f = {}) {
        auto answer = who.get("/api/dunlin/v1/collections", f);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer;
    };
    auto found = [&](const Person& who, const Fields& f = {}) {
        return Answer{200, ask(who, f)["collections"], {}}.ids();
    };
    EXPECT_THAT(found(dan), ElementsAre(two, one));
    auto first = ask(dan, {{"limit", "1"}});
    EXPECT_THAT((Answer{200, first["collections"], {}}.ids()), ElementsAre(two));
    EXPECT_THAT((Answer{200, first["accounts"], {}}.ids()), ElementsAre(bob.id)) << "and whose they are";
    EXPECT_THAT(first.header("Link"), HasSubstr("max_id=" + two));
    EXPECT_THAT(found(dan, {{"max_id", two}}), ElementsAre(one));
    EXPECT_THAT(first.link("prev"), HasSubstr("since_id=" + two));
    EXPECT_EQ(dan.get(first.link("prev")).header("Link"), "") << "the way back ends";
    EXPECT_EQ(w.anonymous().get("/api/dunlin/v1/collections").status, 401);
    nothing_happened();

    dan.post("/api/v1/accounts/" + bob.id + "/mute");
    EXPECT_THAT(found(dan), ElementsAre(one));
    EXPECT_THAT(found(carol), ElementsAre(two, one));
    alice.post("/api/v1/accounts/" + dan.id + "/block");
    EXPECT_THAT(found(dan), IsEmpty());
    w.silence(bob);
    EXPECT_THAT(found(carol), ElementsAre(one));
    w.suspend(alice);
    EXPECT_THAT(found(carol), IsEmpty());
}

}  // namespace
