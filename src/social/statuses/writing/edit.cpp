// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/edit.hpp"

#include "base/json_read.hpp"
#include "social/statuses/core/held.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/writing/relations.hpp"

#include <algorithm>

namespace statuses {

const db::Query<Editable> editable_status{
    "editable_status",
    R"(SELECT id, account_id, visibility, quote_policy, relations, sensitive, created_at, edited_at, language,
              content_type, spoiler_text, text, content
       FROM statuses WHERE id = $1 AND reblog_of_id IS NULL AND deleted_at IS NULL)"
};

Editable editable(db::Read& db, AccountId me, StatusId id) {
    auto found = db.maybe(editable_status, id);
    if (!found || found->account_id != me) throw base::NoSuchStatus();
    return *std::move(found);
}

Snapshot snapshot(db::Read& db, const Editable& status) {
    Snapshot out;
    out.created_at = status.edited_at.value_or(status.created_at);
    out.sensitive = status.sensitive;
    out.spoiler_text = status.spoiler_text;
    out.text = status.text;
    out.content = status.content;
    if (status.relations & has_media)
        for (const auto& m : media::of_statuses(db, {status.id}))
            out.media.push_back({m.id, m.description.value_or("")});
    if (status.relations & has_poll)
        if (auto poll = find_poll(db, status.id))
            for (const auto& option : poll->options) out.poll_options.push_back(option.title);
    return out;
}

namespace {

struct EditRow {
    Time created_at;
    bool sensitive = false;
    std::string spoiler_text, text, content, media, poll_options;
};
DESCRIBE(EditRow, created_at, sensitive, spoiler_text, text, content, media, poll_options)

}  // namespace

const db::Query<EditRow> edits_of_status{
    "edits_of_status",
    R"(SELECT created_at, sensitive, spoiler_text, text, content, media, poll_options
       FROM status_edits WHERE status_id = $1 ORDER BY id)"
};

std::vector<Snapshot> history(db::Read& db, StatusId id) {
    std::vector<Snapshot> out;
    for (auto& row : db.all(edits_of_status, id))
        out.push_back(
            {row.created_at,
             row.sensitive,
             std::move(row.spoiler_text),
             std::move(row.text),
             std::move(row.content),
             base::json::read<std::vector<SnapshotMedia>>(row.media),
             base::json::read<std::vector<std::string>>(row.poll_options)}
        );
    if (!out.empty()) return out;
    auto status = db.maybe(editable_status, id);
    if (!status) throw base::NoSuchStatus();
    return {snapshot(db, *status)};
}

const db::Command insert_edit{
    "insert_edit",
    R"(INSERT INTO status_edits (id, status_id, created_at, sensitive, spoiler_text, text, content, media,
           poll_options) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9))"
};

void record(db::Write& db, StatusId id, const Snapshot& s) {
    db.run(
        insert_edit,
        db.new_id<base::Id<struct EditTag>>(),
        id,
        s.created_at,
        s.sensitive,
        s.spoiler_text,
        s.text,
        s.content,
        base::json::to_string(s.media),
        base::json::to_string(s.poll_options)
    );
}

const db::Query<bool> any_edit{"any_edit", "SELECT EXISTS (SELECT 1 FROM status_edits WHERE status_id = $1)"};

bool was_edited(db::Read& db, StatusId id) { return db.one(any_edit, id); }

namespace {

bool says_else(const Editable& now, const Edit& edit) {
    return now.text != edit.text || now.spoiler_text != edit.spoiler_text ||
           now.sensitive != edit.sensitive || now.content_type != edit.content_type ||
           (edit.language && now.language != edit.language);
}

std::int64_t relations_of(const Editable& now, const Edit& edit, const std::vector<MediaId>& media) {
    auto bits = now.relations & ~std::int64_t{has_mentions | has_tags | has_media | has_poll};
    if (!edit.content.mentions.empty()) bits |= has_mentions;
    if (!edit.content.tags.empty()) bits |= has_tags;
    if (!media.empty()) bits |= has_media;
    if (edit.poll) bits |= has_poll;
    return bits;
}

}  // namespace

