// SPDX-License-Identifier: AGPL-3.0-or-later
// People of this site who go on elsewhere, or come here, and reports that go to other servers.
#include "social/federation/moving/moving.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/relays/relay.hpp"
#include "social/federation/remote.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

const db::Command test_name_alias{
    "test_name_alias", "UPDATE actors SET also_known_as = $2 WHERE account_id = $1"
};
const db::Command test_accept_relays{"test_accept_relays", "UPDATE relays SET state = 'accepted'"};

struct Relocating : OnEachWorld {
    Person alice = w.local("alice");
    Person program = w.anonymous().with("Accept", "application/activity+json");
    Peer bob = Peer(w).known();
    Peer next = Peer(w, "alice", "new.example").known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    void next_names(const std::string& uri) {
        w.write([&](db::Write& db) { db.run(test_name_alias, next.id, "[\"" + uri + "\"]"); });
    }
    void move() {
        w.write([&](db::Write& db) { federation::move_out(db, remote::number(alice), next.id); });
    }
};
ON_EACH_DATABASE(Relocating);

TEST_P(Relocating, out_needs_the_new_accounts_word_and_happens_once_in_thirty_days) {
    auto before = w.dump();
    EXPECT_THROW(move(), base::Invalid);
    EXPECT_EQ(w.dump(), before);
    next_names(uri_of(w, alice));
    move();
    w.write([&](db::Write& db) { accounts::move_to(db, remote::number(alice), {}); });
    EXPECT_THROW(move(), base::Invalid);
    w.advance(29 * 86'400);
    EXPECT_THROW(move(), base::Invalid);
    w.advance(2 * 86'400);
    move();
}

TEST_P(Relocating, out_is_told_to_followers_and_shown) {
    comes(bob, bob.follow(uri_of(w, alice)));
    auto carol = w.local("carol");
    carol.follows(alice);
    sent(w);
    auto uri = uri_of(w, alice);
    next_names(uri);
    move();
    auto told = sent(w);
    EXPECT_EQ(told.size(), 2u);
    auto move_of = std::ranges::find(told, "Move far.example/users/bob/inbox", &Sent::line);
    ASSERT_NE(move_of, told.end());
    EXPECT_EQ((*move_of)["actor"], uri);
    EXPECT_EQ((*move_of)["object"], uri);
    EXPECT_EQ((*move_of)["target"], next.uri);
    // A local follower goes along.
    EXPECT_NE(std::ranges::find(told, "Follow new.example/users/alice/inbox", &Sent::line), told.end());
    auto shown = program.get(uri.substr(w.site().public_url.size()));
    EXPECT_EQ(shown["movedTo"], next.uri);
    comes(bob, bob.follow(uri, "again"));
}

TEST_P(Relocating, out_is_told_to_who_blocks_the_account_and_to_relays) {
    Peer eve = Peer(w, "eve", "other.example").known();
    comes(eve, eve.activity("Block", uri_of(w, alice), "1"));
    next_names(uri_of(w, alice));
    const std::string inbox = "https://relay.example/inbox";
    w.write([&](db::Write& db) { federation::add_relay(db, inbox, inbox, ""); });
    w.write([](db::Write& db) { db.run(test_accept_relays); });
    sent(w);
    move();
    EXPECT_THAT(
        sent_lines(w), UnorderedElementsAre("Move other.example/users/eve/inbox", "Move relay.example/inbox")
    );
}

TEST_P(Relocating, here_takes_followers_along_from_an_account_that_is_named) {
    auto carol = w.local("carol");
    remote::follows(w, carol, bob.id);
    bob.publish();
    auto move = [&](const std::string& number) {
        comes(bob, bob.activity("Move", bob.uri, number, R"(,"target":")" + uri_of(w, alice) + "\""));
        w.run_jobs();
    };
    auto followed = [&] { return alice.get("/api/v1/accounts/" + alice.id)["followers_count"]; };
    move("1");
    EXPECT_EQ(followed(), "0");
    w.write([&](db::Write& db) { accounts::add_alias(db, remote::number(alice), bob.uri); });
    EXPECT_EQ(program.get("/ap/users/" + alice.id)["alsoKnownAs.0"], bob.uri);
    const auto list = carol.post("/api/v1/lists", {{"title", "friends"}})["id"];
    carol.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", remote::text(bob.id)}});
    move("2");
    EXPECT_EQ(followed(), "1");
    EXPECT_THAT(carol.get("/api/v1/lists/" + list + "/accounts").all("acct"), ElementsAre("alice"));
}

TEST_P(Relocating, aliases_are_named_once_and_removed) {
    auto id = remote::number(alice);
    auto all = [&] { return w.read([&](db::Read& db) { return accounts::aliases(db, id); }); };
    w.write([&](db::Write& db) { accounts::add_alias(db, id, bob.uri); });
    w.write([&](db::Write& db) { accounts::add_alias(db, id, bob.uri); });
    EXPECT_THAT(all(), ElementsAre(bob.uri));
    EXPECT_TRUE(w.write([&](db::Write& db) { return accounts::remove_alias(db, id, bob.uri); }));
    EXPECT_FALSE(w.write([&](db::Write& db) { return accounts::remove_alias(db, id, bob.uri); }));
    EXPECT_THAT(all(), IsEmpty());
    EXPECT_EQ(program.get("/ap/users/" + alice.id)["alsoKnownAs"], "absent");
}

struct ReportForwarding : Relocating {
    std::string post(const std::string& number, const std::string& answers = "") {
        auto status = remote::note(w, bob.id, number);
        status.in_reply_to = answers;
        return remote::stored(w, status);
    }
    Fields complaint(const std::string& status) {
        return {{"account_id", remote::text(bob.id)}, {"status_ids[]", status}, {"comment", "rude"}};
    }
    void report(Fields fields) {
        sent(w);
        EXPECT_EQ(alice.post("/api/v1/reports", fields).status, 200);
    }
};
ON_EACH_DATABASE(ReportForwarding);

TEST_P(ReportForwarding, of_reports_is_done_by_the_server_where_it_is_wished) {
    auto status = post("1");
    auto fields = complaint(status);
    report(fields);
    EXPECT_THAT(sent_lines(w), IsEmpty());
    fields.push_back({"forward", "true"});
    report(fields);
    auto told = sent(w);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].line(), "Flag far.example/users/bob/inbox");
    EXPECT_EQ(told[0]["actor"], w.site().public_url + "/actor");
    EXPECT_EQ(told[0]["content"], "rude");
    EXPECT_EQ(told[0]["object.0"], bob.uri);
    EXPECT_EQ(told[0]["object.1"], bob.note_id("1"));
    EXPECT_EQ(told[0].activity.body.find(uri_of(w, alice)), std::string::npos);
}

TEST_P(ReportForwarding, of_reports_reaches_those_who_were_answered_and_nobody_else) {
    auto first = remote::note(w, next.id, "x");
    first.uri = "https://new.example/notes/1";
    remote::stored(w, first);
    auto fields = complaint(post("1", first.uri));
    fields.push_back({"forward", "true"});
    fields.push_back({"forward_to_domains[]", "new.example"});
    fields.push_back({"forward_to_domains[]", "stranger.example"});
    report(fields);
    EXPECT_THAT(sent_lines(w), UnorderedElementsAre("Flag new.example/users/alice/inbox"));
}

}  // namespace
