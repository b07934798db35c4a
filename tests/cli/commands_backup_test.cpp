// SPDX-License-Identifier: AGPL-3.0-or-later
// Backup and restore as an operator runs them.
#include <gmock/gmock.h>

#include "backup/target.hpp"
#include "config/clock.hpp"
#include "db/open.hpp"
#include "server/checks/checks.hpp"
#include "server/program.hpp"
#include "support/postgres_databases.hpp"
#include "support/s3_server.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct BackupCommands : Program {
    std::string kept = (folder / "kept").string(), other = (folder / "other").string();

    void back_up() {
        ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
        auto made = run("backup " + kept);
        ASSERT_EQ(made.status, 0) << made.err;
        EXPECT_THAT(made.out, HasSubstr("Copied to " + kept));
    }
    static std::string reason_not_to_serve(const support::PostgresDatabase& database) {
        const auto connection = db::open_connection({.postgres_url = database.url()}, db::Mode::read);
        base::Site site;
        return db::read_now(*connection, {&site, server::clock_now, nullptr}, [](db::Read& db) {
            return server::reason_not_to_serve(db, false).value_or("");
        });
    }
};

TEST_F(BackupCommands, bring_a_server_back) {
    back_up();
    auto list = run("backup list --json --from " + kept);
    EXPECT_EQ(list.status, 0) << list.err;
    EXPECT_THAT(list.out, HasSubstr("\"bytes\":"));
    EXPECT_THAT(run("backup list --from " + kept).out, HasSubstr("It was never verified"));
    EXPECT_THAT(run("backup verify --from " + kept).out, HasSubstr("Sound: restored as of "));
    EXPECT_THAT(run("backup list --from " + kept).out, HasSubstr(": sound."));
    EXPECT_EQ(run("account create bob --email bob@example.org --confirmed").status, 0);

    auto restored = run("restore " + kept + " --to " + other);
    EXPECT_EQ(restored.status, 0) << restored.err;
    EXPECT_THAT(restored.out, HasSubstr("since then is not in it."));
    auto accounts = run("account list --data " + other).out;
    EXPECT_THAT(accounts, HasSubstr("alice"));
    EXPECT_THAT(accounts, Not(HasSubstr("bob")));
}

TEST_F(BackupCommands, leave_uploads_for_a_call_that_names_the_time) {
    back_up();
    auto later = run("restore " + kept + " --to " + other + " --uploads later");
    EXPECT_EQ(later.status, 0) << later.err;
    const auto call = "restore " + kept + " --uploads only --to " + other + " --at ";
    const auto at = later.out.find("`dunlin " + call);
    ASSERT_NE(at, later.out.npos) << later.out;
    const auto begin = at + std::string("`dunlin ").size();
    auto only = run(later.out.substr(begin, later.out.find('`', begin) - begin));
    EXPECT_EQ(only.status, 0) << only.err;
    EXPECT_THAT(only.out, HasSubstr("files of media were copied"));
}

TEST_F(BackupCommands, bring_media_where_nobody_else_keeps_any_and_say_what_the_settings_say) {
    const auto pictures = (folder / "pictures").string();
    std::filesystem::create_directories(data);
    std::ofstream(data / "dunlin.toml") << "media = \"" << pictures << "\"\nbackup_to = \"" << kept << "\"\n";
    back_up();
    std::filesystem::create_directories(pictures + "/media/ab");
    std::ofstream(pictures + "/media/ab/ab1.png") << "a picture";
    ASSERT_EQ(run("backup").status, 0);
    std::filesystem::remove(pictures + "/media/ab/ab1.png");
    const auto elsewhere = run("restore " + kept + " --to " + other);
    EXPECT_EQ(elsewhere.status, 0) << elsewhere.err;
    EXPECT_FALSE(std::filesystem::exists(pictures + "/media/ab/ab1.png"));
    EXPECT_EQ(contents(other + "/media/media/ab/ab1.png"), "a picture");
    EXPECT_THAT(
        elsewhere.err, HasSubstr("The media are in " + other + "/media, and " + other + "/dunlin.toml")
    );
    EXPECT_THAT(elsewhere.err, HasSubstr("says that they are in " + pictures));
    EXPECT_THAT(elsewhere.err, HasSubstr("goes on with the backup in " + kept));

    // All is lost, and the settings come back with the rest.
    std::filesystem::remove_all(data);
    auto lost = run("restore " + kept);
    EXPECT_EQ(lost.status, 0) << lost.err;
    EXPECT_THAT(lost.err, HasSubstr("says that they are in " + pictures));
    EXPECT_EQ(contents(data / "media/media/ab/ab1.png"), "a picture");
    std::filesystem::remove(data / "dunlin.db");
    lost = run("restore " + kept + " --to " + data.string());
    EXPECT_EQ(lost.status, 0) << lost.err;
    EXPECT_THAT(lost.err, Not(HasSubstr("says that they are in")));
    EXPECT_EQ(contents(pictures + "/media/ab/ab1.png"), "a picture");
}

