// SPDX-License-Identifier: AGPL-3.0-or-later
// What `dunlin doctor --fix` mends: each fault is made on purpose, and nothing is touched that was not said before.
#include "backup/dump_turn.hpp"
#include "config/data_directory.hpp"
#include "db/migrate.hpp"
#include "doctoring.hpp"
#include "support/database.hpp"

#include <unistd.h>

namespace {

using server::Level, server_test::fault, server_test::says, server_test::warning;
using testing::AllOf, testing::ElementsAre, testing::Field, testing::HasSubstr, testing::IsEmpty,
    testing::Not, testing::SizeIs;

struct Fix {
    std::string check, what;
    bool done = false;
    std::string text;
};
DESCRIBE(Fix, check, what, done, text)
struct Mended {
    server::Diagnosis before;
    std::vector<Fix> fixes;
    server::Diagnosis after;
};
DESCRIBE(Mended, before, fixes, after)

auto done(const std::string& what) {
    return AllOf(Field(&Fix::what, HasSubstr(what)), Field(&Fix::done, true));
}
auto not_done(const std::string& what, const std::string& why) {
    return AllOf(
        Field(&Fix::what, HasSubstr(what)), Field(&Fix::done, false), Field(&Fix::text, HasSubstr(why))
    );
}

struct DoctorFixes : server_test::Doctor, testing::WithParamInterface<support::Database> {
    void SetUp() override {
        Doctor::SetUp();
        if (IsSkipped()) return;
        if (postgres() && !support::postgres_url()) GTEST_SKIP() << "there is no PostgreSQL";
        if (postgres()) there.emplace(support::Database::postgres);
        options.sqlite_file = data / "dunlin.db";
        if (there) options.postgres_url = there->options.postgres_url;
        std::filesystem::create_directories(data);
        std::filesystem::permissions(data, std::filesystem::perms::owner_all);
        configure("");
    }
    // Where nobody has to pass through the data folder.
    void keep_media_elsewhere() const { configure("media = \"" + (folder / "media").string() + "\"\n"); }
    bool postgres() const { return GetParam() == support::Database::postgres; }
    void configure(const std::string& lines) const {
        std::ofstream(data / "dunlin.toml")
            << (there ? "database = \"" + options.postgres_url + "\"\n" : "") << lines;
    }
    // As the version before left it.
    void make_older_database() const {
        auto steps = db::embedded_migrations(postgres());
        steps.pop_back();
        db::migrate(*db::open_connection(options, db::Mode::write), {1}, steps);
    }
    Mended fix(const std::string& flags = "--yes") const {
        const auto outcome = run("doctor --fix --json " + flags + " </dev/null");
        EXPECT_EQ(outcome.err, "");
        auto mended = base::json::read<Mended>(outcome.out);
        const auto& last = mended.after.empty() ? mended.before : mended.after;
        EXPECT_EQ(outcome.status, static_cast<int>(std::ranges::max(last, {}, &server::Seen::level).level));
        return mended;
    }

    std::optional<support::TestDatabase> there;
    db::Options options;
};
INSTANTIATE_TEST_SUITE_P(
    db, DoctorFixes, testing::Values(support::Database::sqlite, support::Database::postgres),
    support::database_name
);

TEST_P(DoctorFixes, says_what_it_would_do_and_does_it_only_when_told_to) {
    make_older_database();
    keep_media_elsewhere();
    std::filesystem::permissions(data, std::filesystem::perms(0755));
    const auto told = fix("--dry-run");
    EXPECT_THAT(
        told.fixes,
        ElementsAre(
            not_done("closes " + data.string(), ""), not_done("brings the database up to date, by 1 step", "")
        )
    );
    EXPECT_THAT(told.after, IsEmpty());
    EXPECT_THAT(fix("").after, IsEmpty()) << "nobody agreed";
    const auto asked = run("doctor --fix </dev/null");
    EXPECT_THAT(asked.out, HasSubstr("Doctor mends this:\n  data      closes " + data.string()));
    EXPECT_THAT(asked.err, HasSubstr("Nothing was changed: give --yes"));
    EXPECT_THAT(run("doctor").out, HasSubstr("dunlin doctor --fix mends 2 of it"));
    EXPECT_EQ(mode_of(data), 0755u);
    EXPECT_THAT(fix("--dry-run").before, warning("database", "lacks 1 steps"));
    EXPECT_EQ(run("doctor --yes").status, 2) << "of what?";
}

TEST_P(DoctorFixes, nothing_for_another_user_than_the_owner) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give the folder to somebody else";
    make_older_database();
    configure("backup_to = \"" + (folder / "kept").string() + "\"\n");
    std::filesystem::permissions(data, std::filesystem::perms(0744));
    ASSERT_EQ(::chown(data.c_str(), 65534, 65534), 0);
    const auto mended = fix();
    EXPECT_THAT(mended.before, warning("data", "run this as the user of the server"));
    EXPECT_THAT(mended.before, warning("data", "other users of this machine can read"));
    EXPECT_THAT(mended.before, warning("database", "lacks 1 steps"));
    EXPECT_THAT(mended.fixes, IsEmpty());
    EXPECT_EQ(mode_of(data), 0744u);
    EXPECT_FALSE(std::filesystem::exists(folder / "kept"));
    ASSERT_EQ(::chown(data.c_str(), 0, 0), 0);
    EXPECT_THAT(fix("--dry-run").fixes, Not(IsEmpty()));
}

