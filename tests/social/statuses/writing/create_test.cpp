// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/remote.hpp"
#include "social/media/media.hpp"

#include <gmock/gmock.h>

const db::Command test_sensitizes{
    "test_sensitizes", "UPDATE accounts SET sensitized_at = 1, version = version + 1 WHERE id = $1"
};

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

struct Posting : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    Answer post(const Fields& fields) { return alice.post("/api/v1/statuses", fields); }
    std::string picture() {
        media::Media m;
        m.account_id = {std::stoll(alice.id)};
        m.file = m.preview = "a/b.png";
        m.mime = "image/png";
        return std::to_string(w.write([&](db::Write& db) { return media::create(db, m); }).value);
    }
    Answer show(const std::string& id) { return alice.get("/api/v1/statuses/" + id); }
    void expect_refused(const Answer& answer, int status, const std::string& error) {
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.error(), error);
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
};
ON_EACH_DATABASE(Posting);

TEST_P(Posting, stores_one_status_and_puts_it_into_home) {
    auto answer = post({{"status", "Hello <world>"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["content"], "<p>Hello &lt;world&gt;</p>");
    EXPECT_EQ(answer["visibility"], "public");
    EXPECT_EQ(answer["account.id"], alice.id);
    EXPECT_EQ(answer["created_at"], "2026-01-01T00:00:00.000Z");
    EXPECT_EQ(answer["application.name"], "An app");
    EXPECT_EQ(answer["in_reply_to_id"], "null");
    EXPECT_EQ(answer["url"], "http://localhost:3000/@alice/" + answer.id());
    EXPECT_EQ(w.happened(), "Published");
    EXPECT_EQ(w.changed(), "conversations +1, statuses +1, home_entries +1");
    EXPECT_EQ(show(answer.id()).body, answer.body);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["statuses_count"], "1");
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["last_status_at"], "2026-01-01");
}

TEST_P(Posting, refuses_what_is_blank) {
    for (const Fields& blank : {Fields{}, Fields{{"status", ""}}, Fields{{"status", " \n\t"}}})
        expect_refused(post(blank), 422, "Validation failed: Text can't be blank");
}

TEST_P(Posting, counts_graphemes_and_addresses_as_23) {
    w.site().max_characters = 30;
    std::string family = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", thirty;
    for (int i = 0; i < 30; ++i) thirty += family;
    EXPECT_EQ(post({{"status", thirty}}).status, 200);
    w.happened(), w.changed();
    constexpr auto too_long = "Validation failed: Text character limit of 30 exceeded";
    expect_refused(post({{"status", thirty + "a"}}), 422, too_long);
    expect_refused(post({{"status", thirty}, {"spoiler_text", "a"}}), 422, too_long);
    std::string long_url = "https://example.com/" + std::string(200, 'a');
    EXPECT_EQ(post({{"status", "1234567" + std::string(" ") + long_url}}).status, 422);
    EXPECT_EQ(post({{"status", "123456 " + long_url}}).status, 200);
}

TEST_P(Posting, with_a_warning_is_sensitive) {
    auto answer = post({{"status", "text"}, {"spoiler_text", "careful"}, {"sensitive", "false"}});
    EXPECT_EQ(answer["sensitive"], "true");
    EXPECT_EQ(answer["spoiler_text"], "careful");
}

TEST_P(Posting, a_warning_alone_makes_it_the_text) {
    auto answer = post({{"status", ""}, {"spoiler_text", "careful"}});
    EXPECT_EQ(answer["content"], "<p>careful</p>");
    EXPECT_EQ(answer["spoiler_text"], "");
}

TEST_P(Posting, a_warning_alone_keeps_its_effect_and_its_media) {
    auto answer = post({{"status", " "}, {"spoiler_text", "careful"}, {"sensitive", "false"}});
    EXPECT_EQ(answer["sensitive"], "true");
    EXPECT_EQ(answer["content"], "<p>careful</p>");
    auto image = picture();
    answer = post({{"spoiler_text", "careful"}, {"media_ids[]", image}});
    EXPECT_EQ(answer["content"], "<p>careful</p>");
    EXPECT_EQ(answer["media_attachments.0.id"], image);
    EXPECT_EQ(post({{"spoiler_text", " "}, {"status", "a"}})["sensitive"], "false");
}

