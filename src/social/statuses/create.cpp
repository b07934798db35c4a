// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/statuses/idempotency.hpp"
#include "social/statuses/poll.hpp"
#include "social/statuses/quote.hpp"
#include "social/statuses/relations.hpp"

namespace statuses {

namespace {

bool may_be_blank(const Draft& draft) { return !draft.media.empty() || draft.quoted_status; }

// Where a reply stands; a status that answers nothing begins a conversation.
struct Place {
    ConversationId conversation;  // 0: a new one
    AccountId in_reply_to_account;
};

Place place(db::Read& db, const Draft& draft) {
    if (!draft.in_reply_to) return {};
    constexpr auto missing = "The post you are trying to reply to does not appear to exist.";
    auto target = find_status(db, draft.in_reply_to);
    auto looker = audience(db, draft.account);
    auto known = facts(db, looker, {draft.in_reply_to});
    if (!target || target->reblog_of_id || known.empty() || !visible(known[0], looker))
        throw base::NotFound(missing);
    // Continuing one's own answer to somebody is still an answer to them.
    bool own_reply = target->account_id == draft.account && target->in_reply_to_account_id;
    return {target->conversation_id, own_reply ? target->in_reply_to_account_id : target->account_id};
}

}  // namespace

void check(db::Read& db, const Draft& draft) {
    check_text(db.site(), draft.text, draft.spoiler_text, may_be_blank(draft));
    if (draft.quoted_status)
        visibility_of_quoting(draft.visibility, quotable(db, draft.account, draft.quoted_status), draft);
    place(db, draft);
}

const db::Command insert_conversation{
    "insert_conversation",
    "INSERT INTO conversations (id, created_at, status_id, account_id) VALUES ($1, $2, $3, $4)"
};
const db::Command insert_status{
    "insert_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, visibility,
           relations, sensitive, created_at, app_id, language, quote_policy, content_type, spoiler_text, text, content,
           local_only)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17))"
};
const db::Command count_reply{
    "count_reply",
    "UPDATE statuses SET replies_count = replies_count + 1, version = version + 1 WHERE id = $1"
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

// What is not for everybody is quoted by nobody but its author.
QuotePolicy policy_of(const Draft& draft, Visibility visibility) {
    bool open = visibility == Visibility::public_ || visibility == Visibility::unlisted;
    return open ? draft.quote_policy : QuotePolicy::nobody;
}

template <class Id>
std::optional<Id> given(Id id) {
    return id ? std::optional<Id>(id) : std::nullopt;
}

StatusId insert(db::Write& db, const Draft& draft, Visibility visibility) {
    auto [conversation, reply_account] = place(db, draft);
    auto id = db.new_id<StatusId>();
    if (!conversation) {
        conversation = db.new_id<ConversationId>();
        db.run(insert_conversation, conversation, db.now(), id, draft.account);
    }
    db.run(
        insert_status,
        id,
        draft.account,
        conversation,
        given(draft.in_reply_to),
        given(reply_account),
        visibility,
        relations_of(draft),
        draft.sensitive,
        db.now(),
        given(draft.app),
        draft.language,
        policy_of(draft, visibility),
        draft.content_type,
        draft.spoiler_text,
        draft.text,
        draft.content.html,
        draft.local_only
    );
    return id;
}

}  // namespace

Creation create(db::Write& db, const Draft& draft) {
    if (auto earlier = made_before(db, draft.account, draft.idempotency_key)) return {*earlier, false};
    check_text(db.site(), draft.text, draft.spoiler_text, may_be_blank(draft));
    auto author = accounts::account(db, draft.account);
    auto visibility = draft.visibility;
    if (author.silenced_at && visibility == Visibility::public_) visibility = Visibility::unlisted;
    std::optional<Facts> quoted;
    if (draft.quoted_status) quoted = quotable(db, draft.account, draft.quoted_status);
    if (quoted) visibility = visibility_of_quoting(visibility, *quoted, draft);
    auto id = insert(db, draft, visibility);
    put_mentions(db, id, draft.content.mentions);
    put_tags(db, id, draft.account, visibility, draft.content.tags);
    if (draft.poll) add_poll(db, id, draft.account, *draft.poll);
    if (!draft.media.empty()) media::attach(db, draft.account, id, draft.media);
    if (draft.in_reply_to) db.run(count_reply, draft.in_reply_to);
    if (quoted) attach_quote(db, id, draft.account, *quoted);
    bool counted = visibility != Visibility::direct && visibility != Visibility::limited;
    if (counted) accounts::count_status(db, draft.account, 1, db.now());
    remember(db, draft.account, draft.idempotency_key, id);
    db.emit(Published{id, draft.account});
    return {id, true};
}

}  // namespace statuses
