// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/rendered_status.hpp"

#include "base/cache.hpp"
#include "base/text/html/html.hpp"
#include "base/uris.hpp"
#include "social/emojis/emoji.hpp"
#include "social/media/media_entity.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/remote/backfilled.hpp"

#include <algorithm>

namespace statuses {

namespace {

struct Row {
    StatusId id;
    std::int64_t version = 0;
    AccountId account_id;
    std::string domain, username, account_uri;
    StatusId in_reply_to_id;
    AccountId in_reply_to_account_id;
    bool is_reblog = false;
    Visibility visibility = Visibility::public_;
    std::int64_t relations = 0;
    bool sensitive = false, sensitized = false;
    std::int64_t replies_count = 0, reblogs_count = 0, favourites_count = 0, quotes_count = 0;
    Time created_at;
    std::optional<Time> edited_at;
    std::optional<std::string> language, uri, url;
    QuotePolicy quote_policy = QuotePolicy::public_;
    std::int64_t quote_approval = 0;
    ReplyPolicy reply_policy = ReplyPolicy::public_;
    std::int64_t reply_approval = 0;
    ReplyState reply_state = ReplyState::shown;
    std::string spoiler_text, text, content;
    std::optional<std::string> app_name, app_website;
    bool show_application = false, local_only = false;
};
DESCRIBE(
    Row, id, version, account_id, domain, username, account_uri, in_reply_to_id, in_reply_to_account_id,
    is_reblog, visibility, relations, sensitive, sensitized, replies_count, reblogs_count, favourites_count,
    quotes_count, created_at, edited_at, language, uri, url, quote_policy, quote_approval, reply_policy,
    reply_approval, reply_state, spoiler_text, text, content, app_name, app_website, show_application,
    local_only
)

struct MentionRow {
    StatusId status_id;
    AccountId id;
    std::string username, domain, url;
};
DESCRIBE(MentionRow, status_id, id, username, domain, url)

struct TagRow {
    StatusId status_id;
    std::string name;
};
DESCRIBE(TagRow, status_id, name)

struct Mention {
    AccountId id;
    std::string username, url, acct;
};
DESCRIBE(Mention, id, username, url, acct)

struct TagEntity {
    static constexpr std::string_view entity = "Status::Tag";

    std::string name, url;
};
DESCRIBE(TagEntity, name, url)

struct Nothing {};
DESCRIBE(Nothing)

struct Application {
    std::string name;
    std::optional<std::string> website;
};
DESCRIBE(Application, name, website)

// Entity Status, except for the account, the reblog, the quote, the poll, the card, the application and what
// depends on the viewer, like `sensitive`.
struct Entity {
    static constexpr base::json::RawMember raw_members[] = {{"emojis", "CustomEmoji[]"}};

