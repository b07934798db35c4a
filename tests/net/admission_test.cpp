// SPDX-License-Identifier: AGPL-3.0-or-later
// Bodies are decided on before they are read, and bounded in memory and in time.
#include <gtest/gtest.h>

#include <optional>

#include "net/stage.hpp"

using namespace net_test;
using namespace std::chrono_literals;

namespace {

std::string head(std::size_t length, const std::string& more = "") {
    return "POST /in HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(length) + "\r\n" + more +
           "\r\n";
}

http::Response forbidden() {
    auto response = text("no");
    response.status = 403;
    return response;
}

// Nobody of 127.0.0.0/8 is a proxy here.
net::ServerOptions strangers() {
    net::ServerOptions options;
    options.trusted_proxies = {};
    options.linger_timeout = 100ms;
    return options;
}

std::string whole(const Answer& answer) { return std::to_string(answer.status) + " " + answer.body; }

}  // namespace

TEST(Admission, refuses_from_the_head_alone) {
    Stage s(strangers());
    std::atomic<int> served{0};
    s.app.on = [&](http::Request, http::Pending reply) { ++served, reply.answer(text("served")); };
    s.app.on_head = [](const http::Request& request, http::PendingAdmission decision) {
        EXPECT_EQ(request.target, "/in");
        EXPECT_EQ(request.remote_address, "127.0.0.1");
        decision.refuse(forbidden());
    };
    s.start();
    Client c(s.server);
    const auto answer = c.send(head(100'000)).read();
    EXPECT_EQ(whole(answer), "403 no");
    EXPECT_TRUE(answer.has("Connection: close"));
    EXPECT_EQ(served, 0);
}

TEST(Admission, that_is_refused_leaves_the_connection_when_little_is_left_to_read) {
    Stage s(strangers());
    s.app.on_head = [](const http::Request&, http::PendingAdmission decision) {
        decision.refuse(forbidden());
    };
    s.start();
    Client c(s.server);
    const auto answer = c.send(head(50'000) + "he").send(std::string(49'998, 'x')).read();
    EXPECT_EQ(whole(answer), "403 no");
    EXPECT_TRUE(answer.has("Connection: keep-alive"));
    EXPECT_EQ(c.get("/next").read().body, "/next");
}

TEST(Admission, that_is_forgotten_is_refused_with_503) {
    Stage s(strangers());
    s.app.on_head = [](const http::Request&, http::PendingAdmission) {};
    s.start();
    const auto answer = Client(s.server).send(head(100'000)).read();
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*");
}

TEST(Admission, that_is_refused_asks_for_no_body) {
    Stage s(strangers());
    s.app.on_head = [](const http::Request&, http::PendingAdmission decision) {
        decision.refuse(forbidden());
    };
    s.start();
    Client c(s.server);
    EXPECT_EQ(c.send(head(5, "Expect: 100-continue\r\n")).read().status, 403);
    EXPECT_TRUE(c.ended());
}

TEST(Admission, may_be_decided_later_on_another_thread) {
    Stage s(strangers());
    std::mutex lock;
    std::optional<http::PendingAdmission> waiting;
    std::optional<http::Admission> admission;
    s.app.on = [](http::Request request, http::Pending reply) {
        reply.answer(text(request.target + " " + request.body));
    };
    s.app.on_head = [&](const http::Request& request, http::PendingAdmission decision) {
        std::lock_guard hold(lock);
        admission = s.app.admission(request);
        waiting.emplace(std::move(decision));
    };
    s.start();
    Client c(s.server), other(s.server);
    c.send(head(5) + "hel");
    EXPECT_TRUE(eventually([&] { return std::lock_guard(lock), waiting.has_value(); }));
    EXPECT_EQ(other.get("/meanwhile").read().body, "/meanwhile ");
    c.send("lo");
    waiting->admit(*admission);
    EXPECT_EQ(c.read().body, "/in hello");
}

TEST(Admission, that_comes_after_the_client_has_gone_concerns_nobody) {
    Stage s(strangers());
    std::mutex lock;
    std::optional<http::PendingAdmission> waiting;
    s.app.on_head = [&](const http::Request&, http::PendingAdmission decision) {
        std::lock_guard hold(lock);
        waiting.emplace(std::move(decision));
    };
    s.start();
    {
        Client c(s.server);
        c.send(head(100'000));
        EXPECT_TRUE(eventually([&] { return std::lock_guard(lock), waiting.has_value(); }));
        c.vanish();
    }
    waiting->refuse(forbidden());
    EXPECT_TRUE(eventually([&] { return s.server.counters().connections_open == 0; }));
    EXPECT_EQ(Client(s.server).get("/").read().status, 200);
}

TEST(Admission, sets_the_longest_body) {
    Stage s(strangers());
    s.app.terms.most_bytes = 100'000;
    s.start();
    EXPECT_EQ(Client(s.server).send(head(100'001)).read().status, 413);
    Client chunked(s.server);
    chunked.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n186A1\r\n");
    EXPECT_EQ(chunked.send(std::string(100'001, 'x')).read().status, 413);
}

TEST(Bodies, of_one_address_are_bounded_together) {
    auto options = strangers();
    options.bodies_of_strangers = {1 << 20, 100'000};
    Stage s(options);
    Held held;
    s.app.on = held.hold();
    s.start();
    Client first(s.server), second(s.server), third(s.server), elsewhere(s.server, "127.0.0.2");
    first.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(60'000, 'x'));
    auto answer = held.take("/1");  // what is not answered yet still takes its room
    const auto refused = second.send(head(60'000) + std::string(60'000, 'x')).read();
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Access-Control-Allow-Origin"), "*");
    elsewhere.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(60'000, 'x'));
    held.take("/2").answer(text("two"));
    EXPECT_EQ(elsewhere.read().body, "two");
    answer.answer(text("one"));
    EXPECT_EQ(first.read().body, "one");
    third.send("POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(60'000, 'x'));
    held.take("/3").answer(text("three"));
    EXPECT_EQ(third.read().body, "three");
}

TEST(Bodies, of_strangers_leave_room_for_those_of_users) {
    auto options = strangers();
    options.bodies_of_strangers = {50'000, 50'000};
    Stage s(options);
    s.app.on = [](http::Request request, http::Pending reply) {
        reply.answer(text(std::to_string(request.body.size())));
    };
    s.app.on_head = [&](const http::Request& request, http::PendingAdmission decision) {
        auto admission = s.app.admission(request);
        if (request.header("Authorization") == "Bearer x") admission.purse = http::Purse::users;
        decision.admit(std::move(admission));
    };
    s.start();
    Client holder(s.server), stranger(s.server, "127.0.0.2"), user(s.server, "127.0.0.3");
    holder.send(head(60'000) + std::string(40'000, 'x'));
    // Until what was sent has been read the others may be in time.
    EXPECT_TRUE(eventually([&] {
        Client one(s.server, "127.0.0.2");
        return one.send(head(20'000) + std::string(20'000, 'x')).read().status == 503;
    }));
    EXPECT_EQ(stranger.get("/").read().status, 200);
    user.send(head(60'000, "Authorization: Bearer x\r\n") + std::string(60'000, 'x'));
    EXPECT_EQ(user.read().body, "60000");
    holder.vanish();
    EXPECT_TRUE(eventually([&] {
        Client one(s.server, "127.0.0.2");
        return one.send(head(20'000) + std::string(20'000, 'x')).read().body == "20000";
    }));
}

TEST(Bodies, of_strangers_end_in_time_however_steadily_they_come) {
    auto options = strangers();
    options.stranger_body_timeout = 300ms;
    options.body_bytes_per_second = 1;  // a byte earns a second
    Stage s(options);
    s.start();
    Client c(s.server);
    c.send(head(1'000'000));
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

TEST(RenderedStatuses, come_in_order_and_one_at_a_time) {
    struct Slow : http::Intake {
        std::mutex lock;
        std::string body;
        std::optional<Done> waiting;
        int overlaps = 0, pieces = 0;
        void take(std::string piece, Done done) override {
            std::lock_guard hold(lock);
            overlaps += waiting.has_value();
            ++pieces;
            body += piece;
            waiting = std::move(done);
        }
        void serve(std::string rest, http::Pending reply) override {
            EXPECT_EQ(rest, "");
            reply.answer(text("done"));
        }
        bool go_on() {
            std::optional<Done> done;
            {
                std::lock_guard hold(lock);
                done.swap(waiting);
            }
            if (done) (*done)(std::nullopt);
            return done.has_value();
        }
    };
    Stage s(strangers());
    auto intake = std::make_shared<Slow>();
    s.app.on_head = [&](const http::Request&, http::PendingAdmission decision) {
        http::Admission admission;
        admission.intake = intake;
        admission.in_pieces = true;
        decision.admit(std::move(admission));
    };
    s.start();
    std::string body(500'000, ' ');
    for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i % 23);
    Client c(s.server);
    std::thread sender([&] { c.send(head(body.size()) + body); });
    std::size_t taken = 0;
    EXPECT_TRUE(eventually([&] {
        intake->go_on();
        std::lock_guard hold(intake->lock);
        taken = intake->body.size();
        return taken == body.size() && !intake->waiting;
    }));
    sender.join();
    EXPECT_EQ(c.read().body, "done");
    EXPECT_EQ(intake->body, body);
    EXPECT_EQ(intake->overlaps, 0);
    EXPECT_GT(intake->pieces, 1);
}

TEST(RenderedStatuses, that_are_refused_end_the_request) {
    struct Picky : http::Intake {
        void take(std::string, Done done) override { std::thread(done, forbidden()).detach(); }
        void serve(std::string, http::Pending) override { ADD_FAILURE() << "what was refused is served"; }
    };
    Stage s(strangers());
    s.app.on_head = [&](const http::Request&, http::PendingAdmission decision) {
        http::Admission admission;
        admission.intake = std::make_shared<Picky>();
        admission.in_pieces = true;
        decision.admit(std::move(admission));
    };
    s.start();
    Client c(s.server);
    EXPECT_EQ(whole(c.send(head(100'000) + std::string(50'000, 'x')).read()), "403 no");
}
