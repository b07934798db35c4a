// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/server.hpp"

#include <gtest/gtest.h>

#include "net/stage.hpp"

using namespace net_test;
using namespace std::chrono_literals;

TEST(Server, keeps_a_connection_for_many_requests) {
    Stage s;
    s.start();
    Client c(s.server);
    for (int i = 0; i < 100; ++i) {
        const auto answer = c.get("/" + std::to_string(i)).read();
        ASSERT_EQ(answer.body, "/" + std::to_string(i));
    }
    EXPECT_EQ(s.server.counters().connections_accepted, 1u);
    EXPECT_EQ(s.server.counters().requests, 100u);
}

TEST(Server, adds_its_headers_and_keeps_the_callers) {
    Stage s;
    std::string id;
    s.app.on = [&](http::Request request, http::Pending reply) {
        id = request.id;
        auto response = text("hi");
        response.headers.emplace_back("X-Mine", "a\r\nSet-Cookie: b");
        reply.answer(std::move(response));
    };
    s.start();
    const auto answer = Client(s.server).get("/").read();
    EXPECT_EQ(answer.header("Server"), "dunlin");
    EXPECT_TRUE(answer.header("Date").ends_with(" GMT"));
    EXPECT_EQ(answer.header("X-Request-Id"), id);
    EXPECT_EQ(id.size(), 12u);
    EXPECT_EQ(answer.header("Content-Length"), "2");
    EXPECT_EQ(answer.header("Content-Type"), "text/plain");
    EXPECT_EQ(answer.header("X-Mine"), "a  Set-Cookie: b");
    EXPECT_EQ(answer.header("Set-Cookie"), "");
}

TEST(Server, answers_pipelined_requests_in_order_however_they_complete) {
    Stage s;
    Held held;
    s.app.on = held.hold();
    s.start();
    Client c(s.server);
    c.send(asking_for("/1") + asking_for("/2") + asking_for("/3"));  // what comes apart may be read later
    auto first = held.take("/1"), second = held.take("/2"), third = held.take("/3");
    std::thread([&] { third.answer(text("three")); }).join();
    std::thread([&] { second.answer(text("two")); }).join();
    std::thread([&] { first.answer(text("one")); }).join();
    EXPECT_EQ(c.read().body, "one");
    EXPECT_EQ(c.read().body, "two");
    EXPECT_EQ(c.read().body, "three");
}

// /1 and /2 were answered; what comes back is in the order of the requests.
void expect_three_in_order(Held& held, Client& c) {
    held.take("/3").answer(text("three"));
    for (const auto* body : {"one", "two", "three"}) EXPECT_EQ(c.read().body, body);
}

TEST(Server, runs_an_unsafe_request_alone) {
    Stage s;
    Held held;
    s.app.on = held.hold();
    s.start();
    Client c(s.server);
    const std::string unsafe = "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
    c.send(asking_for("/1") + unsafe + asking_for("/3"));
    auto first = held.take("/1");
    EXPECT_EQ(held.count(), 1u);
    first.answer(text("one"));
    auto second = held.take("/2");
    EXPECT_EQ(held.count(), 2u);
    second.answer(text("two"));
    expect_three_in_order(held, c);
}

TEST(Server, takes_only_so_many_pipelined_requests_at_once) {
    net::ServerOptions options;
    options.max_pipelined = 2;
    Stage s(options);
    Held held;
    s.app.on = held.hold();
    s.start();
    Client c(s.server);
    c.send(asking_for("/1") + asking_for("/2") + asking_for("/3"));
    auto first = held.take("/1"), second = held.take("/2");
    EXPECT_EQ(held.count(), 2u);
    first.answer(text("one"));
    second.answer(text("two"));
    expect_three_in_order(held, c);
}

TEST(Server, answers_head_like_get_without_a_body) {
    Stage s;
    s.start();
    Client c(s.server);
    const auto head = c.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n").read(true);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.header("Content-Length"), "4");
    EXPECT_EQ(c.get("/next").read().body, "/next");
}

