// SPDX-License-Identifier: AGPL-3.0-or-later
// Threads of other servers are read from there when somebody opens them.
#include "jobs/reactions.hpp"
#include "social/federation/elsewhere.hpp"

#include <gmock/gmock.h>

using namespace elsewhere;

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct FarThreads : OnEachWorld {
    Person alice = w.local("alice");

    static std::string url(const std::string& name) { return far + "/notes/" + name; }
    static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
    // A post there, with where its answers are listed.
    void post(const std::string& name, const std::string& parent = "", const std::string& more = "") {
        auto members = R"(,"replies":)" + quoted(url(name) + "/replies") + more;
        if (!parent.empty()) members += R"(,"inReplyTo":)" + quoted(url(parent));
        serve(url(name), note(url(name), far + "/users/bob", members));
    }
    void list(const std::string& at, const std::vector<std::string>& posts, const std::string& more = "") {
        std::string items;
        for (const auto& one : posts) items += (items.empty() ? "" : ",") + quoted(one);
        serve(
            at,
            R"({"@context":"https://www.w3.org/ns/activitystreams","type":"Collection","id":)" + quoted(at) +
                R"(,"items":[)" + items + "]" + more + "}"
        );
    }
    std::string opened(const std::string& name) {
        person("bob");
        auto id = alice.get("/api/v2/search", {{"q", url(name)}, {"resolve", "true"}})["statuses.0.id"];
        auto context = alice.get("/api/v1/statuses/" + id + "/context");
        EXPECT_EQ(context["descendants"], "[]");
        EXPECT_TRUE(context.header("Mastodon-Async-Refresh").starts_with("id=\""));
        w.run_jobs();
        return id;
    }
    std::vector<std::string> answers(const std::string& id) {
        auto later = alice.get("/api/v1/statuses/" + id + "/context");
        EXPECT_EQ(later.header("Mastodon-Async-Refresh"), "");
        std::vector<std::string> out;
        for (;;) {
            auto uri = later["descendants." + std::to_string(out.size()) + ".uri"];
            if (uri == "absent") return out;
            out.push_back(uri);
        }
    }
};
ON_EACH_DATABASE(FarThreads);

TEST_P(FarThreads, attack_67_are_read_once_even_where_they_lead_back_to_themselves) {
    post("1");
    post("2", "1");
    list(url("1") + "/replies", {url("2")}, R"(,"next":)" + quoted(url("1") + "/replies"));
    list(url("2") + "/replies", {url("1"), url("2")}, R"(,"next":)" + quoted(url("1") + "/replies"));
    auto id = opened("1");
    EXPECT_THAT(answers(id), ElementsAre(url("2")));
    EXPECT_EQ(asked(url("1") + "/replies"), 1);
    EXPECT_EQ(asked(url("2")), 1);
}

TEST_P(FarThreads, are_read_down_to_the_answers_of_answers) {
    post("1");
    list(url("1") + "/replies", {url("2"), url("3")});
    for (const auto& [name, parent] : {std::pair{"2", "1"}, {"3", "1"}, {"4", "3"}, {"5", "4"}})
        post(name, parent);
    list(url("3") + "/replies", {url("4")});
    list(url("4") + "/replies", {url("5")});
    EXPECT_THAT(answers(opened("1")), UnorderedElementsAre(url("2"), url("3"), url("4"), url("5")));
}

TEST_P(FarThreads, are_read_page_after_page) {
    post("1");
    std::vector<std::string> all;
    for (int page = 0; page < 12; ++page) {
        std::vector<std::string> here;
        for (int i = 0; i < 4; ++i) {
            auto name = "p" + std::to_string(4 * page + i);
            post(name, "1");
            here.push_back(url(name));
        }
        all.insert(all.end(), here.begin(), here.end());
        auto at = url("1") + "/replies" + (page ? "/" + std::to_string(page) : "");
        auto next = R"(,"next":)" + quoted(url("1") + "/replies/" + std::to_string(page + 1));
        list(at, here, page == 11 ? "" : next);
    }
    EXPECT_THAT(answers(opened("1")), testing::UnorderedElementsAreArray(all));
}

// Some list there what others answer, and what the author does only where the post itself leads.
TEST_P(FarThreads, are_read_from_the_page_that_the_post_leads_to) {
    const auto own = url("1") + "/replies?only_other_accounts=false&page=true";
    const auto replies = R"({"type":"Collection","id":)" + quoted(url("1") + "/replies") +
                         R"(,"first":{"type":"CollectionPage","partOf":)" + quoted(url("1") + "/replies") +
                         R"(,"next":)" + quoted(own) + "}}";
    serve(url("1"), note(url("1"), far + "/users/bob", R"(,"replies":)" + replies));
    post("2", "1");
    post("3", "1");
    list(url("1") + "/replies", {url("2")});
    list(own, {url("2"), url("3")});
    EXPECT_THAT(answers(opened("1")), UnorderedElementsAre(url("2"), url("3")));
    EXPECT_EQ(asked(own), 1);
    EXPECT_EQ(asked(url("1") + "/replies"), 1);
}

