// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "cli/cli_context.hpp"
#include "cli/copying/copying.hpp"
#include "config/clock.hpp"
#include "server/backups.hpp"

namespace server {

namespace {

backup::Archive archive_in(const Config& config, const std::string& from) {
    const auto where = from.empty() ? config.backup_to : from;
    if (where.empty())
        throw Refused("Name the place of the backup with --from, or in dunlin.toml as backup_to");
    auto archive = backup_in(config, where);
    if (!archive.exists()) throw Refused("There is no backup in " + where);
    archive.manifest();
    return archive;
}

struct Made {
    std::string folder, time;
    std::uint64_t bytes = 0;
    std::int64_t media_files = 0;
};
DESCRIBE(Made, folder, time, bytes, media_files)

struct Listed {
    std::string from, to;
    std::uint64_t bytes = 0, log_bytes = 0;
};
DESCRIBE(Listed, from, to, bytes, log_bytes)

struct Pruned {
    std::int64_t copies = 0, blocks = 0, media_files = 0;
    std::uint64_t bytes = 0;
};
DESCRIBE(Pruned, copies, blocks, media_files, bytes)

struct NewKey {
    std::string key, id;
};
DESCRIBE(NewKey, key, id)

std::string megabytes(std::uint64_t bytes) {
    constexpr std::uint64_t half = 1 << 19;
    return std::to_string((bytes + half) >> 20) + " MB";
}

}  // namespace

int back_up(const Settings& settings, const std::string& to) {
    auto loaded = settings.load();
    const auto& config = loaded.config;
    const auto folder = to.empty() ? config.backup_to : to;
    if (folder.empty())
        throw Refused("Name a folder or bucket to back up to, or set backup_to in dunlin.toml");
    CliContext(config, CliContext::Missing::refuse);  // makes sure that there is a database, and migrates it
    CopyNotes notes("copied");
    const auto copy = make_copy(loaded, backup_in(config, folder), notes.progress());
    const Made made{folder, base::to_string(base::Time{copy.ms}), copy.bytes, copy.media_files};
    if (settings.json) print_json(made);
    else
        print(
            "Copied to " + folder + ": the database of " + megabytes(made.bytes) + ", and " +
            std::to_string(made.media_files) + " files of media."
        );
    return 0;
}

int list_backup(const Settings& settings, const std::string& from) {
    const auto archive = archive_in(settings.load().config, from);
    std::vector<Listed> all;
    std::vector<std::vector<std::string>> table{{"FROM", "TO", "DATABASE", "LOG"}};
    for (auto ms : archive.bases()) {
        Listed one{
            base::to_string(base::Time{ms}), base::to_string(base::Time{backup::last_point(archive, ms)})
        };
        one.bytes = archive.base(ms).bytes();
        for (const auto& log : archive.logs(ms)) one.log_bytes += log.bytes();
        table.push_back({one.from, one.to, megabytes(one.bytes), megabytes(one.log_bytes)});
        all.push_back(std::move(one));
    }
    if (settings.json) return print_json(all), 0;
    print_table(table);
    const auto last = backup::last_verified(archive);
    if (last.ms == 0) print("It was never verified; `dunlin backup verify` does it.");
    else
        print(
            "Verified at " + base::to_string(base::Time{last.ms}) +
            (last.sound ? ": sound." : ": not sound; `dunlin backup verify` says why.")
        );
    return 0;
}

int verify_backup(const Settings& settings, const std::string& from, const std::string& at) {
    auto config = settings.load().config;
    const auto archive = archive_in(config, from);
    const auto found = verify_copy(config, archive, time_given(at));
    if (settings.json) print_json(found);
    else if (found.sound)
        print(
            "Sound: restored as of " + found.restored_until + ", " + std::to_string(found.media_files) +
            " files of media are there, " + std::to_string(found.media_compared) + " were compared."
        );
    else
        for (const auto& fault : found.faults) print_note(fault);
    return found.sound ? 0 : 1;
}

int prune_backup(const Settings& settings, const std::string& from) {
    auto config = settings.load().config;
    const auto archive = archive_in(config, from);
    const auto rules = backup::parse_keep(config.backup_keep);
    if (!rules) throw ConfigError(faults_of_backup(config).front());
    const auto done = backup::prune(archive, *rules, clock_now().ms);
    if (settings.json) print_json(Pruned{done.bases, done.blocks, done.media, done.bytes});
    else print("Removed " + std::to_string(done.bases) + " copies, " + megabytes(done.bytes) + ".");
    return 0;
}

int make_backup_key(const Settings& settings) {
    const auto bytes = base::random_bytes(backup::backup_key_bytes);
    const NewKey made{base::hex(bytes), backup::key_id(bytes)};
    if (settings.json) return print_json(made), 0;
    print("backup_key = \"" + made.key + "\"");
    print_note(
        "This is the key " + made.id +
        ". Write the line into dunlin.toml, and keep it elsewhere, too: without it nobody can read the "
        "backup, you "
        "included."
    );
    return 0;
}

}  // namespace server