TEST_P(Posting, with_media_needs_no_text_and_goes_with_a_poll) {
    auto image = picture();
    EXPECT_EQ(post({{"media_ids[]", image}})["content"], "");
    image = picture();
    auto both = post(
        {{"status", "?"},
         {"media_ids[]", image},
         {"poll[options][]", "a"},
         {"poll[options][]", "b"},
         {"poll[expires_in]", "300"}}
    );
    EXPECT_EQ(both["media_attachments.0.id"], image);
    EXPECT_EQ(both["poll.options.1.title"], "b");
}

TEST_P(Posting, of_a_silenced_author_is_unlisted) {
    w.silence(alice);
    EXPECT_EQ(post({{"status", "a"}})["visibility"], "unlisted");
    EXPECT_EQ(post({{"status", "a"}, {"visibility", "private"}})["visibility"], "private");
}

TEST_P(Posting, takes_visibility_from_the_form_the_settings_or_the_lock) {
    EXPECT_EQ(post({{"status", "a"}, {"visibility", "unlisted"}})["visibility"], "unlisted");
    EXPECT_EQ(post({{"status", "a"}})["visibility"], "public");
    alice.patch("/api/v1/accounts/update_credentials", {{"locked", "true"}});
    EXPECT_EQ(post({{"status", "a"}})["visibility"], "private");
    alice.patch(
        "/api/v1/accounts/update_credentials",
        {{"source[privacy]", "unlisted"}, {"source[sensitive]", "true"}, {"source[language]", "fr"}}
    );
    auto answer = post({{"status", "a"}});
    EXPECT_EQ(answer["visibility"], "unlisted");
    EXPECT_EQ(answer["sensitive"], "true");
    EXPECT_EQ(answer["language"], "fr");
    w.happened(), w.changed();
    for (auto word : {"limited", "hidden", "PUBLIC"}) {
        EXPECT_EQ(post({{"status", "a"}, {"visibility", word}}).status, 422) << word;
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
}

TEST_P(Posting, takes_known_languages_only) {
    EXPECT_EQ(post({{"status", "a"}, {"language", "de"}})["language"], "de");
    EXPECT_EQ(post({{"status", "a"}, {"language", "zz"}})["language"], "en");
    EXPECT_EQ(post({{"status", "a"}})["language"], "en");
}

TEST_P(Posting, mentions_those_who_exist_and_are_not_blocked) {
    w.unconfirmed("ursula");
    auto carol = w.local("carol");
    alice.blocks(carol);
    w.happened(), w.changed();
    auto answer = post({{"status", "@bob @ursula @carol @nobody @BOB"}});
    EXPECT_EQ(answer["mentions.0.id"], bob.id);
    EXPECT_EQ(answer["mentions.1"], "absent");
    EXPECT_EQ(w.changed(), "conversations +1, statuses +1, mentions +1, home_entries +1, notifications +1");
}

TEST_P(Posting, names_people_in_the_order_of_the_text) {
    auto carol = w.local("carol");
    auto answer = post({{"status", "@carol and @bob, and @carol again"}});
    EXPECT_EQ(answer["mentions.0.id"], carol.id);
    EXPECT_EQ(answer["mentions.1.id"], bob.id);
    auto edited = alice.put("/api/v1/statuses/" + answer.id(), {{"status", "@bob and @carol"}});
    EXPECT_EQ(edited["mentions.0.id"], bob.id);
    EXPECT_EQ(edited["mentions.1.id"], carol.id);
}

TEST_P(Posting, mentions_nobody_of_a_server_that_the_author_blocks) {
    auto fay = remote::somebody(w, "fay");
    alice.post("/api/v1/domain_blocks", {{"domain", "far.example"}});
    auto answer = post({{"status", "@fay@far.example hi"}, {"visibility", "direct"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["mentions.0"], "absent");
    alice.del("/api/v1/domain_blocks", {{"domain", "far.example"}});
    EXPECT_EQ(post({{"status", "@fay@far.example hi"}})["mentions.0.id"], remote::text(fay));
}

TEST_P(Posting, is_sensitive_to_others_where_the_team_says_so) {
    w.write([&](db::Write& db) { db.run(test_sensitizes, remote::number(alice)); });
    auto id = post({{"status", "a"}}).id();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + id)["sensitive"], "false");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id)["sensitive"], "true");
    EXPECT_EQ(w.anonymous().get("/api/v1/statuses/" + id)["sensitive"], "true");
    auto own = post({{"status", "b"}, {"sensitive", "true"}}).id();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + own)["sensitive"], "true");
}

