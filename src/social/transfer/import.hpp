// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody brings along from elsewhere, as files of CSV (lines.hpp). A job goes through the lines, some at
// a time, and asks other servers who is meant; each does what the person could do by hand, by the same rules. What did
// not succeed is kept with the reason.
#pragma once
#include "base/ask.hpp"
#include "jobs/reactions.hpp"
#include "social/transfer/lines.hpp"

#include <optional>
#include <vector>

namespace transfer {

using base::AccountId;
using ImportId = base::Id<struct ImportTag>;

constexpr std::int64_t kept_seconds = 30 * 86'400;  // after the end

// futile: no line succeeded, so that nothing was ended either.
BOOST_DEFINE_ENUM_CLASS(ImportState, running, ended, stopped, futile)

struct Import {
    ImportId id;
    AccountId account_id;
    Kind kind = Kind::following;
    bool overwrite = false;
    ImportState state = ImportState::running;
    std::int64_t total = 0, done = 0, failed = 0;  // `failed` are among those that are done
    base::Time created_at;
    std::optional<base::Time> ended_at;
};
DESCRIBE(Import, id, account_id, kind, overwrite, state, total, done, failed, created_at, ended_at)

// Lines as they are stored, which is worked out before the writer is held.
struct Prepared {
    std::int64_t total = 0;
    std::vector<std::string> chunks;
};
Prepared prepared(const std::vector<Line>&);
// Those that failed, for another try. Throws NotFound, and Invalid: it runs still, or none did.
Prepared prepared_again(db::Read&, AccountId, ImportId);

// `overwrite`: what is there and not in the file ends, once all of it was gone through and some of it succeeded. One at a time of each kind; throws
// Invalid.
ImportId begin_import(db::Write&, AccountId, Kind, bool overwrite, const Prepared&);
// What is done stays done. Throws NotFound, also for another's.
void stop_import(db::Write&, AccountId, ImportId);
// In the place of the first one. Nothing ends with it. Throws as above.
ImportId try_again(db::Write&, AccountId, ImportId, const Prepared&);

std::vector<Import> imports_of(db::Read&, AccountId);  // newest first; some
Import import_of(db::Read&, AccountId, ImportId);      // throws NotFound
// In the order of the file.
std::vector<Line> failed_lines(db::Read&, ImportId, int most);
std::string failed_csv(db::Read&, const Import&);

// Events
struct ImportGoesOn {
    ImportId import;
    std::int64_t chunk = 0, line = 0;
};
DESCRIBE(ImportGoesOn, import, chunk, line)
// What was there with an id smaller than `below` is still to be compared.
struct OverwritingGoesOn {
    ImportId import;
    std::int64_t below = 0;
};
DESCRIBE(OverwritingGoesOn, import, below)

// Reactions
jobs::Change go_through_import(const base::Ask&, db::Read&, const ImportGoesOn&);
jobs::Change overwrite_rest(db::Read&, const OverwritingGoesOn&);

void purge_imports(db::Write&);  // periodic

// ---- how they are stored, for the reactions ----

constexpr std::size_t lines_of_chunk = 50;

std::optional<Import> find_import(db::Read&, ImportId);
std::vector<Line> chunk_of(db::Read&, ImportId, std::int64_t number);
std::vector<Line> all_lines(db::Read&, ImportId);
// Unless it has ended before. Only what failed stays of its lines.
void end_import(db::Write&, ImportId, ImportState);

// Deleted together with their account, $2 rows at a time (server/private_rows.cpp)
extern const db::Command drop_own_import_chunks;
extern const db::Command drop_own_imports;

}  // namespace transfer
