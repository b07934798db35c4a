// SPDX-License-Identifier: AGPL-3.0-or-later
// The real server on PostgreSQL, which keeps its backup by itself.
#include "base/json_read.hpp"
#include "server/doctor/doctor.hpp"
#include "server/serving.hpp"
#include "support/postgres_databases.hpp"
#include "support/s3_server.hpp"

namespace {

using testing::HasSubstr, testing::Not;

struct DumpKeepingServer : server_test::Serve {
    bool soon(const std::function<bool()>& f) {
        for (int tries = 0; tries < 600; ++tries, std::this_thread::sleep_for(std::chrono::milliseconds(50)))
            if (f()) return true;
        return false;
    }
    std::string found(const std::string& options) {
        for (const auto& seen : base::json::read<server::Diagnosis>(run("doctor --json " + options).out))
            if (seen.check == "backup") return std::string(base::word(seen.level)) + ": " + seen.text;
        return "nothing";
    }
};

TEST_F(DumpKeepingServer, makes_a_copy_after_its_start_and_says_how_its_backup_is) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase database(false);
    const auto kept = (folder / "kept").string();
    const auto options = " --database '" + database.url() + "' --backup-to '" + kept + "'";
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed" + options).status, 0);
    EXPECT_THAT(found(options), HasSubstr("fault: there is no copy in " + kept));
    start(options + " --metrics all");
    ASSERT_TRUE(soon([&] {
        return get("/metrics").body.find("dunlin_backup_base_timestamp_seconds 0") == std::string::npos;
    })) << contents(folder / "err");
    const auto metrics = get("/metrics").body;
    EXPECT_THAT(metrics, HasSubstr("\ndunlin_backup_base_timestamp_seconds 1"));
    EXPECT_THAT(metrics, HasSubstr("\ndunlin_backup_every_seconds 86400\n"));
    EXPECT_THAT(metrics, HasSubstr("\ndunlin_backup_away 0\n"));
    EXPECT_THAT(found(options), HasSubstr("warning: the backup was never tried"));
    EXPECT_EQ(stop(SIGTERM), 0);

    const support::PostgresDatabase there(false);
    auto restored = run("restore " + kept + " --database '" + there.url() + "'");
    EXPECT_EQ(restored.status, 0) << restored.err;
    EXPECT_THAT(run("account list --database '" + there.url() + "'").out, HasSubstr("alice"));
}

TEST_F(DumpKeepingServer, keeps_it_in_a_bucket_and_says_how_that_fares) {
    if (!support::postgres_url()) GTEST_SKIP() << "no PostgreSQL";
    const support::PostgresDatabase database(false);
    S3Server bucket;
    const std::string place = "s3://pictures/site";
    const auto keys = bucket.options().keys;
    const auto options = " --database '" + database.url() + "' --backup-to " + place +
                         " --backup-s3-endpoint " + bucket.options().endpoint + " --backup-s3-region " +
                         keys.region + " --backup-s3-access-key " + keys.access + " --backup-s3-secret-key " +
                         keys.secret;
    ASSERT_EQ(run("account create alice --email alice@example.org --confirmed" + options).status, 0);
    start(options + " --metrics all");
    ASSERT_TRUE(soon([&] {
        return get("/metrics").body.find("dunlin_backup_base_timestamp_seconds 0") == std::string::npos;
    })) << contents(folder / "err");
    EXPECT_THAT(run("backup verify" + options).out, HasSubstr("Sound: restored as of "));
    EXPECT_THAT(found(options), HasSubstr("ok: the last copy is "));
    bucket.stop();
    EXPECT_THAT(found(options), HasSubstr("fault: backup_s3_endpoint: "));
    EXPECT_EQ(stop(SIGTERM), 0);
}

}  // namespace
