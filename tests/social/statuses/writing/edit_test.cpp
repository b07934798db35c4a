// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/writing_stage.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::EndsWith, testing::HasSubstr, testing::IsEmpty;

struct Editing : Writing {
    Answer edit(const std::string& id, const Fields& form) {
        w.advance(60);
        return alice.put("/api/v1/statuses/" + id, form);
    }
    Answer show(const std::string& id) { return alice.get("/api/v1/statuses/" + id); }
    Answer history(const std::string& id) { return w.anonymous().get("/api/v1/statuses/" + id + "/history"); }
};
ON_EACH_DATABASE(Editing);

TEST_P(Editing, changes_what_is_shown_and_keeps_what_was) {
    auto id = alice.status("first #old", {{"language", "de"}});
    w.happened(), w.changed();
    auto answer = edit(id, {{"status", "second #new"}, {"spoiler_text", "cw"}, {"language", "fr"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.id(), id);
    EXPECT_EQ(answer["spoiler_text"], "cw");
    EXPECT_EQ(answer["sensitive"], "true");
    EXPECT_EQ(answer["language"], "fr");
    EXPECT_EQ(answer["created_at"], "2026-01-01T00:00:00.000Z");
    EXPECT_EQ(answer["edited_at"], "2026-01-01T00:01:00.000Z");
    EXPECT_EQ(answer["tags.0.name"], "new");
    EXPECT_EQ(answer["tags.1"], "absent");
    EXPECT_EQ(w.happened(), "Edited");
    EXPECT_EQ(w.changed(), "tags +1, tag_uses +1, tag_language_days +1, status_edits +2");
    EXPECT_EQ(show(id).body, answer.body);
    auto versions = history(id);
    EXPECT_THAT(
        versions.all("created_at"), ElementsAre("2026-01-01T00:00:00.000Z", "2026-01-01T00:01:00.000Z")
    );
    EXPECT_THAT(versions.all("spoiler_text"), ElementsAre("", "cw"));
    EXPECT_THAT(versions.all("sensitive"), ElementsAre("false", "true"));
    EXPECT_EQ(versions["1.content"], answer["content"]);
    EXPECT_EQ(versions["0.account.id"], alice.id);
    EXPECT_THAT(w.anonymous().get("/api/v1/timelines/tag/old").ids(), IsEmpty());
    EXPECT_THAT(w.anonymous().get("/api/v1/timelines/tag/new").ids(), ElementsAre(id));
    EXPECT_THAT(alice.home(), ElementsAre(id));
    EXPECT_EQ(edit(id, {{"status", "third"}})["edited_at"], "2026-01-01T00:02:00.000Z");
    EXPECT_EQ(w.changed(), "status_tags -1, status_edits +1");
    EXPECT_EQ(history(id)["2.content"], "<p>third</p>");
}

TEST_P(Editing, to_the_same_records_nothing) {
    auto id = alice.status("same", {{"spoiler_text", "cw"}});
    auto before = show(id).body;
    w.happened(), w.changed();
    EXPECT_EQ(edit(id, {{"status", "same"}, {"spoiler_text", "cw"}}).body, before);
    EXPECT_EQ(w.happened() + w.changed(), "");
    EXPECT_THAT(history(id).all("content"), ElementsAre("<p>same</p>"));
}

TEST_P(Editing, reads_every_key_as_given) {
    auto id = alice.status("text", {{"spoiler_text", "cw"}, {"language", "de"}});
    auto answer = alice.patch("/api/v1/statuses/" + id, {{"status", "text"}});
    EXPECT_EQ(answer["spoiler_text"], "");
    EXPECT_EQ(answer["sensitive"], "false");
    EXPECT_EQ(answer["language"], "de");
    EXPECT_EQ(answer["visibility"], "public");
    EXPECT_EQ(edit(id, {{"spoiler_text", "only this"}})["content"], "<p>only this</p>");
    EXPECT_EQ(edit(id, {{"status", "a"}, {"visibility", "direct"}})["visibility"], "public");
    w.happened(), w.changed();
    expect_refused(edit(id, {}), 422, "Validation failed: Text can't be blank");
    w.site().max_characters = 3;
    expect_refused(
        edit(id, {{"status", "four"}}), 422, "Validation failed: Text character limit of 3 exceeded"
    );
}

TEST_P(Editing, is_for_the_author_alone) {
    auto id = alice.status("mine");
    auto boost = alice.reblogs(id), gone = alice.status("gone");
    alice.del("/api/v1/statuses/" + gone);
    w.happened(), w.changed();
    expect_refused(bob.put("/api/v1/statuses/" + id, {{"status", "his"}}), 404, "Not Found");
    for (const auto& other : {boost, gone}) expect_refused(edit(other, {{"status", "a"}}), 404, "Not Found");
}

TEST_P(Editing, tells_whom_it_mentions_for_the_first_time) {
    auto carol = w.local("carol");
    for (const auto& who : {bob, carol})
        who.patch("/api/v2/notifications/policy", {{"for_private_mentions", "accept"}});
    auto id = alice.status("hello @bob", {{"visibility", "direct"}});
    w.happened(), w.changed();
    auto answer = edit(id, {{"status", "hello @bob @carol"}});
    EXPECT_EQ(answer["mentions.1.id"], carol.id);
    EXPECT_EQ(
        w.changed(),
        "mentions +1, status_edits +2, account_conversations +1, account_conversation_statuses +1, "
        "notifications +1"
    );
    EXPECT_THAT(carol.get("/api/v1/notifications").all("type"), ElementsAre("mention"));
    EXPECT_THAT(bob.get("/api/v1/notifications").all("type"), ElementsAre("mention"));
    answer = edit(id, {{"status", "hello @carol"}});
    EXPECT_EQ(answer["mentions.0.id"], carol.id);
    EXPECT_EQ(answer["mentions.1"], "absent");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id).status, 200);  // who was told may go on reading
    EXPECT_EQ(w.changed(), "status_edits +1");
    EXPECT_EQ(edit(id, {{"status", "hello nobody"}})["mentions"], "[]");
}

