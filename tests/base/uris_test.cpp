// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/uris.hpp"

#include <gtest/gtest.h>

namespace uris = base::uris;

namespace {

base::Site site() {
    base::Site out;
    out.public_url = "https://social.example.test";
    out.domain = "example.test";
    return out;
}

// The kind, whose it is and what else was read.
std::string told(std::string_view uri) {
    auto found = uris::ours(site(), uri);
    if (!found) return "nothing";
    return std::to_string(static_cast<int>(found->kind)) + " " + std::to_string(found->account.value) + " " +
           found->username + " " + std::to_string(found->id) + " " + found->action;
}

std::string expected(
    uris::Kind kind, std::int64_t account, const std::string& name = "", std::int64_t id = 0,
    const std::string& action = ""
) {
    return std::to_string(static_cast<int>(kind)) + " " + std::to_string(account) + " " + name + " " +
           std::to_string(id) + " " + action;
}

}  // namespace

TEST(Uris, are_read_as_they_are_made) {
    using K = uris::Kind;
    auto s = site();
    auto actor = uris::actor(s, {7});
    auto status = uris::status(actor, {9});
    EXPECT_EQ(actor, "https://social.example.test/ap/users/7");
    EXPECT_EQ(status, "https://social.example.test/ap/users/7/statuses/9");
    EXPECT_EQ(told(actor), expected(K::actor, 7));
    EXPECT_EQ(told(uris::actor(s, uris::server_actor)), expected(K::actor, 0));
    EXPECT_EQ(told(uris::shared_inbox(s)), expected(K::inbox, 0));
    EXPECT_EQ(told(uris::inbox(actor)), expected(K::inbox, 7));
    EXPECT_EQ(told(uris::outbox(actor)), expected(K::outbox, 7));
    EXPECT_EQ(told(uris::followers(actor)), expected(K::followers, 7));
    EXPECT_EQ(told(uris::following(actor)), expected(K::following, 7));
    EXPECT_EQ(told(uris::featured(actor)), expected(K::featured, 7));
    EXPECT_EQ(told(uris::featured_tags(actor)), expected(K::featured_tags, 7));
    EXPECT_EQ(told(uris::followers_synchronization(actor)), expected(K::followers_synchronization, 7));
    EXPECT_EQ(told(uris::main_key(actor)), expected(K::key, 7));
    EXPECT_EQ(told(uris::collection(actor, 3)), expected(K::collection, 7, "", 3));
    EXPECT_EQ(told(uris::quote_authorization(actor, 3)), expected(K::quote_authorization, 7, "", 3));
    EXPECT_EQ(told(uris::action(actor, "follows", 3)), expected(K::action, 7, "", 3, "follows"));
    EXPECT_EQ(
        told(uris::action(actor, "accepts/follows", 3)), expected(K::action, 7, "", 3, "accepts/follows")
    );
    EXPECT_EQ(told(status), expected(K::status, 7, "", 9));
    EXPECT_EQ(told(uris::activity(status)), expected(K::activity, 7, "", 9));
    EXPECT_EQ(told(uris::replies(status)), expected(K::replies, 7, "", 9));
    EXPECT_EQ(told(uris::likes(status)), expected(K::likes, 7, "", 9));
    EXPECT_EQ(told(uris::shares(status)), expected(K::shares, 7, "", 9));
    EXPECT_EQ(told(uris::context(s, {7}, {9})), expected(K::context, 7, "", 9));
    EXPECT_EQ(told(uris::emoji(s, {5})), expected(K::emoji, 0, "", 5));
    EXPECT_EQ(told(uris::profile_page(s, "alice")), expected(K::actor, 0, "alice"));
    EXPECT_EQ(told(uris::status_page(s, "alice", {9})), expected(K::status, 0, "alice", 9));
}

TEST(Uris, of_activities_hang_on_their_actor_or_status) {
    EXPECT_EQ(uris::action("https://a/u", "likes", 4), "https://a/u#likes/4");
    EXPECT_EQ(uris::undo("https://a/u#likes/4"), "https://a/u#likes/4/undo");
    EXPECT_EQ(
        uris::update("https://a/u", base::Time{1'700'000'000'500}), "https://a/u#updates/1700000000500"
    );
    EXPECT_EQ(uris::removal("https://a/s"), "https://a/s#delete");
}

TEST(Uris, are_ours_only_at_our_scheme_host_and_port) {
    EXPECT_EQ(
        told("HTTPS://Social.Example.Test/users/alice/statuses/9"),
        expected(uris::Kind::status, 0, "alice", 9)
    );
    for (auto foreign :
         {"http://social.example.test/ap/users/7",
          "https://social.example.test.evil.test/ap/users/7",
          "https://social.example.test:8443/ap/users/7",
          "https://example.test/ap/users/7",
          "",
          "/ap/users/7"}) {
        EXPECT_FALSE(uris::is_ours(site(), foreign)) << foreign;
        EXPECT_EQ(told(foreign), "nothing") << foreign;
    }
}

TEST(Uris, that_nothing_of_ours_has_name_nothing) {
    for (auto path :
         {"",
          "/",
          "/ap/users/",
          "/ap/users/x",
          "/ap/users/-7",
          "/ap/users/0",
          "/ap/users/7x",
          "/users/",
          "/ap/users/7/statuses/",
          "/ap/users/7/statuses/9x",
          "/ap/users/7/statuses/9/activity/more",
          "/ap/users/99999999999999999999",
          "/ap/users/7#",
          "/ap/users/7#follows",
          "/@",
          "/@alice/x",
          "/@alice/9/reblogs",
          "/contexts/7",
          "/contexts/7-",
          "/contexts/-7-9",
          "/emojis/x",
          "/actors"}) {
        EXPECT_EQ(told("https://social.example.test" + std::string(path)), "nothing") << path;
        EXPECT_TRUE(uris::is_ours(site(), "https://social.example.test" + std::string(path))) << path;
    }
}
