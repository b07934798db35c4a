// SPDX-License-Identifier: AGPL-3.0-or-later
// Streams: how they open and end, what a client may say, and what happens to one person.
#include "social/accounts/users/role.hpp"
#include "social/announcements/announcement.hpp"
#include "social/crypto/message.hpp"
#include "social/oauth/token.hpp"
#include "streams.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

#include <deque>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Streaming : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    static base::UserId login(db::Read& db, const Person& who) {
        return accounts::find_user_of(db, base::AccountId{std::stoll(who.id)})->id;
    }
    std::string refusal(const Person& who, const std::string& path) {
        auto answer = who.get("/api/v1/streaming/" + path);
        return std::to_string(answer.status) + " " + answer.error();
    }
    // Of a WebSocket that is asked for with these headers.
    http::Admission handshake(http::Headers more, const std::string& query = {}) {
        http::Request request;
        request.target = "/api/v1/streaming" + query;
        request.headers = {
            {"Upgrade", "WebSocket"},
            {"Connection", "Upgrade"},
            {"Sec-WebSocket-Version", "13"},
            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}
        };
        for (auto& header : more) request.headers.push_back(std::move(header));
        return streams_of(w).admit(std::move(request));
    }
};
ON_EACH_DATABASE(Streaming);

TEST_P(Streaming, want_a_token_of_a_user_and_its_scopes) {
    EXPECT_EQ(refusal(w.anonymous(), "user"), "401 Missing access token");
    EXPECT_EQ(refusal(w.bearer("nonsense"), "user"), "401 Invalid access token");
    EXPECT_EQ(refusal(w.app(), "public"), "401 Invalid access token");
    EXPECT_EQ(refusal(w.unconfirmed("carol"), "public"), "401 Invalid access token");
    auto writing = w.with_scopes(alice, "write"), notified = w.with_scopes(alice, "read:notifications");
    EXPECT_EQ(refusal(writing, "user"), "401 Access token does not have the required scopes");
    EXPECT_EQ(refusal(notified, "public"), "401 Access token does not have the required scopes");
    Ear ear(w, notified, Ear::Events{"user/notification"});
    bob.follows(alice);
    EXPECT_THAT(ear.heard(), HasSubstr("notification"));
}

TEST_P(Streaming, say_what_is_missing) {
    EXPECT_EQ(refusal(alice, "anything"), "400 Unknown channel requested");
    EXPECT_EQ(refusal(alice, "hashtag"), "400 Missing tag name parameter");
    EXPECT_EQ(refusal(alice, "hashtag/local?tag="), "400 Missing tag name parameter");
    EXPECT_EQ(refusal(alice, "list"), "400 Missing list name parameter");
    EXPECT_EQ(refusal(alice, "list?list=1"), "401 Not authorized to stream this list");
    auto of_bob = bob.post("/api/v1/lists", {{"title", "L"}}).id();
    EXPECT_EQ(refusal(alice, "list?list=" + of_bob), "401 Not authorized to stream this list");
    EXPECT_EQ(alice.get("/api/v1/streaming").status, 404);
}

TEST_P(Streaming, take_the_token_from_wherever_a_browser_may_put_it) {
    auto accepted = [](const http::Admission& said) { return said.stream ? said.head.status : 0; };
    EXPECT_EQ(accepted(handshake({{"Authorization", "Bearer " + alice.token}})), 101);
    EXPECT_EQ(accepted(handshake({}, "?access_token=" + alice.token)), 101);
    auto by_protocol = handshake({{"Sec-WebSocket-Protocol", alice.token}});
    EXPECT_EQ(accepted(by_protocol), 101);
    EXPECT_EQ(by_protocol.head.header("Sec-WebSocket-Protocol"), alice.token);
    auto refused = handshake({{"Sec-WebSocket-Protocol", "nonsense"}});
    ASSERT_TRUE(refused.refusal);
    EXPECT_EQ(refused.refusal->status, 401);
    EXPECT_EQ(refused.refusal->body, "");
    EXPECT_EQ(refused.refusal->header("X-Error-Message"), "Invalid access token");
    EXPECT_EQ(handshake({}).refusal->header("X-Error-Message"), "Missing access token");
}

