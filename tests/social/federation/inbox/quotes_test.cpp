// SPDX-License-Identifier: AGPL-3.0-or-later
// Quotes between servers (FEP-044f): leave is asked for, given, refused and taken back.
#include "social/federation/elsewhere.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct FarQuotes : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    void comes(const std::string& body) { comes(bob, body); }
    std::string state(const std::string& status) {
        return alice.get("/api/v1/statuses/" + status)["quote.state"];
    }

    // Somebody there quotes somebody here.
    std::string quoting(const std::string& number, const std::string& quoted, const std::string& more = "") {
        auto note = bob.note(number, "look", R"(,"quote":")" + quoted + "\"" + more);
        return note;
    }
    std::string request(const std::string& number, const std::string& quoted) {
        return bob.activity(
            "QuoteRequest", quoted, "ask-" + number, R"(,"instrument":)" + quoting(number, quoted)
        );
    }
    std::string known(const std::string& number) {
        return w.read([&](db::Read& db) {
            auto id = statuses::find_by_uri(db, bob.note_id(number));
            return id ? std::to_string(id->value) : std::string();
        });
    }
    std::string mine(const Fields& more = {}) {
        auto id = alice.status("hello", more);
        w.run_jobs();
        return id;
    }
    // A post of theirs that everybody may quote.
    std::string theirs(const std::string& number) {
        auto status = remote::note(w, bob.id, number);
        status.quote_policy = statuses::QuotePolicy::public_;
        auto id = remote::stored(w, status);
        w.run_jobs();
        return id;
    }
};
ON_EACH_DATABASE(FarQuotes);

TEST_P(FarQuotes, of_somebody_here_are_answered_with_an_authorization_and_told) {
    auto status = mine();
    comes(request("1", uri_of(w, status)));
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Accept far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["actor"], uri_of(w, alice));
    EXPECT_EQ(told[0]["object.type"], "QuoteRequest");
    EXPECT_EQ(told[0]["object.id"], "https://far.example/activities/ask-1");
    EXPECT_EQ(told[0]["object.instrument"], bob.note_id("1"));
    EXPECT_TRUE(told[0]["result"].starts_with(uri_of(w, alice) + "/quote_authorizations/"));
    auto authorization = w.anonymous().get(told[0]["result"].substr(w.site().public_url.size()));
    EXPECT_EQ(authorization["type"], "QuoteAuthorization");
    EXPECT_EQ(authorization["interactingObject"], bob.note_id("1"));
    EXPECT_EQ(authorization["interactionTarget"], uri_of(w, status));
    EXPECT_EQ(alice.get("/api/v1/notifications").all("type"), std::vector<std::string>{"quote"});
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["quotes_count"], "1");
    EXPECT_EQ(state(known("1")), "accepted");
}

// As Hollo does: the post names what it quotes once it may.
TEST_P(FarQuotes, that_came_as_plain_posts_are_quotes_when_they_ask) {
    auto status = mine(), closed = mine({{"quote_approval_policy", "nobody"}});
    remote::follows(w, alice, bob.id);
    for (const char* number : {"1", "2", "3"}) {
        comes(bob.create(bob.note(number, "look"), number));
        ASSERT_NE(known(number), "");
    }
    Peer eve(w, "eve");
    eve.known();
    comes(request("1", uri_of(w, status)));
    EXPECT_THAT(sent_lines(w), ElementsAre("Accept far.example/users/bob/inbox"));
    EXPECT_EQ(state(known("1")), "accepted");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["quotes_count"], "1");
    comes(request("2", uri_of(w, closed)));
    EXPECT_THAT(sent_lines(w), ElementsAre("Reject far.example/users/bob/inbox"));
    // Of somebody else's post it is not to be said.
    comes(
        eve,
        eve.activity(
            "QuoteRequest", uri_of(w, status), "ask-3", R"(,"instrument":)" + quoting("3", uri_of(w, status))
        )
    );
    EXPECT_THAT(sent_lines(w), testing::Not(testing::Contains(testing::HasSubstr("Accept"))));
    for (const char* number : {"2", "3"}) {
        ASSERT_NE(known(number), "");
        EXPECT_EQ(state(known(number)), "absent");
    }
}

