// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/evidence.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/collections/remote.hpp"
#include "social/instance/remote_file.hpp"
#include "social/media/media_use.hpp"
#include "social/media/store.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/writing/edit.hpp"

#include <algorithm>

namespace moderation {

// ---- copying ----

namespace {

// A post as its row has it, deleted or not.
struct PostRow {
    StatusId id;
    AccountId account_id;
    std::string visibility, language, uri, url, spoiler_text, text, content;
    bool sensitive = false;
    Time created_at;
    std::optional<Time> edited_at;
};
DESCRIBE(
    PostRow, id, account_id, visibility, language, uri, url, spoiler_text, text, content, sensitive,
    created_at, edited_at
)

}  // namespace

// statuses belongs to the slice of that name.
#define POSTS                                                                                           \
    "SELECT id, account_id, visibility, COALESCE(language, '') AS language, COALESCE(uri, '') AS uri, " \
    "COALESCE(url, '') AS url, spoiler_text, text, content, sensitive, created_at, edited_at FROM statuses "

const db::Query<PostRow> reported_posts{"reported_posts", POSTS "WHERE id IN LIST($1) ORDER BY id"};
const db::Command insert_report_status{
    "insert_report_status",
    "INSERT INTO report_statuses (report_id, status_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
const db::Command insert_evidence{
    "insert_evidence",
    R"(INSERT INTO evidence (status_id, written_at, account_id, words) VALUES ($1, $2, $3, $4)
       ON CONFLICT (status_id, written_at) DO NOTHING)"
};
const db::Command insert_evidence_file{
    "insert_evidence_file",
    "INSERT INTO evidence_files (file, status_id) VALUES ($1, $2) ON CONFLICT (file, status_id) DO NOTHING"
};
const db::Command set_report_target{"set_report_target", "UPDATE reports SET target = $2 WHERE id = $1"};

namespace {

// What it says and has said; of a deleted one that was never edited its row alone tells.
std::vector<statuses::Snapshot> versions_of(db::Read& db, const PostRow& post) {
    try {
        return statuses::history(db, post.id);
    } catch (const base::NotFound&) {
        statuses::Snapshot only{
            post.created_at, post.sensitive, post.spoiler_text, post.text, post.content, {}, {}
        };
        for (const auto& m : media::of_statuses(db, {post.id}))
            only.media.push_back({m.id, m.description.value_or("")});
        if (auto poll = statuses::find_poll(db, post.id))
            for (const auto& option : poll->options) only.poll_options.push_back(option.title);
        return {only};
    }
}

EvidenceWords words_of(
    const PostRow& post, const statuses::Snapshot& version, const std::vector<media::Media>& known
) {
    EvidenceWords out{
        version.spoiler_text,
        version.text,
        version.content,
        version.sensitive,
        version.poll_options,
        {},
        post.visibility,
        post.language,
        post.uri,
        post.url,
        post.created_at
    };
    for (const auto& shown : version.media) {
        auto m = std::ranges::find(known, shown.id, &media::Media::id);
        EvidenceMedia one{shown.id, {}, {}, shown.description, {}};
        if (m != known.end()) {
            one.type = base::word(m->type);
            one.mime = m->mime;
            one.file = m->file;
        }
        out.media.push_back(std::move(one));
    }
    return out;
}

void copy_posts(db::Write& db, const std::vector<StatusId>& ids) {
    EvidenceFilesKept kept;
    for (const auto& post : db.all(reported_posts, ids)) {
        auto versions = versions_of(db, post);
        std::vector<base::MediaId> shown;
        for (const auto& version : versions)
            for (const auto& m : version.media) shown.push_back(m.id);
        auto known = media::by_ids(db, shown);
        for (const auto& m : known) {
            if (m.file.empty() || instance::is_elsewhere(m.file)) continue;
            db.run(insert_evidence_file, m.file, post.id);
            kept.files.push_back(m.file);
        }
        for (const auto& version : versions)
            db.run(
                insert_evidence,
                post.id,
                version.created_at,
                post.account_id,
                base::json::to_string(words_of(post, version, known))
            );
    }
    if (!kept.files.empty()) db.emit(kept);
}

}  // namespace

void keep_evidence(
    db::Write& db, ReportId report, AccountId target, const std::vector<StatusId>& ids,
    const std::vector<CollectionId>& reported_collections
) {
    auto account = accounts::account(db, target);
    EvidenceTarget who{
        account.username,
        account.domain,
        account.display_name,
        account.local() ? account.note : account.note_html,
        accounts::uri_of(db.site(), account),
        accounts::url_of(db.site(), account),
        {}
    };
    for (const auto& field : accounts::fields_of(account))
        who.fields.push_back({field.name, field.value_html});
    for (const auto& c : collections::collections(db, reported_collections))
        who.collections.push_back(
            {c.id, c.name, c.description.value_or(""), collections::uri_of(db.site(), c)}
        );
    db.run(set_report_target, report, base::json::to_string(who));
    for (auto id : ids) db.run(insert_report_status, report, id);
    if (!ids.empty()) copy_posts(db, ids);
}

const db::Query<bool> is_reported{
    "is_reported", "SELECT EXISTS (SELECT 1 FROM report_statuses WHERE status_id = $1)"
};

void keep_edited(db::Write& db, const statuses::Edited& e) {
    if (db.one(is_reported, e.id)) copy_posts(db, {e.id});
}

void keep_evidence_files(const base::Ask& ask, db::Read&, const EvidenceFilesKept& e) {
    ask(media::KeepFiles{e.files});
}

void forget_evidence_files(const base::Ask& ask, db::Read&, const EvidenceFilesReleased& e) {
    ask(media::ForgetKept{e.files});
}

// ---- reading ----

namespace {

struct EvidenceRow {
    ReportId report_id;
    StatusId status_id;
    AccountId account_id;
    Time written_at;
    std::string words;
};
DESCRIBE(EvidenceRow, report_id, status_id, account_id, written_at, words)

}  // namespace

const db::Query<EvidenceRow> evidence_of_reports{
    "evidence_of_reports",
    R"(SELECT r.report_id, e.status_id, e.account_id, e.written_at, e.words FROM report_statuses r
       JOIN evidence e ON e.status_id = r.status_id WHERE r.report_id IN LIST($1)
       ORDER BY r.report_id, e.status_id, e.written_at)"
};
const db::Query<std::string> target_of_report{"target_of_report", "SELECT target FROM reports WHERE id = $1"};