TEST_P(Editing, tells_who_boosted_it) {
    auto id = alice.status("first");
    auto boost = bob.reblogs(id);
    w.happened(), w.changed();
    for (auto text : {"second", "third"}) {
        edit(id, {{"status", text}});
        w.run_jobs();
    }
    auto notices = bob.get("/api/v1/notifications");
    EXPECT_THAT(notices.all("type"), ElementsAre("update"));
    EXPECT_EQ(notices["0.created_at"], "2026-01-01T00:02:00.000Z");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + boost)["reblog.content"], "<p>third</p>");
}

TEST_P(Editing, shows_keeps_and_describes_media) {
    auto one = picture(alice), two = picture(alice), his = picture(bob);
    auto id = alice.status("a", {{"media_ids[]", one}});
    w.happened(), w.changed();
    auto answer = edit(
        id,
        {{"status", "a"},
         {"media_ids[]", two},
         {"media_ids[]", one},
         {"media_attributes[][id]", one},
         {"media_attributes[][description]", "a bird"},
         {"media_attributes[][focus]", "0.5,-1"}}
    );
    EXPECT_EQ(answer["media_attachments.0.id"], two);
    EXPECT_EQ(answer["media_attachments.1.id"], one);
    EXPECT_EQ(answer["media_attachments.1.description"], "a bird");
    EXPECT_THAT(answer.body, HasSubstr(R"("focus":{"x":0.5,"y":-1)"));
    auto named = [&](const std::string& attributes) {
        auto body = R"({"status":"a","media_ids":[")" + two + R"(",")" + one + R"("],"media_attributes":[)" +
                    attributes + "]}";
        return alice.send(http::Method::put, "/api/v1/statuses/" + id, body, "application/json");
    };
    EXPECT_EQ(named(R"({"id":null,"description":null})")["media_attachments.1.description"], "a bird");
    answer = named(R"({"id":")" + one + R"(","description":null})");
    EXPECT_EQ(answer["media_attachments.1.description"], "null");
    answer = edit(id, {{"status", "a"}});
    EXPECT_EQ(answer["media_attachments"], "[]");
    auto versions = history(id);
    EXPECT_EQ(versions["0.media_attachments.0.description"], "null");
    EXPECT_EQ(versions["1.media_attachments.1.description"], "a bird");
    EXPECT_EQ(versions["3.media_attachments"], "[]");
    EXPECT_EQ(edit(id, {{"media_ids[]", one}})["content"], "");
    EXPECT_THAT(
        w.anonymous().get("/api/v1/accounts/" + alice.id + "/statuses", {{"only_media", "1"}}).ids(),
        ElementsAre(id)
    );
    w.happened(), w.changed();
    expect_refused(
        edit(id, {{"status", "a"}, {"media_ids[]", his}}),
        422,
        "Media " + his + " not found or already attached to another post"
    );
    expect_refused(
        alice.post("/api/v1/statuses", {{"status", "b"}, {"media_ids[]", two}}),
        422,
        "Media " + two + " not found or already attached to another post"
    );
}

