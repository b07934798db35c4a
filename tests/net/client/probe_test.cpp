// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/probe.hpp"

#include <gmock/gmock.h>

#include "net/stage.hpp"

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre, testing::IsEmpty;

TEST(Probe, tells_who_answers_from_who_does_not) {
    net_test::App app;
    auto server = std::make_unique<net::Server>(net::ServerOptions{}, app);
    server->start();
    const auto port = server->endpoints().at(0).port;
    auto reached = net::reach("127.0.0.1", port, 5s);
    EXPECT_EQ(reached.failure, "");
    EXPECT_THAT(reached.addresses, ElementsAre("127.0.0.1"));
    EXPECT_THAT(reached.silent, IsEmpty());
    server.reset();
    EXPECT_THAT(net::reach("127.0.0.1", port, 5s).silent, ElementsAre("127.0.0.1"));
}

TEST(Probe, does_not_call_silent_where_no_way_leads) {
    auto reached = net::reach("224.0.0.1", 80, 1s);  // of many, so no connection leads there
    EXPECT_THAT(reached.addresses, testing::SizeIs(1));
    EXPECT_THAT(reached.silent, IsEmpty());
    EXPECT_THAT(reached.beyond, testing::SizeIs(1));
}

TEST(Probe, does_not_wait_for_names_longer_than_it_may) {
    const auto begun = std::chrono::steady_clock::now();
    auto reached = net::reach("nobody.invalid", 443, 1s);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 3s);
    EXPECT_THAT(reached.addresses, IsEmpty());
    EXPECT_NE(reached.failure, "");
}

}  // namespace
