// SPDX-License-Identifier: AGPL-3.0-or-later
// Profiles and posts for people who come with a browser, from anywhere: what everybody may see, without JavaScript.
// The same addresses answer programs that ask for ActivityPub.
#include "base/json_read.hpp"
#include "base/text/html/html.hpp"
#include "base/uris.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/discovery/search.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/instance/html.hpp"
#include "social/pages/open_graph.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/timelines/feed.hpp"

namespace pages {
namespace {

using accounts::Account;
using http::Request;
using instance::View;

// What a page shows of a Status entity.
struct Author {
    std::string username, display_name, acct, url, avatar_static;
};
DESCRIBE(Author, username, display_name, acct, url, avatar_static)
struct Attachment {
    std::string type;
    std::optional<std::string> url, preview_url, description;
};
DESCRIBE(Attachment, type, url, preview_url, description)
struct PollOption {
    std::string title;
    std::optional<std::int64_t> votes_count;
};
DESCRIBE(PollOption, title, votes_count)
struct Poll {
    std::vector<PollOption> options;
};
DESCRIBE(Poll, options)
struct Shown {
    std::string uri, content, spoiler_text, created_at;
    std::optional<std::string> url;
    bool sensitive = false;
    std::int64_t replies_count = 0, reblogs_count = 0, favourites_count = 0;
    Author account;
    std::vector<Attachment> media_attachments;
    std::optional<Poll> poll;
};
DESCRIBE(
    Shown, uri, content, spoiler_text, created_at, url, sensitive, replies_count, reblogs_count,
    favourites_count, account, media_attachments, poll
)

const char* section_of(const Attachment& media) {
    if (media.type == "audio") return "AUDIO";
    return media.type == "video" || media.type == "gifv" ? "VIDEO" : "IMAGE";
}

// The content is clean HTML, made here or by the sanitizer; all else is text.
void add_post(View& page, const Shown& post, const base::Site& site) {
    auto name = post.account.display_name.empty() ? post.account.username : post.account.display_name;
    auto& view = page.add("POST");
    view.set("PROFILE", post.account.url)
        .set("AVATAR", post.account.avatar_static)
        .set("NAME", name)
        .set("HANDLE", post.account.username + "@" + site.domain)
        .set("URL", post.url.value_or(post.uri))
        .set("TIME", post.created_at)
        .set("DAY", post.created_at.substr(0, 10))
        .set("REPLIES", std::to_string(post.replies_count))
        .set("BOOSTS", std::to_string(post.reblogs_count))
        .set("FAVOURITES", std::to_string(post.favourites_count));
    bool warned = !post.spoiler_text.empty();
    auto& body = view.add(warned ? "WARNED" : "PLAIN");
    if (warned) body.set("WARNING", post.spoiler_text);
    body.set("CONTENT", post.content);
    if (post.poll)
        for (const auto& option : post.poll->options)
            body.add("OPTION")
                .set("TITLE", option.title)
                .set("VOTES", option.votes_count ? std::to_string(*option.votes_count) : "");
    view.show_if(post.sensitive && !post.media_attachments.empty(), "HIDDEN");
    for (const auto& media : post.media_attachments) {
        if (!media.url) continue;
        view.add(section_of(media))
            .set("URL", *media.url)
            .set("PREVIEW", media.preview_url.value_or(""))
            .set("TEXT", media.description.value_or(""));
    }
}

http::Response html(
    const base::Site& site, const char* name, const std::string& title, const std::string& id, View view
) {
    view.set("TITLE", title).set("SITE", site.title).set("DOMAIN", site.domain);
    view.add("ALTERNATE").set("HREF", id);
    http::Response response;
    response.content_type = "text/html; charset=utf-8";
    response.body = instance::render_page(name, view);
    response.headers.emplace_back(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; img-src 'self' data:; media-src 'self'; base-uri 'none'; "
        "frame-ancestors 'none'; form-action 'self'"
    );
    response.headers.emplace_back("Vary", "Accept, Cookie");
    response.headers.emplace_back("Cache-Control", "max-age=15, public");
    response.headers.emplace_back(
        "Link", "<" + id + ">; rel=\"alternate\"; type=\"application/activity+json\""
    );
    return response;
}

std::string name_of(const Account& account) {
    return account.display_name.empty() ? account.username : account.display_name;
}

std::string title_of(const base::Site& site, const Account& account) {
    return name_of(account) + " (@" + account.username + "@" + site.domain + ")";
}

std::string avatar_of(const base::Site& site, const Account& account) {
    return account.avatar.empty() ? site.asset("avatars/missing.png") : site.media(account.avatar);
}

// What pages by the account have in common.
OpenGraph graph_of(const base::Site& site, const Account& account) {
    OpenGraph out;
    out.author = account.username + "@" + site.domain;
    out.author_picture = {avatar_of(site, account), account.avatar_description};
    return out;
}

// A warning hides what it warns of here, too.
OpenGraph graph_of(const base::Site& site, const Account& account, const Shown& post) {
    auto out = graph_of(site, account);
    out.type = "article";
    out.title = title_of(site, account);
    out.url = post.url.value_or(post.uri);
    out.published = post.created_at;
    bool warned = !post.spoiler_text.empty();
    out.text = warned ? post.spoiler_text : base::text::plain_text(post.content);
    if (warned || post.sensitive) return out;
    for (const auto& media : post.media_attachments)
        if (media.type != "audio" && media.preview_url)
            out.pictures.push_back({*media.preview_url, media.description.value_or("")});
    return out;
}

View profile_view(db::Read& db, const Account& account) {
    const auto& site = db.site();
    View view;
    view.set("NAME", name_of(account))
        .set("HANDLE", account.username + "@" + site.domain)
        .set("AVATAR", avatar_of(site, account))
        .set("AVATAR_TEXT", account.avatar_description)
        .set("NOTE", account.note_html)
        .set("STATUSES", std::to_string(account.statuses_count))
        .set("FOLLOWING", std::to_string(account.following_count))
        .set("FOLLOWERS", std::to_string(account.followers_count));
    view.show_if(account.actor_type == "Service", "BOT");
    if (!account.header.empty())
        view.add("BANNER").set("URL", site.media(account.header)).set("TEXT", account.header_description);
    if (account.moved_to_id)
        if (auto target = accounts::find_account(db, account.moved_to_id))
            view.add("MOVED").set("URL", accounts::url_of(site, *target));
    auto fields = accounts::fields_of(account);
    if (!fields.empty()) {
        auto& list = view.add("FIELDS");
        for (const auto& field : fields)
            list.add("FIELD").set("NAME", field.name).set("VALUE", field.value_html);
    }
    return view;
}

struct Older {
    std::optional<std::int64_t> max_id;
};
DESCRIBE(Older, max_id)

http::Response profile(const base::Ask& ask, db::Read& db, const Request& request, const Older& form) {
    if (federation::wants_activity(request)) return federation::actor_activity(ask, db, request);
    const auto& site = db.site();
    auto account = federation::asked_of_active(db, request).account;
    auto nobody = statuses::nobody(db);
    base::Range range;
    if (form.max_id) range.below = *form.max_id;
    timelines::AccountFilter filter;
    filter.exclude_replies = filter.exclude_reblogs = filter.exclude_direct = true;
    auto page = timelines::account_statuses(db, nobody, account.id, range, filter);
    auto view = profile_view(db, account);
    for (const auto& post : base::json::read<std::vector<Shown>>(statuses::json_list(db, nobody, page)))
        add_post(view, post, site);
    auto address = accounts::url_of(site, account);
    if (page.size() == static_cast<std::size_t>(range.limit))
        view.add("OLDER").set("URL", address + "?max_id=" + std::to_string(page.back().id.value));
    auto title = title_of(site, account);
    add_indexing(db, view, account);
    auto graph = graph_of(site, account);
    graph.type = "profile";
    graph.title = title;
    graph.url = address;
    graph.text = base::text::plain_text(account.note_html);
    add_open_graph(view, site, graph);
    auto response = html(site, "profile", title, accounts::uri_of(site, account), std::move(view));
    auto resource = "acct:" + account.username + "@" + site.domain;
    response.headers.emplace_back(
        "Link",
        "<" + site.public_url + "/.well-known/webfinger?resource=" + http::percent_encoded(resource) +
            ">; rel=\"lrdd\"; type=\"application/jrd+json\""
    );
    return response;
}

http::Response post(const base::Ask& ask, db::Read& db, const Request& request) {
    if (federation::wants_activity(request)) return federation::status_activity(ask, db, request);
    const auto& site = db.site();
    auto asked = federation::asked_of_active(db, request);
    auto nobody = statuses::nobody(db);
    auto facts = statuses::visible_facts(db, nobody, asked.what.status());
    if (facts.account_id != asked.account.id) throw base::NoSuchStatus();
    auto shown = base::json::read<Shown>(statuses::json(db, nobody, facts));
    if (facts.is_reblog()) {
        auto original = statuses::visible_facts(db, nobody, facts.original_id);
        auto boosted = base::json::read<Shown>(statuses::json(db, nobody, original));
        return federation::page_at(boosted.url.value_or(boosted.uri), 302);
    }
    View view;
    add_post(view, shown, site);
    add_indexing(db, view, asked.account);
    add_open_graph(view, site, graph_of(site, asked.account, shown));
    return html(site, "post", "A post of " + name_of(asked.account), shown.uri, std::move(view));
}

struct Interaction {
    std::string uri;
};
DESCRIBE(Interaction, uri)

// There is no client here in which to follow or answer; what is known is shown where it is.
http::Response authorize_interaction(db::Read& db, const Interaction& form) {
    auto found = discovery::resolve_local(db, form.uri);
    if (found.status) {
        auto nobody = statuses::nobody(db);
        auto facts = statuses::visible_facts(db, nobody, found.status);
        auto shown = base::json::read<Shown>(statuses::json(db, nobody, facts));
        return federation::page_at(shown.url.value_or(shown.uri), 302);
    }
    std::string_view handle = form.uri;
    if (handle.starts_with("acct:")) handle.remove_prefix(5);
    auto account =
        found.account ? accounts::find_account(db, found.account) : accounts::find_by_acct(db, handle);
    auto address = account ? accounts::url_of(db.site(), *account) : "";
    if (address.empty()) throw base::NotFound();
    return federation::page_at(std::move(address), 302);
}

http::Response proxy(db::Read& db, const Interaction& form) {
    return federation::page_at(
        db.site().public_url + "/authorize_interaction?uri=" + http::percent_encoded(form.uri), 302
    );
}

http::Response change_password(db::Read& db) {
    return federation::page_at(db.site().public_url + "/auth/password/new", 302);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<profile>              ("/@:username"),
    http::get<post>                 ("/@:username/:status"),
    http::get<authorize_interaction>("/authorize_interaction"),
    http::get<proxy>                ("/.well-known/proxy"),
    http::get<change_password>      ("/.well-known/change-password"),
};
// clang-format on

}  // namespace

std::span<const http::Route> profile_routes() { return table; }

}  // namespace pages
