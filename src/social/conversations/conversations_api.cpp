// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/conversations/conversation.hpp"
#include "social/statuses/core/viewer_api.hpp"

namespace conversations {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

http::Page<ConversationEntity> index(db::Read& db, const Viewer& me, const PageForm& form) {
    auto range = http::range_of(form);
    auto found = conversations(db, me.account, range);
    http::Page<ConversationEntity> page{entities(db, statuses::audience(db, me), found), {}};
    if (found.empty()) return page;
    bool full = found.size() == static_cast<std::size_t>(range.limit);
    page.cursors =
        base::cursors_of(found.front().last_status_id.value, found.back().last_status_id.value, full, false);
    return page;
}

struct ById {
    ViewId id;
};
DESCRIBE(ById, id)

ConversationEntity show(db::Read& db, const Viewer& me, const ById& path) {
    auto viewer = statuses::audience(db, me);
    return entities(db, viewer, {conversation(db, me.account, path.id)})[0];
}

void read(db::Write& db, const Viewer& me, const ById& path) { mark(db, me.account, path.id, false); }

void unread(db::Write& db, const Viewer& me, const ById& path) { mark(db, me.account, path.id, true); }

void leave(db::Write& db, const Viewer& me, const ById& path) { remove(db, me.account, path.id); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>         ("/api/v1/conversations",            "read:statuses"),
    http::post<read, show>   ("/api/v1/conversations/:id/read",   "write:conversations"),
    http::post<unread, show> ("/api/v1/conversations/:id/unread", "write:conversations"),
    http::del<leave>         ("/api/v1/conversations/:id",        "write:conversations"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace conversations
