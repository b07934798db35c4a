// SPDX-License-Identifier: AGPL-3.0-or-later
// Short addresses of attachments: of the file, of a copy of what another server has, and of a player that other pages
// embed. What is attached is shown to whom its post is, so these show what everybody may see.
#include "http/route.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/media/media_use.hpp"
#include "social/pages/page.hpp"
#include "social/pages/shown.hpp"

#include <algorithm>

namespace pages {
namespace {

struct ById {
    base::MediaId id;
};
DESCRIBE(ById, id)

struct Found {
    Shown post;
    ShownMedium medium;
};

Found find(db::Read& db, base::MediaId id) {
    auto rows = media::by_ids(db, {id});
    if (rows.empty() || !rows[0].status_id) throw base::NotFound();
    auto facts = statuses::visible_facts(db, statuses::nobody(db), rows[0].status_id);
    auto posts = shown_to_all(db, {facts});
    if (posts.empty()) throw base::NotFound();
    // What an edit took away is not among them any more.
    auto& all = posts[0].media_attachments;
    auto medium = std::ranges::find(all, std::to_string(id.value), &ShownMedium::id);
    if (medium == all.end() || !medium->url) throw base::NotFound();
    auto shown = std::move(*medium);
    return {std::move(posts[0]), std::move(shown)};
}

http::Response file(db::Read& db, const ById& path) {
    return federation::page_at(*find(db, path.id).medium.url, 302);
}

struct Sized {
    base::MediaId id;
    std::string size;
};
DESCRIBE(Sized, id, size)

http::Response copy(db::Read& db, const Sized& path) {
    auto medium = find(db, path.id).medium;
    if (path.size == "original") return federation::page_at(*medium.url, 302);
    if (path.size != "small" || !medium.preview_url) throw base::NotFound();
    return federation::page_at(*medium.preview_url, 302);
}

http::Response player(db::Read& db, const http::Request& request, const ById& path) {
    auto [post, medium] = find(db, path.id);
    bool sound = medium.type == "audio", moves = medium.type == "video" || medium.type == "gifv";
    if (!sound && !moves) throw base::NotFound();
    instance::View view;
    view.add(sound ? "AUDIO" : "VIDEO")
        .set("URL", *medium.url)
        .set("PREVIEW", medium.preview_url.value_or(""))
        .set("TEXT", medium.description.value_or(""));
    view.set("NAME", name_of(post.account)).set("POST", post.address()).add("UNLISTED");
    return html(
        db,
        request,
        {.name = "player", .title = "Media of " + name_of(post.account), .embedded = true, .said = true},
        std::move(view)
    );
}

// clang-format off
constexpr http::Route table[] = {
    http::get<file>  ("/media/:id"),
    http::get<player>("/media/:id/player"),
    http::get<copy>  ("/media_proxy/:id/:size"),
};
// clang-format on

}  // namespace

std::span<const http::Route> media_routes() { return table; }

}  // namespace pages
