// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts of other servers that nobody here touched, and what becomes of them (option remote_posts_days).
#include "social/statuses/remote/old_posts.hpp"

#include "social/federation/remote.hpp"
#include "social/labels/use.hpp"
#include "social/media/copy.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

const db::Query<std::int64_t> test_remote_posts{
    "test_remote_posts", "SELECT count(*) AS n FROM statuses WHERE local = FALSE"
};
const db::Query<std::int64_t> test_facts_of_posts{
    "test_facts_of_posts",
    R"(SELECT (SELECT count(*) FROM remote_statuses) + (SELECT count(*) FROM status_tags)
            + (SELECT count(*) FROM poll_options) + (SELECT count(*) FROM mentions) + (SELECT count(*) FROM media)
            + (SELECT count(*) FROM status_edits) + (SELECT count(*) FROM status_texts)
            + (SELECT count(*) FROM remote_files) + (SELECT count(*) FROM conversations) AS n)"
};
const db::Query<std::int64_t> test_told{
    "test_told", "SELECT (SELECT count(*) FROM activities) + (SELECT count(*) FROM deliveries) AS n"
};
// As if it had been made by a version that noted nothing.
const db::Command test_bookmark_unnoted{
    "test_bookmark_unnoted", "INSERT INTO bookmarks (id, account_id, status_id) VALUES ($1, $2, $3)"
};
const db::Command test_pin{
    "test_pin", "INSERT INTO status_pins (id, account_id, status_id) VALUES ($1, $2, $3)"
};

constexpr std::int64_t day = 86'400;

struct OldPosts : OnEachWorld {
    Person alice = w.local("alice");
    base::AccountId bob = remote::somebody(w, "bob"), carol = remote::somebody(w, "carol", "third.example");
    int posts = 0;

    OldPosts() { keep(90); }
    void keep(int days) {
        w.write([&](db::Write& db) { statuses::keep_remote_posts_for(db, days); });
    }
    // Fetched, so that its number is of its time: ids of this process only grow, whatever the clock of a test says.
    statuses::RemoteStatus note(base::AccountId author) {
        auto out = remote::note(w, author, std::to_string(++posts));
        out.delivered = false;
        out.quote_policy = statuses::QuotePolicy::public_;
        return out;
    }
    std::string post(base::AccountId author) { return remote::stored(w, note(author)); }
    std::string post() { return post(bob); }
    std::string answer(const std::string& uri, base::AccountId author) {
        auto reply = note(author);
        reply.in_reply_to = uri;
        return remote::stored(w, reply);
    }
    std::string boost(const std::string& id, base::AccountId by) {
        const auto made = w.write([&](db::Write& db) {
            return statuses::reblog_remote(
                db,
                {"https://third.example/boosts/" + std::to_string(++posts),
                 by,
                 remote::status(id),
                 w.now(),
                 statuses::Visibility::public_,
                 false}
            );
        });
        return std::to_string(made.value().id.value);
    }
    void pass(std::int64_t days) {
        w.run_jobs();
        w.advance(days * day);
    }
    // Until it rests.
    int clean() {
        int turns = 0;
        while (turns < 1000 && support::run_periodic(w, statuses::remove_old_posts)) ++turns;
        w.catch_up();
        return turns;
    }
    bool there(const std::string& id) { return alice.get("/api/v1/statuses/" + id).status == 200; }
    std::int64_t count(const db::Query<std::int64_t>& what) {
        return w.read([&](db::Read& db) { return db.one(what); });
    }
};
ON_EACH_DATABASE(OldPosts);

TEST_P(OldPosts, leave_without_a_trace_when_nobody_here_touched_them_and_nobody_is_told) {
    auto said = note(bob);
    said.html = statuses::RemoteHtml("<p>about #herons</p>");
    said.tags = {"herons"};
    said.mentions = {{carol}};
    said.media.push_back({"https://far.example/a.png", "", "image/png", "a heron", "", 10, 20, {}, {}, {}});
    said.poll = statuses::RemotePoll{false, {{"yes", 1}, {"no", 2}}, w.now().plus_seconds(3600), 3};
    const auto old = remote::stored(w, said);
    w.write([&](db::Write& db) {
        media::keep_copy(
            db, "https://far.example/a.png", {"media/ab/ab1.png", "media/ab/ab1.png", {}, {}}, 9
        );
    });
    boost(old, carol);
    w.catch_up();
    EXPECT_TRUE(there(old));
    const auto author = "/api/v1/accounts/" + remote::text(bob);
    const auto known = alice.get(author)["statuses_count"];
    const auto told = count(test_told);
    pass(91);
    clean();
    EXPECT_FALSE(there(old));
    EXPECT_EQ(count(test_remote_posts), 0);
    EXPECT_EQ(count(test_facts_of_posts), 0);
    EXPECT_EQ(count(test_told), told);
    EXPECT_EQ(alice.get(author)["statuses_count"], known) << "its author has not deleted it";
    EXPECT_EQ(alice.get("/api/v2/search", {{"q", "herons"}, {"type", "statuses"}})["statuses"], "[]");
    EXPECT_TRUE(there(remote::stored(w, said))) << "who asks for it has it again";
}

