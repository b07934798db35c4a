// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/previews/preview_page.hpp"

#include "base/text/charset.hpp"
#include "base/text/html/html.hpp"
#include "base/text/html/page.hpp"
#include "base/text/languages.hpp"
#include "base/text/utf8.hpp"

#include <boost/json/parse.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url.hpp>

#include <algorithm>

namespace statuses {

namespace {

namespace json = boost::json;
using base::text::Page;

constexpr std::size_t longest_title = 500, longest_description = 2000, longest_name = 255, longest_url = 2692;

std::string cut(std::string text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    text.resize(most);
    return text;
}

// Text that may contain entities or stray tags, as titles in JSON often do.
std::string words(std::string_view text, std::size_t most) {
    auto plain = base::text::clean_utf8(text);
    if (plain.find_first_of("<&") != plain.npos) plain = base::text::plain_text(plain);
    return cut(plain, most);
}

// Makes an address on the page absolute; empty unless it is http(s) without user and password.
std::string absolute(std::string_view base, std::string_view reference) {
    auto from = boost::urls::parse_uri(base);
    auto to = boost::urls::parse_uri_reference(reference);
    if (!from || !to || reference.empty() || reference.size() > longest_url) return {};
    boost::urls::url out;
    if (!boost::urls::resolve(*from, *to, out)) return {};
    bool http = out.scheme() == "http" || out.scheme() == "https";
    if (!http || out.has_userinfo() || out.encoded_host().empty()) return {};
    return std::string(out.buffer());
}

std::string origin_of(std::string_view url) {
    auto parsed = boost::urls::parse_uri(url);
    if (!parsed) return {};
    return std::string(parsed->scheme()) + "://" + std::string(parsed->encoded_authority());
}

std::string first_of(const Page& page, std::initializer_list<const char*> names) {
    for (auto name : names)
        if (auto found = page.metas.find(name); found != page.metas.end()) return found->second;
    return {};
}

std::int64_t size_of(std::string_view text) {
    std::int64_t number = 0;
    for (char c : text.substr(0, 5)) {
        if (c < '0' || c > '9') break;
        number = number * 10 + (c - '0');
    }
    return number;
}

// Untrusted JSON: any member may be missing or of another type.

const json::object* object_of(const json::value* value) {
    if (value && value->is_array() && !value->get_array().empty()) value = &value->get_array()[0];
    return value ? value->if_object() : nullptr;
}

std::string text_of(const json::object& object, std::string_view name) {
    auto* value = object.if_contains(name);
    if (value && value->is_array() && !value->get_array().empty()) value = &value->get_array()[0];
    if (!value) return {};
    if (value->is_string()) return std::string(value->get_string());
    if (value->is_int64()) return std::to_string(value->get_int64());
    return {};
}

std::string name_in(const json::object& object, std::string_view member, std::string_view name = "name") {
    auto* inner = object_of(object.if_contains(member));
    return inner ? text_of(*inner, name) : std::string();
}

bool is_article(const json::object& object) {
    auto type = text_of(object, "@type");
    for (auto known : {"Article", "BlogPosting", "WebPage", "VideoObject", "Product", "Recipe"})
        if (type.ends_with(known)) return true;
    return false;
}

std::optional<json::object> structured(const Page& page) {
    for (const auto& text : page.json_ld) {
        json::error_code error;
        auto value = json::parse(text, error);
        if (error) continue;
        auto consider = [](const json::value& v) { return v.is_object() && is_article(v.get_object()); };
        if (consider(value)) return value.get_object();
        const json::array* list = value.if_array();
        if (auto* object = value.if_object())
            if (auto* graph = object->if_contains("@graph")) list = graph->if_array();
        if (!list) continue;
        for (const auto& one : *list)
            if (consider(one)) return one.get_object();
    }
    return std::nullopt;
}

std::string or_else(std::string first, const std::string& second) { return first.empty() ? second : first; }

// The only markup in a card: a sandboxed frame from another site, over TLS.
std::string frame(const std::string& src, std::int64_t width, std::int64_t height) {
    if (!src.starts_with("https://")) return {};
    auto number = [](std::int64_t n, std::int64_t otherwise) {
        return std::to_string(n > 0 ? std::min<std::int64_t>(n, 4096) : otherwise);
    };
    return "<iframe src=\"" + base::text::escape(src) + "\" width=\"" + number(width, 560) + "\" height=\"" +
           number(height, 315) +
           "\" allowfullscreen=\"true\" sandbox=\"allow-scripts allow-same-origin allow-popups "
           "allow-popups-to-escape-sandbox allow-forms\" frameborder=\"0\" scrolling=\"no\"></iframe>";
}

std::optional<std::string> language_of(const std::string& text) {
    auto known = base::text::find_language(text);
    return known ? std::optional<std::string>(*known) : std::nullopt;
}

void add_structured(Card& card, PageCard& out, const std::string& base, const json::object& data) {
    card.title = or_else(words(text_of(data, "headline"), longest_title), card.title);
    card.description = or_else(words(text_of(data, "description"), longest_description), card.description);
    card.author_name = or_else(words(name_in(data, "author"), longest_name), card.author_name);
    card.author_url = or_else(absolute(base, name_in(data, "author", "url")), card.author_url);
    card.provider_name = or_else(words(name_in(data, "publisher"), longest_name), card.provider_name);
    if (auto language = language_of(text_of(data, "inLanguage"))) card.language = language;
    if (auto at = base::parse_time(text_of(data, "datePublished"))) card.published_at = at;
    if (out.image.empty())
        out.image = absolute(base, or_else(text_of(data, "image"), name_in(data, "image", "url")));
}

void add_player(Card& card, const Page& page, const std::string& base) {
    auto player = absolute(base, first_of(page, {"twitter:player"}));
    auto width = size_of(first_of(page, {"twitter:player:width", "og:video:width"}));
    auto height = size_of(first_of(page, {"twitter:player:height", "og:video:height"}));
    if (origin_of(player) == origin_of(base) && player.ends_with(".mp4")) return;
    auto html = frame(player, width, height);
    if (html.empty()) return;
    card.type = CardType::video;
    card.html = std::move(html);
    card.width = width;
    card.height = height;
}

}  // namespace

PageCard card_of_page(const std::string& url, const base::Fetched& answer) {
    PageCard out;
    auto& card = out.card;
    card.url = url;
    auto type = answer.header("content-type");
    bool html = type.starts_with("text/html") || type.starts_with("application/xhtml+xml") || type.empty();
    if (!answer.ok() || !html) return out;
    const auto page = base::text::read_page(base::text::html_as_utf8(answer.body, type));
    const auto& base = answer.url;
    card.title = words(or_else(first_of(page, {"og:title", "twitter:title"}), page.title), longest_title);
    card.description =
        words(first_of(page, {"og:description", "twitter:description", "description"}), longest_description);
    card.language = language_of(or_else(page.language, first_of(page, {"content-language", "og:locale"})));
    card.author_name = words(first_of(page, {"og:author", "og:author:username", "author"}), longest_name);
    card.author_url = absolute(base, first_of(page, {"article:author"}));
    card.provider_name = words(first_of(page, {"og:site_name"}), longest_name);
    card.published_at =
        base::parse_time(first_of(page, {"article:published_time", "og:article:published_time"}));
    card.image_description = words(first_of(page, {"og:image:alt", "twitter:image:alt"}), 1500);
    out.image =
        absolute(base, first_of(page, {"og:image:secure_url", "og:image:url", "og:image", "twitter:image"}));
    out.creator = cut(first_of(page, {"fediverse:creator"}), longest_name);
    out.oembed = absolute(base, page.oembed);
    if (auto data = structured(page)) add_structured(card, out, base, *data);
    add_player(card, page, base);
    card.usable = !card.title.empty();
    return out;
}

void add_oembed(PageCard& out, std::string_view text) {
    json::error_code error;
    auto value = json::parse(text, error);
    if (error || !value.is_object()) return;
    const auto& data = value.get_object();
    auto& card = out.card;
    auto type = text_of(data, "type");
    // "rich" needs scripts, which are not run here: the page's own data is used instead.
    if (text_of(data, "version") != "1.0" || (type != "link" && type != "photo" && type != "video")) return;
    auto width = size_of(text_of(data, "width")), height = size_of(text_of(data, "height"));
    if (type == "photo") {
        auto photo = absolute(out.oembed, text_of(data, "url"));
        if (photo.empty()) return;
        card.type = CardType::photo;
        card.embed_url = photo;
        out.image = photo;
    } else if (type == "video") {
        auto html =
            frame(absolute(out.oembed, base::text::first_frame(text_of(data, "html"))), width, height);
        if (html.empty()) return;
        card.type = CardType::video;
        card.html = std::move(html);
    }
    if (type != "link") card.width = width, card.height = height;
    auto take = [&](std::string& to, std::string_view name, std::size_t most) {
        if (auto given = words(text_of(data, name), most); !given.empty()) to = std::move(given);
    };
    take(card.title, "title", longest_title);
    take(card.author_name, "author_name", longest_name);
    take(card.provider_name, "provider_name", longest_name);
    if (auto at = absolute(out.oembed, text_of(data, "author_url")); !at.empty()) card.author_url = at;
    if (auto at = absolute(out.oembed, text_of(data, "provider_url")); !at.empty()) card.provider_url = at;
    if (auto at = absolute(out.oembed, text_of(data, "thumbnail_url")); !at.empty() && type != "photo")
        out.image = at;
    card.usable = !card.title.empty() || !card.html.empty();
}

}  // namespace statuses
