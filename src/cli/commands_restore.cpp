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

#include <algorithm>
#include <iterator>

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

std::string call_for_uploads(const Config& config, const RestoreOrder& order) {
    return "`dunlin restore " + order.from + " --uploads only --to " + config.data;
}

void refuse_present(const Config& config, const RestoreOrder& order) {
    for (const char* end : {"", "-wal"})
        if (std::filesystem::exists(config.database_file().string() + end))
            throw Refused(
                "There is a database in " + config.data +
                " already; move it away, or name an empty folder with --to: nothing is written over. If it "
                "is of a restore that broke off, " +
                call_for_uploads(config, order) + "` goes on with its media"
            );
}

// What was removed everywhere since that copy was made is removed again, by the server when it starts.
void remove_again(CliContext& cli, const backup::Words& removed) {
    if (!removed.empty()) cli.write([&](db::Write& db) { moderation::remove_again(db, removed); });
}

// What lies there already stays.
void bring_settings(
    const std::filesystem::path& aside, const std::vector<backup::Kept>& files, const Config& config
) {
    for (const auto& [name, sha256] : files)
        if (const auto to = config.data_path() / name;
            std::filesystem::exists(aside / name) && !std::filesystem::exists(to))
            std::filesystem::rename(aside / name, to);
    backup::keep_names(config.data_path());
}

// Aside first, so that a restore that broke off leaves no half of a database where a server would begin with it.
backup::Restored bring_back(const Config& config, const backup::Archive& archive, const RestoreOrder& order) {
    const auto aside = config.data_path() / ".restore";
    std::filesystem::remove_all(aside);
    backup::make_folder(aside);
    db::Options options;
    options.sqlite_file = aside / "dunlin.db";
    auto restored = backup::restore_database(archive, time_given(order.at), options.sqlite_file);
    const auto files = archive.base(restored.base).files;
    std::ranges::move(
        backup::restore_files(archive, restored.base, aside), std::back_inserter(restored.passed_over)
    );
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
    bring_settings(aside, files, config);
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
    auto restored = backup::restore_dump(archive, time_given(order.at), dump);
    // Before there is a database: a backup that is away or damaged leaves it empty, to be tried again.
    const auto removed = backup::removed_pictures(archive);
    const auto files = archive.base(restored.base).files;
    std::ranges::move(
        backup::restore_files(archive, restored.base, aside), std::back_inserter(restored.passed_over)
    );
    backup::load_dump(dump, database_of(config), {}, mark_restore_unfinished);
    auto connection = db::open_connection(database_of(config), db::Mode::write);
    settle_after_restore(*connection, {restored.until}, {restored.end}, clock_now(), order.revoke_tokens);
    if (!removed.empty()) {
        CliContext up_to_date(config, CliContext::Missing::refuse);
        remove_again(up_to_date, removed);
    }
    bring_settings(aside, files, config);
    finish_restore(*connection);
    std::filesystem::remove_all(aside);
    return restored;
}

bool is_same_folder(const std::filesystem::path& one, const std::filesystem::path& other) {
    const auto full = [](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path) / "");
    };
    return full(one) == full(other);
}

// Elsewhere than where the server of this configuration is its folder of media is not meant, unless this command names it.
Config config_of(const Settings& settings, const RestoreOrder& order) {
    const auto loaded = settings.load();
    auto config = loaded.config;
    if (!order.to.empty()) {
        if (loaded.origin("media") != "--media" && !is_same_folder(order.to, config.data))
            config.media.clear();
        config.data = order.to;
    }
    return config;
}

// A server that starts there reads the dunlin.toml that lies there now, which this command was not given.
void tell_of_settings(const Config& config, const RestoreOrder& order) {
    const auto file = config.data_path() / "dunlin.toml";
    std::string media, backup_to;
    try {
        if (!std::filesystem::exists(file)) return;
        for (const auto& setting : read_file(file)) {
            if (setting.values.size() != 1) continue;
            if (setting.name == "media") media = setting.values.front();
            if (setting.name == "backup_to") backup_to = setting.values.front();
        }
    } catch (const Mistakes& e) {
        return print_note(e.what());
    }
    const auto looks = media.empty() ? config.data_path() / "media" : std::filesystem::path(media);
    if (order.uploads != "later" && !is_same_folder(looks, config.media_path()))
        print_note(
            "The media are in " + config.media_path().string() + ", and " + file.string() +
            " says that they are in " + looks.string() +
            ": move them there, or correct the line media, before a server starts"
        );
    if (order.uploads != "only" && !backup_to.empty())
        print_note(
            "A server that starts in " + config.data + " goes on with the backup in " + backup_to +
            ", which " + file.string() + " names: take the line backup_to out first if you only want to look"
        );
}

}  // namespace

int restore(const Settings& settings, const RestoreOrder& order) {
    auto config = config_of(settings, order);
    config.backup_to.clear();  // nothing has begun yet
    constexpr int tries = 6;   // hours of it do not end for half a minute without an answer
    const backup::Archive archive(backup_place(config, order.from, tries));
    if (!archive.exists()) throw Refused("There is no backup in " + order.from);
    const auto manifest = archive.manifest();
    const bool whole = order.uploads != "only";
    if (whole && !config.postgres()) refuse_present(config, order);
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
    const auto lost = (clock_now().ms - until) / 1000;
    done.lost_seconds = std::max<std::int64_t>(0, lost);
    backup::RestoredMedia media;
    const auto others = call_for_uploads(config, order) + " --at " + done.as_of + "` copies ";
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
    tell_of_settings(config, order);
    if (settings.json) return print_json(done), 0;
    if (whole)
        print(
            "The database of " + manifest.public_url + " as of " + done.as_of + " is in " +
            (config.postgres() ? name_of(config) : config.data) + "; what came " +
            (lost < 0 ? "" : "in the " + said(lost) + " ") + "since then is not in it" +
            (lost < 0 ? " (by this machine's clock that time is still to come)." : ".")
        );
    if (order.uploads != "later")
        print(
            std::to_string(done.media_files) + " files of media were copied to " +
            config.media_path().string() + "."
        );
    else print("Without media. " + others + "them.");
    if (whole && !order.revoke_tokens)
        print("Sessions that were ended after that time live again; restore with --revoke-tokens to end all."
        );
    return 0;
}

}  // namespace server
