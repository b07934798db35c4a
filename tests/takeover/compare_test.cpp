// SPDX-License-Identifier: AGPL-3.0-or-later
// A copy is compared with what the other server has, and given back.
#include "takeover/compare.hpp"
#include "server/checks/checks.hpp"
#include "social/former/former.hpp"
#include "takeover/stage.hpp"
#include "takeover/undo.hpp"

#include <gmock/gmock.h>

namespace {

using namespace takeover_stage;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::SizeIs;

struct Compared : CopiedTo {
    void TearDown() override {
        former::use_past({});
        CopiedTo::TearDown();
    }
    template <class Before>
    takeover::Comparison compare(
        const Before& before, const takeover::Settings& settings, std::size_t samples = 100
    ) {
        auto foreign = db::open_foreign(before.source());
        return takeover::compare(target(), *takeover::recognise(*foreign, settings), samples);
    }
    static std::vector<std::string> lines(const takeover::Comparison& found) {
        std::vector<std::string> out;
        for (const auto& d : found.differences)
            out.push_back(d.address + ": " + d.what + ": " + d.there + ", " + d.here);
        return out;
    }
    void change_here(const std::string& statement) { target().connection.script(statement); }
};
struct MastodonCompared : Compared {
    void SetUp() override {
        CopiedTo::SetUp();
        if (IsSkipped()) return;
        if (!support::postgres_url()) GTEST_SKIP() << "a Mastodon needs PostgreSQL: DUNLIN_TEST_POSTGRES";
        before.emplace();
        before->change("UPDATE users SET email = 'Alice@Example.ORG' WHERE id = 1");
        copy(*before, {.settings = Mastodon::settings(), .notification_days = 2000});
    }
    takeover::Comparison compared(std::size_t samples = 100) {
        return compare(*before, Mastodon::settings(), samples);
    }
    std::optional<Mastodon> before;
    const std::string alice = "https://social.example.org/users/alice",
                      estuary = alice + "/statuses/117539654860800017";
};
ON_EACH_DATABASE(MastodonCompared);
using GoToSocialCompared = Compared;
ON_EACH_DATABASE(GoToSocialCompared);

TEST_P(MastodonCompared, a_whole_copy_differs_in_nothing) {
    const auto found = compared();
    EXPECT_THAT(lines(found), IsEmpty());
    EXPECT_EQ(found.people, 2);
    EXPECT_EQ(found.posts, 9) << "all that were written here, and are not deleted or boosts";
    EXPECT_TRUE(found.same());
    EXPECT_EQ(compared(1).posts, 1);
}

TEST_P(MastodonCompared, what_changed_there_since_is_named) {
    before->change(
        "UPDATE statuses SET text = 'Last light', spoiler_text = 'dusk' WHERE id = 117539654860800017;"
        "DELETE FROM favourites WHERE id = 41; UPDATE accounts SET display_name = 'Alice W' WHERE id = 1;"
        "UPDATE users SET encrypted_password = 'another' WHERE id = 1"
    );
    const auto found = compared();
    EXPECT_FALSE(found.same());
    const auto all = lines(found);
    ASSERT_THAT(all, SizeIs(5));
    EXPECT_EQ(all[0], alice + ": display name: Alice W, Alice Wader");
    EXPECT_THAT(all[1], HasSubstr(alice + ": password: "));
    EXPECT_EQ(all[1].find("another"), std::string::npos) << "no secret is shown";
    EXPECT_EQ(all[2], estuary + ": warning: dusk, ");
    EXPECT_EQ(all[3], estuary + ": likes: 1, 2");
    EXPECT_EQ(all[4], estuary + ": text: Last light, First light over the estuary #waders");
}

TEST_P(MastodonCompared, what_is_not_here_or_was_refused_is_named) {
    change_here(
        "DELETE FROM statuses WHERE id = 8; DELETE FROM actor_keys WHERE account_id = 1;"
        "DELETE FROM statuses WHERE id = 117550979481600051;"
        "INSERT INTO takeover_refusals (kind, former, reason) VALUES ('status', '117550979481600051', 'it is "
        "bad')"
    );
    const auto found = compared();
    EXPECT_EQ(found.refused, 1);
    const auto all = lines(found);
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all[0], HasSubstr(alice + ": key " + alice + "#main-key: rsa "));
    EXPECT_THAT(all[0], HasSubstr(", none"));
    EXPECT_EQ(all[1], alice + "/statuses/8: all of it: is there, is not here");
    EXPECT_EQ(all[2], alice + "/statuses/117550979481600051: all of it: is there, was refused: it is bad");
}

