// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/counted_days.hpp"

#include "social/tags/tag_languages.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace insight {

namespace {

constexpr std::int64_t day_ms = 86'400'000, parts = 16;

// The row of act_days in which today's acts of an account are counted.
std::int64_t place(base::Time now, base::AccountId account) {
    return now.midnight().ms / day_ms * parts + ((account.value >> 16) + account.value) % parts;
}

// In a change that runs beside others these counts run after everything else.
constexpr std::int64_t behind_all = std::numeric_limits<std::int64_t>::max();

}  // namespace

// The tables statuses, accounts, users, favourites, follows and held_posts belong to their subjects.
#define NOT_PAST "NOT EXISTS (SELECT 1 FROM uncounted u WHERE u.kind = 'statuses' AND u.up_to >= s.id) "
#define AND_ACTS "ON CONFLICT (place) DO UPDATE SET acts = act_days.acts + excluded.acts"
#define AND_POSTS "ON CONFLICT (day, domain) DO UPDATE SET posts = server_days.posts + excluded.posts"

const db::Command count_act{
    "count_act",
    "INSERT INTO act_days (place, acts) SELECT CAST($1 AS BIGINT), CAST($3 AS BIGINT) FROM users "
    "WHERE account_id = $2 " AND_ACTS
};
// Of a local account: a boost, or a reply to somebody else.
const db::Command count_act_of_post{
    "count_act_of_post",
    "INSERT INTO act_days (place, acts) SELECT CAST($1 AS BIGINT), 1 FROM statuses s WHERE s.id = $2 "
    "AND (s.reblog_of_id IS NOT NULL OR s.in_reply_to_account_id <> s.account_id) AND " NOT_PAST AND_ACTS
};
// A post may arrive with a date, and an id, that the job has yet to count.
const db::Command count_post_of_server{
    "count_post_of_server",
    "INSERT INTO server_days (day, domain, posts) SELECT s.created_at / 86400000, a.domain, 1 FROM statuses "
    "s "
    "JOIN accounts a ON a.id = s.account_id WHERE s.id = $2 AND s.id < $1 AND " NOT_PAST AND_POSTS
};

const db::Query<OfDay> acts_between{
    "acts_between",
    R"(SELECT place / 16 AS day, CAST(sum(acts) AS BIGINT) AS value FROM act_days
       WHERE place >= $1 AND place < $2 GROUP BY place / 16)"
};
const db::Query<OfServer> servers_between{
    "servers_between",
    R"(SELECT domain AS key, CAST(sum(posts) AS BIGINT) AS value FROM server_days
       WHERE day >= $1 AND day < $2 GROUP BY domain ORDER BY value DESC, key LIMIT $3)"
};

std::vector<OfDay> acts_by_day(db::Read& db, std::int64_t first, std::int64_t beyond) {
    return db.all(acts_between, first * parts, beyond * parts);
}

std::vector<OfServer> servers_of_days(db::Read& db, std::int64_t first, std::int64_t beyond, int limit) {
    return db.all(servers_between, first, beyond, limit);
}

namespace {

void count(db::Write& db, base::AccountId account, int by = 1) {
    db.run_last(count_act, place(db.now(), account), account, by);
}

void count(db::Write& db, base::StatusId post) { db.run_last(count_post_of_server, behind_all, post); }

}  // namespace

void count_favourite(db::Write& db, const statuses::Favourited& e) { count(db, e.account); }
void count_vote(db::Write& db, const statuses::Voted& e) { count(db, e.account); }
void count_follow_request(db::Write& db, const relationships::FollowRequested& e) { count(db, e.account); }

void count_follow(db::Write& db, const relationships::Followed& e) { count(db, e.account); }

// The follow that begins now was already counted as a request.
void count_accepted(db::Write& db, const relationships::FollowRequestAnswered& e) {
    if (e.accepted) count(db, e.account, -1);
}

void count_published(db::Write& db, const statuses::Published& e) {
    if (e.local) db.run_last(count_act_of_post, place(db.now(), e.account), e.id);
    count(db, e.id);
}

void count_backfilled(db::Write& db, const statuses::Backfilled& e) { count(db, e.id); }
void count_brought_along(db::Write& db, const statuses::BroughtAlong& e) { count(db, e.id); }

// Counting older rows.

namespace {

struct Uncounted {
    std::string kind;
    std::int64_t up_to = 0;
};
DESCRIBE(Uncounted, kind, up_to)

}  // namespace

const db::Command begin_uncounted{
    "begin_uncounted",
    R"(INSERT INTO uncounted (kind, up_to)
       SELECT kind, up_to FROM (
           SELECT 'statuses' AS kind, (SELECT max(id) FROM statuses) AS up_to
           UNION ALL SELECT 'tagged', (SELECT max(id) FROM statuses)
           UNION ALL SELECT 'favourites', (SELECT max(id) FROM favourites)
           UNION ALL SELECT 'follows', (SELECT max(id) FROM follows)
           UNION ALL SELECT 'follow_requests', (SELECT max(id) FROM follow_requests)) newest
       WHERE up_to IS NOT NULL ON CONFLICT (kind) DO NOTHING)"
};
const db::Query<Uncounted> next_uncounted{
    "next_uncounted", "SELECT kind, up_to FROM uncounted ORDER BY kind DESC LIMIT 1"
};
const db::Command counted_down_to{
    "counted_down_to", "UPDATE uncounted SET up_to = CAST($2 AS BIGINT) - 1 WHERE kind = $1"
};
const db::Command counted_all{"counted_all", "DELETE FROM uncounted WHERE kind = $1"};