    StatusId id;
    Time created_at;
    std::optional<StatusId> in_reply_to_id;
    std::optional<AccountId> in_reply_to_account_id;
    std::string spoiler_text;
    Visibility visibility = Visibility::public_;
    std::optional<std::string> language;
    std::string uri;
    std::optional<std::string> url;
    std::int64_t replies_count = 0, reblogs_count = 0, favourites_count = 0, quotes_count = 0;
    std::optional<Time> edited_at;
    base::json::Omit<std::string> content, text;
    base::json::Omit<bool> local_only;
    base::json::Omit<ReplyPolicy> reply_policy;  // if not everybody may reply
    base::json::Omit<ReplyState> reply_state;    // of a reply that is not shown in its thread
    std::vector<media::MediaAttachment> media_attachments;
    std::vector<Mention> mentions;
    std::vector<TagEntity> tags;
    base::json::Raw emojis;
    std::vector<Nothing> tagged_collections;
};
DESCRIBE(
    Entity, id, created_at, in_reply_to_id, in_reply_to_account_id, spoiler_text, visibility, language, uri,
    url, replies_count, reblogs_count, favourites_count, quotes_count, edited_at, content, text, local_only,
    reply_policy, reply_state, media_attachments, mentions, tags, emojis, tagged_collections
)

#define STATUS_ROWS                                                                                        \
    "SELECT s.id, s.version, s.account_id, a.domain, a.username, a.uri AS account_uri, s.in_reply_to_id, " \
    "s.in_reply_to_account_id, "                                                                           \
    "s.reblog_of_id IS NOT NULL AS is_reblog, s.visibility, s.relations, s.sensitive, "                    \
    "a.sensitized_at IS NOT NULL AS sensitized, s.replies_count, s.reblogs_count, s.favourites_count, "    \
    "s.quotes_count, s.created_at, s.edited_at, s.language, s.uri, s.url, s.quote_policy, "                \
    "s.quote_approval, s.reply_policy, s.reply_approval, s.reply_state, s.spoiler_text, "                  \
    "s.text, s.content, p.name AS app_name, p.website AS app_website, "                                    \
    "COALESCE(u.show_application, FALSE) AS show_application, s.local_only "                               \
    "FROM statuses s JOIN accounts a ON a.id = s.account_id LEFT JOIN apps p ON p.id = s.app_id "          \
    "LEFT JOIN users u ON u.account_id = s.account_id "

const db::Query<Row> status_rows{
    "status_rows",
    STATUS_ROWS "WHERE s.id IN (SELECT value FROM json_each($1))",
    STATUS_ROWS "WHERE s.id = ANY((SELECT $1::bigint[])::bigint[])"
};

const db::Query<MentionRow> mentions_of_statuses{
    "mentions_of_statuses",
    R"(SELECT m.status_id, a.id, a.username, a.domain, a.url FROM mentions m JOIN accounts a ON a.id = m.account_id
       WHERE m.status_id IN (SELECT value FROM json_each($1)) AND m.silent = FALSE
       ORDER BY m.status_id, m.position, a.id)",
    R"(SELECT m.status_id, a.id, a.username, a.domain, a.url FROM mentions m JOIN accounts a ON a.id = m.account_id
       WHERE m.status_id = ANY((SELECT $1::bigint[])::bigint[]) AND m.silent = FALSE
       ORDER BY m.status_id, m.position, a.id)"
};

const db::Query<TagRow> tags_of_statuses{
    "tags_of_statuses",
    R"(SELECT x.status_id, t.name FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id IN (SELECT value FROM json_each($1)) ORDER BY x.status_id, t.id)",
    R"(SELECT x.status_id, t.name FROM status_tags x JOIN tags t ON t.id = x.tag_id
       WHERE x.status_id = ANY((SELECT $1::bigint[])::bigint[]) ORDER BY x.status_id, t.id)"
};

// Other rows for a batch of statuses.
struct Related {
    std::vector<MentionRow> mentions;
    std::vector<TagRow> tags;
    std::vector<media::Media> media;
    std::vector<StoredQuote> quotes;
    std::vector<Poll> polls;
    std::vector<ShownCard> shown;
    std::vector<Card> cards;
    emojis::InTexts emojis;
};

// Remote statuses have no source.
const std::string& said(const Row& row) { return row.domain.empty() ? row.text : row.content; }

std::string_view domain_of(const std::vector<Row>& rows, StatusId id) {
    auto row = std::ranges::find(rows, id, &Row::id);
    return row == rows.end() ? std::string_view() : row->domain;
}

