// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/shown.hpp"

#include "social/statuses/render/status_entity.hpp"

#include <algorithm>
#include <map>

namespace pages {

namespace {

const char* section_of(const ShownMedium& media) {
    if (media.type == "audio") return "AUDIO";
    return media.type == "video" || media.type == "gifv" ? "VIDEO" : "IMAGE";
}

}  // namespace

std::vector<Shown> shown_to_all(db::Read& db, const std::vector<statuses::VisibilityFacts>& facts) {
    return base::json::read<std::vector<Shown>>(statuses::json_list(db, statuses::nobody(db), facts));
}

std::vector<std::size_t> depths_of(const std::vector<Shown>& answers, const Shown& chosen) {
    std::map<std::string_view, std::size_t> depths{{chosen.id, 0}};
    std::vector<std::size_t> out;
    for (const auto& answer : answers) {
        auto parent = answer.in_reply_to_id ? depths.find(*answer.in_reply_to_id) : depths.end();
        out.push_back(parent == depths.end() ? 1 : parent->second + 1);
        depths[answer.id] = out.back();
    }
    return out;
}

std::string name_of(const ShownAuthor& author) {
    return author.display_name.empty() ? author.username : author.display_name;
}

std::string name_html(const ShownAuthor& author) { return words_html(name_of(author), author.emojis); }

std::string handle_of(const base::Site& site, const ShownAuthor& author) {
    return author.acct.find('@') == std::string::npos ? author.acct + "@" + site.domain : author.acct;
}

// The content is clean HTML, made here or by the sanitizer; what is called HTML is made of text here; all else is text.
instance::View& add_post(
    instance::View& page, const Shown& post, const base::Site& site, std::size_t depth, bool chosen
) {
    constexpr std::size_t deepest = 4;
    auto& view = page.add("POST");
    view.set("PROFILE", post.account.url)
        .set("ID", post.id)
        .set("ANCHOR", "post-" + post.id)
        .set("LANGUAGE", post.language.value_or(""))
        .set("DEPTH", std::to_string(std::min(depth, deepest)))
        .set("AVATAR", post.account.avatar_static)
        .set("NAME_HTML", name_html(post.account))
        .set("HANDLE", handle_of(site, post.account))
        .set("URL", post.address())
        .set("TIME", post.created_at)
        .set("DAY", post.created_at.substr(0, 10))
        .count("REPLIES", post.replies_count)
        .count("BOOSTS", post.reblogs_count)
        .count("FAVOURITES", post.favourites_count);
    view.show_if(chosen, "CHOSEN");
    bool warned = !post.spoiler_text.empty();
    auto& body = view.add(warned ? "WARNED" : "PLAIN");
    if (warned) body.set("WARNING_HTML", words_html(post.spoiler_text, post.emojis));
    body.set("CONTENT", with_emojis(post.content, post.emojis));
    if (post.poll)
        for (const auto& option : post.poll->options)
            body.add("OPTION")
                .set("TITLE_HTML", words_html(option.title, post.poll->emojis))
                .set("VOTES", option.votes_count ? std::to_string(*option.votes_count) : "");
    view.show_if(post.sensitive && !post.media_attachments.empty(), "HIDDEN");
    for (const auto& media : post.media_attachments) {
        if (!media.url) continue;
        view.add(section_of(media))
            .set("URL", *media.url)
            .set("PREVIEW", media.preview_url.value_or(""))
            .set("TEXT", media.description.value_or(""));
    }
    return view;
}

}  // namespace pages
