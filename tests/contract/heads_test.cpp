// SPDX-License-Identifier: AGPL-3.0-or-later
// Generated from the route table: HEAD is safe (RFC 9110, 9.2.1), also where GET is not.
#include "http/router.hpp"
#include "world.hpp"

namespace {

struct Heads : OnEachWorld {};
ON_EACH_DATABASE(Heads);

std::string filled(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const auto end = path.find('/', 1);
        const auto part = path.substr(0, end);
        out += part.starts_with("/:") ? "/1" : part;
        path.remove_prefix(part.size());
    }
    return out;
}

TEST_P(Heads, of_what_acts_change_nothing) {
    auto alice = w.local("alice");
    int tried = 0;
    for (const auto* route : w.router().routes()) {
        if (route->method != http::Method::get || !route->act) continue;
        ++tried;
        const auto path = filled(route->path);
        const auto before = w.dump();
        const auto answer = alice.send(http::Method::head, path, "", "");
        EXPECT_EQ(answer.status, 200) << path;
        EXPECT_EQ(answer.body, "") << path;
        EXPECT_EQ(answer.header("Location"), "") << path;
        EXPECT_EQ(w.dump(), before) << path;
    }
    EXPECT_GE(tried, 3);
    EXPECT_EQ(w.happened(), "");
}

}  // namespace
