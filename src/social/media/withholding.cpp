// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/withholding.hpp"

#include "social/instance/remote_file.hpp"
#include "social/media/copy.hpp"
#include "social/media/media.hpp"

#include <algorithm>

namespace media {

namespace {

constexpr std::int64_t chunk = 500;

struct Pictures {
    bool suspended = false;
    std::string avatar, avatar_static, header, header_static;
};
DESCRIBE(Pictures, suspended, avatar, avatar_static, header, header_static)

struct FilesOfStatus {
    base::StatusId status;
    std::string file, preview;
    std::optional<std::string> thumbnail;
};
DESCRIBE(FilesOfStatus, status, file, preview, thumbnail)

}  // namespace

// The tables accounts and statuses belong to other subjects.
const db::Query<Pictures> pictures_to_withhold{
    "pictures_to_withhold",
    R"(SELECT suspended_at IS NOT NULL AS suspended, avatar, avatar_static, header, header_static
       FROM accounts WHERE id = $1)"
};
const db::Query<FilesOfStatus> loose_files_of{
    "loose_files_of",
    R"(SELECT 0 AS status, file, preview, thumbnail FROM media WHERE status_id IS NULL AND account_id = $1)"
};
const db::Query<FilesOfStatus> some_files_of{
    "some_files_of",
    R"(SELECT s.id AS status, m.file, m.preview, m.thumbnail FROM statuses s JOIN media m ON m.status_id = s.id
       WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.id > $2 ORDER BY s.id LIMIT $3)"
};
const db::Query<FilesOfStatus> some_deleted_files_of{
    "some_deleted_files_of",
    R"(SELECT s.id AS status, m.file, m.preview, m.thumbnail FROM statuses s JOIN media m ON m.status_id = s.id
       WHERE s.account_id = $1 AND s.deleted_at IS NOT NULL AND s.id > $2 ORDER BY s.id LIMIT $3)"
};
const db::Query<std::string> urls_with_copies{
    "urls_with_copies", "SELECT url FROM remote_files WHERE file <> '' AND url IN LIST($1) ORDER BY url"
};

namespace {

// The work of one turn, and what is left for the next.
struct Turn {
    std::vector<std::string> withhold, restore, urls;
    SuspensionsChanged left;
};

void add(Turn& turn, bool suspended, const std::string& file) {
    if (file.empty()) return;
    if (!instance::is_elsewhere(file)) (suspended ? turn.withhold : turn.restore).push_back(file);
    else if (suspended) turn.urls.push_back(file);
}

void add(Turn& turn, bool suspended, const std::vector<FilesOfStatus>& rows) {
    for (const auto& row : rows) {
        add(turn, suspended, row.file);
        add(turn, suspended, row.preview);
        if (row.thumbnail) add(turn, suspended, *row.thumbnail);
    }
}

void add_pictures(db::Read& db, Turn& turn, const Pictures& account, base::AccountId id) {
    for (const auto* file :
         {&account.avatar, &account.avatar_static, &account.header, &account.header_static})
        add(turn, account.suspended, *file);
    add(turn, account.suspended, db.all(loose_files_of, id));
}

// The next files of the first account. Those of one status stay together, so that a turn ends between two
// statuses.
void add_some(db::Read& db, Turn& turn) {
    auto& left = turn.left;
    auto id = left.accounts.front();
    auto account = db.maybe(pictures_to_withhold, id);
    if (account && !left.deleted && !left.after) add_pictures(db, turn, *account, id);
    std::vector<FilesOfStatus> rows;
    if (account) rows = db.all(left.deleted ? some_deleted_files_of : some_files_of, id, left.after, chunk);
    bool more = std::ssize(rows) == chunk;
    if (more) {
        auto last = rows.back().status;
        if (rows.front().status != last)
            std::erase_if(rows, [&](const FilesOfStatus& f) { return f.status == last; });
        left.after = rows.back().status;
    }
    if (account) add(turn, account->suspended, rows);
    if (more) return;
    if (!left.deleted) left = {std::move(left.accounts), true, {}};
    else left = {{left.accounts.begin() + 1, left.accounts.end()}, false, {}};
}

std::int64_t size(const Turn& turn) {
    return std::ssize(turn.withhold) + std::ssize(turn.restore) + std::ssize(turn.urls);
}

}  // namespace

jobs::Change withhold_or_restore(const base::Ask& ask, db::Read& db, const SuspensionsChanged& e) {
    Turn turn{{}, {}, {}, e};
    while (!turn.left.accounts.empty() && size(turn) < chunk) add_some(db, turn);
    if (!turn.withhold.empty()) ask(Withhold{turn.withhold, true});
    if (!turn.restore.empty()) ask(Withhold{turn.restore, false});
    if (!turn.urls.empty()) turn.urls = db.all(urls_with_copies, turn.urls);
    return [left = std::move(turn.left), urls = std::move(turn.urls)](db::Write& write) {
        for (const auto& url : urls) forget_copy(write, url);
        if (!left.accounts.empty()) write.emit(left);
    };
}

}  // namespace media