TEST_P(OldPosts, that_are_fetched_again_say_what_their_server_says_now) {
    auto said = note(bob);
    said.html = statuses::RemoteHtml("<p>a heron</p>");
    const auto old = remote::stored(w, said);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + old)["content"], "<p>a heron</p>");
    pass(91);
    clean();
    EXPECT_FALSE(there(old));
    said.html = statuses::RemoteHtml("<p>two herons</p>");
    EXPECT_EQ(remote::stored(w, said), old);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + old)["content"], "<p>two herons</p>");
}

TEST_P(OldPosts, stay_for_so_many_days_and_for_ever_by_default) {
    const auto old = post();
    pass(2);
    const auto young = post();
    pass(88 + 1);
    keep(0);
    EXPECT_EQ(clean(), 0);
    EXPECT_TRUE(there(old));
    keep(90);
    clean();
    EXPECT_FALSE(there(old));
    EXPECT_TRUE(there(young));
}

TEST_P(OldPosts, stay_when_somebody_here_touched_them) {
    const auto dave = remote::somebody(w, "dave"), erin = remote::somebody(w, "erin");
    remote::follows(w, alice, dave);
    std::map<std::string, std::string> kept;
    const auto path = [&](const char* how) { return "/api/v1/statuses/" + (kept[how] = post()); };
    alice.post(path("bookmarked") + "/bookmark");
    alice.post(path("once bookmarked") + "/bookmark");
    alice.post("/api/v1/statuses/" + kept["once bookmarked"] + "/unbookmark");
    alice.favourites(kept["favourited"] = post());
    alice.reblogs(kept["boosted"] = post());
    alice.answers(kept["answered"] = post(), "I see");
    alice.status("look", {{"quoted_status_id", kept["quoted"] = post()}});
    kept["of somebody followed"] = post(dave);
    boost(kept["boosted by somebody followed"] = post(), dave);
    kept["pinned"] = post(erin);
    w.write([&](db::Write& db) { db.run(test_pin, std::int64_t{1}, erin, remote::status(kept["pinned"])); });
    auto to_alice = note(bob);
    to_alice.mentions = {{remote::number(alice)}};
    kept["naming somebody here"] = remote::stored(w, to_alice);
    auto asking = note(bob);
    asking.poll = statuses::RemotePoll{false, {{"yes", 1}, {"no", 2}}, w.now().plus_seconds(3600), 3};
    kept["voted in"] = remote::stored(w, asking);
    alice.post(
        "/api/v1/polls/" + alice.get("/api/v1/statuses/" + kept["voted in"])["poll.id"] + "/votes",
        {{"choices[]", "0"}}
    );
    auto hidden = note(bob);
    hidden.visibility = statuses::Visibility::private_;
    const auto for_followers = remote::stored(w, hidden);
    const auto reported = post();
    EXPECT_EQ(
        alice
            .post(
                "/api/v1/reports",
                {{"account_id", remote::text(bob)}, {"status_ids[]", reported}, {"comment", "look"}}
            )
            .status,
        200
    );
    kept["reported"] = reported;
    kept["quoted elsewhere"] = post();
    auto quoting = note(dave);
    quoting.quote =
        statuses::RemoteQuote{"https://far.example/notes/" + std::to_string(posts - 1), {}, false};
    const auto quoter = remote::stored(w, quoting);
    w.write([&](db::Write& db) { statuses::settle_quote(db, remote::status(quoter), true); });
    kept["labelled"] = post();
    w.write([&](db::Write& db) {
        const auto label = labels::create(db, {"satire", {}, labels::LabelEffect::none});
        labels::put(db, label, labels::Bearer::of(remote::status(kept["labelled"])), {});
    });
    const auto untouched = post();
    pass(200);
    clean();
    for (const auto& [how, id] : kept) EXPECT_TRUE(there(id)) << how;
    EXPECT_FALSE(there(untouched));
    EXPECT_TRUE(w.read([&](db::Read& db) {
        return statuses::find_status(db, remote::status(for_followers)).has_value();
    })) << "what not everybody may read cannot be fetched again";
}