TEST_P(Streaming, do_not_begin_for_who_asks_for_the_head_alone) {
    auto head = [&](const std::string& path, const std::string& token) {
        http::Request request;
        request.method = http::Method::head;
        request.target = "/api/v1/streaming/" + path;
        request.headers = {{"Authorization", "Bearer " + token}};
        return streams_of(w).admit(std::move(request));
    };
    auto answer = head("user", alice.token);
    EXPECT_FALSE(answer.stream);
    ASSERT_TRUE(answer.refusal);
    EXPECT_EQ(answer.refusal->status, 200);
    EXPECT_EQ(answer.refusal->content_type, "text/event-stream");
    EXPECT_EQ(streams_of(w).hub->figures().event_streams, 0);
    EXPECT_EQ(head("user", "nonsense").refusal->status, 401);
    EXPECT_EQ(head("hashtag", alice.token).refusal->status, 400);
}

TEST_P(Streaming, begin_and_end_while_a_socket_is_open) {
    Ear ear(w, alice);
    bob.status("one");
    EXPECT_EQ(ear.heard(), "");
    ear.listen("public");
    ear.listen("public");  // again is the same
    auto two = bob.status("two");
    EXPECT_EQ(ear.heard(), "update " + two);
    ear.listen("hashtag", {{"tag", "Cats"}});
    auto three = bob.status("three #cats");
    EXPECT_THAT(
        ear.raw(),
        ElementsAre(HasSubstr(R"("stream":["public"])"), HasSubstr(R"("stream":["hashtag","Cats"])"))
    );
    ear.leave("public");
    ear.leave("hashtag", {{"tag", "cats"}});
    bob.status("four #cats");
    EXPECT_EQ(ear.heard(), "");
    EXPECT_EQ(streams_of(w).hub->figures().subscriptions, 0);
}

TEST_P(Streaming, tell_in_a_frame_what_is_not_to_be_had) {
    auto list = bob.post("/api/v1/lists", {{"title", "L"}}).id();
    Ear ear(w, alice, "stream=nonsense");
    EXPECT_THAT(ear.raw(), ElementsAre(R"({"error":"Unknown stream type","status":400})"));
    ear.listen("list", {{"list", list}});
    EXPECT_THAT(ear.raw(), ElementsAre(R"({"error":"Not authorized to stream this list","status":401})"));
    ear.listen("hashtag");
    EXPECT_EQ(ear.heard(), "error: Missing tag name parameter");
    ear.leave("nonsense");
    EXPECT_THAT(ear.raw(), ElementsAre(R"({"error":"Error unsubscribing from channel"})"));
    ear.say("neither JSON");
    ear.say("[]");
    ear.say(R"({"type":"sing"})");
    EXPECT_EQ(ear.heard(), "");
    EXPECT_FALSE(ear.closed());
    Ear narrow(w, w.with_scopes(alice, "read:statuses"), "stream=user:notification");
    EXPECT_EQ(narrow.heard(), "error: Access token does not have the required scopes");
}

TEST_P(Streaming, are_bounded_for_each_socket_and_for_each_user) {
    Ear ear(w, alice);
    for (int i = 0; i < 51; ++i) ear.listen("hashtag", {{"tag", "tag" + std::to_string(i)}});
    EXPECT_EQ(ear.heard(), "error: Too many subscriptions");
    for (int i = 0; i < 100 && !ear.closed(); ++i) ear.say("x");
    EXPECT_EQ(ear.closed(), http::Close::policy);
    std::vector<std::unique_ptr<Ear>> many;
    for (int i = 1; i < 64; ++i) many.push_back(std::make_unique<Ear>(w, alice));
    EXPECT_EQ(handshake({{"Authorization", "Bearer " + alice.token}}).refusal->status, 429);
    many.clear();
    EXPECT_TRUE(handshake({{"Authorization", "Bearer " + alice.token}}).stream);
}

TEST_P(Streaming, of_a_list_leave_their_socket_to_the_others_when_it_is_deleted) {
    auto list = alice.post("/api/v1/lists", {{"title", "L"}}).id();
    Ear both(w, alice, "stream=list&list=" + list), second(w, alice, "stream=list&list=" + list);
    both.say(R"({"type":"subscribe","stream":"user"})");
    alice.del("/api/v1/lists/" + list);
    EXPECT_FALSE(both.closed());
    EXPECT_FALSE(second.closed());
    EXPECT_EQ(streams_of(w).hub->lists(), std::vector<lists::ListId>());
    auto id = alice.post("/api/v1/statuses", {{"status", "x"}}).id();
    EXPECT_EQ(both.heard(), "update " + id);
}

