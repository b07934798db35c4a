// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/deadline.hpp"
#include "net/s3/signing.hpp"
#include "support/s3_server.hpp"

namespace {

using namespace net::s3;
using testing::HasSubstr;

struct Bucket : testing::Test {
    S3Server server;
    std::filesystem::path back = server.folder / "back";

    Trouble trouble_of(const Options& options) {
        Client client(options);
        try {
            client.put("a/b.txt", server.file("some", "text"), {"text/plain", ""});
        } catch (const Failure& e) {
            said = e.what();
            return e.trouble;
        }
        return Trouble::other;
    }
    std::string said;
};

TEST_F(Bucket, keeps_finds_copies_and_removes) {
    for (const bool path_style : {true, false}) {
        auto options = server.options();
        options.path_style = path_style;
        options.prefix = "site one/";
        if (!path_style) options.endpoint = "http://localhost:" + std::to_string(server.port);
        Client client(options);
        const std::string key = "media/ab/x (1)+ü.jpg", text = "what it holds";
        client.put(key, server.file("some", text), {"image/jpeg", "public, max-age=1"});
        const auto there = client.head(key);
        ASSERT_TRUE(there);
        EXPECT_EQ(there->bytes, text.size());
        EXPECT_EQ(there->sha256, sha256_of(server.folder / "some"));
        EXPECT_GT(there->changed.ms, 1'600'000'000'000);
        ASSERT_TRUE(client.get(key, back));
        EXPECT_EQ(S3Server::contents(back), text);
        EXPECT_TRUE(client.copy(key, ".withheld/" + key));
        EXPECT_FALSE(client.copy("nothing", "there"));
        auto listed = client.list("media/", "");
        ASSERT_EQ(listed.size(), 1u);
        EXPECT_EQ(listed[0].key, key);
        EXPECT_EQ(listed[0].bytes, text.size());
        EXPECT_TRUE(client.list("media/", key).empty());
        client.remove(key);
        client.remove(key);
        EXPECT_FALSE(client.head(key));
        EXPECT_FALSE(client.get(key, back));
        EXPECT_TRUE(client.head(".withheld/" + key));
    }
    EXPECT_THAT(server.seen(), HasSubstr(R"("wrong": {"NoSuchKey")"));
}

TEST_F(Bucket, takes_large_files_in_parts_and_files_of_nothing) {
    auto options = server.options();
    options.part_bytes = 5 << 20;
    Client client(options);
    std::string large(12'000'001, '\0');
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 2654435761u >> 13);
    server.faults(R"({"fail_every": 3})");
    client.put("film.mp4", server.file("large", large), {"video/mp4", ""});
    ASSERT_TRUE(client.get("film.mp4", back));
    EXPECT_EQ(S3Server::contents(back), large);
    client.put("nothing", server.file("empty", ""), {"text/plain", ""});
    EXPECT_EQ(client.head("nothing")->bytes, 0u);
    EXPECT_THAT(server.seen(), HasSubstr(R"("parts": 0)"));
}

TEST_F(Bucket, leaves_no_parts_of_what_it_does_not_take) {
    auto options = server.options();
    options.part_bytes = 5 << 20;
    options.tries = 2;
    Client client(options);
    const auto large = server.file("large", std::string(12'000'000, 'x'));
    server.faults(R"({"fail_every": 1, "methods": ["PUT"]})");
    EXPECT_THROW(client.put("film.mp4", large, {"video/mp4", ""}), Failure);
    server.faults("{}");
    EXPECT_FALSE(client.head("film.mp4"));
    EXPECT_THAT(server.seen(), HasSubstr(R"("parts": 0)"));
}

TEST_F(Bucket, gets_through_failures_and_broken_connections) {
    Client client(server.options());
    for (const auto* faults :
         {R"({"fail_every": 2})", R"({"fail_every": 3, "status": 500})", R"({"reset_every": 2})"}) {
        server.faults(faults);
        for (int i = 0; i < 12; ++i)
            client.put("n" + std::to_string(i), server.file("n", std::to_string(i)), {"text/plain", ""});
        for (int i = 0; i < 12; ++i) {
            ASSERT_TRUE(client.get("n" + std::to_string(i), back));
            EXPECT_EQ(S3Server::contents(back), std::to_string(i));
        }
    }
    EXPECT_GT(client.figures().retries, 10u);
}

TEST_F(Bucket, says_what_is_wrong) {
    auto options = server.options();
    options.keys.access = "AKIAOTHER";
    EXPECT_EQ(trouble_of(options), Trouble::key);
    EXPECT_THAT(said, HasSubstr("the access key is not known"));
    options = server.options();
    options.keys.secret = "wrong";
    EXPECT_EQ(trouble_of(options), Trouble::secret);
    options = server.options();
    options.bucket = "other";
    EXPECT_EQ(trouble_of(options), Trouble::bucket);
    options = server.options();
    options.keys.region = "us-east-1";
    EXPECT_EQ(trouble_of(options), Trouble::region);
    EXPECT_THAT(said, HasSubstr("but in eu-test-1"));
    options = server.options();
    server.faults(R"({"skew": 4000})");
    EXPECT_EQ(trouble_of(options), Trouble::clock);
    server.faults(R"({"refuse": "AccessDenied"})");
    EXPECT_EQ(trouble_of(options), Trouble::denied);
    server.faults(R"({"fail_every": 1})");
    EXPECT_EQ(trouble_of(options), Trouble::busy);
    server.stop();
    EXPECT_EQ(trouble_of(options), Trouble::away);
    EXPECT_THAT(said, HasSubstr("does not answer"));
}

TEST_F(Bucket, is_not_waited_for_longer_than_may_be) {
    auto options = server.options();
    options.silence = std::chrono::seconds(1);
    options.tries = 1;
    server.faults(R"({"slow": 30})");
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(trouble_of(options), Trouble::away);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(6));
    const base::Within within(std::chrono::steady_clock::now() + std::chrono::milliseconds(300));
    Client client(server.options());
    EXPECT_THROW(client.head("a"), base::TimedOut);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(9));
}

TEST_F(Bucket, tells_addresses_that_anybody_may_read_for_a_while) {
    auto options = server.options();
    Client client(options);
    client.put("a b.txt", server.file("some", "text"), {"text/plain", ""});
    net::HttpClientOptions given;
    given.plain_http = true;
    auto status = [&](const std::string& url) {
        base::Fetch question;
        question.url = url;
        question.trusted = question.plain_http = true;
        return net::HttpClient(given).fetch(question).status;
    };
    const auto now = options.clock();
    EXPECT_EQ(status(client.presigned("a b.txt", now, 60)), 200);
    EXPECT_EQ(status(client.presigned("a b.txt", now.plus_seconds(-600), 60)), 403);
    auto changed = client.presigned("a b.txt", now, 60);
    changed.back() = changed.back() == '0' ? '1' : '0';
    EXPECT_EQ(status(changed), 403);
}

}  // namespace