TEST_P(FarThreads, are_read_from_the_conversation_where_their_server_lists_it) {
    post("1", "", R"(,"context":)" + quoted(far + "/contexts/1"));
    post("2", "1");
    post("3", "2");
    list(url("1") + "/replies", {});
    list(far + "/contexts/1", {url("1"), url("3"), url("2")});
    EXPECT_THAT(answers(opened("1")), UnorderedElementsAre(url("2"), url("3")));
}

// FEP-171b: a history of what was done in a conversation.
TEST_P(FarThreads, are_read_from_the_activities_of_a_conversation) {
    post("1", "", R"(,"context":)" + quoted(far + "/contexts/1"));
    post("2", "1");
    post("3", "2");
    list(url("1") + "/replies", {});
    auto activity = [&](const std::string& type, const std::string& object) {
        return R"({"type":")" + type + R"(","id":)" + quoted(url("1") + "/" + type) + R"(,"actor":)" +
               quoted(far + "/users/bob") + R"(,"object":)" + object + "}";
    };
    serve(
        far + "/contexts/1",
        R"({"@context":"https://www.w3.org/ns/activitystreams","type":"OrderedCollection","id":)" +
            quoted(far + "/contexts/1") + R"(,"orderedItems":[)" + activity("Create", quoted(url("2"))) +
            "," + activity("Like", quoted(url("1"))) + "," +
            activity("Update", R"({"type":"Note","id":)" + quoted(url("3")) + "}") + "]}"
    );
    EXPECT_THAT(answers(opened("1")), UnorderedElementsAre(url("2"), url("3")));
    EXPECT_EQ(asked(url("1") + "/Like"), 0);
    EXPECT_EQ(asked(url("1") + "/Create"), 0);
}

TEST_P(FarThreads, wait_when_their_server_was_asked_often_enough_and_are_read_on_then) {
    post("1");
    for (auto name : {"2", "3"}) post(name, "1");
    list(url("1") + "/replies", {url("2"), url("none"), url("3")});
    person("bob");
    auto id = alice.get("/api/v2/search", {{"q", url("1")}, {"resolve", "true"}})["statuses.0.id"];
    for (const auto& one : internet().asked) EXPECT_FALSE(one.bulk) << one.url;
    internet().asked.clear();
    auto third = internet().pages[url("3")];
    internet().pages[url("3")] = [](const base::Fetch&) {
        Fetched busy;
        busy.failure = base::FetchFailure::busy;
        busy.retry_after = 20;
        return busy;
    };
    alice.get("/api/v1/statuses/" + id + "/context");
    w.run_jobs();
    auto meanwhile = alice.get("/api/v1/statuses/" + id + "/context");
    EXPECT_NE(meanwhile.header("Mastodon-Async-Refresh"), "") << "it is not over";
    EXPECT_EQ(meanwhile["descendants.1"], "absent");
    for (const auto& one : internet().asked) EXPECT_TRUE(one.bulk) << one.url;
    internet().pages[url("3")] = third;
    w.advance(200);
    w.run_jobs();
    EXPECT_THAT(answers(id), UnorderedElementsAre(url("2"), url("3")));
    for (const auto& once : {url("1") + "/replies", url("2"), url("none")})
        EXPECT_EQ(std::ranges::count(internet().asked, once, &base::Fetch::url), 1) << once;
}

TEST_P(FarThreads, attack_67_are_not_read_from_other_hosts_nor_without_end) {
    post("1", "", R"(,"context":"https://other.example/contexts/1")");
    list(url("1") + "/replies", {}, R"(,"next":"https://other.example/page")");
    EXPECT_THAT(answers(opened("1")), IsEmpty());
    for (const auto& one : internet().asked) EXPECT_EQ(one.url.find("other.example"), std::string::npos);

    post("many");
    std::vector<std::string> dead;
    for (int i = 0; i < 900; ++i) dead.push_back("https://dead-" + std::to_string(i) + ".example/1");
    list(url("many") + "/replies", dead);
    auto before = internet().asked.size();
    EXPECT_THAT(answers(opened("many")), IsEmpty());
    EXPECT_LE(internet().asked.size() - before, 40u);
}

}  // namespace
