// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may answer, between servers: asked for, approved, refused, revoked (GoToSocial's interaction policies).
#include "social/federation/elsewhere.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

struct FarReplies : OnEachWorld {
    Person alice = w.local("alice"), carol = w.local("carol");
    Peer bob = Peer(w).known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    std::string known(const std::string& uri) {
        return w.read([&](db::Read& db) {
            auto id = statuses::find_by_uri(db, uri);
            return id ? std::to_string(id->value) : std::string();
        });
    }
    std::vector<std::string> thread(const Person& viewer, const std::string& id) {
        auto answer = viewer.get("/api/v1/statuses/" + id + "/context");
        std::vector<std::string> out;
        for (int i = 0; answer["descendants." + std::to_string(i) + ".id"] != "absent"; ++i)
            out.push_back(answer["descendants." + std::to_string(i) + ".id"]);
        return out;
    }
    static std::string in_reply_to(const std::string& uri) { return R"(,"inReplyTo":")" + uri + "\""; }
    std::string mine(const std::string& policy) {
        auto id = alice.status("hello", {{"reply_policy", policy}});
        sent(w);
        return id;
    }
    std::string path(const std::string& uri) { return uri.substr(w.site().public_url.size()); }
    void does(const std::string& what, const std::string& post, const std::string& reply) {
        EXPECT_EQ(
            alice.post("/api/dunlin/v1/statuses/" + post + "/replies/" + reply + "/" + what).status, 200
        );
    }
    static std::string policy(const std::string& rule) {
        return R"(,"interactionPolicy":{"canReply":{)" + rule + "}}";
    }
    const std::string everybody = "https://www.w3.org/ns/activitystreams#Public";
};
ON_EACH_DATABASE(FarReplies);

TEST_P(FarReplies, are_told_who_may_answer) {
    struct Row {
        std::string policy, automatic, manual;
    };
    auto actor = uri_of(w, alice);
    const Row rows[] = {
        {"public", "absent", "absent"},
        {"followers", actor + "/followers", everybody},
        {"following", actor + "/following", everybody},
        {"mentioned", actor, everybody},
        {"nobody", actor, "absent"},
    };
    for (const auto& row : rows) {
        auto note = bob.gets(path(uri_of(w, mine(row.policy))));
        EXPECT_EQ(note["interactionPolicy.canReply.automaticApproval.0"], row.automatic) << row.policy;
        EXPECT_EQ(note["interactionPolicy.canReply.manualApproval.0"], row.manual) << row.policy;
    }
}

TEST_P(FarReplies, of_whom_the_policy_names_are_approved_at_once_with_an_authorization) {
    comes(bob, bob.follow(uri_of(w, alice)));
    auto post = mine("followers");
    comes(bob, bob.create(bob.note("1", "an answer", in_reply_to(uri_of(w, post))), "1"));
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Accept far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object"], bob.note_id("1"));
    auto authorization = w.anonymous().get(path(told[0]["result"]));
    EXPECT_EQ(authorization["type"], "ReplyAuthorization");
    EXPECT_EQ(authorization["attributedTo"], uri_of(w, alice));
    EXPECT_EQ(authorization["interactingObject"], bob.note_id("1"));
    EXPECT_EQ(authorization["interactionTarget"], uri_of(w, post));
    EXPECT_THAT(thread(carol, post), ElementsAre(known(bob.note_id("1"))));
}

