// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may quote a post of another server, as its policy says, and authorizations that are checked again.
#include "social/federation/elsewhere.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::Contains, testing::ElementsAre, testing::IsEmpty;

const std::string everybody = "https://www.w3.org/ns/activitystreams#Public";

struct QuoteApprovals : OnEachWorld {
    Person alice = w.local("alice"), fan = w.local("fan"), idol = w.local("idol");
    Peer bob = Peer(w).known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
        w.run_jobs();
    }
    std::string find(const std::string& uri) {
        return w.read([&](db::Read& db) {
            auto id = statuses::find_by_uri(db, uri);
            return id ? std::to_string(id->value) : std::string();
        });
    }
    // What a post with this policy may be quoted by: "automatic manual alice fan idol".
    std::string shown(const std::string& id) {
        auto path = "/api/v1/statuses/" + id;
        auto word = [&](const Person& p) { return p.get(path)["quote_approval.current_user"]; };
        auto mine = alice.get(path);
        return mine["quote_approval.automatic"] + " " + mine["quote_approval.manual"] + " " + word(alice) +
               " " + word(fan) + " " + word(idol);
    }
    static std::string policy(const std::string& rule) {
        return R"(,"interactionPolicy":{"canQuote":{)" + rule + "}}";
    }
};
ON_EACH_DATABASE(QuoteApprovals);

TEST_P(QuoteApprovals, say_who_may_and_who_may_ask) {
    // fan follows bob, whom bob follows is idol; alice, to whom his posts come, is nobody of his.
    remote::follows(w, fan, bob.id);
    comes(bob, bob.follow(uri_of(w, idol)));
    auto all = "\"" + everybody + "\"", followers = "\"" + bob.uri + "/followers\"",
         following = "\"" + bob.uri + "/following\"", himself = "\"" + bob.uri + "\"";
    struct Row {
        std::string policy, shown;
    };
    const Row rows[] = {
        {"", "[] [] unknown unknown unknown"},
        {policy(R"("automaticApproval":[)" + all + "]"), R"(["public"] [] automatic automatic automatic)"},
        {policy(R"("automaticApproval":)" + himself), "[] [] denied denied denied"},
        {policy(R"("automaticApproval":[)" + followers + "]"), R"(["followers"] [] denied automatic denied)"},
        {policy(R"("automaticApproval":[)" + following + "]"), R"(["following"] [] denied denied automatic)"},
        {policy(R"("manualApproval":[)" + all + "]"), R"([] ["public"] manual manual manual)"},
        {policy(R"("automaticApproval":)" + followers + R"(,"manualApproval":)" + all),
         R"(["followers"] ["public"] manual automatic manual)"},
        {policy(R"("automaticApproval":[)" + himself + R"(],"manualApproval":[)" + following + "]"),
         R"([] ["following"] denied denied manual)"},
        {policy(R"("automaticApproval":["https://third.example/users/x"])"),
         R"(["unsupported_policy"] [] unknown unknown unknown)"},
    };
    int number = 0;
    for (const auto& row : rows) {
        auto n = std::to_string(++number);
        comes(bob, bob.create(bob.note(n, "hello", row.policy), n));
        EXPECT_EQ(shown(find(bob.note_id(n))), row.shown) << row.policy;
    }
    EXPECT_EQ(
        w.anonymous().get("/api/v1/statuses/" + find(bob.note_id("2")))["quote_approval.current_user"],
        "denied"
    );
}

TEST_P(QuoteApprovals, change_with_an_update_that_edits_nothing) {
    remote::follows(w, fan, bob.id);
    comes(bob, bob.create(bob.note("1", "hello"), "1"));
    auto id = find(bob.note_id("1"));
    auto open = policy(R"("automaticApproval":")" + everybody + "\"");
    comes(bob, bob.activity("Update", bob.note("1", "hello", open), "u"));
    EXPECT_EQ(shown(id), R"(["public"] [] automatic automatic automatic)");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + id)["edited_at"], "null");
    comes(
        bob,
        bob.activity(
            "Update", bob.note("1", "hello", policy(R"("automaticApproval":")" + bob.uri + "\"")), "v"
        )
    );
    EXPECT_EQ(shown(id), "[] [] denied denied denied");
}

TEST_P(QuoteApprovals, let_those_ask_who_are_not_denied) {
    remote::follows(w, fan, bob.id);
    auto post = [&](const std::string& n, const std::string& rule) {
        comes(bob, bob.create(bob.note(n, "hello", rule), n));
        return find(bob.note_id(n));
    };
    auto manual = post("1", policy(R"("manualApproval":")" + everybody + "\""));
    auto closed = post("2", policy(R"("automaticApproval":")" + bob.uri + "\""));
    auto quote = [&](const std::string& id) {
        return alice.post("/api/v1/statuses", {{"status", "look"}, {"quoted_status_id", id}});
    };
    sent(w);
    EXPECT_EQ(quote(closed).status, 404);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(quote(manual)["quote.state"], "pending");
    EXPECT_THAT(sent_lines(w), Contains("QuoteRequest far.example/users/bob/inbox"));
}

