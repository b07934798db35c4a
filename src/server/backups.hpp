// SPDX-License-Identifier: AGPL-3.0-or-later
// What the backup has to know of the product: what there is to keep, what is not worth it, whether a restored database is
// one, and what a server must not do after it was restored.
#pragma once
#include "backup/keeper.hpp"
#include "config/config_load.hpp"
#include "db/connection.hpp"
#include "db/engine.hpp"
#include "db/portable/tally.hpp"

namespace server {

// Where the data is, for who works on it beside or instead of a server.
db::Options database_of(const Config&);
backup::Source source_of(const Config&);
backup::KeeperOptions keeper_options(const Config&, db::Engine&);
// Where backup_to says, or another place that is written like it. Throws ConfigError.
backup::Archive backup_in(const Config&, const std::string& where);
// A file that names the folder of the backup once there is one in it.
std::filesystem::path known_backup(const Config&);

// What `dunlin backup` and `dunlin backup verify` do, beside a server that may run.
struct CopyMade {
    std::int64_t ms = 0;
    std::uint64_t bytes = 0;
    std::int64_t media_files = 0;
};
// Throws Refused, backup::Away and what opening the database throws.
CopyMade make_copy(const Loaded&, const backup::Archive&, const db::portable::Progress& progress = {});
backup::Verified verify_copy(const Config&, const backup::Archive&, std::optional<std::int64_t> at);

// Of a restored database: that this program can go on with it, and that the backup has the files it shows.
backup::Words judge_restored(const Config&, const backup::Archive&, const std::filesystem::path& database);

// Before a start that is going to upgrade the database: a copy of it, if that takes no time (backup/before_upgrade.hpp).
// Throws MigrationError, with the copy to go back to, when a newer program has upgraded it already.
void keep_before_upgrade(const Config&);

// Whether a copy is dated after now, by more than clocks of one site differ: its clock was wrong, and how old it is cannot be
// known.
bool is_of_the_future(std::int64_t made_ms, base::Time now);

// The options of the backup, and whether its place can be one; sentences.
Words faults_of_backup(const Config&);
Words doubts_about_backup(const Config&);

// With the rows that a restore loads: nobody may serve from them before finish_restore().
extern const std::string_view mark_restore_unfinished;
bool is_restore_unfinished(db::Read&);
void finish_restore(db::Connection&);

// After it was brought up to date. The world has gone on since `until`, and this server did up to `end`: nothing is sent
// once more, what others know is asked for anew.
void settle_after_restore(
    db::Connection&, base::Time until, base::Time end, base::Time now, bool revoke_tokens
);
// Jobs that tell somebody outside; all others do no harm when they run once more.
std::span<const std::string_view> telling_jobs();

}  // namespace server
