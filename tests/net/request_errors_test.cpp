// SPDX-License-Identifier: AGPL-3.0-or-later
// What is refused, and that the connection is over afterwards.
#include <gtest/gtest.h>

#include "net/stage.hpp"

using namespace net_test;
using namespace std::string_literals;

namespace {

struct Case {
    const char* name;
    int status;
    std::string bytes;
};

void expect_refused(const std::vector<Case>& cases) {
    net::ServerOptions options;
    options.head_limit = 1024;
    options.small_body = 0;
    Stage s(options);
    s.app.terms.most_bytes = 100;
    std::atomic<int> served{0};
    s.app.on = [&](http::Request, http::Pending reply) {
        ++served;
        reply.answer(text("served"));
    };
    s.start();
    for (const auto& [name, status, bytes] : cases) {
        Client c(s.server);
        // The second request is what a smuggler would want to be read.
        const auto answer = c.send(bytes).send("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n").read();
        EXPECT_EQ(answer.status, status) << name;
        EXPECT_TRUE(answer.has("Connection: close")) << name;
        EXPECT_TRUE(answer.body.starts_with(R"({"error":")")) << name;
        EXPECT_EQ(answer.header("Content-Type"), "application/json; charset=utf-8") << name;
        EXPECT_EQ(answer.header("Access-Control-Allow-Origin"), "*") << name;
        EXPECT_EQ(answer.header("X-Content-Type-Options"), "nosniff") << name;
        c.finish_sending();
        EXPECT_TRUE(c.ended()) << name;
    }
    EXPECT_EQ(served, 0);
}

std::string post(std::string headers, std::string body) {
    return "POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" + body;
}

}  // namespace

TEST(Refuses, malformed_requests) {
    expect_refused({
        {"no version", 400, "GET /\r\n\r\n"},
        {"garbage", 400, "\x16\x03\x01 hello\r\n\r\n"},
        {"two spaces", 400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"no colon", 400, "GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"},
        {"NUL in a value", 400, "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"s},
        {"NUL in a name", 400, "GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n"s},
        {"control in a value", 400, "GET / HTTP/1.1\r\nHost: a\r\nX: a\x01\r\n\r\n"},
        {"bare CR in a value", 400, "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"},
        {"bare LF", 400, "GET / HTTP/1.1\nHost: a\n\n"},
        {"bare LF in the middle", 400, "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"},
        {"bare LF at the end", 400, "GET / HTTP/1.1\r\nHost: a\r\n\n"},
        {"folded header", 400, "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"},
        {"folded with tab", 400, "GET / HTTP/1.1\r\nHost: a\r\nX:\r\n\tb\r\n\r\n"},
        {"folded first header", 400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"},
        {"space before colon", 400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"},
        {"empty name", 400, "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"},
        {"two empty lines first", 400, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"target without slash", 400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"target with fragment", 400, "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"star", 400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"strange scheme", 400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"HTTP/0.9", 400, "GET / HTTP/0.9\r\nHost: a\r\n\r\n"},
        {"unknown method", 501, "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"CONNECT", 501, "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"TRACE", 501, "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"HTTP/1.2", 400, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"},
        {"HTTP/2.0", 400, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"},
        {"unknown expectation", 417, post("Content-Length: 1\r\nExpect: more\r\n", "")},
    });
}

TEST(Refuses, hosts) {
    expect_refused({
        {"none", 400, "GET / HTTP/1.1\r\n\r\n"},
        {"empty", 400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
        {"two", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
        {"path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
        {"user", 400, "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"},
        {"list", 400, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"},
        {"bad port", 400, "GET / HTTP/1.1\r\nHost: a:x\r\n\r\n"},
        {"open bracket", 400, "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"},
        {"absolute without Host", 400, "GET http://a/ HTTP/1.1\r\n\r\n"},
        {"absolute with bad authority", 400, "GET http://a@b/ HTTP/1.1\r\nHost: b\r\n\r\n"},
    });
}

TEST(Refuses, what_two_servers_could_read_differently) {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    expect_refused({
        {"both lengths", 400, post("Content-Length: 5\r\n" + chunked, "0\r\n\r\n")},
        {"both lengths, other order", 400, post(chunked + "Content-Length: 5\r\n", "0\r\n\r\n")},
        {"two lengths", 400, post("Content-Length: 5\r\nContent-Length: 6\r\n", "12345")},
        {"the same length twice", 400, post("Content-Length: 5\r\nContent-Length: 5\r\n", "12345")},
        {"list of lengths", 400, post("Content-Length: 5, 5\r\n", "12345")},
        {"signed length", 400, post("Content-Length: +5\r\n", "12345")},
        {"negative length", 400, post("Content-Length: -5\r\n", "12345")},
        {"hexadecimal length", 400, post("Content-Length: 0x5\r\n", "12345")},
        {"empty length", 400, post("Content-Length:\r\n", "")},
        {"overflowing length", 400, post("Content-Length: 18446744073709551621\r\n", "12345")},
        {"length in two words", 400, post("Content-Length: 5 5\r\n", "12345")},
        {"other encoding", 400, post("Transfer-Encoding: gzip\r\n", "")},
        {"almost chunked", 400, post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")},
        {"identity", 400, post("Transfer-Encoding: identity\r\n", "")},
        {"chunked and more", 400, post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n")},
        {"gzip, chunked", 400, post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")},
        {"chunked twice", 400, post(chunked + chunked, "0\r\n\r\n")},
        {"quoted chunked", 400, post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")},
        {"vertical tab before chunked",
         400,
         post(
             "Transfer-Encoding: \x0b"
             "chunked\r\n",
             "0\r\n\r\n"
         )},
        {"chunked with HTTP/1.0", 400, "POST / HTTP/1.0\r\n" + chunked + "\r\n0\r\n\r\n"},
        {"chunk size of nonsense", 400, post(chunked, "x\r\n\r\n")},
        {"chunk size with 0x", 400, post(chunked, "0x5\r\n12345\r\n0\r\n\r\n")},
        {"chunk size with sign", 400, post(chunked, "+5\r\n12345\r\n0\r\n\r\n")},
        {"chunk size that overflows", 400, post(chunked, "10000000000000005\r\n12345\r\n0\r\n\r\n")},
        {"chunk longer than its size", 400, post(chunked, "3\r\n12345\r\n0\r\n\r\n")},
        {"chunk size ended by LF", 400, post(chunked, "5\n12345\r\n0\r\n\r\n")},
        {"LF in a chunk extension", 400, post(chunked, "5;a\nb\r\n12345\r\n0\r\n\r\n")},
        {"chunk ended by LF", 400, post(chunked, "5\r\n12345\n0\r\n\r\n")},
        {"chunk without end", 400, post(chunked, "5\r\n123450\r\n\r\n")},
        {"bad trailer", 400, post(chunked, "0\r\nnonsense\r\n\r\n")},
        {"endless chunk extension", 400, post(chunked, "5;" + std::string(20'000, 'a'))},
    });
}

TEST(Refuses, too_much) {
    expect_refused({
        {"long target", 431, "GET /" + std::string(2000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"long target, unfinished", 431, "GET /" + std::string(2000, 'a')},
        {"long header", 431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(2000, 'a') + "\r\n\r\n"},
        {"declared body", 413, post("Content-Length: 101\r\n", "")},
        {"huge declared body", 413, post("Content-Length: 999999999999\r\n", "abc")},
        {"chunked body",
         413,
         post(
             "Transfer-Encoding: chunked\r\n",
             "40\r\n" + std::string(64, 'a') + "\r\n40\r\n" + std::string(64, 'b')
         )},
        {"huge chunk", 413, post("Transfer-Encoding: chunked\r\n", "fffffff\r\n" + std::string(200, 'a'))},
        {"expected body", 413, post("Content-Length: 101\r\nExpect: 100-continue\r\n", "")},
    });
}

TEST(Accepts, what_is_merely_unusual) {
    Stage s;
    s.app.on = [](http::Request request, http::Pending reply) {
        reply.answer(text(request.target + " " + std::string(request.header("host")) + " " + request.body));
    };
    s.start();
    const std::pair<std::string, std::string> cases[] = {
        {"\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "/ a "},
        {"GET http://b.example:81/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "/c?d b.example:81 "},
        {"GET HTTP://b.example HTTP/1.1\r\nHost: a\r\n\r\n", "/ b.example "},
        {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "* a "},
        {"GET / HTTP/1.1\r\nhOsT:\t[::1]:8080 \r\n\r\n", "/ [::1]:8080 "},
        {"GET //x HTTP/1.1\r\nHost: a\r\n\r\n", "//x a "},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "/ a "},
        {post("Transfer-Encoding: CHUNKED\r\n", "5;a=b\r\n12345\r\n0\r\n\r\n"), "/ a 12345"},
        {post("Transfer-Encoding: chunked\r\n", "5\r\n12345\r\n0\r\nHost: evil\r\n\r\n"), "/ a 12345"},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "/ a abc"},
    };
    Client c(s.server);
    for (const auto& [bytes, expected] : cases) EXPECT_EQ(c.send(bytes).read().body, expected) << bytes;
}
