// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures that are on a list: their files are stored where no URL leads, until the team has decided.
// moderation/pictures decides and logs.
#pragma once
#include "base/page.hpp"
#include "social/media/hashes/known.hpp"
#include "social/media/media.hpp"

namespace media {

using QuarantineId = base::Id<struct QuarantineTag>;
using ReportId = base::Id<struct QuarantineReportTag>;  // moderation::ReportId is defined in a layer above
BOOST_DEFINE_ENUM_CLASS(QuarantineState, held, released, destroyed)

struct Quarantined {
    QuarantineId id;
    std::string file, files;  // files: JSON, their former names
    std::string sha256;       // of the original bytes
    HashListId list_id;
    std::string list_name;
    std::optional<std::int64_t> distance;
    AccountId account_id;
    MediaId media_id;
    StatusId status_id;
    ReportId report_id;
    QuarantineState state = QuarantineState::held;
    base::Time created_at;
    std::optional<base::Time> decided_at;
    AccountId decided_by;
};
DESCRIBE(
    Quarantined, id, file, files, sha256, list_id, list_name, distance, account_id, media_id, status_id,
    report_id, state, created_at, decided_at, decided_by
)

std::vector<Quarantined> quarantined(db::Read&, const base::Range&, QuarantineState);  // newest first
std::optional<Quarantined> find_quarantined(db::Read&, QuarantineId);
std::optional<Quarantined> quarantined_file(db::Read&, std::string_view file);  // the latest one

// ---- coming in ----

struct Whose {
    AccountId account;
    MediaId media;
    StatusId status;
};

// Event: its owner or the post that shows it is known now.
struct PictureQuarantined {
    QuarantineId id;
};
DESCRIBE(PictureQuarantined, id)

struct Found {
    std::string file, sha256;
    std::vector<std::string> files;
};
void put_into_quarantine(db::Write&, const Found&, const KnownPicture&, const Whose&);
// The lists that matched this file before the team released it: they are waived for it.
std::vector<HashListId> released_from(db::Read&, std::string_view sha256);
// Does nothing unless the file is in quarantine.
void tell_whose(db::Write&, std::string_view file, const Whose&);
void tell_where_shown(db::Write&, StatusId, const std::vector<MediaId>&);

// Whether one of these is in quarantine, or was destroyed there.
bool any_quarantined(db::Read&, const std::vector<MediaId>&);
bool any_quarantined(db::Read&, const std::vector<std::string>& urls);  // remote ones, by their copies

// Throws Invalid, like attach(), if an edit would add one of these that is quarantined to the status.
void require_not_quarantined(db::Read&, StatusId, const std::vector<MediaId>&);

// ---- going out ----

void note_report(db::Write&, QuarantineId, ReportId);
void decide(db::Write&, QuarantineId, QuarantineState, AccountId by);

// ---- the files ----

// The name of the file in quarantine: unpredictable without the key.
std::string quarantined_as(std::string_view key, std::string_view file);
Quarantine moving(std::string_view key, const std::vector<std::string>& files, bool in);
std::vector<std::string> files_of(const Quarantined&);
// All nodes drop the copies that they made for the team.
void forget_shown(db::Write&, const std::vector<std::string>& names);

}  // namespace media
