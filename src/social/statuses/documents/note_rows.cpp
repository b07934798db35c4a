// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/documents/note_rows.hpp"

#include "base/uris.hpp"
#include "social/accounts/account.hpp"

namespace statuses {

std::string NoteRow::actor(const base::Site& site) const {
    return accounts::uri_of(site, account_id, account_uri);
}

std::string NoteRow::own_uri(const base::Site& site) const {
    return uri_of(site, {id, uri, account_id, account_uri, bool(reblog_of_id)});
}

std::string NoteRow::original(const base::Site& site) const {
    return uri_of(site, {reblog_of_id, original_uri, original_account_id, original_account_uri, false});
}

std::string NoteRow::original_author(const base::Site& site) const {
    return accounts::uri_of(site, original_account_id, original_account_uri);
}

#define NOTE_ROWS                                                                                            \
    "SELECT s.id, s.uri, s.account_id, a.uri AS account_uri, a.username, "                                   \
    "a.sensitized_at IS NOT NULL AS sensitized, a.silenced_at IS NOT NULL AS silenced, "                     \
    "s.deleted_at IS NOT NULL AS deleted, s.in_reply_to_id, s.reblog_of_id, s.visibility, s.relations, "     \
    "s.sensitive, s.reblogs_count, s.favourites_count, s.created_at, s.edited_at, s.language, "              \
    "s.quote_policy, s.reply_policy, s.spoiler_text, s.text, s.content, p.uri AS parent_uri, "               \
    "p.account_id AS parent_account_id, COALESCE(pa.uri, '') AS parent_account_uri, y.authorization_uri AS " \
    "reply_authorization, "                                                                                  \
    "r.uri AS original_uri, r.account_id AS original_account_id, "                                           \
    "COALESCE(ra.uri, '') AS original_account_uri, c.status_id AS conversation_status_id, "                  \
    "c.account_id AS conversation_account_id, c.uri AS conversation_uri "                                    \
    "FROM statuses s JOIN accounts a ON a.id = s.account_id LEFT JOIN statuses p ON p.id = "                 \
    "s.in_reply_to_id "                                                                                      \
    "LEFT JOIN accounts pa ON pa.id = p.account_id "                                                         \
    "LEFT JOIN reply_approvals y ON y.status_id = s.id AND y.state = 'approved' AND (y.authorization_uri "   \
    "<> '' OR pa.domain = '') LEFT JOIN statuses r ON "                                                      \
    "r.id = s.reblog_of_id "                                                                                 \
    "LEFT JOIN accounts ra ON ra.id = r.account_id LEFT JOIN conversations c ON c.id = s.conversation_id "

const db::Query<NoteRow> rows_of_notes{"rows_of_notes", NOTE_ROWS "WHERE s.id IN LIST($1)"};

std::vector<NoteRow> note_rows(db::Read& db, const std::vector<StatusId>& ids) {
    if (ids.empty()) return {};
    return db.all(rows_of_notes, ids);
}

NoteRow note_row(db::Read& db, StatusId id) {
    auto found = note_rows(db, {id});
    if (found.empty()) throw base::NoSuchStatus();
    return std::move(found[0]);
}

// actors belongs to federation, follows to relationships.
#define ADDRESSED                                                                                          \
    "SELECT m.status_id, a.id, a.username, a.domain, a.uri, a.actor_type, COALESCE(x.followers, '') AS "   \
    "followers, "                                                                                          \
    "m.silent, EXISTS (SELECT 1 FROM follows f WHERE f.account_id = a.id AND f.target_id = s.account_id) " \
    "AS follows "                                                                                          \
    "FROM mentions m JOIN statuses s ON s.id = m.status_id JOIN accounts a ON a.id = m.account_id "        \
    "LEFT JOIN actors x ON x.account_id = a.id "

const db::Query<Addressed> addressed_by_notes{
    "addressed_by_notes", ADDRESSED "WHERE m.status_id IN LIST($1) ORDER BY m.status_id, a.id"
};

const db::Query<NoteTag> tags_of_notes{
    "tags_of_notes",
    R"(SELECT x.status_id, t.name FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id IN LIST($1) ORDER BY x.status_id, t.id)"
};

#define NOTE_QUOTES                                                                                      \
    "SELECT q.id, q.status_id, q.state, q.authorization_uri, q.quoted_status_id AS quoted_id, s.uri AS " \
    "quoted_uri, "                                                                                       \
    "s.url AS quoted_url, q.quoted_account_id, COALESCE(a.uri, '') AS account_uri, "                     \
    "COALESCE(a.username, '') AS username, COALESCE(a.domain, '') AS domain, "                           \
    "(s.id IS NULL OR s.deleted_at IS NOT NULL) AS gone FROM quotes q "                                  \
    "LEFT JOIN statuses s ON s.id = q.quoted_status_id LEFT JOIN accounts a ON a.id = q.quoted_account_id "

const db::Query<NoteQuote> quotes_in_notes{"quotes_in_notes", NOTE_QUOTES "WHERE q.status_id IN LIST($1)"};
const db::Query<NoteQuote> quote_by_id{"quote_by_id", NOTE_QUOTES "WHERE q.id = $1"};

std::string quoted_uri(const base::Site& site, const NoteQuote& q) {
    return uri_of(site, {q.quoted_id, q.quoted_uri, q.quoted_account_id, q.account_uri, false});
}

std::optional<NoteQuote> find_quote(db::Read& db, QuoteId id) { return db.maybe(quote_by_id, id); }

#define SELF_REPLIES_BEGIN                                                                          \
    "SELECT parent_id, id, uri FROM (SELECT s.in_reply_to_id AS parent_id, s.id, s.uri, "           \
    "row_number() OVER (PARTITION BY s.in_reply_to_id ORDER BY s.id) AS place "                     \
    "FROM statuses s JOIN statuses p ON p.id = s.in_reply_to_id WHERE s.account_id = p.account_id " \
    "AND s.deleted_at IS NULL AND s.local_only = FALSE AND s.visibility IN ('public', 'unlisted') AND "
#define SELF_REPLIES_END ") AS answers WHERE place <= $2 ORDER BY parent_id, id"

const db::Query<SelfReply> self_replies_to_notes{
    "self_replies_to_notes", SELF_REPLIES_BEGIN "s.in_reply_to_id IN LIST($1)" SELF_REPLIES_END
};

NoteParts note_parts(db::Read& db, const std::vector<NoteRow>& rows) {
    NoteParts out;
    std::vector<StatusId> all, with_mentions, with_tags, with_media, with_quote, with_polls;
    for (const auto& row : rows) {
        if (row.reblog_of_id) continue;
        all.push_back(row.id);
        if (row.relations & has_mentions) with_mentions.push_back(row.id);
        if (row.relations & has_tags) with_tags.push_back(row.id);
        if (row.relations & has_media) with_media.push_back(row.id);
        if (row.relations & has_quote) with_quote.push_back(row.id);
        if (row.relations & has_poll) with_polls.push_back(row.id);
        out.emojis.add(row.text, "");
        out.emojis.add(row.spoiler_text, "");
    }
    if (!with_mentions.empty()) out.addressed = db.all(addressed_by_notes, with_mentions);
    if (!with_tags.empty()) out.tags = db.all(tags_of_notes, with_tags);
    if (!with_media.empty()) out.media = media::of_statuses(db, with_media);
    if (!with_quote.empty()) out.quotes = db.all(quotes_in_notes, with_quote);
    out.polls = polls(db, with_polls);
    if (!all.empty()) out.replies = db.all(self_replies_to_notes, all, self_replies_shown);
    for (const auto& poll : out.polls)
        for (const auto& option : poll.options) out.emojis.add(option.title, "");
    out.emojis.load(db);
    return out;
}

}  // namespace statuses
