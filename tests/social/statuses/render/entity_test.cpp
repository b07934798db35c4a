// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/remote.hpp"
#include "world.hpp"

namespace {

const db::Command test_hide_applications{
    "test_hide_applications", "UPDATE users SET show_application = FALSE"
};

struct StatusEntity : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    Answer show(const Person& who, const std::string& id) { return who.get("/api/v1/statuses/" + id); }
};
ON_EACH_DATABASE(StatusEntity);

TEST_P(StatusEntity, names_the_application_or_says_that_there_was_none) {
    auto post = alice.status("hello");
    auto boost = bob.reblogs(post);
    for (const auto& who : {alice, bob, w.anonymous()}) {
        EXPECT_EQ(show(who, post)["application.name"], "An app");
        EXPECT_EQ(show(who, boost)["application"], "null");
        EXPECT_EQ(show(who, boost)["reblog.application.name"], "An app");
    }
}

TEST_P(StatusEntity, of_who_hides_applications_names_them_to_the_author_alone) {
    w.write([](db::Write& db) { db.run(test_hide_applications); });
    auto post = alice.status("hello");
    auto boost = alice.reblogs(post);
    EXPECT_EQ(show(alice, post)["application.name"], "An app");
    EXPECT_EQ(show(alice, boost)["application"], "null");
    for (const auto& who : {bob, w.anonymous()}) {
        EXPECT_EQ(show(who, post)["application"], "absent");
        EXPECT_EQ(show(who, boost)["application"], "absent");
    }
}

// Clients put the answer into the form again, so it holds what was typed.
TEST_P(StatusEntity, of_a_deletion_has_the_source_at_every_depth) {
    auto original = bob.status("**bold** words", {{"content_type", "text/markdown"}});
    auto boost = alice.reblogs(original);
    auto gone = alice.del("/api/v1/statuses/" + boost);
    EXPECT_EQ(gone["text"], "");
    EXPECT_EQ(gone["content"], "absent");
    EXPECT_EQ(gone["reblog.text"], "**bold** words");
    EXPECT_EQ(gone["reblog.content"], "absent");

    auto quoting = alice.status("look", {{"quoted_status_id", original}});
    gone = alice.del("/api/v1/statuses/" + quoting);
    EXPECT_EQ(gone["text"], "look");
    EXPECT_EQ(gone["content"], "absent");
    EXPECT_EQ(gone["quote.quoted_status.text"], "**bold** words");
    EXPECT_EQ(gone["quote.quoted_status.content"], "absent");

    auto boosted = alice.status("again", {{"quoted_status_id", original}});
    gone = alice.del("/api/v1/statuses/" + alice.reblogs(boosted));
    EXPECT_EQ(gone["reblog.quote.quoted_status.text"], "**bold** words");
    EXPECT_EQ(gone["reblog.quote.quoted_status.content"], "absent");
    EXPECT_EQ(show(bob, original)["content"], "<p><strong>bold</strong> words</p>") << "and nowhere else";
    EXPECT_EQ(show(bob, original)["text"], "absent");
}

// Nobody knows what was typed elsewhere.
TEST_P(StatusEntity, of_a_deleted_boost_from_elsewhere_has_what_came_as_text) {
    auto note = remote::stored(w, remote::note(w, remote::somebody(w, "rem"), "n1"));
    auto gone = alice.del("/api/v1/statuses/" + alice.reblogs(note));
    EXPECT_EQ(gone["reblog.text"], "<p>hello</p>");
    EXPECT_EQ(gone["reblog.content"], "absent");
    EXPECT_EQ(gone["reblog.application"], "absent");
    EXPECT_EQ(show(bob, note)["application"], "absent");
}

}  // namespace
