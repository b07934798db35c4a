// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/schema.hpp"
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/statuses/core/context.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/core/listed.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/remote/thread_wanted.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "social/statuses/writing/compose.hpp"

#include <algorithm>

namespace statuses {
namespace {

using http::Viewer;

base::json::Raw show(db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    auto viewer = audience(db, me);
    return {json(db, viewer, visible_facts(db, viewer, path.id))};
}

struct Many {
    std::vector<StatusId> id;
};
DESCRIBE(Many, id)

base::json::Raw index(db::Read& db, const std::optional<Viewer>& me, Many form) {
    std::ranges::sort(form.id);
    form.id.erase(std::unique(form.id.begin(), form.id.end()), form.id.end());
    if (form.id.size() > 20) throw base::Invalid("Validation failed: Too many ids, at most 20 are answered");
    auto viewer = audience(db, me);
    auto found = visibility_facts(db, viewer, form.id);
    std::erase_if(found, [&](const VisibilityFacts& f) { return !visible(f, viewer); });
    return {json_list(db, viewer, found)};
}

struct Context {
    base::json::Raw ancestors, descendants;
};
DESCRIBE(Context, ancestors, descendants)

// Further replies may be on other servers: for a logged-in viewer they are looked for.
http::Response context(
    const base::Ask& ask, db::Read& db, const std::optional<Viewer>& me, const ById& path
) {
    auto viewer = audience(db, me);
    auto around = thread(db, viewer, path.id);
    http::Response out;  // a Context, written without copying its long parts
    out.body = "{\"ancestors\":";
    append_list(out.body, db, viewer, around.ancestors);
    out.body += ",\"descendants\":";
    append_list(out.body, db, viewer, around.descendants);
    out.body += '}';
    if (me && (replies_due(db, path.id) || replies_awaited(db, path.id)))
        if (const auto& refresh = ask(LookForReplies{path.id}); !refresh.empty())
            out.headers.emplace_back("Mastodon-Async-Refresh", refresh);
    return out;
}

struct StatusSource {
    StatusId id;
    std::string text, spoiler_text, content_type;
};
DESCRIBE(StatusSource, id, text, spoiler_text, content_type)

}  // namespace

const db::Query<StatusSource> source_of_status{
    "source_of_status", "SELECT id, text, spoiler_text, content_type FROM statuses WHERE id = $1"
};

namespace {

// Any user who may see it, as in Mastodon.
StatusSource source(db::Read& db, const Viewer& me, const ById& path) {
    return db.one(source_of_status, visible_facts(db, audience(db, me), path.id).id);
}

struct Form {
    std::string status, spoiler_text, content_type;
    std::vector<MediaId> media_ids;
    std::optional<StatusId> in_reply_to_id, quoted_status_id;
    std::optional<bool> sensitive;
    std::optional<Visibility> visibility;
    std::string language;
    std::optional<QuotePolicy> quote_approval_policy;
    std::optional<ReplyPolicy> reply_policy;
    std::optional<std::vector<AccountId>> allowed_mentions;
    std::optional<PollDraft> poll;
    std::optional<http::ValidTime> scheduled_at;
    bool local_only = false;
};
DESCRIBE(
    Form, status, spoiler_text, content_type, media_ids, in_reply_to_id, quoted_status_id, sensitive,
    visibility, language, quote_approval_policy, reply_policy, allowed_mentions, poll, scheduled_at,
    local_only
)

std::optional<std::string> language_of(
    const std::string& asked, const accounts::PostingDefaults& defaults, const base::Site& site
) {
    for (const auto& candidate : {asked, defaults.language.value_or(""), defaults.locale, site.language})
        if (auto known = base::text::find_language(candidate)) return std::string(*known);
    return std::nullopt;
}

// A malformed id is treated like that of a missing status.
StatusId named(const std::optional<StatusId>& id, const char* missing) {
    if (id && !*id) throw base::NotFound(missing);
    return id.value_or(StatusId{});
}

void add_defaults(db::Read& db, const Viewer& me, const Form& form, Draft& draft) {
    accounts::expect_account(db, me.account);
    auto defaults = accounts::posting_defaults(db, me.user);
    bool locked = accounts::account(db, me.account).locked;
    draft.sensitive = form.sensitive.value_or(defaults.sensitive) || !http::form::is_blank(form.spoiler_text);
    draft.visibility = form.visibility.value_or(default_visibility(defaults, locked));
    if (draft.visibility == Visibility::limited)
        throw base::Invalid("Validation failed: Visibility is not included in the list");
    draft.quote_policy = form.quote_approval_policy.value_or(default_quote_policy(defaults));
    draft.reply_policy = form.reply_policy.value_or(default_reply_policy(defaults));
    draft.language = language_of(form.language, defaults, db.site());
}

// A reply to a boost becomes a reply to the original.
StatusId written(db::Read& db, StatusId id) {
    const auto facts = id ? listed_facts(db, {id}) : std::vector<ListedFacts>{};
    return facts.empty() ? id : facts[0].original_id;
}

Draft draft(
    const base::Ask& ask, db::Read& db, const Viewer& me, const Form& form, const http::Request& request
) {
    Draft draft;
    draft.account = me.account;
    draft.app = me.app;
    draft.spoiler_text = form.spoiler_text;
    draft.text = text_of(form.status, draft.spoiler_text, form.quoted_status_id.has_value());
    draft.content_type = known_type(form.content_type);
    add_defaults(db, me, form, draft);
    draft.in_reply_to =
        named(form.in_reply_to_id, "The post you are trying to reply to does not appear to exist.");
    draft.quoted_status =
        named(form.quoted_status_id, "The post you are trying to quote does not appear to exist.");
    for (auto id : {draft.in_reply_to, draft.quoted_status})
        if (id) prefetch_facts(db, id);
    draft.in_reply_to = written(db, draft.in_reply_to);
    draft.media = form.media_ids;
    if (form.poll) draft.poll = checked(db.site(), *form.poll);
    if (form.scheduled_at && form.scheduled_at->value > db.now())
        draft.scheduled_at = form.scheduled_at->value;
    draft.local_only = form.local_only;
    draft.allowed_mentions = form.allowed_mentions;
    meet_mentioned(ask, db, draft.text);
    draft.content = compose(db, me.account, draft.text, draft.content_type);
    draft.idempotency_key = request.header("Idempotency-Key").substr(0, 255);
    refuse_unexpected(db, draft);
    judge(db, draft);
    return draft;
}

bool is_refused(const std::shared_ptr<const Verdict>& verdict) { return verdict && verdict->refused; }

// A refusal is stored, so the error is returned after the commit.
http::Made<StatusId> publish(db::Write& db, const Draft& draft) {
    if (!draft.scheduled_at) db.beside_others();
    if (is_refused(draft.verdict)) {
        tell_judged(db, draft.verdict, {}, draft.account);
        return {{}, false};
    }
    auto [id, created] = draft.scheduled_at ? schedule(db, draft) : create(db, draft);
    return {id, created};
}

// An idempotency key may belong to either kind.
base::json::Raw show_made(
    db::Read& db, const std::optional<Viewer>& me, const ById& path, const Draft& draft
) {
    if (is_refused(draft.verdict)) refuse(*draft.verdict);
    if (draft.scheduled_at || !draft.idempotency_key.empty())
        if (auto found = find_scheduled(db, draft.account, {path.id.value}))
            return {scheduled_json(db, *found)};
    return show(db, me, path);
}

struct Removal {
    StatusId id;
    bool delete_media = false;
};
DESCRIBE(Removal, id, delete_media)

// The response shows the status before its deletion, so it is rendered first.
base::json::Raw last_look(db::Read& db, const Viewer& me, const Removal& form) {
    auto viewer = audience(db, me);
    auto found = visibility_facts(db, viewer, {form.id});
    if (found.empty() || found[0].account_id != me.account) throw base::NoSuchStatus();
    return {json_with_source(db, viewer, found[0])};
}

base::json::Raw destroy(db::Write& db, const Viewer& me, const Removal& form, const base::json::Raw& shown) {
    remove(db, me.account, form.id, form.delete_media);
    return shown;
}

using http::Caching, http::Throttle;

// clang-format off
constexpr http::Route table[] = {
    http::post<draft, publish, show_made>("/api/v1/statuses",             "write:statuses").answering("Status|ScheduledStatus").throttled(Throttle::statuses_family),
    http::get<index>                 ("/api/v1/statuses",             "read:statuses").answering("Status[]"),
    http::get<show>                  ("/api/v1/statuses/:id",         "read:statuses").answering("Status").cached(Caching::if_anonymous),
    http::del<last_look, destroy>    ("/api/v1/statuses/:id",         "write:statuses").answering("Status").throttled(Throttle::deletion),
    http::get<source>                ("/api/v1/statuses/:id/source",  "read:statuses"),
    http::get<context>               ("/api/v1/statuses/:id/context", "read:statuses").cached(Caching::if_anonymous).answering("Context"),
};
// clang-format on

}  // namespace

void describe_context(base::json::Components& all) { base::json::component<Context>(all); }

std::span<const http::Route> routes() { return table; }

}  // namespace statuses
