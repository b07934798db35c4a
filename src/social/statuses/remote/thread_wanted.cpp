// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/thread_wanted.hpp"

namespace statuses {

const db::Query<bool> replies_are_due{
    "replies_are_due",
    R"(SELECT EXISTS (SELECT 1 FROM remote_statuses r JOIN statuses s ON s.id = r.status_id
                      WHERE r.status_id = $1 AND r.replies <> '' AND r.replies_at < $3 AND s.created_at < $2
                        AND s.deleted_at IS NULL AND s.visibility IN ('public', 'unlisted')))"
};

bool replies_due(db::Read& db, StatusId id) {
    constexpr std::int64_t old_enough = 300, pause = 900;
    return db.one(replies_are_due, id, db.now().plus_seconds(-old_enough), db.now().plus_seconds(-pause));
}

const db::Query<bool> replies_are_awaited{
    "replies_are_awaited",
    "SELECT EXISTS (SELECT 1 FROM remote_statuses WHERE status_id = $1 AND replies_at >= $2)"
};

bool replies_awaited(db::Read& db, StatusId id) {
    constexpr std::int64_t longest = 120;
    return db.one(replies_are_awaited, id, db.now().plus_seconds(-longest));
}

const db::Query<std::string> poll_to_refresh{
    "poll_to_refresh",
    R"(SELECT s.uri FROM polls p JOIN remote_statuses r ON r.status_id = p.status_id
       JOIN statuses s ON s.id = p.status_id
       WHERE p.status_id = $1 AND r.reported_at < $2 AND (p.expires_at IS NULL OR p.expires_at > r.reported_at)
         AND s.deleted_at IS NULL AND s.visibility IN ('public', 'unlisted'))"
};

std::optional<std::string> stale_poll(db::Read& db, StatusId id) {
    constexpr std::int64_t minute = 60;
    return db.maybe(poll_to_refresh, id, db.now().plus_seconds(-minute));
}

}  // namespace statuses
