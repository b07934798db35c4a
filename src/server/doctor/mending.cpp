// SPDX-License-Identifier: AGPL-3.0-or-later
// Doctor's fixes (docs/decisions/0063-doctor.md); each first checks again that the problem still exists.
#include "backup/dump_turn.hpp"
#include "base/text/figures.hpp"
#include "config/clock.hpp"
#include "config/data_directory.hpp"
#include "db/migrate.hpp"
#include "db/open.hpp"
#include "server/backups.hpp"
#include "server/doctor/parts.hpp"
#include "server/nodes/node_rows.hpp"
#include "server/tables.hpp"
#include "social/instance/settings.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <future>
#include <system_error>

namespace server {

namespace {

namespace fs = std::filesystem;

void close_folder(const Config& config) {
    if (::chmod(config.data_path().c_str(), 0700) != 0)
        throw std::system_error(errno, std::generic_category(), config.data_path().string());
    prepare_data_directory(config);  // also restricts the files
}

// The number of nodes that serve the database; 0 before the migration that introduced their table.
std::size_t running_nodes(db::Connection& connection, const db::Context& context) {
    const auto missing = db::pending_migrations(connection, db::embedded_migrations(true));
    if (std::ranges::find(missing, "0090_nodes") != missing.end()) return 0;
    return db::read_now(connection, context, nodes).size();
}

std::string take_steps(const Config& config) {
    std::optional<DataDirectoryLock> alone;
    try {
        alone.emplace(config);
    } catch (const DataDirectoryError&) {
        throw Refused("a server runs on this folder; restart it with this version, which does the same");
    }
    const auto site = site_of(config);
    jobs::Reactions reacts(reactions());
    const db::Context context{&site, clock_now, &reacts};
    if (config.postgres()) {  // for SQLite, the lock is in the folder
        const auto connection = db::open_connection(database_of(config), db::Mode::write);
        if (const auto running = running_nodes(*connection, context); running > 0)
            throw Refused(
                base::text::counted(static_cast<std::int64_t>(running), "server") +
                " of an earlier version serve this database; restart them with this one, which does the same"
            );
    }
    keep_before_upgrade(config);
    const auto connection = db::open_connection(database_of(config), db::Mode::write);
    const auto taken = db::migrate(*connection, clock_now());
    db::write_now(*connection, context, instance::ensure_keys);
    return base::text::counted(static_cast<std::int64_t>(taken.size()), "step") + " taken";
}

// With PostgreSQL another machine may keep the backup, on a disk that this machine does not have.
void require_here(const Config& config, const backup::Archive& archive) {
    if (!config.postgres() || archive.exists()) return;
    const auto connection = connection_to(config, config.database);
    const auto site = site_of(config);
    const auto turn = db::read_now(*connection, {&site, clock_now, nullptr}, backup::dump_turn);
    if (turn.made_at.ms > 0)
        throw Refused(
            "another machine keeps the backup, and " + config.backup_to + " has none " +
            (archive.target().grows() ? "here; mount its disk" : "now; see what became of it")
        );
}

// Both would write to the same folder.
void require_no_verification(const Config& config) {
    const auto aside = config.data_path() / ".verify-now";
    if (fs::exists(aside))
        throw Refused(
            "another verification is under way; if there is none, remove " + aside.string() + " with rm -r"
        );
}

// Throws the first fault if the backup is not sound.
std::string verify_own(const Config& config) {
    const auto archive = backup_in(config, config.backup_to);
    require_here(config, archive);
    require_no_verification(config);
    const auto found = verify_copy(config, archive, std::nullopt);
    if (!found.sound)
        throw Refused(
            found.faults.front() +
            (found.faults.size() > 1 ? " (and " + std::to_string(found.faults.size() - 1) + " more)" : "")
        );
    return "sound, restored as of " + found.restored_until;
}

std::string back_up_own(const Loaded& loaded) {
    const auto& config = loaded.config;
    const auto archive = backup_in(config, config.backup_to);
    const auto known = known_backup(config);
    backup::require_presence(archive, known);
    backup::mend_manifest(archive, source_of(config).manifest, known);
    backup::require_own(archive, source_of(config).manifest);
    require_here(config, archive);
    require_no_verification(config);
    // On a separate thread, which lowers its priority; what follows must not.
    const auto made = std::async(std::launch::async, [&] { return make_copy(loaded, archive); }).get();
    backup::remember(archive, known);
    return "copied " + base::text::shown_bytes(made.bytes) + " and " +
           base::text::counted(made.media_files, "uploaded file") + "; " + verify_own(config);
}

}  // namespace

std::optional<base::Time> left_over_since(const fs::path& folder) {
    constexpr std::int64_t idle_ms = std::int64_t{6} * 3'600'000;
    std::int64_t last = 0;
    auto look = [&last](const fs::path& path) {
        struct stat facts{};
        if (::lstat(path.c_str(), &facts) != 0) return;
        last = std::max(last, std::int64_t{facts.st_mtim.tv_sec} * 1000);
    };
    look(folder);
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(folder, error);
         !error && entry != fs::recursive_directory_iterator();
         entry.increment(error))
        look(entry->path());
    if (error) return std::nullopt;  // it is being removed, or belongs to another user
    if (last == 0 || last > clock_now().ms - idle_ms) return std::nullopt;
    return base::Time{last};
}

void offer_to_close_folder(const Patient& patient) {
    const auto& config = patient.config;
    patient
        .can("data", "closes " + config.data_path().string() + " to other users of this machine", [config] {
            close_folder(config);
            return std::string("closed");
        });
}

void offer_to_remove(const Patient& patient, const fs::path& leftover) {
    patient.can("data", "removes " + leftover.string(), [leftover] {
        if (!left_over_since(leftover)) throw Refused("it is in use again, or gone");
        fs::remove_all(leftover);
        return std::string("removed");
    });
}

void offer_to_take_steps(const Patient& patient, int missing) {
    patient.can(
        "database",
        "brings the database up to date, by " + base::text::counted(missing, "step") +
            ", keeping a copy of before where that takes no time",
        [config = patient.config] { return take_steps(config); }
    );
}

void offer_to_verify(const Patient& patient) {
    patient.can(
        "backup",
        "restores the backup in " + patient.config.backup_to + " aside, to see that it is sound",
        [config = patient.config] { return verify_own(config); }
    );
}

void offer_to_back_up(const Patient& patient) {
    patient.can(
        "backup",
        "makes a copy in " + patient.config.backup_to + ", and restores it aside to see that it is sound",
        [loaded = patient.loaded] { return back_up_own(loaded); }
    );
}

}  // namespace server
