// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/profile/posting_defaults.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/timelines/feed.hpp"
#include "social/timelines/followed_feed.hpp"
#include "social/timelines/home.hpp"
#include "social/timelines/marker.hpp"
#include "social/timelines/public.hpp"

#include <algorithm>

namespace timelines {
namespace {

using http::Viewer;

http::RawPage page(db::Read& db, const Audience& viewer, const std::vector<VisibilityFacts>& found) {
    return {statuses::json_list(db, viewer, found), feed_cursors(found)};
}

struct HomeForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(HomeForm, max_id, since_id, min_id, limit)

http::RawPage home_page(db::Read& db, const Viewer& me, const HomeForm& form) {
    auto viewer = statuses::audience(db, me);
    return page(db, viewer, home(db, viewer, http::range_of(form)));
}

struct PublicForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
    bool local = false, remote = false, only_media = false;
};
DESCRIBE(PublicForm, max_id, since_id, min_id, limit, local, remote, only_media)

http::RawPage public_page(db::Read& db, const std::optional<Viewer>& me, const PublicForm& form) {
    auto viewer = statuses::audience(db, me);
    PublicFilter filter{form.local, form.remote, form.only_media};
    auto languages = me ? accounts::chosen_languages(db, me->user) : std::vector<std::string>{};
    return page(db, viewer, everything(db, viewer, http::range_of(form), filter, languages));
}

struct TagForm {
    http::Required<std::string> id;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
    bool local = false, remote = false, only_media = false;
    std::vector<std::string> any, all, none;
};
DESCRIBE(TagForm, id, max_id, since_id, min_id, limit, local, remote, only_media, any, all, none)

http::RawPage tag_page(db::Read& db, const std::optional<Viewer>& me, const TagForm& form) {
    auto viewer = statuses::audience(db, me);
    TagFilter filter{{*form.id}, form.all, form.none, {form.local, form.remote, form.only_media}};
    filter.any.insert(filter.any.end(), form.any.begin(), form.any.end());
    return page(db, viewer, tagged(db, viewer, http::range_of(form), filter));
}

struct ListForm {
    lists::ListId id;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(ListForm, id, max_id, since_id, min_id, limit)

http::RawPage list_page(db::Read& db, const Viewer& me, const ListForm& form) {
    auto viewer = statuses::audience(db, me);
    return page(db, viewer, list(db, viewer, form.id, http::range_of(form)));
}

struct AccountForm {
    base::AccountId id;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<20, 40> limit;
    bool only_media = false, exclude_replies = false, exclude_reblogs = false, exclude_direct = false,
         pinned = false;
    std::string tagged;
};
DESCRIBE(
    AccountForm, id, max_id, since_id, min_id, limit, only_media, exclude_replies, exclude_reblogs,
    exclude_direct, pinned, tagged
)

http::RawPage account_page(db::Read& db, const std::optional<Viewer>& me, const AccountForm& form) {
    auto account = accounts::account(db, form.id);
    if (account.suspended_at) return {"[]", {}};
    auto viewer = statuses::audience(db, me);
    AccountFilter filter{
        form.only_media, form.exclude_replies, form.exclude_reblogs, form.exclude_direct, form.tagged
    };
    auto found = form.pinned ? pinned_statuses(db, viewer, form.id, http::range_of(form), filter)
                             : account_statuses(db, viewer, form.id, http::range_of(form), filter);
    http::RawPage page{statuses::json_list(db, viewer, found), {}};
    bool full = found.size() == static_cast<std::size_t>(form.limit.value);
    if (!found.empty())
        page.cursors = base::cursors_of(found.front().id.value, found.back().id.value, full, false);
    return page;
}

struct Marker {
    std::string last_read_id;
    std::int64_t version = 0;
    base::Time updated_at;
};
DESCRIBE(Marker, last_read_id, version, updated_at)

std::map<std::string, Marker> chosen_markers(
    db::Read& db, base::AccountId account, const std::vector<std::string>& names
) {
    std::map<std::string, Marker> out;
    for (const auto& row : markers(db, account))
        if (std::ranges::find(names, row.timeline) != names.end())
            out[row.timeline] = {std::to_string(row.last_read_id), row.version, row.updated_at};
    return out;
}

struct MarkerQuery {
    std::vector<std::string> timeline;
};
DESCRIBE(MarkerQuery, timeline)

std::map<std::string, Marker> show_markers(db::Read& db, const Viewer& me, const MarkerQuery& form) {
    return chosen_markers(db, me.account, form.timeline);
}

struct Read {
    std::optional<std::int64_t> last_read_id;
};
DESCRIBE(Read, last_read_id)

struct MarkerForm {
    std::optional<Read> home, notifications;
};
DESCRIBE(MarkerForm, home, notifications)

std::vector<MarkerRow> seen_markers(db::Read& db, const Viewer& me) { return markers(db, me.account); }

void save_markers(
    db::Write& db, const Viewer& me, const MarkerForm& form, const std::vector<MarkerRow>& seen
) {
    auto set = [&](std::string_view timeline, const std::optional<Read>& given) {
        if (given && given->last_read_id) set_marker(db, me.account, timeline, *given->last_read_id, seen);
    };
    set("home", form.home);
    set("notifications", form.notifications);
}

std::map<std::string, Marker> show_saved(db::Read& db, const Viewer& me, const MarkerForm& form) {
    std::vector<std::string> names;
    if (form.home) names.emplace_back("home");
    if (form.notifications) names.emplace_back("notifications");
    return chosen_markers(db, me.account, names);
}

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<home_page>                 ("/api/v1/timelines/home",       "read:statuses").answering("Status[]"),
    http::get<public_page>               ("/api/v1/timelines/public",     "read:statuses").answering("Status[]").cached(Caching::if_anonymous),
    http::get<tag_page>                  ("/api/v1/timelines/tag/:id",    "read:statuses").answering("Status[]").cached(Caching::if_anonymous),
    http::get<list_page>                 ("/api/v1/timelines/list/:id",   "read:lists").answering("Status[]"),
    http::get<account_page>              ("/api/v1/accounts/:id/statuses","read:statuses").answering("Status[]").cached(Caching::if_anonymous),
    http::get<show_markers>              ("/api/v1/markers",              "read:statuses"),
    http::post<seen_markers, save_markers, show_saved> ("/api/v1/markers","write:statuses"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace timelines
