// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/trends.hpp"
#include "social/discovery/publisher.hpp"
#include "social/discovery/trend_score.hpp"
#include "social/instance/settings.hpp"
#include "social/statuses/previews/preview.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_many_favourites{
    "test_many_favourites",
    R"(INSERT INTO favourites (id, account_id, status_id)
       WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $3)
       SELECT $1 + n, n, $2 FROM numbers)",
    R"(INSERT INTO favourites (id, account_id, status_id)
       SELECT $1 + n, n, $2::bigint FROM generate_series(1, $3::bigint) n)"
};

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

struct Trends : OnEachWorld {
    std::vector<Person> people;
    Person anyone = w.anonymous();

    void SetUp() override {
        // Ids of one process never go back, and worlds before this one may have been ahead.
        auto ahead = std::stoll(w.local("first").status("hello")) / 65'536 - w.now().ms;
        w.advance(std::max<std::int64_t>(ahead, 0) / 1000 + 1);
        w.advance(86'400 - w.now().ms % 86'400'000 / 1000 + 12 * 3600);  // noon
        for (int i = 0; i < 8; ++i) people.push_back(open("p" + std::to_string(i)));
        approve_everything();
    }
    Person open(const std::string& name) {
        auto person = w.local(name);
        person.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}});
        return person;
    }
    void set(const std::string& name, const std::string& value) {
        w.write([&](db::Write& db) { instance::set_setting(db, name, value); });
    }
    void approve_everything() { set("trendable_by_default", "true"); }
    void refresh() {
        for (auto* refresh : {discovery::refresh_tags, discovery::refresh_links, discovery::refresh_statuses})
            support::run_periodic(w, refresh);
        w.run_jobs();
    }
    void tag(const std::string& name, std::size_t by, const std::string& language = "en") {
        for (std::size_t i = 0; i < by; ++i) people[i].status("#" + name, {{"language", language}});
    }
    void like(const std::string& status, std::size_t by) {
        for (std::size_t i = 0; i < by; ++i) people[i].favourites(status);
    }
    std::vector<std::string> tags(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/trends/tags", fields).all("name");
    }
    std::vector<std::string> posts(const Person& who, const Fields& fields = {}) {
        return who.get("/api/v1/trends/statuses", fields).ids();
    }
};
ON_EACH_DATABASE(Trends);

TEST_P(Trends, of_hashtags_need_five_accounts_on_a_day) {
    tag("many", 6);
    tag("five", 5);
    tag("four", 4);
    for (int i = 0; i < 9; ++i) people[0].status("#alone");
    EXPECT_THAT(tags(anyone), IsEmpty());
    refresh();
    EXPECT_THAT(tags(anyone), ElementsAre("many", "five"));
    EXPECT_EQ(anyone.get("/api/v1/trends/tags")["0.history.0.accounts"], "6");
    auto old = anyone.get("/api/v1/trends");
    EXPECT_THAT(old.all("name"), ElementsAre("many", "five"));
    EXPECT_EQ(old.header("Deprecation"), "@1648598400");
}

TEST_P(Trends, of_hashtags_count_discoverable_accounts_that_are_not_limited) {
    tag("water", 5);
    refresh();
    EXPECT_THAT(tags(anyone), ElementsAre("water"));
    for (int i = 0; i < 5; ++i) w.local("hidden" + std::to_string(i)).status("#fire");
    w.silence(people[7]);
    for (std::size_t i = 3; i < 8; ++i) people[i].status("#earth");
    refresh();
    EXPECT_THAT(tags(anyone), ElementsAre("water"));
}