TEST_P(Streaming, end_with_what_opened_them) {
    Ear by_token(w, w.with_scopes(alice, "read")), other(w, alice), of_bob(w, bob);
    auto token = w.with_scopes(alice, "read");
    Ear revoked(w, token, "stream=user");
    w.revoke(token);
    EXPECT_EQ(revoked.closed(), http::Close::policy);
    EXPECT_FALSE(other.closed());

    auto list = alice.post("/api/v1/lists", {{"title", "L"}}).id();
    Ear listed(w, alice, Ear::Events{"list?list=" + list});
    alice.del("/api/v1/lists/" + list);
    EXPECT_TRUE(listed.closed());
    EXPECT_FALSE(other.closed());

    // Whatever another program wrote is noticed after a moment.
    w.suspend(alice);
    EXPECT_FALSE(other.closed());
    streams_of(w).hub->announced({{"glance", "", ""}});
    EXPECT_TRUE(other.closed());
    EXPECT_TRUE(by_token.closed());
    EXPECT_FALSE(of_bob.closed());
    w.change([&](db::Write& db) { accounts::set_disabled(db, login(db, bob), true); });
    EXPECT_TRUE(of_bob.closed()) << "at once";
}

const db::Command ask_for_second_factor{
    "test_ask_for_second_factor", "UPDATE roles SET require_2fa = TRUE WHERE id = $1"
};

TEST_P(Streaming, end_when_a_new_role_asks_for_a_second_factor) {
    Ear ear(w, alice, "stream=user");
    auto becomes = [&](base::RoleId role) {
        w.change([&](db::Write& db) { accounts::set_role(db, login(db, alice), role); });
    };
    becomes(accounts::moderator);
    EXPECT_FALSE(ear.closed());
    w.write([&](db::Write& db) { db.run(ask_for_second_factor, accounts::admin); });
    becomes(accounts::admin);
    EXPECT_TRUE(ear.closed());
}

TEST_P(Streaming, forget_who_has_gone) {
    {
        Ear ear(w, alice, "stream=user"), other(w, alice, Ear::Events{"public"});
        EXPECT_EQ(streams_of(w).hub->figures().websockets, 1);
        EXPECT_EQ(streams_of(w).hub->figures().event_streams, 1);
    }
    EXPECT_EQ(streams_of(w).hub->figures().websockets, 0);
    EXPECT_EQ(streams_of(w).hub->figures().subscriptions, 0);
    EXPECT_THAT(streams_of(w).hub->at_home(), IsEmpty());
}

TEST_P(Streaming, are_redirected_when_they_are_elsewhere) {
    w.site().streaming_url = "wss://streams.example";
    auto answer = alice.get("/api/v1/streaming/user?only_media=1");
    EXPECT_EQ(answer.status, 301);
    EXPECT_EQ(answer.header("Location"), "https://streams.example/api/v1/streaming/user?only_media=1");
    EXPECT_EQ(
        w.anonymous().get("/api/v1/streaming").header("Location"), "https://streams.example/api/v1/streaming"
    );
    EXPECT_EQ(alice.with("Host", "streams.example").get("/api/v1/streaming").status, 404);
    w.site().restricted = true;
    EXPECT_EQ(refusal(w.anonymous(), "user"), "401 Missing access token");
    EXPECT_EQ(alice.get("/api/v1/streaming/user").status, 301);
}

// ---- what happens to one person ----

TEST_P(Streaming, bring_notifications_where_the_scopes_allow_them) {
    Ear user(w, alice, "stream=user"), only(w, alice, "stream=user:notification");
    Ear without(w, w.with_scopes(alice, "read:statuses"), "stream=user"), of_bob(w, bob, "stream=user");
    auto status = alice.status("hello");
    EXPECT_EQ(user.heard(), "update " + status);
    EXPECT_EQ(only.heard(), "");
    without.heard();
    bob.favourites(status);
    auto id = alice.get("/api/v1/notifications").ids().at(0);
    EXPECT_EQ(user.heard(), "notification " + id);
    EXPECT_EQ(only.heard(), "notification " + id);
    EXPECT_EQ(without.heard(), "");
    EXPECT_EQ(of_bob.heard(), "");
}

