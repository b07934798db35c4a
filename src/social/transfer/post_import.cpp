// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/post_import.hpp"

#include "base/crypto.hpp"
#include "db/lock.hpp"
#include "social/media/media.hpp"
#include "social/media/store_files.hpp"
#include "social/statuses/remote/imported.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/zip.hpp"

namespace transfer {

namespace fs = std::filesystem;

using base::StatusId;

namespace {

constexpr int shown = 20, posts_at_once = 20, most_failures = 200;
constexpr std::int64_t lease_seconds = 120;

}  // namespace

#define POST_IMPORTS                                                                                 \
    "SELECT id, account_id, file, state, published, total, done, failed, posts, unpacked, problem, " \
    "attempts, created_at FROM post_imports "

const db::Query<PostImport> post_imports_by_account{
    "post_imports_by_account", POST_IMPORTS "WHERE account_id = $1 ORDER BY id DESC LIMIT $2"
};
const db::Query<PostImport> post_import_by_id{"post_import_by_id", POST_IMPORTS "WHERE id = $1"};
const db::Query<PostFailure> failures_of_post_import{
    "failures_of_post_import",
    "SELECT what, problem FROM post_import_failures WHERE import_id = $1 ORDER BY number LIMIT $2"
};

std::vector<PostImport> post_imports_of(db::Read& db, AccountId account) {
    return db.all(post_imports_by_account, account, shown);
}

std::optional<PostImport> find_post_import(db::Read& db, PostImportId id) {
    return db.maybe(post_import_by_id, id);
}

std::vector<PostFailure> post_failures(db::Read& db, PostImportId id, int most) {
    return db.all(failures_of_post_import, id, most);
}

// ---- the file ----

KeepArchive::Answer keep_archive(const media::Store& store, const fs::path& from) {
    try {
        const ZipReader archive(from);
        if (!archive.folder_of("outbox.json")) return {"", "There is no outbox.json in the archive"};
    } catch (const base::Invalid& e) {
        return {"", e.what()};
    }
    const auto file = std::string(media::archives_folder) + "/in-" + base::hex(base::random_bytes(16));
    media::put_copy_of(from, file, store);
    return {file, ""};
}

// ---- its course ----

const db::Command insert_post_import{
    "insert_post_import",
    "INSERT INTO post_imports (id, account_id, file, created_at, leased_until) VALUES ($1, $2, $3, $4, $5)"
};

void require_no_post_import(db::Read& db, AccountId account) {
    for (const auto& one : post_imports_of(db, account))
        if (one.state == PostImportState::running || one.state == PostImportState::leaving)
            throw base::Invalid("Another archive is still being gone through");
}

PostImportId begin_post_import(db::Write& db, AccountId account, const std::string& file, bool leased) {
    require_no_post_import(db, account);
    const auto id = db.new_id<PostImportId>();
    const auto until = leased ? db.now().plus_seconds(lease_seconds) : base::Time{0};
    db.run(insert_post_import, id, account, file, db.now(), until);
    if (!leased) db.announce({std::string(archive_channel), {}, {}});
    return id;
}

std::optional<PostImport> running_post_import(db::Read& db, AccountId account) {
    for (auto& one : post_imports_of(db, account))
        if (one.state == PostImportState::running) return std::move(one);
    return std::nullopt;
}

const db::Command take_over_running_post_import{
    "take_over_running_post_import",
    R"(UPDATE post_imports SET leased_until = $3, leased_by = $4
       WHERE id = $1 AND state = 'running' AND leased_until <= $2)"
};

bool take_over_post_import(db::Write& db, PostImportId id) {
    const auto until = db.now().plus_seconds(lease_seconds);
    return db.run(take_over_running_post_import, id, db.now(), until, db.node()) > 0;
}

namespace {

PostImport own(db::Read& db, AccountId account, PostImportId id) {
    auto found = find_post_import(db, id);
    if (!found || found->account_id != account) throw base::NotFound();
    return *std::move(found);
}

PostImport own_ended(db::Read& db, AccountId account, PostImportId id) {
    auto found = own(db, account, id);
    if (found.state == PostImportState::running || found.state == PostImportState::leaving)
        throw base::Invalid("It is still being gone through");
    return found;
}

}  // namespace

const db::Command end_running_post_import{
    "end_running_post_import",
    R"(UPDATE post_imports SET state = $2, problem = $3, ended_at = $4, file = ''
       WHERE id = $1 AND ended_at IS NULL)"
};

