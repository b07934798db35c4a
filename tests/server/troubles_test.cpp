// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/monitoring/troubles.hpp"

#include "server/nodes/node_rows.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using server::Sample, server::Troubles, server::TroubleWatch;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

constexpr std::int64_t day = 86'400'000, hour = 3'600'000;
constexpr base::Time now{1'767'225'600'000};

std::vector<std::string> kinds(const Troubles& found) {
    std::vector<std::string> out;
    for (const auto& one : found) {
        EXPECT_NE(moderation::sentence_of_trouble(one.kind), one.kind) << "nothing is said of it";
        out.push_back(one.kind);
    }
    return out;
}

Sample well() {
    Sample sample;
    sample.nodes.connected = true;
    sample.process.open_files = 100;
    sample.process.open_files_at_most = 65'536;
    return sample;
}

TEST(Troubles, are_none_of_a_server_that_is_well) {
    TroubleWatch watch(true);
    auto sample = well();
    sample.certificate = server::Validity{{now.ms - 75 * day}, {now.ms + 15 * day}};
    sample.database.replica = db::Stats::Replica{};
    sample.database.replica->serves = true;
    sample.mails_failed_in_a_row = 2;
    EXPECT_THAT(watch.look(sample, server::DiskRoom{"/data", 200 << 20, 100 << 20}, false, now), IsEmpty());
    EXPECT_THAT(watch.look(sample, std::nullopt, false, now), IsEmpty());
}

TEST(Troubles, are_seen_in_the_figures) {
    TroubleWatch watch(true);
    auto sample = well();
    sample.nodes.connected = false;
    sample.certificate = server::Validity{{now.ms - 77 * day}, {now.ms + 13 * day}};
    sample.database.replica = db::Stats::Replica{};
    sample.mails_failed_in_a_row = 3;
    sample.mail_failure = "450 later";
    sample.process.open_files = 60'000;
    const auto found = watch.look(sample, server::DiskRoom{"/data", 150 << 20, 100 << 20}, false, now);
    EXPECT_THAT(kinds(found), ElementsAre("disk", "certificate", "mail", "replica", "files", "nodes_deaf"));
    EXPECT_THAT(found[0].detail, HasSubstr("150 MB are free on the disk of /data"));
    EXPECT_THAT(found[1].detail, HasSubstr("for another 13 days"));
    EXPECT_THAT(found[2].detail, HasSubstr("450 later"));
    EXPECT_THAT(TroubleWatch(false).look(well(), std::nullopt, false, now), IsEmpty());
}

// Of six days, as some authorities issue them, two are left when it should have been renewed.
TEST(Troubles, with_certificates_begin_when_a_third_of_their_time_is_left) {
    auto seen = [](std::int64_t hours_of, std::int64_t hours_left) {
        auto sample = well();
        sample.certificate =
            server::Validity{{now.ms - (hours_of - hours_left) * hour}, {now.ms + hours_left * hour}};
        const auto found = kinds(TroubleWatch(false).look(sample, std::nullopt, false, now));
        EXPECT_EQ(found.empty(), !server::remark_on(*sample.certificate, now)) << "doctor says the same";
        return !found.empty();
    };
    EXPECT_FALSE(seen(144, 144));
    EXPECT_FALSE(seen(144, 49));
    EXPECT_TRUE(seen(144, 47));
    EXPECT_FALSE(seen(2160, 337)) << "of 90 days";
    EXPECT_TRUE(seen(2160, 335));
    EXPECT_TRUE(seen(144, -1));
}

