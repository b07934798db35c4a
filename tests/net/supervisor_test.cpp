// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/local/supervisor.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>

#include "net/listening.hpp"
#include "net/stage.hpp"

namespace {

using namespace net_test;
using namespace std::chrono_literals;
using testing::HasSubstr;

struct Supervised : testing::Test {
    ~Supervised() override {
        for (const char* name : variables) ::unsetenv(name);
    }
    static void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }
    void hear() {
        ear.emplace("/tmp/dunlin-ear-" + std::to_string(::getpid()));
        set("NOTIFY_SOCKET", ear->path);
    }
    // What is handed over begins at 3, where this process has something of its own.
    static std::string refusal_of(int fd, const std::string& names) {
        const net::Fd kept(::fcntl(3, F_DUPFD_CLOEXEC, 100));
        ::dup2(fd, 3);
        set("LISTEN_PID", std::to_string(::getpid()));
        set("LISTEN_FDS", "1");
        set("LISTEN_FDNAMES", names);
        std::string said;
        try {
            const auto sockets = net::Supervisor::of_environment().sockets();
            said = sockets.at(0).address + (sockets[0].tls ? " tls" : " plain");
        } catch (const std::exception& e) {
            said = e.what();
        }
        if (kept) ::dup2(kept.get(), 3);
        else ::close(3);
        return said;
    }

    static constexpr const char* variables[] = {
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"
    };
    std::optional<Ear> ear;
};

TEST_F(Supervised, says_what_it_is_told_to) {
    hear();
    const auto supervisor = net::Supervisor::of_environment();
    supervisor.say("READY=1\nSTATUS=Serving");
    EXPECT_TRUE(ear->hears("READY=1\nSTATUS=Serving\n"));
    EXPECT_EQ(std::getenv("NOTIFY_SOCKET"), nullptr) << "who is started later is not meant";
}

TEST_F(Supervised, says_nothing_where_nobody_hears) {
    const auto supervisor = net::Supervisor::of_environment();
    EXPECT_FALSE(supervisor.hears());
    supervisor.say("READY=1");
    EXPECT_EQ(supervisor.watchdog(), 0us);
    EXPECT_TRUE(supervisor.sockets().empty());
}

TEST_F(Supervised, asks_for_more_time_again_and_again) {
    hear();
    const auto supervisor = net::Supervisor::of_environment();
    {
        const net::StillStarting starting(supervisor, 10ms);
        for (int i = 0; i < 3; ++i) {
            EXPECT_TRUE(ear->hears("EXTEND_TIMEOUT_USEC=30000\n"));
            ear->heard.clear();
        }
    }
    supervisor.say("READY=1");
    EXPECT_TRUE(ear->hears("READY=1"));
    ear->heard.clear();
    EXPECT_FALSE(ear->hears("EXTEND", 100));
}

TEST_F(Supervised, is_watched_if_it_is_meant) {
    set("WATCHDOG_USEC", "60000000");
    set("WATCHDOG_PID", std::to_string(::getpid()));
    EXPECT_EQ(net::Supervisor::of_environment().watchdog(), 60s);
    set("WATCHDOG_USEC", "60000000");
    set("WATCHDOG_PID", "1");
    EXPECT_EQ(net::Supervisor::of_environment().watchdog(), 0us);
}

TEST_F(Supervised, takes_sockets_by_their_names_and_refuses_others) {
    const Port port, silent(false);
    EXPECT_EQ(refusal_of(port.socket.get(), "http"), "127.0.0.1 plain");
    EXPECT_EQ(refusal_of(port.socket.get(), "https"), "127.0.0.1 tls");
    EXPECT_EQ(refusal_of(port.socket.get(), ""), "127.0.0.1 plain");
    EXPECT_THAT(
        refusal_of(port.socket.get(), "dunlin.socket"), HasSubstr("FileDescriptorName=http or https")
    );
    EXPECT_THAT(refusal_of(silent.socket.get(), "http"), HasSubstr("Socket 3 (\"http\")"));
    EXPECT_THAT(refusal_of(silent.socket.get(), "http"), HasSubstr("does not listen; write ListenStream="));
    const net::Fd local(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un nameless{};
    nameless.sun_family = AF_UNIX;
    ::bind(local.get(), reinterpret_cast<sockaddr*>(&nameless), sizeof nameless.sun_family);
    ::listen(local.get(), 1);
    EXPECT_THAT(refusal_of(local.get(), "http"), HasSubstr("is neither of TCP nor at a path"));
}

TEST_F(Supervised, leaves_the_sockets_of_others_alone) {
    set("LISTEN_PID", "1");
    set("LISTEN_FDS", "2");
    EXPECT_TRUE(net::Supervisor::of_environment().sockets().empty());
    set("LISTEN_PID", std::to_string(::getpid()));
    set("LISTEN_FDS", "many");
    EXPECT_THROW(net::Supervisor::of_environment(), std::runtime_error);
}

net::ServerOptions serving(const Port& port) {
    net::ServerOptions options;
    options.listen = {{"127.0.0.1", port.number, false, ::fcntl(port.socket.get(), F_DUPFD_CLOEXEC, 0)}};
    return options;
}

TEST(InheritedSocket, goes_from_one_server_to_the_next_with_who_waits_there) {
    const Port port;
    std::optional<Stage> first(serving(port));
    first->start();
    EXPECT_EQ(Client(port.number).get("/one").read().body, "/one");
    first->server.stop(1s);
    Client waits(port.number);  // nobody is there, and nothing is refused
    waits.get("/two");
    Stage second(serving(port));
    second.start();
    EXPECT_EQ(waits.read().body, "/two");
}

TEST(Stopping, answers_who_has_come_and_not_asked_yet) {
    Stage s;
    s.start();
    Client c(s.server);
    ASSERT_TRUE(eventually([&] { return s.server.counters().connections_open == 1; }));
    std::thread stopping([&] { s.server.stop(5s); });
    std::this_thread::sleep_for(50ms);
    const auto answer = c.get("/late").read();
    EXPECT_EQ(answer.body, "/late");
    EXPECT_TRUE(answer.has("Connection: close"));
    stopping.join();
}

TEST(Stopping, waits_a_moment_only_for_who_says_nothing) {
    Stage s;
    s.start();
    Client silent(s.server), served(s.server);
    EXPECT_EQ(served.get("/").read().status, 200);
    const auto begun = std::chrono::steady_clock::now();
    s.server.stop(20s);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
    EXPECT_TRUE(silent.ended());
    EXPECT_TRUE(served.ended());
}

}  // namespace
