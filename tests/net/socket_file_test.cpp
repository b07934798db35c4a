// SPDX-License-Identifier: AGPL-3.0-or-later
// A server at a path, for the proxy of this machine.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <filesystem>
#include <fstream>

#include "stage.hpp"

namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

sockaddr_un address_of(const std::string& path) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    return at;
}

net::Fd new_socket() { return net::Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

struct SocketFile : testing::Test {
    SocketFile() {
        options.listen = {{.path = path.string()}};
        options.trusted_proxies.clear();
    }
    ~SocketFile() override { fs::remove_all(folder); }

    static fs::path made() {
        std::string name = fs::temp_directory_path() / "dunlin-socket-XXXXXX";
        return ::mkdtemp(name.data());
    }

    // What is answered to one question.
    std::string ask(const std::string& headers = "") const {
        const auto socket = new_socket();
        const auto at = address_of(path);
        if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return "nobody";
        const timeval patience{20, 0};
        ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        const auto question = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + headers + "\r\n";
        ::send(socket.get(), question.data(), question.size(), MSG_NOSIGNAL);
        std::string answer;
        char some[4096];
        for (ssize_t size; (size = ::recv(socket.get(), some, sizeof some, 0)) > 0;)
            answer.append(some, static_cast<std::size_t>(size));
        return answer.substr(std::min(answer.size(), answer.find("\r\n\r\n") + 4));
    }

    std::string refusal() const {
        net_test::Stage second(options);
        try {
            second.start();
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return "none";
    }

    const fs::path folder = made(), path = folder / "http.sock";
    net::ServerOptions options;
};

TEST_F(SocketFile, lets_the_proxy_say_who_asks) {
    net_test::Stage s(options);
    s.app.on = [](http::Request request, http::Pending reply) {
        reply.answer(net_test::text(request.remote_address + (request.secure ? " secure" : " open")));
    };
    s.start();
    EXPECT_EQ(s.server.endpoints().at(0).path, path);
    EXPECT_EQ(ask("X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n"), "192.0.2.1 secure");
    EXPECT_EQ(ask(), "127.0.0.1 open");
}

TEST_F(SocketFile, counts_people_and_not_the_proxy) {
    options.max_connections_per_address = 2;
    net_test::Stage s(options);
    s.start();
    std::vector<net::Fd> idle;
    const auto at = address_of(path);
    for (int i = 0; i < 8; ++i) {
        idle.push_back(new_socket());
        ASSERT_EQ(::connect(idle.back().get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    }
    EXPECT_EQ(ask("X-Forwarded-For: 192.0.2.1\r\n"), "/x");
    EXPECT_EQ(s.server.counters().connections_refused, 0u);
}

TEST_F(SocketFile, is_for_owner_and_group_and_goes_with_the_server) {
    {
        net_test::Stage s(options);
        s.start();
        struct stat facts{};
        ASSERT_EQ(::stat(path.c_str(), &facts), 0);
        EXPECT_EQ(facts.st_mode & 07777u, 0660u);
        EXPECT_THAT(refusal(), HasSubstr("is served by another process; end that one"));
        EXPECT_EQ(ask(), "/x");
    }
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(SocketFile, replaces_what_a_process_left_that_ended_and_nothing_else) {
    {
        const auto killed = new_socket();
        const auto at = address_of(path);
        ASSERT_EQ(::bind(killed.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
        ASSERT_EQ(::listen(killed.get(), 1), 0);
    }
    ASSERT_TRUE(fs::exists(path));
    {
        net_test::Stage s(options);
        s.start();
        EXPECT_EQ(ask(), "/x");
    }
    std::ofstream(path) << "precious";
    EXPECT_THAT(refusal(), HasSubstr("is there already and no socket"));
    EXPECT_EQ(fs::file_size(path), 8u);
    options.listen = {{.path = (folder / "none/http.sock").string()}};
    EXPECT_THAT(refusal(), HasSubstr("No such file or directory"));
}

}  // namespace