TEST_P(Posting, stops_at_mentions_that_were_not_expected) {
    auto answer = post({{"status", "@bob hi"}, {"allowed_mentions[]", alice.id}});
    EXPECT_EQ(answer["unexpected_accounts.0.id"], bob.id);
    expect_refused(answer, 422, "Post would be sent to unexpected accounts");
    EXPECT_EQ(post({{"status", "@bob hi"}, {"allowed_mentions[]", bob.id}}).status, 200);
}

TEST_P(Posting, names_hashtags_once_and_normalised) {
    auto answer = post({{"status", "#Caf\xc3\xa9 #caf\xc3\xa9 #rain"}});
    EXPECT_EQ(
        w.changed(),
        "tags +2, tag_uses +2, tag_language_days +2, conversations +1, statuses +1, status_tags +2, "
        "home_entries +1"
    );
    EXPECT_EQ(answer["tags.2"], "absent");
    EXPECT_EQ(answer["tags.1.name"], "rain");
}

TEST_P(Posting, in_markdown_makes_html) {
    EXPECT_EQ(
        post({{"status", "**bold** @bob"}, {"content_type", "text/markdown"}})["content"].substr(0, 26),
        "<p><strong>bold</strong> <"
    );
    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("mention"));
    EXPECT_THAT(post({{"status", "**not**"}})["content"], HasSubstr("**not**"));
}

TEST_P(Posting, with_an_idempotency_key_happens_once_an_hour) {
    auto keyed = alice.with("Idempotency-Key", "abc");
    auto first = keyed.post("/api/v1/statuses", {{"status", "one"}});
    w.happened(), w.changed();
    auto again = keyed.post("/api/v1/statuses", {{"status", "two"}});
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_NE(
        bob.with("Idempotency-Key", "abc").post("/api/v1/statuses", {{"status", "his"}}).id(), first.id()
    );
    EXPECT_NE(
        alice.with("Idempotency-Key", "abd").post("/api/v1/statuses", {{"status", "other"}}).id(), first.id()
    );
    w.advance(3601);
    EXPECT_NE(keyed.post("/api/v1/statuses", {{"status", "three"}}).id(), first.id());
}

TEST_P(Posting, refused_leaves_its_idempotency_key_unused) {
    auto keyed = alice.with("Idempotency-Key", "abc");
    EXPECT_EQ(keyed.post("/api/v1/statuses", {{"status", ""}}).status, 422);
    EXPECT_EQ(keyed.post("/api/v1/statuses", {{"status", "now"}})["content"], "<p>now</p>");
}