TEST_P(Streaming, say_what_the_answer_for_the_same_viewer_says) {
    Ear home(w, alice, "stream=user"), events(w, alice, Ear::Events{"user"});
    alice.follows(bob);
    alice.post(
        "/api/v2/filters",
        {{"title", "f"}, {"context[]", "home"}, {"keywords_attributes[0][keyword]", "hush"}}
    );
    home.raw(), events.raw();
    auto id = bob.status("a hush #word");
    auto frames = home.raw();
    ASSERT_THAT(frames, SizeIs(1));
    auto said = alice.get("/api/v1/statuses/" + id).body;
    EXPECT_THAT(said, HasSubstr("keyword_matches"));
    std::string quoted;
    base::json::write(quoted, said);
    EXPECT_EQ(frames[0], R"({"stream":["user"],"event":"update","payload":)" + quoted + "}");
    EXPECT_THAT(events.raw(), ElementsAre("event: update\ndata: " + said + "\n\n"));
}

TEST_P(Streaming, tell_of_filters_and_of_accepted_requests) {
    Ear user(w, alice, "stream=user"), notified(w, alice, "stream=user:notification");
    Ear events(w, alice, Ear::Events{"user"});
    alice.post("/api/v2/filters", {{"title", "f"}, {"context[]", "home"}});
    EXPECT_THAT(events.raw(), ElementsAre("event: filters_changed\ndata: \"\"\n\n"));
    EXPECT_THAT(user.raw(), ElementsAre(R"({"stream":["user"],"event":"filters_changed"})"));
    EXPECT_EQ(notified.heard(), "");
    alice.patch("/api/v2/notifications/policy", {{"for_not_following", "filter"}});
    bob.status("hey @alice");
    EXPECT_EQ(user.heard(), "");
    auto request = alice.get("/api/v1/notifications/requests").ids().at(0);
    alice.post("/api/v1/notifications/requests/" + request + "/accept");
    w.run_jobs();
    EXPECT_EQ(user.heard(), "notifications_merged 1");
    EXPECT_EQ(notified.heard(), "notifications_merged 1");
}

TEST_P(Streaming, bring_conversations) {
    alice.follows(bob);
    Ear ears(w, alice, "stream=direct"), bobs(w, bob, "stream=direct"), public_(w, alice, "stream=public");
    const auto first = bob.status("hello @alice", {{"visibility", "direct"}});
    EXPECT_EQ(ears.heard(), "conversation " + alice.get("/api/v1/conversations").ids().at(0));
    EXPECT_EQ(bobs.heard(), "conversation " + bob.get("/api/v1/conversations").ids().at(0));
    EXPECT_EQ(public_.heard(), "");
    // Other apps of the same person hear that it was read, and that its last status is gone.
    const auto one = alice.get("/api/v1/conversations").ids().at(0);
    alice.post("/api/v1/conversations/" + one + "/read");
    EXPECT_EQ(ears.heard(), "conversation " + one);
    EXPECT_EQ(alice.post("/api/v1/conversations/" + one + "/read").status, 200);
    EXPECT_EQ(ears.heard(), "") << "nothing changed";
    EXPECT_EQ(bobs.heard(), "");
    const auto second = bob.status("and @alice", {{"visibility", "direct"}, {"in_reply_to_id", first}});
    ears.heard(), bobs.heard();
    bob.del("/api/v1/statuses/" + second);
    EXPECT_EQ(ears.heard(), "conversation " + one);
}

TEST_P(Streaming, bring_announcements_and_what_people_make_of_them) {
    auto& hub = *streams_of(w).hub;
    auto look = [&] { hub.announced({{"glance", "", ""}}); };
    look();
    // Who comes after that look hears of what appears after it.
    Ear user(w, alice, "stream=user"), public_(w, alice, "stream=public");
    auto id = w.write([](db::Write& db) {
        announcements::Draft draft;
        draft.text = "Down on Sunday";
        return announcements::create(db, draft);
    });
    auto text = std::to_string(id.value);
    look();
    EXPECT_EQ(user.heard(), "announcement " + text);
    bob.put("/api/v1/announcements/" + text + "/reactions/%F0%9F%91%8D");
    EXPECT_THAT(user.raw(), ElementsAre(HasSubstr(R"(\"count\":1,\"me\":false)")));
    w.write([&](db::Write& db) { announcements::remove(db, id); });
    look();
    look();
    EXPECT_EQ(user.heard(), "announcement.delete " + text);
    EXPECT_EQ(public_.heard(), "");
}