TEST_P(DoctorFixes, and_keeps_what_others_found_before) {
    make_older_database();
    const auto mended = fix("--yes --from-outside nonsense --mail-to somebody@example.org");
    EXPECT_THAT(mended.fixes, ElementsAre(done("brings the database up to date")));
    EXPECT_THAT(mended.after, warning("outside", "nonsense is no address of a server"));
    auto about = [](const server::Diagnosis& all, const std::string& check) {
        std::vector<std::string> texts;
        for (const auto& seen : all)
            if (seen.check == check) texts.push_back(seen.text);
        return texts;
    };
    EXPECT_THAT(about(mended.before, "mail"), SizeIs(1));
    EXPECT_EQ(about(mended.after, "mail"), about(mended.before, "mail"));
    EXPECT_EQ(about(mended.after, "outside"), about(mended.before, "outside"));
}

TEST_P(DoctorFixes, no_folder_through_which_a_proxy_may_come_to_the_media) {
    ASSERT_EQ(run("migrate").status, 0);
    std::filesystem::permissions(data, std::filesystem::perms(0755));
    const auto mended = fix();
    EXPECT_THAT(mended.before, warning("data", "or chmod go-r there if a proxy serves the media in it"));
    EXPECT_THAT(mended.fixes, IsEmpty());
    EXPECT_EQ(mode_of(data), 0755u);
    std::filesystem::permissions(data, std::filesystem::perms(0744));
    EXPECT_THAT(fix().fixes, ElementsAre(done("closes " + data.string()))) << "nobody passes through it";
}

TEST_P(DoctorFixes, the_folder_that_others_can_read) {
    ASSERT_EQ(run("migrate").status, 0);
    keep_media_elsewhere();
    std::filesystem::permissions(data, std::filesystem::perms(0755));
    if (!postgres()) std::filesystem::permissions(data / "dunlin.db", std::filesystem::perms(0644));
    const auto mended = fix();
    EXPECT_THAT(mended.before, warning("data", "other users of this machine can read"));
    EXPECT_THAT(mended.fixes, ElementsAre(done("closes " + data.string())));
    EXPECT_THAT(mended.after, says("data", "belongs to this user alone", Level::ok));
    EXPECT_EQ(mode_of(data), 0700u);
    if (!postgres()) EXPECT_EQ(mode_of(data / "dunlin.db"), 0600u);
}

TEST_P(DoctorFixes, the_database_of_an_earlier_version) {
    make_older_database();
    const auto mended = fix();
    EXPECT_THAT(mended.fixes, ElementsAre(done("brings the database up to date")));
    EXPECT_EQ(mended.fixes.at(0).text, "1 step taken");
    EXPECT_THAT(mended.after, says("database", "up to date", Level::ok));
    EXPECT_THAT(fix().fixes, IsEmpty());
    if (postgres()) return;
    const auto number = db::embedded_migrations(false).back().name.substr(0, 4);
    EXPECT_TRUE(std::filesystem::exists(data / ("before-" + number + ".db")));
}

TEST_P(DoctorFixes, no_database_on_which_a_server_runs) {
    make_older_database();
    {
        server::Config config;
        config.data = data.string();
        const server::DataDirectoryLock lock(config);
        EXPECT_THAT(
            fix().fixes,
            ElementsAre(not_done("brings the database up to date", "a server runs on this folder"))
        );
    }
    if (!postgres()) return;
    const auto connection = db::open_connection(options, db::Mode::write);
    const auto now = std::to_string(::time(nullptr) * std::int64_t{1000});
    connection->script(  // as the server of that version wrote it
        "INSERT INTO nodes (name, host, roles, version, started_at, seen_at, late_ms, waiting, listeners, "
        "jobs_done) "
        "VALUES ('a', 'other machine', 'web', '0.1', " +
        now + ", " + now + ", 0, 0, 0, 0)"
    );
    EXPECT_THAT(
        fix().fixes,
        ElementsAre(not_done("brings the database up to date", "1 server of an earlier version serve"))
    );
    EXPECT_THAT(fix("--dry-run").before, warning("database", "lacks 1 steps"));
    connection->script("ALTER TABLE nodes RENAME TO hidden");
    EXPECT_THAT(fix().fixes, ElementsAre(not_done("brings the database up to date", "nodes")))
        << "who cannot be asked may run";
    EXPECT_THAT(fix("--dry-run").before, warning("database", "lacks 1 steps"));
}

