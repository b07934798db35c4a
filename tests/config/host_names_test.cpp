// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/host_names.hpp"

#include <gtest/gtest.h>

namespace {

server::HostNames names() {
    server::Config config;
    config.public_url = "https://social.example.org:8443";
    config.domain = "example.org";
    config.streaming_url = "https://stream.example.org";
    config.host_names = {"Old.Example.org"};
    config.listen = {"192.0.2.7:3000", "[2001:db8::7]:3000"};
    return server::HostNames(config);
}

TEST(HostNames, are_those_of_the_site_and_of_the_machine) {
    auto own = names();
    for (auto host :
         {"social.example.org:8443",
          "social.example.org",
          "SOCIAL.example.org:443",
          "example.org",
          "example.org.",
          "stream.example.org",
          "old.example.org:80",
          "192.0.2.7:3000",
          "[2001:db8::7]:3000",
          "localhost:3000",
          "dunlin.localhost",
          "127.0.0.1",
          "127.8.9.1:80",
          "[::1]:3000",
          "[::1]"})
        EXPECT_TRUE(own.contains(host)) << host;
}

TEST(HostNames, are_no_others) {
    auto own = names();
    for (auto host :
         {"evil.example",
          "example.org.evil.example",
          "evilexample.org",
          "other.example.org",
          "127.0.0.1.evil.example",
          "localhost.evil.example",
          "192.0.2.8",
          "[::2]",
          "[::1].evil.example:1",
          "x"})
        EXPECT_FALSE(own.contains(host)) << host;
}

}  // namespace