TEST_P(Editing, shows_another_picture_instead_of_a_video) {
    auto film = picture(alice, media::Type::video);
    auto id = alice.status("a", {{"media_ids[]", film}});
    std::string body;
    for (auto [name, value] :
         {std::pair<std::string, std::string>{"status", "a"},
          {"media_ids[]", film},
          {"media_attributes[][id]", film},
          {"media_attributes[][thumbnail]\"; filename=\"a.png", "any bytes"}})
        body += "--edge\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    body += "--edge--\r\n";
    auto answer =
        alice.send(http::Method::put, "/api/v1/statuses/" + id, body, "multipart/form-data; boundary=edge");
    EXPECT_THAT(answer["media_attachments.0.preview_url"], EndsWith("/made/of/an/upload.png"));
    EXPECT_EQ(history(id).all("created_at").size(), 2u);
}

TEST_P(Editing, of_who_may_quote_is_no_new_version) {
    auto id = alice.status("a");
    w.happened(), w.changed();
    auto answer = edit(id, {{"status", "a"}, {"quote_approval_policy", "nobody"}});
    EXPECT_EQ(answer["quote_approval.automatic"], "[]");
    EXPECT_EQ(answer["edited_at"], "null");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Editing, keeps_markdown_unless_told_otherwise) {
    auto id = alice.status("**a**", {{"content_type", "text/markdown"}});
    EXPECT_EQ(edit(id, {{"status", "**b**"}})["content"], "<p><strong>b</strong></p>");
    EXPECT_EQ(edit(id, {{"status", "**b**"}, {"content_type", "text/plain"}})["content"], "<p>**b**</p>");
}

TEST_P(Editing, counts_against_no_limit_of_new_statuses) {
    World limited(GetParam(), {.limits = true});
    auto carol = limited.local("carol");
    auto first = carol.status("a");
    carol.status("b");
    for (auto text : {"c", "d", "e"}) {
        limited.advance(300);  // the window of requests in general
        auto edited = carol.put("/api/v1/statuses/" + first, {{"status", text}});
        EXPECT_EQ(edited.header("X-RateLimit-Remaining"), "298");
    }
}

TEST_P(Editing, history_of_a_hidden_status_is_not_found) {
    auto id = alice.status("a", {{"visibility", "private"}});
    EXPECT_EQ(history(id).body, R"({"error":"Not Found"})");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id + "/source").status, 404);
}

TEST_P(Editing, keeps_what_is_quoted) {
    auto quoted = bob.status("quoted"), id = alice.status("a", {{"quoted_status_id", quoted}});
    auto answer = edit(id, {{"spoiler_text", "cw"}});
    EXPECT_EQ(answer["quote.quoted_status.id"], quoted);
    EXPECT_EQ(answer["spoiler_text"], "cw");  // with a quote there may be nothing under it
    auto versions = history(id);
    EXPECT_EQ(versions["0.quote.quoted_status.id"], quoted);
    EXPECT_EQ(versions["1.quote.state"], "accepted");
    EXPECT_EQ(history(quoted)["0.quote"], "absent");
}

TEST_P(Editing, shows_source_as_it_was_written) {
    auto id = alice.status("a *b*\n@bob", {{"spoiler_text", "cw"}});
    auto source = bob.get("/api/v1/statuses/" + id + "/source");
    EXPECT_EQ(source["text"], "a *b*\n@bob");
    EXPECT_EQ(source["spoiler_text"], "cw");
    EXPECT_EQ(source["content_type"], "text/plain");
    auto marked = alice.status("**b**", {{"content_type", "text/markdown"}});
    EXPECT_EQ(bob.get("/api/v1/statuses/" + marked + "/source")["content_type"], "text/markdown");
}

}  // namespace
