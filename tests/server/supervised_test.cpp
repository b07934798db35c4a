// SPDX-License-Identifier: AGPL-3.0-or-later
// The program under somebody who does as systemd does.
#include <gmock/gmock.h>

#include "net/listening.hpp"
#include "serving.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct UnderSupervision : server_test::Serve {
    ~UnderSupervision() override {
        for (const char* name :
             {"NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"})
            ::unsetenv(name);
    }

    net_test::Ear ear{folder / "notify"};
};

TEST_F(UnderSupervision, tells_of_its_life) {
    ::setenv("NOTIFY_SOCKET", ear.path.c_str(), 1);
    ::setenv("WATCHDOG_USEC", "400000", 1);
    start();
    ASSERT_TRUE(ear.hears("READY=1\nSTATUS=Serving http://dunlin.example"));
    const auto before = ear.heard.substr(0, ear.heard.find("READY=1"));
    EXPECT_THAT(before, HasSubstr("EXTEND_TIMEOUT_USEC=30000000\n"));
    EXPECT_THAT(before, HasSubstr("STATUS=Bringing the database up to date: 0001_"));
    EXPECT_EQ(get("/health").status, 200);
    for (int i = 0; i < 2; ++i) {
        ear.heard.clear();
        EXPECT_TRUE(ear.hears("WATCHDOG=1\n"));
    }
    ear.heard.clear();
    ::kill(child, SIGHUP);
    ASSERT_TRUE(ear.hears("READY=1\n"));
    EXPECT_THAT(ear.heard, HasSubstr("RELOADING=1\nMONOTONIC_USEC="));
    ear.heard.clear();
    EXPECT_EQ(stop(SIGTERM), 0);
    ASSERT_TRUE(ear.hears("STOPPING=1\n"));
    EXPECT_THAT(ear.heard, HasSubstr("EXTEND_TIMEOUT_USEC=14500000\n"));
}

TEST_F(UnderSupervision, serves_the_socket_that_it_was_given) {
    const net_test::Port port;
    takes_sockets = true;
    const net::Fd kept(::fcntl(3, F_DUPFD_CLOEXEC, 100));
    ::setenv("LISTEN_FDS", "1", 1);
    ::setenv("LISTEN_FDNAMES", "http", 1);
    for (int i = 0; i < 2; ++i) {
        ::dup2(port.socket.get(), 3);
        address.clear();
        start();
        if (kept) ::dup2(kept.get(), 3);
        EXPECT_EQ(address, "127.0.0.1:" + std::to_string(port.number));
        EXPECT_EQ(get("/health").body, "OK");
        EXPECT_THAT(
            contents(folder / "err"), HasSubstr("an option is not used, as sockets were handed over")
        );
        EXPECT_THAT(contents(folder / "err"), Not(HasSubstr("needs a restart")));
        EXPECT_EQ(stop(SIGTERM), 0);
    }
}

TEST_F(UnderSupervision, serves_a_socket_at_a_path_that_it_was_given) {
    const auto path = (folder / "http.sock").string();
    const net::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    ASSERT_EQ(::listen(socket.get(), 64), 0);
    takes_sockets = true;
    const net::Fd kept(::fcntl(3, F_DUPFD_CLOEXEC, 100));
    ::setenv("LISTEN_FDS", "1", 1);
    ::dup2(socket.get(), 3);
    start();
    if (kept) ::dup2(kept.get(), 3);
    EXPECT_EQ(address, "unix:" + path);
    socket_path = path;
    address = "localhost";
    EXPECT_EQ(get("/health").body, "OK");
    EXPECT_EQ(run("health --public-url http://dunlin.example --listen unix:" + path).out, "OK\n");
    EXPECT_EQ(stop(SIGTERM), 0);
    EXPECT_TRUE(std::filesystem::exists(path));  // it is not ours
}

}  // namespace