std::map<ReportId, std::vector<EvidenceVersion>> versions_of(
    db::Read& db, const std::vector<ReportId>& reports
) {
    std::map<ReportId, std::vector<EvidenceVersion>> out;
    if (reports.empty()) return out;
    for (const auto& row : db.all(evidence_of_reports, reports))
        out[row.report_id].push_back(
            {row.status_id, row.account_id, row.written_at, base::json::read<EvidenceWords>(row.words)}
        );
    return out;
}

Evidence evidence(db::Read& db, ReportId report) {
    Evidence out;
    auto target = db.one(target_of_report, report);
    if (!target.empty()) out.target = base::json::read<EvidenceTarget>(target);
    out.versions = std::move(versions_of(db, {report})[report]);
    return out;
}

// ---- forgetting ----

const db::Query<ReportId> reports_closed_before{
    "reports_closed_before",
    R"(SELECT id FROM reports WHERE action_taken_at IS NOT NULL AND target <> '' AND action_taken_at < $1
           AND (category <> 'legal' OR action_taken_at < $2) ORDER BY action_taken_at LIMIT 20)"
};
const db::Query<StatusId> delete_report_statuses{
    "delete_report_statuses", "DELETE FROM report_statuses WHERE report_id = $1 RETURNING status_id"
};
const db::Command delete_evidence{"delete_evidence", "DELETE FROM evidence WHERE status_id = $1"};
const db::Query<std::string> delete_evidence_files{
    "delete_evidence_files", "DELETE FROM evidence_files WHERE status_id = $1 RETURNING file"
};
const db::Query<bool> file_is_evidence{
    "file_is_evidence", "SELECT EXISTS (SELECT 1 FROM evidence_files WHERE file = $1)"
};

void purge_evidence(db::Write& db) {
    auto now = db.now();
    auto closed = db.all(
        reports_closed_before,
        now.plus_seconds(-evidence_kept_seconds),
        now.plus_seconds(-legal_evidence_kept_seconds)
    );
    EvidenceFilesReleased left;
    for (auto report : closed) {
        db.run(set_report_target, report, "");
        for (auto status : db.all(delete_report_statuses, report)) {
            if (db.one(is_reported, status)) continue;  // by another report, too
            db.run(delete_evidence, status);
            for (auto& file : db.all(delete_evidence_files, status))
                if (!db.one(file_is_evidence, file)) left.files.push_back(std::move(file));
        }
    }
    if (!left.files.empty()) db.emit(left);
}

}  // namespace moderation
