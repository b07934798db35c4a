// SPDX-License-Identifier: AGPL-3.0-or-later
// In which languages a hashtag is written, by the day of its posts: each once, for good, and what was there before.
#include "social/tags/tag_languages.hpp"
#include "social/federation/remote.hpp"
#include "social/insight/counted_days.hpp"
#include "social/moderation/staff.hpp"
#include "social/tags/tag.hpp"

#include <gmock/gmock.h>

const db::Command test_forget_tag_languages{"test_forget_tag_languages", "DELETE FROM tag_language_days"};
// Many posts of one author with one tag, a third of each language, all from one day.
const db::Command test_past_tagged{
    "test_past_tagged",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, local, language)
       WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
       SELECT $3 * 65536 + n, $1, 1, 'public', $3, TRUE, CASE n % 3 WHEN 0 THEN 'en' WHEN 1 THEN 'fr' END FROM numbers)",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, local, language)
       SELECT $3::bigint * 65536 + n, $1::bigint, 1, 'public', $3, TRUE, CASE n % 3 WHEN 0 THEN 'en' WHEN 1 THEN 'fr' END
       FROM generate_series(1, $2::bigint) n)"
};
const db::Command test_tag_past{
    "test_tag_past",
    "INSERT INTO status_tags (tag_id, status_id, account_id) SELECT $1, id, account_id FROM statuses "
    "WHERE account_id = $2 AND created_at = $3"
};

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct TagLanguages : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");
    static constexpr std::int64_t day = 86'400;

    std::int64_t today() const { return w.now().ms / 1000 / day; }
    base::TagId tag(const std::string& name) {
        return w.read([&](db::Read& db) { return tags::find_tag(db, name).value().id; });
    }
    // "language: posts", most first.
    std::vector<std::string> found(const std::string& name, std::int64_t first, std::int64_t beyond) {
        std::vector<std::string> out;
        const auto id = tag(name);
        for (const auto& one :
             w.read([&](db::Read& db) { return tags::languages_of_tags(db, {id}, first, beyond); }))
            out.push_back(one.language + ": " + std::to_string(one.posts));
        return out;
    }
    std::vector<std::string> found(const std::string& name) { return found(name, today(), today() + 1); }
    void count_again() {
        w.write([](db::Write& db) {
            db.run(test_forget_tag_languages);
            insight::begin_counting_past_days(db);
        });
        w.run_jobs();
    }
};
ON_EACH_DATABASE(TagLanguages);

TEST_P(TagLanguages, are_counted_once_for_each_post_and_for_good) {
    auto first = alice.status("#waders and #Waders again", {{"language", "en"}});
    bob.status("#waders", {{"language", "en"}, {"visibility", "private"}});
    alice.status("#waders #gulls", {{"language", "fr"}});
    EXPECT_THAT(found("waders"), ElementsAre("en: 2", "fr: 1"));
    EXPECT_THAT(found("gulls"), ElementsAre("fr: 1"));
    EXPECT_EQ(
        alice.put("/api/v1/statuses/" + first, {{"status", "#waders #gulls"}, {"language", "de"}}).status, 200
    );
    EXPECT_THAT(found("waders"), ElementsAre("en: 2", "fr: 1")) << "it has the tag already";
    EXPECT_THAT(found("gulls"), ElementsAre("de: 1", "fr: 1"));
    EXPECT_EQ(alice.del("/api/v1/statuses/" + first).status, 200);
    w.run_jobs();
    EXPECT_THAT(found("waders"), ElementsAre("en: 2", "fr: 1"));
    EXPECT_THAT(found("waders", today() - 1, today()), IsEmpty());
}

TEST_P(TagLanguages, are_those_of_the_day_that_a_post_is_from) {
    auto carol = remote::somebody(w, "carol");
    auto note = remote::note(w, carol, "1", "<p>#waders</p>");
    note.tags = {"waders"};
    note.published = w.now().plus_seconds(-3 * day);
    note.delivered = false;
    EXPECT_NE(remote::stored(w, note), "");
    alice.status("#waders", {{"language", "en"}});
    EXPECT_THAT(found("waders"), ElementsAre("en: 1"));
    EXPECT_EQ(found("waders", today() - 3, today() - 2).size(), 1);
    EXPECT_THAT(found("waders", today() - 2, today()), IsEmpty());
}

