// SPDX-License-Identifier: AGPL-3.0-or-later
// Request bodies: how they come, where they are kept, and when patience ends.
#include <gtest/gtest.h>

#include "net/stage.hpp"

using namespace net_test;
using namespace std::chrono_literals;

namespace {

struct BodyStage : Stage {
    explicit BodyStage(net::ServerOptions options = {}) : Stage(std::move(options)) {
        app.on = [](http::Request request, http::Pending reply) { reply.answer(text(request.body)); };
        start();
    }
};

std::string chunks(const std::string& body, std::size_t size) {
    std::string out;
    for (std::size_t at = 0; at < body.size(); at += size) {
        const auto part = body.substr(at, size);
        char head[20];
        std::snprintf(head, sizeof head, "%zx\r\n", part.size());
        out += head + part + "\r\n";
    }
    return out + "0\r\n\r\n";
}

std::string varied(std::size_t size) {
    std::string body(size, ' ');
    for (std::size_t i = 0; i < size; ++i) body[i] = static_cast<char>('a' + i % 23);
    return body;
}

std::string with_length(const std::string& body) {
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

const std::string chunked_head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

}  // namespace

TEST(Bodies, come_whole_however_they_are_framed) {
    for (const bool in_pieces : {false, true}) {
        BodyStage s;
        s.app.terms.in_pieces = in_pieces;
        Client c(s.server);
        for (const std::size_t size : {1u, 1000u, 16'384u, 16'385u, 70'000u, 300'000u}) {
            const auto body = varied(size);
            EXPECT_EQ(c.send(with_length(body)).read().body, body) << size;
            for (const std::size_t chunk : {7u, 1000u, 60'000u})
                EXPECT_EQ(c.send(chunked_head + chunks(body, chunk)).read().body, body)
                    << size << " " << chunk;
        }
    }
}

TEST(Bodies, are_asked_for_when_the_client_waits_to_be_asked) {
    BodyStage s;
    Client c(s.server);
    c.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(c.read().status, 100);
    EXPECT_EQ(c.send("hello").read().body, "hello");
    EXPECT_EQ(c.send(with_length("again")).read().body, "again");
}

TEST(Bodies, that_stop_coming_get_408) {
    net::ServerOptions options;
    options.body_pause = 50ms;
    BodyStage s(options);
    Client c(s.server);
    const auto answer = c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel").read();
    EXPECT_EQ(answer.status, 408);
    EXPECT_TRUE(answer.has("Connection: close"));
}

TEST(Bodies, that_trickle_get_408) {
    net::ServerOptions options;
    options.body_grace = 100ms;
    options.linger_timeout = 100ms;
    BodyStage s(options);
    Client c(s.server);
    c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
    std::atomic<bool> answered{false};
    std::thread trickle([&] {
        while (!answered) {
            c.send("x");
            std::this_thread::sleep_for(10ms);
        }
    });
    EXPECT_EQ(c.read().status, 408);
    answered = true;
    trickle.join();
}

TEST(Heads, that_do_not_end_get_408) {
    net::ServerOptions options;
    options.head_timeout = 1s;  // in which a busy machine must get to send a part of it
    Stage s(options);
    s.start();
    Client c(s.server), silent(s.server);
    EXPECT_EQ(c.send("GET / HTTP/1.1\r\nHost").read().status, 408);
    EXPECT_TRUE(silent.ended());
}

TEST(Heads, may_come_byte_by_byte) {
    Stage s;
    s.start();
    Client c(s.server);
    for (const char byte : std::string("\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n")) c.send({&byte, 1});
    EXPECT_EQ(c.read().body, "/slow");
}

TEST(Bodies, may_come_byte_by_byte) {
    BodyStage s;
    Client c(s.server);
    for (const char byte : chunked_head + chunks(varied(100), 30)) c.send({&byte, 1});
    EXPECT_EQ(c.read().body, varied(100));
}

TEST(Idle, connections_are_closed_without_a_word) {
    net::ServerOptions options;
    options.idle_timeout = 50ms;
    Stage s(options);
    s.start();
    Client c(s.server);
    EXPECT_EQ(c.get("/").read().status, 200);
    EXPECT_TRUE(c.ended());
}

TEST(Slow, senders_hold_nobody_else) {
    net::ServerOptions options;
    options.threads = 1;
    BodyStage s(options);
    Client head(s.server), body(s.server), quick(s.server);
    head.send("GET / HT");
    body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel");
    EXPECT_EQ(quick.get("/").read().status, 200);
    EXPECT_EQ(body.send("lo").read().body, "hello");
    EXPECT_EQ(head.send("TP/1.1\r\nHost: a\r\n\r\n").read().status, 200);
}

TEST(Slow, readers_are_cut_off) {
    net::ServerOptions options;
    options.send_timeout = 50ms;
    Stage s(options);
    s.app.on = [](http::Request, http::Pending reply) { reply.answer(text(std::string(64 << 20, 'x'))); };
    s.start();
    Client c(s.server);
    c.get("/");
    EXPECT_TRUE(eventually([&] { return s.server.counters().connections_accepted == 1; }));
    EXPECT_TRUE(eventually([&] { return s.server.counters().connections_open == 0; }));
}