void end_post_import(
    db::Write& db, const PostImport& import, PostImportState state, const std::string& problem
) {
    if (db.run(end_running_post_import, import.id, state, problem, db.now()) > 0)
        db.emit(media::FilesReleased{{import.file}});
}

void stop_post_import(db::Write& db, AccountId account, PostImportId id) {
    end_post_import(db, own(db, account, id), PostImportState::stopped);
}

// ---- what becomes of the posts ----

struct Brought {
    StatusId status_id;
    bool here_only = false;
};
DESCRIBE(Brought, status_id, here_only)

const db::Query<Brought> posts_of_import{
    "posts_of_import",
    R"(SELECT status_id, here_only FROM imported_posts
       WHERE import_id = $1 AND status_id > $2 ORDER BY status_id LIMIT $3)"
};
const db::Command mark_import_published{
    "mark_import_published", "UPDATE post_imports SET published = TRUE WHERE id = $1 AND published = FALSE"
};
const db::Command mark_import_leaving{
    "mark_import_leaving", "UPDATE post_imports SET state = 'leaving' WHERE id = $1"
};
const db::Command delete_imported_post{
    "delete_imported_post", "DELETE FROM imported_posts WHERE status_id = $1"
};
const db::Command delete_post_import{"delete_post_import", "DELETE FROM post_imports WHERE id = $1"};
const db::Command delete_post_import_failures{
    "delete_post_import_failures", "DELETE FROM post_import_failures WHERE import_id = $1"
};

void publish_post_import(db::Write& db, AccountId account, PostImportId id) {
    own_ended(db, account, id);
    if (db.run(mark_import_published, id) > 0) db.emit(PublishingGoesOn{id, {}});
}

void publish_some_posts(db::Write& db, const PublishingGoesOn& e) {
    const auto page = db.all(posts_of_import, e.import, e.after, posts_at_once);
    std::vector<StatusId> ids;
    for (const auto& one : page)
        if (!one.here_only) ids.push_back(one.status_id);
    statuses::show_elsewhere(db, ids);
    if (page.size() == posts_at_once) db.emit(PublishingGoesOn{e.import, page.back().status_id});
}

void take_back_post_import(db::Write& db, AccountId account, PostImportId id) {
    own_ended(db, account, id);
    db.run(mark_import_leaving, id);
    db.emit(TakingBackGoesOn{id});
}

void take_back_some_posts(db::Write& db, const TakingBackGoesOn& e) {
    const auto import = find_post_import(db, e.import);
    if (!import) return;
    const auto page = db.all(posts_of_import, e.import, StatusId{}, posts_at_once);
    for (const auto& one : page) {
        if (statuses::find_status(db, one.status_id))
            statuses::remove(db, import->account_id, one.status_id, true);
        db.run(delete_imported_post, one.status_id);
    }
    if (page.size() == posts_at_once) return db.emit(e);
    db.run(delete_post_import_failures, e.import);
    db.run(delete_post_import, e.import);
}

// ---- going through one ----

#define LEASING                                                                           \
    "UPDATE post_imports SET leased_until = $2, leased_by = $3, attempts = attempts + 1 " \
    "WHERE ended_at IS NULL AND id = "
#define LEASED                                                                                          \
    "RETURNING id, account_id, file, state, published, total, done, failed, posts, unpacked, problem, " \
    "attempts, created_at"

const db::Query<PostImport> lease_next_post_import{
    "lease_next_post_import",
    LEASING R"((SELECT id FROM post_imports WHERE state = 'running' AND leased_until <= $1
           ORDER BY leased_until, id LIMIT 1 FOR UPDATE SKIP LOCKED) )" LEASED
};
const db::Query<PostImport> lease_one_post_import{"lease_one_post_import", LEASING "$1 " LEASED};

std::optional<PostImport> lease_post_import(db::Write& db, PostImportId id) {
    const auto until = db.now().plus_seconds(lease_seconds);
    if (id) return db.maybe(lease_one_post_import, id, until, db.node());
    return db.maybe(lease_next_post_import, db.now(), until, db.node());
}

#define MINE "WHERE id = $1 AND attempts = $2 AND ended_at IS NULL"

