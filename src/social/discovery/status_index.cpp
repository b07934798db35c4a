// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/discovery/status_index.hpp"

#include "base/text/sanitize.hpp"
#include "base/text/words.hpp"
#include "social/discovery/query.hpp"

#include <limits>
#include <map>

namespace discovery {

namespace {

struct Indexed {
    StatusId id;
    AccountId account_id;
    std::string visibility;
    bool sensitive = false, reply = false, indexable = false;
    std::optional<std::string> language;
    std::int64_t relations = 0;
    std::string spoiler_text, text, content;
};
DESCRIBE(
    Indexed, id, account_id, visibility, sensitive, reply, indexable, language, relations, spoiler_text, text,
    content
)

// What other tables say of statuses.
struct Said {
    StatusId status_id;
    std::string kind, value;
};
DESCRIBE(Said, status_id, kind, value)

struct Text {
    StatusId id;
    std::string words, terms;  // for SQLite, for PostgreSQL
};
DESCRIBE(Text, id, words, terms)

}  // namespace

#define INDEXED                                                                                       \
    "SELECT s.id, s.account_id, s.visibility, s.sensitive, (s.in_reply_to_id IS NOT NULL) AS reply, " \
    "a.indexable, s.language, s.relations, s.spoiler_text, s.text, s.content "                        \
    "FROM statuses s JOIN accounts a ON a.id = s.account_id "

#define TO_INDEX " AND s.deleted_at IS NULL AND s.reblog_of_id IS NULL ORDER BY s.id"

const db::Query<Indexed> statuses_to_index{
    "statuses_to_index",
    INDEXED "WHERE s.id IN (SELECT value FROM json_each($1))" TO_INDEX,
    INDEXED "WHERE s.id = ANY($1::bigint[])" TO_INDEX
};
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
// media belongs to media, tags to tags; the rest to statuses.
const db::Query<Said> said_of_statuses{
    "said_of_statuses",
    R"(SELECT status_id, 'mention' AS kind, CAST(account_id AS TEXT) AS value FROM mentions WHERE status_id IN (SELECT value FROM json_each($1))
       UNION ALL SELECT x.status_id, 'tag', t.name FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id IN (SELECT value FROM json_each($1))
       UNION ALL SELECT status_id, 'media', type FROM media WHERE status_id IN (SELECT value FROM json_each($1))
       UNION ALL SELECT status_id, 'text', description FROM media WHERE status_id IN (SELECT value FROM json_each($1)) AND description IS NOT NULL
       UNION ALL SELECT status_id, 'text', title FROM poll_options WHERE status_id IN (SELECT value FROM json_each($1))
       UNION ALL SELECT x.status_id, 'card', c.type FROM preview_cards_statuses x JOIN preview_cards c ON c.id = x.card_id
       WHERE x.status_id IN (SELECT value FROM json_each($1)))",
    R"(SELECT status_id, 'mention' AS kind, CAST(account_id AS TEXT) AS value FROM mentions WHERE status_id = ANY($1::bigint[])
       UNION ALL SELECT x.status_id, 'tag', t.name FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id = ANY($1::bigint[])
       UNION ALL SELECT status_id, 'media', type FROM media WHERE status_id = ANY($1::bigint[])
       UNION ALL SELECT status_id, 'text', description FROM media WHERE status_id = ANY($1::bigint[]) AND description IS NOT NULL
       UNION ALL SELECT status_id, 'text', title FROM poll_options WHERE status_id = ANY($1::bigint[])
       UNION ALL SELECT x.status_id, 'card', c.type FROM preview_cards_statuses x JOIN preview_cards c ON c.id = x.card_id
       WHERE x.status_id = ANY($1::bigint[]))"
};

// Many rows at once: FTS5 writes out what it holds before every statement that fires a trigger, and merges what was
// written out, so that rows one by one cost a hundred times more.
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
const db::Command delete_status_text{"delete_status_text", "DELETE FROM status_texts WHERE status_id = $1"};

namespace {

void append_words(std::vector<std::string>& out, std::string_view text) {
    for (auto& word : base::text::words(text)) out.push_back(std::move(word));
}

void add_marks(std::vector<std::string>& marks, const Indexed& status) {
    marks.push_back(mark::any);
    marks.push_back(mark::by(status.account_id));
    if (status.visibility == "public" && status.indexable) marks.push_back(mark::open);
    if (status.sensitive) marks.push_back(mark::of("sensitive"));
    if (status.reply) marks.push_back(mark::of("reply"));
    if (status.relations & statuses::has_poll) marks.push_back(mark::of("poll"));
    if (status.relations & statuses::has_quote) marks.push_back(mark::of("quote"));
    if (!status.language) return;
    marks.push_back(mark::language(*status.language));
    if (auto dash = status.language->find('-'); dash != std::string::npos)
        marks.push_back(mark::language(status.language->substr(0, dash)));
}

void add_said(db::IndexedText& text, const Said& said) {
    if (said.kind == "mention") text.marks.push_back(mark::mentioning({std::stoll(said.value)}));
    else if (said.kind == "tag") text.marks.push_back(mark::tag(said.value));
    else if (said.kind == "text") append_words(text.words, said.value);
    else if (said.kind == "card") {
        text.marks.push_back(mark::of("link"));
        if (said.value != "link") text.marks.push_back(mark::of("embed"));
    } else {
        text.marks.push_back(mark::of("media"));
        text.marks.push_back(mark::of(said.value == "gifv" ? "video" : said.value));
    }
}

db::IndexedText text_of(const Indexed& status) {
    db::IndexedText text;
    append_words(text.words, status.spoiler_text);
    // Statuses from elsewhere have no source.
    append_words(text.words, status.text.empty() ? base::text::plain_text(status.content) : status.text);
    add_marks(text.marks, status);
    // Links have a hidden scheme, mentions and hashtags do not.
    if (status.content.find("<span class=\"invisible\">http") != std::string::npos)
        text.marks.push_back(mark::of("link"));
    return text;
}

// The oldest first: FTS5 writes out what it holds whenever an older row comes, too.
void index_all(db::Write& db, const std::vector<StatusId>& ids) {
    std::map<StatusId, db::IndexedText> found;
    std::vector<StatusId> related;
    auto add = [&](const Indexed& status) {
        found.emplace(status.id, text_of(status));
        if (status.relations != 0) related.push_back(status.id);
    };
    db.each(statuses_to_index, add, ids);
    if (!related.empty())
        db.each(said_of_statuses, [&](const Said& said) { add_said(found[said.status_id], said); }, related);
    std::vector<Text> texts;
    for (const auto& [id, text] : found) texts.push_back({id, text.for_sqlite(), text.for_postgres()});
    if (!texts.empty()) db.run(put_status_texts, base::json::to_string(texts));
}

}  // namespace