TEST_P(FarReplies, of_others_wait_until_the_author_approves_or_refuses) {
    auto post = mine("followers");
    comes(bob, bob.create(bob.note("1", "one", in_reply_to(uri_of(w, post))), "1"));
    comes(bob, bob.create(bob.note("2", "two", in_reply_to(uri_of(w, post))), "2"));
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_THAT(thread(carol, post), IsEmpty());
    auto one = known(bob.note_id("1")), two = known(bob.note_id("2"));
    EXPECT_THAT(thread(alice, post), ElementsAre(one, two));
    does("approve", post, one);
    does("refuse", post, two);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0]["type"] + " " + told[0]["object"], "Accept " + bob.note_id("1"));
    EXPECT_EQ(told[1]["type"] + " " + told[1]["object"], "Reject " + bob.note_id("2"));
    EXPECT_THAT(thread(carol, post), ElementsAre(one));
    // A server that does not mind says so again and again.
    comes(bob, bob.create(bob.note("2", "two", in_reply_to(uri_of(w, post))), "2-again"));
    comes(bob, bob.activity("Update", bob.note("2", "two!", in_reply_to(uri_of(w, post))), "2-edit"));
    EXPECT_THAT(thread(alice, post), ElementsAre(one));
    EXPECT_THAT(alice.get("/api/dunlin/v1/pending_replies").ids(), IsEmpty());
}

TEST_P(FarReplies, to_whom_wants_none_are_rejected_and_in_no_thread) {
    auto post = mine("nobody");
    comes(bob, bob.create(bob.note("1", "an answer", in_reply_to(uri_of(w, post))), "1"));
    EXPECT_THAT(sent_lines(w), ElementsAre("Reject far.example/users/bob/inbox"));
    EXPECT_THAT(thread(alice, post), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["replies_count"], "0");
}

TEST_P(FarReplies, may_be_asked_for_before_they_are_published) {
    comes(bob, bob.follow(uri_of(w, alice)));
    auto open = mine("followers"), closed = mine("nobody");
    auto request = [&](const std::string& number, const std::string& parent) {
        auto note = bob.note(number, "may I", in_reply_to(uri_of(w, parent)));
        return bob.activity("ReplyRequest", uri_of(w, parent), "ask-" + number, R"(,"instrument":)" + note);
    };
    comes(bob, request("1", open));
    comes(bob, request("2", closed));
    auto told = sent(w);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0]["type"], "Accept");
    EXPECT_EQ(told[0]["object.type"], "ReplyRequest");
    EXPECT_EQ(told[0]["object.id"], "https://far.example/activities/ask-1");
    EXPECT_EQ(told[0]["object.instrument"], bob.note_id("1"));
    EXPECT_EQ(told[1]["type"] + " " + told[1]["object.id"], "Reject https://far.example/activities/ask-2");
    EXPECT_THAT(thread(carol, open), ElementsAre(known(bob.note_id("1"))));
    EXPECT_THAT(thread(carol, closed), IsEmpty());
}

TEST_P(FarReplies, lose_their_authorization_when_the_author_hides_them) {
    comes(bob, bob.follow(uri_of(w, alice)));
    auto post = mine("followers");
    comes(bob, bob.create(bob.note("1", "an answer", in_reply_to(uri_of(w, post))), "1"));
    auto authorization = sent(w)[0]["result"];
    does("hide", post, known(bob.note_id("1")));
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Delete far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object.id"], authorization);
    EXPECT_EQ(told[0]["object.type"], "ReplyAuthorization");
    EXPECT_EQ(w.anonymous().get(path(authorization)).status, 404);
    EXPECT_THAT(thread(carol, post), IsEmpty());
    does("unhide", post, known(bob.note_id("1")));
    EXPECT_EQ(w.anonymous().get(path(authorization)).status, 200);
}

