// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts and posts of this site that end, as other servers learn of it.
#include "social/accounts/account.hpp"
#include "social/accounts/restricting.hpp"
#include "social/federation/delivery/updates.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

const db::Query<std::int64_t> test_posts_with_words{
    "test_posts_with_words",
    R"(SELECT count(*) FROM statuses s WHERE s.text <> '' OR s.content <> '' OR s.spoiler_text <> ''
           OR EXISTS (SELECT 1 FROM status_edits e WHERE e.status_id = s.id))"
};
const db::Query<std::int64_t> test_texts_kept{"test_texts_kept", "SELECT count(*) FROM status_texts"};

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct Endings : OnEachWorld {
    Person alice = w.local("alice");
    Person program = w.anonymous().with("Accept", "application/activity+json");
    Peer bob = Peer(w).known();
    Peer eve = Peer(w, "eve", "other.example").known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    void end() {
        w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(alice)); });
    }
    // Posts of which there are any, now or before.
    std::int64_t words() {
        return w.read([](db::Read& db) { return db.one(test_posts_with_words); });
    }
    std::string path(const std::string& uri) { return uri.substr(w.site().public_url.size()); }
};
ON_EACH_DATABASE(Endings);

TEST_P(Endings, of_an_account_are_told_to_everybody_known_once_and_nothing_else_is) {
    comes(bob, bob.follow(uri_of(w, alice)));
    alice.post("/api/v1/accounts/" + std::to_string(eve.id.value) + "/follow");
    alice.status("hello");
    alice.status("for followers", {{"visibility", "private"}});
    sent(w);
    auto uri = uri_of(w, alice);
    end();
    auto told = sent(w);
    EXPECT_THAT(
        (std::vector{told[0].line(), told[1].line()}),
        UnorderedElementsAre("Delete far.example/users/bob/inbox", "Delete other.example/users/eve/inbox")
    );
    EXPECT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0]["actor"], uri);
    EXPECT_EQ(told[0]["object"], uri);
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

TEST_P(Endings, of_an_account_leave_a_tombstone_and_nothing_of_the_person) {
    comes(bob, bob.follow(uri_of(w, alice)));
    alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "Alice of the Moor"}});
    auto status = alice.status("hello");
    auto uri = uri_of(w, alice), post = uri_of(w, status);
    auto reader = w.local("reader");
    reader.follows(alice);
    end();
    w.run_jobs();
    for (const auto& where : {path(uri), std::string("/users/alice"), std::string("/@alice")}) {
        auto shown = program.get(where);
        EXPECT_EQ(shown.status, 410) << where;
        EXPECT_EQ(shown["type"], "Tombstone") << where;
        EXPECT_EQ(shown["id"], uri) << where;
    }
    EXPECT_EQ(program.get(path(uri) + "/outbox").status, 410);
    EXPECT_EQ(program.get(path(post)).status, 410);
    EXPECT_EQ(w.anonymous().get("/@alice").status, 410);
    auto finger = w.anonymous().get("/.well-known/webfinger?resource=acct:alice@" + w.site().domain);
    EXPECT_EQ(finger.status, 410);
    EXPECT_EQ(bob.brings(bob.follow(uri, "2"), "/users/alice/inbox").status, 410);
    EXPECT_EQ(alice.get("/api/v1/accounts/verify_credentials").status, 401);
    EXPECT_EQ(reader.get("/api/v1/statuses/" + status).status, 404);
    EXPECT_THAT(reader.home(), IsEmpty());
    EXPECT_EQ(w.dump().find("Alice of the Moor"), std::string::npos);
}

TEST_P(Endings, of_an_account_leave_none_of_its_words) {
    auto status = alice.status("first words", {{"spoiler_text", "warning"}});
    EXPECT_EQ(alice.put("/api/v1/statuses/" + status, {{"status", "second words"}}).status, 200);
    auto hers = w.local("carol").status("other words");
    w.catch_up();
    EXPECT_EQ(words(), 2);
    end();
    w.catch_up();
    EXPECT_EQ(words(), 1);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_texts_kept); }), 1);
    EXPECT_EQ(w.anonymous().get("/api/v1/statuses/" + hers)["content"], "<p>other words</p>");
}

