// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/forwarded.hpp"

#include <gtest/gtest.h>

#include "net/stage.hpp"

using net::Address;
using net::NetworkSet;

namespace {

struct Case {
    const char* name;
    http::Headers headers;
    const char* address;
    bool secure;
};

}  // namespace

TEST(Forwarded, believes_trusted_hops_from_the_right) {
    const NetworkSet proxies({"127.0.0.0/8", "10.0.0.0/8", "2001:db8::/32"});
    const Case cases[] = {
        {"nothing said", {}, "127.0.0.1", false},
        {"one hop", {{"X-Forwarded-For", "192.0.2.1"}}, "192.0.2.1", false},
        {"a lie on the left", {{"X-Forwarded-For", "1.2.3.4, 192.0.2.1"}}, "192.0.2.1", false},
        {"through a second proxy", {{"X-Forwarded-For", "1.2.3.4, 192.0.2.1, 10.1.2.3"}}, "192.0.2.1", false},
        {"in two headers",
         {{"x-forwarded-for", "192.0.2.1"}, {"X-Forwarded-For", "10.1.2.3"}},
         "192.0.2.1",
         false},
        {"only proxies", {{"X-Forwarded-For", "10.1.1.1, 10.2.2.2"}}, "10.1.1.1", false},
        {"garbage stops", {{"X-Forwarded-For", "192.0.2.1, unknown, 10.1.2.3"}}, "10.1.2.3", false},
        {"with port", {{"X-Forwarded-For", "192.0.2.1:4711"}}, "192.0.2.1", false},
        {"IPv6", {{"X-Forwarded-For", "[2001:db9::1]:4711, 2001:db8::2"}}, "2001:db9::1", false},
        {"mapped", {{"X-Forwarded-For", "::ffff:192.0.2.1, ::ffff:10.0.0.1"}}, "192.0.2.1", false},
        {"https", {{"X-Forwarded-Proto", "https"}}, "127.0.0.1", true},
        {"the last scheme counts", {{"X-Forwarded-Proto", "https, http"}}, "127.0.0.1", false},
        {"in the last header",
         {{"X-Forwarded-Proto", "http"}, {"X-Forwarded-Proto", "HTTPS"}},
         "127.0.0.1",
         true},
    };
    for (const auto& c : cases) {
        const auto client = proxies.client_behind(false, c.headers);
        EXPECT_EQ(client.told ? client.told->to_string() : "127.0.0.1", c.address) << c.name;
        EXPECT_EQ(client.secure, c.secure) << c.name;
    }
}

TEST(Forwarded, reads_networks) {
    const NetworkSet proxies({"192.0.2.128/25", "2001:db8:8000::/33", "203.0.113.7"});
    const auto contains = [&](const char* address) { return proxies.contains(*Address::parse(address)); };
    EXPECT_TRUE(contains("192.0.2.200"));
    EXPECT_FALSE(contains("192.0.2.100"));
    EXPECT_TRUE(contains("2001:db8:ffff::1"));
    EXPECT_FALSE(contains("2001:db8:7fff::1"));
    EXPECT_TRUE(contains("::ffff:203.0.113.7"));
    EXPECT_FALSE(contains("203.0.113.8"));
    for (const auto* bad : {"", "x", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "::/129", "10.0.0/8"})
        EXPECT_THROW(NetworkSet({bad}), std::invalid_argument) << bad;
}

TEST(Forwarded, is_believed_of_loopback_by_default_and_of_nobody_when_told) {
    for (const bool trusted : {true, false}) {
        net::ServerOptions options;
        if (!trusted) options.trusted_proxies.clear();
        net_test::Stage s(options);
        s.app.on = [](http::Request request, http::Pending reply) {
            reply.answer(net_test::text(request.remote_address + (request.secure ? " secure" : " open")));
        };
        s.start();
        net_test::Client c(s.server);
        const auto answer = c.send(
                                 "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n"
                                 "X-Forwarded-Proto: https\r\n\r\n"
        )
                                .read();
        EXPECT_EQ(answer.body, trusted ? "192.0.2.1 secure" : "127.0.0.1 open");
    }
}
