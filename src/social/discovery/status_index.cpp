// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/status_index.hpp"

#include "social/discovery/query.hpp"
#include "social/statuses/writing/relations.hpp"

#include <algorithm>
#include <limits>

namespace discovery {

namespace {

struct Due {
    StatusId status_id;
    std::int64_t version = 0;
};
DESCRIBE(Due, status_id, version)

struct Text {
    StatusId id;
    std::string words, terms;  // for SQLite, for PostgreSQL
};
DESCRIBE(Text, id, words, terms)

constexpr int chunk = 200;

}  // namespace

// The queue.

const db::Command queue_one_for_index{
    "queue_one_for_index",
    R"(INSERT INTO status_index_queue (status_id, version) VALUES ($1, 1)
       ON CONFLICT (status_id) DO UPDATE SET version = status_index_queue.version + 1)"
};
const db::Command queue_for_index{
    "queue_for_index",
    R"(INSERT INTO status_index_queue (status_id, version) SELECT value, 1 FROM json_each($1) WHERE TRUE
       ON CONFLICT (status_id) DO UPDATE SET version = status_index_queue.version + 1)",
    R"(INSERT INTO status_index_queue (status_id, version) SELECT value, 1 FROM unnest($1::bigint[]) value
       ON CONFLICT (status_id) DO UPDATE SET version = status_index_queue.version + 1)"
};
// Newest first: recent statuses are searched for more often than those older than the index.
const db::Query<Due> queued_for_index{
    "queued_for_index", "SELECT status_id, version FROM status_index_queue ORDER BY status_id DESC LIMIT $1"
};
const db::Query<bool> is_text_due{"is_text_due", "SELECT EXISTS (SELECT 1 FROM status_index_queue) AS due"};
// Except those that have changed again meanwhile.
const db::Command delete_queued_for_index{
    "delete_queued_for_index",
    R"(DELETE FROM status_index_queue WHERE status_id IN (
           SELECT d.status_id FROM json_each($1) j
           CROSS JOIN status_index_queue d ON d.status_id = CAST(json_extract(j.value, '$.status_id') AS INTEGER)
           WHERE d.version = json_extract(j.value, '$.version')))",
    R"(DELETE FROM status_index_queue d USING json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) r
       WHERE d.status_id = CAST(r ->> 'status_id' AS BIGINT) AND d.version = CAST(r ->> 'version' AS BIGINT))"
};

void index_published(db::Write& db, const statuses::Published& event) {
    db.run(queue_one_for_index, event.id);
}

void index_backfilled(db::Write& db, const statuses::Backfilled& event) {
    db.run(queue_one_for_index, event.id);
}

void index_brought_along(db::Write& db, const statuses::BroughtAlong& event) {
    db.run(queue_one_for_index, event.id);
}

void index_edited(db::Write& db, const statuses::Edited& event) { db.run(queue_one_for_index, event.id); }

void index_marked(db::Write& db, const statuses::MarksTakenBack& event) {
    db.run(queue_one_for_index, event.status);
}

void index_previewed(db::Write& db, const statuses::CardShown& event) {
    db.run(queue_one_for_index, event.status);
}

void forget_deleted(db::Write& db, const statuses::Deleted& event) { db.run(queue_one_for_index, event.id); }

void find_index_queue(db::Write& db) {
    db.beside_others();
    if (db.one(is_text_due)) db.emit(IndexQueueFilled{});
}

// The index.

