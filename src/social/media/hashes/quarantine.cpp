// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/hashes/quarantine.hpp"

#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "social/media/media_jobs.hpp"
#include "social/media/store_files.hpp"

#include <algorithm>

namespace media {

#define QUARANTINE                                                                                    \
    "SELECT id, file, files, sha256, list_id, list_name, distance, account_id, media_id, status_id, " \
    "report_id, state, created_at, decided_at, decided_by FROM quarantine "

const db::Query<Quarantined> quarantine_down{
    "quarantine_down", QUARANTINE "WHERE state = $4 AND id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<Quarantined> quarantine_up{
    "quarantine_up", QUARANTINE "WHERE state = $4 AND id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<Quarantined> quarantined_by_id{"quarantined_by_id", QUARANTINE "WHERE id = $1"};
const db::Query<Quarantined> quarantined_by_file{
    "quarantined_by_file", QUARANTINE "WHERE file = $1 ORDER BY id DESC LIMIT 1"
};
// The first finder may not have known all files of the picture.
const db::Query<QuarantineId> insert_quarantined{
    "insert_quarantined",
    R"(INSERT INTO quarantine (id, file, files, sha256, list_id, list_name, distance, account_id, media_id, status_id,
           report_id, state, created_at, decided_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 'held', $11, 0)
       ON CONFLICT (file) WHERE state = 'held' DO UPDATE SET files = excluded.files
           WHERE length(excluded.files) > length(quarantine.files)
       RETURNING id)"
};
const db::Query<HashListId> released_from_lists{
    "released_from_lists", "SELECT DISTINCT list_id FROM quarantine WHERE sha256 = $1 AND state = 'released'"
};
const db::Query<QuarantineId> note_whose{
    "note_whose",
    R"(UPDATE quarantine SET account_id = $2, media_id = $3, status_id = $4 WHERE file = $1 AND account_id = 0
       RETURNING id)"
};
const db::Query<QuarantineId> note_where_shown{
    "note_where_shown",
    "UPDATE quarantine SET status_id = $1 WHERE media_id IN LIST($2) AND media_id <> 0 AND status_id = 0 "
    "RETURNING id"
};
const db::Query<bool> media_are_quarantined{
    "media_are_quarantined",
    "SELECT EXISTS (SELECT 1 FROM quarantine WHERE media_id IN LIST($1) AND media_id <> 0 AND state <> "
    "'released')"
};
const db::Query<bool> copies_are_quarantined{
    "copies_are_quarantined",
    R"(SELECT EXISTS (SELECT 1 FROM remote_files r JOIN quarantine q ON q.file = r.file
       WHERE r.url IN LIST($1) AND r.file <> '' AND q.state <> 'released'))"
};
const db::Command set_quarantine_report{
    "set_quarantine_report", "UPDATE quarantine SET report_id = $2 WHERE id = $1"
};
const db::Command decide_quarantined{
    "decide_quarantined", "UPDATE quarantine SET state = $2, decided_at = $3, decided_by = $4 WHERE id = $1"
};

namespace {

bool is_any_list(db::Read& db) { return !hash_lists_version(db).empty(); }

}  // namespace

std::vector<Quarantined> quarantined(db::Read& db, const base::Range& r, QuarantineState state) {
    auto found = db.all(r.ascending ? quarantine_up : quarantine_down, r.below, r.above, r.limit, state);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

std::optional<Quarantined> find_quarantined(db::Read& db, QuarantineId id) {
    return db.maybe(quarantined_by_id, id);
}

std::optional<Quarantined> quarantined_file(db::Read& db, std::string_view file) {
    return db.maybe(quarantined_by_file, file);
}

void put_into_quarantine(db::Write& db, const Found& found, const KnownPicture& known, const Whose& whose) {
    announce_gone(db, found.files);
    std::optional<std::int64_t> distance;
    if (known.distance) distance = *known.distance;
    const auto made = db.maybe(
        insert_quarantined,
        db.new_id<QuarantineId>(),
        found.file,
        base::json::to_string(found.files),
        found.sha256,
        known.list.id,
        known.list.name,
        distance,
        whose.account,
        whose.media,
        whose.status,
        db.now()
    );
    if (made && whose.account) db.emit(PictureQuarantined{*made});
}

std::vector<HashListId> released_from(db::Read& db, std::string_view sha256) {
    return sha256.empty() ? std::vector<HashListId>{} : db.all(released_from_lists, sha256);
}

void tell_whose(db::Write& db, std::string_view file, const Whose& whose) {
    if (!whose.account || !is_any_list(db)) return;
    for (const auto id : db.all(note_whose, file, whose.account, whose.media, whose.status))
        db.emit(PictureQuarantined{id});
}

void tell_where_shown(db::Write& db, StatusId status, const std::vector<MediaId>& media) {
    if (media.empty() || !is_any_list(db)) return;
    for (const auto id : db.all(note_where_shown, status, media)) db.emit(PictureQuarantined{id});
}

bool any_quarantined(db::Read& db, const std::vector<MediaId>& media) {
    return !media.empty() && is_any_list(db) && db.one(media_are_quarantined, media);
}

bool any_quarantined(db::Read& db, const std::vector<std::string>& urls) {
    return !urls.empty() && is_any_list(db) && db.one(copies_are_quarantined, urls);
}

void note_report(db::Write& db, QuarantineId id, ReportId report) {
    db.run(set_quarantine_report, id, report);
}

void decide(db::Write& db, QuarantineId id, QuarantineState state, AccountId by) {
    db.run(decide_quarantined, id, state, std::optional(db.now()), by);
}

std::string quarantined_as(std::string_view key, std::string_view file) {
    const auto dot = file.rfind('.');
    const auto end = dot == file.npos ? std::string_view() : file.substr(dot);
    return base::hex(base::hmac_sha256(key, file)).substr(0, 32) + std::string(end);
}

Quarantine moving(std::string_view key, const std::vector<std::string>& files, bool in) {
    Quarantine out{files, {}, in};
    for (const auto& file : files) out.names.push_back(quarantined_as(key, file));
    return out;
}

void forget_shown(db::Write& db, const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (const auto& name : names) files.push_back(std::string(quarantine_folder) + "/" + name);
    announce_gone(db, files);
}

std::vector<std::string> files_of(const Quarantined& one) {
    return base::json::read<std::vector<std::string>>(one.files);
}

}  // namespace media