TEST(Server, sends_no_length_where_no_body_is_allowed) {
    Stage s;
    s.app.on = [](http::Request, http::Pending reply) {
        http::Response response;
        response.status = 204;
        reply.answer(std::move(response));
    };
    s.start();
    Client c(s.server);
    const auto answer = c.get("/").read();
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(answer.header("Content-Length"), "");
    EXPECT_EQ(answer.header("Content-Type"), "");
    EXPECT_EQ(c.get("/").read().status, 204);
}

TEST(Server, closes_when_the_client_asks_for_it) {
    Stage s;
    s.start();
    Client one(s.server), two(s.server), three(s.server);
    EXPECT_TRUE(
        one.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").read().has("Connection: close")
    );
    EXPECT_TRUE(one.ended());
    EXPECT_TRUE(two.send("GET / HTTP/1.0\r\n\r\n").read().has("Connection: close"));
    EXPECT_TRUE(two.ended());
    EXPECT_TRUE(
        three.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").read().has("Connection: keep-alive")
    );
    EXPECT_EQ(three.get("/again").read().body, "/again");
}

TEST(Server, answers_a_client_that_has_stopped_sending) {
    Stage s;
    s.start();
    Client c(s.server);
    c.get("/half").finish_sending();
    EXPECT_EQ(c.read().body, "/half");
    EXPECT_TRUE(c.ended());
}

TEST(Server, sends_large_answers_whole) {
    Stage s;
    const std::string large(30 << 20, 'x');
    s.app.on = [&](http::Request, http::Pending reply) { reply.answer(text(large)); };
    s.start();
    Client c(s.server);
    EXPECT_EQ(c.get("/").get("/").read().body.size(), large.size());
    EXPECT_EQ(c.read().body, large);
}

TEST(Server, answers_503_for_a_forgotten_request) {
    Stage s;
    s.app.on = [](http::Request, http::Pending) {};
    s.start();
    Client c(s.server);
    const auto answer = c.get("/").read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_NE(answer.header("Retry-After"), "");
    EXPECT_EQ(c.get("/").read().status, 503);
}

TEST(Server, drops_the_answer_to_a_client_that_is_gone) {
    Stage s;
    Held held;
    s.app.on = held.hold();
    s.start();
    Client gone(s.server), other(s.server);
    gone.get("/gone");
    auto late = held.take("/gone");
    gone.vanish();
    late.answer(text(std::string(1 << 20, 'x')));
    other.get("/other");
    held.take("/other").answer(text("still here"));
    EXPECT_EQ(other.read().body, "still here");
    EXPECT_TRUE(eventually([&] { return s.server.counters().connections_open == 1; }));
}

TEST(Server, drops_answers_that_come_after_its_end) {
    Held held;
    std::optional<http::Pending> late;
    {
        Stage s;
        s.app.on = held.hold();
        s.start();
        Client c(s.server);
        c.get("/late");
        late.emplace(held.take("/late"));
    }
    late->answer(text("nobody hears this"));
}

TEST(Server, finishes_requests_in_flight_when_it_stops) {
    Stage s;
    Held held;
    s.app.on = held.hold();
    s.start();
    Client busy(s.server), idle(s.server);
    idle.get("/before");
    held.take("/before").answer(text("served"));
    EXPECT_EQ(idle.read().body, "served");
    busy.get("/slow");
    auto slow = held.take("/slow");
    std::thread stopping([&] { s.server.stop(20s); });
    EXPECT_TRUE(idle.ended());
    slow.answer(text("finished"));
    const auto answer = busy.read();
    EXPECT_EQ(answer.body, "finished");
    EXPECT_TRUE(answer.has("Connection: close"));
    EXPECT_TRUE(busy.ended());
    stopping.join();
    EXPECT_EQ(s.server.counters().connections_open, 0);
    EXPECT_THROW(Client{s.server}, std::runtime_error);
}

TEST(Server, cuts_off_what_does_not_finish_in_time) {
    Stage s;
    Held held;
    s.app.on = held.hold();
    s.start();
    Client stuck(s.server), sender(s.server);
    sender.send("GET / HT");
    stuck.get("/stuck");
    auto reply = held.take("/stuck");
    s.server.stop(10ms);
    EXPECT_TRUE(stuck.ended());
    EXPECT_TRUE(sender.ended());
    EXPECT_EQ(s.server.counters().connections_open, 0);
}

