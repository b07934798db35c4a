// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/interactions/reply_approval.hpp"
#include "social/statuses/quotes/quote.hpp"

namespace statuses {
namespace {

using http::Viewer;

struct PageOf {
    StatusId id;
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(PageOf, id, max_id, since_id, limit)

http::RawPage index(db::Read& db, const Viewer& me, const PageOf& form) {
    auto viewer = audience(db, me);
    auto quoted = visible_facts(db, viewer, form.id);
    auto listed = quotes_of(db, quoted.original_id, http::range_of(form));
    std::vector<StatusId> ids;
    for (const auto& row : listed) ids.push_back(row.status);
    auto found = visibility_facts(db, viewer, ids);
    std::erase_if(found, [&](const VisibilityFacts& f) { return !shown(f, viewer); });
    http::RawPage page{json_list(db, viewer, found), {}};
    bool full = listed.size() == static_cast<std::size_t>(form.limit.value);
    if (!listed.empty())
        page.cursors = base::cursors_of(listed.front().cursor, listed.back().cursor, full, true);
    return page;
}

struct Revocation {
    StatusId status_id, id;
};
DESCRIBE(Revocation, status_id, id)

StatusId revoke(db::Write& db, const Viewer& me, const Revocation& path) {
    revoke_quote(db, me.account, path.status_id, path.id);
    return path.id;
}

// The quoted author may see the quote that they have just revoked, even if its author has blocked them.
base::json::Raw show_own_quoted(db::Read& db, const Viewer& me, const ById& path) {
    auto viewer = audience(db, me);
    auto found = visibility_facts(db, viewer, {path.id});
    if (found.empty()) throw base::NoSuchStatus();
    return {json(db, viewer, found[0])};
}

struct PolicyForm {
    StatusId id;
    std::optional<QuotePolicy> quote_approval_policy;
    std::optional<ReplyPolicy> reply_policy;
};
DESCRIBE(PolicyForm, id, quote_approval_policy, reply_policy)

StatusId set_policy(db::Write& db, const Viewer& me, const PolicyForm& form) {
    if (form.reply_policy) set_reply_policy(db, me.account, form.id, *form.reply_policy);
    if (form.quote_approval_policy || !form.reply_policy)
        set_quote_policy(db, me.account, form.id, form.quote_approval_policy);
    return form.id;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                     ("/api/v1/statuses/:id/quotes",                   "read:statuses").answering("Status[]"),
    http::post<revoke, show_own_quoted>       ("/api/v1/statuses/:status_id/quotes/:id/revoke", "write:statuses").answering("Status"),
    http::put<set_policy, show_changed>  ("/api/v1/statuses/:id/interaction_policy",       "write:statuses").answering("Status"),
    http::patch<set_policy, show_changed>("/api/v1/statuses/:id/interaction_policy",       "write:statuses").answering("Status"),
};
// clang-format on

}  // namespace

std::span<const http::Route> quote_routes() { return table; }

}  // namespace statuses
