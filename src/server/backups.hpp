// SPDX-License-Identifier: AGPL-3.0-or-later
// What the backup needs to know about the product: what to back up, what can be left out, whether a restored
// database is usable, and what a server must not do after a restore.
#pragma once
#include "backup/keeper.hpp"
#include "config/config_load.hpp"
#include "db/connection.hpp"
#include "db/engine.hpp"
#include "db/portable/tally.hpp"

namespace server {

// The location of the data, for anything that works on it beside or instead of a server.
db::Options database_of(const Config&);
backup::Source source_of(const Config&);
backup::KeeperOptions keeper_options(const Config&, db::Engine&);
// The place in backup_to, or another one in the same notation. Throws ConfigError.
backup::Archive backup_in(const Config&, const std::string& where);
// A local file that records the folder of the backup once there is one in it.
std::filesystem::path known_backup(const Config&);

// The implementation of `dunlin backup` and `dunlin backup verify`; a server may be running.
struct CopyMade {
    std::int64_t ms = 0;
    std::uint64_t bytes = 0;
    std::int64_t media_files = 0;
};
// Throws Refused, backup::Away, and what opening the database throws.
CopyMade make_copy(const Loaded&, const backup::Archive&, const db::portable::Progress& progress = {});
backup::Verified verify_copy(const Config&, const backup::Archive&, std::optional<std::int64_t> at);

// Checks that this program can use a restored database, and that the backup contains the files it refers to.
backup::Words judge_restored(const Config&, const backup::Archive&, const std::filesystem::path& database);

// Call before a start that will upgrade the database: copies it, if that takes no time
// (backup/before_upgrade.hpp). If a newer program has already upgraded it, throws MigrationError naming the
// copy to go back to.
void keep_before_upgrade(const Config&);

// Whether a copy is dated later than now, by more than clocks of one site differ: its clock was wrong, so its
// age is unknown.
bool is_of_the_future(std::int64_t made_ms, base::Time now);

// Checks of the backup options and of the backup's place; sentences.
Words faults_of_backup(const Config&);
Words doubts_about_backup(const Config&);

// Loaded together with restored rows: no server may use them before finish_restore().
extern const std::string_view mark_restore_unfinished;
bool is_restore_unfinished(db::Read&);
void finish_restore(db::Connection&);

// Call after the migrations. Others have moved on since `until`, and so had this server up to `end`: prevents
// sending anything twice, and schedules fetching again what other servers know.
void settle_after_restore(
    db::Connection&, base::Time until, base::Time end, base::Time now, bool revoke_tokens
);
// Jobs that contact others; all other jobs can safely run again.
std::span<const std::string_view> telling_jobs();

}  // namespace server