TEST_F(BackupCommands, bring_all_back_but_damaged_settings) {
    std::filesystem::create_directories(data);
    std::ofstream(data / "dunlin.toml") << "title = \"here\"\n";
    back_up();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kept + "/blocks"))
        if (entry.is_regular_file() && contents(entry.path()).starts_with("title ="))
            std::ofstream(entry.path()) << "litle";
    const auto restored = run("restore " + kept + " --to " + other);
    EXPECT_EQ(restored.status, 0) << restored.err;
    EXPECT_THAT(restored.err, HasSubstr("is damaged, so dunlin.toml does not come back"));
    EXPECT_THAT(run("account list --data " + other).out, HasSubstr("alice"));
    const auto again = run("restore " + kept + " --to " + other);
    EXPECT_EQ(again.status, 1);
    EXPECT_THAT(again.err, HasSubstr("`dunlin restore " + kept + " --uploads only --to " + other + "`"));
}

TEST_F(BackupCommands, verify_one_at_a_time) {
    back_up();
    const auto other_one = data / ".verify-now" / "dunlin.db";
    std::filesystem::create_directories(other_one.parent_path());
    std::ofstream(other_one) << "half";
    {
        const backup::FileLock lock(data / ".verify-now.lock", kept);
        const auto refused = run("backup verify --from " + kept);
        EXPECT_EQ(refused.status, 1);
        EXPECT_THAT(refused.err, HasSubstr("Another process is at work on the backup in " + kept));
        EXPECT_EQ(contents(other_one), "half");
    }
    EXPECT_THAT(run("backup list --from " + kept).out, HasSubstr("It was never verified"));
    EXPECT_EQ(run("backup verify --from " + kept).status, 0);
}

TEST_F(BackupCommands, mend_a_damaged_manifest_where_it_is_known_to_be_their_own) {
    back_up();
    const auto damage = [&] { std::ofstream(kept + "/manifest.json", std::ios::app) << "x"; };
    damage();
    EXPECT_THAT(run("backup " + kept).err, HasSubstr("manifest.json is damaged"));
    std::ofstream(data / "backup-folder") << kept;
    const auto made = run("backup " + kept);
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(run("restore " + kept + " --to " + other).status, 0);
}

TEST_F(BackupCommands, write_over_nothing) {
    back_up();
    auto refused = run("restore " + kept);
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("There is a database in " + data.string() + " already"));
}

TEST_F(BackupCommands, say_what_is_wrong) {
    auto nothing = run("backup");
    EXPECT_EQ(nothing.status, 1);
    EXPECT_EQ(nothing.err, "Name a folder or bucket to back up to, or set backup_to in dunlin.toml\n");
    EXPECT_THAT(run("backup " + kept).err, HasSubstr("There is no database in the folder"));
    EXPECT_EQ(run("backup list --from " + kept).err, "There is no backup in " + kept + "\n");
    EXPECT_EQ(run("restore " + kept + " --to " + other).err, "There is no backup in " + kept + "\n");
    auto postgres = run("backup " + kept + " --database postgres://nobody@nowhere/nothing");
    EXPECT_EQ(postgres.status, 1);
    EXPECT_THAT(postgres.err, HasSubstr("The database cannot be used"));

    back_up();
    auto early = run("restore " + kept + " --to " + other + " --at 2001-01-01T00:00:00Z");
    EXPECT_EQ(early.status, 1);
    EXPECT_THAT(early.err, HasSubstr("holds nothing that is as old as that"));
    auto when = run("restore " + kept + " --to " + other + " --at yesterday");
    EXPECT_EQ(when.err, "\"yesterday\" is no time; write one like 2026-12-24T18:00:00Z\n");
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(other) / "dunlin.db"));

    std::ofstream(std::filesystem::path(kept) / "manifest.json", std::ios::app) << "x";
    EXPECT_THAT(run("restore " + kept + " --to " + other).err, HasSubstr("manifest.json is damaged"));
}

