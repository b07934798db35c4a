// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/remote.hpp"

#include "base/json_read.hpp"
#include "social/statuses/core/gate.hpp"

namespace statuses {

DESCRIBE(RemoteMention, account, silent)
DESCRIBE(PollOption, title, votes_count)
DESCRIBE(RemotePoll, multiple, options, expires_at, voters_count)
DESCRIBE(RemoteQuote, uri, authorization_uri, legacy)

namespace {

struct RemoteDraft {
    std::string uri, url;
    AccountId author;
    std::string html, spoiler_text;
    bool sensitive = false;
    std::optional<std::string> language;
    Visibility visibility = Visibility::direct;
    std::optional<Time> published, updated;
    std::string in_reply_to, context, replies, replies_page;
    std::vector<RemoteMention> mentions;
    std::vector<std::string> tags;
    std::vector<media::RemoteMedia> media;
    std::vector<emojis::RemoteEmoji> emojis;
    std::optional<RemotePoll> poll;
    std::optional<RemoteQuote> quote;
    QuotePolicy quote_policy = QuotePolicy::nobody;
    std::int64_t quote_approval = 0, reply_approval = 0;
    std::string reply_authorization, reply_request;
    std::optional<std::int64_t> favourites_count, reblogs_count;
    bool delivered = false, quiet = false;
};
DESCRIBE(
    RemoteDraft, uri, url, author, html, spoiler_text, sensitive, language, visibility, published, updated,
    in_reply_to, context, replies, replies_page, mentions, tags, media, emojis, poll, quote, quote_policy,
    quote_approval, reply_approval, reply_authorization, reply_request, favourites_count, reblogs_count,
    delivered, quiet
)

// Copies the members that both types have under the same name.
template <class From, class To>
void take(const From& from, To& to) {
    to.uri = from.uri, to.url = from.url, to.author = from.author, to.spoiler_text = from.spoiler_text;
    to.sensitive = from.sensitive, to.language = from.language, to.visibility = from.visibility;
    to.published = from.published, to.updated = from.updated, to.in_reply_to = from.in_reply_to;
    to.context = from.context, to.replies = from.replies, to.replies_page = from.replies_page;
    to.mentions = from.mentions, to.tags = from.tags, to.media = from.media, to.emojis = from.emojis;
    to.poll = from.poll, to.quote = from.quote, to.quote_policy = from.quote_policy;
    to.quote_approval = from.quote_approval, to.reply_approval = from.reply_approval;
    to.reply_authorization = from.reply_authorization, to.reply_request = from.reply_request;
    to.favourites_count = from.favourites_count;
    to.reblogs_count = from.reblogs_count, to.delivered = from.delivered;
}

}  // namespace

HeldId hold_remote(db::Write& db, const RemoteStatus& status) {
    static const Verdict none;
    const auto& verdict = status.verdict ? *status.verdict : none;
    RemoteDraft draft;
    take(status, draft);
    draft.html = status.html.harmless();
    draft.quiet = verdict.quiet;
    Held held;
    held.account_id = status.author;
    held.uri = status.uri;
    held.draft = base::json::to_string(draft);
    return hold(db, verdict, std::move(held));
}

RemoteStatus read_held(const Held& held) {
    auto draft = base::json::read<RemoteDraft>(held.draft);
    RemoteStatus out;
    take(draft, out);
    out.html = RemoteHtml::sanitized(draft.html);
    Verdict marks;
    marks.quiet = draft.quiet;
    out.verdict = std::make_shared<const Verdict>(std::move(marks));
    return out;
}

void store_held(db::Write& db, const Held& held) { store_remote(db, read_held(held)); }

}  // namespace statuses
