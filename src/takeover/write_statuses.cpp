// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/interactions/status_lists.hpp"
#include "takeover/rows.hpp"

namespace takeover {

const db::Command take_status{
    "take_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, reblog_of_id,
           visibility, relations, local, sensitive, created_at, edited_at, app_id, language, quote_policy,
           content_type, uri, url, spoiler_text, text, content, local_only, deleted_at, quote_approval)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
           $23, $24)
       ON CONFLICT DO NOTHING)"
};
const db::Command take_remote_facts{
    "take_remote_facts",
    "INSERT INTO remote_statuses (status_id, reported_at) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
// What it is besides is found out in the end (settle.cpp).
const db::Command take_conversation_uri{
    "take_conversation_uri",
    "INSERT INTO conversations (id, created_at, uri) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
const db::Command take_mention{
    "take_mention",
    R"(INSERT INTO mentions (status_id, account_id, silent, author_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};
const db::Command take_status_tag{
    "take_status_tag",
    R"(INSERT INTO status_tags (tag_id, status_id, account_id, local, reach) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING)"
};
const db::Command take_pin{
    "take_pin",
    "INSERT INTO status_pins (id, account_id, status_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};

namespace {

bool open(const StatusRow& s) {
    return s.visibility == statuses::Visibility::public_ || s.visibility == statuses::Visibility::unlisted;
}

// As STATUS_REACH of kinds.hpp has it.
std::int64_t reach(const StatusRow& s) {
    using statuses::Reach;
    auto out = Reach::named;
    if (open(s)) out = s.local_only ? Reach::this_site : Reach::everybody;
    else if (s.visibility == statuses::Visibility::private_) out = Reach::followers;
    return static_cast<std::int64_t>(out);
}

}  // namespace

void write(db::Write& db, const StatusRow& s) {
    db.run(
        take_status,
        s.id,
        s.account_id,
        s.conversation_id,
        s.in_reply_to_id,
        s.in_reply_to_account_id,
        s.reblog_of_id,
        s.visibility,
        s.relations,
        s.local,
        s.sensitive,
        s.created_at,
        s.edited_at,
        s.app_id,
        s.language,
        s.quote_policy,
        s.content_type,
        s.uri,
        s.url,
        s.spoiler_text,
        s.text,
        s.content,
        s.local_only,
        s.deleted_at,
        s.quote_approval
    );
    if (s.conversation_uri)
        db.run(take_conversation_uri, s.conversation_id, s.created_at, *s.conversation_uri);
    if (!s.local && !s.reblog_of_id) db.run(take_remote_facts, s.id, s.fetched_at);
    const auto author = open(s) ? std::nullopt : MaybeId(s.account_id);
    for (const auto& m : s.mentions) db.run(take_mention, s.id, m.account_id, m.silent, author);
    for (const auto tag : s.tags) db.run(take_status_tag, tag, s.id, s.account_id, s.local, reach(s));
    if (s.pin_id) db.run(take_pin, *s.pin_id, s.account_id, s.id);
}

const db::Command take_poll{
    "take_poll",
    R"(INSERT INTO polls (status_id, account_id, multiple, hide_totals, ended, expires_at, voters_count)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING)"
};
const db::Command take_poll_option{
    "take_poll_option",
    R"(INSERT INTO poll_options (status_id, position, votes_count, title) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};

void write(db::Write& db, const PollRow& p) {
    db.run(take_poll, p.status_id, p.account_id, p.multiple, p.hide_totals, p.ended, p.expires_at, p.voters);
    for (std::int64_t at = 0; const auto& [title, votes] : p.options)
        db.run(take_poll_option, p.status_id, at++, votes, title);
}

const db::Command take_quote{
    "take_quote",
    R"(INSERT INTO quotes (id, status_id, account_id, quoted_status_id, quoted_account_id, state, created_at,
           authorization_uri)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING)"
};
const db::Command take_legacy_quote{
    "take_legacy_quote", "UPDATE remote_statuses SET legacy_quote = TRUE WHERE status_id = $1"
};
void write(db::Write& db, const QuoteRow& q) {
    db.run(
        take_quote,
        q.id,
        q.status_id,
        q.account_id,
        q.quoted_id,
        q.quoted_account_id,
        q.state,
        q.created_at,
        q.authorization_uri
    );
    if (q.legacy) db.run(take_legacy_quote, q.status_id);
}

const db::Command take_medium{
    "take_medium",
    R"(INSERT INTO media (id, account_id, status_id, position, type, file, preview, mime, width, height,
           preview_width, preview_height, focus_x, focus_y, blurhash, description, free_since, created_at,
           processing, frame_rate, colors, duration, bitrate, thumbnail)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
           $23, $24)
       ON CONFLICT DO NOTHING)"
};

void write(db::Write& db, const MediaRow& row) {
    const auto& m = row.media;
    const bool free = !m.status_id && !m.scheduled_id;
    db.run(
        take_medium,
        m.id,
        m.account_id,
        m.status_id ? std::optional(m.status_id) : std::nullopt,
        m.position,
        m.type,
        m.file,
        m.preview,
        m.mime,
        m.width,
        m.height,
        m.preview_width,
        m.preview_height,
        m.focus_x,
        m.focus_y,
        m.blurhash,
        m.description,
        free ? std::optional(db.now()) : std::nullopt,
        row.created_at,
        m.processing,
        m.frame_rate,
        m.colors,
        m.duration,
        m.bitrate,
        m.thumbnail
    );
}

const db::Command take_bookmark{
    "take_bookmark",
    "INSERT INTO bookmarks (id, account_id, status_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};

void write(db::Write& db, const BookmarkRow& b) {
    db.run(take_bookmark, b.id, b.account_id, b.status_id);
    statuses::note_touched(db, statuses::StatusId{b.status_id});
}

}  // namespace takeover