TEST_P(Trends, fade_and_go) {
    tag("water", 8);
    refresh();
    w.advance(4 * 3600);
    tag("fresh", 7);
    refresh();
    EXPECT_THAT(tags(anyone), ElementsAre("fresh", "water"));
    w.advance(3 * 86'400);
    refresh();
    EXPECT_THAT(tags(anyone), IsEmpty());
}

TEST_P(Trends, wait_for_approval) {
    set("trendable_by_default", "false");
    tag("good", 5);
    tag("bad", 6);
    refresh();
    EXPECT_THAT(tags(anyone), IsEmpty());
    auto all = w.read([](db::Read& db) { return discovery::trends(db, discovery::Kind::tag); });
    ASSERT_THAT(all, SizeIs(2));
    for (const auto& trend : all)
        w.write([&](db::Write& db) {
            auto asked = discovery::reviews(db, discovery::Kind::tag, {trend.subject_id});
            EXPECT_TRUE(asked.at(trend.subject_id).requested_at);
            discovery::decide(db, discovery::Kind::tag, trend.subject_id, trend.score < 20);
        });
    refresh();
    EXPECT_THAT(tags(anyone), ElementsAre("good"));
    approve_everything();
    refresh();
    EXPECT_THAT(tags(anyone), ElementsAre("good"));  // what was rejected stays so
}

TEST_P(Trends, ask_for_a_review_of_what_is_above_the_third_allowed_one_of_its_language) {
    set("trendable_by_default", "false");
    auto asked = [&] {
        std::vector<std::string> names;
        for (const auto& trend :
             w.read([](db::Read& db) { return discovery::trends(db, discovery::Kind::tag); }))
            w.read([&](db::Read& db) {
                auto known = discovery::reviews(db, discovery::Kind::tag, {trend.subject_id});
                if (known.contains(trend.subject_id) && known[trend.subject_id].requested_at)
                    names.push_back(tags::tag(db, {trend.subject_id}).name);
            });
        return names;
    };
    auto decide = [&](const std::string& name, bool allowed) {
        w.write([&](db::Write& db) {
            discovery::decide(db, discovery::Kind::tag, tags::put(db, name, name).value, allowed);
        });
    };
    for (auto name : {"good", "better", "best"}) decide(name, true);
    for (auto name : {"bad", "worse", "worst"}) decide(name, false);
    for (auto name : {"bad", "worse", "worst", "high"}) tag(name, 8);
    for (auto name : {"good", "better", "best"}) tag(name, 7);
    tag("low", 6);
    tag("klein", 5, "de");
    refresh();
    EXPECT_THAT(asked(), testing::UnorderedElementsAre("high", "klein"));
    decide("good", false);
    refresh();
    EXPECT_THAT(asked(), testing::UnorderedElementsAre("high", "klein", "low"));
}

TEST_P(Trends, ask_for_no_review_of_links_that_go_with_their_publisher) {
    set("trendable_by_default", "false");
    const std::string url = "https://news.example/a";
    auto card = w.write([&](db::Write& db) {
        statuses::Card card;
        card.url = url;
        card.usable = true;
        card.title = "A page";
        return statuses::put_card(db, card, "");
    });
    for (std::size_t i = 0; i < 6; ++i) {
        auto made = people[i].status("look: " + url);
        w.write([&](db::Write& db) { statuses::show_card(db, {std::stoll(made)}, card, url); });
    }
    w.write([](db::Write& db) {
        discovery::note_publishers(db, {"news.example"});
        auto news = discovery::publishers_of(db, {"news.example"});
        discovery::decide(db, discovery::Kind::publisher, news.at(0).id.value, true);
    });
    refresh();
    EXPECT_THAT(anyone.get("/api/v1/trends/links").all("url"), ElementsAre(url));
    auto reviews =
        w.read([&](db::Read& db) { return discovery::reviews(db, discovery::Kind::link, {card.value}); });
    EXPECT_THAT(reviews, IsEmpty());
    w.connection().script("UPDATE preview_cards SET usable = FALSE");
    EXPECT_THAT(anyone.get("/api/v1/trends/links").all("url"), IsEmpty());
}

TEST_P(Trends, in_preferred_languages_come_first_and_hide_none) {
    tag("hallo", 5, "de");
    tag("hello", 7, "en");
    tag("bonjour", 6, "fr");
    refresh();
    EXPECT_THAT(
        tags(anyone.with("Accept-Language", "de-CH,en;q=0.8")), ElementsAre("hallo", "hello", "bonjour")
    );
    EXPECT_THAT(tags(anyone.with("Accept-Language", "xx")), ElementsAre("hello", "bonjour", "hallo"));
    EXPECT_TRUE(
        anyone.get("/api/v1/trends/statuses").header("Vary").starts_with("Authorization, Accept-Language")
    );
    static const db::Command choose{
        "test_choose_languages", "UPDATE users SET chosen_languages = '[\"fr\"]' WHERE account_id = $1"
    };
    w.write([&](db::Write& db) { db.run(choose, std::int64_t{std::stoll(people[0].id)}); });
    EXPECT_THAT(tags(people[0]), ElementsAre("bonjour", "hello", "hallo"));
}

TEST_P(Trends, of_statuses_are_the_best_one_of_each_author_by_accounts_that_marked_them) {
    auto ann = open("ann"), ben = open("ben");
    auto good = ann.status("good"), better = ann.status("better"), best = ben.status("best");
    like(good, 6);
    like(better, 7);
    like(best, 7);
    people[7].reblogs(best);
    people[6].reblogs(best);  // has favourited it, too
    refresh();
    EXPECT_THAT(posts(anyone), ElementsAre(best, better));
    EXPECT_THAT(posts(anyone, {{"limit", "1"}, {"offset", "1"}}), ElementsAre(better));
    w.advance(2 * 86'400);
    refresh();
    EXPECT_THAT(posts(anyone), IsEmpty());
}

TEST_P(Trends, of_statuses_count_all_favourites_of_the_hour_however_many) {
    auto crowded = people[0].status("crowded", {{"language", "en"}});
    auto late = people[1].status("late", {{"language", "en"}});
    // More than ever were looked at, and all before those that the other one has.
    constexpr std::int64_t many = 20'001;
    auto begin = w.now().plus_seconds(-1800).ms << 16;
    w.write([&](db::Write& db) {
        db.run(test_many_favourites, begin, base::StatusId{std::stoll(crowded)}, many);
    });
    like(late, 6);
    refresh();
    EXPECT_THAT(posts(anyone), ElementsAre(late));  // of the other one hardly any are counted in its numbers
    w.connection().script("UPDATE statuses SET favourites_count = 20001 WHERE id = " + crowded);
    people[7].favourites(crowded);
    refresh();
    EXPECT_THAT(posts(anyone), ElementsAre(crowded, late));
}

TEST_P(Trends, of_statuses_take_a_bounded_number_of_favourites_at_once) {
    auto crowded = people[0].status("crowded", {{"language", "en"}});
    constexpr std::int64_t many = 5000;
    auto begin = w.now().plus_seconds(-1800).ms << 16;
    w.write([&](db::Write& db) {
        db.run(test_many_favourites, begin, base::StatusId{std::stoll(crowded)}, many);
    });
    w.connection().script("UPDATE statuses SET favourites_count = 5000 WHERE id = " + crowded);
    w.run_jobs();
    support::run_periodic(w, discovery::refresh_statuses);
    EXPECT_THAT(posts(anyone), IsEmpty());
    EXPECT_EQ(w.run_jobs(), 2);
    EXPECT_THAT(posts(anyone), ElementsAre(crowded));
    // What was taken in is not taken in again.
    support::run_periodic(w, discovery::refresh_statuses);
    EXPECT_EQ(w.run_jobs(), 0);
    EXPECT_THAT(posts(anyone), ElementsAre(crowded));
}

TEST_P(Trends, of_statuses_hold_only_public_ones_without_warning_of_the_discoverable) {
    auto ann = open("ann"), shy = w.local("shy");
    auto plain = ann.status("plain");
    like(plain, 5);
    like(ann.status("x", {{"visibility", "unlisted"}}), 8);
    like(ann.status("x", {{"spoiler_text", "beware"}}), 8);
    like(ann.status("x", {{"sensitive", "true"}}), 8);
    like(ann.answers(plain, "x"), 8);
    like(shy.status("x"), 8);
    auto few = open("few").status("x");
    like(few, 4);
    static const db::Command inflate{
        "test_inflate", "UPDATE statuses SET favourites_count = 1000 WHERE id = $1"
    };
    w.write([&](db::Write& db) { db.run(inflate, std::int64_t{std::stoll(few)}); });
    refresh();
    EXPECT_THAT(posts(anyone), ElementsAre(plain));
}

TEST_P(Trends, leave_out_what_the_viewer_has_hidden_or_what_is_gone) {
    auto ann = open("ann"), ben = open("ben"), cat = open("cat");
    auto one = ann.status("one"), two = ben.status("two"), three = cat.status("three");
    like(one, 8);
    like(two, 7);
    like(three, 6);
    refresh();
    EXPECT_THAT(posts(people[0]), ElementsAre(one, two, three));
    people[0].blocks(ann);
    EXPECT_THAT(posts(people[0]), ElementsAre(two, three));
    EXPECT_THAT(posts(people[0], {{"offset", "1"}}), ElementsAre(three));
    cat.mutes(ben);
    EXPECT_THAT(posts(cat), ElementsAre(one, three));
    ann.del("/api/v1/statuses/" + one);
    EXPECT_THAT(posts(anyone), ElementsAre(two, three));
}

TEST_P(Trends, of_links_count_accounts_and_show_a_week) {
    auto share = [&](const std::string& url, std::size_t by) {
        std::vector<std::string> made;
        for (std::size_t i = 0; i < by; ++i) made.push_back(people[i].status("look: " + url));
        w.write([&](db::Write& db) {
            statuses::Card card;
            card.url = url;
            card.usable = true;
            card.title = "A page";
            card.author_url = url;
            auto id = statuses::put_card(db, card, "");
            for (const auto& status : made) statuses::show_card(db, {std::stoll(status)}, id, url);
        });
        return made;
    };
    auto links = [&](const Fields& fields = {}) { return anyone.get("/api/v1/trends/links", fields); };
    share("https://a.example/many", 7);
    share("https://b.example/five", 5);
    share("https://c.example/four", 4);
    refresh();
    EXPECT_THAT(links().all("url"), ElementsAre("https://a.example/many", "https://b.example/five"));
    EXPECT_EQ(
        links()["0.history.0.accounts"] + links()["0.history.0.uses"] + links()["0.history.6.uses"], "770"
    );
    EXPECT_THAT(links({{"limit", "1"}, {"offset", "1"}}).all("url"), ElementsAre("https://b.example/five"));
    EXPECT_NE(links({{"limit", "1"}}).link("next"), "");
    set("trendable_by_default", "false");
    refresh();
    EXPECT_THAT(links().all("url"), IsEmpty());
}

TEST_P(Trends, are_paged_by_offset_and_shared_by_caches_when_anonymous) {
    for (auto name : {"a", "b", "c"}) tag(name, 5);
    refresh();
    auto first = anyone.get("/api/v1/trends/tags", {{"limit", "2"}});
    EXPECT_THAT(first.header("Cache-Control"), testing::HasSubstr("public"));
    EXPECT_EQ(first.link("prev"), "");
    auto second = anyone.get(first.link("next"));
    EXPECT_THAT(second.ids(), SizeIs(1));
    EXPECT_EQ(second.link("next"), "");
    EXPECT_EQ(anyone.get(second.link("prev")).ids(), first.ids());
    EXPECT_EQ(people[0].get("/api/v1/trends/tags").header("Cache-Control"), "private, no-store");
    EXPECT_THAT(anyone.get("/api/v1/trends/tags", {{"offset", "-3"}}).ids(), SizeIs(3));
    set("trends", "false");
    EXPECT_THAT(tags(anyone), IsEmpty());
    EXPECT_THAT(posts(anyone), IsEmpty());
}

TEST_P(Trends, cost_the_same_queries_for_one_and_for_many) {
    for (int i = 0; i < 12; ++i) {
        tag("t" + std::to_string(i), 5);
        like(open("a" + std::to_string(i)).status("x"), 5);
    }
    refresh();
    for (auto path : {"/api/v1/trends/tags", "/api/v1/trends/statuses"}) {
        people[0].get(path);
        w.queries();
        EXPECT_THAT(people[0].get(path, {{"limit", "1"}}).ids(), SizeIs(1));
        auto few = w.queries();
        EXPECT_THAT(people[0].get(path, {{"limit", "10"}}).ids(), SizeIs(10));
        EXPECT_EQ(w.queries(), few) << path;
    }
}

TEST(TrendScores, are_how_far_today_exceeds_what_was_expected) {
    using namespace discovery;
    EXPECT_EQ(surprise(4, 0), 0);
    EXPECT_EQ(surprise(5, 0), 16);
    EXPECT_EQ(surprise(10, 5), 5);
    EXPECT_EQ(surprise(10, 11), 0);
    EXPECT_EQ(faded(16, {0}, {4 * 3'600'000}, 4), 8);
    EXPECT_EQ(higher({10, {1}}, 5, {2}).score, 10);
    EXPECT_EQ(higher({10, {0}}, 5, {3 * 86'400'000}).score, 5);
}

}  // namespace