TEST_P(OldPosts, stay_or_leave_with_their_threads) {
    const auto root = note(bob), other = note(bob), quiet = note(bob), open = note(bob);
    std::vector<std::string> touched{remote::stored(w, root)}, answered{remote::stored(w, other)},
        untouched{remote::stored(w, quiet)}, growing{remote::stored(w, open)};
    touched.push_back(answer(root.uri, carol));
    touched.push_back(answer(root.uri, bob));
    alice.favourites(touched[1]);
    answered.push_back(answer(other.uri, carol));
    alice.answers(answered[1], "Indeed");
    untouched.push_back(answer(quiet.uri, carol));
    untouched.push_back(answer(quiet.uri, bob));
    pass(85);
    growing.push_back(answer(open.uri, carol));
    pass(10);
    clean();
    for (const auto& id : touched) EXPECT_TRUE(there(id));
    for (const auto& id : answered) EXPECT_TRUE(there(id));
    for (const auto& id : growing) EXPECT_TRUE(there(id)) << "what it ends in is young";
    for (const auto& id : untouched) EXPECT_FALSE(there(id));
    pass(85);
    clean();
    for (const auto& id : growing) EXPECT_FALSE(there(id));
}

TEST_P(OldPosts, stay_with_their_boosts_when_the_thread_moved_to_what_came_later) {
    const auto dave = remote::somebody(w, "dave");
    remote::follows(w, alice, dave);
    const auto first = note(bob), second = note(bob);
    const auto boosted = answer(first.uri, carol), own = answer(second.uri, carol);
    boost(boosted, dave);
    alice.reblogs(own);
    std::vector<std::string> all{boosted, own, remote::stored(w, first), remote::stored(w, second)};
    const auto count_of = [&](const std::string& id) {
        return alice.get("/api/v1/statuses/" + id)["reblogs_count"];
    };
    const auto told = count(test_told);
    pass(91);
    clean();
    for (const auto& id : all) EXPECT_TRUE(there(id));
    EXPECT_EQ(count_of(boosted) + count_of(own), "11");
    EXPECT_EQ(count(test_told), told);
}

TEST_P(OldPosts, are_found_chunk_by_chunk_and_long_threads_go_in_several_turns) {
    std::vector<std::string> ids;
    for (int i = 0; i < 505; ++i) ids.push_back(post());
    const auto root = note(carol);
    ids.push_back(remote::stored(w, root));
    for (int i = 0; i < 80; ++i) ids.push_back(answer(root.uri, carol));
    w.write([&](db::Write& db) {
        std::int64_t id = 0;
        for (std::size_t i = 298; i < 502; ++i)  // more than are noted at once, over the end of a chunk
            db.run(test_bookmark_unnoted, ++id, remote::number(alice), remote::status(ids[i]));
    });
    pass(91);
    clean();
    EXPECT_EQ(count(test_remote_posts), 204);
    EXPECT_TRUE(there(ids[298]));
    EXPECT_TRUE(there(ids[501]));
    EXPECT_FALSE(there(ids[297]));
    EXPECT_FALSE(there(ids[502]));
    EXPECT_FALSE(there(ids.back()));
}

TEST_P(OldPosts, that_are_no_longer_touched_leave_in_the_next_round) {
    const auto once = post();
    remote::follows(w, alice, carol);
    const auto followed = post(carol);
    alice.favourites(once);
    pass(91);
    clean();
    EXPECT_TRUE(there(once));
    alice.post("/api/v1/statuses/" + once + "/unfavourite");
    alice.post("/api/v1/accounts/" + remote::text(carol) + "/unfollow");
    pass(1);
    clean();
    EXPECT_TRUE(there(once)) << "all is looked at once a month";
    pass(30);
    clean();
    pass(1);
    clean();
    EXPECT_FALSE(there(once));
    EXPECT_FALSE(there(followed));
}

TEST_P(OldPosts, that_somebody_asked_for_lately_stay_as_long_as_new_ones) {
    auto late = note(bob);
    late.published = w.now().plus_seconds(-400 * day);
    const auto id = remote::stored(w, late);
    clean();
    EXPECT_TRUE(there(id));
    pass(91);
    clean();
    pass(1);
    clean();
    EXPECT_FALSE(there(id));
}

TEST_P(OldPosts, that_are_touched_between_the_look_and_the_change_stay) {
    const auto id = post();
    pass(91);
    support::run_periodic(w, statuses::remove_old_posts);  // bookmarks of before
    auto change = w.read(statuses::remove_old_posts);
    ASSERT_TRUE(change);
    alice.favourites(id);
    w.write(change);
    EXPECT_TRUE(there(id));
}

}  // namespace
