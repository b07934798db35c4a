// SPDX-License-Identifier: AGPL-3.0-or-later
// Pins, muted conversations and statuses for this site alone.
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

struct Pins : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    Answer does(const Person& who, const std::string& verb, const std::string& id) {
        return who.post("/api/v1/statuses/" + id + "/" + verb);
    }
    std::vector<std::string> pinned(const Person& reader, const Fields& more = {{"limit", "20"}}) {
        Fields form{{"pinned", "true"}};
        form.insert(form.end(), more.begin(), more.end());
        return reader.get("/api/v1/accounts/" + alice.id + "/statuses", form).ids();
    }
    void expect_refused(const Answer& answer, int status, const std::string& error) {
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.error(), error);
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
};
ON_EACH_DATABASE(Pins);

TEST_P(Pins, stand_first_on_the_profile_the_latest_pin_first) {
    auto old = alice.status("old"), other = alice.status("other"), young = alice.status("young");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + old)["pinned"], "false");
    w.happened(), w.changed();
    EXPECT_EQ(does(alice, "pin", young)["pinned"], "true");
    EXPECT_EQ(w.happened(), "Pinned");
    EXPECT_EQ(w.changed(), "status_pins +1");
    EXPECT_EQ(does(alice, "pin", old)["pinned"], "true");
    EXPECT_THAT(pinned(w.anonymous()), ElementsAre(old, young));
    EXPECT_THAT(pinned(bob, {{"limit", "1"}}), ElementsAre(old));
    auto page = bob.get("/api/v1/accounts/" + alice.id + "/statuses", {{"pinned", "true"}, {"limit", "1"}});
    EXPECT_THAT(page.link("next"), AllOf(HasSubstr("max_id=" + old), HasSubstr("pinned=true")));
    EXPECT_THAT(page.link("prev"), AllOf(HasSubstr("min_id=" + old), HasSubstr("pinned=true")));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + other)["pinned"], "false");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + old)["pinned"], "absent");
    EXPECT_EQ(does(alice, "unpin", old)["pinned"], "false");
    EXPECT_EQ(does(alice, "unpin", old)["pinned"], "false");
    EXPECT_EQ(w.happened(), "Pinned, Unpinned");
    EXPECT_THAT(pinned(bob), ElementsAre(young));
}

TEST_P(Pins, are_few_and_of_ones_own) {
    auto hers = alice.status("a"), his = bob.status("b"),
         secret = alice.status("c", {{"visibility", "direct"}});
    auto hidden = bob.status("d", {{"visibility", "private"}}), boost = alice.reblogs(his);
    does(alice, "pin", hers);
    w.happened(), w.changed();
    expect_refused(does(alice, "pin", hers), 422, "Duplicate record");
    expect_refused(does(alice, "pin", his), 422, "Validation failed: Someone else's post cannot be pinned");
    expect_refused(does(alice, "pin", boost), 422, "Validation failed: A boost cannot be pinned");
    expect_refused(
        does(alice, "pin", secret),
        422,
        "Validation failed: Posts that are only visible to mentioned users cannot be pinned"
    );
    expect_refused(does(alice, "pin", hidden), 404, "Not Found");
    for (int i = 0; i < 4; ++i) EXPECT_EQ(does(alice, "pin", alice.status("e")).status, 200);
    auto sixth = alice.status("f");
    w.happened(), w.changed();
    expect_refused(
        does(alice, "pin", sixth),
        422,
        "Validation failed: You have already pinned the maximum number of posts"
    );
}

TEST_P(Pins, are_walked_by_their_places_though_they_are_in_no_order_of_ids) {
    std::vector<std::string> ids, wanted;
    for (int i = 0; i < 5; ++i) ids.push_back(alice.status("a"));
    for (auto i : {3, 0, 4, 1, 2}) {
        does(alice, "pin", ids[static_cast<std::size_t>(i)]);
        wanted.insert(wanted.begin(), ids[static_cast<std::size_t>(i)]);
    }
    const std::string path = "/api/v1/accounts/" + alice.id + "/statuses";
    for (auto limit : {"1", "2"}) {
        std::vector<std::string> down, up;
        auto page = bob.get(path, {{"pinned", "true"}, {"limit", limit}});
        auto last = page;
        for (int i = 0; i < 9 && !page.ids().empty(); ++i) {
            for (const auto& id : page.ids()) down.push_back(id);
            last = page;
            if (page.link("next").empty()) break;
            page = bob.get(page.link("next"));
        }
        EXPECT_EQ(down, wanted) << limit;
        page = last;
        for (int i = 0; i < 9 && !page.ids().empty(); ++i) {
            auto part = page.ids();
            up.insert(up.begin(), part.begin(), part.end());
            page = bob.get(page.link("prev"));
        }
        EXPECT_EQ(up, wanted) << limit;
    }
    EXPECT_THAT(pinned(bob, {{"since_id", wanted[2]}}), ElementsAre(wanted[0], wanted[1]));
    auto no_pin = alice.status("b");
    EXPECT_THAT(pinned(bob, {{"since_id", no_pin}}), IsEmpty());
    EXPECT_EQ(pinned(bob, {{"max_id", no_pin}}), wanted);
}