TEST_P(Streaming, tell_later_what_a_reader_never_came_to) {
    std::vector<std::function<void(db::Read&)>> asked;
    bool room = true;
    auto hub = std::make_shared<streaming::Hub>([&](std::function<void(db::Read&)> job) {
        if (room) asked.push_back(std::move(job));
        return room;
    });
    streaming::Subscriber who;
    who.viewer.token = w.read([&](db::Read& db) { return oauth::find_live(db, alice.token)->id; });
    auto listener = hub->join(who, true);
    auto told = [&] {
        auto before = hub->figures().events;
        w.read([&](db::Read& db) {
            for (auto& job : std::exchange(asked, {})) job(db);
        });
        return hub->figures().events - before;
    };
    auto look = [&] { hub->announced({{"glance", "", ""}}); };
    look();
    asked.clear();  // its transaction could not begin
    look();
    EXPECT_EQ(told(), 2);
    room = false;
    look();
    EXPECT_EQ(told(), 0);
    room = true;
    look();
    EXPECT_EQ(told(), 2);
    EXPECT_EQ(told(), 0);
}

struct Line final : http::Outlet {
    std::vector<std::string> said;
    bool closed = false;
    void send(http::Bytes text) override { said.push_back(*text); }
    void close(http::Close) override { closed = true; }
};

TEST_P(Streaming, are_looked_at_some_at_a_time_and_hear_news_in_between) {
    using streaming::Hub;
    std::deque<std::function<void(db::Read&)>> asked;
    auto hub = std::make_shared<Hub>([&](std::function<void(db::Read&)> job) {
        asked.push_back(std::move(job));
        return true;
    });
    auto read_next = [&] {
        auto job = std::move(asked.front());
        asked.pop_front();
        w.read(job);
    };
    std::vector<std::shared_ptr<streaming::Listener>> listeners;
    auto join = [&](std::int64_t account, base::TokenId token) {
        streaming::Subscriber who;
        who.viewer.account = base::AccountId{account};
        who.viewer.token = token;
        auto line = std::make_shared<Line>();
        listeners.push_back(hub->join(who, true));
        listeners.back()->opened(line);
        return line;
    };
    auto hers = join(std::stoll(alice.id), w.read([&](db::Read& db) {
        return oauth::find_live(db, alice.token)->id;
    }));
    hub->seat(
        listeners[0],
        streaming::channel({"user", {}, {}}, {std::stoll(alice.id)}, *http::parse_scopes("read"), "")
    );
    std::vector<std::shared_ptr<Line>> revoked;
    const auto many = 3 * Hub::rechecked_at_once + 100;
    for (std::size_t i = 0; i < many; ++i)
        revoked.push_back(join(1000 + static_cast<std::int64_t>(i / 50), {static_cast<std::int64_t>(i + 1)}));
    auto closed = [&] { return static_cast<std::size_t>(std::ranges::count_if(revoked, &Line::closed)); };

    hub->announced({{"glance", "", ""}});
    read_next();
    EXPECT_GT(closed(), 0u);
    EXPECT_LE(closed(), Hub::rechecked_at_once);
    hub->announced({{"user:" + alice.id, "filters_changed", ""}});
    read_next();
    read_next();
    EXPECT_THAT(hers->said, SizeIs(1));
    EXPECT_LE(closed(), 3 * Hub::rechecked_at_once);
    read_next();
    EXPECT_EQ(closed(), many);
    EXPECT_THAT(asked, IsEmpty());
    EXPECT_FALSE(hers->closed);
    EXPECT_THAT(hers->said, SizeIs(1));
}

TEST_P(Streaming, bring_encrypted_messages_to_their_device) {
    auto other = w.with_scopes(alice, "read");
    Ear mine(w, alice, "stream=user"), another(w, other, "stream=user");
    auto token = w.read([&](db::Read& db) { return oauth::find_live(db, alice.token)->id; });
    std::string id;
    streams_of(w).change([&](db::Write& db) {
        const base::AccountId account{std::stoll(alice.id)};
        const std::string key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
        crypto::upload(db, account, token, {"phone", "Phone", key, key, {}});
        const auto phone = crypto::own_device(db, token);
        crypto::deliver(db, phone, phone, {account, "phone", 1, "secret", "proof"});
        id = std::to_string(crypto::messages(db, phone.id, {}).at(0).id.value);
    });
    EXPECT_EQ(mine.heard(), "encrypted_message " + id);
    EXPECT_EQ(another.heard(), "");
}

}  // namespace
