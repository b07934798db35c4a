// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/page.hpp"
#include "db/lock.hpp"
#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/counting.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/core/limited.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/quotes/quote.hpp"
#include "social/statuses/writing/compose.hpp"
#include "social/statuses/writing/held_draft.hpp"
#include "social/statuses/writing/relations.hpp"
#include "social/tags/tag.hpp"

namespace statuses {

namespace {

bool may_be_blank(const Draft& draft) { return !draft.media.empty() || draft.quoted_status; }

// The status that the draft replies to.
std::optional<Access> answered(db::Read& db, const Draft& draft) {
    if (!draft.in_reply_to) return std::nullopt;
    auto access = access_to(db, draft.account, draft.in_reply_to);
    if (!access || !may_reply(*access))
        throw base::NotFound("The post you are trying to reply to does not appear to exist.");
    return access;
}

}  // namespace

void check(db::Read& db, const Draft& draft) {
    check_text(db.site(), draft.text, draft.spoiler_text, may_be_blank(draft));
    if (draft.quoted_status)
        visibility_of_quoting(draft.visibility, quotable(db, draft.account, draft.quoted_status), draft);
    if (auto parent = answered(db, draft)) approval_to_reply(db, *parent);
}

const db::Command insert_status{
    "insert_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, visibility,
           relations, sensitive, created_at, app_id, language, quote_policy, content_type, spoiler_text, text, content,
           local_only, reply_policy, reply_state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19))"
};

namespace {

std::int64_t relations_of(const Draft& draft) {
    std::int64_t bits = 0;
    if (!draft.content.mentions.empty()) bits |= has_mentions;
    if (!draft.content.tags.empty()) bits |= has_tags;
    if (!draft.media.empty()) bits |= has_media;
    if (draft.poll) bits |= has_poll;
    if (draft.quoted_status) bits |= has_quote;
    return bits;
}

// A restricted post can be quoted only by its author.
QuotePolicy policy_of(const Draft& draft, Visibility visibility) {
    return open(visibility) ? draft.quote_policy : QuotePolicy::nobody;
}

template <class Id>
std::optional<Id> given(Id id) {
    return id ? std::optional<Id>(id) : std::nullopt;
}

StatusId insert(
    db::Write& db, const Draft& draft, Visibility visibility, std::int64_t relations, const Place& where,
    ReplyState state
) {
    auto [conversation, parent, reply_account] = where;
    auto id = db.new_id<StatusId>();
    if (!conversation) conversation = start_conversation(db, id, draft.account);
    db.run(
        insert_status,
        id,
        draft.account,
        conversation,
        given(parent),
        given(reply_account),
        visibility,
        relations,
        draft.sensitive,
        db.now(),
        given(draft.app),
        draft.language,
        policy_of(draft, visibility),
        draft.content_type,
        draft.spoiler_text,
        draft.text,
        draft.content.html,
        draft.local_only,
        draft.reply_policy,
        state
    );
    return id;
}

Published published(StatusId id, const Draft& draft, Visibility visibility, const accounts::Account& author) {
    Published out{id, draft.account};
    out.names_nobody = draft.content.mentions.empty() || (draft.verdict && draft.verdict->quiet);
    out.links_nothing = base::text::links_of(draft.content.html).empty();
    out.not_direct = visibility != Visibility::direct;
    out.followers = author.followers_count;
    return out;
}

// While it is held it is direct and mentions nobody.
HeldId hold(db::Write& db, StatusId id, const Draft& draft, Visibility visibility) {
    HeldDraft left;
    left.visibility = visibility;
    left.quote_policy = policy_of(draft, visibility);
    left.relations = relations_of(draft);
    left.mentions = draft.content.mentions;
    for (const auto& [name, written] : draft.content.tags) {
        left.tags.push_back(name);
        left.tags_as_written.push_back(written);
    }
    left.in_reply_to = draft.in_reply_to;
    left.quoted_status = draft.quoted_status;
    left.links_nothing = base::text::links_of(draft.content.html).empty();
    left.quiet = draft.verdict->quiet;
    Held held;
    held.account_id = draft.account;
    held.status_id = id;
    held.draft = base::json::to_string(left);
    return hold(db, *draft.verdict, std::move(held));
}

constexpr std::int64_t shown_while_held = has_media | has_poll;

}  // namespace

Creation create(db::Write& db, const Draft& draft) {
    if (!draft.idempotency_key.empty())
        db.lock({db::alone("idempotency key", draft.account, std::string_view(draft.idempotency_key))});
    accounts::expect_account(db, draft.account);
    tags::expect_all(db, draft.content.tags);
    if (auto earlier = made_before(db, draft.account, draft.idempotency_key)) return {*earlier, false};
    check_text(db.site(), draft.text, draft.spoiler_text, may_be_blank(draft));
    auto author = accounts::account(db, draft.account);
    auto tag_ids = tags::put_all(db, draft.content.tags);
    auto visibility = allowed(author, draft.visibility);
    std::optional<VisibilityFacts> quoted;
    if (draft.quoted_status) quoted = quotable(db, draft.account, draft.quoted_status);
    if (quoted) visibility = visibility_of_quoting(visibility, *quoted, draft);
    auto parent = answered(db, draft);
    auto approval = parent ? approval_to_reply(db, *parent) : Approval::automatic;
    auto where = parent ? place(parent->facts, draft.account) : Place{};
    auto state = state_of(approval);
    const bool waits = draft.verdict && draft.verdict->hold;
    auto id =
        waits ? insert(db, draft, Visibility::direct, relations_of(draft) & shown_while_held, where, state)
              : insert(db, draft, visibility, relations_of(draft), where, state);
    if (draft.poll) add_poll(db, id, draft.account, *draft.poll);
    if (!draft.media.empty()) media::attach(db, draft.account, id, draft.media);
    remember(db, draft.account, draft.idempotency_key, id);
    if (waits) {
        if (draft.poll) pause_poll(db, id);
        tell_judged(db, draft.verdict, id, draft.account, hold(db, id, draft, visibility));
        return {id, true};
    }
    put_mentions(db, id, draft.content.mentions);
    put_first_tags(db, id, draft.account, visibility, std::move(tag_ids));
    if (parent) add_reply(db, {id, visibility, {}}, *parent, approval);
    if (quoted) attach_quote(db, id, draft.account, *quoted);
    if (counted(visibility)) accounts::count_status(db, draft.account, 1, db.now());
    tell_judged(db, draft.verdict, id, draft.account);
    db.emit(published(id, draft, visibility, author));
    return {id, true};
}

}  // namespace statuses
