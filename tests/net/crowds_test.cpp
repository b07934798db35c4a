// SPDX-License-Identifier: AGPL-3.0-or-later
// Many clients of one address, and clients that take all the time there is: nobody else may notice.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <optional>

#include "base/log.hpp"
#include "net/shares.hpp"
#include "net/stage.hpp"

using namespace net_test;
using namespace std::chrono_literals;

namespace {

// Nobody of 127.0.0.0/8 is a proxy here.
net::ServerOptions strangers() {
    net::ServerOptions options;
    options.trusted_proxies = {};
    options.linger_timeout = 100ms;
    return options;
}

std::string forwarded(std::string_view target, std::string_view client) {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + std::string(client) +
           "\r\n\r\n";
}

net::Address address(std::string_view text) { return *net::Address::parse(text); }

}  // namespace

// A byte per 1, 4 and 12 seconds with a limit of 10, ten times as fast.
TEST(Heads, that_drip_end_in_time_however_steadily) {
    auto options = strangers();
    options.head_timeout = 1s;
    Stage s(options);
    s.start();
    std::atomic<int> ended{0};
    std::vector<std::thread> clients;
    for (const auto pause : {100ms, 400ms, 1200ms})
        clients.emplace_back([&, pause] {
            Client c(s.server);
            std::atomic<bool> over{false};
            std::thread dripping([&] {
                for (const char byte : asking_for("/" + std::string(300, 'x'))) {
                    if (over) return;
                    c.send({&byte, 1});
                    std::this_thread::sleep_for(pause);
                }
            });
            ended += c.read().status == 408;
            over = true;
            dripping.join();
        });
    for (auto& client : clients) client.join();
    EXPECT_EQ(ended, 3);
}

TEST(Heads, of_which_two_packets_came_end_in_time) {
    auto options = strangers();
    options.head_timeout = 1s;  // in which a busy machine must get to send a part of it
    Stage s(options);
    std::atomic<int> served{0};
    s.app.on = [&](http::Request request, http::Pending reply) {
        ++served, reply.answer(text(request.target));
    };
    s.start();
    Client c(s.server);
    c.send("GET / HT");
    EXPECT_TRUE(eventually([&] { return s.server.counters().connections_open == 1; }));
    c.send("TP/1.1\r\nHo");
    EXPECT_EQ(c.read().status, 408);
    // The second request of a connection, too.
    Client later(s.server);
    EXPECT_EQ(later.get("/first").read().body, "/first");
    later.send("GET /sec");
    later.send("ond HTTP/1.1\r\n");
    EXPECT_EQ(later.read().status, 408);
    EXPECT_EQ(served, 1);
}

TEST(Crowds, of_one_address_are_refused_and_others_are_not) {
    auto options = strangers();
    options.max_connections_per_address = 2;
    Stage s(options);
    s.start();
    std::optional<Client> one(std::in_place, s.server), two(std::in_place, s.server);
    EXPECT_EQ(one->get("/").read().status, 200);
    EXPECT_EQ(two->get("/").read().status, 200);
    const auto refused = Client(s.server).get("/").read();
    EXPECT_EQ(refused.status, 429);
    EXPECT_TRUE(refused.has("Connection: close"));
    EXPECT_NE(refused.header("Retry-After"), "");
    EXPECT_EQ(Client(s.server, "127.0.0.2").get("/").read().status, 200);
    EXPECT_EQ(one->get("/").read().status, 200);
    EXPECT_EQ(s.server.counters().connections_refused, 1u);
    two.reset();
    EXPECT_TRUE(eventually([&] { return Client(s.server).get("/").read().status == 200; }));
}

TEST(Crowds, behind_a_trusted_proxy_are_counted_by_whom_it_names) {
    net::ServerOptions options;
    options.max_connections_per_address = 2;
    Stage s(options);
    Held held;
    s.app.on = held.hold();
    s.start();
    std::array<std::optional<Client>, 5> proxy;
    for (auto& connection : proxy) connection.emplace(s.server);
    proxy[0]->send(forwarded("/1", "192.0.2.1"));
    proxy[1]->send(forwarded("/2", "192.0.2.1"));
    auto first = held.take("/1"), second = held.take("/2");
    const auto refused = proxy[2]->send(forwarded("/3", "192.0.2.1")).read();
    EXPECT_EQ(refused.status, 429);
    EXPECT_TRUE(refused.has("Connection: keep-alive"));
    proxy[3]->send(forwarded("/4", "192.0.2.2"));
    held.take("/4").answer(text("four"));
    EXPECT_EQ(proxy[3]->read().body, "four");
    proxy[4]->get("/5");  // of nobody in particular
    held.take("/5").answer(text("five"));
    EXPECT_EQ(proxy[4]->read().body, "five");
    first.answer(text("one"));
    second.answer(text("two"));
    EXPECT_EQ(proxy[0]->read().body, "one");
    EXPECT_EQ(proxy[1]->read().body, "two");
    proxy[2]->send(forwarded("/6", "192.0.2.1"));
    held.take("/6").answer(text("six"));
    EXPECT_EQ(proxy[2]->read().body, "six");
    EXPECT_EQ(held.count(), 5u);
}

