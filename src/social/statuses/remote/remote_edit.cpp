// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/lock.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/remote/remote_parts.hpp"
#include "social/statuses/writing/edit.hpp"

#include <algorithm>

namespace statuses {

// What is told by others is never less than what is known here.
const db::Command update_reported_counts{
    "update_reported_counts",
    R"(UPDATE statuses SET version = version + 1,
           favourites_count = COALESCE(CAST($2 AS BIGINT), favourites_count),
           reblogs_count = COALESCE(CAST($3 AS BIGINT), reblogs_count)
       WHERE id = $1)"
};
const db::Command update_remote_status{
    "update_remote_status",
    R"(UPDATE statuses SET content = $2, spoiler_text = $3, sensitive = $4, language = $5, relations = $6,
           edited_at = $7, version = version + 1 WHERE id = $1)"
};
const db::Command update_remote_policy{
    "update_remote_policy",
    R"(UPDATE statuses SET quote_policy = $2, quote_approval = $3, version = version + 1
       WHERE id = $1 AND (quote_policy <> $2 OR quote_approval <> $3))"
};
const db::Command update_remote_reply_policy{
    "update_remote_reply_policy",
    "UPDATE statuses SET reply_approval = $2, version = version + 1 WHERE id = $1 AND reply_approval <> $2"
};
struct KnownCounts {
    std::int64_t favourites = 0, reblogs = 0;
};
DESCRIBE(KnownCounts, favourites, reblogs)
const db::Query<KnownCounts> known_counts{
    "known_counts",
    R"(SELECT (SELECT count(*) FROM favourites WHERE status_id = $1) AS favourites,
              (SELECT count(*) FROM statuses WHERE reblog_of_id = $1 AND deleted_at IS NULL) AS reblogs)"
};

namespace {

void update_counts(db::Write& db, StatusId id, const RemoteStatus& status) {
    if (!status.favourites_count && !status.reblogs_count) return;
    auto here = db.one(known_counts, id);
    auto more = [](std::optional<std::int64_t> told, std::int64_t known) -> std::optional<std::int64_t> {
        if (!told) return std::nullopt;
        return std::clamp<std::int64_t>(*told, known, std::int64_t{1} << 50);
    };
    auto favourites = more(status.favourites_count, here.favourites);
    auto reblogs = more(status.reblogs_count, here.reblogs);
    db.run(update_reported_counts, id, favourites, reblogs);
}

bool says_else(const Editable& now, const RemoteStatus& status, const RemoteText& text) {
    return now.content != text.html || now.spoiler_text != text.spoiler_text ||
           now.sensitive != status.sensitive || (text.language && now.language != text.language);
}

bool shows_else(db::Read& db, StatusId id, const RemoteText& text) {
    auto shown = media::of_statuses(db, {id});
    return !std::ranges::equal(shown, text.media, [](const media::Media& a, const media::RemoteMedia& b) {
        return a.file == b.url && a.description.value_or("") == b.description;
    });
}

void replace_remote_poll(db::Write& db, StatusId id, const RemoteStatus& status, bool had_one) {
    if (had_one) drop_poll(db, id);
    if (usable(status.poll)) add_remote_poll(db, id, status.author, *status.poll);
}

// Updates overtake each other on their way, and old ones come again: the latest word counts. Many tell whole seconds.
bool is_older(const Editable& now, const RemoteStatus& status) {
    return status.updated && status.updated->ms / 1000 < now.edited_at.value_or(now.created_at).ms / 1000;
}

// Of a second several edits, or the post and its edit, may be: then what says something else is taken for the later.
bool may_be_newer(const Editable& now, const RemoteStatus& status) {
    if (!status.updated) return false;
    const auto known = now.edited_at.value_or(now.created_at);
    bool whole = status.updated->ms % 1000 == 0;
    return *status.updated >= known || (whole && status.updated->ms / 1000 == known.ms / 1000);
}

}  // namespace

void edit_remote(db::Write& db, const RemoteStatus& status) {
    // What it quotes and comes at the same time finds it, or is found by it.
    if (status.quote) db.lock({db::shared(address_lock, std::string_view(status.quote->uri))});
    auto id = find_by_uri(db, status.uri);
    auto found = id ? find_status(db, *id) : std::nullopt;
    if (!found || found->account_id != status.author || found->reblog_of_id) return;
    auto author = accounts::account(db, status.author);
    if (author.local()) return;
    auto now = editable(db, status.author, *id);
    note_reported(db, *id);
    // What its server counts comes without a time, or with that of the last edit.
    if (is_older(now, status)) return;
    update_counts(db, *id, status);
    if (open(now.visibility)) db.run(update_remote_policy, *id, status.quote_policy, status.quote_approval);
    db.run(update_remote_reply_policy, *id, status.reply_approval);
    recheck_reply_authorization(db, *id, status);
    recheck_quote_authorization(db, *id, status);
    auto poll = find_poll(db, *id);
    bool same_poll = poll.has_value() == usable(status.poll) && (!poll || asks_the_same(*poll, *status.poll));
    if (same_poll && poll) {
        update_tallies(db, *id, *status.poll);
        touch(db, *id);
    }
    auto text = text_of(db, status, author.domain);
    bool other_media = shows_else(db, *id, text);
    emojis::store_remote(db, author.domain, status.emojis);
    if (!may_be_newer(now, status) || (same_poll && !other_media && !says_else(now, status, text))) return;
    tell_judged(db, status.verdict, *id, status.author);
    if (status.verdict && status.verdict->refused) return;
    if (!was_edited(db, *id)) record(db, *id, snapshot(db, now));
    media::put_remote(db, status.author, *id, text.media);
    if (!same_poll) replace_remote_poll(db, *id, status, poll.has_value());
    auto fresh = replace_mentions(db, *id, tagged(status));
    put_silent_mentions(db, *id, status);
    bool quotes = (now.relations & has_quote) != 0;
    auto relations = remote_relations(status, text, !text.media.empty(), quotes) | (now.relations & has_card);
    auto edited = std::min(*status.updated, db.now());
    db.run(
        update_remote_status,
        *id,
        text.html,
        text.spoiler_text,
        status.sensitive,
        text.language ? text.language : now.language,
        relations,
        edited
    );
    replace_tags(db, *id, status.author, now.visibility, text.tags);
    if (!quotes) quote_remote(db, *id, status);
    if (status.verdict && status.verdict->unlist) unlist(db, *id);
    record(db, *id, snapshot(db, editable(db, status.author, *id)));
    if (status.verdict && status.verdict->quiet) fresh.clear();
    db.emit(Edited{*id, status.author, std::move(fresh)});
}

}  // namespace statuses