TEST(Server, refuses_politely_above_its_limit) {
    net::ServerOptions options;
    options.max_connections = 2;
    Stage s(options);
    s.start();
    Client one(s.server), two(s.server);
    EXPECT_EQ(one.get("/").read().status, 200);
    EXPECT_EQ(two.get("/").read().status, 200);
    Client three(s.server);
    const auto refused = three.get("/").read();
    EXPECT_EQ(refused.status, 503);
    EXPECT_TRUE(refused.has("Connection: close"));
    EXPECT_NE(refused.header("Retry-After"), "");
    EXPECT_EQ(one.get("/").read().status, 200);
    EXPECT_EQ(s.server.counters().connections_refused, 1u);
}

TEST(Server, tells_the_access_log_what_happened) {
    net::ServerOptions options;
    std::mutex lock;
    std::vector<std::string> lines;
    options.access_log = [&](const net::AccessLine& line) {
        std::lock_guard hold(lock);
        lines.push_back(
            std::string(line.method) + " " + std::string(line.target) + " " + std::to_string(line.status) +
            " " + std::string(line.remote_address) + " " + std::string(line.user_agent) + " in " +
            std::to_string(line.bytes_in)
        );
    };
    Stage s(options);
    s.start();
    Client c(s.server);
    c.send("POST /a?b HTTP/1.1\r\nHost: a\r\nUser-Agent: me\r\nContent-Length: 3\r\n\r\nabc").read();
    c.send("GET /x HTTP/1.1\r\n\r\n").read();
    EXPECT_TRUE(c.ended());
    std::lock_guard hold(lock);
    EXPECT_EQ(
        lines, (std::vector<std::string>{"POST /a?b 200 127.0.0.1 me in 3", "GET /x 400 127.0.0.1  in 0"})
    );
}

TEST(Server, serves_many_clients_answered_from_other_threads) {
    net::ServerOptions options;
    Stage s(options);
    std::mutex lock;
    std::condition_variable came;
    std::deque<std::pair<std::string, http::Pending>> queue;
    bool over = false;
    s.app.on = [&](http::Request request, http::Pending reply) {
        std::lock_guard hold(lock);
        queue.emplace_back(request.target, std::move(reply));
        came.notify_one();
    };
    auto work = [&] {
        for (;;) {
            std::unique_lock hold(lock);
            came.wait(hold, [&] { return over || !queue.empty(); });
            if (queue.empty()) return;
            auto [target, reply] = std::move(queue.front());
            queue.pop_front();
            hold.unlock();
            reply.answer(text(target));
        }
    };
    s.start();
    std::thread workers[] = {std::thread(work), std::thread(work)};
    std::vector<std::thread> clients;
    std::atomic<int> right{0};
    for (int n = 0; n < 8; ++n)
        clients.emplace_back([&] {
            Client c(s.server);
            for (int i = 0; i < 50; ++i) {
                c.get("/a").get("/b");
                right += c.read().body == "/a";
                right += c.read().body == "/b";
            }
        });
    for (auto& client : clients) client.join();
    {
        std::lock_guard hold(lock);
        over = true;
    }
    came.notify_all();
    for (auto& worker : workers) worker.join();
    EXPECT_EQ(right, 800);
}

TEST(Server, notices_a_port_that_is_taken) {
    Stage s;
    s.start();
    net::ServerOptions options;
    options.listen = s.server.endpoints();
    Stage second(options);
    EXPECT_THROW(second.start(), std::system_error);
}

TEST(Server, listens_on_ipv6) {
    net::ServerOptions options;
    options.listen = {{"127.0.0.1", 0}, {"::1", 0}};
    Stage s(options);
    s.start();
    EXPECT_EQ(s.server.endpoints().size(), 2u);
    EXPECT_EQ(s.server.endpoints()[1].address, "::1");
    EXPECT_NE(s.server.endpoints()[1].port, 0);
}
