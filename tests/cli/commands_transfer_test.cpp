// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>

#include <chrono>

#include "server/program.hpp"
#include "social/transfer/zipped.hpp"

namespace {

using testing::HasSubstr;

struct TransferCommands : Program {
    static std::string post(int number) {
        const auto id = "https://old.example/users/ann/statuses/" + std::to_string(number);
        return R"({"id":")" + id +
               R"(/activity","type":"Create","actor":"https://old.example/users/ann","object":{"id":")" + id +
               R"(","type":"Note","attributedTo":"https://old.example/users/ann","published":"2019-03-0)" +
               std::to_string(number) +
               R"(T10:00:00Z","to":["https://www.w3.org/ns/activitystreams#Public"],"content":"<p>x</p>"}})";
    }
    static void write(const std::filesystem::path& file, const std::string& items) {
        zipped::write(
            file, {{"outbox.json", R"({"type":"OrderedCollection","orderedItems":[)" + items + "]}"}}
        );
    }
};

TEST_F(TransferCommands, go_on_with_an_import_that_a_killed_one_left) {
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    std::filesystem::create_directories(data / "media/.archives");
    write(data / "media/.archives/in-left", post(1) + "," + post(2));
    write(folder / "other.zip", post(3));
    db::Options options;
    options.sqlite_file = data / "dunlin.db";
    // Its lease is over in a moment.
    const auto until = std::chrono::duration_cast<std::chrono::milliseconds>(
        (std::chrono::system_clock::now() + std::chrono::seconds(2)).time_since_epoch()
    );
    db::open_connection(options, db::Mode::write)
        ->script(
            "INSERT INTO post_imports (id, account_id, file, attempts, leased_until, created_at) SELECT 1, "
            "id, "
            "'.archives/in-left', 1, " +
            std::to_string(until.count()) + ", 1 FROM accounts WHERE username = 'alice'"
        );
    const auto other = "account import alice '" + (folder / "other.zip").string() + "'";
    const auto went = run(other);
    EXPECT_EQ(went.status, 0) << went.err;
    EXPECT_THAT(went.err, HasSubstr("it goes on first, and then " + (folder / "other.zip").string()));
    EXPECT_THAT(went.err, HasSubstr("@alice has 2 posts more"));
    EXPECT_THAT(went.out, HasSubstr("@alice has 1 posts more"));
}

}  // namespace
