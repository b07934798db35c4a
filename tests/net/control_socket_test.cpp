// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/local/control_socket.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <cstring>
#include <fstream>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

struct ControlSockets : testing::Test {
    // Longer than an address of a socket may be.
    std::filesystem::path above =
        std::filesystem::path(testing::TempDir()) / ("control" + std::to_string(::getpid()));
    std::filesystem::path folder = above / std::string(150, 'x');

    ControlSockets() { std::filesystem::create_directories(folder); }
    ~ControlSockets() override { std::filesystem::remove_all(above); }
};

TEST_F(ControlSockets, answer_what_is_asked) {
    const std::string much(3'000'000, 'y');
    const net::ControlSocket control(folder, [&](std::string_view question) {
        return question == "much" ? much : "heard " + std::string(question);
    });
    EXPECT_THAT(net::ask_servers(folder, "one"), ElementsAre("heard one"));
    EXPECT_THAT(net::ask_servers(folder, "much"), ElementsAre(much));
}

TEST_F(ControlSockets, are_for_their_owner_and_go_with_the_server) {
    {
        const net::ControlSocket control(folder, [](std::string_view) { return ""; });
        for (const auto& file : std::filesystem::directory_iterator(folder))
            EXPECT_EQ(static_cast<int>(file.status().permissions()), 0600) << file.path();
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    EXPECT_THAT(net::ask_servers(folder, "one"), IsEmpty());
    EXPECT_THAT(net::ask_servers(folder / "nowhere", "one"), IsEmpty());
}

TEST_F(ControlSockets, of_killed_servers_are_cleared_away) {
    const auto left = above / "control-1";  // a socket that nobody listens to
    sockaddr_un address{.sun_family = AF_UNIX};
    const auto name = left.string();
    ASSERT_LT(name.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    const net::Fd socket(::socket(AF_UNIX, SOCK_STREAM, 0));
    ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const net::ControlSocket control(above, [](std::string_view) { return "here"; });
    EXPECT_THAT(net::ask_servers(above, ""), ElementsAre("here"));
    EXPECT_FALSE(std::filesystem::exists(left));
}

}  // namespace
