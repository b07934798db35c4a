// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/media/focus_api.hpp"
#include "social/media/thumbnail.hpp"
#include "social/statuses/core/gate.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/statuses/writing/compose.hpp"

namespace statuses {
namespace {

using http::Viewer;

struct MediaAttributes {
    MediaId id;
    std::optional<http::TextOrNull> description;
    std::string focus;
    std::optional<http::Upload> thumbnail;
};
DESCRIBE(MediaAttributes, id, description, focus, thumbnail)

struct Form {
    StatusId id;
    std::string status, spoiler_text, content_type, language;
    bool sensitive = false;
    std::vector<MediaId> media_ids;
    std::vector<MediaAttributes> media_attributes;
    std::optional<PollDraft> poll;
    std::optional<QuotePolicy> quote_approval_policy;
    std::optional<ReplyPolicy> reply_policy;
};
DESCRIBE(
    Form, id, status, spoiler_text, content_type, language, sensitive, media_ids, media_attributes, poll,
    quote_approval_policy, reply_policy
)

Edit draft(db::Read& db, const base::Ask& ask, const Viewer& me, const Form& form) {
    auto now = editable(db, me.account, form.id);
    Edit edit;
    edit.id = form.id;
    edit.account = me.account;
    edit.sensitive = form.sensitive || !http::form::is_blank(form.spoiler_text);
    edit.spoiler_text = form.spoiler_text;
    edit.text = text_of(form.status, edit.spoiler_text, (now.relations & has_quote) != 0);
    edit.content_type = form.content_type.empty() ? now.content_type : known_type(form.content_type);
    if (auto language = base::text::find_language(form.language)) edit.language = std::string(*language);
    edit.quote_policy = form.quote_approval_policy;
    edit.reply_policy = form.reply_policy;
    edit.media = form.media_ids;
    for (const auto& [id, description, focus, picture] : form.media_attributes) {
        auto thumbnail = media::thumbnail(ask, picture ? picture->file.get() : nullptr);
        edit.media_changes.push_back({id, {http::text_of(description), media::read_focus(focus), thumbnail}});
    }
    if (form.poll) edit.poll = checked(db.site(), *form.poll);
    meet_mentioned(ask, db, edit.text);
    edit.content = compose(db, me.account, edit.text, edit.content_type);
    judge(db, edit, now);
    return edit;
}

// Only new statuses count against the limit in the response's headers.
http::Made<StatusId> save(db::Write& db, const Edit& draft) {
    if (draft.verdict && draft.verdict->refused) tell_judged(db, draft.verdict, draft.id, draft.account);
    else edit(db, draft);
    return {draft.id, false};
}

base::json::Raw show_saved(db::Read& db, const Viewer& me, const ById& path, const Edit& draft) {
    if (draft.verdict && draft.verdict->refused) refuse(*draft.verdict);
    return show_changed(db, me, path);
}

base::json::Raw show_history(db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    auto viewer = audience(db, me);
    return {history_json(db, viewer, visible_facts(db, viewer, path.id))};
}

using http::Caching, http::Throttle;

// Room for a thumbnail.
constexpr std::uint64_t body = sandbox::limits::file_bytes(sandbox::Kind::attachment) + (1 << 20);

// clang-format off
constexpr http::Route table[] = {
    http::put<draft, save, show_saved>  ("/api/v1/statuses/:id",         "write:statuses").answering("Status").throttled(Throttle::statuses_family).body_limit(body),
    http::patch<draft, save, show_saved>("/api/v1/statuses/:id",         "write:statuses").answering("Status").throttled(Throttle::statuses_family).body_limit(body),
    http::get<show_history>               ("/api/v1/statuses/:id/history", "read:statuses").answering("StatusEdit[]").cached(Caching::if_anonymous),
};
// clang-format on

}  // namespace

std::span<const http::Route> edit_routes() { return table; }

}  // namespace statuses