TEST_F(BackupCommands, keep_postgres_and_bring_it_back_to_either_engine) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase here(false), there(false);
    const auto at = [](const auto& one) { return " --database '" + one.url() + "'"; };
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed" + at(here)).status, 0);
    auto made = run("backup " + kept + at(here));
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("Copied to " + kept));
    auto verified = run("backup verify --from " + kept);
    EXPECT_EQ(verified.status, 0) << verified.err;
    EXPECT_THAT(verified.out, HasSubstr("Sound: restored as of "));

    auto refused = run("restore " + kept + at(here));
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, HasSubstr("The database is not empty"));
    auto restored = run("restore " + kept + at(there));
    EXPECT_EQ(restored.status, 0) << restored.err;
    EXPECT_EQ(reason_not_to_serve(there), "");
    EXPECT_THAT(run("account list" + at(there)).out, HasSubstr("alice"));
    auto as_sqlite = run("restore " + kept + " --to " + other);
    EXPECT_EQ(as_sqlite.status, 0) << as_sqlite.err;
    EXPECT_THAT(run("account list --data " + other).out, HasSubstr("alice"));

    // A later copy stores what changed; a flipped bit is found.
    ASSERT_EQ(run("account create bob --email bob@example.org --confirmed" + at(here)).status, 0);
    ASSERT_EQ(run("backup " + kept + at(here)).status, 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kept + "/blocks"))
        if (entry.is_regular_file()) {
            std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(3);
            file.put('#');
        }
    auto damaged = run("backup verify --from " + kept);
    EXPECT_EQ(damaged.status, 1);
    EXPECT_THAT(damaged.err, HasSubstr("is damaged"));
}

TEST_F(BackupCommands, leave_postgres_empty_while_something_of_the_backup_is_missing) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase here(false), there(false);
    const auto at = [](const auto& one) { return " --database '" + one.url() + "'"; };
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed" + at(here)).status, 0);
    std::filesystem::create_directories(data);
    std::ofstream(data / "dunlin.toml") << "title = \"here\"\n";
    ASSERT_EQ(run("backup " + kept + at(here)).status, 0);
    std::filesystem::path settings;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kept + "/blocks"))
        if (entry.is_regular_file() && contents(entry.path()).starts_with("title =")) settings = entry.path();
    ASSERT_FALSE(settings.empty());
    const auto restore = "restore " + kept + " --to " + other + at(there);
    const auto fails = [&] {
        const auto broken = run(restore);
        EXPECT_EQ(broken.status, 1);
        return broken.err;
    };
    const auto removed = std::filesystem::path(kept) / "removed.pictures";
    std::ofstream(removed) << "damaged\n";
    EXPECT_THAT(fails(), HasSubstr("removed.pictures is damaged"));
    std::filesystem::remove(removed);

    // Settings can be written again, and so their loss keeps nobody from the rest.
    std::filesystem::rename(settings, settings.string() + "-aside");
    const auto restored = run(restore);
    EXPECT_EQ(restored.status, 0) << restored.err;
    EXPECT_THAT(restored.err, HasSubstr("so dunlin.toml does not come back"));
    EXPECT_THAT(run("account list --data " + other + at(there)).out, HasSubstr("alice"));
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(other) / "dunlin.toml"));
}

TEST_F(BackupCommands, that_break_off_once_the_rows_are_there_leave_nothing_to_serve_from) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase here(false), there(true);
    const auto at = [](const auto& one) { return " --database '" + one.url() + "'"; };
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed" + at(here)).status, 0);
    ASSERT_EQ(run("backup " + kept + at(here)).status, 0);
    const auto connection = db::open_connection({.postgres_url = there.url()}, db::Mode::write);
    connection->script(R"(CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
                              $$ BEGIN RAISE EXCEPTION 'broken off'; END $$;
                          CREATE TRIGGER break_off BEFORE INSERT ON settings FOR EACH ROW
                              WHEN (NEW.name = 'restored_at') EXECUTE FUNCTION break_off())");
    EXPECT_EQ(reason_not_to_serve(there), "");
    EXPECT_NE(run("restore " + kept + " --to " + other + at(there)).status, 0);
    EXPECT_THAT(reason_not_to_serve(there), HasSubstr("broke off before its end"));
    EXPECT_THAT(run("restore " + kept + " --to " + other + at(there)).err, HasSubstr("is not empty"));
    connection->script("DROP TRIGGER break_off ON settings; DROP FUNCTION break_off");
}

