// SPDX-License-Identifier: AGPL-3.0-or-later
// Who sees what, as a table: five visibilities, seven viewers, every place that shows statuses.
#include "social/statuses/core/status.hpp"
#include "world.hpp"

const db::Command test_limit_status{
    "test_limit_status", "UPDATE statuses SET visibility = 'limited', version = version + 1 WHERE id = $1"
};

namespace {

enum Who { nobody, stranger, follower, mentioned, author, blocked, blocked_mentioned, people };
constexpr const char* names[] = {
    "nobody", "stranger", "follower", "mentioned", "author", "blocked", "blocked_mentioned"
};

struct Row {
    const char* visibility;
    bool sees[people];
};
//                              nobody stranger follower mentioned author blocked blocked_mentioned
constexpr Row by_id[] = {
    {"public", {true, true, true, true, true, false, false}},
    {"unlisted", {true, true, true, true, true, false, false}},
    {"private", {false, false, true, true, true, false, true}},
    {"direct", {false, false, false, true, true, false, true}},
    {"limited", {false, false, false, true, true, false, true}},
};
// Blocked viewers find nothing on a profile, even where they were mentioned.
constexpr Row on_profile[] = {
    {"public", {true, true, true, true, true, false, false}},
    {"unlisted", {true, true, true, true, true, false, false}},
    {"private", {false, false, true, true, true, false, false}},
    {"direct", {false, false, false, true, true, false, false}},
    {"limited", {false, false, false, true, true, false, false}},
};
constexpr Row in_public[] = {
    {"public", {true, true, true, true, true, false, false}},
    {"unlisted", {false, false, false, false, false, false, false}},
    {"private", {false, false, false, false, false, false, false}},
    {"direct", {false, false, false, false, false, false, false}},
    {"limited", {false, false, false, false, false, false, false}},
};
// Direct statuses reach home only who is mentioned and follows, which the mentioned one here does not.
constexpr Row in_home[] = {
    {"public", {false, false, true, false, true, false, false}},
    {"unlisted", {false, false, true, false, true, false, false}},
    {"private", {false, false, true, false, true, false, false}},
    {"direct", {false, false, false, false, true, false, false}},
    {"limited", {false, false, false, false, true, false, false}},
};

struct Visibility : OnEachWorld {
    std::vector<Person> who = [this] {
        std::vector<Person> all{
            w.anonymous(),
            w.local("stranger"),
            w.local("follower"),
            w.local("mentioned"),
            w.local("author"),
            w.local("blocked"),
            w.local("blocked_mentioned")
        };
        all[follower].follows(all[author]);
        return all;
    }();