const db::Command update_status{
    "update_status",
    R"(UPDATE statuses SET text = $2, spoiler_text = $3, content = $4, content_type = $5, sensitive = $6,
           language = $7, relations = $8, edited_at = $9, version = version + 1 WHERE id = $1)"
};
namespace {

void write(db::Write& db, const Editable& now, const Edit& edit, const std::vector<MediaId>& media) {
    db.run(
        update_status,
        edit.id,
        edit.text,
        edit.spoiler_text,
        edit.content.html,
        edit.content_type,
        edit.sensitive,
        edit.language ? edit.language : now.language,
        relations_of(now, edit, media),
        db.now()
    );
}

}  // namespace

void edit(db::Write& db, const Edit& edit) {
    auto now = editable(db, edit.account, edit.id);
    if (is_held(db, edit.id)) throw base::Forbidden();  // the team is reviewing the present text
    auto shown = media::usable(db, edit.account, edit.media, edit.id);
    bool quotes = (now.relations & has_quote) != 0;
    check_text(db.site(), edit.text, edit.spoiler_text, !shown.empty() || quotes);
    // The policies are not part of the content.
    if (edit.quote_policy) set_quote_policy(db, edit.account, edit.id, edit.quote_policy);
    if (edit.reply_policy) set_reply_policy(db, edit.account, edit.id, *edit.reply_policy);
    bool new_media = media::would_change(db, edit.id, shown, edit.media_changes);
    const auto poll = find_poll(db, edit.id);
    const bool new_poll = differs(poll, edit.poll);
    if (!says_else(now, edit) && !new_media && !new_poll) {
        // A new end of the poll alone is no edit of the post. A poll that has ended stays ended.
        const bool runs = poll && poll->expires_at && *poll->expires_at > db.now();
        if (runs && poll->expires_at != end_of(db, *edit.poll)) {
            replace_poll(db, edit.id, edit.account, edit.poll);
            touch(db, edit.id);
        }
        return;
    }
    if (!was_edited(db, edit.id)) record(db, edit.id, snapshot(db, now));
    if (new_media) media::replace(db, edit.account, edit.id, shown, edit.media_changes);
    replace_poll(db, edit.id, edit.account, edit.poll);
    auto mentioned = replace_mentions(db, edit.id, edit.content.mentions);
    write(db, now, edit, shown);
    replace_tags(db, edit.id, edit.account, now.visibility, edit.content.tags);
    record(db, edit.id, snapshot(db, editable(db, edit.account, edit.id)));
    if (edit.verdict && edit.verdict->unlist) unlist(db, edit.id);
    tell_judged(db, edit.verdict, edit.id, edit.account);
    if (edit.verdict && edit.verdict->quiet) mentioned.clear();
    db.emit(Edited{edit.id, edit.account, std::move(mentioned)});
}

const db::Command mark_sensitive{
    "mark_sensitive",
    "UPDATE statuses SET sensitive = $2, edited_at = COALESCE($3, edited_at), version = version + 1 WHERE id "
    "= $1"
};

bool set_sensitive(db::Write& db, StatusId id, bool sensitive) {
    auto now = db.maybe(editable_status, id);
    if (!now || now->sensitive == sensitive || (now->relations & (has_media | has_card)) == 0) return false;
    const bool ours = written_here(db, id);
    // A remote status keeps its own history: only the mark is set.
    if (ours && !was_edited(db, id)) record(db, id, snapshot(db, *now));
    db.run(mark_sensitive, id, sensitive, ours ? std::optional(db.now()) : std::nullopt);
    if (ours) record(db, id, snapshot(db, *db.maybe(editable_status, id)));
    db.emit(Edited{id, now->account_id, {}});
    return true;
}

const db::Query<AccountId> rebloggers_of_status{
    "rebloggers_of_status",
    R"(SELECT account_id FROM statuses WHERE reblog_of_id = $1 AND deleted_at IS NULL AND account_id > $2
       ORDER BY account_id LIMIT $3)"
};

std::vector<AccountId> rebloggers(db::Read& db, StatusId id, AccountId after, int limit) {
    return db.all(rebloggers_of_status, id, after, limit);
}

}  // namespace statuses
