// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_choose_languages{
    "test_choose_languages", "UPDATE users SET chosen_languages = $2 WHERE account_id = $1"
};

// As if they had come from elsewhere, and with a picture.
const db::Command test_make_remote{"test_make_remote", "UPDATE statuses SET local = FALSE WHERE id = $1"};
const db::Command test_make_remote_tag{
    "test_make_remote_tag", "UPDATE status_tags SET local = FALSE WHERE status_id = $1"
};
const db::Command test_add_picture{
    "test_add_picture", "UPDATE statuses SET relations = relations | 4 WHERE id = $1"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

constexpr const char* everything = "/api/v1/timelines/public";

struct PublicTimelines : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), anyone = w.anonymous();
    std::vector<std::string> tagged(const std::string& tag, const Fields& fields = {}) {
        return anyone.get("/api/v1/timelines/tag/" + tag, fields).ids();
    }
};
ON_EACH_DATABASE(PublicTimelines);

TEST_P(PublicTimelines, hold_no_boosts_and_no_replies_to_others) {
    auto one = alice.status("one"), self = alice.answers(one, "self reply");
    bob.answers(one, "reply");
    bob.reblogs(one);
    EXPECT_THAT(anyone.get(everything).ids(), ElementsAre(self, one));
    EXPECT_THAT(anyone.get(everything, {{"local", "true"}}).ids(), ElementsAre(self, one));
    EXPECT_THAT(anyone.get(everything, {{"remote", "true"}}).ids(), IsEmpty());
    EXPECT_THAT(anyone.get(everything, {{"only_media", "1"}}).ids(), IsEmpty());
}

TEST_P(PublicTimelines, are_paged_in_both_directions) {
    std::vector<std::string> made;
    for (int i = 0; i < 7; ++i) made.push_back(alice.status("#t"));
    for (std::string path : {std::string(everything), std::string("/api/v1/timelines/tag/t")}) {
        auto first = anyone.get(path, {{"limit", "3"}});
        EXPECT_THAT(first.ids(), ElementsAre(made[6], made[5], made[4]));
        auto second = anyone.get(first.link("next"));
        EXPECT_THAT(second.ids(), ElementsAre(made[3], made[2], made[1]));
        EXPECT_EQ(anyone.get(second.link("prev")).ids(), first.ids());
        EXPECT_THAT(anyone.get(path, {{"since_id", made[4]}}).ids(), ElementsAre(made[6], made[5]));
        EXPECT_THAT(
            anyone.get(path, {{"min_id", made[1]}, {"limit", "2"}}).ids(), ElementsAre(made[3], made[2])
        );
    }
}

TEST_P(PublicTimelines, of_tags_hold_replies_and_know_any_all_and_none) {
    auto a = alice.status("#a"), ab = alice.status("#a #b"), b = alice.status("#b"),
         abc = bob.answers(a, "#A #B #C");
    EXPECT_THAT(tagged("a"), ElementsAre(abc, ab, a));
    EXPECT_THAT(tagged("%41"), ElementsAre(abc, ab, a));
    EXPECT_THAT(tagged("a", {{"any[]", "b"}}), ElementsAre(abc, b, ab, a));
    EXPECT_THAT(tagged("a", {{"all[]", "b"}}), ElementsAre(abc, ab));
    EXPECT_THAT(tagged("a", {{"all[]", "b"}, {"none[]", "c"}}), ElementsAre(ab));
    EXPECT_THAT(tagged("a", {{"all[]", "unknown"}}), IsEmpty());
    EXPECT_THAT(tagged("a", {{"none[]", "unknown"}}), ElementsAre(abc, ab, a));
    EXPECT_THAT(tagged("unknown"), IsEmpty());
    EXPECT_THAT(tagged("unknown", {{"any[]", "b"}}), ElementsAre(abc, b, ab));
    EXPECT_THAT(tagged("a", {{"all[]", "b"}, {"all[]", "B"}}), ElementsAre(abc, ab));
}

