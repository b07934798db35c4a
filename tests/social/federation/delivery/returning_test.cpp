// SPDX-License-Identifier: AGPL-3.0-or-later
// A server that could not be reached for days is written to again once it writes to us.
#include "social/federation/delivery/hosts.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/sent.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const db::Command test_host_is_unavailable{
    "test_host_is_unavailable",
    R"(INSERT INTO hosts (authority, failures, failure_days, unavailable_since) VALUES ('far.example', 70, 7, $1))"
};

struct ReturningServers : OnEachWorld {
    Person alice = w.local("alice");
    Peer bob = Peer(w).known();

    void SetUp() override {
        w.write([&](db::Write& db) { db.run(test_host_is_unavailable, db.now()); });
        w.changed();
    }
    federation::HostState state() {
        return w.read([&](db::Read& db) { return federation::hosts(db); }).at(0).state;
    }
};
ON_EACH_DATABASE(ReturningServers);

TEST_P(ReturningServers, are_answered_and_told_again) {
    alice.status("to @bob@far.example");
    EXPECT_THAT(sent_lines(w), IsEmpty());
    EXPECT_EQ(bob.brings(bob.follow(uri_of(w, alice))).status, 202);
    w.run_inbox();
    EXPECT_EQ(state(), federation::HostState::well);
    EXPECT_THAT(sent_lines(w), ElementsAre("Accept far.example/users/bob/inbox"));
    alice.status("later");
    EXPECT_THAT(sent_lines(w), ElementsAre("Create far.example/users/bob/inbox"));
}

TEST_P(ReturningServers, are_not_those_in_whose_name_others_write) {
    auto forged = bob;
    forged.signs_with_another_key();
    EXPECT_EQ(forged.brings(bob.follow(uri_of(w, alice))).status, 401);
    w.run_inbox();
    EXPECT_EQ(state(), federation::HostState::unavailable);
    EXPECT_THAT(sent_lines(w), IsEmpty());
}

}  // namespace
