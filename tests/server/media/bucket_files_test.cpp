// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "base/errors.hpp"
#include "server/media/both_files.hpp"
#include "server/media/media_files.hpp"
#include "server/media/migrate.hpp"
#include "support/s3_server.hpp"

namespace {

namespace fs = std::filesystem;
using http::find_header;
using testing::HasSubstr;

struct MediaInABucket : testing::Test {
    S3Server server;
    const fs::path folder = server.folder / "media", cache = server.folder / "cache";
    std::shared_ptr<server::BucketFiles> bucket = at(1 << 20);
    std::shared_ptr<media::FolderFiles> local = std::make_shared<media::FolderFiles>(folder);

    std::shared_ptr<server::BucketFiles> at(std::uint64_t bytes) const {
        return std::make_shared<server::BucketFiles>(server.options(), cache, bytes);
    }
    void put(media::Files& files, const std::string& name, const std::string& text) {
        fs::create_directories(folder);
        const auto made = folder / "made";
        std::ofstream(made) << text;
        files.put({{name, made}});
        fs::remove(made);
    }
    static std::string read(media::Files& files, const std::string& name) {
        const auto path = files.find(name);
        return path ? S3Server::contents(*path) : "nothing";
    }
    static std::vector<std::string> names(media::Files& files, const std::string& in) {
        std::vector<std::string> out;
        files.list(in, [&](const media::KeptFile& file) { out.push_back(file.name); });
        std::ranges::sort(out);
        return out;
    }
};

TEST_F(MediaInABucket, is_kept_moved_copied_listed_and_removed_as_in_a_folder) {
    for (media::Files* files :
         {static_cast<media::Files*>(bucket.get()), static_cast<media::Files*>(local.get())}) {
        put(*files, "media/ab/abc.png", "one");
        put(*files, ".uploads/x", "two");
        EXPECT_EQ(read(*files, "media/ab/abc.png"), "one");
        EXPECT_EQ(read(*files, "media/ab/none.png"), "nothing");
        EXPECT_TRUE(files->copy("media/ab/abc.png", ".evidence/abc.png"));
        EXPECT_TRUE(files->copy("media/ab/abc.png", ".evidence/abc.png"));
        EXPECT_FALSE(files->copy("media/ab/none.png", ".evidence/none.png"));
        EXPECT_TRUE(files->move("media/ab/abc.png", ".withheld/media/ab/abc.png"));
        EXPECT_FALSE(files->move("media/ab/abc.png", ".withheld/media/ab/abc.png"));
        EXPECT_EQ(read(*files, "media/ab/abc.png"), "nothing");
        EXPECT_TRUE(files->move(".withheld/media/ab/abc.png", "media/ab/abc.png"));
        EXPECT_EQ(names(*files, "media/ab"), std::vector<std::string>{"media/ab/abc.png"});
        EXPECT_EQ(names(*files, "media/a"), std::vector<std::string>{});
        EXPECT_TRUE(files->remove("media/ab/abc.png"));
        EXPECT_EQ(read(*files, "media/ab/abc.png"), "nothing");
        EXPECT_EQ(read(*files, ".evidence/abc.png"), "one");
        files->remove(".uploads/x");
        EXPECT_EQ(names(*files, ".uploads"), std::vector<std::string>{});
    }
}

TEST_F(MediaInABucket, is_read_here_although_the_bucket_is_away) {
    put(*bucket, "media/ab/abc.png", "one");
    EXPECT_EQ(bucket->at_hand("media/ab/abc.png"), std::nullopt);
    EXPECT_EQ(read(*bucket, "media/ab/abc.png"), "one");
    ASSERT_TRUE(bucket->at_hand("media/ab/abc.png"));
    server.stop();
    EXPECT_EQ(read(*bucket, "media/ab/abc.png"), "one");
    EXPECT_THROW(bucket->find("media/ab/other.png"), base::Unavailable);
    EXPECT_THROW(put(*bucket, "media/ab/x.png", "x"), base::Unavailable);
    EXPECT_THROW(bucket->remove("media/ab/abc.png"), base::Unavailable);
}

TEST_F(MediaInABucket, has_no_copy_here_of_what_another_node_removed) {
    put(*bucket, "media/ab/abc.png", "one");
    EXPECT_EQ(read(*bucket, "media/ab/abc.png"), "one");
    server::BucketFiles elsewhere(server.options(), server.folder / "other cache", 1 << 20);
    elsewhere.remove("media/ab/abc.png");
    ASSERT_TRUE(bucket->at_hand("media/ab/abc.png"));
    bucket->forget("media/ab/abc.png");
    EXPECT_EQ(bucket->at_hand("media/ab/abc.png"), std::nullopt);
    EXPECT_EQ(read(*bucket, "media/ab/abc.png"), "nothing");
}

TEST_F(MediaInABucket, takes_no_more_room_here_than_it_may) {
    bucket = at(10'000);
    for (int i = 0; i < 30; ++i) {
        const auto name = "media/ab/" + std::to_string(i) + ".png";
        put(*bucket, name, std::string(1000, 'x'));
        EXPECT_EQ(read(*bucket, name).size(), 1000u);
    }
    EXPECT_LE(bucket->cached_bytes(), 10'000u);
    EXPECT_EQ(bucket->cached_bytes(), at(10'000)->cached_bytes()) << "what is there after a start";
}

TEST_F(MediaInABucket, and_in_a_folder_is_found_in_both_and_goes_from_both) {
    server::BothFiles both(bucket, local, local);
    put(*local, "media/ab/old.png", "old");
    put(both, "media/ab/new.png", "new");
    EXPECT_EQ(names(*bucket, "media"), std::vector<std::string>{"media/ab/new.png"});
    EXPECT_EQ(read(both, "media/ab/old.png"), "old");
    EXPECT_EQ(read(both, "media/ab/new.png"), "new");
    put(*bucket, "media/ab/old.png", "old");
    EXPECT_EQ(names(both, "media").size(), 2u);
    EXPECT_TRUE(both.move("media/ab/old.png", ".withheld/media/ab/old.png"));
    EXPECT_EQ(names(*bucket, "media"), std::vector<std::string>{"media/ab/new.png"});
    EXPECT_TRUE(names(*local, "media").empty());
    both.remove(".withheld/media/ab/old.png");
    EXPECT_TRUE(names(both, ".withheld").empty());
}

TEST_F(MediaInABucket, is_answered_with_the_headers_of_a_file_and_fetched_once_for_many) {
    put(*bucket, "media/ab/abc.png", "one");
    std::vector<std::function<void()>> tasks;
    server::MediaFiles files(
        folder, {bucket, "", [&](auto task) { return tasks.push_back(std::move(task)), true; }, {}}
    );
    http::Request request;
    std::vector<http::Response> answers;
    auto ask = [&](std::string_view path) {
        files.serve(request, path, http::Pending([&](http::Response r) { answers.push_back(std::move(r)); }));
    };
    for (int i = 0; i < 3; ++i) ask("media/ab/abc.png");
    EXPECT_EQ(tasks.size(), 1u);
    EXPECT_TRUE(answers.empty());
    tasks[0]();
    ASSERT_EQ(answers.size(), 3u);
    const auto in_folder = files.answer(request, "media/ab/abc.png");
    for (const auto& [name, value] : in_folder.headers) EXPECT_EQ(answers[0].header(name), value) << name;
    EXPECT_EQ(answers[0].content_type, "image/png");
    EXPECT_EQ(S3Server::contents(answers[0].file->path), "one");
    ask("media/ab/abc.png");
    EXPECT_EQ(tasks.size(), 1u) << "it is here now";
    ask(".withheld/abc.png");
    EXPECT_EQ(answers.back().status, 404);
    server.stop();
    ask("media/ab/other.png");
    tasks.back()();
    EXPECT_EQ(answers.back().status, 503);
    EXPECT_NE(answers.back().header("Retry-After"), "");
}

TEST_F(MediaInABucket, that_cannot_be_kept_here_for_a_moment_comes_when_it_can) {
    put(*bucket, "media/ab/abc.png", "one");
    std::vector<std::function<void()>> tasks;
    server::MediaFiles files(
        folder, {bucket, "", [&](auto task) { return tasks.push_back(std::move(task)), true; }, {}}
    );
    std::vector<http::Response> answers;
    auto ask = [&] {
        files.serve(http::Request{}, "media/ab/abc.png", http::Pending([&](http::Response r) {
                        answers.push_back(std::move(r));
                    }));
    };
    fs::remove_all(cache);
    std::ofstream(cache) << "no folder";
    ask();
    tasks.back()();
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].status, 503);
    fs::remove(cache);
    ask();
    ASSERT_EQ(tasks.size(), 2u);
    tasks.back()();
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[1].status, 200);
}

TEST_F(MediaInABucket, may_be_read_elsewhere) {
    put(*local, "media/ab/here.png", "here");
    auto answer = [&](const std::string& elsewhere, std::string_view path) {
        server::MediaFiles files(folder, {bucket, elsewhere, {}, server.options().clock});
        http::Response answered;
        files.serve(http::Request{}, path, http::Pending([&](http::Response r) { answered = std::move(r); }));
        return answered;
    };
    const auto there = answer("https://files.example", "media/ab/x.png");
    EXPECT_EQ(there.status, 302);
    EXPECT_EQ(there.header("Location"), "https://files.example/media/ab/x.png");
    EXPECT_EQ(answer("https://files.example", "media/ab/here.png").status, 200);
    const auto presigned = answer("presigned", "media/ab/x.png");
    EXPECT_THAT(
        std::string(presigned.header("Location")), HasSubstr("/pictures/media/ab/x.png?X-Amz-Algorithm=")
    );
    EXPECT_EQ(presigned.header("Location"), answer("presigned", "media/ab/x.png").header("Location"));
}

TEST_F(MediaInABucket, that_changed_on_the_way_is_not_taken_for_a_copy) {
    server::Config config;
    config.media = folder;
    config.s3_endpoint = server.options().endpoint;
    config.s3_bucket = "pictures";
    config.s3_region = "eu-test-1";
    config.s3_access_key = "AKIAEXAMPLE";
    config.s3_secret_key = "a/secret+key";
    put(*local, "media/ab/a.png", "content a");
    put(*local, "media/ab/b.png", "content b");
    put(*bucket, "media/ab/b.png", "content c");
    auto moved = server::move_media(config, {}, [](const auto&) {});
    EXPECT_EQ(moved.copied, 2);
    EXPECT_EQ(moved.there + moved.failed, 0);
    EXPECT_EQ(read(*bucket, "media/ab/b.png"), "content b");
    EXPECT_EQ(server::move_media(config, {}, [](const auto&) {}).there, 2);
    std::ofstream(folder / "media/ab/a.png") << "content x";
    moved = server::move_media(config, {server::MediaStore::folder}, [](const auto&) {});
    EXPECT_EQ(moved.copied, 1);
    EXPECT_EQ(moved.there, 1);
    EXPECT_EQ(read(*local, "media/ab/a.png"), "content a");
    config.s3_secret_key = "wrong";
    EXPECT_THROW(server::move_media(config, {}, [](const auto&) {}), server::Refused);
}

}  // namespace