TEST_P(FarReplies, written_here_are_sent_again_with_the_authorization_of_an_author_there) {
    remote::follows(w, alice, bob.id);
    auto him = "\"" + bob.uri + "\"";
    comes(
        bob,
        bob.create(
            bob.note(
                "1",
                "to you",
                policy(R"("automaticApproval":)" + him + R"(,"manualApproval":")" + everybody + "\"")
            ),
            "1"
        )
    );
    comes(bob, bob.create(bob.note("2", "to none", policy(R"("automaticApproval":)" + him)), "2"));
    auto post = known(bob.note_id("1"));
    EXPECT_EQ(
        alice.post("/api/v1/statuses", {{"status", "x"}, {"in_reply_to_id", known(bob.note_id("2"))}}).status,
        422
    );
    auto reply = alice.answers(post, "an answer");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "pending");
    sent(w);
    int number = 0;
    auto accept = [&](const Peer& from, const std::string& result) {
        auto id = "yes-" + std::to_string(++number);
        return from.activity("Accept", uri_of(w, reply), id, R"(,"result":")" + result + "\"");
    };
    Peer eve(w, "eve", "evil.example");
    eve.known();
    comes(eve, accept(eve, "https://evil.example/approvals/1"));
    comes(bob, accept(bob, "https://evil.example/approvals/1"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "pending");
    comes(bob, accept(bob, "https://far.example/approvals/1"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "absent");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"], "Update");
    EXPECT_EQ(told[0]["object.replyAuthorization"], "https://far.example/approvals/1");
    EXPECT_EQ(told[0]["object.approvedBy"], "https://far.example/approvals/1");
    // It is taken back, and given again.
    auto end = bob.activity(
        "Delete", R"({"id":"https://far.example/approvals/1","type":"ReplyAuthorization"})", "no"
    );
    comes(bob, end);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "pending");
    comes(bob, accept(bob, "https://far.example/approvals/1"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "absent");
}

TEST_P(FarReplies, are_authorized_by_an_accept_that_names_no_authorization) {
    remote::follows(w, alice, bob.id);
    comes(
        bob, bob.create(bob.note("1", "ask me", policy(R"("approvalRequired":")" + everybody + "\"")), "1")
    );
    auto reply = alice.answers(known(bob.note_id("1")), "an answer");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "pending");
    sent(w);
    Peer eve(w, "eve", "evil.example");
    eve.known();
    comes(eve, eve.activity("Accept", uri_of(w, reply), "yes"));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "pending");
    // To a quote he may agree without agreeing to the answer.
    comes(
        bob,
        bob.activity(
            "Accept",
            R"({"type":"QuoteRequest","id":"https://example.com/q","instrument":")" + uri_of(w, reply) +
                "\"}",
            "quote"
        )
    );
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "pending");
    comes(bob, bob.activity("Accept", uri_of(w, reply), "yes", R"(,"target":")" + bob.note_id("1") + "\""));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + reply)["reply_state"], "absent");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["type"], "Update");
    EXPECT_EQ(told[0]["object.replyAuthorization"], "https://far.example/activities/yes");
}

TEST_P(FarReplies, of_an_authors_own_server_have_to_show_it_too) {
    remote::follows(w, alice, bob.id);
    Peer ben(w, "ben");
    ben.known();
    remote::follows(w, alice, ben.id);
    auto followers = R"("automaticApproval":")" + bob.uri + "/followers\"";
    comes(bob, bob.create(bob.note("1", "to few", policy(followers)), "1"));
    comes(ben, ben.create(ben.note("ben-1", "an answer", in_reply_to(bob.note_id("1"))), "ben-1"));
    EXPECT_NE(known(ben.note_id("ben-1")), "");
    EXPECT_THAT(thread(carol, known(bob.note_id("1"))), IsEmpty());
}

TEST_P(FarReplies, that_wait_are_not_sent_to_the_followers_of_whom_they_answer) {
    comes(bob, bob.follow(uri_of(w, alice)));
    auto post = mine("followers");
    carol.answers(post, "an answer");
    EXPECT_THAT(sent_lines(w), IsEmpty());
    does("approve", post, alice.get("/api/dunlin/v1/pending_replies").ids()[0]);
    EXPECT_THAT(sent_lines(w), ElementsAre("Update far.example/users/bob/inbox"));
}