TEST_P(FarQuotes, are_refused_to_whom_the_policy_keeps_out) {
    auto closed = mine({{"quote_approval_policy", "followers"}});
    auto direct = alice.status("hello @bob@far.example", {{"visibility", "direct"}});
    sent(w);
    comes(request("1", uri_of(w, closed)));
    comes(request("2", uri_of(w, direct)));
    EXPECT_THAT(
        sent_lines(w),
        UnorderedElementsAre("Reject far.example/users/bob/inbox", "Reject far.example/users/bob/inbox")
    );
    EXPECT_EQ(known("1"), "");
    EXPECT_THAT(alice.get("/api/v1/notifications").all("type"), IsEmpty());
}

TEST_P(FarQuotes, of_what_cannot_be_seen_are_answered_as_those_of_what_is_not_there) {
    auto hidden = mine({{"visibility", "private"}}), direct = mine({{"visibility", "direct"}}),
         local = mine({{"local_only", "true"}}), deleted = mine(), open = mine();
    const std::vector<std::string> uris{
        uri_of(w, hidden),
        uri_of(w, direct),
        uri_of(w, local),
        uri_of(w, deleted),
        uri_of(w, open),
        uri_of(w, open) + "0"
    };
    alice.del("/api/v1/statuses/" + deleted);
    alice.post("/api/v1/accounts/" + std::to_string(bob.id.value) + "/block");
    sent(w);
    w.happened();
    int number = 0;
    for (const auto& uri : uris) {
        auto text = std::to_string(++number);
        comes(request(text, uri));
        // Shown by its server only: asking for it would be an answer, too.
        comes(bob.activity(
            "QuoteRequest", uri, "ask-by-id-" + text, R"(,"instrument":")" + bob.note_id("n" + text) + "\""
        ));
    }
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(w.happened(), "");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(FarQuotes, attack_30_are_not_asked_for_by_others_nor_by_what_quotes_something_else) {
    auto status = mine(), other = mine();
    Peer eve(w, "eve", "evil.example");
    eve.known();
    auto uri = uri_of(w, status);
    comes(eve, eve.activity("QuoteRequest", uri, "ask", R"(,"instrument":)" + quoting("1", uri)));
    comes(bob.activity("QuoteRequest", uri, "ask", R"(,"instrument":)" + quoting("2", uri_of(w, other))));
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(known("1") + known("2"), "");
}

TEST_P(FarQuotes, end_when_the_author_here_revokes_the_authorization) {
    auto status = mine();
    comes(request("1", uri_of(w, status)));
    auto authorization = sent(w)[0]["result"];
    alice.post("/api/v1/statuses/" + status + "/quotes/" + known("1") + "/revoke");
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Delete far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object.id"], authorization);
    EXPECT_EQ(told[0]["object.type"], "QuoteAuthorization");
    EXPECT_EQ(w.anonymous().get(authorization.substr(w.site().public_url.size())).status, 404);
    comes(request("1", uri_of(w, status)) + " ");
    EXPECT_THAT(sent_lines(w), IsEmpty());  // the same request
}

TEST_P(FarQuotes, of_somebody_there_are_asked_for_and_shown_once_they_agree) {
    auto quoted = theirs("9");
    auto mine = alice.status("look at this", {{"quoted_status_id", quoted}});
    EXPECT_EQ(state(mine), "pending");
    auto told = sent(w);
    auto ask = std::ranges::find(told, "QuoteRequest", [](const Sent& s) { return s["type"]; });
    ASSERT_NE(ask, told.end());
    EXPECT_EQ(ask->inbox, "far.example/users/bob/inbox");
    EXPECT_EQ((*ask)["object"], bob.note_id("9"));
    EXPECT_EQ((*ask)["instrument.id"], uri_of(w, mine));
    auto authorization = std::string("https://far.example/stamps/1");
    // Not by somebody else, nor with an authorization of another server.
    Peer eve(w, "eve", "evil.example");
    eve.known();
    comes(eve, eve.activity("Accept", (*ask)["id"], "a", R"(,"result":"https://evil.example/stamps/1")"));
    comes(bob.activity("Accept", (*ask)["id"], "b", R"(,"result":"https://evil.example/stamps/1")"));
    EXPECT_EQ(state(mine), "pending");
    comes(bob.activity("Accept", (*ask)["id"], "c", R"(,"result":")" + authorization + "\""));
    EXPECT_EQ(state(mine), "accepted");
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Update far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["object.quoteAuthorization"], authorization);
    // They take it back.
    comes(eve, eve.activity("Delete", authorization, "d"));
    EXPECT_EQ(state(mine), "accepted");
    comes(bob.activity("Delete", R"({"type":"QuoteAuthorization","id":")" + authorization + "\"}", "e"));
    EXPECT_EQ(state(mine), "revoked");
    told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0]["object.quoteAuthorization"], "absent");
}

