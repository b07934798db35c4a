// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/count.hpp"
#include "social/accounts/account.hpp"
#include "social/media/media.hpp"
#include "social/statuses/quote.hpp"
#include "social/tags/tag.hpp"

namespace statuses {

const db::Query<StatusId> status_of_key{
    "status_of_key",
    "SELECT status_id FROM idempotency_keys WHERE account_id = $1 AND key = $2 AND created_at > $3"
};
const db::Command put_idempotency_key{
    "put_idempotency_key",
    R"(INSERT INTO idempotency_keys (account_id, key, status_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, key) DO UPDATE SET status_id = excluded.status_id, created_at = excluded.created_at)"
};

namespace {

constexpr std::int64_t key_lives_seconds = 3600;

void validate(const base::Site& site, const Draft& draft) {
    if (draft.text.empty() && draft.media.empty() && !draft.quoted_status)
        throw base::Invalid("Validation failed: Text can't be blank");
    auto length = base::text::status_length(draft.text) + base::text::graphemes(draft.spoiler_text);
    if (length > static_cast<std::size_t>(site.max_characters))
        throw base::Invalid(
            "Validation failed: Text character limit of " + std::to_string(site.max_characters) + " exceeded"
        );
}

// Where a reply stands; a status that answers nothing begins a conversation.
struct Place {
    ConversationId conversation;
    AccountId in_reply_to_account;
};

}  // namespace

const db::Command insert_conversation{
    "insert_conversation", "INSERT INTO conversations (id, created_at) VALUES ($1, $2)"
};

namespace {

Place place(db::Write& db, const Draft& draft) {
    if (!draft.in_reply_to) {
        auto id = db.new_id<ConversationId>();
        db.run(insert_conversation, id, db.now());
        return {id, {}};
    }
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

const db::Command insert_status{
    "insert_status",
    R"(INSERT INTO statuses (id, account_id, conversation_id, in_reply_to_id, in_reply_to_account_id, visibility,
           relations, sensitive, created_at, app_id, language, quote_policy, content_type, spoiler_text, text, content)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16))"
};
const db::Command insert_mention{
    "insert_mention",
    R"(INSERT INTO mentions (status_id, account_id) VALUES ($1, $2) ON CONFLICT (status_id, account_id) DO NOTHING)"
};
const db::Command insert_status_tag{
    "insert_status_tag",
    "INSERT INTO status_tags (tag_id, status_id) VALUES ($1, $2) ON CONFLICT (tag_id, status_id) DO NOTHING"
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

}  // namespace

Creation create(db::Write& db, const Draft& draft) {
    if (!draft.idempotency_key.empty()) {
        auto since = db.now().plus_seconds(-key_lives_seconds);
        if (auto earlier = db.maybe(status_of_key, draft.account, draft.idempotency_key, since))
            return {*earlier, false};
    }
    validate(db.site(), draft);
    auto author = accounts::account(db, draft.account);
    auto visibility = draft.visibility;
    if (author.silenced_at && visibility == Visibility::public_) visibility = Visibility::unlisted;
    std::optional<Facts> quoted;
    if (draft.quoted_status) quoted = quotable(db, draft.account, draft.quoted_status);
    if (quoted) visibility = visibility_of_quoting(visibility, *quoted, draft);
    auto [conversation, reply_account] = place(db, draft);
    auto id = db.new_id<StatusId>();
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
        draft.content.html
    );
    for (auto account : draft.content.mentions) db.run(insert_mention, id, account);
    for (const auto& [name, display] : draft.content.tags) {
        auto tag = tags::put(db, name, display);
        db.run(insert_status_tag, tag, id);
        if (visibility == Visibility::public_) tags::note_use(db, tag, draft.account);
    }
    if (!draft.media.empty()) media::attach(db, draft.account, id, draft.media);
    if (draft.in_reply_to) db.run(count_reply, draft.in_reply_to);
    if (quoted) attach_quote(db, id, draft.account, *quoted);
    bool counted = visibility != Visibility::direct && visibility != Visibility::limited;
    if (counted) accounts::count_status(db, draft.account, 1, db.now());
    if (!draft.idempotency_key.empty())
        db.run(put_idempotency_key, draft.account, draft.idempotency_key, id, db.now());
    db.emit(Published{id, draft.account});
    return {id, true};
}

const db::Command delete_old_keys{
    "delete_old_keys",
    R"(DELETE FROM idempotency_keys WHERE (account_id, key) IN (
           SELECT account_id, key FROM idempotency_keys WHERE created_at < $1 LIMIT 500))"
};

void purge_idempotency_keys(db::Write& db) {
    db.run(delete_old_keys, db.now().plus_seconds(-key_lives_seconds));
}

}  // namespace statuses