TEST_P(Posting, refuses_media_that_are_not_its_own) {
    for (const Fields& media : {Fields{{"media_ids[]", "1"}}, Fields{{"media_ids[]", "x"}}}) {
        Fields fields{{"status", "a"}};
        fields.insert(fields.end(), media.begin(), media.end());
        EXPECT_EQ(post(fields).status, 422);
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
    Fields five{{"status", "a"}};
    for (int i = 1; i < 6; ++i) five.emplace_back("media_ids[]", std::to_string(i));
    expect_refused(post(five), 422, "Cannot attach more than 4 files");
}

struct Replies : Posting {};
ON_EACH_DATABASE(Replies);

TEST_P(Replies, join_the_conversation_and_count) {
    auto root = bob.status("root");
    w.happened(), w.changed();
    auto answer = post({{"status", "@bob yes"}, {"in_reply_to_id", root}});
    EXPECT_EQ(answer["in_reply_to_id"], root);
    EXPECT_EQ(answer["in_reply_to_account_id"], bob.id);
    EXPECT_EQ(w.happened(), "Published");
    EXPECT_EQ(w.changed(), "statuses +1, mentions +1, home_entries +1, notifications +1");
    EXPECT_EQ(show(root)["replies_count"], "1");
    alice.del("/api/v1/statuses/" + answer.id());
    EXPECT_EQ(show(root)["replies_count"], "0");
}

TEST_P(Replies, need_a_target_that_the_author_sees) {
    constexpr auto missing = "The post you are trying to reply to does not appear to exist.";
    auto hidden = bob.status("hidden", {{"visibility", "private"}}), gone = bob.status("gone");
    bob.del("/api/v1/statuses/" + gone);
    w.happened(), w.changed();
    for (auto target : {hidden, gone, std::string("1"), std::string("x"), std::string("-1")})
        expect_refused(post({{"status", "a"}, {"in_reply_to_id", target}}), 404, missing);
    EXPECT_EQ(post({{"status", "a"}, {"in_reply_to_id", ""}}).status, 200);
}

TEST_P(Replies, to_a_boost_are_to_what_was_boosted) {
    auto root = bob.status("root");
    auto boost = alice.post("/api/v1/statuses/" + root + "/reblog").id();
    auto answer = post({{"status", "yes"}, {"in_reply_to_id", boost}});
    EXPECT_EQ(answer["in_reply_to_id"], root);
    EXPECT_EQ(answer["in_reply_to_account_id"], bob.id);
    EXPECT_EQ(show(root)["replies_count"], "1");
    bob.blocks(alice);
    EXPECT_EQ(post({{"status", "yes"}, {"in_reply_to_id", boost}}).status, 404);
}

TEST_P(Replies, to_ones_own_status_are_to_oneself) {
    auto root = alice.status("one");
    EXPECT_EQ(show(alice.answers(root, "two"))["in_reply_to_account_id"], alice.id);
}

TEST_P(Replies, that_continue_ones_own_answer_are_still_to_the_other) {
    auto root = bob.status("root");
    auto answer = alice.answers(root, "one");
    EXPECT_EQ(show(alice.answers(answer, "two"))["in_reply_to_account_id"], bob.id);
}

struct Deletion : Posting {};
ON_EACH_DATABASE(Deletion);

TEST_P(Deletion, answers_with_the_source_and_hides_the_status) {
    auto id = alice.status("Hello **you** #tag", {{"content_type", "text/markdown"}, {"spoiler_text", "cw"}});
    w.happened(), w.changed();
    auto answer = alice.del("/api/v1/statuses/" + id);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["text"], "Hello **you** #tag");
    EXPECT_EQ(answer["content"], "absent");
    EXPECT_EQ(answer["spoiler_text"], "cw");
    EXPECT_EQ(w.happened(), "Deleted");
    EXPECT_EQ(w.changed(), "home_entries -1");
    EXPECT_EQ(show(id).status, 404);
    EXPECT_THAT(alice.home(), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["statuses_count"], "0");
    EXPECT_EQ(alice.del("/api/v1/statuses/" + id).body, R"({"error":"Not Found"})");
}

TEST_P(Deletion, of_the_status_of_another_is_not_found) {
    auto id = alice.status("mine");
    w.happened(), w.changed();
    EXPECT_EQ(bob.del("/api/v1/statuses/" + id).status, 404);
    EXPECT_EQ(w.happened() + w.changed(), "");
}

TEST_P(Deletion, takes_reblogs_notifications_and_marks_with_it) {
    auto carol = w.local("carol");
    carol.follows(bob);
    auto id = alice.status("Hello @bob");
    auto reblog = bob.reblogs(id);
    bob.favourites(id);
    bob.post("/api/v1/statuses/" + id + "/bookmark");
    w.run_jobs();
    EXPECT_THAT(carol.home(), ElementsAre(reblog));
    w.happened(), w.changed();
    alice.del("/api/v1/statuses/" + id);
    EXPECT_EQ(w.happened(), "Deleted, Deleted");  // the reblog, too
    EXPECT_EQ(w.changed(), "home_entries -3, notifications -3");
    EXPECT_EQ(show(reblog).status, 404);
    EXPECT_THAT(carol.home(), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("follow"));
    EXPECT_THAT(bob.get("/api/v1/favourites").ids(), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/bookmarks").ids(), IsEmpty());
    EXPECT_EQ(bob.get("/api/v1/accounts/" + bob.id)["statuses_count"], "0");
}

TEST_P(Deletion, of_a_reblog_by_its_own_id_uncounts) {
    auto id = alice.status("hello");
    auto reblog = bob.reblogs(id);
    EXPECT_EQ(bob.del("/api/v1/statuses/" + reblog).status, 200);
    EXPECT_EQ(show(id)["reblogs_count"], "0");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id)["reblogged"], "false");
}

}  // namespace
