// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/backups.hpp"

#include "backup/before_upgrade.hpp"
#include "backup/dump_copies.hpp"
#include "backup/neighbours.hpp"
#include "base/log.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "db/migrate.hpp"
#include "db/open.hpp"
#include "server/backup_place.hpp"
#include "social/instance/settings.hpp"
#include "social/media/copy.hpp"
#include "social/moderation/pictures/search.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>

namespace server {

namespace {

// The latest uploads may not have been copied yet when the log was.
constexpr std::int64_t copied_within_ms = 120'000;

// A full queue is no reason to leave out a file.
bool is_copy(db::Engine& engine, const std::string& name) {
    bool copy = false;
    try {
        db::read_and_wait(engine, [&](db::Read& db) { copy = media::is_copy(db, name); });
    } catch (const std::exception&) {
        return false;
    }
    return copy;
}

// On an error, an empty list: what is missing now is included the next time.
Words removed_of(const std::function<void(const std::function<void(db::Read&)>&)>& look) {
    Words out;
    try {
        look([&](db::Read& db) { out = moderation::removed_pictures(db); });
    } catch (const std::exception&) {
        return {};
    }
    return out;
}

// In the order of the migrations.
Words pending(const Config& config, const std::vector<db::Migration>& all) {
    db::Options options;
    options.sqlite_file = config.database_file();
    options.keep_log = true;
    const auto connection = db::open_connection(options, db::Mode::write);
    try {
        return db::pending_migrations(*connection, all);
    } catch (const db::MigrationError& newer) {
        const auto copy = backup::last_before_upgrade(config.data_path());
        if (copy.empty()) throw;
        throw db::MigrationError(
            std::string(newer.what()) + " " + copy.string() +
            " is the database as it was then: put it in the place of dunlin.db, with the file that ends in "
            "-wal if "
            "there is one, to go back without what was written since."
        );
    }
}

Words missing_files(const backup::Archive& archive, const std::filesystem::path& database) {
    const auto limit = (backup::end_of(archive) - copied_within_ms) << 16;
    const auto wanted = db::lines_of(
        database,
        ("SELECT m.file FROM media m JOIN accounts a ON a.id = m.account_id "
         "WHERE a.domain = '' AND m.file LIKE 'media/%' AND m.id < " +
         std::to_string(limit))
            .c_str()
    );
    const auto there = backup::read_media_list(archive);
    Words missing;
    for (const auto& file : wanted)
        if (!there.contains(file))
            missing.push_back(
                archive.where(backup::media_folder + file) + " is shown by a post and is not in the backup"
            );
    return missing;
}

}  // namespace

void keep_before_upgrade(const Config& config) {
    if (config.postgres()) return;
    backup::forget_old_upgrades(config.data_path(), clock_now());
    if (!std::filesystem::exists(config.database_file())) return;
    const auto all = db::embedded_migrations(false);
    const auto names = pending(config, all);
    if (names.empty() || names.size() == all.size()) return;
    const auto reserve = static_cast<std::uint64_t>(config.disk_reserve_mb) << 20;
    const auto kept = backup::keep_before_upgrade(config.database_file(), names.front(), reserve);
    if (kept.copy.empty())
        base::log_info("the database is upgraded without a copy of it as it was", {{"cause", kept.why_not}});
    else
        base::log_info(
            "the database as it was before the upgrade is kept for a week", {{"copy", kept.copy.string()}}
        );
}

db::Options database_of(const Config& config) {
    db::Options options;
    options.postgres_url = config.database;
    options.sqlite_file = config.database_file();
    options.keep_log = !config.backup_to.empty();
    return options;
}

backup::Source source_of(const Config& config) {
    backup::Source source;
    source.database = config.database_file();
    if (config.media_store == MediaStore::folder) source.media = config.media_path();
    source.files = {config.data_path() / "dunlin.toml"};
    source.manifest.dunlin = base::Site{}.version;
    source.manifest.engine = config.postgres() ? "postgres" : "sqlite";
    source.manifest.migration = db::embedded_migrations(false).back().name;
    source.manifest.public_url = config.public_url;
    return source;
}

std::filesystem::path known_backup(const Config& config) { return config.data_path() / "backup-folder"; }

backup::Archive backup_in(const Config& config, const std::string& where) {
    return backup::Archive(backup_place(config, where));
}

CopyMade make_copy(
    const Loaded& loaded, const backup::Archive& archive, const db::portable::Progress& progress
) {
    const auto& config = loaded.config;
    backup::be_nice();
    auto source = source_of(config);
    if (loaded.file) source.files = {*loaded.file};
    backup::mend_manifest(archive, source.manifest, known_backup(config));
    if (archive.exists()) {
        const auto there = archive.manifest();
        if (there.engine != source.manifest.engine)
            throw Refused(
                archive.where() + " holds the backup of a database of " + there.engine +
                "; name a place of its own"
            );
        // Keeps the URL in the existing manifest, which comes from the server's settings: a command may lack
        // them.
        source.manifest.public_url = there.public_url;
    }
    db::Options database;
    database.postgres_url = config.database;
    database.sqlite_file = config.database_file();
    database.keep_log = true;
    const auto connection = db::open_connection(database, db::Mode::read);
    const auto site = site_of(config);
    const db::Context context{&site, clock_now, nullptr};
    backup::MediaCopies media(
        archive,
        source.media,
        [&](const std::string& name) {
            return db::read_now(*connection, context, [&](db::Read& db) { return media::is_copy(db, name); });
        },
        [&] { return removed_of([&](const auto& f) { db::read_now(*connection, context, f); }); }
    );
    auto sweep = [&] { media.sweep(clock_now().ms, [] { return false; }); };
    archive.begin(source.manifest);
    try {  // a file deleted while the database is copied is still referenced in the copy
        sweep();
    } catch (const std::exception&) {  // reported below, once the database is safe
    }
    const auto base = config.postgres()
                          ? backup::take_dump(archive, source, database, clock_now().ms, progress)
                          : backup::take_base(archive, source, clock_now().ms);
    sweep();
    CopyMade made{base.ms, base.bytes()};
    for (const auto& [name, entry] : backup::read_media_list(archive)) made.media_files += entry.gone == 0;
    return made;
}

backup::Verified verify_copy(
    const Config& config, const backup::Archive& archive, std::optional<std::int64_t> at
) {
    backup::VerifyOptions options;
    options.at = at;
    std::error_code absent;
    // One verification per data folder at a time: another would remove the first one's restored files.
    std::optional<backup::FileLock> turn;
    if (std::filesystem::is_directory(config.data_path(), absent)) {
        options.scratch = config.data_path() / ".verify-now";
        turn.emplace(config.data_path() / ".verify-now.lock", archive.where());
    } else {
        options.scratch =
            std::filesystem::temp_directory_path() / (".verify-now-" + std::to_string(::getpid()));
    }
    options.judge = [&](const std::filesystem::path& database) {
        return judge_restored(config, archive, database);
    };
    return backup::verify(archive, options, clock_now().ms);
}

backup::KeeperOptions keeper_options(const Config& config, db::Engine& engine) {
    backup::KeeperOptions options;
    options.source = source_of(config);
    options.target = backup_place(config, config.backup_to);
    if (!options.target->grows()) {
        options.hold_back = std::chrono::seconds(3);
        options.look_every = std::chrono::minutes(5);
    }
    options.scratch = config.data_path() / ".verify";
    options.known = known_backup(config);
    options.keep = backup::parse_keep(config.backup_keep).value();
    options.base_every = std::chrono::hours(config.backup_every);
    options.verify_every = std::chrono::hours(config.backup_verify_every * 24);
    options.clock = [] { return clock_now().ms; };
    options.unwanted = [&engine](const std::string& name) { return is_copy(engine, name); };
    options.removed = [&engine] { return removed_of([&](const auto& f) { db::read_and_wait(engine, f); }); };
    options.judge = [config, archive = backup::Archive(options.target)](const std::filesystem::path& database
                    ) { return judge_restored(config, archive, database); };
    return options;
}

backup::Words judge_restored(
    const Config& config, const backup::Archive& archive, const std::filesystem::path& database
) {
    db::Options options;
    options.sqlite_file = database;
    backup::Words faults;
    try {
        auto connection = db::open_connection(options, db::Mode::write);
        db::pending_migrations(*connection, db::embedded_migrations(false));
    } catch (const std::exception& e) {
        faults.emplace_back(e.what());
    }
    if (config.media_store == MediaStore::folder)
        std::ranges::move(missing_files(archive, database), std::back_inserter(faults));
    return faults;
}

bool is_of_the_future(std::int64_t made_ms, base::Time now) {
    constexpr std::int64_t hour_ms = 3'600'000;
    return made_ms > now.ms + hour_ms;
}

Words faults_of_backup(const Config& config) {
    Words faults;
    if (!backup::parse_keep(config.backup_keep))
        faults.push_back(
            "backup_keep: \"" + config.backup_keep +
            "\" is not understood; write lengths with what stays of them, for example 2d all, 30d daily, 1y "
            "monthly"
        );
    return faults;
}

Words doubts_about_backup(const Config& config) {
    if (config.backup_to.empty()) return {};
    Words found;
    if (config.media_store == MediaStore::s3)
        found.push_back(
            "backup_to: uploaded files are in the bucket and not in this backup; have the bucket keep "
            "versions, or be copied"
        );
    if (is_bucket_place(config.backup_to) && config.backup_key.empty())
        found.push_back(
            "backup_key: who can read the bucket can read everything; for a new place make a key with "
            "`dunlin backup key`"
        );
    if (is_bucket_place(config.backup_to)) return found;
    auto disk = [](std::filesystem::path path) {
        struct stat facts{};
        while (::stat(path.c_str(), &facts) != 0 && path.has_relative_path()) path = path.parent_path();
        return facts.st_dev;
    };
    std::error_code error;
    const auto target = std::filesystem::absolute(config.backup_to, error);
    if (!config.postgres() && disk(target) == disk(std::filesystem::absolute(config.data_path(), error)))
        found.push_back(
            "backup_to: " + config.backup_to +
            " is on the same disk as data, which takes both with it when it breaks; name a folder of another "
            "one"
        );
    return found;
}

namespace {

constexpr std::string_view telling[] = {
    "deliver_feature_revoked",
    "deliver_gone",
    "deliver_moved",
    "deliver_quote_revoked",
    "deliver_reply_revoked",
    "fan_out_activity",
    "mail_alerts",
    "mail_appeal",
    "mail_appeal_decision",
    "mail_confirmation",
    "mail_digest",
    "mail_fuse",
    "mail_left_alone",
    "mail_notice",
    "mail_notice_decided",
    "mail_notice_received",
    "mail_notifications",
    "mail_password_changed",
    "mail_password_reset",
    "mail_report",
    "mail_security",
    "mail_strike",
    "mail_subscription",
    "mail_weekly_digest",
    "mail_welcome",
    "request_quote_authorization",
    "send_webhook",
    "write_profile",
    "write_status_activity",
    "write_weekly_digest",
};

std::string number(base::Time time) { return std::to_string(time.ms); }

}  // namespace

std::span<const std::string_view> telling_jobs() { return telling; }

const std::string_view mark_restore_unfinished =
    "INSERT INTO settings (name, value) VALUES ('restore_unfinished', 'true') ON CONFLICT (name) DO NOTHING";

bool is_restore_unfinished(db::Read& db) { return instance::setting(db, "restore_unfinished").has_value(); }

void finish_restore(db::Connection& connection) {
    connection.script("DELETE FROM settings WHERE name = 'restore_unfinished'");
}

// What was scheduled between `until` and `end` was done then, if the server was running; follower lists are
// compared on the next occasion (FEP-8fcf). No request waits for this, so it may take long.
void settle_after_restore(
    db::Connection& connection, base::Time until, base::Time end, base::Time now, bool revoke_tokens
) {
    std::string kinds;
    for (auto kind : telling) kinds += (kinds.empty() ? "'" : ", '") + std::string(kind) + "'";
    constexpr std::int64_t eight_days = 8 * 86'400;
    connection.begin(db::Mode::write);
    if (connection.is_postgres()) connection.script("SET LOCAL statement_timeout = 0");
    connection.script(
        "DELETE FROM deliveries; DELETE FROM planned_updates; DELETE FROM push_messages; "
        "DELETE FROM email_digests_due; DELETE FROM synchronizations;"
        "UPDATE hosts SET next_at = NULL, leased_until = 0;"
        "UPDATE notification_mails SET due_at = NULL, leased_until = 0;"
        "DELETE FROM jobs WHERE kind IN (" +
        kinds +
        ");"
        "DELETE FROM scheduled_statuses WHERE state = 'waiting' AND scheduled_at > " +
        number(until) + " AND scheduled_at <= " + number(end) +
        ";"
        "UPDATE actors SET refreshed_at = " +
        number(until.plus_seconds(-eight_days)) + " WHERE refreshed_at > " +
        number(until.plus_seconds(-eight_days)) +
        ";"
        "INSERT INTO settings (name, value) VALUES ('restored_at', '" +
        number(now) + "') ON CONFLICT (name) DO UPDATE SET value = excluded.value;"
    );
    if (revoke_tokens)
        connection.script(
            "UPDATE tokens SET revoked_at = " + number(now) +
            " WHERE revoked_at IS NULL; DELETE FROM web_sessions;"
        );
    connection.commit();
}

}  // namespace server