TEST_P(Pins, are_filtered_as_other_posts_are) {
    auto plain = alice.status("plain #cats"), media = alice.status("a picture"),
         reply = alice.answers(bob.status("hello"), "@bob #cats"), own = alice.answers(plain, "more");
    static const db::Command give_media{
        "test_give_media_to_pin", "UPDATE statuses SET relations = relations | 4 WHERE id = $1"
    };
    w.write([&](db::Write& db) { db.run(give_media, std::int64_t{std::stoll(media)}); });
    for (const auto& id : {plain, media, reply, own}) EXPECT_EQ(does(alice, "pin", id).status, 200);
    EXPECT_THAT(pinned(bob), ElementsAre(own, reply, media, plain));
    EXPECT_THAT(pinned(bob, {{"tagged", "Cats"}}), ElementsAre(reply, plain));
    EXPECT_THAT(pinned(bob, {{"tagged", "dogs"}}), IsEmpty());
    EXPECT_THAT(pinned(bob, {{"only_media", "true"}}), ElementsAre(media));
    EXPECT_THAT(pinned(bob, {{"exclude_replies", "true"}}), ElementsAre(own, media, plain));
    EXPECT_THAT(pinned(bob, {{"exclude_reblogs", "true"}}), ElementsAre(own, reply, media, plain));
    EXPECT_THAT(pinned(bob, {{"exclude_replies", "true"}, {"tagged", "cats"}}), ElementsAre(plain));
}

TEST_P(Pins, are_seen_by_those_who_see_the_status) {
    auto id = alice.status("a", {{"visibility", "private"}});
    does(alice, "pin", id);
    EXPECT_THAT(pinned(w.anonymous()), IsEmpty());
    EXPECT_THAT(pinned(bob), IsEmpty());
    bob.follows(alice);
    EXPECT_THAT(pinned(bob), ElementsAre(id));
}

TEST_P(Pins, go_with_the_status) {
    auto id = alice.status("a");
    does(alice, "pin", id);
    w.changed();
    alice.del("/api/v1/statuses/" + id);
    EXPECT_EQ(w.changed(), "status_pins -1, home_entries -1");
    EXPECT_THAT(pinned(alice), IsEmpty());
}

struct MutedConversations : Pins {};
ON_EACH_DATABASE(MutedConversations);

TEST_P(MutedConversations, tell_nothing_and_show_everything) {
    auto root = alice.status("root"), before = bob.answers(root, "@alice one");
    w.happened(), w.changed();
    EXPECT_EQ(does(alice, "mute", before)["muted"], "true");
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(w.changed(), "conversation_mutes +1");
    EXPECT_EQ(does(alice, "mute", root)["muted"], "true");
    EXPECT_EQ(w.changed(), "");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + root)["muted"], "false");
    bob.follows(alice);
    w.changed();
    auto answer = bob.answers(root, "@alice two");
    bob.favourites(root);
    bob.reblogs(root);
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), ElementsAre("follow", "mention"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + root + "/context")["descendants.1.id"], answer);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + answer)["muted"], "true");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("elsewhere"))["muted"], "false");
    EXPECT_EQ(does(alice, "unmute", answer)["muted"], "false");
    EXPECT_EQ(does(alice, "unmute", answer).status, 200);
    bob.answers(root, "@alice three");
    EXPECT_EQ(alice.get("/api/v1/notifications")["0.type"], "mention");
}

TEST_P(MutedConversations, mark_the_boosted_status) {
    auto root = alice.status("root"), boost = bob.reblogs(root);
    does(alice, "mute", root);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + boost)["reblog.muted"], "true");
}

TEST_P(MutedConversations, need_a_status_that_one_sees) {
    auto id = bob.status("a", {{"visibility", "private"}});
    w.happened(), w.changed();
    expect_refused(does(alice, "mute", id), 404, "Not Found");
    expect_refused(does(alice, "unmute", id), 404, "Not Found");
}

struct LocalOnly : Pins {};
ON_EACH_DATABASE(LocalOnly);

TEST_P(LocalOnly, statuses_are_for_people_of_this_site) {
    auto answer = alice.post("/api/v1/statuses", {{"status", "us"}, {"local_only", "true"}});
    EXPECT_EQ(answer["local_only"], "true");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + alice.status("all"))["local_only"], "absent");
    auto boost = alice.reblogs(answer.id());
    EXPECT_EQ(bob.get("/api/v1/statuses/" + answer.id()).status, 200);
    for (const auto& id : {answer.id(), boost})
        EXPECT_EQ(w.anonymous().get("/api/v1/statuses/" + id).body, R"({"error":"Not Found"})");
    EXPECT_EQ(bob.get("/api/v1/timelines/public").ids().size(), 2u);
    EXPECT_EQ(w.anonymous().get("/api/v1/timelines/public").ids().size(), 1u);
}

}  // namespace
