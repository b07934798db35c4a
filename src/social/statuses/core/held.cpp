// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/held.hpp"

namespace statuses {

#define HELD \
    "SELECT id, account_id, status_id, uri, draft, created_at, until, drops, set_aside FROM held_posts "

const db::Query<Held> held_by_id{"held_by_id", HELD "WHERE id = $1"};
const db::Query<HeldId> held_by_uri{
    "held_by_uri", "SELECT id FROM held_posts WHERE uri = $1 AND uri IS NOT NULL"
};
const db::Query<bool> status_is_held{
    "status_is_held", "SELECT EXISTS (SELECT 1 FROM held_posts WHERE status_id = $1 AND status_id <> 0)"
};
const db::Command insert_held{
    "insert_held",
    R"(INSERT INTO held_posts (id, account_id, status_id, uri, draft, created_at, until, drops)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};
const db::Command rewrite_held{
    "rewrite_held", "UPDATE held_posts SET draft = $3 WHERE id = $1 AND account_id = $2"
};
const db::Command delete_held{"delete_held", "DELETE FROM held_posts WHERE id = $1"};
const db::Command delete_held_by_uri{
    "delete_held_by_uri", "DELETE FROM held_posts WHERE uri = $1 AND uri IS NOT NULL AND account_id = $2"
};
const db::Command delete_held_by_status{
    "delete_held_by_status", "DELETE FROM held_posts WHERE status_id = $1 AND status_id <> 0"
};
const db::Command delete_held_of{
    "delete_held_of",
    "DELETE FROM held_posts WHERE id IN (SELECT id FROM held_posts WHERE account_id = $1 ORDER BY id LIMIT "
    "$2)"
};

HeldId hold(db::Write& db, const Verdict& verdict, Held held) {
    if (held.uri)
        if (auto known = db.maybe(held_by_uri, *held.uri)) {
            db.run(rewrite_held, *known, held.account_id, held.draft);
            return *known;
        }
    held.id = db.new_id<HeldId>();
    if (verdict.hold_hours > 0) held.until = db.now().plus_seconds(verdict.hold_hours * 3600);
    held.drops = verdict.hold_drops;
    db.run(
        insert_held,
        held.id,
        held.account_id,
        held.status_id,
        held.uri,
        held.draft,
        db.now(),
        held.until,
        held.drops
    );
    return held.id;
}

std::optional<Held> find_held(db::Read& db, HeldId id) { return db.maybe(held_by_id, id); }
bool is_held(db::Read& db, StatusId id) { return db.one(status_is_held, id); }
void forget_held(db::Write& db, HeldId id) { db.run(delete_held, id); }
void forget_held(db::Write& db, AccountId author, std::string_view uri) {
    db.run(delete_held_by_uri, uri, author);
}
void forget_held(db::Write& db, StatusId id) { db.run(delete_held_by_status, id); }

std::int64_t drop_own_held(db::Write& db, AccountId account, int most) {
    return db.run(delete_held_of, account, most);
}

}  // namespace statuses
