// SPDX-License-Identifier: AGPL-3.0-or-later
// A way to PostgreSQL on which everything is lost from some moment on, while connections stay open.
#include "base/deadline.hpp"
#include "engine_fixture.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <thread>

namespace {

class Way {
public:
    explicit Way(const std::string& socket_path)
        : path_(socket_path), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
        listen(listener_, 64);
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    ~Way() {
        thread_.request_stop();
        thread_.join();
        close(listener_);
        for (auto [here, there] : pairs_) close(here), close(there);
    }

    int port = 0;
    std::atomic<bool> silent = false;

private:
    void run(const std::stop_token& stop) {
        using namespace std::chrono_literals;
        while (!stop.stop_requested()) {
            if (silent) {
                std::this_thread::sleep_for(5ms);
                continue;
            }
            std::vector<pollfd> all{{listener_, POLLIN, 0}};
            for (auto [here, there] : pairs_) all.insert(all.end(), {{here, POLLIN, 0}, {there, POLLIN, 0}});
            poll(all.data(), all.size(), 5);
            for (std::size_t i = 1; i < all.size() && !silent; ++i)
                if (all[i].revents != 0) pass_on(all[i].fd, all[i % 2 == 1 ? i + 1 : i - 1].fd);
            if (all[0].revents != 0) accept_one();
        }
    }
    void accept_one() {
        const int here = accept(listener_, nullptr, nullptr), there = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path_.copy(address.sun_path, sizeof address.sun_path - 1);
        connect(there, reinterpret_cast<sockaddr*>(&address), sizeof address);
        pairs_.emplace_back(here, there);
    }
    void pass_on(int from, int to) {
        char bytes[4096];
        const auto got = recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got > 0) send(to, bytes, static_cast<std::size_t>(got), MSG_NOSIGNAL);
        else if (got == 0) std::erase_if(pairs_, [&](auto pair) { return ends(pair, from); });
    }
    static bool ends(std::pair<int, int> pair, int fd) {
        if (pair.first != fd && pair.second != fd) return false;
        close(pair.first);
        close(pair.second);
        return true;
    }

    std::string path_;
    int listener_;
    std::vector<std::pair<int, int>> pairs_;
    std::jthread thread_;
};

struct SilentServer : EngineFixture {
    SilentServer() {
        std::string url = database.options.postgres_url;
        auto at = url.find("host=") + 5;
        auto folder = url.substr(at, url.find('&', at) - at);
        way = std::make_unique<Way>(folder + "/.s.PGSQL.5432");
        url.replace(at, folder.size(), "127.0.0.1&port=" + std::to_string(way->port));
        database.options.readers = 1;
        database.options.writers = 2;
        direct_ = database.options.postgres_url;
        database.options.postgres_url = url;
    }
    ~SilentServer() override {
        way->silent = false;
        engine.reset();
    }

    // Who could not connect is not asked again at once.
    template <class Ask>
    static bool is_answered_again(Ask&& ask) {
        for (int i = 0; i < 400; ++i) {
            try {
                ask();
                return true;
            } catch (const base::Unavailable&) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            }
        }
        return false;
    }
    std::int64_t first() {
        return read([](db::Read& db) { return db.one(numbers::of, 1); });
    }

    std::unique_ptr<Way> way;

private:
    std::string direct_;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SilentServer);
INSTANTIATE_TEST_SUITE_P(
    db, SilentServer,
    testing::ValuesIn(
        support::postgres_url() ? std::vector{support::Database::postgres} : std::vector<support::Database>{}
    ),
    support::database_name
);

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto patience = 15s;  // a silence alone would take 35

TEST_P(SilentServer, keeps_nobody_longer_than_their_deadline) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    way->silent = true;
    const auto begun = Clock::now();
    {
        base::Within within(Clock::now() + 300ms);
        auto change = post([](db::Write& db) { db.run(numbers::insert, 2, 0); });
        EXPECT_THROW(read([](db::Read& db) { return db.one(numbers::count); }), base::TimedOut);
        EXPECT_THROW(change.get(), base::Unavailable);
    }
    EXPECT_LT(Clock::now() - begun, patience);
    way->silent = false;
    EXPECT_TRUE(is_answered_again([&] { EXPECT_EQ(first(), 0); }));
    EXPECT_TRUE(is_answered_again([&] { write([](db::Write& db) { db.run(numbers::set, 1, 5); }); }));
    EXPECT_EQ(first(), 5);
}

TEST_P(SilentServer, is_given_up_without_a_deadline_too) {
    database.options.longest_silence = 500ms;
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    way->silent = true;
    EXPECT_THROW(read([](db::Read& db) { return db.one(numbers::count); }), base::Unavailable);
    EXPECT_THROW(write([](db::Write& db) { db.run(numbers::insert, 2, 0); }), base::Unavailable);
    way->silent = false;
    EXPECT_TRUE(is_answered_again([&] { EXPECT_EQ(first(), 0); }));
}

TEST_P(SilentServer, does_not_keep_the_program_from_its_end) {
    start();
    write([](db::Write& db) { db.run(numbers::insert, 1, 0); });
    way->silent = true;
    auto change = post([](db::Write& db) { db.run(numbers::insert, 2, 0); });
    const auto begun = Clock::now();
    engine->cancel();
    engine->stop();
    EXPECT_LT(Clock::now() - begun, patience);
    EXPECT_THROW(change.get(), base::Unavailable);
}

}  // namespace
