// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts, boosts, profiles, pins, reports and moves that other servers bring. Numbers are those of the list of attacks.
#include "base/json.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/elsewhere.hpp"
#include "social/federation/peer.hpp"

namespace {

const db::Command test_follow_far{
    "test_follow_far", "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, $4)"
};

const db::Query<std::string> test_last_report{
    "test_last_report", "SELECT status_ids || ' ' || comment AS report FROM reports ORDER BY id DESC LIMIT 1"
};

struct FarPosts : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();

    void comes(const Peer& from, const std::string& body, const std::string& inbox = "/inbox") {
        EXPECT_EQ(from.brings(body, inbox).status, 202);
        w.run_inbox();
    }
    void comes(const std::string& body) { comes(bob, body); }
    void follow(const Person& who, const Peer& whom) {
        w.write([&](db::Write& db) {
            auto id = db.new_id<base::FollowId>();
            db.run(test_follow_far, id, base::AccountId{std::stoll(who.id)}, whom.id, db.now());
            accounts::touch_relations(db, {std::stoll(who.id)});
        });
        w.changed();
    }
    std::vector<std::string> texts() {
        return alice.get("/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses").all("content");
    }
    std::string mention() { return R"(,"tag":[{"type":"Mention","href":")" + uri_of(w, alice) + R"("}])"; }
};
ON_EACH_DATABASE(FarPosts);

TEST_P(FarPosts, of_whom_somebody_follows_come_home_once) {
    follow(alice, bob);
    auto create = bob.create(bob.note("1", "<p>hello</p>"), "1");
    comes(create);
    comes(create);
    comes(bob, create, "/users/alice/inbox");
    comes(bob.create(bob.note("1", "<p>hello</p>"), "another"));
    EXPECT_EQ(texts(), std::vector<std::string>{"<p>hello</p>"});
    EXPECT_EQ(alice.home().size(), 1u);
}

TEST_P(FarPosts, that_concern_nobody_here_are_not_kept) {
    comes(bob.create(bob.note("1", "hello"), "1"));
    EXPECT_TRUE(texts().empty());
    EXPECT_EQ(w.happened(), "");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(FarPosts, that_answer_or_name_somebody_here_are_kept_and_told) {
    auto status = alice.status("a question");
    auto answer = R"(,"inReplyTo":")" + uri_of(w, status) + "\"";
    comes(bob.create(bob.note("1", "an answer", answer), "1"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["replies_count"], "1");
    auto to_alice = "\"" + uri_of(w, alice) + "\"";
    comes(bob.create(bob.note("2", "for you", mention(), to_alice), "2"));
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), std::vector<std::string>{"mention"});
}

TEST_P(FarPosts, are_edited_and_deleted_by_their_author) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    w.advance(60);
    auto edited = bob.note("1", "two", R"(,"updated":)" + base::json::to_string(w.now()));
    comes(bob.activity("Update", edited, "edit"));
    EXPECT_EQ(texts(), std::vector<std::string>{"two"});
    comes(bob.activity("Delete", bob.note_id("1"), "end"));
    EXPECT_TRUE(texts().empty());
}

// Hubzilla and WriteFreely give all of these one id, and Friendica every Update the same.
TEST_P(FarPosts, are_edited_and_deleted_under_the_id_of_what_made_them) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    for (const std::string text : {"two", "three"}) {
        w.advance(60);
        const auto edited = bob.note("1", text, R"(,"updated":)" + base::json::to_string(w.now()));
        const auto update = bob.activity("Update", edited, "create-1");
        comes(update);
        EXPECT_EQ(texts(), std::vector<std::string>{text});
        w.changed();
        comes(update);
        EXPECT_EQ(w.changed(), "") << "it is known";
    }
    comes(bob.activity("Delete", bob.note_id("1"), "create-1"));
    EXPECT_TRUE(texts().empty());
}

