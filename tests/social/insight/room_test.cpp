// SPDX-License-Identifier: AGPL-3.0-or-later
// What `dunlin prune --dry-run` tells.
#include "social/insight/room.hpp"

#include "social/federation/remote.hpp"
#include "social/media/copy.hpp"

#include <gmock/gmock.h>

namespace {

using insight::RoomOfKind, insight::RoomOfServer;

struct RoomTaken : OnEachWorld {
    insight::Room room(std::int64_t days, std::int64_t home_days = 0) {
        w.run_jobs();
        jobs::Sessions with;
        with.look = [this](const std::function<void(db::Read&)>& f) { w.read(f); };
        return insight::room_taken(with, {days, home_days});
    }
    // Fetched, so that its number is of its time, whatever other tests have numbered.
    statuses::RemoteStatus note(base::AccountId author, const std::string& name) {
        auto out = remote::note(w, author, name, "<p>a picture</p>");
        out.delivered = false;
        return out;
    }
    void copy(const std::string& url, std::int64_t bytes) {
        w.write([&](db::Write& db) {
            media::keep_copy(db, url, {"media/ab/" + std::to_string(bytes) + ".png", "", {}, {}}, bytes);
        });
    }
    static RoomOfKind kind(const insight::Room& room, const std::string& name) {
        const auto found = std::ranges::find(room.kinds, name, &RoomOfKind::kind);
        EXPECT_NE(found, room.kinds.end()) << name;
        return *found;
    }
    static RoomOfServer server(const insight::Room& room, const std::string& domain) {
        const auto found = std::ranges::find(room.servers, domain, &RoomOfServer::domain);
        EXPECT_NE(found, room.servers.end()) << domain;
        return *found;
    }
};
ON_EACH_DATABASE(RoomTaken);

TEST_P(RoomTaken, is_told_by_kind_and_by_the_server_whose_it_is) {
    const auto alice = w.local("alice");
    auto portrait = remote::account("bob");
    portrait.avatar = "https://cdn.example/bob.png";
    const auto bob = remote::stored(w, portrait);
    auto shown = note(bob, "1");
    shown.media.push_back({"https://files.example/1.png", "", "image/png", "", "", 10, 20, {}, {}, {}});
    remote::stored(w, shown);
    alice.status("mine is not counted");
    const auto liked = remote::stored(w, note(bob, "2"));
    alice.favourites(liked);
    remote::stored(w, note(remote::somebody(w, "carol", "third.example"), "3"));
    copy("https://cdn.example/bob.png", 1000);
    copy("https://files.example/1.png", 20'000);
    copy("https://gone.example/x.png", 300'000);
    w.advance(91 * 86'400);
    remote::stored(w, note(bob, "4"));

    const auto told = room(90);
    EXPECT_EQ(kind(told, "avatars and headers").bytes, 1000);
    EXPECT_EQ(kind(told, "pictures in posts").bytes, 20'000);
    EXPECT_EQ(kind(told, "other copies").number, 1);
    EXPECT_EQ(kind(told, "other copies").bytes, 300'000);
    EXPECT_EQ(kind(told, "posts of other servers").number, 4);
    EXPECT_EQ(kind(told, "posts of other servers").goes, 2) << "one is liked, one is young";
    EXPECT_GT(kind(told, "posts of other servers").bytes, 4 * insight::bytes_beside_words);
    EXPECT_EQ(told.servers.front().domain, "gone.example");
    EXPECT_EQ(server(told, "far.example").posts, 3);
    EXPECT_EQ(server(told, "far.example").files, 2);
    EXPECT_GT(server(told, "far.example").bytes, 21'000);
    EXPECT_EQ(kind(room(0), "posts of other servers").goes, 0) << "they stay";
}

TEST_P(RoomTaken, is_told_of_the_homes_of_people_who_are_away) {
    const auto alice = w.local("alice");
    alice.status("one");
    alice.status("two");
    const auto bob = w.local("bob");
    bob.follows(alice);
    EXPECT_EQ(kind(room(0), "homes of people away for 180 days").number, 0);
    w.advance(181 * 86'400);
    EXPECT_EQ(kind(room(0), "homes of people away for 180 days").number, 4);
    EXPECT_EQ(kind(room(0), "homes of people away for 180 days").goes, 0) << "they stay";
    EXPECT_EQ(kind(room(0, 90), "homes of people away for 90 days").goes, 2) << "one's own stay";
}

}  // namespace
