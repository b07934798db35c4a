// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "net/stage.hpp"

using namespace net_test;

namespace {

struct FileStage : Stage {
    explicit FileStage(const std::string& contents) {
        auto name = (std::filesystem::temp_directory_path() / "dunlin-file-XXXXXX").string();
        directory = ::mkdtemp(name.data());
        std::ofstream(directory / "file", std::ios::binary) << contents;
        app.on = [this](http::Request request, http::Pending reply) {
            http::Response response;
            response.content_type = "image/png";
            response.file = http::FileBody{directory / request.target.substr(1)};
            reply.answer(std::move(response));
        };
        start();
    }
    ~FileStage() { std::filesystem::remove_all(directory); }
    Answer get(const std::string& headers, const std::string& method = "GET") {
        Client c(server);
        return c.send(method + " /file HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n").read(method == "HEAD");
    }
    std::filesystem::path directory;
};

}  // namespace

TEST(Files, are_sent_whole) {
    std::string contents(5'000'000, ' ');
    for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<char>(i * 31 >> 4);
    FileStage s(contents);
    Client c(s.server);
    for (int i = 0; i < 3; ++i) {
        const auto answer = c.get("/file").read();
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.header("Content-Type"), "image/png");
        EXPECT_EQ(answer.header("Accept-Ranges"), "bytes");
        EXPECT_TRUE(answer.body == contents);
    }
}

TEST(Files, that_are_empty_missing_or_no_files) {
    FileStage s("");
    Client c(s.server);
    EXPECT_EQ(c.get("/file").read().header("Content-Length"), "0");
    const auto missing = c.get("/missing").read();
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(missing.body, R"({"error":"Record not found"})");
    EXPECT_EQ(missing.header("Content-Type"), "application/json; charset=utf-8");
    EXPECT_EQ(c.get("/").read().status, 404);
}

TEST(Files, are_sent_in_ranges) {
    struct Case {
        const char* range;
        int status;
        const char *body, *content_range;
    };
    const Case cases[] = {
        {"bytes=0-0", 206, "0", "bytes 0-0/10"},
        {"bytes=2-5", 206, "2345", "bytes 2-5/10"},
        {"bytes=7-", 206, "789", "bytes 7-9/10"},
        {"bytes=7-99", 206, "789", "bytes 7-9/10"},
        {"bytes=-3", 206, "789", "bytes 7-9/10"},
        {"bytes=-99", 206, "0123456789", "bytes 0-9/10"},
        {"bytes=10-", 416, "", "bytes */10"},
        {"bytes=-0", 416, "", "bytes */10"},
        {"bytes=5-2", 200, "0123456789", ""},
        {"bytes=0-1,3-4", 200, "0123456789", ""},
        {"bytes=-", 200, "0123456789", ""},
        {"bytes=a-b", 200, "0123456789", ""},
        {"bytes=99999999999999999999-", 200, "0123456789", ""},
        {"pages=1-2", 200, "0123456789", ""},
    };
    FileStage s("0123456789");
    for (const auto& c : cases) {
        const auto answer = s.get("Range: " + std::string(c.range) + "\r\n");
        EXPECT_EQ(answer.status, c.status) << c.range;
        EXPECT_EQ(answer.body, c.body) << c.range;
        EXPECT_EQ(answer.header("Content-Range"), c.content_range) << c.range;
    }
}

TEST(Files, that_the_client_has_are_not_sent_again) {
    FileStage s("0123456789");
    const auto first = s.get("");
    const auto etag = first.header("ETag"), modified = first.header("Last-Modified");
    EXPECT_NE(etag, "");
    for (const auto& headers :
         {"If-None-Match: " + etag,
          "If-None-Match: \"x\", W/" + etag,
          std::string("If-None-Match: *"),
          "If-Modified-Since: " + modified}) {
        const auto again = s.get(headers + "\r\n");
        EXPECT_EQ(again.status, 304) << headers;
        EXPECT_EQ(again.header("ETag"), etag);
        EXPECT_EQ(again.header("Content-Length"), "");
        EXPECT_EQ(again.body, "");
    }
    EXPECT_EQ(s.get("If-None-Match: \"other\"\r\nIf-Modified-Since: " + modified + "\r\n").status, 200);
    EXPECT_EQ(s.get("If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n").status, 200);
}

TEST(Files, are_sent_whole_when_they_are_others_than_a_part_is_wanted_of) {
    FileStage s("0123456789");
    const auto first = s.get("");
    const auto etag = first.header("ETag"), modified = first.header("Last-Modified");
    for (const auto& same : {etag, modified}) {
        const auto part = s.get("Range: bytes=2-5\r\nIf-Range: " + same + "\r\n");
        EXPECT_EQ(part.status, 206) << same;
        EXPECT_EQ(part.body, "2345") << same;
    }
    for (const auto& other :
         {std::string("\"other\""), "W/" + etag, std::string("Thu, 01 Jan 1970 00:00:00 GMT")})
        for (auto range : {"bytes=2-5", "bytes=10-"}) {
            const auto whole = s.get("Range: " + std::string(range) + "\r\nIf-Range: " + other + "\r\n");
            EXPECT_EQ(whole.status, 200) << other;
            EXPECT_EQ(whole.body, "0123456789") << other;
        }
}

TEST(Files, answer_head_without_a_body) {
    FileStage s("0123456789");
    const auto answer = s.get("Range: bytes=0-1\r\n", "HEAD");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Content-Length"), "10");
}
