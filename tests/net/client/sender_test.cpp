// SPDX-License-Identifier: AGPL-3.0-or-later
// Many requests side by side, to servers of which some mean harm.
#include "net/client/sender.hpp"

#include <atomic>
#include <map>

#include "net/stage.hpp"

namespace {

using base::Fetch, base::FetchFailure;
using namespace net_test;

net::HttpClientOptions on_loopback() {
    net::HttpClientOptions options;
    options.allowed_networks = {"127.0.0.0/8"};
    options.plain_http = true;
    return options;
}

Fetch post(const std::string& url, const std::string& body = "{}") {
    Fetch asked;
    asked.url = url;
    asked.post = true;
    asked.body = body;
    asked.seconds = 20;
    asked.most_bytes = 64 << 10;
    asked.cut = true;
    asked.headers = {{"Content-Type", "application/activity+json"}};
    return asked;
}

std::map<std::uint64_t, base::Fetched> all(net::Sender& sender) {
    std::map<std::uint64_t, base::Fetched> out;
    while (sender.under_way() > 0)
        for (auto& ended : sender.wait(std::chrono::seconds(1))) out[ended.tag] = std::move(ended.answer);
    return out;
}

struct Inbox {
    explicit Inbox(std::function<void(http::Request, http::Pending)> on) {
        app.on = std::move(on);
        server = std::make_unique<net::Server>(options(), app);
        server->start();
        url = "http://127.0.0.1:" + std::to_string(server->endpoints().at(0).port);
    }
    ~Inbox() { server->stop(std::chrono::seconds(1)); }
    static net::ServerOptions options() {
        net::ServerOptions options;
        options.listen = {{"127.0.0.1", 0}};
        return options;
    }
    App app;
    std::unique_ptr<net::Server> server;
    std::string url;
};

}  // namespace

TEST(Sender, posts_many_at_once_and_keeps_connections) {
    std::atomic<int> bytes = 0;
    Inbox inbox([&](http::Request request, http::Pending reply) {
        bytes += static_cast<int>(request.body.size());
        reply.answer(text("ok"));
    });
    net::Sender sender(on_loopback());
    for (std::uint64_t i = 1; i <= 100; ++i) sender.start(i, post(inbox.url + "/inbox", "hello"));
    auto answers = all(sender);
    ASSERT_EQ(answers.size(), 100u);
    for (const auto& [tag, answer] : answers) EXPECT_TRUE(answer.ok()) << tag;
    EXPECT_EQ(bytes, 500);
    EXPECT_LE(inbox.server->counters().connections_accepted, 4u);
}

TEST(Sender, connects_to_nobody_the_client_would_not_connect_to_attack_97) {
    Inbox inbox([](http::Request, http::Pending reply) { reply.answer(text("ok")); });
    auto options = on_loopback();
    options.allowed_networks.clear();
    net::Sender strict(options);
    strict.start(1, post(inbox.url));
    strict.start(2, post("ftp://a.example/"));
    strict.start(3, post(""));
    auto answers = all(strict);
    EXPECT_EQ(answers[1].failure, FetchFailure::forbidden_address);
    EXPECT_EQ(answers[2].failure, FetchFailure::bad_url);
    EXPECT_EQ(answers[3].failure, FetchFailure::bad_url);
    EXPECT_EQ(inbox.server->counters().connections_accepted, 0u);

    options = on_loopback();
    options.own_hosts = {inbox.url.substr(7)};
    net::Sender own(options);
    own.start(1, post(inbox.url));
    options.own_hosts.clear();
    options.plain_http = false;
    net::Sender secure(options);
    secure.start(2, post(inbox.url));
    EXPECT_EQ(all(own)[1].failure, FetchFailure::forbidden_address);
    EXPECT_EQ(all(secure)[2].failure, FetchFailure::bad_url);
    EXPECT_EQ(inbox.server->counters().connections_accepted, 0u);
}

TEST(Sender, sends_nothing_in_a_rehearsal) {
    Inbox inbox([](http::Request, http::Pending reply) { reply.answer(text("ok")); });
    auto options = on_loopback();
    options.asks_nobody = true;
    net::Sender sender(options);
    sender.start(1, post(inbox.url));
    EXPECT_EQ(all(sender)[1].failure, FetchFailure::unreachable);
    EXPECT_EQ(inbox.server->counters().connections_accepted, 0u);
}

TEST(Sender, follows_no_redirect_and_reads_no_more_than_it_needs) {
    Inbox inbox([](http::Request request, http::Pending reply) {
        auto response = text(std::string(request.target == "/large" ? 10 << 20 : 1, 'x'));
        if (request.target == "/moved") {
            response.status = 307;
            response.headers.emplace_back("Location", "/moved");
        }
        if (request.target == "/later") {
            response.status = 503;
            response.headers.emplace_back("Retry-After", "120");
        }
        reply.answer(std::move(response));
    });
    net::Sender sender(on_loopback());
    sender.start(1, post(inbox.url + "/large"));
    sender.start(2, post(inbox.url + "/moved"));
    sender.start(3, post(inbox.url + "/later"));
    auto answers = all(sender);
    EXPECT_TRUE(answers[1].ok());
    EXPECT_LE(answers[1].body.size(), std::size_t{64 << 10});
    EXPECT_EQ(answers[2].status, 307);
    EXPECT_EQ(answers[3].status, 503);
    EXPECT_EQ(answers[3].retry_after, 120);
}

TEST(Sender, gives_up_who_is_silent_while_others_are_served) {
    Held held;
    std::atomic<int> quick = 0;
    auto hold = held.hold();
    Inbox inbox([&](http::Request request, http::Pending reply) {
        if (request.target == "/silent") return hold(std::move(request), std::move(reply));
        ++quick;
        reply.answer(text("ok"));
    });
    net::Sender sender(on_loopback());
    auto silent = post(inbox.url + "/silent");
    silent.seconds = 1;
    sender.start(1, silent);
    for (std::uint64_t i = 2; i <= 20; ++i) sender.start(i, post(inbox.url + "/quick"));
    auto answers = all(sender);
    EXPECT_EQ(answers[1].failure, FetchFailure::timeout);
    EXPECT_EQ(quick, 19);
    held.take("/silent").answer(text("late"));
}

TEST(Sender, is_woken_while_it_waits) {
    net::Sender sender(on_loopback());
    std::thread other([&] { sender.wake(); });
    EXPECT_TRUE(sender.wait(std::chrono::hours(1)).empty());
    other.join();
}
