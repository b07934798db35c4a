// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/undo.hpp"

#include "db/transaction.hpp"

namespace takeover {

namespace {

struct Finished {
    std::int64_t id = 0;
    Time finished_at;
};
DESCRIBE(Finished, id, finished_at)

struct MoreSince {
    std::int64_t accounts = 0, follows = 0;
};
DESCRIBE(MoreSince, accounts, follows)

}  // namespace

const db::Query<Finished> finished_takeover{
    "finished_takeover",
    R"(SELECT id, finished_at FROM takeovers WHERE state = 'finished' AND finished_at IS NOT NULL
       ORDER BY id DESC LIMIT 1)"
};
const db::Query<PostedSince> people_who_posted_since{
    "people_who_posted_since",
    R"(SELECT p.account_id AS id, (SELECT a.username FROM accounts a WHERE a.id = p.account_id) AS username, p.posts
       FROM (SELECT s.account_id, count(*) AS posts FROM (
                 SELECT account_id FROM statuses
                 WHERE id > $1 AND local = TRUE AND deleted_at IS NULL AND reblog_of_id IS NULL
                 UNION ALL
                 SELECT b.account_id FROM imported_posts i JOIN statuses b ON b.id = i.status_id
                 WHERE i.status_id <= $1 AND b.deleted_at IS NULL
             ) AS s GROUP BY s.account_id) AS p
       ORDER BY username)"
};
const db::Query<MoreSince> more_since{
    "more_since",
    R"(SELECT (SELECT count(*) FROM accounts WHERE id > $1 AND domain = '') AS accounts,
              (SELECT count(*) FROM follows WHERE id > $1) AS follows)"
};
const db::Command undo_takeover{"undo_takeover", "UPDATE takeovers SET state = 'undone' WHERE id = $1"};

namespace {

Finished finished(db::Read& db) {
    const auto found = db.maybe(finished_takeover);
    if (!found) throw Unsuitable("No place was taken with this database that could be given back");
    return *found;
}

}  // namespace

Since since_finish(db::Read& db) {
    Since out;
    out.finished_at = finished(db).finished_at;
    const auto after = out.last_before();
    out.people = db.all(people_who_posted_since, after);
    const auto more = db.one(more_since, after.value);
    out.accounts = more.accounts;
    out.follows = more.follows;
    return out;
}

void undo(const Target& target) {
    db::write_now(target.connection, target.context, [](db::Write& db) {
        db.run(undo_takeover, finished(db).id);
    });
}

}  // namespace takeover
