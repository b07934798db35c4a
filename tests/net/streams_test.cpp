// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers that stay open: WebSockets and event streams, what comes over them, and how they end.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

#include <optional>

#include "http/stream.hpp"
#include "net/certificate.hpp"
#include "net/stage.hpp"

using namespace net_test;
using namespace std::chrono_literals;

namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Tcp = boost::asio::ip::tcp;

// The application's end: says back what it hears.
struct Echo : http::Stream {
    void opened(std::shared_ptr<http::Outlet> to) override {
        std::lock_guard hold(lock);
        outlet = std::move(to);
        outlet->send(std::make_shared<const std::string>("hello"));
    }
    void received(std::string_view text) override {
        std::lock_guard hold(lock);
        outlet->send(std::make_shared<const std::string>("you said " + std::string(text)));
    }
    void closed() override { ended = true; }

    void send(std::size_t size) {
        std::lock_guard hold(lock);
        outlet->send(std::make_shared<const std::string>(size, 'x'));
    }
    void close() {
        std::lock_guard hold(lock);
        outlet->close(http::Close::policy);
    }

    std::mutex lock;
    std::shared_ptr<http::Outlet> outlet;
    std::atomic<bool> ended{false};
};

struct Streamed : App {
    bool may_stay_open(const http::Request& request) const override {
        return request.path().starts_with("/stream");
    }
    void admit(http::Request head, http::PendingAdmission decision) override {
        if (head.path() == "/stream/none") return decision.refuse(text("not you"));
        http::Admission admission;
        {
            std::lock_guard hold(lock);
            streams.push_back(std::make_shared<Echo>());
            admission.stream = streams.back();
        }
        if (head.path() == "/stream/events") {
            admission.head = text(":)\n");
            admission.head.content_type = "text/event-stream";
        } else {
            admission.head.status = 101;
            admission.head.headers.emplace_back("Sec-WebSocket-Protocol", "mine");
        }
        decision.admit(std::move(admission));
    }
    std::shared_ptr<Echo> last() {
        std::lock_guard hold(lock);
        return streams.back();
    }

    std::mutex lock;
    std::vector<std::shared_ptr<Echo>> streams;
};

struct StreamStage {
    explicit StreamStage(net::ServerOptions options = {}) : server(std::move(options), app) {
        server.start();
    }
    Streamed app;
    net::Server server;
};

// A client by Beast's own hand, which answers pings by itself while it reads.
struct Socket {
    explicit Socket(const net::Server& server, const std::string& target = "/stream/socket") : stream(io) {
        stream.next_layer().connect(
            {boost::asio::ip::make_address("127.0.0.1"), server.endpoints().at(0).port}
        );
        stream.set_option(websocket::stream_base::decorator([](websocket::request_type& request) {
            request.set("Sec-WebSocket-Protocol", "mine");
        }));
        stream.handshake(answer, "localhost", target, error);
    }
    std::string read() {
        beast::flat_buffer buffer;
        stream.read(buffer, error);
        return error ? "" : beast::buffers_to_string(buffer.data());
    }
    // The code that it ended with; 0 without one.
    int ended() {
        while (!error) read();
        return error == websocket::error::closed ? stream.reason().code : 0;
    }
    void say(const std::string& text) { stream.write(boost::asio::buffer(text), error); }

    boost::asio::io_context io;
    websocket::stream<Tcp::socket> stream;
    websocket::response_type answer;
    beast::error_code error;
};

}  // namespace

TEST(Streams, become_websockets) {
    StreamStage s;
    Socket c(s.server);
    ASSERT_FALSE(c.error) << c.error.message();
    EXPECT_EQ(c.answer[beast::http::field::sec_websocket_protocol], "mine");
    EXPECT_EQ(c.answer[beast::http::field::server], "dunlin");
    EXPECT_EQ(c.answer.count("X-Request-Id"), 1u);
    EXPECT_EQ(c.read(), "hello");
    c.say("this");
    EXPECT_EQ(c.read(), "you said this");
    EXPECT_EQ(s.server.counters().streams_open, 1);
    c.stream.close(websocket::close_code::normal, c.error);
    EXPECT_TRUE(eventually([&] { return s.app.last()->ended && s.server.counters().connections_open == 0; }));
    EXPECT_EQ(s.server.counters().streams_open, 0);
}

TEST(Streams, are_refused_before_anything_is_kept_open) {
    StreamStage s;
    Socket c(s.server, "/stream/none");
    EXPECT_EQ(c.error, websocket::error::upgrade_declined);
    EXPECT_EQ(s.server.counters().streams_open, 0);
    Client plain(s.server);  // the connection goes on
    EXPECT_EQ(plain.get("/stream/none").read().body, "not you");
    EXPECT_EQ(plain.get("/stream/socket").read().status, 400);
    EXPECT_EQ(plain.get("/other").read().body, "/other");
}

TEST(Streams, close_who_sends_what_they_may_not) {
    net::ServerOptions options;
    options.stream_message = 1024;
    StreamStage s(options);
    Socket large(s.server);
    large.say(std::string(1025, 'x'));
    EXPECT_EQ(large.ended(), 1009);
    Socket binary(s.server);
    binary.stream.binary(true);
    binary.say("bytes");
    EXPECT_EQ(binary.ended(), 1003);
    Socket garbled(s.server);
    garbled.say("\xff\xfe");
    EXPECT_EQ(garbled.ended(), 1007);
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 0; }));
}