// Held posts are counted when they are published. Related rows are read one by one: for a join PostgreSQL
// might scan all accounts.
#define IS_NOT_HELD "(SELECT h.id FROM held_posts h WHERE h.status_id = s.id AND h.status_id <> 0) IS NULL"
const db::Command past_posts_of_servers{
    "past_posts_of_servers",
    "INSERT INTO server_days (day, domain, posts) SELECT day, domain, count(*) FROM ("
    "SELECT s.created_at / 86400000 AS day, (SELECT a.domain FROM accounts a WHERE a.id = s.account_id) AS "
    "domain "
    "FROM statuses s WHERE s.id >= $1 AND s.id <= $2 AND " IS_NOT_HELD
    ") chunk WHERE domain IS NOT NULL GROUP BY day, domain " AND_POSTS
};
const db::Command past_acts_of_posts{
    "past_acts_of_posts",
    "INSERT INTO act_days (place, acts) SELECT s.created_at / 86400000 * 16, count(*) FROM statuses s "
    "WHERE s.id >= $1 AND s.id <= $2 AND s.local = TRUE "
    "AND (s.reblog_of_id IS NOT NULL OR s.in_reply_to_account_id <> s.account_id) AND " IS_NOT_HELD
    " GROUP BY s.created_at / 86400000 " AND_ACTS
};
#define FIRST_OF(TABLE)                                                \
    "SELECT COALESCE(min(id), 0) AS first FROM (SELECT id FROM " TABLE \
    " WHERE id <= $1 ORDER BY id DESC LIMIT $2) chunk"
#define PAST_ACTS(TABLE, DAY)                                                                              \
    "INSERT INTO act_days (place, acts) SELECT " DAY " * 16, count(*) FROM " TABLE                         \
    " f WHERE f.id >= $1 AND f.id <= $2 AND (SELECT u.id FROM users u WHERE u.account_id = f.account_id) " \
    "IS NOT NULL GROUP BY " DAY " " AND_ACTS
const db::Query<std::int64_t> first_past_status{"first_past_status", FIRST_OF("statuses")};
const db::Query<std::int64_t> first_past_favourite{"first_past_favourite", FIRST_OF("favourites")};
const db::Query<std::int64_t> first_past_follow{"first_past_follow", FIRST_OF("follows")};
const db::Query<std::int64_t> first_past_request{"first_past_request", FIRST_OF("follow_requests")};
// These rows have no date except in their id.
const db::Command past_favourites{"past_favourites", PAST_ACTS("favourites", "(f.id / 65536) / 86400000")};
const db::Command past_follows{"past_follows", PAST_ACTS("follows", "f.created_at / 86400000")};
const db::Command past_requests{"past_requests", PAST_ACTS("follow_requests", "f.created_at / 86400000")};

namespace {

struct Kind {
    std::string_view name;
    const db::Query<std::int64_t>* first;
    std::array<const db::Command*, 2> count;
};
const std::array<Kind, 5> kinds{{
    {"tagged", &first_past_status, {&tags::count_past_languages, nullptr}},
    {"statuses", &first_past_status, {&past_posts_of_servers, &past_acts_of_posts}},
    {"favourites", &first_past_favourite, {&past_favourites, nullptr}},
    {"follows", &first_past_follow, {&past_follows, nullptr}},
    {"follow_requests", &first_past_request, {&past_requests, nullptr}},
}};

}  // namespace

void begin_counting_past_days(db::Write& db) {
    db.run(begin_uncounted);
    db.emit(PastDaysContinued{});
}

// One change that runs exclusively: a post that arrives meanwhile with an older id is either included here,
// or counts itself, never both.
void count_past_days(db::Write& db, const PastDaysContinued&) {
    constexpr int chunk = 250;
    const auto left = db.maybe(next_uncounted);
    if (!left) return;
    const auto kind = std::ranges::find(kinds, left->kind, &Kind::name);
    if (kind == kinds.end()) throw std::runtime_error("uncounted: " + left->kind);
    const auto oldest = left->kind == "tagged" ? tags::first_with_languages(db).value
                                               : std::numeric_limits<std::int64_t>::min();
    if (const auto first = left->up_to < oldest ? 0 : db.one(*kind->first, left->up_to, chunk)) {
        for (const auto* command : kind->count)
            if (command) db.run(*command, std::max(first, oldest), left->up_to);
        db.run(counted_down_to, left->kind, first);
    } else {
        db.run(counted_all, left->kind);
    }
    db.emit(PastDaysContinued{});
}

}  // namespace insight