TEST_P(FarPosts, are_looked_up_where_only_the_address_of_an_edited_one_is_told) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    w.advance(60);
    auto shows = [&](const std::string& number, const std::string& text) {
        auto note = bob.note(number, text, R"(,"updated":)" + base::json::to_string(w.now()));
        note.insert(1, R"("@context":"https://www.w3.org/ns/activitystreams",)");
        internet().page(bob.note_id(number), note, "application/activity+json");
    };
    shows("1", "two");
    comes(bob.activity("Update", bob.note_id("1"), "edit"));
    EXPECT_EQ(texts(), std::vector<std::string>{"two"});
    Peer eve(w, "eve", "far.example");
    eve.known();
    shows("1", "three");
    shows("2", "unknown");
    comes(eve, eve.activity("Update", bob.note_id("1"), "edit-by-eve"));
    internet().asked.clear();
    comes(bob.activity("Update", bob.note_id("2"), "edit-of-unknown"));
    EXPECT_EQ(texts(), std::vector<std::string>{"two"});
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(FarPosts, keep_the_focal_point_of_pictures_of_unknown_size) {
    follow(alice, bob);
    auto picture =
        R"(,"attachment":{"type":"Image","mediaType":"image/png","url":"https://far.example/a.png",)"
        R"("focalPoint":[-0.5,0.25]})";
    comes(bob.create(bob.note("1", "look", picture), "1"));
    auto shown = alice.get("/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses");
    EXPECT_EQ(shown["0.media_attachments.0.meta"], R"({"focus":{"x":-5E-1,"y":2.5E-1}})");
}

TEST_P(FarPosts, attack_26_that_were_deleted_do_not_come_back) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    comes(bob.activity("Delete", bob.note_id("1"), "end"));
    comes(bob.create(bob.note("1", "one"), "again"));
    EXPECT_TRUE(texts().empty());
}

TEST_P(FarPosts, that_are_deleted_before_they_come_do_not_come) {
    follow(alice, bob);
    comes(bob.activity("Delete", bob.note_id("1"), "end"));
    comes(bob.create(bob.note("1", "one"), "1"));
    EXPECT_TRUE(texts().empty());
}

TEST_P(FarPosts, attack_13_of_somebody_else_are_not_taken) {
    follow(alice, bob);
    Peer eve(w, "eve", "far.example");
    eve.known();
    comes(eve, eve.create(bob.note("1", "forged"), "1"));
    auto elsewhere = bob.note("2", "forged");
    elsewhere.replace(elsewhere.find("https://far.example/notes"), 19, "https://own.example");
    comes(bob.create(elsewhere, "2"));
    EXPECT_TRUE(texts().empty());
    EXPECT_EQ(w.happened(), "");
}

TEST_P(FarPosts, attack_14_are_not_edited_by_others_of_their_server) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    Peer eve(w, "eve", "far.example");
    eve.known();
    w.advance(60);
    auto forged = bob.note("1", "forged", R"(,"updated":)" + base::json::to_string(w.now()));
    comes(eve, eve.activity("Update", forged, "edit"));
    EXPECT_EQ(texts(), std::vector<std::string>{"one"});
}

TEST_P(FarPosts, attack_15_are_not_deleted_by_others_of_their_server) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    Peer eve(w, "eve", "far.example");
    eve.known();
    comes(eve, eve.activity("Delete", bob.note_id("1"), "end"));
    EXPECT_EQ(texts(), std::vector<std::string>{"one"});
}