// Many rows at once, oldest first: FTS5 flushes before every statement that fires a trigger and whenever an
// older row comes, so single rows cost a hundred times more.
const db::Command put_status_texts{
    "put_status_texts",
    R"(INSERT INTO status_texts (status_id, words)
       SELECT CAST(json_extract(value, '$.id') AS INTEGER), json_extract(value, '$.words') FROM json_each($1) WHERE TRUE
       ON CONFLICT (status_id) DO UPDATE SET words = excluded.words WHERE status_texts.words <> excluded.words)",
    R"(INSERT INTO status_texts (status_id, terms)
       SELECT CAST(r ->> 'id' AS BIGINT), CAST(r ->> 'terms' AS TSVECTOR)
       FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) r
       ON CONFLICT (status_id) DO UPDATE SET terms = excluded.terms WHERE status_texts.terms <> excluded.terms)"
};
const db::Command delete_status_texts{
    "delete_status_texts", "DELETE FROM status_texts WHERE status_id IN LIST($1)"
};
// Part of the merging that inserts leave to do: FTS5 would otherwise do all of it in one insert. $1: the
// number of pages to write; each row is rewritten about five times in all. Separate from inserting, and a few
// pages at a time, because a large index on a slow disk held the writer for more than 20 ms.
const db::Command tidy_status_index{
    "tidy_status_index",
    "INSERT INTO status_index (status_index, rank) VALUES ('merge', $1)",
    "SELECT gin_clean_pending_list('status_index') WHERE $1 > 0"
};

// The pages that merging reads: the first pages of each segment of the index, because merged ones are
// removed, and all others of the word at which the last of them ends, because a word is never merged in part.
// In a large index they are seldom in memory. The id of a page begins with the number of its segment,
// followed by $1 bits (the head of ext/fts5/fts5_index.c); below the first segment are two records of the
// whole index. Bytes 3 and 4 of a page contain the offset of its list of words: its end if no word begins
// there. $2: the minimum of pages to read per segment; $3: the maximum per word.
const db::Query<std::int64_t> pages_to_merge{
    "pages_to_merge",
    R"(WITH RECURSIVE
         parts(page) AS (
           SELECT (SELECT min(id) FROM status_index_data WHERE id >= 1 << $1)
           UNION ALL
           SELECT (SELECT min(id) FROM status_index_data WHERE id >= ((page >> $1) + 1) << $1) FROM parts WHERE page > 0),
         pages(page, ahead) AS (
           SELECT page, CAST($2 AS INTEGER) FROM parts WHERE page > 0
           UNION ALL
           SELECT d.id + 1, ahead - 1 FROM pages CROSS JOIN status_index_data d
           WHERE d.id = page AND (ahead > 1
             OR (ahead > 1 - $3 AND hex(substr(d.block, 3, 2)) = printf('%04X', length(d.block)))))
       SELECT page FROM pages)",
    // Never used: GIN's pending list is read as a whole.
    "SELECT CAST($1 AS BIGINT) + CAST($2 AS BIGINT) + CAST($3 AS BIGINT)"
};

void merge_for_a_turn(db::Write& db, const IndexGrown& grown, jobs::Turn::Clock clock) {
    constexpr std::int64_t texts_at_once = 16, least_pages = 2, texts_of_page = 4;
    constexpr std::chrono::milliseconds length(4);
    jobs::Turn turn(length, clock);
    for (auto left = grown.texts;; left -= texts_at_once) {
        db.run(tidy_status_index, least_pages + std::min(left, texts_at_once) / texts_of_page);
        if (left <= texts_at_once) return;
        if (turn.end_step()) return db.emit(IndexGrown{left - texts_at_once});
    }
}

jobs::Change tidy_index(db::Read& read, const IndexGrown& grown) {
    constexpr int pages_ahead = 24, most_of_a_word = 4000;
    read.prefetch(pages_to_merge, bits_of_page_in_index, pages_ahead, most_of_a_word);
    return [grown](db::Write& db) { merge_for_a_turn(db, grown); };
}

jobs::Change index_due(const base::Ask&, db::Read& db, const IndexQueueFilled&) {
    auto due = db.all(queued_for_index, chunk);
    std::vector<StatusId> ids;
    for (const auto& one : due) ids.push_back(one.status_id);
    std::vector<Text> texts;
    for (const auto& [id, text] : texts_of(db, ids)) {
        texts.push_back({id, text.for_sqlite(), text.for_postgres()});
        std::erase(ids, id);
    }
    const auto count = std::ssize(due);
    auto rows = texts.empty() ? std::string() : base::json::to_string(texts);
    return [count, rows = std::move(rows), gone = std::move(ids), done = base::json::to_string(due)](
               db::Write& write
           ) {
        if (!rows.empty()) write.run(put_status_texts, rows);
        if (!gone.empty()) {
            write.run(delete_status_texts, gone);
            statuses::leave_tags(write, gone);
        }
        write.run(delete_queued_for_index, done);
        write.emit(IndexGrown{count});
        // Less than a chunk waits for the next second: every chunk begins a new segment, and merging a
        // segment of a few texts costs as much as one of many.
        if (count == chunk) find_index_queue(write);
    };
}