Related related(db::Read& db, const std::vector<Row>& rows) {
    Related out;
    std::vector<StatusId> with_mentions, with_tags, with_media, with_quote, with_polls, with_card;
    for (const auto& row : rows) {
        if (row.relations & has_mentions) with_mentions.push_back(row.id);
        if (row.relations & has_tags) with_tags.push_back(row.id);
        if (row.relations & has_media) with_media.push_back(row.id);
        if (row.relations & has_quote) with_quote.push_back(row.id);
        if (row.relations & has_poll) with_polls.push_back(row.id);
        if (row.relations & has_card) with_card.push_back(row.id);
        out.emojis.add(said(row), row.domain);
        out.emojis.add(row.spoiler_text, row.domain);
    }
    if (!with_mentions.empty()) out.mentions = db.all(mentions_of_statuses, with_mentions);
    if (!with_tags.empty()) out.tags = db.all(tags_of_statuses, with_tags);
    if (!with_media.empty()) out.media = media::of_statuses(db, with_media);
    out.quotes = stored_quotes(db, with_quote);
    out.polls = polls(db, with_polls);
    if (!with_card.empty()) {
        out.shown = shown_cards(db, with_card);
        std::vector<CardId> ids;
        for (const auto& shown : out.shown) ids.push_back(shown.card_id);
        out.cards = cards(db, ids);
    }
    for (const auto& poll : out.polls)
        for (const auto& option : poll.options) out.emojis.add(option.title, domain_of(rows, poll.id));
    out.emojis.load(db);
    return out;
}

template <class Id>
std::optional<Id> given(Id id) {
    return id ? std::optional<Id>(id) : std::nullopt;
}

void add_addresses(Entity& e, const Row& row, const base::Site& site) {
    e.uri = uri_of(site, {row.id, row.uri, row.account_id, row.account_uri, row.is_reblog});
    e.url = row.domain.empty() ? base::uris::status_page(site, row.username, row.id) : row.url;
}

std::string titles_of(const Related& all, StatusId id) {
    std::string out;
    if (auto poll = std::ranges::find(all.polls, id, &Poll::id); poll != all.polls.end())
        for (const auto& option : poll->options) out += option.title + "\n";
    return out;
}

void add_related(Entity& e, const Row& row, const base::Site& site, const Related& all) {
    for (const auto& m : all.mentions) {
        if (m.status_id != row.id) continue;
        bool local = m.domain.empty();
        e.mentions.push_back(
            {m.id,
             m.username,
             local ? base::uris::profile_page(site, m.username) : m.url,
             local ? m.username : m.username + "@" + m.domain}
        );
    }
    for (const auto& tag : all.tags)
        if (tag.status_id == row.id) e.tags.push_back({tag.name, base::uris::tag_page(site, tag.name)});
    for (const auto& m : all.media)
        if (m.status_id == row.id) e.media_attachments.push_back(media::entity(site, m));
    e.emojis = {all.emojis.used(site, {row.spoiler_text, said(row), titles_of(all, row.id)}, row.domain)};
}

// For clients without support for quotes, at least a link.
void add_quote(
    RenderedStatus& rendered, Entity& e, const Row& row, const base::Site& site, const Related& all
) {
    auto quote = std::ranges::find(all.quotes, row.id, &StoredQuote::status_id);
    if (quote == all.quotes.end()) return;
    rendered.quote = RenderedStatusQuote{quote->quoted_id, quote->state};
    auto url = quoted_url(site, *quote);
    auto& content = e.content.value;
    if (row.domain.empty() && content && !url.empty() && content->find(url) == content->npos)
        content->insert(0, base::text::quote_inline(url));
}

std::optional<RenderedCard> card_of(StatusId id, const base::Site& site, const Related& all) {
    auto shown = std::ranges::find(all.shown, id, &ShownCard::status_id);
    if (shown == all.shown.end()) return std::nullopt;
    auto card = std::ranges::find(all.cards, shown->card_id, &Card::id);
    if (card == all.cards.end() || !card->usable) return std::nullopt;
    return rendered_card(site, *card, shown->url);
}