TEST_P(FarPosts, attack_16_are_boosted_as_their_own_server_shows_them) {
    follow(alice, bob);
    Peer carol(w, "carol", "third.example");
    carol.known();
    auto forged = R"({"type":"Note","id":"https://third.example/notes/9","attributedTo":")" + carol.uri +
                  R"(","content":"forged","to":"https://www.w3.org/ns/activitystreams#Public"})";
    auto real = carol.note("9", "real");
    real.insert(1, R"("@context":"https://www.w3.org/ns/activitystreams",)");
    internet().page("https://third.example/notes/9", real, "application/activity+json");
    auto audience = R"(,"to":"https://www.w3.org/ns/activitystreams#Public")";
    comes(bob.activity("Announce", forged, "boost", audience));
    auto shown = alice.get("/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses");
    EXPECT_EQ(shown["0.reblog.content"], "real");
    comes(bob.undo(bob.activity("Announce", forged, "boost", audience)));
    EXPECT_TRUE(texts().empty());
}

TEST_P(FarPosts, boosts_of_what_was_written_here_are_told) {
    auto status = alice.status("hello");
    comes(bob.activity("Announce", uri_of(w, status), "boost", R"(,"to":"as:Public")"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["reblogs_count"], "1");
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), std::vector<std::string>{"reblog"});
    EXPECT_TRUE(internet().asked.empty());
    comes(bob.activity("Undo", "https://far.example/activities/boost", "undo"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["reblogs_count"], "0");
}

TEST_P(FarPosts, attack_29_boosts_of_what_is_not_for_everybody_do_not_count) {
    auto status = alice.status("for followers", {{"visibility", "private"}});
    comes(bob.activity("Announce", uri_of(w, status), "boost", R"(,"to":"as:Public")"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["reblogs_count"], "0");
}

TEST_P(FarPosts, go_with_their_author) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    comes(bob.activity("Delete", bob.uri, "farewell"));
    w.run_jobs();
    EXPECT_TRUE(alice.home().empty());
}

TEST_P(FarPosts, do_not_go_with_an_author_whose_address_shows_nothing_for_a_while) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    w.advance(600);
    auto forger = bob;
    forger.signs_with_another_key();
    elsewhere::refuse(bob.uri, 404);
    EXPECT_EQ(forger.brings(bob.activity("Delete", bob.uri, "farewell")).status, 401);
    w.run_inbox();
    w.run_jobs();
    EXPECT_EQ(texts(), std::vector<std::string>{"one"});
    // That is an end, of which nobody can be asked for a key.
    w.advance(301);
    elsewhere::refuse(bob.uri, 410);
    comes(forger, bob.activity("Delete", bob.uri, "farewell"));
    w.run_jobs();
    EXPECT_TRUE(alice.home().empty());
}

TEST_P(FarPosts, attack_34_are_pinned_in_their_authors_own_list_only) {
    follow(alice, bob);
    comes(bob.create(bob.note("1", "one"), "1"));
    Peer eve(w, "eve", "far.example");
    eve.known();
    auto path = "/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses";
    auto pins = [&] { return alice.get(path, {{"pinned", "true"}}).ids().size(); };
    auto target = R"(,"target":")" + bob.uri + "/featured\"";
    comes(eve, eve.activity("Add", bob.note_id("1"), "foreign-pin", target));
    EXPECT_EQ(pins(), 0u);
    comes(bob.activity("Add", bob.note_id("1"), "pin", target));
    EXPECT_EQ(pins(), 1u);
    comes(bob.activity("Remove", bob.note_id("1"), "unpin", target));
    EXPECT_EQ(pins(), 0u);
}

std::string quoted(const std::string& text) { return base::json::to_string(text); }

TEST_P(FarPosts, are_shown_first_as_their_authors_list_says) {
    Peer carol(w, "carol", "carol.example");
    auto document = [&](const std::string& number, const Peer& author) {
        return R"({"@context":"https://www.w3.org/ns/activitystreams",)" +
               author.note(number, number).substr(1);
    };
    auto pins = [&](const std::string& list) {
        internet().page(carol.uri + "/featured", list, "application/activity+json");
        auto found = alice.get("/api/v2/search", {{"q", "@carol@carol.example"}, {"resolve", "true"}});
        w.run_jobs();
        auto path = "/api/v1/accounts/" + found["accounts.0.id"] + "/statuses";
        return alice.get(path, {{"pinned", "true"}}).all("content");
    };
    internet().page(carol.note_id("1"), document("1", carol), "application/activity+json");
    internet().page(bob.note_id("2"), document("2", bob), "application/activity+json");
    auto pinned =
        quoted(bob.note_id("2")) + "," + quoted(carol.note_id("1")) + "," + quoted(carol.note_id("missing"));
    auto list = R"({"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","id":")" +
                carol.uri + R"(/featured","orderedItems":[)" + pinned + "]}";
    EXPECT_EQ(pins(list), std::vector<std::string>{"1"});
}

