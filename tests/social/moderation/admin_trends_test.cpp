// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/publisher.hpp"
#include "social/instance/settings.hpp"
#include "social/moderation/staff.hpp"
#include "social/statuses/previews/preview.hpp"
#include "social/tags/tag.hpp"

#include <gmock/gmock.h>

namespace {

using discovery::Kind, discovery::Trend;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

const std::string trends = "/api/v1/admin/trends/", tags_path = "/api/v1/admin/tags";

struct AdminTrends : OnEachWorld {
    Person mona = staff(w, "mona", accounts::moderator),
           alice = w.with_scopes(w.local("alice"), staff_scopes);

    std::string tag(const std::string& name) {
        return w.write([&](db::Write& db) { return std::to_string(tags::put(db, name, name).value); });
    }
    std::string link(const std::string& url) {
        return w.write([&](db::Write& db) {
            statuses::Card card;
            card.url = url;
            card.usable = true;
            card.title = "A page";
            card.fetched_at = db.now();
            return std::to_string(statuses::put_card(db, card, "").value);
        });
    }
    void trend(Kind kind, const std::vector<std::string>& subjects, const Person* author = nullptr) {
        w.write([&](db::Write& db) {
            std::vector<Trend> all;
            double score = 100;
            for (const auto& id : subjects) {
                Trend one{kind, std::stoll(id), author ? std::stoll(author->id) : 0};
                one.score = one.peak = score--;
                one.peaked_at = db.now();
                all.push_back(one);
            }
            discovery::replace(db, kind, all);
        });
        w.changed();
    }
};
ON_EACH_DATABASE(AdminTrends);

TEST_P(AdminTrends, list_hashtags_that_nobody_looked_at_to_staff_alone) {
    auto cats = tag("cats"), dogs = tag("dogs");
    trend(Kind::tag, {cats, dogs});
    w.write([](db::Write& db) { instance::set_setting(db, "trends", "false"); });
    EXPECT_THAT(mona.get(trends + "tags").all("name"), ElementsAre("cats", "dogs"));
    EXPECT_EQ(mona.get(trends + "tags")["0.requires_review"], "true");
    EXPECT_THAT(alice.get(trends + "tags").ids(), IsEmpty());
    auto page = mona.get(trends + "tags", {{"limit", "1"}});
    EXPECT_THAT(page.all("name"), ElementsAre("cats"));
    EXPECT_EQ(page.link("next"), "/api/v1/trends/tags?limit=1&offset=1");
    EXPECT_THAT(
        mona.get(trends + "tags", {{"limit", "1"}, {"offset", "1"}}).all("name"), ElementsAre("dogs")
    );
    auto approved = mona.post(trends + "tags/" + cats + "/approve");
    EXPECT_EQ(approved["trendable"], "true");
    EXPECT_EQ(approved["requires_review"], "false");
    EXPECT_EQ(mona.post(trends + "tags/" + cats + "/reject")["trendable"], "false");
    EXPECT_EQ(mona.post(trends + "tags/77/reject").status, 404);
}

TEST_P(AdminTrends, hashtags_are_renamed_within_their_spelling) {
    auto cats = tag("cats");
    auto changed = mona.put(tags_path + "/" + cats, {{"display_name", "CATS"}, {"usable", "false"}});
    EXPECT_EQ(changed.status, 200) << changed.body;
    EXPECT_EQ(changed["usable"], "false");
    EXPECT_EQ(changed["listable"], "true");
    EXPECT_EQ(changed["requires_review"], "false");
    auto entry = mona.get("/api/dunlin/v1/moderation/audit", {{"action", "update"}})["0.details"];
    EXPECT_THAT(entry, HasSubstr(R"("before":{"display_name":"cats","listable":true)"));
    EXPECT_THAT(entry, HasSubstr(R"("after":{"display_name":"CATS")"));
    auto other = mona.put(tags_path + "/" + cats, {{"display_name", "dogs"}});
    EXPECT_EQ(other.error(), "Validation failed: Display name does not match the previous name");
    EXPECT_THAT(mona.get(tags_path).all("name"), ElementsAre("cats"));
    EXPECT_EQ(mona.get(tags_path + "/77").status, 404);
}

TEST_P(AdminTrends, hashtags_taken_out_of_use_are_neither_counted_nor_featured) {
    alice.status("#cats #dogs"), alice.status("#cats #dogs");
    auto uses = [&](const std::string& name) { return alice.get("/api/v1/tags/" + name)["history.0.uses"]; };
    auto suggested = [&] { return alice.get("/api/v1/featured_tags/suggestions").all("name"); };
    EXPECT_EQ(uses("cats"), "2");
    EXPECT_THAT(suggested(), ElementsAre("cats", "dogs"));
    auto cats = alice.get("/api/v1/tags/cats")["id"], dogs = alice.get("/api/v1/tags/dogs")["id"];
    w.write([](db::Write& db) { instance::set_setting(db, "trendable_by_default", "true"); });
    w.write([&](db::Write& db) {
        std::vector<Trend> all;
        for (const auto& id : {cats, dogs}) {
            Trend one{Kind::tag, std::stoll(id)};
            one.score = one.peak = 20;
            one.shown = true;
            all.push_back(one);
        }
        discovery::replace(db, Kind::tag, all);
    });
    EXPECT_THAT(alice.get("/api/v1/trends/tags").all("name"), testing::UnorderedElementsAre("cats", "dogs"));
    EXPECT_EQ(mona.put(tags_path + "/" + cats, {{"usable", "false"}}).status, 200);
    EXPECT_THAT(alice.get("/api/v1/trends/tags").all("name"), ElementsAre("dogs"));
    EXPECT_THAT(suggested(), ElementsAre("dogs"));
    auto status = alice.status("#cats");
    EXPECT_THAT(alice.get("/api/v1/timelines/tag/cats").ids(), testing::Contains(status));
    EXPECT_EQ(uses("cats"), "2");
    for (const auto& refused :
         {alice.post("/api/v1/featured_tags", {{"name", "Cats"}}), alice.post("/api/v1/tags/cats/feature")}) {
        EXPECT_EQ(refused.status, 422);
        EXPECT_EQ(refused.error(), "Validation failed: Tag is not usable");
    }
    EXPECT_EQ(mona.put(tags_path + "/" + cats, {{"usable", "true"}}).status, 200);
    alice.status("#cats");
    EXPECT_EQ(uses("cats"), "3");
    EXPECT_EQ(alice.post("/api/v1/tags/cats/feature")["featuring"], "true");
}

TEST_P(AdminTrends, hashtags_come_in_pages) {
    EXPECT_EQ(mona.get(tags_path).body, "[]");
    auto cats = tag("cats"), dogs = tag("dogs");
    EXPECT_THAT(mona.get(tags_path).ids(), ElementsAre(dogs, cats));
    auto first = mona.get(tags_path, {{"limit", "1"}});
    EXPECT_THAT(first.ids(), ElementsAre(dogs));
    EXPECT_THAT(mona.get(first.link("next")).ids(), ElementsAre(cats));
    EXPECT_EQ(mona.get(tags_path + "/" + cats)["name"], "cats");
}

TEST_P(AdminTrends, links_are_numbers_and_go_with_their_publishers) {
    auto first = link("https://news.example/a"), second = link("https://sub.news.example/b");
    w.write([](db::Write& db) { discovery::note_publishers(db, {"news.example"}); });
    trend(Kind::link, {first, second});
    auto all = mona.get(trends + "links");
    EXPECT_THAT(all.ids(), ElementsAre(first, second));
    EXPECT_THAT(all.all("requires_review"), ElementsAre("true", "true"));
    EXPECT_EQ(mona.post(trends + "links/" + first + "/reject")["requires_review"], "false");
    auto publishers = mona.get(trends + "links/publishers");
    EXPECT_THAT(publishers.all("domain"), ElementsAre("news.example"));
    EXPECT_EQ(publishers["0.requires_review"], "true");
    auto known = mona.post(trends + "links/publishers/" + publishers["0.id"] + "/approve");
    EXPECT_EQ(known["trendable"], "true");
    EXPECT_THAT(mona.get(trends + "links").all("requires_review"), ElementsAre("false", "false"));
    EXPECT_EQ(mona.post(trends + "links/77/approve").status, 404);
    EXPECT_EQ(mona.post(trends + "links/publishers/77/approve").status, 404);
}

TEST_P(AdminTrends, statuses_are_approved_and_rejected) {
    auto id = alice.status("Everybody reads this");
    trend(Kind::status, {id}, &alice);
    EXPECT_EQ(mona.get(trends + "statuses")["0.requires_review"], "true");
    EXPECT_THAT(alice.get(trends + "statuses").ids(), IsEmpty());
    EXPECT_EQ(mona.post(trends + "statuses/" + id + "/approve")["requires_review"], "false");
    EXPECT_EQ(mona.post(trends + "statuses/" + id + "/reject").status, 200);
    EXPECT_EQ(mona.post(trends + "statuses/77/reject").status, 404);
}

TEST_P(AdminTrends, show_nobody_what_was_written_for_some) {
    for (auto visibility : {"private", "direct"}) {
        auto id = alice.status("For some", {{"visibility", visibility}});
        w.happened(), w.changed();
        for (auto decision : {"/approve", "/reject"})
            EXPECT_EQ(mona.post(trends + "statuses/" + id + decision).status, 404) << visibility;
        EXPECT_EQ(w.changed(), "");
    }
}

}  // namespace