const db::Command keep_post_import{"keep_post_import", "UPDATE post_imports SET leased_until = $3 " MINE};
const db::Command count_imported{
    "count_imported",
    R"(UPDATE post_imports SET done = done + $4, failed = failed + $5, posts = posts + $6, unpacked = $7, leased_until = $8 )" MINE
    " AND done = $3"
};
const db::Command set_import_total{"set_import_total", "UPDATE post_imports SET total = $3 " MINE};
// `attempts` tells whose it is, and how often it was begun without getting anywhere.
const db::Command give_post_import_back{
    "give_post_import_back",
    "UPDATE post_imports SET leased_until = $3, leased_by = '', attempts = CASE WHEN $4 THEN attempts ELSE 0 "
    "END " MINE
};
const db::Command insert_post_import_failure{
    "insert_post_import_failure",
    R"(INSERT INTO post_import_failures (import_id, number, what, problem) VALUES ($1, $2, $3, $4)
       ON CONFLICT (import_id, number) DO NOTHING)"
};

bool still_mine(db::Write& db, const PostImport& import, std::int64_t seconds) {
    return db.run(keep_post_import, import.id, import.attempts, db.now().plus_seconds(seconds)) > 0;
}

bool note_progress(db::Write& db, const PostImport& import, const Progress& more) {
    const auto until = db.now().plus_seconds(lease_seconds);
    return db.run(
               count_imported,
               import.id,
               import.attempts,
               import.done,
               more.done,
               more.failed,
               more.posts,
               import.unpacked,
               until
           ) > 0;
}

void note_total(db::Write& db, const PostImport& import, std::int64_t total) {
    db.run(set_import_total, import.id, import.attempts, total);
}

void note_failure(db::Write& db, const PostImport& import, std::int64_t number, const PostFailure& failure) {
    if (number < most_failures)
        db.run(insert_post_import_failure, import.id, number, failure.what, failure.problem);
}

void give_back(db::Write& db, const PostImport& import, std::int64_t pause_seconds, bool failed) {
    const auto until = db.now().plus_seconds(pause_seconds);
    db.run(give_post_import_back, import.id, import.attempts, until, failed);
}

const db::Command release_running_post_imports{
    "release_running_post_imports",
    "UPDATE post_imports SET leased_until = 0 WHERE state = 'running' AND " LEASED_BY("$1")
};

void release_post_imports(db::Write& db, std::string_view node) {
    db.run(release_running_post_imports, node);
    db.announce({std::string(archive_channel), {}, {}});
}

const db::Query<StatusId> imported_post_by_uri{
    "imported_post_by_uri", "SELECT status_id FROM imported_posts WHERE account_id = $1 AND uri = $2"
};
const db::Command insert_imported_post{
    "insert_imported_post",
    R"(INSERT INTO imported_posts (status_id, account_id, import_id, uri, here_only)
       VALUES ($1, $2, $3, $4, $5))"
};

std::optional<StatusId> imported_before(db::Read& db, AccountId account, const std::string& uri) {
    return db.maybe(imported_post_by_uri, account, uri);
}

void note_imported(
    db::Write& db, const PostImport& import, StatusId status, const std::string& uri, bool here_only
) {
    db.run(insert_imported_post, status, import.account_id, import.id, uri, here_only);
}

// ---- the end of an account ----

std::vector<std::string> files_of_post_imports(db::Read& db, AccountId account) {
    std::vector<std::string> out;
    for (const auto& one : post_imports_of(db, account))
        if (!one.file.empty()) out.push_back(one.file);
    return out;
}

const db::Command drop_own_imported_posts{
    "drop_own_imported_posts",
    R"(DELETE FROM imported_posts WHERE status_id IN (
           SELECT status_id FROM imported_posts WHERE account_id = $1 LIMIT $2))"
};
const db::Command drop_own_post_import_failures{
    "drop_own_post_import_failures",
    R"(DELETE FROM post_import_failures WHERE (import_id, number) IN (
           SELECT f.import_id, f.number FROM post_import_failures f JOIN post_imports i ON i.id = f.import_id
           WHERE i.account_id = $1 ORDER BY f.import_id, f.number LIMIT $2))"
};
const db::Command drop_own_post_imports{
    "drop_own_post_imports",
    "DELETE FROM post_imports WHERE id IN (SELECT id FROM post_imports WHERE account_id = $1 ORDER BY id "
    "LIMIT $2)"
};

}  // namespace transfer
