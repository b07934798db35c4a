// SPDX-License-Identifier: AGPL-3.0-or-later
// Request bodies: how they come, where they are kept, and when patience ends.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "net/stage.hpp"

using namespace net_test;
using namespace std::chrono_literals;

namespace {

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return (std::ostringstream() << file.rdbuf()).str();
}

struct Spool {
    std::filesystem::path path = std::filesystem::temp_directory_path() / "dunlin-spool-XXXXXX";
    Spool() {
        auto name = path.string();
        path = ::mkdtemp(name.data());
    }
    ~Spool() { std::filesystem::remove_all(path); }
    bool empty() const { return std::filesystem::is_empty(path); }
};

http::Response echo(const http::Request& request) {
    return text((request.spooled ? "spooled " + contents(*request.spooled) : "memory ") + request.body);
}

struct BodyStage : Stage {
    explicit BodyStage(net::ServerOptions options, http::BodyLimit limit) : Stage(std::move(options)) {
        app.limit = limit;
        app.on = [](http::Request request, http::Pending reply) { reply.answer(echo(request)); };
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

TEST(Bodies, stay_in_memory_or_are_spooled_by_their_size) {
    Spool spool;
    net::ServerOptions options;
    options.spool_directory = spool.path;
    BodyStage s(options, {.bytes = 1 << 20, .in_memory = 1000});
    Client c(s.server);
    for (const std::size_t size : {1u, 999u, 1000u, 1001u, 70'000u, 1u << 20}) {
        const auto body = varied(size);
        const auto where = size <= 1000 ? "memory " : "spooled ";
        EXPECT_EQ(c.send(with_length(body)).read().body, where + body) << size;
        for (const std::size_t chunk : {7u, 1000u, 60'000u}) {
            EXPECT_EQ(c.send(chunked_head + chunks(body, chunk)).read().body, where + body)
                << size << " " << chunk;
        }
        EXPECT_TRUE(eventually([&] { return spool.empty(); }));
    }
}

TEST(Bodies, spooled_live_as_long_as_somebody_holds_them) {
    Spool spool;
    net::ServerOptions options;
    options.spool_directory = spool.path;
    Stage s(options);
    s.app.limit = {.bytes = 1000, .in_memory = 0};
    std::shared_ptr<const std::filesystem::path> kept;
    s.app.on = [&](http::Request request, http::Pending reply) {
        kept = request.spooled;
        reply.answer(text("kept"));
    };
    s.start();
    EXPECT_EQ(Client(s.server).send(with_length("hello")).read().body, "kept");
    EXPECT_EQ(contents(*kept), "hello");
    kept.reset();
    EXPECT_TRUE(eventually([&] { return spool.empty(); }));  // the server's own hold may end after its answer
}

TEST(Bodies, of_clients_that_give_up_are_removed) {
    Spool spool;
    net::ServerOptions options;
    options.spool_directory = spool.path;
    BodyStage s(options, {.bytes = 1000, .in_memory = 0});
    Client c(s.server);
    c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello");
    EXPECT_TRUE(eventually([&] { return !spool.empty(); }));
    c.vanish();
    EXPECT_TRUE(eventually([&] { return spool.empty(); }));
}

TEST(Bodies, that_cannot_be_stored_are_refused_for_now) {
    net::ServerOptions options;
    options.spool_directory = "/nonexistent";
    BodyStage s(options, {.bytes = 1000, .in_memory = 0});
    Client c(s.server);
    EXPECT_EQ(c.send(with_length("hello")).read().status, 503);
}

TEST(Bodies, are_asked_for_when_the_client_waits_to_be_asked) {
    BodyStage s({}, {});
    Client c(s.server);
    c.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(c.read().status, 100);
    EXPECT_EQ(c.send("hello").read().body, "memory hello");
    EXPECT_EQ(c.send(with_length("again")).read().body, "memory again");
}

TEST(Bodies, that_stop_coming_get_408) {
    net::ServerOptions options;
    options.body_pause = 50ms;
    BodyStage s(options, {});
    Client c(s.server);
    const auto answer = c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel").read();
    EXPECT_EQ(answer.status, 408);
    EXPECT_TRUE(answer.has("Connection: close"));
}

TEST(Bodies, that_trickle_get_408) {
    net::ServerOptions options;
    options.body_grace = 100ms;
    options.linger_timeout = 100ms;
    BodyStage s(options, {});
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
    BodyStage s({}, {});
    Client c(s.server);
    for (const char byte : chunked_head + chunks(varied(100), 30)) c.send({&byte, 1});
    EXPECT_EQ(c.read().body, "memory " + varied(100));
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
    BodyStage s(options, {});
    Client head(s.server), body(s.server), quick(s.server);
    head.send("GET / HT");
    body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel");
    EXPECT_EQ(quick.get("/").read().status, 200);
    EXPECT_EQ(body.send("lo").read().body, "memory hello");
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
