// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts and people in lists that everybody may see: a hashtag, the timeline of this server, what is talked about.
#include "base/uris.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/discovery/search.hpp"
#include "social/discovery/trends.hpp"
#include "social/instance/settings.hpp"
#include "social/pages/feed.hpp"
#include "social/pages/page.hpp"
#include "social/pages/profile.hpp"
#include "social/statuses/previews/preview_entity.hpp"
#include "social/tags/tag.hpp"
#include "social/timelines/public.hpp"

namespace pages {
namespace {

using instance::View;

// Who may see no timelines by the API may see none here.
void require_open(db::Read& db) {
    if (db.site().restricted) throw base::Unauthorized("This method requires an authenticated user");
}

struct TagForm {
    std::string name;
    std::optional<std::int64_t> max_id;
    bool local = false;
};
DESCRIBE(TagForm, name, max_id, local)

base::Range range_of(const std::optional<std::int64_t>& max_id) {
    base::Range range;
    if (max_id) range.below = *max_id;
    return range;
}

// The posts, and the way to older ones.
void add_posts(
    db::Read& db, View& view, const std::vector<statuses::VisibilityFacts>& page, const std::string& address
) {
    for (const auto& post : shown_to_all(db, page)) add_post(view, post, db.site());
    if (page.size() == static_cast<std::size_t>(base::Range{}.limit))
        view.add("OLDER").set("URL", address + "?max_id=" + std::to_string(page.back().id.value));
}

std::vector<statuses::VisibilityFacts> tagged(db::Read& db, const TagForm& form) {
    timelines::TagFilter filter{{form.name}, {}, {}, {form.local, false, false}};
    return timelines::tagged(db, statuses::nobody(db), range_of(form.max_id), filter);
}

// Of a hashtag that nobody has written there is no page.
std::string known_tag(db::Read& db, const std::string& name) {
    auto found = tags::find_tag(db, tags::checked_name(name));
    if (!found) throw base::NotFound();
    return found->display_name;
}

http::Response tag_feed(db::Read& db, FeedKind kind, const TagForm& form, const std::string& ending) {
    auto name = known_tag(db, form.name);
    auto home = base::uris::tag_page(db.site(), name);
    Feed described{"#" + name, "Public posts with #" + name, home, home + ending};
    return feed(db.site(), kind, described, shown_to_all(db, tagged(db, form)));
}

http::Response tag(db::Read& db, const http::Request& request, const TagForm& form) {
    require_open(db);
    auto named = form;
    if (auto kind = take_feed_kind(named.name))
        return tag_feed(db, *kind, named, form.name.substr(named.name.size()));
    auto name = known_tag(db, form.name);
    auto address = base::uris::tag_page(db.site(), name);
    View view;
    view.set("HEADING", "#" + name);
    add_posts(db, view, tagged(db, form), address);
    view.show_if(instance::setting(db, "noindex") == "true", "UNLISTED");
    return html(db, request, {"posts", "#" + name, {}, address}, std::move(view));
}

http::Response tag_json_feed(db::Read& db, const TagForm& form) {
    require_open(db);
    return tag_feed(db, FeedKind::json, form, "/feed.json");
}

struct Older {
    std::optional<std::int64_t> max_id;
};
DESCRIBE(Older, max_id)

http::Response local_timeline(db::Read& db, const http::Request& request, const Older& form) {
    require_open(db);
    View view;
    view.say("HEADING", "Posts of this server").add("UNLISTED");
    timelines::PublicFilter filter{true, false, false};
    auto page = timelines::everything(db, statuses::nobody(db), range_of(form.max_id), filter, {});
    add_posts(db, view, page, "/public/local");
    return html(
        db, request, {.name = "posts", .title = "Posts of this server", .said = true}, std::move(view)
    );
}

// Who was active last, of those who want to be found.
void add_active(db::Read& db, View& view) {
    if (instance::setting(db, "profile_directory") == "false") return;
    std::vector<base::AccountId> ids;
    for (const auto& one : discovery::directory(db, {}, {.local = true, .limit = 10}))
        ids.push_back(one.account);
    if (!ids.empty()) add_people(db, view.add("PEOPLE"), ids);
}

http::Response explore(db::Read& db, const http::Request& request) {
    require_open(db);
    View view;
    bool anything = false;
    view.say("HEADING", "Explore");
    view.show_if(instance::setting(db, "noindex") == "true", "UNLISTED");
    if (discovery::trends_enabled(db)) {
        discovery::Window window{0, 10, {}};
        auto trending = discovery::trending_tags(db, window);
        if (!trending.empty()) {
            anything = true;
            auto& list = view.add("TAGS");
            for (const auto& one : trending)
                list.add("TAG")
                    .set("NAME", one.display_name)
                    .set("URL", "/tags/" + http::percent_encoded(one.display_name));
        }
        window.limit = 20;
        for (const auto& post :
             shown_to_all(db, discovery::trending_statuses(db, statuses::nobody(db), window))) {
            anything = true;
            add_post(view, post, db.site());
        }
    }
    view.show_if(!anything, "NOTHING");
    add_active(db, view);
    return html(db, request, {.name = "posts", .title = "Explore", .said = true}, std::move(view));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<tag>           ("/tags/:name"),
    http::get<tag_json_feed> ("/tags/:name/feed.json"),
    http::get<local_timeline>("/public/local"),
    http::get<explore>       ("/explore"),
};
// clang-format on

}  // namespace

std::span<const http::Route> listing_routes() { return table; }

}  // namespace pages
