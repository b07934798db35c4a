// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/addresses.hpp"
#include "server/files.hpp"
#include "server/media/media_files.hpp"

namespace {

using http::find_header;

http::Request request(const std::string& target, http::Method method = http::Method::get) {
    http::Request r;
    r.method = method;
    r.target = target;
    return r;
}

TEST(MediaFiles, never_leave_their_folder) {
    for (auto inside : {"a", "a/b.png", "media/ab/ab12_small.jpg", "emojis/89/a-b.c.webp", "-a", "_a"})
        EXPECT_TRUE(server::stays_inside(inside)) << inside;
    for (auto outside :
         {"",
          "/",
          "..",
          "../dunlin.db",
          "a/../b",
          "a/./b",
          "a//b",
          "/a",
          "a/",
          ".work/x",
          "a/.b",
          "%2e%2e/a",
          "a\\b",
          "a b",
          "ä"})
        EXPECT_FALSE(server::stays_inside(outside)) << outside;
    EXPECT_FALSE(server::stays_inside(std::string_view("a\0b", 3)));
}

TEST(MediaFiles, are_sent_so_that_no_browser_runs_them) {
    server::MediaFiles media("/data/media");
    auto answer = media.answer(request("/media/ab/x.png"), "ab/x.png");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content_type, "image/png");
    ASSERT_TRUE(answer.file);
    EXPECT_EQ(answer.file->path, "/data/media/ab/x.png");
    EXPECT_EQ(find_header(answer.headers, "X-Content-Type-Options"), "nosniff");
    EXPECT_THAT(
        std::string(find_header(answer.headers, "Content-Security-Policy")),
        testing::HasSubstr("default-src 'none'")
    );
    EXPECT_THAT(std::string(find_header(answer.headers, "Cache-Control")), testing::HasSubstr("immutable"));
    auto strange = media.answer(request("/media/x.exe"), "x.exe");
    EXPECT_EQ(strange.content_type, "application/octet-stream");
    EXPECT_EQ(find_header(strange.headers, "Content-Disposition"), "attachment");
    EXPECT_EQ(media.answer(request("/media/../x"), "../x").status, 404);
    EXPECT_EQ(media.answer(request("/media/x", http::Method::post), "x").status, 405);
}

TEST(StaticFiles, come_from_the_program_and_are_asked_for_once) {
    server::StaticFiles files;
    auto first = files.answer(request("/static/style.css"), "style.css");
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(first.content_type, "text/css; charset=utf-8");
    EXPECT_FALSE(first.body.empty());
    auto again = request("/static/style.css");
    again.headers.emplace_back("If-None-Match", find_header(first.headers, "ETag"));
    auto second = files.answer(again, "style.css");
    EXPECT_EQ(second.status, 304);
    EXPECT_TRUE(second.body.empty());
    auto versioned = files.answer(request("/static/style.css?v=1"), "style.css");
    EXPECT_THAT(
        std::string(find_header(versioned.headers, "Cache-Control")), testing::HasSubstr("immutable")
    );
    EXPECT_EQ(files.answer(request("/static/x"), "x").status, 404);
    EXPECT_EQ(files.answer(request("/static/x"), "../templates/root.html").status, 404);
}

TEST(Addresses, are_numbers_and_a_port) {
    auto v6 = server::parse_endpoint("[::1]:80");
    ASSERT_TRUE(v6);
    EXPECT_EQ(v6->address, "::1");
    EXPECT_EQ(server::to_string(*v6), "[::1]:80");
    EXPECT_EQ(server::to_string(*server::parse_endpoint("localhost:3000")), "127.0.0.1:3000");
    for (auto bad : {"", ":80", "::1:80", "1.2.3.4", "1.2.3.4:", "1.2.3.4:x", "1.2.3.4:-1", "host:80"})
        EXPECT_FALSE(server::parse_endpoint(bad)) << bad;
}

TEST(Addresses, of_mail_servers_say_how_to_encrypt) {
    using Tls = net::SmtpOptions::Tls;
    struct Row {
        const char* url;
        Tls tls;
        std::uint16_t port;
    };
    const Row rows[] = {
        {"smtp://mail.example.org", Tls::starttls, 587},
        {"smtp://mail.example.org:2525", Tls::starttls, 2525},
        {"smtps://mail.example.org", Tls::implicit, 465},
        {"smtp+insecure://localhost:1025", Tls::none, 1025},
    };
    for (const auto& row : rows) {
        auto smtp = server::parse_smtp_url(row.url);
        ASSERT_TRUE(smtp) << row.url;
        EXPECT_EQ(smtp->tls, row.tls) << row.url;
        EXPECT_EQ(smtp->port, row.port) << row.url;
    }
    EXPECT_FALSE(server::parse_smtp_url("http://mail.example.org"));
    EXPECT_FALSE(server::parse_smtp_url("smtp://a b"));
}

}  // namespace
