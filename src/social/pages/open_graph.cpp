// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/open_graph.hpp"

#include "base/text/count.hpp"
#include "base/text/html/html.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/instance/settings.hpp"

namespace pages {

namespace {

using instance::View;

void property(View& page, std::string_view name, std::string_view content) {
    if (!content.empty()) page.add("PROPERTY").set("PROPERTY_NAME", name).set("PROPERTY_CONTENT", content);
}

void named(View& page, std::string_view name, std::string_view content) {
    if (!content.empty()) page.add("META").set("META_NAME", name).set("META_CONTENT", content);
}

}  // namespace

std::string name_of(const accounts::Account& account) {
    return account.display_name.empty() ? account.username : account.display_name;
}

std::string title_of(const base::Site& site, const accounts::Account& account) {
    return name_of(account) + " (@" + account.username + "@" + site.domain + ")";
}

std::string avatar_of(const base::Site& site, const accounts::Account& account) {
    return account.avatar.empty() ? site.asset("avatars/missing.png") : site.media(account.avatar);
}

OpenGraph graph_of(const base::Site& site, const accounts::Account& account) {
    OpenGraph out;
    out.author = account.username + "@" + site.domain;
    out.author_picture = {avatar_of(site, account), account.avatar_description};
    return out;
}

OpenGraph graph_of(const base::Site& site, const accounts::Account& account, const Shown& post) {
    auto out = graph_of(site, account);
    out.type = "article";
    out.title = title_of(site, account);
    out.url = post.address();
    out.published = post.created_at;
    bool warned = !post.spoiler_text.empty();
    out.text = warned ? post.spoiler_text : base::text::plain_text(post.content);
    if (warned || post.sensitive) return out;
    for (const auto& media : post.media_attachments)
        if (media.type != "audio" && media.preview_url)
            out.pictures.push_back({*media.preview_url, media.description.value_or("")});
    return out;
}

void add_open_graph(View& page, const base::Site& site, const OpenGraph& graph) {
    auto text = one_line(graph.text);
    property(page, "og:site_name", site.title);
    property(page, "og:type", graph.type);
    property(page, "og:title", one_line(graph.title));
    property(page, "og:url", graph.url);
    property(page, "og:description", text);
    if (graph.type == "profile") property(page, "profile:username", graph.author);
    property(page, "article:published_time", graph.published);
    auto pictures = graph.pictures;
    if (pictures.empty()) pictures.push_back(graph.author_picture);
    for (const auto& picture : pictures) {
        property(page, "og:image", picture.url);
        property(page, "og:image:alt", one_line(picture.description));
    }
    named(page, "twitter:card", graph.pictures.empty() ? "summary" : "summary_large_image");
    named(page, "description", text);
    named(page, "fediverse:creator", "@" + graph.author);
}

void add_indexing(db::Read& db, View& page, const accounts::Account& author) {
    page.show_if(accounts::noindex(author) || instance::setting(db, "noindex") == "true", "UNLISTED");
}

std::string one_line(std::string_view text) {
    constexpr std::size_t most = 300;
    std::string out;
    bool blank = false;
    for (std::size_t at = 0; at < text.size();) {
        auto [c, size, valid] = base::text::decode(text, at);
        if (base::text::is_space(c) || base::text::is_control(c)) {
            blank = !out.empty();
        } else {
            if (blank) out += ' ';
            blank = false;
            out += text.substr(at, size);
        }
        at += size;
    }
    auto beginning = base::text::first_graphemes(out, most);
    return beginning.size() == out.size() ? out : std::string(beginning) + "…";
}

}  // namespace pages