    std::string post(const std::string& visibility, const Fields& more = {}) {
        Fields fields{{"visibility", visibility == "limited" ? "direct" : visibility}};
        fields.insert(fields.end(), more.begin(), more.end());
        auto id = who[author].status("#tag for @mentioned and @blocked_mentioned", fields);
        if (visibility == "limited")
            w.write([&](db::Write& db) { db.run(test_limit_status, base::StatusId{std::stoll(id)}); });
        return id;
    }
    void block() {
        who[author].blocks(who[blocked]);
        who[author].blocks(who[blocked_mentioned]);
    }
    template <class Shows>
    void expect(const Row (&table)[5], Shows&& shows) {
        std::vector<std::pair<const Row*, std::string>> posted;
        for (const auto& row : table) posted.emplace_back(&row, post(row.visibility));
        block();
        for (const auto& [row, id] : posted)
            for (int i = 0; i < people; ++i)
                EXPECT_EQ(shows(who[static_cast<std::size_t>(i)], id), row->sees[i])
                    << row->visibility << " to " << names[i];
    }
    static bool holds(const Answer& answer, const std::string& id) {
        if (answer.status != 200) return false;
        return std::ranges::count(answer.ids(), id) > 0;
    }
};
ON_EACH_DATABASE(Visibility);

TEST_P(Visibility, of_a_status_by_its_id) {
    expect(by_id, [&](const Person& viewer, const std::string& id) {
        auto answer = viewer.get("/api/v1/statuses/" + id);
        if (answer.status == 200) EXPECT_TRUE(answer["visibility"] != "limited");
        else EXPECT_EQ(answer.body, R"({"error":"Not Found"})");
        for (auto sub : {"/context", "/favourited_by", "/reblogged_by"}) {
            auto other = viewer.get("/api/v1/statuses/" + id + sub);
            EXPECT_EQ(other.status, answer.status) << sub;
            if (other.status != 200) EXPECT_EQ(other.body, answer.body) << sub;
        }
        EXPECT_EQ(holds(viewer.get("/api/v1/statuses", {{"id[]", id}}), id), answer.status == 200);
        return answer.status == 200;
    });
}

TEST_P(Visibility, of_a_status_one_wants_to_favourite_or_keep) {
    expect(by_id, [&](const Person& viewer, const std::string& id) {
        if (viewer.token.empty()) return false || viewer.get("/api/v1/statuses/" + id).status == 200;
        auto favourite = viewer.post("/api/v1/statuses/" + id + "/favourite");
        auto bookmark = viewer.post("/api/v1/statuses/" + id + "/bookmark");
        EXPECT_EQ(favourite.status, bookmark.status);
        EXPECT_TRUE(favourite.status == 200 || favourite.status == 404) << favourite.body;
        return favourite.status == 200;
    });
}

TEST_P(Visibility, of_a_profile) {
    expect(on_profile, [&](const Person& viewer, const std::string& id) {
        return holds(viewer.get("/api/v1/accounts/" + who[author].id + "/statuses"), id);
    });
}

TEST_P(Visibility, of_the_public_timeline) {
    expect(in_public, [&](const Person& viewer, const std::string& id) {
        return holds(viewer.get("/api/v1/timelines/public"), id);
    });
}

TEST_P(Visibility, of_a_hashtag) {
    expect(in_public, [&](const Person& viewer, const std::string& id) {
        return holds(viewer.get("/api/v1/timelines/tag/tag"), id);
    });
}

TEST_P(Visibility, of_home) {
    expect(in_home, [&](const Person& viewer, const std::string& id) {
        return !viewer.token.empty() && holds(viewer.get("/api/v1/timelines/home"), id);
    });
}

TEST_P(Visibility, of_home_is_the_same_after_the_jobs_and_for_new_followers) {
    for (const auto& row : in_home) post(row.visibility);
    auto late = w.local("late");
    late.follows(who[author]);
    auto before = late.home();
    EXPECT_EQ(before, who[follower].home());
    EXPECT_EQ(before.size(), 3u);
    w.run_jobs();
    EXPECT_EQ(late.home(), before);
    EXPECT_EQ(who[follower].home(), before);
}

TEST_P(Visibility, of_direct_statuses_in_home_needs_a_mention_and_a_follow) {
    who[mentioned].follows(who[author]);
    auto id = post("direct");
    EXPECT_EQ(who[mentioned].home(), std::vector{id});
    EXPECT_TRUE(who[follower].home().empty());
    auto dora = w.local("dora");
    auto to_dora = who[author].status("@dora secret", {{"visibility", "direct"}});
    dora.follows(who[author]);
    EXPECT_EQ(dora.home(), std::vector{to_dora});
    w.run_jobs();
    EXPECT_EQ(dora.home(), std::vector{to_dora});
}

TEST_P(Visibility, of_replies_in_a_thread) {
    auto root = who[stranger].status("root");
    for (const auto& row : by_id) {
        auto id = post(row.visibility, {{"in_reply_to_id", root}});
        for (int i = 0; i < blocked; ++i) {
            auto answer = who[static_cast<std::size_t>(i)].get("/api/v1/statuses/" + root + "/context");
            EXPECT_EQ(answer["descendants"].find("\"id\":\"" + id) != std::string::npos, row.sees[i])
                << row.visibility << " to " << names[i];
        }
    }
}

TEST_P(Visibility, of_a_limited_author_leaves_the_public_timelines) {
    w.silence(who[author]);
    auto id = post("public");
    EXPECT_EQ(who[author].get("/api/v1/statuses/" + id)["visibility"], "unlisted");
    EXPECT_TRUE(who[stranger].get("/api/v1/timelines/tag/tag").ids().empty());
    EXPECT_TRUE(who[stranger].get("/api/v1/timelines/public").ids().empty());
}

TEST_P(Visibility, of_a_suspended_author_ends_for_everybody) {
    auto id = post("public");
    auto reblog = who[stranger].reblogs(id);
    w.suspend(who[author]);
    for (auto i : {nobody, stranger, follower, mentioned}) {
        EXPECT_EQ(who[i].get("/api/v1/statuses/" + id).status, 404);
        EXPECT_EQ(who[i].get("/api/v1/statuses/" + reblog).status, 404);
    }
    EXPECT_TRUE(who[follower].home().empty());
    EXPECT_TRUE(who[stranger].home().empty());
}

}  // namespace