// Statuses older than the index.

const db::Query<StatusId> statuses_below{
    "statuses_below",
    "SELECT id FROM statuses WHERE id < $1 AND deleted_at IS NULL AND reblog_of_id IS NULL ORDER BY id DESC "
    "LIMIT $2"
};
const db::Query<StatusId> account_statuses_below{
    "account_statuses_below",
    R"(SELECT id FROM statuses WHERE account_id = $1 AND id < $2 AND deleted_at IS NULL AND reblog_of_id IS NULL
       ORDER BY id DESC LIMIT $3)"
};

jobs::Change index_older(db::Read& db, const IndexContinued& left) {
    return [some = db.all(statuses_below, left.below, chunk)](db::Write& write) {
        write.run(queue_for_index, some);
        if (some.size() == chunk) write.emit(IndexContinued{some.back()});
    };
}

// The newest public status shows the state of the index: whether anything has changed.
const db::Query<bool> indexed_as_open{
    "indexed_as_open",
    R"(SELECT (t.words LIKE '% \_p %' ESCAPE '\') AS "open" FROM statuses s JOIN status_texts t ON t.status_id = s.id
       WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.visibility = 'public' AND s.reblog_of_id IS NULL
         AND $2 IS NOT NULL
       ORDER BY s.id DESC LIMIT 1)",
    R"(SELECT (t.terms @@ CAST(CAST($2 AS TEXT) AS TSQUERY)) AS "open"
       FROM statuses s JOIN status_texts t ON t.status_id = s.id
       WHERE s.account_id = $1 AND s.deleted_at IS NULL AND s.visibility = 'public' AND s.reblog_of_id IS NULL
       ORDER BY s.id DESC LIMIT 1)"
};

void index_again(db::Write& db, const accounts::ProfileChanged& event) {
    auto account = accounts::find_account(db, event.account);
    if (!account) return;
    auto verified = db.maybe(indexed_as_open, account->id, "'" + mark::open + "'");
    if (verified && *verified != account->indexable)
        db.emit(AccountIndexContinued{account->id, {std::numeric_limits<std::int64_t>::max()}});
}

jobs::Change continue_indexing_account(db::Read& db, const AccountIndexContinued& left) {
    auto some = db.all(account_statuses_below, left.account, left.below, chunk);
    return [some = std::move(some), account = left.account](db::Write& write) {
        write.run(queue_for_index, some);
        if (some.size() == chunk) write.emit(AccountIndexContinued{account, some.back()});
    };
}

// Queries.

namespace {

struct Candidate {
    StatusId id;
    std::optional<std::string> words;  // still to be checked
};
DESCRIBE(Candidate, id, words)

}  // namespace

// $1 is for SQLite's index, $5 for PostgreSQL's. PostgreSQL's index is unordered: the newest two thousand
// statuses are scanned first, and only if they do not suffice, for rare words, is the index used.
#define HITS_POSTGRES                                                                                    \
    "WITH recent AS MATERIALIZED ("                                                                      \
    "SELECT status_id FROM ("                                                                            \
    "SELECT status_id, terms FROM status_texts WHERE status_id > $2 AND status_id < $3 "                 \
    "ORDER BY status_id DESC LIMIT 2000) newest "                                                        \
    "WHERE terms @@ (SELECT CAST(CAST($5 AS TEXT) AS TSQUERY)) ORDER BY status_id DESC LIMIT $4), "      \
    "indexed AS MATERIALIZED ("                                                                          \
    "SELECT status_id FROM status_texts "                                                                \
    "WHERE (SELECT count(*) FROM recent) < $4 AND terms @@ (SELECT CAST(CAST($5 AS TEXT) AS TSQUERY))) " \
    "SELECT status_id AS id, CAST(NULL AS TEXT) AS words FROM ("                                         \
    "SELECT status_id FROM recent UNION "                                                                \
    "SELECT status_id FROM indexed WHERE status_id > $2 AND status_id < $3) found "                      \
    "WHERE CAST($1 AS TEXT) IS NOT NULL ORDER BY status_id DESC LIMIT $4"
