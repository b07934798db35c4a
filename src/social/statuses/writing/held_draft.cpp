// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/writing/held_draft.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account.hpp"
#include "social/statuses/core/limited.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/writing/relations.hpp"
#include "social/tags/tag.hpp"

namespace statuses {

const db::Command show_held{
    "show_held",
    "UPDATE statuses SET visibility = $2, relations = $3, quote_policy = $4, version = version + 1 WHERE id "
    "= $1"
};

// What counts as ended is not looked for when it is due.
const db::Command pause_poll_of_status{
    "pause_poll_of_status", "UPDATE polls SET ended = TRUE WHERE status_id = $1"
};
const db::Command resume_poll_of_status{
    "resume_poll_of_status",
    "UPDATE polls SET ended = FALSE, expires_at = expires_at + $2 WHERE status_id = $1"
};

void pause_poll(db::Write& db, StatusId id) { db.run(pause_poll_of_status, id); }

namespace {

void resume_poll(db::Write& db, const Held& held) {
    db.run(resume_poll_of_status, held.status_id, db.now().ms - held.created_at.ms);
}

// Whom it quotes may think otherwise by now.
std::optional<VisibilityFacts> quoted_by(db::Read& db, AccountId author, StatusId quoted) {
    if (!quoted) return std::nullopt;
    try {
        return quotable(db, author, quoted);
    } catch (const base::Error&) {
        return std::nullopt;
    }
}

}  // namespace

void publish_held(db::Write& db, const Held& held) {
    auto status = find_status(db, held.status_id);
    if (!status) return;
    auto draft = base::json::read<HeldDraft>(held.draft);
    const auto author = status->account_id;
    draft.visibility = allowed(accounts::account(db, author), draft.visibility);
    auto quoted = quoted_by(db, author, draft.quoted_status);
    if (!quoted) draft.relations &= ~std::int64_t{has_quote};
    NamedTags named;
    for (std::size_t i = 0; i < draft.tags.size(); ++i)
        named.emplace_back(draft.tags[i], draft.tags_as_written[i]);
    tags::expect_all(db, named);
    auto tag_ids = tags::put_all(db, named);
    db.run(show_held, status->id, draft.visibility, draft.relations, draft.quote_policy);
    if ((draft.relations & has_poll) != 0) resume_poll(db, held);
    put_mentions(db, status->id, draft.mentions);
    put_first_tags(db, status->id, author, draft.visibility, std::move(tag_ids));
    // The parent's author may still have to approve it, as when it was written.
    if (auto parent = draft.in_reply_to ? access_to(db, author, draft.in_reply_to) : std::nullopt) {
        auto approval = stands_as_reply(db, status->id) ? Approval::automatic : Approval::manual;
        add_reply(db, {status->id, draft.visibility, {}}, *parent, approval);
    }
    if (quoted) attach_quote(db, status->id, author, *quoted);
    if (counted(draft.visibility)) accounts::count_status(db, author, 1, db.now());
    Published published{status->id, author};
    published.names_nobody = draft.mentions.empty() || draft.quiet;
    published.links_nothing = draft.links_nothing;
    published.not_direct = draft.visibility != Visibility::direct;
    db.emit(published);
}

}  // namespace statuses
