// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/tags.hpp"

#include "ap/url.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap {

namespace {

constexpr std::size_t most_looked_at = 1000, longest_hashtag = 140, longest_shortcode = 2048;

std::optional<Mention> mention(Node node) {
    Mention out{node["href"].web_id(), node["name"].text(longest_url)};
    if (out.href.empty() && out.name.empty()) return std::nullopt;
    return out;
}

std::optional<Hashtag> hashtag(Node node) {
    auto name = node["name"].text(longest_hashtag + 1);
    if (name.starts_with('#')) name.erase(0, 1);
    if (cut(name, longest_hashtag) != name || !base::text::valid_hashtag(base::text::normalise_hashtag(name)))
        return std::nullopt;
    return Hashtag{std::move(name), node["href"].link()};
}

bool is_shortcode(std::string_view name) {
    return !name.empty() && name.size() <= longest_shortcode && std::ranges::all_of(name, [](char c) {
        return c == '_' || c == '-' || c == '.' || c == '@' || c == '+' ||
               base::text::is_ascii_alnum(static_cast<unsigned char>(c));
    });
}

std::optional<Emoji> emoji(Node node, Time now) {
    auto name = node["name"].text(longest_shortcode + 2);
    if (name.starts_with(':')) name.erase(0, 1);
    if (name.ends_with(':')) name.pop_back();
    auto icon = node["icon"].first();
    auto url = icon.link("image/");
    if (!is_shortcode(name) || url.empty()) return std::nullopt;
    return Emoji{
        node["id"].web_id(), std::move(name), std::move(url), media_type_of(icon), node["updated"].time(now)
    };
}

template <class T, class Key>
void add(std::vector<T>& to, std::optional<T> found, std::size_t most, Key key) {
    if (!found || to.size() >= most) return;
    if (std::ranges::none_of(to, [&](const T& other) { return key(other) == key(*found); }))
        to.push_back(std::move(*found));
}

}  // namespace

Tags read_tags(Node tag, Time now) {
    Tags out;
    for (auto node : tag.each(most_looked_at)) {
        if (node.is("Mention")) {
            add(out.mentions, mention(node), most_mentions, [](const Mention& m) {
                return std::pair(m.href, m.href.empty() ? m.name : std::string());
            });
        } else if (node.is("Hashtag")) {
            add(out.hashtags, hashtag(node), most_hashtags, [](const Hashtag& h) {
                return base::text::normalise_hashtag(h.name);
            });
        } else if (node.is("Emoji")) {
            add(out.emojis, emoji(node, now), most_emojis, [](const Emoji& e) { return e.shortcode; });
        }
    }
    return out;
}

}  // namespace ap