TEST_F(BackupCommands, of_one_engine_are_not_mixed_with_those_of_the_other) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    back_up();
    const support::PostgresDatabase database(false);
    const auto at = " --database '" + database.url() + "'";
    auto mixed = run("backup " + kept + at);
    EXPECT_EQ(mixed.status, 1);
    EXPECT_THAT(mixed.err, HasSubstr("holds the backup of a database of sqlite"));
    auto restored = run("restore " + kept + at);
    EXPECT_EQ(restored.status, 1);
    EXPECT_THAT(restored.err, HasSubstr("dunlin migrate-to"));
}

// With the options of a bucket as a new machine would have them.
struct BackupInABucket : BackupCommands {
    void SetUp() override {
        BackupCommands::SetUp();
        key = run("backup key").out;
        name_bucket(bucket.options().keys.secret);
    }
    void name_bucket(const std::string& secret) {
        const auto options = bucket.options();
        std::filesystem::create_directories(data);
        std::ofstream(data / "dunlin.toml")
            << "backup_to = \"" << place << "\"\nbackup_s3_endpoint = \"" << options.endpoint
            << "\"\nbackup_s3_region = \"" << options.keys.region << "\"\nbackup_s3_access_key = \""
            << options.keys.access << "\"\nbackup_s3_secret_key = \"" << secret << "\"\n"
            << key;
        // Settings of the site are not those of who restores it elsewhere.
        settings = (folder / "dunlin.toml").string();
        std::filesystem::copy_file(
            data / "dunlin.toml", settings, std::filesystem::copy_options::overwrite_existing
        );
    }
    void is_kept_and_brought_back(const std::string& here, const std::string& there) {
        ASSERT_EQ(run("account create alice --email alice@example.org --confirmed" + here).status, 0);
        const auto made = run("backup" + here);
        ASSERT_EQ(made.status, 0) << made.err;
        EXPECT_THAT(made.out, HasSubstr("Copied to " + place));
        ASSERT_EQ(run("account create bob --email bob@example.org --confirmed" + here).status, 0);
        EXPECT_EQ(run("backup" + here).status, 0);
        const auto verified = run("backup verify");
        EXPECT_EQ(verified.status, 0) << verified.err;
        EXPECT_THAT(verified.out, HasSubstr("Sound: restored as of "));
        EXPECT_THAT(run("backup list").out, HasSubstr(": sound."));
        const auto pruned = run("backup prune");
        EXPECT_EQ(pruned.status, 0) << pruned.err;
        const auto restored = run("restore " + place + there + " --config '" + settings + "'");
        EXPECT_EQ(restored.status, 0) << restored.err;
    }

    S3Server bucket;
    const std::string place = "s3://pictures/site/backup";
    std::string settings, key;
};

TEST_F(BackupInABucket, is_kept_and_brought_back_with_sqlite) {
    is_kept_and_brought_back("", " --to " + other);
    EXPECT_THAT(run("account list --data " + other).out, HasSubstr("bob"));
    EXPECT_THAT(run("doctor").out, HasSubstr("was found sound when it was tried"));
}

TEST_F(BackupInABucket, is_kept_and_brought_back_with_postgres) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase here(false), there(false);
    const auto at = [](const auto& one) { return " --database '" + one.url() + "'"; };
    is_kept_and_brought_back(at(here), at(there));
    EXPECT_THAT(run("account list" + at(there)).out, HasSubstr("bob"));
}

TEST_F(BackupInABucket, is_told_of_in_one_sentence_when_something_is_wrong_with_it) {
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed").status, 0);
    EXPECT_EQ(run("backup list").err, "There is no backup in " + place + "\n");
    EXPECT_THAT(run("config check").err, Not(HasSubstr("backup")));
    EXPECT_THAT(run("doctor").out, HasSubstr("there is no copy in " + place));
    const auto with_key = std::exchange(key, "");
    name_bucket(bucket.options().keys.secret);
    EXPECT_THAT(
        run("config check").err, HasSubstr("backup_key: who can read the bucket can read everything")
    );
    key = with_key;
    name_bucket("another");
    const std::string said =
        "backup_s3_secret_key: the secret key does not fit the access key (SignatureDoesNotMatch); copy it "
        "again, "
        "or make a new key";
    EXPECT_EQ(run("backup list").err, said + "\n");
    EXPECT_EQ(run("restore " + place + " --to " + other + " --config '" + settings + "'").err, said + "\n");
    EXPECT_THAT(run("config check").err, HasSubstr(said));
    EXPECT_THAT(run("doctor").out, HasSubstr(said));
    std::ofstream(data / "dunlin.toml") << "";
    EXPECT_THAT(
        run("restore s3://somewhere/else --to " + other).err,
        HasSubstr("The bucket somewhere needs a key; set backup_s3_access_key and backup_s3_secret_key")
    );
}

}  // namespace