TEST_P(FarPosts, may_be_answered_in_an_edit_that_names_somebody_new) {
    Peer carol(w, "carol", "carol.example");
    auto status = alice.status("hello");
    auto edited = alice.put("/api/v1/statuses/" + status, {{"status", "hello @carol@carol.example"}});
    EXPECT_EQ(edited["mentions.0.acct"], "carol@carol.example");
}

TEST_P(FarPosts, come_from_nobody_who_may_follow_against_a_blocked_domain) {
    alice.post("/api/v1/domain_blocks", {{"domain", bob.host}});
    comes(bob.follow(uri_of(w, alice)));
    EXPECT_TRUE(alice.get("/api/v1/accounts/" + alice.id + "/followers").ids().empty());
    Peer carol(w, "carol", "carol.example");
    carol.known();
    comes(carol, carol.follow(uri_of(w, alice)));
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id + "/followers").ids().size(), 1u);
}

TEST_P(FarPosts, attack_33_are_reported_only_where_the_other_server_could_see_them) {
    auto open = alice.status("open");
    auto hidden = alice.status("hidden", {{"visibility", "private"}});
    auto objects = "[\"" + uri_of(w, alice) + "\",\"" + uri_of(w, open) + "\",\"" + uri_of(w, hidden) + "\"]";
    w.happened();
    comes(bob.activity("Flag", objects, "flag", R"(,"content":"<b>bad</b>")"));
    EXPECT_EQ(w.happened(), "Reported");
    auto reported = w.read([](db::Read& db) { return db.one(test_last_report); });
    EXPECT_EQ(reported, "[\"" + open + "\"] bad");
    comes(bob.activity("Flag", "https://third.example/users/x", "other"));
    EXPECT_EQ(w.happened(), "");
    comes(bob.activity("Flag", uri_of(w, open), "of-lemmy", R"(,"summary":"spam")"));
    reported = w.read([](db::Read& db) { return db.one(test_last_report); });
    EXPECT_EQ(reported, "[\"" + open + "\"] spam");
    // Some name posts in the text only.
    auto text = R"(,"content":"Note: )" + uri_of(w, open) + R"(\n)" + uri_of(w, hidden) + R"( -----\nbad")";
    comes(bob.activity("Flag", uri_of(w, alice), "in-text", text));
    reported = w.read([](db::Read& db) { return db.one(test_last_report); });
    EXPECT_TRUE(reported.starts_with("[\"" + open + "\"] Note: ")) << reported;
}

TEST_P(FarPosts, attack_32_moves_need_the_new_accounts_word) {
    follow(alice, bob);
    Peer next(w, "bobby", "third.example");
    auto move = [&](const std::string& number) {
        return bob.activity("Move", bob.uri, number, R"(,"target":")" + next.uri + "\"");
    };
    comes(move("1"));
    w.run_jobs();
    auto stands = [&](const char* what) {
        auto found = alice.get("/api/v1/accounts/relationships", {{"id[]", std::to_string(bob.id.value)}});
        return found["0." + std::string(what)];
    };
    EXPECT_EQ(stands("following"), "true");
    w.advance(10);
    next.publish(R"(,"alsoKnownAs":[")" + bob.uri + "\"]");
    comes(move("2"));
    w.run_jobs();
    EXPECT_EQ(stands("following"), "false");
}

}  // namespace
