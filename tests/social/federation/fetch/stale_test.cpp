// SPDX-License-Identifier: AGPL-3.0-or-later
// Actors of other servers that are asked for again because nobody asked for a week.
#include "social/federation/fetch/related_jobs.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

namespace {

using namespace federation;

const db::Command test_known_account{
    "test_known_account",
    "INSERT INTO accounts (id, username, domain, uri, created_at) VALUES ($1, $2, 'a.example', $2, 0)"
};
const db::Command test_known_actor{
    "test_known_actor", "INSERT INTO actors (account_id, inbox, refreshed_at) VALUES ($1, 'i', $2)"
};
const db::Command test_local_follow{
    "test_local_follow", "INSERT INTO follows (id, account_id, target_id, created_at) VALUES ($1, $2, $3, 0)"
};

struct StaleActors : OnEachWorld {
    Person alice = w.local("alice");

    // So many actors, of whom alice follows those that the function says.
    template <class F>
    void know(int many, F followed, base::Time refreshed = {}) {
        w.write([&](db::Write& db) {
            for (int i = 0; i < many; ++i) {
                auto id = db.new_id<base::AccountId>();
                db.run(test_known_account, id, "u" + std::to_string(id.value));
                db.run(test_known_actor, id, refreshed);
                if (followed(i))
                    db.run(
                        test_local_follow,
                        db.new_id<base::FollowId>(),
                        base::AccountId{std::stoll(alice.id)},
                        id
                    );
            }
        });
        w.happened();
    }
    std::ptrdiff_t found() {
        support::run_periodic(w, find_stale_actors);
        auto names = w.happened();
        std::ptrdiff_t count = 0;
        for (auto at = names.find("ActorStale"); at != names.npos; at = names.find("ActorStale", at + 1))
            ++count;
        return count;
    }
};
ON_EACH_DATABASE(StaleActors);

TEST_P(StaleActors, are_found_across_the_chunks_however_few_are_followed) {
    know(4001, [](int i) { return i == 0 || i == 1999 || i == 2000 || i == 4000; });
    EXPECT_EQ(found(), 2);
    EXPECT_EQ(found(), 1);
    EXPECT_EQ(found(), 1);
    EXPECT_EQ(found(), 0);  // all have had their turn
    w.advance(8 * 86'400);
    EXPECT_EQ(found() + found() + found(), 4);
}

TEST_P(StaleActors, are_asked_for_fifty_at_a_time) {
    know(120, [](int) { return true; });
    EXPECT_EQ(found(), 50);
    EXPECT_EQ(found(), 50);
    EXPECT_EQ(found(), 20);
}

TEST_P(StaleActors, are_not_those_that_were_asked_for_within_the_week) {
    know(3, [](int) { return true; }, w.now());
    EXPECT_EQ(found(), 0);
}

}  // namespace
