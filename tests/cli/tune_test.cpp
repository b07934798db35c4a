// SPDX-License-Identifier: AGPL-3.0-or-later
// What `dunlin tune` proposes, and that it proposes no more than that.
#include "cli/tune/advice.hpp"
#include "config/config_table.hpp"
#include "server/program.hpp"

#include <gmock/gmock.h>

namespace {

using server::Advice, server::MachineFigures;
using testing::AllOf, testing::Contains, testing::ElementsAre, testing::Field, testing::HasSubstr,
    testing::IsEmpty, testing::SizeIs;

constexpr std::int64_t giga = std::int64_t{1} << 30;

MachineFigures roomy() {
    MachineFigures out;
    out.cores = 8;
    out.memory_bytes = 16 * giga;
    out.most_files = 1 << 19;
    out.sync_ms = 1;
    out.free_for_data = 800 * giga;
    out.size_for_data = 1000 * giga;
    out.database_bytes = 5 * giga;
    return out;
}

auto advice(const char* option, const char* value, const char* because) {
    return AllOf(
        Field(&Advice::option, option),
        Field(&Advice::value, value),
        Field(&Advice::because, HasSubstr(because))
    );
}

TEST(Tune, proposes_nothing_where_the_defaults_do) {
    const auto found = server::tuning({}, roomy(), std::nullopt);
    EXPECT_THAT(found.options, IsEmpty());
    EXPECT_THAT(found.notes, IsEmpty());
}

TEST(Tune, goes_by_what_a_control_group_allows) {
    auto machine = roomy();
    machine.quota = 1.5;
    machine.memory_limit_bytes = giga / 2;
    EXPECT_THAT(
        server::tuning({}, machine, std::nullopt).options,
        ElementsAre(
            advice("readers", "2", "allows 1.5 of 8 cores"),
            advice("cpu_threads", "1", "allows 1.5 of 8 cores"),
            advice("body_memory_mb", "32", "512 MB of memory")
        )
    );
    server::Config config;
    config.readers = 2;
    config.cpu_threads = 1;
    config.body_memory_mb = 32;
    EXPECT_THAT(server::tuning(config, machine, std::nullopt).options, IsEmpty()) << "that has been heeded";
}

TEST(Tune, names_what_the_disk_and_the_system_do_not_bear) {
    auto machine = roomy();
    machine.sync_ms = 45;
    machine.most_files = 4096;
    machine.free_for_data = 2 * giga;
    machine.size_for_data = 40 * giga;
    server::Config config;
    config.set_at["max_connections"] = "dunlin.toml:7";
    const auto found = server::tuning(config, machine, std::nullopt);
    EXPECT_THAT(found.notes, ElementsAre(HasSubstr("45 ms")));
    EXPECT_THAT(
        found.options,
        ElementsAre(
            advice("max_connections", "3596", "dunlin.toml:7 says 10000"),
            advice("upload_space_mb", "512", "are free for data"),
            advice("remote_posts_days", "90", "dunlin prune --dry-run")
        )
    );
}

TEST(Tune, goes_by_how_the_running_server_does) {
    insight::Vitals now;
    now.rates.readers_percent = 90;
    now.rates.writer_percent = 80;
    now.queues.emplace().jobs_late_seconds = 300;
    server::Config config;
    EXPECT_THAT(
        server::tuning(config, roomy(), now).options, ElementsAre(advice("job_threads", "4", "5 minutes"))
    ) << "of SQLite one writes, and readers are as many as cores";
    config.database = "postgres://there/is";
    now.queues.reset();
    EXPECT_THAT(
        server::tuning(config, roomy(), now).options,
        ElementsAre(advice("readers", "32", "90 %"), advice("writers", "32", "80 %"))
    );
}

struct TuneCommand : Program {};

TEST_F(TuneCommand, reads_the_limits_of_control_groups_and_of_those_above) {
    const auto write = [&](const std::string& name, const std::string& words) {
        std::filesystem::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << words << '\n';
    };
    write("a/b/cpu.max", "max 100000");
    write("a/cpu.max", "150000 100000");
    write("a/b/memory.max", "2000000");
    write("a/memory.max", "1000000");
    const auto limits = server::group_limits(folder, "/a/b");
    EXPECT_EQ(limits.cores, 1.5);
    EXPECT_EQ(limits.memory_bytes, 1'000'000);
    EXPECT_EQ(server::group_limits(folder, "/elsewhere").cores, 0);
}

TEST_F(TuneCommand, proposes_lines_of_the_file_and_changes_nothing) {
    EXPECT_EQ(run("tune").status, 1);
    EXPECT_THAT(run("tune").err, HasSubstr("There is no folder"));
    std::filesystem::create_directories(data);
    const auto shown = run("tune --body-memory-mb 60000");
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("\nbody_memory_mb = "));
    EXPECT_THAT(shown.out, HasSubstr("no server is running"));
    EXPECT_THAT(run("tune --json").out, HasSubstr("\"sync_ms\":"));
    EXPECT_TRUE(std::filesystem::is_empty(data)) << "nothing stays behind";
}

}  // namespace
