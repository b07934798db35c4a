// SPDX-License-Identifier: AGPL-3.0-or-later
// A status as a piece of HTML for other sites. What is not for everybody is never embedded, not even for those who
// may see it: the page it lands on is somebody else's.
#include "base/json_read.hpp"
#include "base/text/html/html.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/discovery/search.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace pages {
namespace {

using base::StatusId;
using base::text::escape;
using http::Viewer;

struct OEmbed {
    std::string type = "rich", version = "1.0";
    std::string author_name, author_url, provider_name, provider_url;
    int cache_age = 86400;
    std::string html;
    int width = 400;
    std::optional<int> height;
};
DESCRIBE(
    OEmbed, type, version, author_name, author_url, provider_name, provider_url, cache_age, html, width,
    height
)

// What the quotation shows of a Status entity.
struct Author {
    std::string display_name, acct, url;
};
DESCRIBE(Author, display_name, acct, url)
struct Shown {
    std::string uri, content, spoiler_text, created_at;
    std::optional<std::string> url;
    Author account;
};
DESCRIBE(Shown, uri, content, spoiler_text, created_at, url, account)

struct Size {
    int width = 400;
    std::optional<int> height;
};

// Needs no script and no style of ours. The content is clean HTML; all else is text.
std::string quotation(const Shown& status, const std::string& handle, int width) {
    auto url = status.url.value_or(status.uri);
    const auto& name = status.account.display_name.empty() ? handle : status.account.display_name;
    auto text = status.spoiler_text.empty() ? status.content : "<p>" + escape(status.spoiler_text) + "</p>";
    return "<blockquote class=\"mastodon-embed\" cite=\"" + escape(url) +
           "\" style=\"max-width: " + std::to_string(width) + "px\">" + text + "<footer>" + escape(name) +
           " (@" + escape(handle) + ") <a href=\"" + escape(url) +
           "\" target=\"_blank\" rel=\"noopener\"><time datetime=\"" + escape(status.created_at) + "\">" +
           escape(status.created_at.substr(0, 10)) + "</time></a></footer></blockquote>";
}

OEmbed embed(db::Read& db, const statuses::VisibilityFacts& f, const Size& size) {
    const auto& site = db.site();
    auto account = accounts::account(db, f.account_id);
    auto status = base::json::read<Shown>(statuses::json(db, statuses::nobody(db), f));
    auto domain = account.local() ? site.domain : account.domain;
    OEmbed out;
    out.author_name = account.display_name.empty() ? account.username : account.display_name;
    out.author_url = accounts::url_of(site, account);
    out.provider_name = domain;
    out.provider_url = account.local() ? site.public_url + "/" : "https://" + domain + "/";
    out.html = quotation(status, account.username + "@" + domain, size.width);
    out.width = size.width;
    out.height = size.height;
    return out;
}

bool open(db::Read& db, const statuses::VisibilityFacts& f) {
    return !f.is_reblog() && statuses::visible(f, statuses::nobody(db));
}

struct ByUrl {
    std::string url;
    std::optional<int> maxwidth, maxheight;
};
DESCRIBE(ByUrl, url, maxwidth, maxheight)

OEmbed by_url(db::Read& db, const ByUrl& form) {
    auto found =
        statuses::visible_facts(db, statuses::nobody(db), discovery::resolve_local(db, form.url).status);
    if (!open(db, found)) throw base::NoSuchStatus();
    Size size;
    if (form.maxwidth.value_or(0) > 0) size.width = *form.maxwidth;
    if (form.maxheight.value_or(0) > 0) size.height = form.maxheight;
    return embed(db, found, size);
}

struct ById {
    StatusId id;
};
DESCRIBE(ById, id)

OEmbed by_id(db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    auto found = statuses::visible_facts(db, statuses::audience(db, me), path.id);
    bool local = accounts::account(db, found.account_id).local();
    if (!open(db, found) || (!local && !me)) throw base::NoSuchStatus();
    return embed(db, found, {});
}

// clang-format off
constexpr http::Route table[] = {
    http::get<by_url> ("/api/oembed"),
    http::get<by_id>  ("/api/web/embeds/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> oembed_routes() { return table; }

}  // namespace pages
