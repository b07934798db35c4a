// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account_list_api.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/interactions/status_lists.hpp"

namespace statuses {
namespace {

using http::Viewer;

const db::Query<StatusId> touched_by_interaction{
    "touched_by_interaction",
    R"(SELECT id FROM statuses WHERE id = $1
       UNION ALL SELECT o.id FROM statuses s JOIN statuses o ON o.id = s.reblog_of_id WHERE s.id = $1
       UNION ALL SELECT id FROM favourites WHERE account_id = $2 AND status_id = $1
       UNION ALL SELECT max(id) FROM favourites WHERE account_id = $2
       UNION ALL SELECT max(id) FROM favourites WHERE status_id = $1
       UNION ALL SELECT id FROM statuses WHERE reblog_of_id = $1 AND account_id = $2 AND deleted_at IS NULL
       UNION ALL SELECT max(id) FROM statuses WHERE reblog_of_id = $1)"
};

// Older posts are rarely in memory.
void fetch(db::Read& db, const Viewer& me, const ById& path) {
    prefetch_facts(db, path.id);
    db.prefetch(touched_by_interaction, path.id, me.account);
}

template <auto F>
StatusId act_on(db::Write& db, const Viewer& me, const ById& path) {
    F(db, me.account, path.id);
    return path.id;
}

template <auto F>
StatusId act_beside_others(db::Write& db, const Viewer& me, const ById& path) {
    db.beside_others();
    return act_on<F>(db, me, path);
}

StatusId like(db::Write& db, const Viewer& me, const ById& path) {
    db.beside_others();
    favourite(db, me.account, path.id, {});
    return path.id;
}

// What was favourited, boosted or bookmarked until now: also when its author has blocked the viewer since, but not what is
// for some people among whom the viewer is no more. Acting on anything else that they may not see has failed before.
base::json::Raw show_taken_back(db::Read& db, const Viewer& me, const ById& path) {
    auto viewer = audience(db, me);
    auto found = visibility_facts(db, viewer, {path.id});
    if (found.empty() || found[0].gone) throw base::NoSuchStatus();
    if (!open(found[0].original_visibility) && !visible(found[0], viewer)) throw base::NoSuchStatus();
    return {json(db, viewer, found[0])};
}

struct ReblogForm {
    StatusId id;
    std::optional<Visibility> visibility;
};
DESCRIBE(ReblogForm, id, visibility)

// With the visibility of the form, else the user's default, but never for mentioned people only.
Visibility visibility_of(db::Read& db, const Viewer& me, const ReblogForm& form) {
    if (form.visibility) return *form.visibility;
    auto usual =
        default_visibility(accounts::posting_defaults(db, me.user), accounts::account(db, me.account).locked);
    return usual == Visibility::direct ? Visibility::private_ : usual;
}

http::Made<StatusId> boost(db::Write& db, const Viewer& me, const ReblogForm& form) {
    db.beside_others();
    auto [id, created] = reblog(db, me.account, form.id, visibility_of(db, me, form));
    return {id, created};
}

StatusId unboost(db::Write& db, const Viewer& me, const ById& path) {
    auto status = find_status(db, path.id);
    unreblog(db, me.account, path.id);
    return original_of(*status);
}

struct PageOf {
    StatusId id;
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(PageOf, id, max_id, since_id, limit)

template <auto List>
http::RawPage people(db::Read& db, const std::optional<Viewer>& me, const PageOf& form) {
    auto viewer = audience(db, me);
    auto status = visible_facts(db, viewer, form.id);
    auto listed = List(db, status.original_id, viewer.viewer, http::range_of(form));
    return accounts::page_of_accounts(db, listed, form.limit.value, me.has_value());
}

struct OwnPage {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(OwnPage, max_id, since_id, min_id, limit)

// Of what somebody marked, as much as a page holds of what they may still see.
struct MarkedPage {
    std::vector<VisibilityFacts> found;
    std::optional<std::int64_t> first, last;  // of the marks looked at
    bool more = true;
};

template <auto List>
MarkedPage marked_page(db::Read& db, const Audience& viewer, base::Range range) {
    constexpr int most_rounds = 20;
    const auto wanted = static_cast<std::size_t>(range.limit);
    MarkedPage out;
    for (int round = 0; round < most_rounds && out.more && out.found.size() < wanted; ++round) {
        auto listed = List(db, viewer.viewer, range);
        out.more = listed.size() == wanted;
        if (range.ascending) std::ranges::reverse(listed);
        std::vector<StatusId> ids;
        for (const auto& row : listed) ids.push_back(row.status);
        auto facts = visibility_facts(db, viewer, ids);
        auto fact = facts.begin();
        for (const auto& row : listed) {
            if (out.found.size() == wanted) {
                out.more = true;
                break;
            }
            if (!out.first) out.first = row.cursor;
            out.last = row.cursor;
            if (fact == facts.end() || fact->id != row.status) continue;
            if (visible(*fact, viewer)) out.found.push_back(std::move(*fact));
            ++fact;
        }
        if (out.last) (range.ascending ? range.above : range.below) = *out.last;
    }
    if (range.ascending) {
        std::ranges::reverse(out.found);
        std::swap(out.first, out.last);
    }
    return out;
}

template <auto List>
http::RawPage own(db::Read& db, const Viewer& me, const OwnPage& form) {
    auto viewer = audience(db, me);
    auto page = marked_page<List>(db, viewer, http::range_of(form));
    http::RawPage out{json_list(db, viewer, page.found), {}};
    if (page.first) out.cursors = base::cursors_of(*page.first, *page.last, page.more, false);
    return out;
}

using http::Caching, http::Throttle;

// clang-format off
constexpr http::Route table[] = {
    http::post<fetch, like, show_changed>                       ("/api/v1/statuses/:id/favourite",     "write:favourites").answering("Status"),
    http::post<act_beside_others<unfavourite>, show_taken_back>        ("/api/v1/statuses/:id/unfavourite",   "write:favourites").answering("Status"),
    http::post<fetch, act_beside_others<bookmark>, show_changed>           ("/api/v1/statuses/:id/bookmark",      "write:bookmarks").answering("Status"),
    http::post<act_beside_others<unbookmark>, show_taken_back>         ("/api/v1/statuses/:id/unbookmark",    "write:bookmarks").answering("Status"),
    http::post<act_on<pin>, show_changed>                ("/api/v1/statuses/:id/pin",           "write:accounts").answering("Status"),
    http::post<act_on<unpin>, show_changed>              ("/api/v1/statuses/:id/unpin",         "write:accounts").answering("Status"),
    http::post<act_on<mute_conversation>, show_changed>  ("/api/v1/statuses/:id/mute",          "write:mutes").answering("Status"),
    http::post<act_on<unmute_conversation>, show_changed>("/api/v1/statuses/:id/unmute",        "write:mutes").answering("Status"),
    http::post<fetch, boost, show_changed>                      ("/api/v1/statuses/:id/reblog",        "write:statuses").answering("Status").throttled(Throttle::statuses_family),
    http::post<unboost, show_taken_back>                    ("/api/v1/statuses/:id/unreblog",      "write:statuses").answering("Status").throttled(Throttle::deletion),
    http::get<people<favourited_by>>                     ("/api/v1/statuses/:id/favourited_by", "read:accounts").answering("Account[]").cached(Caching::if_anonymous),
    http::get<people<reblogged_by>>                      ("/api/v1/statuses/:id/reblogged_by",  "read:accounts").answering("Account[]").cached(Caching::if_anonymous),
    http::get<own<favourites>>                           ("/api/v1/favourites",                 "read:favourites").answering("Status[]"),
    http::get<own<bookmarks>>                            ("/api/v1/bookmarks",                  "read:bookmarks").answering("Status[]"),
};
// clang-format on

}  // namespace

std::span<const http::Route> interaction_routes() { return table; }

}  // namespace statuses