TEST_P(Endings, of_an_account_leave_no_words_that_were_deleted_before) {
    auto edited = alice.status("first words", {{"spoiler_text", "warning"}});
    alice.put("/api/v1/statuses/" + edited, {{"status", "second words"}});
    auto poll = alice.status(
        "Which?",
        {{"poll[options][]", "tea of hers"}, {"poll[options][]", "coffee"}, {"poll[expires_in]", "3600"}}
    );
    auto carol = w.local("carol");
    auto kept = carol.status("kept words");
    carol.del("/api/v1/statuses/" + carol.status("words deleted by who stays"));
    for (const auto& status : {edited, poll}) alice.del("/api/v1/statuses/" + status);
    auto theirs = bob.note("1", "words from afar");
    comes(bob, bob.follow(uri_of(w, alice)));
    remote::follows(w, carol, bob.id);
    comes(bob, bob.create(theirs, "1"));
    ASSERT_NE(w.dump().find("words from afar"), std::string::npos);
    comes(bob, bob.activity("Delete", "https://far.example/notes/1", "9"));
    w.catch_up();
    end();
    w.write([&](db::Write& db) { accounts::delete_remote(db, bob.id); });
    w.catch_up();
    auto all = w.dump();
    for (const auto* words :
         {"first words", "second words", "warning", "Which?", "tea of hers", "words from afar"})
        EXPECT_EQ(all.find(words), std::string::npos) << words;
    EXPECT_NE(all.find("words deleted by who stays"), std::string::npos);
    EXPECT_EQ(w.anonymous().get("/api/v1/statuses/" + kept)["content"], "<p>kept words</p>");
}

TEST_P(Endings, of_an_account_happen_once) {
    end();
    EXPECT_THROW(end(), base::NotFound);
}

TEST_P(Endings, of_posts_are_told_only_of_what_everybody_could_see) {
    struct Row {
        const char* visibility;
        int status;
    };
    for (const auto& row : {Row{"public", 410}, {"unlisted", 410}, {"private", 404}, {"direct", 404}}) {
        auto status = alice.status("hello", {{"visibility", row.visibility}});
        auto uri = uri_of(w, status);
        alice.del("/api/v1/statuses/" + status);
        auto shown = program.get(path(uri));
        EXPECT_EQ(shown.status, row.status) << row.visibility;
        EXPECT_EQ(shown["type"], row.status == 410 ? "Tombstone" : "absent") << row.visibility;
        EXPECT_EQ(w.anonymous().get("/@alice/" + status).status, 404) << row.visibility;
    }
    auto here = alice.status("here", {{"local_only", "true"}});
    auto uri = uri_of(w, here);
    alice.del("/api/v1/statuses/" + here);
    EXPECT_EQ(program.get(path(uri)).status, 404);
}

TEST_P(Endings, begin_with_a_suspension_of_a_month) {
    comes(bob, bob.follow(uri_of(w, alice)));
    sent(w);
    w.write([&](db::Write& db) { accounts::suspend(db, remote::number(alice)); });
    w.advance(20);
    support::run_periodic(w, federation::send_planned_updates);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Update far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object.suspended"], "true");
    w.advance(29 * 86'400);
    w.write(accounts::delete_long_suspended);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    w.write([&](db::Write& db) { accounts::unsuspend(db, remote::number(alice)); });
    w.advance(20);
    support::run_periodic(w, federation::send_planned_updates);
    EXPECT_EQ(sent(w)[0]["object.suspended"], "absent");
    w.write([&](db::Write& db) { accounts::suspend(db, remote::number(alice)); });
    w.advance(31 * 86'400);
    w.write(accounts::delete_long_suspended);
    EXPECT_THAT(
        sent_lines(w),
        UnorderedElementsAre("Delete far.example/users/bob/inbox", "Delete other.example/users/eve/inbox")
    );
}

}  // namespace
