// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/content.hpp"

#include "base/text/html/html.hpp"
#include "base/text/html/page.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap {

namespace {

constexpr std::size_t longest_warning = 5000, excerpt_characters = 500, most_attached_links = 10;

// Mentions and hashtags in it are links of its server, which are not known here.
constexpr base::text::Resolve nobody;

bool is_type(std::string_view type, std::string_view wanted) {
    return base::text::same_ignoring_ascii_case(type.substr(0, type.find(';')), wanted);
}

// The summary of an article is a summary, unless it is marked as sensitive (FEP-b2b8).
bool summary_is_warning(const Object& object) { return object.is_plain() || object.sensitive; }

std::string html_of(std::string_view text, std::string_view type) {
    if (is_type(type, "text/markdown")) return base::text::markdown_html(text, nobody);
    if (is_type(type, "text/plain")) return base::text::sanitize(base::text::to_html(text, nobody));
    return base::text::sanitize(text);
}

std::string paragraph_of(std::string_view text) { return "<p>" + base::text::escape(text) + "</p>"; }

std::string title(const Object& object) {
    return object.name.empty() ? std::string()
                               : "<p><strong>" + base::text::escape(object.name) + "</strong></p>";
}

// Counted is what readers see, so that markup makes no text too long.
std::string body(const Object& object) {
    auto summary = summary_is_warning(object) ? std::string() : base::text::sanitize(object.summary);
    if (object.content.empty()) return summary;
    auto html = html_of(object.content, object.content_type);
    auto text = base::text::plain_text(html);
    if (cut(text, longest_shown_text) == text) return html;
    if (!summary.empty()) return summary;
    return paragraph_of(cut(text, excerpt_characters) + "…");
}

// What is attached as a link is what the post is about, as a rule (FEP-8967), so nobody shall miss it.
std::string attached_links(const Object& object, std::string_view html) {
    if (object.links.empty() || object.is_vote()) return {};
    auto known = base::text::links_of(html);
    std::string out;
    for (std::size_t count = 0; const auto& link : object.links) {
        if (std::ranges::find(known, link) != known.end()) continue;
        if (++count > most_attached_links) break;
        out += "<p>" + base::text::link_html(link) + "</p>";
        known.push_back(link);
    }
    return out;
}

std::string with_link(const Object& object) {
    const auto& url = object.url.empty() ? object.id : object.url;
    auto text = body(object), own = "<p>" + base::text::link_html(url) + "</p>";
    return base::text::sanitize(title(object) + text + attached_links(object, text + own) + own);
}

std::string plain(const Object& object) {
    auto html = html_of(object.content, object.content_type);
    // Some give a post a title, or nothing else. That of an answer is the one of what it answers.
    const bool answers = !object.in_reply_to.empty() && !html.empty();
    if (object.name.empty() || object.is_vote() || answers) return html;
    auto text = base::text::plain_text(html);
    return text.starts_with(object.name) ? html : base::text::sanitize(title(object) + html);
}

}  // namespace

std::string content_html(const Object& object) {
    if (!object.is_plain()) return with_link(object);
    auto html = plain(object);
    auto links = attached_links(object, html);
    return links.empty() ? html : base::text::sanitize(html + links);
}

std::string warning(const Object& object) {
    bool said = !object.summary.empty() && summary_is_warning(object);
    return said ? plain_text(object.summary, longest_warning) : std::string();
}

std::string plain_text(std::string_view html, std::size_t most_characters) {
    return cut(base::text::plain_text(html), most_characters);
}

std::string summary_html(const Actor& actor) { return base::text::sanitize(actor.summary); }

std::string field_html(const Field& field) { return base::text::sanitize(field.value); }

}  // namespace ap