TEST(Streams, drop_who_does_not_answer_pings) {
    net::ServerOptions options;
    options.ping_interval = 500ms;  // in which a busy machine must get to answer
    StreamStage s(options);
    Socket awake(s.server), asleep(s.server);  // which reads nothing, and so answers nothing
    std::thread reading([&] { awake.ended(); });
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 1; }));
    std::this_thread::sleep_for(1200ms);
    EXPECT_EQ(s.server.counters().streams_open, 1);
    s.server.stop(1s);
    reading.join();
}

TEST(Streams, end_for_who_reads_too_slowly) {
    net::ServerOptions options;
    options.linger_timeout = 100ms;
    StreamStage s(options);
    Socket c(s.server);
    EXPECT_EQ(c.read(), "hello");
    auto stream = s.app.last();
    for (int i = 0; i < 400 && !stream->ended; ++i) stream->send(64 << 10);
    EXPECT_TRUE(eventually([&] { return stream->ended.load(); }));
    EXPECT_EQ(s.server.counters().streams_overrun, 1u);
}

TEST(Streams, say_why_they_end) {
    StreamStage s;
    Socket c(s.server);
    EXPECT_EQ(c.read(), "hello");
    s.app.last()->send(5);
    s.app.last()->close();
    EXPECT_EQ(c.read(), "xxxxx");
    EXPECT_EQ(c.ended(), 1008);
    Socket last(s.server);
    std::thread reading([&] { EXPECT_EQ(last.ended(), 1012); });
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 1; }));
    s.server.stop(2s);
    reading.join();
}

TEST(Streams, of_events_come_in_chunks_and_end_with_the_connection) {
    net::ServerOptions options;
    options.heartbeat_interval = 50ms;
    StreamStage s(options);
    Client c(s.server);
    const auto answer = c.get("/stream/events").read();
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.has("Content-Type: text/event-stream"));
    EXPECT_TRUE(answer.has("Connection: close"));
    EXPECT_EQ(answer.header("Content-Length"), "");
    EXPECT_EQ(answer.header("Transfer-Encoding"), "chunked");
    const std::string_view chunks = "3\r\n:)\n\r\n5\r\nhello\r\n8\r\n:thump\n\n\r\n";
    EXPECT_EQ(c.take(chunks.size()), chunks);
    auto stream = s.app.last();
    c.vanish();
    EXPECT_TRUE(eventually([&] { return stream->ended.load(); }));
}

TEST(Streams, of_events_say_that_they_end) {
    StreamStage s;
    Client c(s.server);
    c.get("/stream/events").read();
    s.app.last()->close();
    const std::string_view chunks = "3\r\n:)\n\r\n5\r\nhello\r\n0\r\n\r\n";
    EXPECT_EQ(c.take(chunks.size()), chunks);
    while (c.taste(100)) {}
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 0; }));
}

TEST(Streams, of_events_are_bytes_as_they_come_for_http_1_0) {
    StreamStage s;
    Client c(s.server);
    const auto answer = c.send("GET /stream/events HTTP/1.0\r\nHost: a\r\n\r\n").read();
    EXPECT_EQ(answer.header("Transfer-Encoding"), "");
    EXPECT_EQ(c.take(8), ":)\nhello");
    s.app.last()->close();
    while (c.taste(100)) {}
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 0; }));
}

TEST(Streams, count_as_connections_of_their_address) {
    net::ServerOptions options;
    options.trusted_proxies = {};
    options.max_connections_per_address = 2;
    StreamStage s(options);
    Socket one(s.server), two(s.server), three(s.server);
    EXPECT_FALSE(one.error);
    EXPECT_FALSE(two.error);
    EXPECT_TRUE(three.error);
}

TEST(Streams, count_as_requests_of_the_address_a_proxy_names) {
    net::ServerOptions options;
    options.max_connections_per_address = 1;
    StreamStage s(options);
    const auto asked = "GET /stream/events HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n";
    Client one(s.server), two(s.server);
    EXPECT_EQ(one.send(asked).read().status, 200);
    EXPECT_EQ(two.send(asked).read().status, 429);
    one.vanish();
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 0; }));
    EXPECT_EQ(two.send(asked).read().status, 200);
}

TEST(Streams, are_told_of_by_their_heads_alone) {
    StreamStage s;
    Client c(s.server);
    const auto answer = c.send("HEAD /stream/events HTTP/1.1\r\nHost: a\r\n\r\n").read(true);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(c.get("/other").read().body, "/other");
    EXPECT_EQ(s.server.counters().streams_open, 0);
}

TEST(Streams, come_over_tls_as_well) {
    Certificate certificate("one.example");
    StreamStage s(certificate.options());
    boost::asio::io_context io;
    boost::asio::ssl::context context(boost::asio::ssl::context::tls_client);
    websocket::stream<boost::asio::ssl::stream<Tcp::socket>> c(io, context);
    c.next_layer().next_layer().connect(
        {boost::asio::ip::make_address("127.0.0.1"), s.server.endpoints().at(0).port}
    );
    c.next_layer().handshake(boost::asio::ssl::stream_base::client);
    c.handshake("localhost", "/stream/socket");
    auto read = [&] {
        beast::flat_buffer buffer;
        c.read(buffer);
        return beast::buffers_to_string(buffer.data());
    };
    EXPECT_EQ(read(), "hello");
    c.write(boost::asio::buffer(std::string("this")));
    EXPECT_EQ(read(), "you said this");
    s.app.last()->send(100'000);
    EXPECT_EQ(read().size(), 100'000u);
    beast::error_code error;
    c.close(websocket::close_code::normal, error);
    EXPECT_TRUE(eventually([&] { return s.server.counters().streams_open == 0; }));
}
