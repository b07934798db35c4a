// SPDX-License-Identifier: AGPL-3.0-or-later
// What an edit of a post of another server changes besides its text.
#include "base/json.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/peer.hpp"

namespace {

struct FarEdits : OnEachWorld {
    Person alice = w.local("alice"), carol = w.local("carol");
    Peer bob = Peer(w).known();

    void SetUp() override {
        const auto path = "/api/v1/accounts/" + std::to_string(bob.id.value) + "/follow";
        EXPECT_EQ(alice.post(path).status, 200);
        comes(bob.activity(
            "Accept",
            R"({"type":"Follow","actor":")" + uri_of(w, alice) + R"(","object":")" + bob.uri + "\"}",
            "yes"
        ));
    }
    void comes(const std::string& body) {
        EXPECT_EQ(bob.brings(body).status, 202);
        w.run_inbox();
    }
    void begins(const std::string& more) { comes(bob.create(bob.note("1", "look", more), "1")); }
    // A minute later, or at the time of before.
    void becomes(const std::string& more, bool later = true) {
        if (later) w.advance(60);
        updated_ = later ? R"(,"updated":)" + base::json::to_string(w.now()) : updated_;
        w.happened();
        comes(
            bob.activity("Update", bob.note("1", "look", more + updated_), "edit-" + std::to_string(++edits_))
        );
    }
    Answer shown() { return alice.get("/api/v1/accounts/" + std::to_string(bob.id.value) + "/statuses"); }
    std::string versions() {
        return std::to_string(
            alice.get("/api/v1/statuses/" + shown()["0.id"] + "/history").all("content").size()
        );
    }

private:
    std::string updated_;
    int edits_ = 0;
};
ON_EACH_DATABASE(FarEdits);

std::string picture(const std::string& focus, const std::string& name = "a") {
    return R"(,"attachment":{"type":"Image","mediaType":"image/png","url":"https://far.example/a.png","name":")" +
           name + R"(","focalPoint":)" + focus + "}";
}

TEST_P(FarEdits, may_move_the_focal_point_alone) {
    begins(picture("[0,0]"));
    becomes(picture("[0.5,-0.5]"));
    EXPECT_EQ(shown()["0.media_attachments.0.meta"], R"({"focus":{"x":5E-1,"y":-5E-1}})");
    EXPECT_EQ(w.happened(), "Edited");
    becomes(picture("[0.5,-0.5]"));
    EXPECT_EQ(w.happened(), "");
}

// A description is kept shorter than it may come, which makes no edit of what comes again.
TEST_P(FarEdits, are_none_where_the_same_description_comes_again) {
    const auto told = picture("[0,0]", std::string(9000, 'x'));
    begins(told);
    becomes(told);
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(shown()["0.edited_at"], "null");
}

TEST_P(FarEdits, of_mentions_and_hashtags_alone_tell_who_is_named_and_nobody_else) {
    begins("");
    const auto id = shown()["0.id"];
    alice.reblogs(id);
    const auto tags = R"(,"tag":[{"type":"Hashtag","name":"#cats"},{"type":"Mention","href":")" +
                      uri_of(w, carol) + R"("}])";
    becomes(tags);
    w.run_jobs();
    auto post = shown();
    EXPECT_EQ(post["0.tags.0.name"], "cats");
    EXPECT_EQ(post["0.mentions.0.acct"], "carol");
    EXPECT_EQ(post["0.edited_at"], "null");
    EXPECT_EQ(versions(), "1");
    EXPECT_EQ(carol.get("/api/v1/notifications").all("type"), std::vector<std::string>{"mention"});
    EXPECT_EQ(alice.get("/api/v1/notifications").body, "[]");
    EXPECT_EQ(alice.get("/api/v1/timelines/tag/cats").ids(), std::vector{id});

    becomes(tags, false);
    EXPECT_EQ(w.happened(), "");
    becomes(R"(,"tag":[{"type":"Hashtag","name":"#dogs"}])");
    post = shown();
    EXPECT_EQ(post["0.tags.0.name"], "dogs");
    EXPECT_EQ(post["0.mentions"], "[]");
    EXPECT_EQ(alice.get("/api/v1/timelines/tag/cats").body, "[]");
}

}  // namespace