RenderedStatus rendered(const Row& row, const base::Site& site, const Related& all, bool source) {
    Entity e;
    e.id = row.id;
    e.created_at = row.created_at;
    e.in_reply_to_id = given(row.in_reply_to_id);
    if (row.in_reply_to_account_id != unknown_account)
        e.in_reply_to_account_id = given(row.in_reply_to_account_id);
    e.spoiler_text = row.spoiler_text;
    e.visibility = row.visibility == Visibility::limited ? Visibility::private_ : row.visibility;
    if (!row.is_reblog) e.language = row.language;  // a boost shows the original's language
    e.replies_count = row.replies_count;
    e.reblogs_count = row.reblogs_count;
    e.favourites_count = row.favourites_count;
    e.quotes_count = row.quotes_count;
    e.edited_at = row.edited_at;
    (source ? e.text : e.content) = source ? said(row) : row.content;
    if (row.local_only) e.local_only = true;
    auto replies = row.domain.empty() ? row.reply_policy : reply_policy_word(row.reply_approval);
    if (replies != ReplyPolicy::public_) e.reply_policy = replies;
    if (row.reply_state != ReplyState::shown) e.reply_state = row.reply_state;
    add_addresses(e, row, site);
    add_related(e, row, site, all);
    RenderedStatus out;
    out.sensitive = row.sensitive && !row.is_reblog;
    out.sensitized = row.sensitized;
    add_quote(out, e, row, site, all);
    const char* separator = "";
    base::json::write_members(out.members, separator, e);
    if (row.app_name)
        out.application =
            ",\"application\":" + base::json::to_string(Application{*row.app_name, row.app_website});
    else if (row.domain.empty()) out.application = ",\"application\":null";
    out.application_shown = row.show_application;
    if (auto poll = std::ranges::find(all.polls, row.id, &Poll::id); poll != all.polls.end())
        out.poll = rendered_poll(site, *poll, all.emojis, row.domain);
    out.card = card_of(row.id, site, all);
    if (row.visibility != Visibility::public_ && row.visibility != Visibility::unlisted)
        out.quote_approval = quote_approval(QuotePolicy::nobody);
    else if (row.domain.empty()) out.quote_approval = quote_approval(row.quote_policy);
    else out.quote_approval = quote_approval(row.quote_approval, row.quote_policy);
    out.quote_approval_open = approval_json_open(out.quote_approval);
    return out;
}

base::Cache<RenderedStatus>& kept() {
    static base::Cache<RenderedStatus> cache(24 << 20);
    return cache;
}

}  // namespace

RenderedStatuses rendered_statuses(db::Read& db, const std::vector<RenderedStatusKey>& wanted) {
    RenderedStatuses out;
    out.reserve(wanted.size());
    std::vector<StatusId> missing;
    for (auto [id, version] : wanted) {
        if (out.contains(id)) continue;
        if (auto found = kept().find({id.value, version})) out.emplace(id, std::move(found));
        else if (std::ranges::find(missing, id) == missing.end()) missing.push_back(id);
    }
    if (missing.empty()) return out;
    auto rows = db.all(status_rows, missing);
    auto all = related(db, rows);
    for (const auto& row : rows) {
        auto made = std::make_shared<const RenderedStatus>(rendered(row, db.site(), all, false));
        if (db.is_committed()) kept().put({row.id.value, row.version}, made, made->bytes());
        out[row.id] = std::move(made);
    }
    return out;
}

RenderedStatuses rendered_statuses_with_source(db::Read& db, const std::vector<StatusId>& ids) {
    RenderedStatuses out;
    if (ids.empty()) return out;
    auto rows = db.all(status_rows, ids);
    auto all = related(db, rows);
    for (const auto& row : rows)
        out[row.id] = std::make_shared<const RenderedStatus>(rendered(row, db.site(), all, true));
    return out;
}

// The result of combining rendered statuses in status_entity.cpp.
void describe_status(base::json::Components& all) {
    using base::json::reference;
    base::json::ObjectSchema status;
    base::json::add_members<Entity>(status, all);
    status.add("sensitive", reference("boolean"), true);
    status.add("application", base::json::schema<std::optional<Application>>(all), false);
    status.add("poll", reference("Poll?"), true);
    status.add("card", reference("PreviewCard?"), true);
    for (auto mark : {"favourited", "reblogged", "bookmarked", "muted", "pinned"})
        status.add(mark, reference("boolean"), false);
    status.add("filtered", reference("FilterResult[]"), false);
    status.add("quote_approval", reference("object"), true);
    status.add("account", reference("Account"), true);
    status.add("reblog", reference("Status?"), true);
    status.add("quote", reference("object?"), true);
    all.put("Status", status.text());
}

}  // namespace statuses