TEST_P(PublicTimelines, of_this_site_and_of_others_hold_each_their_own) {
    std::vector<std::string> here, there, media_here, media_there;
    for (int i = 0; i < 60; ++i) {
        auto id = alice.status("#t");
        bool is_here = i % 12 == 0, has_media = i % 5 == 0;
        w.write([&](db::Write& db) {
            base::StatusId status{std::stoll(id)};
            if (has_media) db.run(test_add_picture, status);
            if (is_here) return;
            db.run(test_make_remote, status);
            db.run(test_make_remote_tag, status);
        });
        auto put = [&](auto& list) { list.insert(list.begin(), id); };
        put(is_here ? here : there);
        if (has_media) put(is_here ? media_here : media_there);
    }
    for (std::string path : {std::string(everything), std::string("/api/v1/timelines/tag/t")}) {
        auto pages = [&](const std::string& origin, bool media) {
            std::vector<std::string> out;
            Fields fields{{origin, "true"}, {"limit", "3"}};
            if (media) fields.emplace_back("only_media", "true");
            for (auto page = anyone.get(path, fields); !page.ids().empty();
                 page = anyone.get(page.link("next")))
                for (const auto& id : page.ids()) out.push_back(id);
            return out;
        };
        EXPECT_EQ(pages("local", false), here) << path;
        EXPECT_EQ(pages("remote", false), there) << path;
        EXPECT_EQ(pages("local", true), media_here) << path;
        EXPECT_EQ(pages("remote", true), media_there) << path;
        EXPECT_THAT(
            anyone.get(path, {{"local", "true"}, {"min_id", here[3]}, {"limit", "2"}}).ids(),
            ElementsAre(here[1], here[2])
        );
        EXPECT_THAT(anyone.get(path, {{"local", "true"}, {"remote", "true"}}).ids(), IsEmpty());
    }
}

TEST_P(PublicTimelines, fill_a_page_past_what_is_hidden) {
    auto carol = w.local("carol");
    auto wanted = carol.status("wanted");
    for (int i = 0; i < 100; ++i) bob.status("noise");
    alice.mutes(bob);
    EXPECT_THAT(alice.get(everything, {{"limit", "5"}}).ids(), ElementsAre(wanted));
}

// A wave of spam that was removed is not gone through each time.
TEST_P(PublicTimelines, of_tags_cost_the_same_after_many_posts_were_deleted) {
    auto cost = [&] {
        tagged("birds");  // once for what is kept
        w.queries();
        EXPECT_EQ(tagged("birds").size(), 1u);
        return w.queries();
    };
    auto kept = alice.status("all about #birds");
    w.catch_up();
    auto before = cost();
    std::vector<std::string> wave;
    for (int i = 0; i < 60; ++i) wave.push_back(bob.status("buy #birds"));
    for (const auto& one : wave) bob.del("/api/v1/statuses/" + one);
    EXPECT_THAT(tagged("birds"), ElementsAre(kept));
    w.catch_up();
    EXPECT_EQ(cost(), before);
    EXPECT_THAT(tagged("birds"), ElementsAre(kept));
}

TEST_P(PublicTimelines, and_account_statuses_cost_the_same_queries_for_one_and_for_forty) {
    alice.status("#t");
    for (std::string path :
         {std::string(everything),
          std::string("/api/v1/timelines/tag/t"),
          "/api/v1/accounts/" + alice.id + "/statuses"}) {
        bob.get(path);
        w.queries();
        EXPECT_EQ(bob.get(path, {{"limit", "1"}}).ids().size(), 1u);
        auto few = w.queries();
        for (int i = 0; i < 45; ++i) alice.status("#t @bob #u" + std::to_string(i));
        bob.get(path, {{"limit", "40"}});
        w.queries();
        EXPECT_EQ(bob.get(path, {{"limit", "40"}}).ids().size(), 40u);
        EXPECT_EQ(w.queries(), few) << path;
    }
}