TEST_P(TagLanguages, of_edits_elsewhere_are_those_after_the_edit) {
    auto carol = remote::somebody(w, "carol");
    auto note = remote::note(w, carol, "1", "<p>#waders</p>");
    note.tags = {"waders"}, note.language = "en";
    EXPECT_NE(remote::stored(w, note), "");
    note.tags = {"waders", "gulls"}, note.language = "de";
    note.html = statuses::RemoteHtml("<p>#waders #gulls</p>");
    note.updated = w.now().plus_seconds(60);
    w.write([&](db::Write& db) { statuses::edit_remote(db, note); });
    EXPECT_THAT(found("waders"), ElementsAre("en: 1"));
    EXPECT_THAT(found("gulls"), ElementsAre("de: 1"));
}

TEST_P(TagLanguages, of_posts_with_old_numbers_that_come_while_the_past_is_counted_are_counted_once) {
    auto carol = remote::somebody(w, "carol");
    alice.status("#waders", {{"language", "en"}});
    w.run_jobs();
    w.write([](db::Write& db) {
        db.run(test_forget_tag_languages);
        insight::begin_counting_past_days(db);
    });
    auto note = remote::note(w, carol, "1", "<p>#waders</p>");
    note.tags = {"waders"}, note.language = "de";
    note.published = w.now().plus_seconds(-day);
    note.delivered = false;
    EXPECT_NE(remote::stored(w, note), "");
    EXPECT_THAT(found("waders", today() - 1, today()), IsEmpty()) << "it is left to the job";
    w.run_jobs();
    EXPECT_THAT(found("waders", today() - 1, today()), ElementsAre("de: 1"));
    EXPECT_THAT(found("waders"), ElementsAre("en: 1"));
}

TEST_P(TagLanguages, are_told_to_the_team) {
    alice.status("#waders", {{"language", "fr"}});
    alice.status("#waders", {{"language", "fr"}});
    alice.status("#waders", {{"language", "en"}});
    auto told = owner.post(
        "/api/v1/admin/dimensions",
        {{"keys[]", "tag_languages"},
         {"tag_languages[id]", std::to_string(tag("waders").value)},
         {"start_at", base::to_string(w.now()).substr(0, 10)},
         {"end_at", base::to_string(w.now()).substr(0, 10)},
         {"limit", "1"}}
    );
    EXPECT_EQ(told["0.data.0.key"], "fr");
    EXPECT_EQ(told["0.data.0.human_key"], "French");
    EXPECT_EQ(told["0.data.0.value"], "2");
    EXPECT_EQ(told["0.data.1.key"], "absent") << "no more than asked for";
}

TEST_P(TagLanguages, of_posts_from_before_are_counted_across_the_chunks) {
    alice.status("#waders", {{"language", "en"}});
    w.run_jobs();
    auto past = [&](std::int64_t days_ago, std::int64_t many, const Person& author) {
        const auto at = w.now().midnight().plus_seconds(-days_ago * day).ms;
        const auto id = tag("waders");
        w.write([&](db::Write& db) {
            db.run(test_past_tagged, remote::number(author), many, at);
            db.run(test_tag_past, id, remote::number(author), at);
        });
    };
    past(5, 601, bob), past(99, 10, alice), past(150, 300, owner);
    count_again();
    EXPECT_THAT(found("waders"), ElementsAre("en: 1"));
    EXPECT_THAT(found("waders", today() - 5, today() - 4), ElementsAre("fr: 201", ": 200", "en: 200"));
    EXPECT_THAT(found("waders", today() - 99, today() - 98), ElementsAre("fr: 4", ": 3", "en: 3"));
    EXPECT_THAT(found("waders", today() - 150, today() - 149), IsEmpty()) << "it would be forgotten at once";
}

TEST_P(TagLanguages, are_kept_for_a_hundred_days) {
    alice.status("#waders", {{"language", "en"}});
    w.advance(100 * day);
    bob.status("#waders", {{"language", "en"}});
    w.changed();
    w.write(tags::purge_languages);
    EXPECT_EQ(w.changed(), "");
    w.advance(day);
    w.write(tags::purge_languages);
    EXPECT_EQ(w.changed(), "tag_language_days -1");
}

}  // namespace