TEST_P(FarQuotes, of_somebody_there_stay_hidden_when_they_refuse) {
    auto mine = alice.status("look at this", {{"quoted_status_id", theirs("9")}});
    auto told = sent(w);
    auto ask = std::ranges::find(told, "QuoteRequest", [](const Sent& s) { return s["type"]; });
    ASSERT_NE(ask, told.end());
    auto embedded = R"({"type":"QuoteRequest","actor":")" + uri_of(w, alice) + R"(","object":")" +
                    bob.note_id("9") + R"(","instrument":")" + uri_of(w, mine) + "\"}";
    comes(bob.activity("Reject", embedded, "no"));
    EXPECT_EQ(state(mine), "rejected");
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

TEST_P(FarQuotes, for_this_site_alone_are_not_asked_for) {
    alice.status("look", {{"quoted_status_id", theirs("9")}, {"local_only", "true"}});
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

TEST_P(FarQuotes, among_others_are_shown_when_the_authorization_comes_later_and_fits) {
    auto quoted = theirs("9");
    Peer carol(w, "carol", "third.example");
    carol.known();
    auto status = remote::note(w, carol.id, "x");
    status.uri = "https://third.example/notes/1";
    status.quote = statuses::RemoteQuote{bob.note_id("9"), "", false};
    auto id = remote::stored(w, status);
    w.run_jobs();
    EXPECT_EQ(state(id), "pending");
    auto authorization = [&](const std::string& url, const std::string& author) {
        elsewhere::serve(
            url,
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"QuoteAuthorization","id":")" +
                url + R"(","attributedTo":")" + author + R"(","interactingObject":")" + status.uri +
                R"(","interactionTarget":")" + bob.note_id("9") + "\"}"
        );
        return R"(,"quote":")" + bob.note_id("9") + R"(","quoteAuthorization":")" + url + "\"";
    };
    auto good = authorization("https://far.example/stamps/1", bob.uri);
    comes(carol, carol.activity("Update", carol.note("1", "hello", good), "u1"));
    w.run_jobs();
    EXPECT_EQ(state(id), "accepted");
    comes(bob.activity("Delete", "https://far.example/stamps/1", "gone"));
    EXPECT_EQ(state(id), "revoked");
}

TEST_P(FarQuotes, attack_30_authorizations_that_the_author_did_not_give_count_as_a_refusal) {
    theirs("9");
    Peer carol(w, "carol", "third.example");
    carol.known();
    auto forged = std::string("https://third.example/stamps/1");
    auto status = remote::note(w, carol.id, "x");
    status.uri = "https://third.example/notes/1";
    status.quote = statuses::RemoteQuote{bob.note_id("9"), forged, false};
    elsewhere::serve(
        forged,
        R"({"@context":"https://www.w3.org/ns/activitystreams","type":"QuoteAuthorization","id":")" + forged +
            R"(","attributedTo":")" + bob.uri + R"(","interactingObject":")" + status.uri +
            R"(","interactionTarget":")" + bob.note_id("9") + "\"}"
    );
    auto id = remote::stored(w, status);
    w.run_jobs();
    EXPECT_EQ(state(id), "rejected");
}

TEST_P(FarQuotes, in_the_words_of_older_software_count_for_ones_own_posts_only) {
    theirs("9");
    Peer carol(w, "carol", "third.example");
    carol.known();
    auto status = remote::note(w, bob.id, "1");
    status.quote = statuses::RemoteQuote{bob.note_id("later"), "", true};
    auto own = remote::stored(w, status);
    EXPECT_EQ(state(own), "absent");
    theirs("later");
    EXPECT_EQ(state(own), "accepted");
    auto other = remote::note(w, carol.id, "x");
    other.uri = "https://third.example/notes/1";
    other.quote = statuses::RemoteQuote{bob.note_id("9"), "", true};
    EXPECT_EQ(state(remote::stored(w, other)), "absent");
}

}  // namespace