TEST_P(PublicTimelines, rendered_afresh_cost_the_same_queries_for_two_and_for_forty) {
    alice.status("#a @bob");
    bob.status("#b @alice");
    w.queries();
    EXPECT_EQ(anyone.get(everything, {{"limit", "40"}}).ids().size(), 2u);
    auto few = w.queries();
    for (int i = 0; i < 20; ++i) {
        w.local("p" + std::to_string(i)).status("#a @bob");
        w.local("q" + std::to_string(i)).status("#b @alice");
    }
    w.queries();
    EXPECT_EQ(anyone.get(everything, {{"limit", "40"}}).ids().size(), 40u);
    EXPECT_LE(w.queries(), few);
}

struct AccountStatuses : PublicTimelines {
    std::vector<std::string> of_alice(const Fields& fields) {
        return anyone.get("/api/v1/accounts/" + alice.id + "/statuses", fields).ids();
    }
};
ON_EACH_DATABASE(AccountStatuses);

TEST_P(AccountStatuses, can_be_filtered) {
    auto his = bob.status("his");
    auto one = alice.status("one #tag"), reply = alice.answers(his, "reply"),
         self = alice.answers(one, "self"), boost = alice.reblogs(his);
    EXPECT_THAT(of_alice({}), ElementsAre(boost, self, reply, one));
    EXPECT_THAT(of_alice({{"exclude_replies", "true"}}), ElementsAre(boost, self, one));
    EXPECT_THAT(of_alice({{"exclude_reblogs", "true"}}), ElementsAre(self, reply, one));
    EXPECT_THAT(of_alice({{"tagged", "TAG"}}), ElementsAre(one));
    EXPECT_THAT(of_alice({{"tagged", "other"}}), IsEmpty());
    EXPECT_THAT(of_alice({{"only_media", "true"}}), IsEmpty());
    EXPECT_THAT(of_alice({{"pinned", "true"}}), IsEmpty());
    EXPECT_EQ(anyone.get("/api/v1/accounts/1/statuses").status, 404);
}

TEST_P(AccountStatuses, tell_the_next_page_only_when_full) {
    for (int i = 0; i < 3; ++i) alice.status("s");
    auto path = "/api/v1/accounts/" + alice.id + "/statuses";
    auto first = anyone.get(path, {{"limit", "2"}});
    EXPECT_NE(first.link("next"), "");
    auto second = anyone.get(first.link("next"));
    EXPECT_EQ(second.ids().size(), 1u);
    EXPECT_EQ(second.link("next"), "");
    EXPECT_EQ(anyone.get(second.link("prev")).ids(), first.ids());
}

TEST_P(AccountStatuses, leave_out_boosts_of_whom_the_viewer_hides) {
    auto carol = w.local("carol");
    auto his = bob.status("his");
    alice.reblogs(his);
    auto path = "/api/v1/accounts/" + alice.id + "/statuses";
    EXPECT_EQ(carol.get(path).ids().size(), 1u);
    carol.mutes(bob);
    EXPECT_THAT(carol.get(path).ids(), IsEmpty());
}

TEST_P(PublicTimelines, hold_only_the_languages_that_a_user_chose) {
    auto german = alice.status("eins #t", {{"language", "de"}}),
         french = alice.status("un #t", {{"language", "fr"}});
    auto english = alice.status("one #t", {{"language", "en"}});
    auto choose = [&](const std::string& languages) {
        w.write([&](db::Write& db) {
            db.run(test_choose_languages, base::AccountId{std::stoll(bob.id)}, languages);
        });
        return bob.get(everything).ids();
    };
    EXPECT_THAT(choose(R"(["de","fr"])"), ElementsAre(french, german));
    auto page = bob.get(everything, {{"limit", "1"}});
    EXPECT_THAT(bob.get(page.link("next")).ids(), ElementsAre(german));
    EXPECT_THAT(bob.get(everything, {{"min_id", "1"}, {"limit", "1"}}).ids(), ElementsAre(german));
    EXPECT_THAT(bob.get("/api/v1/timelines/tag/t").ids(), ElementsAre(english, french, german));
    EXPECT_THAT(anyone.get(everything).ids(), ElementsAre(english, french, german));
    EXPECT_THAT(choose("[]"), ElementsAre(english, french, german));
}

}  // namespace
