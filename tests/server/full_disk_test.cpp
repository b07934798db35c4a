// SPDX-License-Identifier: AGPL-3.0-or-later
// The real server on a file system of some megabytes that fills up, and has room again.
#include "db/open.hpp"
#include "serving.hpp"
#include "support/postgres_databases.hpp"

#include "server/monitoring/disk_room.hpp"

#include <sys/mount.h>

#include <atomic>
#include <set>

namespace {

using server::Room;
using testing::HasSubstr;

constexpr std::uint64_t mega = 1 << 20;

server::DiskRoom disk(std::uint64_t free_megabytes) { return {"/data", free_megabytes * mega, 100 * mega}; }

TEST(DiskWatch, closes_below_the_reserve_and_opens_when_there_is_room) {
    db::WriteGate gate;
    server::DiskWatch watch(gate);
    EXPECT_EQ(watch.look(disk(200)), Room::plenty);
    EXPECT_EQ(watch.look(disk(199)), Room::little);
    EXPECT_FALSE(gate.is_full());
    EXPECT_EQ(watch.look(disk(99)), Room::none);
    EXPECT_TRUE(gate.is_full());
    EXPECT_EQ(watch.look(disk(100)), Room::little);
    EXPECT_FALSE(gate.is_full());
}

TEST(DiskWatch, believes_for_a_while_who_found_no_room_where_there_seems_to_be) {
    db::WriteGate gate;
    server::DiskWatch watch(gate);
    const auto begun = server::DiskWatch::Clock::now();
    gate.fill();
    watch.look(disk(500), begun);
    watch.look(disk(500), begun + std::chrono::seconds(9));
    EXPECT_TRUE(gate.is_full());
    watch.look(disk(500), begun + std::chrono::seconds(10));
    EXPECT_FALSE(gate.is_full());
}

TEST(DiskWatch, keeps_a_tenth_of_a_small_disk_at_most) {
    EXPECT_EQ(server::reserve_of(1024 * mega, 100'000 * mega), 1024 * mega);
    EXPECT_EQ(server::reserve_of(1024 * mega, 5000 * mega), 500 * mega);
    EXPECT_EQ(server::reserve_of(0, 5000 * mega), 0u);
}

struct SmallDisk : server_test::Serve {
    void SetUp() override {
        Serve::SetUp();
        if (IsSkipped()) return;
        std::filesystem::create_directories(disk);
        if (::mount("none", disk.c_str(), "tmpfs", 0, size) != 0)
            GTEST_SKIP() << "no file system may be mounted here: run this as root";
        mounted = true;
        std::filesystem::permissions(disk, std::filesystem::perms::owner_all);
    }
    ~SmallDisk() override {
        if (child > 0) stop(SIGKILL);
        if (mounted) ::umount2(disk.c_str(), MNT_DETACH);
    }

    std::filesystem::path ballast() const { return disk / "ballast"; }
    // Leaves so many bytes.
    void fill(std::uint64_t left) const {
        std::ofstream file(ballast(), std::ios::binary | std::ios::app);
        const std::string block(64 << 10, 'x');
        while (std::filesystem::space(disk).available > left && file.write(block.data(), std::ssize(block)))
            file.flush();
    }
    void make_room() const { std::filesystem::remove(ballast()); }

    std::string token_of_alice(const std::string& flags = "") {
        EXPECT_EQ(run("account create alice --email alice@example.org --confirmed" + flags).status, 0);
        auto token = run("token create alice --scopes 'read write'" + flags).out;
        if (!token.empty()) token.pop_back();
        return token;
    }
    // Until it answers as it should; the server looks at its disks every five seconds.
    server_test::Answer until(long status, const std::function<server_test::Answer()>& ask) const {
        auto answer = ask();
        for (int tries = 0; tries < 1200 && answer.status != status; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            answer = ask();
        }
        return answer;
    }
    static std::string id_of(const server_test::Answer& answer) {
        const auto at = answer.body.find("\"id\":\"");
        return at == std::string::npos ? ""
                                       : answer.body.substr(at + 6, answer.body.find('"', at + 6) - at - 6);
    }

    // Three people post, the disk becomes full, and they go on until twenty posts were refused. What was answered is there
    // then and after a restart, what was refused has left nothing, and when there is room again the server takes posts by
    // itself.
    void lose_nothing_under_load(const std::string& token, const std::string& flags) {
        std::mutex mutex;
        std::set<std::string> answered;
        std::atomic<int> refused = 0, others = 0;
        auto load = [&](int who) {
            for (int i = 0; i < 3000 && refused < 20; ++i) {
                const auto text = std::to_string(who) + "+" + std::to_string(i) + std::string(400, 'x');
                const auto answer = send("/api/v1/statuses", "status=" + text, token);
                if (answer.status == 200) {
                    const std::lock_guard lock(mutex);
                    answered.insert(id_of(answer));
                } else {
                    ++(answer.status == 503 ? refused : others);
                }
            }
        };
        {
            std::jthread one(load, 1), two(load, 2), three(load, 3);
            const auto posted = [&] {
                const std::lock_guard lock(mutex);
                return answered.size();
            };
            for (int tries = 0; tries < 600 && posted() < 20; ++tries)
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
            fill(mega);
        }
        EXPECT_GE(refused, 20);
        EXPECT_EQ(others, 0) << "a full disk is 503 and nothing else";
        ASSERT_GE(answered.size(), 20u);
        EXPECT_EQ(get("/api/v1/statuses/" + *answered.begin(), token).status, 200);
        make_room();
        const auto again = until(200, [&] { return send("/api/v1/statuses", "status=again", token); });
        EXPECT_EQ(again.status, 200) << "by itself";
        for (const auto& id : answered) EXPECT_EQ(get("/api/v1/statuses/" + id, token).status, 200) << id;

        const auto me = get("/api/v1/accounts/verify_credentials", token).body;
        EXPECT_THAT(me, HasSubstr("\"statuses_count\":" + std::to_string(answered.size() + 1) + ","))
            << "what was refused left nothing";
        EXPECT_EQ(stop(SIGTERM), 0);
        address.clear();
        start(flags);
        for (const auto& id : answered) EXPECT_EQ(get("/api/v1/statuses/" + id, token).status, 200) << id;
    }

    std::filesystem::path disk = data;
    const char* size = "size=64m";
    bool mounted = false;
};

TEST_F(SmallDisk, below_the_reserve_refuses_what_is_new_lets_delete_and_goes_on_when_there_is_room) {
    start("--no-rate-limits");
    const auto token = token_of_alice();
    auto post = [&] { return send("/api/v1/statuses", "status=hello", token); };
    const auto first = post();
    ASSERT_EQ(first.status, 200) << first.body;
    const auto second = post();
    fill(4 * mega);  // a tenth of 64 are 6.4
    const auto refused = until(503, post);
    EXPECT_EQ(refused.status, 503);
    EXPECT_THAT(refused.body, HasSubstr("{\"error\":\"This server has no room left"));
    EXPECT_THAT(refused.headers, HasSubstr("Retry-After: 60"));
    EXPECT_EQ(send("/inbox", "{}", "").status, 503);
    EXPECT_EQ(get("/api/v1/statuses/" + id_of(first), token).status, 200);
    EXPECT_EQ(get("/readyz").status, 200) << "it still serves";
    EXPECT_THAT(run("read-only").out, HasSubstr("The disk is full"));
    EXPECT_EQ(remove("/api/v1/statuses/" + id_of(second), token).status, 200);
    EXPECT_EQ(get("/api/v1/statuses/" + id_of(second), token).status, 404);
    make_room();
    EXPECT_EQ(until(200, post).status, 200);
}

// Without a reserve the disk itself says when it is full.
TEST_F(SmallDisk, full_to_the_last_byte_under_load_loses_no_answered_post) {
    start("--no-rate-limits --disk-reserve-mb 0");
    const auto token = token_of_alice();
    lose_nothing_under_load(token, "--no-rate-limits --disk-reserve-mb 0");
}

// The disk of the database is another machine's, or as good as that: only PostgreSQL knows that it is full.
struct SmallPostgresDisk : SmallDisk {
    SmallPostgresDisk() {
        disk = folder / "tablespace";
        size = "size=160m";
    }
    void SetUp() override {
        if (!support::postgres_url()) GTEST_SKIP() << "there is no PostgreSQL";
        url = support::postgres_url();
        struct stat owner{};
        const auto socket = url.substr(url.find("host=") + 5);
        if (url.find("host=/") == url.npos || ::stat((socket + "/data").c_str(), &owner) != 0)
            GTEST_SKIP(
            ) << "the PostgreSQL of this test is another machine's, which has no small disk of ours";
        SmallDisk::SetUp();
        if (IsSkipped()) return;
        std::filesystem::permissions(folder, std::filesystem::perms(0711));
        ASSERT_EQ(::chown(disk.c_str(), owner.st_uid, owner.st_gid), 0);
        name = support::fresh_name();
        script("CREATE TABLESPACE " + name + " LOCATION '" + disk.string() + "'");
        script("CREATE DATABASE " + name + " TABLESPACE " + name);
        made = true;
    }
    void TearDown() override {
        if (child > 0) stop(SIGKILL);
        if (!made) return;
        make_room();
        script("DROP DATABASE " + name + " WITH (FORCE)");
        script("DROP TABLESPACE " + name);
    }
    void script(const std::string& statement) const {
        db::Options options;
        options.postgres_url = url;
        db::open_connection(options, db::Mode::write)->script(statement);
    }

    std::string url, name;
    bool made = false;
};

TEST_F(SmallPostgresDisk, that_is_full_under_load_loses_no_answered_post) {
    const auto database = " --database '" + url + "&dbname=" + name + "'";
    const auto flags = "--no-rate-limits" + database;
    start(flags);
    const auto token = token_of_alice(database);
    lose_nothing_under_load(token, flags);
}

}  // namespace
