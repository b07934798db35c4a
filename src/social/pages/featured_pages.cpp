// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody recommends on their profile: pinned posts, hashtags, people, and collections of people.
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/collections/collection_entity.hpp"
#include "social/collections/remote.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/pages/open_graph.hpp"
#include "social/pages/page.hpp"
#include "social/pages/profile.hpp"
#include "social/pages/shown.hpp"
#include "social/tags/featured_tag.hpp"
#include "social/timelines/feed.hpp"

#include <algorithm>

namespace pages {
namespace {

using accounts::Account;
using instance::View;

constexpr int most_shown = 40;

struct Named {
    std::string username;
};
DESCRIBE(Named, username)

bool add_tags(db::Read& db, View& view, const Account& account) {
    auto all = tags::featured(db, account.id);
    if (all.empty()) return false;
    auto& list = view.add("TAGS");
    auto profile = accounts::url_of(db.site(), account);
    for (const auto& one : all)
        list.add("TAG").set("NAME", one.name).set("URL", tags::tagged_page(profile, one.tag));
    return true;
}

bool add_endorsed(db::Read& db, View& view, const Account& account) {
    base::Range range;
    range.limit = most_shown;
    std::vector<base::AccountId> ids;
    for (const auto& one : relationships::endorsements(db, account.id, range)) ids.push_back(one.account);
    View people;
    if (!add_people(db, people, ids)) return false;
    view.add("PEOPLE") = std::move(people);
    return true;
}

http::Response featured(db::Read& db, const http::Request& request, const Named& form) {
    auto account = account_of(db, form.username);
    auto view = profile_view(db, account);
    bool any = false;
    if (account.show_featured) {
        any |= add_tags(db, view, account);
        auto pinned = timelines::pinned_statuses(db, statuses::nobody(db), account.id, base::Range{}, {});
        for (const auto& post : shown_to_all(db, pinned)) {
            add_post(view, post, db.site());
            any = true;
        }
        any |= add_endorsed(db, view, account);
    }
    view.show_if(!any, account.show_featured ? "NOTHING" : "NOT_SHOWN");
    return profile_page(db, request, account, std::move(view));
}

// ---- collections ----

std::vector<collections::CollectionEntity> collections_for_all(
    db::Read& db, const std::vector<collections::Collection>& found
) {
    return collections::entities(db, statuses::nobody(db), found);
}

struct Older {
    std::string username;
    std::int64_t offset = 0;
};
DESCRIBE(Older, username, offset)

http::Response collections_page(db::Read& db, const http::Request& request, const Older& form) {
    constexpr std::int64_t furthest = 10'000;
    auto account = account_of(db, form.username);
    auto view = profile_view(db, account);
    auto offset = static_cast<int>(std::clamp<std::int64_t>(form.offset, 0, furthest));
    auto found = collections::collections_of(db, account.id, false, most_shown, offset);
    view.show_if(found.empty(), "NOTHING");
    if (!found.empty()) {
        auto& list = view.add("COLLECTIONS");
        for (const auto& one : collections_for_all(db, found))
            list.add("COLLECTION")
                .set("NAME", one.name)
                .set("URL", one.url)
                .set("ABOUT", one.sensitive ? "" : one.description.value_or(""))
                .set("COUNT", std::to_string(one.item_count));
    }
    if (found.size() == static_cast<std::size_t>(most_shown))
        view.add("MORE").set("OFFSET", std::to_string(offset + most_shown));
    return profile_page(db, request, account, std::move(view));
}

struct ById {
    collections::CollectionId id;
};
DESCRIBE(ById, id)

http::Response collection(
    const base::Ask& ask, db::Read& db, const http::Request& request, const ById& path
) {
    if (federation::wants_activity(request))
        return federation::collection_activity(ask, db, request, path.id);
    const auto& site = db.site();
    auto found = collections::collection(db, path.id);
    if (!found.local) throw base::NotFound();
    auto owner = accounts::account(db, found.account_id);
    auto shown = collections_for_all(db, {found})[0];
    View view;
    view.set("NAME", shown.name).set("OWNER", name_of(owner)).set("OWNER_URL", accounts::url_of(site, owner));
    if (shown.description && !shown.description->empty()) view.add("ABOUT").set("TEXT", *shown.description);
    if (shown.tag) view.add("TAG").set("NAME", shown.tag->name).set("URL", shown.tag->url);
    std::vector<base::AccountId> ids;
    for (const auto& item : shown.items)
        if (item.account_id.value) ids.push_back(*item.account_id.value);
    view.show_if(shown.sensitive, "SENSITIVE");
    view.show_if(!add_people(db, view, ids), "NOBODY");
    add_indexing(db, view, owner);
    view.show_if(!shown.discoverable, "UNLISTED");
    return html(db, request, {"collection", shown.name, collections::uri_of(site, found)}, std::move(view));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<featured>        ("/@:username/featured"),
    http::get<collections_page>("/@:username/collections"),
    http::get<collection>      ("/collections/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> featured_routes() { return table; }

}  // namespace pages