TEST_P(GoToSocialCompared, a_whole_copy_differs_in_nothing_and_what_changed_there_is_named) {
    const GoToSocial before;
    before.change(
        "UPDATE users SET email = 'Alice@Example.ORG' WHERE email LIKE 'alice%';"
        "UPDATE users SET email = NULL, unconfirmed_email = 'Bob@Example.ORG' WHERE email LIKE 'bob%'"
    );
    copy(before);
    EXPECT_EQ(ask("SELECT email FROM users ORDER BY email"), "alice@example.org\nbob@example.org");
    const auto found = compare(before, {});
    EXPECT_THAT(lines(found), IsEmpty());
    EXPECT_GT(found.people, 1);
    EXPECT_GT(found.posts, 3);
    EXPECT_TRUE(found.same());
    EXPECT_EQ(compare(before, {}, 1).people, 1);
    before.change("UPDATE accounts SET display_name = 'Somebody else' WHERE username = 'alice'");
    EXPECT_THAT(
        lines(compare(before, {})), ElementsAre(HasSubstr("/users/alice: display name: Somebody else, "))
    );
}

struct PlaceGivenBack : Compared {
    takeover::Since since() {
        return db::read_now(*connection(), database.options.context, takeover::since_finish);
    }
    db::Connection* connection() { return &target().connection; }
    std::string reason(bool rehearsal = false) {
        return db::read_now(*connection(), database.options.context, [&](db::Read& db) {
            return server::reason_not_to_serve(db, rehearsal).value_or("");
        });
    }
    bool can_serve() { return reason().empty(); }
    bool can_be_rehearsed() { return reason(true).empty(); }
};
ON_EACH_DATABASE(PlaceGivenBack);

TEST_P(PlaceGivenBack, what_came_since_is_told_and_the_place_can_be_taken_again) {
    const GoToSocial before;
    EXPECT_TRUE(can_serve());
    EXPECT_FALSE(can_be_rehearsed());
    copy(before);
    EXPECT_THAT(reason(), HasSubstr("run `dunlin takeover finish` first"));
    EXPECT_TRUE(can_be_rehearsed());
    EXPECT_THROW(since(), takeover::Unsuitable) << "nothing is finished yet";
    takeover::finish(target());
    EXPECT_TRUE(can_serve());
    EXPECT_THAT(since().people, IsEmpty());
    const auto alice = ask("SELECT id FROM accounts WHERE username = 'alice' AND domain = ''");
    const auto later = std::to_string((database.clock_ms + 1000) << 16);
    change_here(
        "INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, text) VALUES (" +
        later + ", " + alice +
        ", 1, 'public', 0, 'after it');"
        "INSERT INTO follows (id, account_id, target_id, created_at) VALUES (" +
        later + ", " + alice + ", 7, 0)"
    );
    const auto found = since();
    EXPECT_EQ(found.finished_at.ms, now);
    ASSERT_THAT(found.people, SizeIs(1));
    EXPECT_EQ(found.people[0].username + " " + std::to_string(found.people[0].posts), "alice 1");
    const auto bob = ask("SELECT id FROM accounts WHERE username = 'bob' AND domain = ''");
    change_here(
        "INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, text) VALUES (" +
        std::to_string(std::int64_t{1'600'000'000'000} << 16) + ", " + bob +
        ", 1, 'public', 0, 'of long ago');"
        "INSERT INTO imported_posts (status_id, account_id, import_id, uri, here_only) SELECT id, "
        "account_id, 1, 'https://elsewhere.example/1', FALSE FROM statuses WHERE text IN ('after it', 'of "
        "long ago')"
    );
    const auto brought = since().people;
    ASSERT_THAT(brought, SizeIs(2)) << "what an archive brought along is older, and new";
    EXPECT_EQ(brought[0].posts, 1);
    EXPECT_EQ(brought[1].username + " " + std::to_string(brought[1].posts), "bob 1");
    EXPECT_EQ(found.follows, 1);
    EXPECT_EQ(found.accounts, 0);
    takeover::undo(target());
    EXPECT_THAT(reason(), HasSubstr("the other server answers now"));
    EXPECT_FALSE(can_be_rehearsed());
    EXPECT_THROW(since(), takeover::Unsuitable) << "it is given back already";
    copy(before);
    EXPECT_EQ(ask("SELECT count(*) FROM statuses WHERE text = 'after it'"), "0");
    EXPECT_TRUE(can_be_rehearsed());
    takeover::finish(target());
    EXPECT_TRUE(can_serve());
}

}  // namespace
