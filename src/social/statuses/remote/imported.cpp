// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/imported.hpp"

#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/limited.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/remote/remote_parts.hpp"

namespace statuses {

const db::Command insert_imported_status{
    "insert_imported_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, visibility,
           relations, sensitive, created_at, edited_at, language, quote_policy, content_type, spoiler_text, text, content,
           local_only)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'nobody', $12, $13, $14, $15, TRUE))"
};

StatusId bring_along(db::Write& db, const ImportedPost& post) {
    const auto author = accounts::account(db, post.author);
    const auto visibility = allowed(author, post.visibility);
    const auto created = std::clamp(post.published, Time{1}, db.now());
    const bool edited = post.updated && *post.updated > created && *post.updated <= db.now();
    auto parent = post.in_reply_to ? find_status(db, post.in_reply_to) : std::nullopt;
    if (parent && parent->account_id != post.author) parent.reset();

    RemoteStatus said;
    said.author = post.author;
    said.html = post.html;
    said.spoiler_text = post.spoiler_text;
    said.language = post.language;
    said.tags = post.tags;
    said.poll = post.poll;
    const auto text = text_of(db, said, "");

    // Archives have whole seconds, and a thread may have several posts in one second.
    const auto id = id_by_date(db, post.uri, created, parent ? parent->id : StatusId{});
    db.run(
        insert_imported_status,
        id,
        post.author,
        parent ? parent->conversation_id : start_conversation(db, id, post.author),
        parent ? std::optional(parent->id) : std::nullopt,
        parent ? std::optional(post.author) : std::nullopt,
        visibility,
        remote_relations(said, text, !post.media.empty(), false),
        post.sensitive,
        created,
        edited ? post.updated : std::nullopt,
        text.language,
        post.content_type,
        text.spoiler_text,
        post.text,
        text.html
    );
    // Old uses of a tag must not make it trend today.
    put_tags(db, id, post.author, open(visibility) ? Visibility::unlisted : visibility, text.tags);
    if (usable(post.poll)) add_remote_poll(db, id, post.author, *post.poll);
    if (!post.media.empty()) media::attach(db, post.author, id, post.media);
    if (parent) count_reply(db, parent->id, visibility, 1);
    if (counted(visibility)) accounts::count_status(db, post.author, 1, std::nullopt);
    db.emit(BroughtAlong{id});
    return id;
}

const db::Command unbind_statuses{
    "unbind_statuses",
    R"(UPDATE statuses SET local_only = FALSE, version = version + 1
       WHERE id IN LIST($1) AND local = TRUE AND local_only = TRUE AND deleted_at IS NULL)"
};
// `reach` as in kinds.hpp: from this site to everybody.
const db::Command unbind_tags{
    "unbind_tags", "UPDATE status_tags SET reach = 0 WHERE status_id IN LIST($1) AND reach = 1"
};

void show_elsewhere(db::Write& db, const std::vector<StatusId>& ids) {
    if (ids.empty()) return;
    db.run(unbind_statuses, ids);
    db.run(unbind_tags, ids);
}

}  // namespace statuses