TEST_P(DoctorFixes, the_database_of_before_nodes_were_counted) {
    auto steps = db::embedded_migrations(postgres());
    std::erase_if(steps, [](const auto& step) { return step.name >= "0090"; });
    db::migrate(*db::open_connection(options, db::Mode::write), {1}, steps);
    EXPECT_THAT(fix().fixes, ElementsAre(done("brings the database up to date")));
}

TEST_P(DoctorFixes, no_backup_while_another_verification_is_under_way) {
    ASSERT_EQ(run("migrate").status, 0);
    const auto kept = folder / "kept";
    configure("backup_to = \"" + kept.string() + "\"\n");
    std::filesystem::create_directories(data / ".verify-now");
    std::ofstream(data / ".verify-now" / "dunlin.db") << "half";
    EXPECT_THAT(fix().fixes, ElementsAre(not_done("makes a copy in", "another verification is under way")));
    EXPECT_FALSE(std::filesystem::exists(kept));
    EXPECT_TRUE(std::filesystem::exists(data / ".verify-now" / "dunlin.db"));
}

TEST_P(DoctorFixes, no_backup_that_another_machine_keeps) {
    if (!postgres()) GTEST_SKIP() << "one machine alone has SQLite's database";
    ASSERT_EQ(run("migrate").status, 0);
    const auto kept = folder / "kept";
    configure("backup_to = \"" + kept.string() + "\"\n");
    const auto connection = db::open_connection(options, db::Mode::write);
    const base::Site site;
    const auto clock = [] { return base::Time{::time(nullptr) * std::int64_t{1000}}; };
    auto made = [&](std::int64_t hours_ago) {
        db::write_now(*connection, {&site, clock, nullptr}, [&](db::Write& db) {
            const auto at = db.now().plus_seconds(-hours_ago * 3600);
            ASSERT_TRUE(backup::take_turn(db, "other machine", 1));
            backup::note_made(db, "other machine", at, 1);
        });
    };
    const auto why = "another machine keeps the backup, and " + kept.string() + " has none here";
    made(1000);
    EXPECT_THAT(fix().fixes, ElementsAre(not_done("makes a copy in", why)));
    made(1);
    EXPECT_THAT(fix().fixes, ElementsAre(not_done("restores the backup in", why)));
    EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST_P(DoctorFixes, a_backup_that_is_missing_or_damaged) {
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    const auto kept = folder / "kept";
    configure("backup_to = \"" + kept.string() + "\"\n");
    auto mended = fix();
    EXPECT_THAT(mended.before, fault("backup", "there is no copy in"));
    EXPECT_THAT(mended.fixes, ElementsAre(done("makes a copy in " + kept.string())));
    EXPECT_THAT(mended.fixes.at(0).text, HasSubstr("; sound, restored as of 2"));
    EXPECT_THAT(mended.after, says("backup", "was found sound when it was tried", Level::ok));

    for (const auto& check : std::filesystem::directory_iterator(kept / "check"))
        std::filesystem::remove(check.path());
    EXPECT_THAT(fix().fixes, ElementsAre(done("restores the backup in " + kept.string() + " aside")));

    for (const auto& block : std::filesystem::recursive_directory_iterator(kept / "blocks"))
        if (block.is_regular_file()) std::filesystem::resize_file(block.path(), block.file_size() / 2);
    ASSERT_EQ(run("backup verify").status, 1);
    mended = fix();
    EXPECT_THAT(mended.before, fault("backup", "is not sound"));
    EXPECT_THAT(mended.fixes, ElementsAre(done("makes a copy in")));
    EXPECT_THAT(mended.after, says("backup", "was found sound when it was tried", Level::ok));
}

TEST_P(DoctorFixes, no_backup_whose_disk_is_not_mounted) {
    ASSERT_EQ(run("migrate").status, 0);
    const auto kept = folder / "kept";
    configure("backup_to = \"" + kept.string() + "\"\n");
    EXPECT_THAT(fix().fixes, ElementsAre(done("makes a copy in")));
    std::filesystem::rename(kept, folder / "away");
    std::filesystem::create_directories(kept);
    EXPECT_THAT(fix().fixes, ElementsAre(not_done("makes a copy in", kept.string())));
    EXPECT_TRUE(std::filesystem::is_empty(kept)) << "the disk beneath stays as it is";
}

TEST_P(DoctorFixes, what_a_broken_off_verification_left) {
    ASSERT_EQ(run("migrate").status, 0);
    const auto old = data / ".verify", fresh = data / ".verify-now";
    for (const auto& one : {old, fresh}) {
        std::filesystem::create_directories(one);
        std::ofstream(one / "dunlin.db") << "half";
    }
    const auto before = std::filesystem::file_time_type::clock::now() - std::chrono::hours(7);
    for (const auto& path : {old / "dunlin.db", old}) std::filesystem::last_write_time(path, before);
    const auto mended = fix();
    EXPECT_THAT(mended.before, warning("data", old.string() + " is left of a verification"));
    EXPECT_THAT(mended.fixes, ElementsAre(done("removes " + old.string())));
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_TRUE(std::filesystem::exists(fresh / "dunlin.db")) << "it may be in use";
}

}  // namespace
