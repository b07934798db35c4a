// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/relationships/relationship_entity.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>

namespace relationships {

using base::AccountId;
using base::Time;

struct PairRow {
    AccountId id;
    bool suspended = false;
    std::optional<bool> showing_reblogs, notifying;
    std::optional<std::string> languages;
    std::optional<bool> request_reblogs, request_notify;
    std::optional<std::string> request_languages;
    bool followed_by = false, blocking = false, blocked_by = false;
    std::optional<bool> muting_notifications;
    std::optional<Time> muting_expires_at;
    bool requested_by = false, domain_blocking = false, endorsed = false;
    std::string note;
};
DESCRIBE(
    PairRow, id, suspended, showing_reblogs, notifying, languages, request_reblogs, request_notify,
    request_languages, followed_by, blocking, blocked_by, muting_notifications, muting_expires_at,
    requested_by, domain_blocking, endorsed, note
)

#define PAIR_COLUMNS                                                                                        \
    "a.id, a.suspended_at IS NOT NULL AS suspended, f.show_reblogs AS showing_reblogs, f.notify AS "        \
    "notifying, "                                                                                           \
    "f.languages, r.show_reblogs AS request_reblogs, r.notify AS request_notify, "                          \
    "r.languages AS request_languages, "                                                                    \
    "EXISTS (SELECT 1 FROM follows x WHERE x.account_id = a.id AND x.target_id = $1) AS followed_by, "      \
    "EXISTS (SELECT 1 FROM blocks x WHERE x.account_id = $1 AND x.target_id = a.id) AS blocking, "          \
    "EXISTS (SELECT 1 FROM blocks x WHERE x.account_id = a.id AND x.target_id = $1) AS blocked_by, "        \
    "m.hide_notifications AS muting_notifications, m.expires_at AS muting_expires_at, "                     \
    "EXISTS (SELECT 1 FROM follow_requests x WHERE x.account_id = a.id AND x.target_id = $1) AS "           \
    "requested_by, "                                                                                        \
    "a.domain <> '' AND EXISTS (SELECT 1 FROM user_domain_blocks x WHERE x.account_id = $1 "                \
    "AND x.domain = a.domain) AS domain_blocking, "                                                         \
    "EXISTS (SELECT 1 FROM endorsements x WHERE x.account_id = $1 AND x.target_id = a.id) AS "              \
    "endorsed, "                                                                                            \
    "COALESCE((SELECT x.comment FROM account_notes x WHERE x.account_id = $1 AND x.target_id = a.id), '') " \
    "AS note "                                                                                              \
    "FROM accounts a "                                                                                      \
    "LEFT JOIN follows f ON f.account_id = $1 AND f.target_id = a.id "                                      \
    "LEFT JOIN follow_requests r ON r.account_id = $1 AND r.target_id = a.id "                              \
    "LEFT JOIN mutes m ON m.account_id = $1 AND m.target_id = a.id AND (m.expires_at IS NULL OR "           \
    "m.expires_at > $3) "

// The table users belongs to accounts. Accounts with a login that is not usable yet are excluded.
#define IS_THERE                                                       \
    "AND NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id " \
    "AND (u.confirmed_at IS NULL OR u.approved = FALSE))"

const db::Query<PairRow> relationship_pairs{
    "relationship_pairs", "SELECT " PAIR_COLUMNS "WHERE a.id IN LIST($2) " IS_THERE
};

namespace {

std::optional<std::vector<std::string>> languages_of(const std::optional<std::string>& json) {
    if (!json) return std::nullopt;
    return base::json::read<std::vector<std::string>>(*json);
}

Relationship entity(const PairRow& row) {
    Relationship r;
    r.id = row.id;
    r.following = row.showing_reblogs.has_value();
    r.requested = row.request_reblogs.has_value();
    r.showing_reblogs = row.showing_reblogs.value_or(row.request_reblogs.value_or(false));
    r.notifying = row.notifying.value_or(row.request_notify.value_or(false));
    r.languages = languages_of(r.following ? row.languages : row.request_languages);
    r.followed_by = row.followed_by;
    r.blocking = row.blocking;
    r.blocked_by = row.blocked_by;
    r.muting = row.muting_notifications.has_value();
    r.muting_notifications = row.muting_notifications.value_or(false);
    if (row.muting_expires_at) r.muting_expires_at = base::WholeSeconds{row.muting_expires_at->ms};
    r.requested_by = row.requested_by;
    r.domain_blocking = row.domain_blocking;
    r.endorsed = row.endorsed;
    r.note = row.note;
    return r;
}

}  // namespace

std::vector<Relationship> relationships(
    db::Read& db, AccountId viewer, const std::vector<AccountId>& ids, bool with_suspended
) {
    if (ids.empty()) return {};
    auto rows = db.all(relationship_pairs, viewer, ids, db.now());
    std::vector<Relationship> out;
    for (auto id : ids) {
        auto row = std::ranges::find(rows, id, &PairRow::id);
        if (row == rows.end() || (row->suspended && !with_suspended)) continue;
        out.push_back(entity(*row));
    }
    return out;
}

Relationship relationship(db::Read& db, AccountId viewer, AccountId other) {
    auto found = relationships(db, viewer, {other}, true);
    if (found.empty()) throw base::NotFound();
    return found.front();
}

}  // namespace relationships
