// SPDX-License-Identifier: AGPL-3.0-or-later
#include "backup/dump_copies.hpp"
#include "backup/media_copies.hpp"
#include "cli/cli_context.hpp"
#include "cli/copying/copying.hpp"
#include "config/clock.hpp"
#include "config/data_directory.hpp"
#include "server/backup_place.hpp"
#include "server/backups.hpp"
#include "social/moderation/pictures/search.hpp"

namespace server {

namespace {

struct Done {
    std::string folder, as_of, copy;
    std::int64_t lost_seconds = 0, media_files = 0;
};
DESCRIBE(Done, folder, as_of, copy, lost_seconds, media_files)

std::string said(std::int64_t seconds) {
    if (seconds < 120) return std::to_string(seconds) + " seconds";
    if (seconds < 7200) return std::to_string(seconds / 60) + " minutes";
    return std::to_string(seconds / 3600) + " hours";
}

void refuse_present(const Config& config) {
    for (const char* end : {"", "-wal"})
        if (std::filesystem::exists(config.database_file().string() + end))
            throw Refused(
                "There is a database in " + config.data +
                " already; move it away, or name an empty folder with --to: nothing is written over"
            );
}

// What was removed everywhere since that copy was made is removed again, by the server when it starts.
void remove_again(CliContext& cli, const backup::Words& removed) {
    if (!removed.empty()) cli.write([&](db::Write& db) { moderation::remove_again(db, removed); });
}

// Aside first, so that a restore that broke off leaves no half of a database where a server would begin with it.
backup::Restored bring_back(const Config& config, const backup::Archive& archive, const RestoreOrder& order) {
    const auto aside = config.data_path() / ".restore";
    std::filesystem::remove_all(aside);
    backup::make_folder(aside);
    db::Options options;
    options.sqlite_file = aside / "dunlin.db";
    auto restored = backup::restore_database(archive, time_given(order.at), options.sqlite_file);
    {
        Config there = config;
        there.data = aside.string();
        CliContext up_to_date(there, CliContext::Missing::refuse, CliContext::Before::is_elsewhere);
        auto connection = db::open_connection(options, db::Mode::write);
        settle_after_restore(*connection, {restored.until}, {restored.end}, clock_now(), order.revoke_tokens);
        remove_again(up_to_date, backup::removed_pictures(archive));
    }
    for (const char* end : {"-wal", ""}) {
        const auto from = options.sqlite_file.string() + end;
        if (std::filesystem::exists(from))
            std::filesystem::rename(from, config.database_file().string() + end);
    }
    backup::restore_files(archive, restored.base, config.data_path());
    std::filesystem::remove_all(aside);
    return restored;
}

// Into an empty database of PostgreSQL.
backup::Restored bring_back_postgres(
    const Config& config, const backup::Archive& archive, const RestoreOrder& order
) {
    const auto aside = config.data_path() / ".restore";
    std::filesystem::remove_all(aside);
    backup::make_folder(aside);
    const auto dump = aside / "dunlin.dump";
    const auto restored = backup::restore_dump(archive, time_given(order.at), dump);
    // Before there is a database: a backup that is away or damaged leaves it empty, to be tried again.
    const auto removed = backup::removed_pictures(archive);
    const auto files = archive.base(restored.base).files;
    backup::restore_files(archive, restored.base, aside);
    backup::load_dump(dump, database_of(config), {}, mark_restore_unfinished);
    auto connection = db::open_connection(database_of(config), db::Mode::write);
    settle_after_restore(*connection, {restored.until}, {restored.end}, clock_now(), order.revoke_tokens);
    if (!removed.empty()) {
        CliContext up_to_date(config, CliContext::Missing::refuse);
        remove_again(up_to_date, removed);
    }
    for (const auto& [name, sha256] : files)
        if (const auto to = config.data_path() / name; !std::filesystem::exists(to))
            std::filesystem::rename(aside / name, to);
    backup::keep_names(config.data_path());
    finish_restore(*connection);
    std::filesystem::remove_all(aside);
    return restored;
}

}  // namespace

int restore(const Settings& settings, const RestoreOrder& order) {
    auto config = settings.load().config;
    if (!order.to.empty()) config.data = order.to;
    config.backup_to.clear();  // nothing has begun yet
    constexpr int tries = 6;   // hours of it do not end for half a minute without an answer
    const backup::Archive archive(backup_place(config, order.from, tries));
    if (!archive.exists()) throw Refused("There is no backup in " + order.from);
    const auto manifest = archive.manifest();
    const bool whole = order.uploads != "only";
    if (whole && !config.postgres()) refuse_present(config);
    prepare_data_directory(config);
    std::optional<DataDirectoryLock> lock;
    if (whole && !config.postgres()) lock.emplace(config);  // uploads are only added, beside a server as well
    Done done{config.data};
    std::int64_t until = time_given(order.at).value_or(backup::end_of(archive));
    if (whole) {
        const auto restored = config.postgres() ? bring_back_postgres(config, archive, order)
                                                : bring_back(config, archive, order);
        for (const auto& fault : restored.passed_over) print_note("Not used: " + fault);
        until = restored.until;
        done.copy = base::to_string(base::Time{restored.base});
    }
    done.as_of = base::to_string(base::Time{until});
    done.lost_seconds = (clock_now().ms - until) / 1000;
    backup::RestoredMedia media;
    const auto others = "`dunlin restore " + order.from + " --uploads only --to " + config.data + " --at " +
                        done.as_of + "` copies ";
    try {
        if (order.uploads != "later") media = backup::restore_media(archive, until, config.media_path());
    } catch (const std::exception& e) {
        if (!whole) throw;
        throw Refused(
            std::string(e.what()) + ". The database as of " + done.as_of +
            " is in its place, not all media are: " + others + "the others"
        );
    }
    for (const auto& fault : media.faults) print_note(fault);
    done.media_files = media.files;
    if (settings.json) return print_json(done), 0;
    if (whole)
        print(
            "The database of " + manifest.public_url + " as of " + done.as_of + " is in " +
            (config.postgres() ? name_of(config) : config.data) + "; what came in the " +
            said(done.lost_seconds) + " since then is not in it."
        );
    if (order.uploads != "later") print(std::to_string(done.media_files) + " files of media were copied.");
    else print("Without media. " + others + "them.");
    if (whole && !order.revoke_tokens)
        print("Sessions that were ended after that time live again; restore with --revoke-tokens to end all."
        );
    return 0;
}

}  // namespace server