TEST(Troubles, with_requests_are_those_of_the_last_minutes) {
    TroubleWatch watch(false);
    auto sample = well();
    auto after = [&](std::int64_t minutes, std::uint64_t answered, std::uint64_t failed, bool paused = false
                 ) {
        sample.answered += answered;
        sample.failed += failed;
        return kinds(watch.look(sample, std::nullopt, paused, now.plus_seconds(minutes * 60)));
    };
    EXPECT_THAT(after(0, 100'000, 50'000), IsEmpty()) << "from before";
    EXPECT_THAT(after(1, 1000, 9), IsEmpty()) << "too few to say anything";
    EXPECT_THAT(after(2, 1000, 12), ElementsAre("errors"));
    EXPECT_THAT(after(3, 10'000, 0), IsEmpty()) << "less than one in a hundred";
    EXPECT_THAT(after(20, 0, 0), IsEmpty());
    EXPECT_THAT(after(21, 10, 10), ElementsAre("errors"));
    EXPECT_THAT(after(40, 500, 500, true), IsEmpty()) << "they were refused on purpose";
    EXPECT_THAT(after(41, 500, 1), IsEmpty());
}

TEST(Troubles, with_a_backup_are_that_it_is_old_away_or_damaged) {
    backup::Keeper::Figures good{now.ms - 20 * hour, now.ms - 1000, now.ms - day, day, true, false, 0, ""};
    EXPECT_THAT(server::troubles_of_backup(good, now), IsEmpty());
    EXPECT_THAT(server::troubles_of_backup({0, 0, 0, day, true, false, now.ms - day, ""}, now), IsEmpty())
        << "not begun yet";
    auto old = good;
    old.log = now.ms - hour;
    EXPECT_THAT(server::troubles_of_backup(old, now)[0].detail, HasSubstr("reaches to 60 minutes ago"));
    old.log = 0;
    old.base = now.ms - 38 * hour;
    EXPECT_THAT(server::troubles_of_backup(old, now)[0].detail, HasSubstr("the last copy is 38 hours old"));
    old.base = now.ms - 36 * hour;
    EXPECT_THAT(server::troubles_of_backup(old, now), IsEmpty());
    auto away = good;
    away.away = true;
    away.sound = false;
    EXPECT_THAT(kinds(server::troubles_of_backup(away, now)), ElementsAre("backup", "backup_unsound"));
    away.failure = "the database is away";
    EXPECT_THAT(
        server::troubles_of_backup(away, now)[0].detail,
        HasSubstr("The last tries failed: the database is away")
    );
    EXPECT_THAT(
        kinds(server::troubles_of_backup({0, 0, 0, day, true, false, 1, ""}, now)), ElementsAre("backup")
    ) << "the first copy never comes";
    auto ahead = good;
    ahead.base = now.ms + 2 * hour;
    EXPECT_THAT(server::troubles_of_backup(ahead, now)[0].detail, HasSubstr("a time that is to come"));
}

struct SiteTroubles : OnEachWorld {
    std::vector<std::string> found() { return kinds(w.read(server::troubles_of_site)); }
    void beat(const std::string& name, std::int64_t started) {
        w.write([&](db::Write& db) {
            server::write_node(db, {name, "host of " + name, "jobs", "1", {started}});
        });
    }
};
ON_EACH_DATABASE(SiteTroubles);

TEST_P(SiteTroubles, are_work_that_waits_for_long) {
    w.connection().script("DELETE FROM jobs");
    EXPECT_THAT(found(), IsEmpty());
    w.connection().script(
        "INSERT INTO jobs (id, kind, payload, run_at, created_at) VALUES (1, 'x', '{}', " +
        std::to_string(w.now().ms - 2 * hour) + ", 1)"
    );
    EXPECT_THAT(found(), ElementsAre("work"));
}

TEST_P(SiteTroubles, are_servers_that_took_something_lately_and_do_not_now) {
    auto put = [&](int number, int failures, std::int64_t delivered_ago) {
        w.connection().script(
            "INSERT INTO hosts (authority, failures, delivered_at) VALUES ('h" + std::to_string(number) +
            ".example', " + std::to_string(failures) + ", " + std::to_string(w.now().ms - delivered_ago) + ")"
        );
    };
    w.connection().script("DELETE FROM jobs");
    for (int i = 0; i < 20; ++i) put(i, 3, 30 * day);
    EXPECT_THAT(found(), IsEmpty()) << "they went long ago";
    for (int i = 20; i < 25; ++i) put(i, 0, hour);
    for (int i = 25; i < 30; ++i) put(i, 2, hour);
    EXPECT_THAT(found(), IsEmpty()) << "half of them";
    put(30, 1, hour);
    EXPECT_THAT(found(), ElementsAre("servers"));
}

TEST_P(SiteTroubles, are_a_node_that_went_without_a_word_and_was_not_replaced) {
    w.connection().script("DELETE FROM jobs");
    beat("a", 1), beat("b", 2);
    w.advance(100);
    beat("a", 1);
    EXPECT_THAT(found(), IsEmpty()) << "it may come back";
    w.advance(25);
    beat("a", 1);
    EXPECT_THAT(found(), ElementsAre("node"));
    EXPECT_THAT(w.read(server::troubles_of_site)[0].detail, HasSubstr("host of b"));
    beat("c", w.now().ms);
    EXPECT_THAT(found(), IsEmpty()) << "another took its place";
    w.advance(1900);
    beat("c", w.now().ms);
    EXPECT_THAT(found(), IsEmpty());
}

TEST_P(SiteTroubles, are_none_of_a_lone_server_that_was_killed_twice) {
    w.connection().script("DELETE FROM jobs");
    for (const std::string name : {"first", "second", "third"}) {
        w.advance(130);
        beat(name, w.now().ms);
        EXPECT_THAT(found(), IsEmpty()) << name;
    }
    w.advance(130);
    EXPECT_THAT(found(), ElementsAre("node")) << "none came after the last";
}

}  // namespace
