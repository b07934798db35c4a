// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/feed.hpp"

#include "base/text/html/html.hpp"
#include "base/time.hpp"

namespace pages {

namespace {

using base::text::escape;

// XML knows no control characters, not even escaped.
std::string xml(std::string_view text) {
    std::string out = escape(text);
    std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t'; });
    return out;
}

std::string element(std::string_view name, std::string_view text) {
    return "<" + std::string(name) + ">" + xml(text) + "</" + std::string(name) + ">\n";
}

// A warning stands for what it warns of.
std::string content_of(const Shown& post) {
    return post.spoiler_text.empty() ? post.content : "<p>" + escape(post.spoiler_text) + "</p>";
}

bool shows_media(const Shown& post) { return !post.sensitive && post.spoiler_text.empty(); }

// "Sun, 22 Nov 2026 10:00:00 GMT"
std::string rfc_822(const std::string& time) {
    auto parsed = base::parse_time(time);
    return parsed ? base::http_date(*parsed) : time;
}

std::string mime_of(const std::string& url) {
    constexpr std::pair<std::string_view, const char*> types[] = {
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".gif", "image/gif"},
        {".mp4", "video/mp4"},
        {".mp3", "audio/mpeg"}
    };
    for (auto [ending, type] : types)
        if (url.ends_with(ending)) return type;
    return "application/octet-stream";
}

std::string rss(const base::Site& site, const Feed& feed, const std::vector<Shown>& posts) {
    std::string out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" "
        "xmlns:atom=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\">\n"
        "<channel>\n" +
        element("title", feed.title) + element("description", feed.text) + element("link", feed.home) +
        "<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"" + xml(feed.address) + "\"/>\n" +
        element("generator", "Dunlin " + site.version);
    if (!feed.icon.empty())
        out += "<image>" + element("url", feed.icon) + element("title", feed.title) +
               element("link", feed.home) + "</image>\n";
    for (const auto& post : posts) {
        out += "<item>\n<guid isPermaLink=\"true\">" + xml(post.address()) + "</guid>\n" +
               element("link", post.address()) + element("pubDate", rfc_822(post.created_at)) +
               element("description", content_of(post));
        if (shows_media(post))
            for (const auto& media : post.media_attachments)
                if (media.url)
                    out += "<media:content url=\"" + xml(*media.url) + "\" medium=\"" +
                           xml(media.type == "gifv" ? "video" : media.type) + "\">" +
                           element("media:description", media.description.value_or("")) +
                           "</media:content>\n";
        out += "</item>\n";
    }
    return out + "</channel>\n</rss>\n";
}

std::string atom(const base::Site& site, const Feed& feed, const std::vector<Shown>& posts) {
    auto updated = posts.empty() ? std::string("1970-01-01T00:00:00Z") : posts[0].created_at;
    std::string out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n" +
        element("id", feed.home) + element("title", feed.title) + element("subtitle", feed.text) +
        element("updated", updated) + "<link rel=\"alternate\" type=\"text/html\" href=\"" + xml(feed.home) +
        "\"/>\n<link rel=\"self\" type=\"application/atom+xml\" href=\"" + xml(feed.address) + "\"/>\n" +
        element("generator", "Dunlin " + site.version);
    for (const auto& post : posts)
        out += "<entry>\n" + element("id", post.uri) +
               element("title", handle_of(site, post.account) + ", " + post.created_at.substr(0, 10)) +
               element("published", post.created_at) + element("updated", post.created_at) + "<author>" +
               element("name", name_of(post.account)) + element("uri", post.account.url) +
               "</author>\n<link rel=\"alternate\" type=\"text/html\" href=\"" + xml(post.address()) +
               "\"/>\n<content type=\"html\">" + xml(content_of(post)) + "</content>\n</entry>\n";
    return out + "</feed>\n";
}

struct JsonAuthor {
    std::string name, url, avatar;
};
DESCRIBE(JsonAuthor, name, url, avatar)
struct JsonAttachment {
    std::string url, mime_type;
};
DESCRIBE(JsonAttachment, url, mime_type)
struct JsonItem {
    std::string id, url, content_html, date_published;
    std::vector<JsonAuthor> authors;
    base::json::Omit<std::string> language;
    std::vector<JsonAttachment> attachments;
};
DESCRIBE(JsonItem, id, url, content_html, date_published, authors, language, attachments)
struct JsonFeed {
    std::string version = "https://jsonfeed.org/version/1.1", title, description, home_page_url, feed_url;
    std::vector<JsonItem> items;
};
DESCRIBE(JsonFeed, version, title, description, home_page_url, feed_url, items)

std::string json(const Feed& feed, const std::vector<Shown>& posts) {
    JsonFeed out;
    out.title = feed.title;
    out.description = feed.text;
    out.home_page_url = feed.home;
    out.feed_url = feed.address;
    for (const auto& post : posts) {
        JsonItem item{post.uri, post.address(), content_of(post), post.created_at, {}, post.language, {}};
        item.authors.push_back({name_of(post.account), post.account.url, post.account.avatar_static});
        if (shows_media(post))
            for (const auto& media : post.media_attachments)
                if (media.url) item.attachments.push_back({*media.url, mime_of(*media.url)});
        out.items.push_back(std::move(item));
    }
    return base::json::to_string(out);
}

}  // namespace

http::Response feed(
    const base::Site& site, FeedKind kind, const Feed& described, const std::vector<Shown>& posts
) {
    http::Response response;
    switch (kind) {
        case FeedKind::rss:
            response.content_type = "application/rss+xml; charset=utf-8";
            response.body = rss(site, described, posts);
            break;
        case FeedKind::atom:
            response.content_type = "application/atom+xml; charset=utf-8";
            response.body = atom(site, described, posts);
            break;
        case FeedKind::json:
            response.content_type = "application/feed+json; charset=utf-8";
            response.body = json(described, posts);
            break;
    }
    response.headers.emplace_back("Cache-Control", "max-age=60, public");
    return response;
}

std::optional<FeedKind> take_feed_kind(std::string& name) {
    for (auto [ending, kind] : {std::pair(".rss", FeedKind::rss), std::pair(".atom", FeedKind::atom)})
        if (name.ends_with(ending)) {
            name.resize(name.size() - std::string_view(ending).size());
            return kind;
        }
    return std::nullopt;
}

}  // namespace pages
