// SPDX-License-Identifier: AGPL-3.0-or-later
// Profiles for people who come with a browser, from anywhere: what everybody may see, without JavaScript. The same
// addresses answer programs that ask for ActivityPub.
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/pages/feed.hpp"
#include "social/pages/open_graph.hpp"
#include "social/pages/page.hpp"
#include "social/pages/profile.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/timelines/feed.hpp"

#include <algorithm>

namespace pages {
namespace {

using accounts::Account;
using http::Request;
using instance::View;

struct ProfileForm {
    std::string username;
    std::optional<std::int64_t> max_id;
    std::string tag;
};
DESCRIBE(ProfileForm, username, max_id, tag)

// Which posts of a profile.
struct Part {
    std::string path;  // behind the address of the profile
    timelines::AccountFilter filter;
};
timelines::AccountFilter posts_only() {
    timelines::AccountFilter filter;
    filter.exclude_replies = filter.exclude_reblogs = filter.exclude_direct = true;
    return filter;
}
timelines::AccountFilter and_replies() {
    auto filter = posts_only();
    filter.exclude_replies = false;
    return filter;
}
timelines::AccountFilter with_media() {
    auto filter = and_replies();
    filter.only_media = true;
    return filter;
}

std::vector<statuses::VisibilityFacts> posts_of(
    db::Read& db, const Account& account, const ProfileForm& form, const timelines::AccountFilter& filter
) {
    base::Range range;
    if (form.max_id) range.below = *form.max_id;
    return timelines::account_statuses(db, statuses::nobody(db), account.id, range, filter);
}

http::Response profile_feed(db::Read& db, FeedKind kind, const ProfileForm& form, const std::string& ending) {
    const auto& site = db.site();
    auto account = account_of(db, form.username);
    auto home = accounts::url_of(site, account);
    Feed described{
        title_of(site, account),
        base::text::plain_text(account.note_html),
        home,
        home + ending,
        avatar_of(site, account)
    };
    return feed(site, kind, described, shown_to_all(db, posts_of(db, account, form, posts_only())));
}

http::Response show_part(db::Read& db, const Request& request, const ProfileForm& form, const Part& part) {
    const auto& site = db.site();
    auto account = account_of(db, form.username);
    auto page = posts_of(db, account, form, part.filter);
    auto view = profile_view(db, account);
    for (const auto& post : shown_to_all(db, page)) add_post(view, post, site);
    auto address = accounts::url_of(site, account);
    if (page.size() == static_cast<std::size_t>(base::Range{}.limit))
        view.add("OLDER").set("URL", address + part.path + "?max_id=" + std::to_string(page.back().id.value));
    return profile_page(db, request, account, std::move(view));
}

http::Response profile(const base::Ask& ask, db::Read& db, const Request& request, const ProfileForm& form) {
    if (federation::wants_activity(request)) return federation::actor_activity(ask, db, request);
    auto named = form;
    if (auto kind = take_feed_kind(named.username))
        return profile_feed(db, *kind, named, form.username.substr(named.username.size()));
    if (form.username.find('@') == form.username.npos)
        return show_part(db, request, form, {"", posts_only()});
    auto account = accounts::find_by_acct(db, form.username);
    if (!account) throw base::NotFound();
    auto address = accounts::url_of(db.site(), *account);
    return account->local() ? federation::page_at(std::move(address), 302)
                            : elsewhere(db, request, *account, address);
}

http::Response with_replies(db::Read& db, const Request& request, const ProfileForm& form) {
    return show_part(db, request, form, {"/with_replies", and_replies()});
}
http::Response media(db::Read& db, const Request& request, const ProfileForm& form) {
    return show_part(db, request, form, {"/media", with_media()});
}
http::Response tagged(db::Read& db, const Request& request, const ProfileForm& form) {
    auto filter = and_replies();
    filter.tagged = base::text::normalise_hashtag(form.tag);
    return show_part(db, request, form, {"/tagged/" + http::percent_encoded(form.tag), std::move(filter)});
}

// ---- whom somebody follows, and by whom they are followed ----

using People = std::vector<
    relationships::ListedAccount> (&)(db::Read&, base::AccountId, base::AccountId, const base::Range&);

http::Response show_people(
    db::Read& db, const Request& request, const ProfileForm& form, std::string_view heading,
    std::string_view ending, People people
) {
    const auto& site = db.site();
    auto account = account_of(db, form.username);
    auto address = accounts::url_of(site, account);
    View view;
    view.say("HEADING", heading).set("NAME_HTML", name_html(db, account)).set("ADDRESS", address);
    add_indexing(db, view, account);
    if (!relationships::network_visible(db, account, {})) view.add("HIDDEN");
    else {
        base::Range range;
        if (form.max_id) range.below = *form.max_id;
        auto page = people(db, account.id, {}, range);
        std::vector<base::AccountId> ids;
        for (const auto& one : page) ids.push_back(one.account);
        add_people(db, view, ids);
        view.show_if(page.empty(), "NOBODY");
        if (page.size() == static_cast<std::size_t>(range.limit))
            view.add("OLDER").set(
                "URL", address + std::string(ending) + "?max_id=" + std::to_string(page.back().cursor)
            );
    }
    auto title = std::string(heading) + " " + title_of(site, account);
    return html(db, request, {.name = "people", .title = title, .said = true}, std::move(view));
}

http::Response followers(db::Read& db, const Request& request, const ProfileForm& form) {
    return show_people(db, request, form, "Who follows", "/followers", relationships::followers);
}
http::Response following(db::Read& db, const Request& request, const ProfileForm& form) {
    return show_people(db, request, form, "Followed by", "/following", relationships::following);
}

http::Response json_feed(db::Read& db, const ProfileForm& form) {
    return profile_feed(db, FeedKind::json, form, "/feed.json");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<profile>     ("/@:username"),
    http::get<with_replies>("/@:username/with_replies"),
    http::get<with_replies>("/@:username/replies"),
    http::get<media>       ("/@:username/media"),
    http::get<tagged>      ("/@:username/tagged/:tag"),
    http::get<followers>   ("/@:username/followers"),
    http::get<following>   ("/@:username/following"),
    http::get<json_feed>   ("/@:username/feed.json"),
};
// clang-format on

}  // namespace

std::span<const http::Route> profile_routes() { return table; }

}  // namespace pages
