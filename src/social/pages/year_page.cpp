// SPDX-License-Identifier: AGPL-3.0-or-later
// A year of somebody in figures, for whoever was given its address.
#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/pages/open_graph.hpp"
#include "social/pages/page.hpp"
#include "social/pages/profile.hpp"
#include "social/pages/shown.hpp"

#include <algorithm>

namespace pages {
namespace {

struct Shared {
    std::string username;
    std::int64_t year = 0;
    std::string share_key;
};
DESCRIBE(Shared, username, year, share_key)

std::string_view sentence(discovery::Archetype kind) {
    using enum discovery::Archetype;
    switch (kind) {
        case lurker: return "Mostly reads";
        case booster: return "Mostly passes on what others write";
        case pollster: return "Asks many questions";
        case replier: return "Mostly answers others";
        case oracle: break;
    }
    return "Has much to say";
}

void add_months(instance::View& view, const std::string& year, const std::vector<discovery::Month>& months) {
    std::int64_t posts = 0, followers = 0, most = 1;
    for (const auto& one : months) {
        posts += one.statuses;
        followers += one.followers;
        most = std::max(most, one.statuses);
    }
    view.set("POSTS", std::to_string(posts)).set("FOLLOWERS", std::to_string(followers));
    for (const auto& one : months)
        view.add("MONTH")
            .set("MONTH_NAME", year + (one.month < 10 ? "-0" : "-") + std::to_string(one.month))
            .set("COUNT", std::to_string(one.statuses))
            .set("MOST", std::to_string(most));
}

http::Response year(db::Read& db, const http::Request& request, const Shared& path) {
    auto account = account_of(db, path.username);
    auto report = discovery::find_report(db, account.id, path.year);
    if (!report || !report->share_key || !base::same_secret(*report->share_key, path.share_key))
        throw base::NotFound();
    auto figures = base::json::read<discovery::Figures>(report->figures);
    const auto& site = db.site();
    auto shown_year = std::to_string(path.year), name = name_of(account);
    instance::View view;
    view.set("NAME_HTML", name_html(db, account))
        .set("YEAR", shown_year)
        .set("PROFILE", accounts::url_of(site, account));
    view.set("AVATAR", avatar_of(site, account)).say("KIND", sentence(figures.archetype));
    add_months(view, shown_year, figures.time_series);
    for (const auto& tag : figures.top_hashtags)
        view.add("TAG").set("TAG_NAME", tag.name).set("TAG_URL", "/tags/" + http::percent_encoded(tag.name));
    if (auto id = figures.top_statuses.by_reblogs) {
        auto facts = statuses::visibility_facts(db, statuses::nobody(db), {*id});
        if (auto posts = shown_to_all(db, facts); !posts.empty()) add_post(view.add("BEST"), posts[0], site);
    }
    view.add("UNLISTED");
    return html(db, request, {"year", name + " · " + shown_year}, std::move(view));
}

constexpr http::Route table[] = {http::get<year>("/@:username/wrapstodon/:year/:share_key")};

}  // namespace

std::span<const http::Route> year_pages() { return table; }

}  // namespace pages