void index_status(db::Write& db, StatusId id) { index_all(db, {id}); }

void index_published(db::Write& db, const statuses::Published& event) { index_status(db, event.id); }

void index_edited(db::Write& db, const statuses::Edited& event) { index_status(db, event.id); }

void index_previewed(db::Write& db, const statuses::CardShown& event) { index_status(db, event.status); }

void forget_deleted(db::Write& db, const statuses::Deleted& event) { db.run(delete_status_text, event.id); }

namespace {

constexpr int chunk = 200;

}  // namespace

void index_older(db::Write& db, const IndexLeft& left) {
    auto some = db.all(statuses_below, left.below, chunk);
    index_all(db, some);
    if (some.size() == chunk) db.emit(IndexLeft{some.back()});
}

// The newest public status tells what the index believes: whether anything has changed.
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
    auto believed = db.maybe(indexed_as_open, account->id, "'" + mark::open + "'");
    if (believed && *believed != account->indexable)
        db.emit(AccountIndexLeft{account->id, {std::numeric_limits<std::int64_t>::max()}});
}

void index_account_left(db::Write& db, const AccountIndexLeft& left) {
    auto some = db.all(account_statuses_below, left.account, left.below, chunk);
    index_all(db, some);
    if (some.size() == chunk) db.emit(AccountIndexLeft{left.account, some.back()});
}

// $1 asks SQLite's index, $5 PostgreSQL's. PostgreSQL's index knows no order: the newest two thousand are looked
// through first, and only when they do not suffice – for rare words – is the index asked for all there are.
const db::Query<StatusId> status_hits{
    "status_hits",
    R"(SELECT rowid AS id FROM status_index WHERE status_index MATCH $1 AND rowid > $2 AND rowid < $3
       ORDER BY rowid DESC LIMIT $4)",
    R"(WITH recent AS MATERIALIZED (
           SELECT status_id FROM (
               SELECT status_id, terms FROM status_texts WHERE status_id > $2 AND status_id < $3
               ORDER BY status_id DESC LIMIT 2000) newest
           WHERE terms @@ CAST(CAST($5 AS TEXT) AS TSQUERY) ORDER BY status_id DESC LIMIT $4),
       indexed AS MATERIALIZED (
           SELECT status_id FROM status_texts
           WHERE (SELECT count(*) FROM recent) < $4 AND terms @@ CAST(CAST($5 AS TEXT) AS TSQUERY))
       SELECT status_id AS id FROM (
           SELECT status_id FROM recent UNION SELECT status_id FROM indexed WHERE status_id > $2 AND status_id < $3) found
       WHERE CAST($1 AS TEXT) IS NOT NULL ORDER BY status_id DESC LIMIT $4)"
};

std::vector<StatusId> hits(db::Read& db, const db::Sought& sought, const base::Range& range) {
    return db.all(
        status_hits, sought.for_sqlite(), range.above, range.below, range.limit, sought.for_postgres()
    );
}

namespace {

struct Candidate {
    StatusId id;
    std::optional<std::string> words;  // still to be looked at
};
DESCRIBE(Candidate, id, words)

}  // namespace

const db::Query<Candidate> status_hits_among{
    "status_hits_among",
    R"(SELECT t.status_id AS id, t.words FROM json_each($1) j CROSS JOIN status_texts t ON t.status_id = j.value)",
    R"(SELECT status_id AS id, CAST(NULL AS TEXT) AS words FROM status_texts
       WHERE status_id = ANY($1::bigint[]) AND terms @@ CAST(CAST($2 AS TEXT) AS TSQUERY))"
};

std::vector<StatusId> hits_among(db::Read& db, const db::Sought& sought, const std::vector<StatusId>& ids) {
    std::vector<StatusId> found;
    db.each(
        status_hits_among,
        [&](const Candidate& one) {
            if (!one.words || sought.matches(*one.words)) found.push_back(one.id);
        },
        ids,
        sought.for_postgres()
    );
    return found;
}

}  // namespace discovery