const db::Query<Candidate> status_hits{
    "status_hits",
    R"(SELECT rowid AS id, NULL AS words FROM status_index WHERE status_index MATCH $1 AND rowid > $2 AND rowid < $3
       ORDER BY rowid DESC LIMIT $4)",
    HITS_POSTGRES
};
// On SQLite that scan is a separate statement, and so is the search for the words alone.
const db::Query<Candidate> newest_status_hits{
    "newest_status_hits",
    R"(SELECT status_id AS id, words FROM status_texts WHERE status_id > $2 AND status_id < $3
       ORDER BY status_id DESC LIMIT max($4, 50))",
    HITS_POSTGRES
};
const db::Query<Candidate> status_hits_of_words{
    "status_hits_of_words",
    R"(SELECT rowid AS id, words FROM status_index WHERE status_index MATCH $1 AND rowid > $2 AND rowid < $3
       ORDER BY rowid DESC LIMIT max($4, 50))",
    HITS_POSTGRES
};

namespace {

// Without marks that nearly all statuses have.
db::Sought words_of(const db::Sought& sought) {
    db::Sought words;
    for (const auto& one : sought.every)
        if (!one.words[0].starts_with('_')) words.every.push_back(one);
    return words;
}

}  // namespace

// Before the first result FTS5 opens every segment of its index for every word, and for a frequent mark it
// scans a list as long as the index. A common word fills a page from the newest statuses long before that,
// and matches of a rare word are quickly checked for their marks. Both go on while one in ten matches.
std::vector<StatusId> hits(db::Read& db, const db::Sought& sought, const base::Range& range) {
    constexpr int few = 50, common = 10;
    const auto at_once = std::max(range.limit, few);
    std::vector<StatusId> found;
    const db::Matcher matches(sought);
    auto below = range.below;
    auto look = [&](const db::Query<Candidate>& sql, const db::Sought& asked) {
        int looked_at = 0;
        auto add = [&](const Candidate& one) {
            ++looked_at;
            below = one.id.value;
            if (std::ssize(found) < range.limit && (!one.words || matches(*one.words)))
                found.push_back(one.id);
        };
        db.each(sql, add, asked.for_sqlite(), range.above, below, range.limit, sought.for_postgres());
        return looked_at;
    };
    // Returns whether there are no more, or enough.
    auto look_through = [&](const db::Query<Candidate>& sql, const db::Sought& asked) {
        const auto before = std::ssize(found);
        for (int looked_at = 0; (std::ssize(found) - before) * common >= looked_at;) {
            const auto some = look(sql, asked);
            if (some < at_once || std::ssize(found) == range.limit) return true;
            looked_at += some;
        }
        return false;
    };
    if (range.limit <= few && look_through(newest_status_hits, sought)) return found;
    const auto words = words_of(sought);
    if (!words.every.empty() && look_through(status_hits_of_words, words)) return found;
    look(status_hits, sought);
    return found;
}

const db::Query<Candidate> status_hits_among{
    "status_hits_among",
    R"(SELECT t.status_id AS id, t.words FROM json_each($1) j CROSS JOIN status_texts t ON t.status_id = j.value)",
    R"(SELECT status_id AS id, CAST(NULL AS TEXT) AS words FROM (
           SELECT status_id, terms FROM status_texts WHERE status_id = ANY($1::bigint[]) OFFSET 0) t
       WHERE terms @@ (SELECT CAST(CAST($2 AS TEXT) AS TSQUERY)))"
};

std::vector<StatusId> hits_among(db::Read& db, const db::Sought& sought, const std::vector<StatusId>& ids) {
    std::vector<StatusId> found;
    const db::Matcher matches(sought);
    db.each(
        status_hits_among,
        [&](const Candidate& one) {
            if (!one.words || matches(*one.words)) found.push_back(one.id);
        },
        ids,
        sought.for_postgres()
    );
    return found;
}

}  // namespace discovery