TEST_P(QuoteApprovals, are_not_asked_for_where_the_policy_knows_no_quotes) {
    remote::follows(w, fan, bob.id);
    auto rule = R"({"automaticApproval":")" + everybody + "\"}";
    auto likes = R"(,"interactionPolicy":{"canLike":)" + rule + R"(,"canReply":)" + rule + "}";
    comes(bob, bob.create(bob.note("1", "hello", likes), "1"));
    auto id = find(bob.note_id("1"));
    EXPECT_EQ(shown(id), "[] [] unknown unknown unknown");
    sent(w);
    auto quote = alice.post("/api/v1/statuses", {{"status", "look"}, {"quoted_status_id", id}});
    EXPECT_EQ(quote["quote.state"], "pending");
    EXPECT_THAT(sent_lines(w), ElementsAre("Create far.example/users/bob/inbox"));
}

struct OldAuthorizations : QuoteApprovals {
    Peer carol = Peer(w, "carol", "third.example").known();
    const std::string authorization = "https://far.example/stamps/1";

    void stamped() { stamped_at(authorization, carol.note_id("1")); }
    void stamped_at(const std::string& its_authorization, const std::string& quoting_post) {
        elsewhere::serve(
            its_authorization,
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"QuoteAuthorization","id":")" +
                its_authorization + R"(","attributedTo":")" + bob.uri + R"(","interactingObject":")" +
                quoting_post + R"(","interactionTarget":")" + bob.note_id("9") + "\"}"
        );
    }
    // Somebody elsewhere quotes somebody elsewhere, who agreed.
    std::string quoting() {
        remote::follows(w, alice, bob.id);
        remote::follows(w, alice, carol.id);
        comes(bob, bob.create(bob.note("9", "quotable"), "9"));
        stamped();
        comes(carol, carol.create(carol.note("1", "look", with(authorization)), "1"));
        return find(carol.note_id("1"));
    }
    std::string with(const std::string& its_authorization) {
        auto out =
            R"(,"replies":"https://third.example/notes/1/replies","quote":")" + bob.note_id("9") + "\"";
        return its_authorization.empty() ? out
                                         : out + R"(,"quoteAuthorization":")" + its_authorization + "\"";
    }
    std::string state(const std::string& id) { return alice.get("/api/v1/statuses/" + id)["quote.state"]; }
    int asked() { return elsewhere::asked(authorization); }
};
ON_EACH_DATABASE(OldAuthorizations);

TEST_P(OldAuthorizations, are_looked_at_again_by_who_opens_the_thread_a_week_later) {
    auto id = quoting();
    ASSERT_EQ(state(id), "accepted");
    auto open = [&] {
        EXPECT_EQ(alice.get("/api/v1/statuses/" + id + "/context").status, 200);
        w.run_jobs();
    };
    auto before = asked();
    w.advance(3600);
    open();
    EXPECT_EQ(asked(), before);
    w.advance(8 * 86'400);
    open();
    EXPECT_EQ(asked(), before + 1);
    EXPECT_EQ(state(id), "accepted");
    w.advance(3600);
    open();
    EXPECT_EQ(asked(), before + 1);
    elsewhere::refuse(authorization, 404);
    w.advance(8 * 86'400);
    open();
    EXPECT_EQ(state(id), "revoked");
}

TEST_P(OldAuthorizations, give_way_to_a_good_new_one_that_the_post_names) {
    auto id = quoting();
    const std::string other = "https://far.example/stamps/2";
    stamped_at(other, carol.note_id("1"));
    elsewhere::refuse(authorization, 404);
    w.advance(120);
    auto before = asked();
    comes(carol, carol.activity("Update", carol.note("1", "look", with(other)), "u1"));
    EXPECT_EQ(state(id), "accepted");
    EXPECT_EQ(asked(), before);
    EXPECT_EQ(elsewhere::asked(other), 1);
    // It is the one that counts from now on.
    elsewhere::refuse(other, 404);
    w.advance(120);
    comes(carol, carol.activity("Update", carol.note("1", "look", with("")), "u2"));
    EXPECT_EQ(state(id), "revoked");
}

TEST_P(OldAuthorizations, count_still_when_the_new_one_says_something_else_and_only_while_they_are_there) {
    auto id = quoting();
    const std::string other = "https://far.example/stamps/2";
    stamped_at(other, carol.note_id("2"));
    w.advance(120);
    comes(carol, carol.activity("Update", carol.note("1", "look", with(other)), "u1"));
    EXPECT_EQ(state(id), "accepted");
    elsewhere::refuse(authorization, 404);
    w.advance(120);
    comes(carol, carol.activity("Update", carol.note("1", "look", with(other)), "u2"));
    EXPECT_EQ(state(id), "revoked");
}

TEST_P(OldAuthorizations, are_looked_at_again_when_the_post_names_them_no_more) {
    auto id = quoting();
    auto before = asked();
    w.advance(120);
    comes(carol, carol.activity("Update", carol.note("1", "look", with(authorization)), "u1"));
    EXPECT_EQ(asked(), before);
    comes(carol, carol.activity("Update", carol.note("1", "look", with("")), "u2"));
    EXPECT_EQ(asked(), before + 1);
    EXPECT_EQ(state(id), "accepted");  // its author has not taken it back
    comes(carol, carol.activity("Update", carol.note("1", "look", with("")), "u3"));
    EXPECT_EQ(asked(), before + 1);  // so often it is not asked for
    elsewhere::refuse(authorization, 410);
    w.advance(120);
    comes(carol, carol.activity("Update", carol.note("1", "look", with("")), "u4"));
    EXPECT_EQ(state(id), "revoked");
}

}  // namespace