TEST_P(FarReplies, of_third_servers_have_to_show_that_the_author_agrees) {
    Peer dave(w, "dave", "third.example");
    dave.known();
    remote::follows(w, alice, bob.id);
    remote::follows(w, alice, dave.id);
    comes(
        bob,
        bob.create(
            bob.note("1", "to few", policy(R"("automaticApproval":")" + bob.uri + "/followers\"")), "1"
        )
    );
    auto post = known(bob.note_id("1"));
    auto approval = [&](const std::string& number, const std::string& of) {
        auto uri = "https://far.example/approvals/" + number;
        elsewhere::serve(
            uri,
            R"({"@context":["https://www.w3.org/ns/activitystreams",{"gts":"https://gotosocial.org/ns#","ReplyAuthorization":"gts:ReplyAuthorization","interactingObject":{"@id":"gts:interactingObject","@type":"@id"},"interactionTarget":{"@id":"gts:interactionTarget","@type":"@id"}}],"id":")" +
                uri + R"(","type":"ReplyAuthorization","attributedTo":")" + bob.uri +
                R"(","interactingObject":")" + of + R"(","interactionTarget":")" + bob.note_id("1") + "\"}"
        );
        return R"(,"replyAuthorization":")" + uri + "\"";
    };
    auto to = in_reply_to(bob.note_id("1"));
    comes(dave, dave.create(dave.note("1", "none", to), "1"));
    comes(dave, dave.create(dave.note("2", "a borrowed one", to + approval("2", dave.note_id("9"))), "2"));
    comes(dave, dave.create(dave.note("3", "its own", to + approval("3", dave.note_id("3"))), "3"));
    w.run_jobs();
    EXPECT_THAT(thread(carol, post), ElementsAre(known(dave.note_id("3"))));
    comes(
        dave, dave.activity("Update", dave.note("1", "none", to + approval("1", dave.note_id("1"))), "1-edit")
    );
    w.run_jobs();
    EXPECT_THAT(
        thread(carol, post), testing::UnorderedElementsAre(known(dave.note_id("1")), known(dave.note_id("3")))
    );
}

TEST_P(FarReplies, of_third_servers_may_show_an_older_authorization_or_the_accept) {
    Peer dave(w, "dave", "third.example");
    dave.known();
    remote::follows(w, alice, bob.id);
    remote::follows(w, alice, dave.id);
    comes(
        bob, bob.create(bob.note("1", "to few", policy(R"("approvalRequired":")" + everybody + "\"")), "1")
    );
    auto comes_with = [&](const std::string& number, const std::string& said) {
        auto uri = "https://far.example/approvals/" + number;
        elsewhere::serve(
            uri,
            R"({"@context":["https://gotosocial.org/ns","https://www.w3.org/ns/activitystreams"],"id":")" +
                uri + R"(","object":")" + dave.note_id(number) + "\"," + said + "}"
        );
        auto facts = in_reply_to(bob.note_id("1")) + R"(,"approvedBy":")" + uri + "\"";
        comes(dave, dave.create(dave.note(number, "an answer", facts), number));
    };
    auto by = [](const std::string& actor) { return R"("attributedTo":")" + actor + "\""; };
    auto target = [&](const std::string& of) { return R"(,"target":")" + bob.note_id(of) + "\""; };
    comes_with("1", R"("type":"ReplyApproval",)" + by(bob.uri) + target("1"));
    comes_with("2", R"("type":"Accept","actor":")" + bob.uri + "\"");
    comes_with("3", R"("type":"ReplyApproval",)" + by(bob.uri) + target("9"));
    comes_with("4", R"("type":"ReplyApproval",)" + by(dave.uri) + target("1"));
    comes_with("5", R"("type":"Reject","actor":")" + bob.uri + "\"");
    comes_with("6", R"("type":"Accept","actor":")" + dave.uri + "\"," + by(bob.uri));
    w.run_jobs();
    EXPECT_THAT(
        thread(carol, known(bob.note_id("1"))),
        testing::UnorderedElementsAre(known(dave.note_id("1")), known(dave.note_id("2")))
    );
}

}  // namespace
