// SPDX-License-Identifier: AGPL-3.0-or-later
// How the outgoing client ends before an answer comes: when it is told to stop, and with the work it is for.
#include "base/deadline.hpp"

#include <future>

#include "net/hostile.hpp"

using base::Fetch;
using namespace net_test;

TEST(HttpClient, cancels_what_it_asks_when_it_is_told_to_stop_and_asks_nobody_any_more) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    Hostile silent([ended](int, const std::string&) { ended.wait(); });
    Hostile other(answering("hello"));
    std::stop_source stop;
    auto options = on_loopback();
    options.per_host = 1;
    options.stop = stop.get_token();
    net::HttpClient client(options);
    Fetch patient;
    patient.url = silent.url();
    patient.seconds = 600;
    auto ask = [&] { return client.fetch(patient); };
    auto talking = std::async(std::launch::async, ask), waiting = std::async(std::launch::async, ask);
    ASSERT_TRUE(eventually([&] { return silent.connections == 1; }));
    stop.request_stop();
    EXPECT_THROW(talking.get(), base::Stopping);
    EXPECT_THROW(waiting.get(), base::Stopping);
    Fetch next;
    next.url = other.url();
    EXPECT_THROW(client.fetch(next), base::Stopping);
    EXPECT_EQ(silent.connections, 1);
    EXPECT_EQ(other.connections, 0);
    end.set_value();
}

TEST(HttpClient, ends_with_the_work_it_is_for_and_does_not_blame_the_server_for_that) {
    std::promise<void> end;
    auto ended = end.get_future().share();
    std::atomic<bool> silent = true;
    Hostile slow([&, ended](int socket, const std::string&) {
        if (silent) ended.wait();
        else say(socket, answer("there"));
    });
    net::HttpClient client(on_loopback());
    Fetch asked;
    asked.url = slow.url();
    asked.seconds = 600;
    {
        // In which a busy machine must get to connect.
        base::Within within(std::chrono::steady_clock::now() + std::chrono::seconds(1));
        EXPECT_THROW(client.fetch(asked), base::TimedOut);
        EXPECT_THROW(client.fetch(asked), base::TimedOut);
    }
    EXPECT_EQ(slow.connections, 1);
    silent = false;
    EXPECT_EQ(client.fetch(asked).body, "there");
    end.set_value();
}