TEST(Crowds, of_one_ipv6_network_are_one) {
    auto all = std::make_shared<net::Shares>(10, 2);
    net::Share one(all, address("2001:db8:1:2::1")), two(all, address("2001:db8:1:2:3:4:5:6")),
        three(all, address("2001:db8:1:2::3")), other(all, address("2001:db8:1:3::1")),
        mapped(all, address("::ffff:192.0.2.1")), v4(all, address("192.0.2.2"));
    using Outcome = net::Shares::Outcome;
    EXPECT_EQ(one.grow(1), Outcome::taken);
    EXPECT_EQ(two.grow(1), Outcome::taken);
    EXPECT_EQ(three.grow(1), Outcome::own_used_up);
    EXPECT_EQ(other.grow(2), Outcome::taken);
    EXPECT_EQ(mapped.grow(2), Outcome::taken);
    EXPECT_EQ(v4.grow(2), Outcome::taken);
    one.give_back();
    EXPECT_EQ(three.grow(1), Outcome::taken);
    net::Share nobody(all, std::nullopt);
    EXPECT_EQ(nobody.grow(3), Outcome::none_left);
    EXPECT_EQ(nobody.grow(2), Outcome::taken);
    { const auto moved = std::move(nobody); }
    EXPECT_EQ(all->held(), 8u);
}

TEST(Crowds, that_use_up_all_descriptors_are_told) {
    Stage s(strangers());
    s.start();
    Client served(s.server);
    EXPECT_EQ(served.get("/before").read().body, "/before");
    rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
    std::vector<std::unique_ptr<Client>> waiting;
    for (int i = 0; i < 3; ++i) waiting.push_back(std::make_unique<Client>(Client::Unconnected{}));
    auto few = usual;
    few.rlim_cur = 1024;
    std::vector<net::Fd> taken;
    taken.reserve(1024);
    testing::internal::CaptureStderr();
    // A sanitizer that meets the log for the first time would need a descriptor to look at its type.
    base::log_error("nothing is taken yet", {});
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    for (;;) {
        net::Fd one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (!one) break;
        taken.push_back(std::move(one));
    }
    std::vector<int> statuses;
    for (auto& client : waiting) {
        client->connect(s.server.endpoints().at(0).port);
        statuses.push_back(client->get("/").read().status);
    }
    const auto meanwhile = served.get("/meanwhile").read().body;
    ::setrlimit(RLIMIT_NOFILE, &usual);
    taken.clear();
    const auto log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(statuses, (std::vector<int>{503, 503, 503}));
    EXPECT_EQ(meanwhile, "/meanwhile");
    const auto at = log.find("no file descriptor is left");
    EXPECT_NE(at, log.npos) << log;
    EXPECT_EQ(log.find("no file descriptor is left", at + 1), log.npos) << "one line is enough";
    EXPECT_EQ(Client(s.server).get("/after").read().body, "/after");
}

TEST(Answers, that_nobody_reads_are_bounded) {
    auto options = strangers();
    options.unread_answers = {1 << 20, 100'000};
    Stage s(options);
    Held held;
    s.app.on = held.hold();
    s.start();
    Client c(s.server);
    c.send(asking_for("/1") + asking_for("/2") + asking_for("/3"));
    auto first = held.take("/1");
    held.take("/2").answer(text(std::string(60'000, '2')));
    held.take("/3").answer(text(std::string(60'000, '3')));
    // The answers are taken in by the connection's thread before what comes to it later.
    Client other(s.server, "127.0.0.2"), another(s.server, "127.0.0.3");
    for (auto* later : {&other, &another}) {
        later->get("/other");
        held.take("/other").answer(text("other"));
        EXPECT_EQ(later->read().body, "other");
    }
    first.answer(text("one"));
    EXPECT_EQ(c.read().body, "one");
    EXPECT_EQ(c.read().body, std::string(60'000, '2'));
    const auto refused = c.read();
    EXPECT_EQ(refused.status, 503);
    EXPECT_TRUE(refused.has("Connection: close"));
    EXPECT_TRUE(c.ended());
}

TEST(Answers, that_are_read_by_the_drop_are_cut_off) {
    auto options = strangers();
    options.answer_grace = 100ms;
    options.answer_bytes_per_second = 1 << 30;
    Stage s(options);
    s.app.on = [](http::Request, http::Pending reply) { reply.answer(text(std::string(64 << 20, 'x'))); };
    s.start();
    Client c(s.server);
    c.get("/");
    std::atomic<bool> over{false};
    std::thread reading([&] {
        while (!over && c.taste(4096)) std::this_thread::sleep_for(1ms);
    });
    EXPECT_TRUE(eventually([&] {
        const auto now = s.server.counters();
        return now.connections_accepted == 1 && now.connections_open == 0;
    }));
    over = true;
    reading.join();
}
