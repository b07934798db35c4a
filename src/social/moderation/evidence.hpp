// SPDX-License-Identifier: AGPL-3.0-or-later
// Copies of reported content, which survive the deletion of posts or accounts: all versions of the posts,
// their media, and the account's names. They are kept while a report is open and some time beyond, and only
// moderators see them.
#pragma once
#include "social/moderation/report.hpp"

#include <map>

namespace moderation {

constexpr std::int64_t evidence_kept_seconds = 30 * 86'400, legal_evidence_kept_seconds = 180 * 86'400;

struct EvidenceMedia {
    base::MediaId id;
    std::string type, mime, description;
    std::string file;  // a remote URL, or a path below data/media that media::kept_as() keeps
};
DESCRIBE(EvidenceMedia, id, type, mime, description, file)
struct EvidenceWords {
    std::string spoiler_text, text, content;  // content: HTML
    bool sensitive = false;
    std::vector<std::string> poll_options;
    std::vector<EvidenceMedia> media;
    // As the post was when this version was copied.
    std::string visibility, language, uri, url;
    Time created_at;
};
DESCRIBE(
    EvidenceWords, spoiler_text, text, content, sensitive, poll_options, media, visibility, language, uri,
    url, created_at
)
struct EvidenceField {
    std::string name, value;
};
DESCRIBE(EvidenceField, name, value)
struct EvidenceCollection {
    CollectionId id;
    std::string name, description, uri;
};
DESCRIBE(EvidenceCollection, id, name, description, uri)
struct EvidenceTarget {
    std::string username, domain, display_name, note, uri, url;
    std::vector<EvidenceField> fields;
    std::vector<EvidenceCollection> collections;  // those that were reported
};
DESCRIBE(EvidenceTarget, username, domain, display_name, note, uri, url, fields, collections)

struct EvidenceVersion {
    StatusId status;
    AccountId account;
    Time written_at;
    EvidenceWords words;
};
struct Evidence {
    std::optional<EvidenceTarget> target;
    std::vector<EvidenceVersion> versions;  // by post, the oldest version first
};
// For moderators. Empty where it was purged.
Evidence evidence(db::Read&, ReportId);
std::map<ReportId, std::vector<EvidenceVersion>> versions_of(db::Read&, const std::vector<ReportId>&);

// Called when the report is made.
void keep_evidence(db::Write&, ReportId, AccountId target, const std::vector<StatusId>&, const std::vector<CollectionId>&);

// Reactions. A reported post was edited.
void keep_edited(db::Write&, const statuses::Edited&);
struct EvidenceFilesKept {
    std::vector<std::string> files;
};
DESCRIBE(EvidenceFilesKept, files)
struct EvidenceFilesReleased {
    std::vector<std::string> files;
};
DESCRIBE(EvidenceFilesReleased, files)
void keep_evidence_files(const base::Ask&, db::Read&, const EvidenceFilesKept&);
void forget_evidence_files(const base::Ask&, db::Read&, const EvidenceFilesReleased&);

// Periodic: deletes evidence of reports closed long enough ago, some at a time.
void purge_evidence(db::Write&);

}  // namespace moderation
