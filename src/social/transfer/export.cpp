// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/lines.hpp"

#include "base/json_read.hpp"
#include "social/statuses/core/status.hpp"

namespace transfer {

namespace {

using base::AccountId;

struct Followed {
    std::int64_t cursor = 0;
    std::string username, domain;
    bool show_reblogs = true, notify = false;
    std::optional<std::string> languages;
};
DESCRIBE(Followed, cursor, username, domain, show_reblogs, notify, languages)
struct Muted {
    std::int64_t cursor = 0;
    std::string username, domain;
    bool hide_notifications = true;
};
DESCRIBE(Muted, cursor, username, domain, hide_notifications)
struct Blocked {
    std::int64_t cursor = 0;
    std::string username, domain;
};
DESCRIBE(Blocked, cursor, username, domain)
struct Domain {
    std::int64_t cursor = 0;
    std::string domain;
};
DESCRIBE(Domain, cursor, domain)
struct Bookmark {
    std::int64_t cursor = 0;
    base::StatusId id;
    std::optional<std::string> uri;
    AccountId account_id;
    std::string account_uri;
    bool is_reblog = false;
};
DESCRIBE(Bookmark, cursor, id, uri, account_id, account_uri, is_reblog)
struct Member {
    std::int64_t list = 0, cursor = 0;
    std::string title, username, domain;
};
DESCRIBE(Member, list, cursor, title, username, domain)

}  // namespace

// follows, mutes, blocks and user_domain_blocks belong to relationships, lists to lists, bookmarks to statuses.
const db::Query<Followed> followed_to_export{
    "followed_to_export",
    R"(SELECT f.id AS cursor, a.username, a.domain, f.show_reblogs, f.notify, f.languages
       FROM follows f JOIN accounts a ON a.id = f.target_id
       WHERE f.account_id = $1 AND f.id > $2 ORDER BY f.id LIMIT $3)"
};
const db::Query<Muted> muted_to_export{
    "muted_to_export",
    R"(SELECT m.id AS cursor, a.username, a.domain, m.hide_notifications
       FROM mutes m JOIN accounts a ON a.id = m.target_id
       WHERE m.account_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3)"
};
const db::Query<Blocked> blocked_to_export{
    "blocked_to_export",
    R"(SELECT b.id AS cursor, a.username, a.domain FROM blocks b JOIN accounts a ON a.id = b.target_id
       WHERE b.account_id = $1 AND b.id > $2 ORDER BY b.id LIMIT $3)"
};
const db::Query<Domain> domains_to_export{
    "domains_to_export",
    R"(SELECT id AS cursor, domain FROM user_domain_blocks WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3)"
};
const db::Query<Bookmark> bookmarks_to_export{
    "bookmarks_to_export",
    R"(SELECT b.id AS cursor, s.id, s.uri, s.account_id, a.uri AS account_uri, s.reblog_of_id IS NOT NULL AS is_reblog
       FROM bookmarks b JOIN statuses s ON s.id = b.status_id JOIN accounts a ON a.id = s.account_id
       WHERE b.account_id = $1 AND b.id > $2 AND s.deleted_at IS NULL ORDER BY b.id LIMIT $3)"
};
// A list has some hundred members, and a person some lists.
const db::Query<Member> members_to_export{
    "members_to_export",
    R"(SELECT l.id AS list, a.id AS cursor, l.title, a.username, a.domain
       FROM lists l JOIN list_members m ON m.list_id = l.id JOIN accounts a ON a.id = m.account_id
       WHERE l.account_id = $1 ORDER BY l.id, a.id)"
};

namespace {

constexpr int at_once = 1000;

template <class R, class F>
void each(db::Read& db, const db::Query<R>& sql, AccountId me, F&& add) {
    for (std::int64_t after = 0;;) {
        auto rows = db.all(sql, me, after, at_once);
        for (const auto& row : rows) add(row);
        if (rows.size() < at_once) return;
        after = rows.back().cursor;
    }
}

std::vector<std::string> codes(const std::optional<std::string>& stored) {
    return stored ? base::json::read<std::vector<std::string>>(*stored) : std::vector<std::string>{};
}

}  // namespace

std::string export_csv(db::Read& db, AccountId me, Kind kind) {
    const auto& site = db.site();
    std::string out = heading(kind);
    auto add = [&](const Line& line) { out += csv_of(kind, line); };
    auto address = [&](const auto& row) {
        return row.username + "@" + (row.domain.empty() ? site.domain : row.domain);
    };
    switch (kind) {
        case Kind::following:
            each(db, followed_to_export, me, [&](const Followed& row) {
                Line line{address(row)};
                line.reblogs = row.show_reblogs;
                line.notify = row.notify;
                line.languages = codes(row.languages);
                add(line);
            });
            break;
        case Kind::lists:
            for (const auto& row : db.all(members_to_export, me)) add({address(row), row.title});
            break;
        case Kind::muting:
            each(db, muted_to_export, me, [&](const Muted& row) {
                Line line{address(row)};
                line.hide_notifications = row.hide_notifications;
                add(line);
            });
            break;
        case Kind::blocking:
            each(db, blocked_to_export, me, [&](const Blocked& row) { add({address(row)}); });
            break;
        case Kind::domain_blocking:
            each(db, domains_to_export, me, [&](const Domain& row) { add({row.domain}); });
            break;
        case Kind::bookmarks:
            each(db, bookmarks_to_export, me, [&](const Bookmark& row) {
                add({statuses::uri_of(site, {row.id, row.uri, row.account_id, row.account_uri, row.is_reblog})
                });
            });
            break;
    }
    return out;
}

}  // namespace transfer
