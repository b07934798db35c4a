// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/page.hpp"

#include "base/text/html/tree.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

// Collapsed to one line, without spaces at the ends.
std::string tidy(std::string_view text) {
    std::string out;
    for (char c : text) {
        bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space) out += c;
        else if (!out.empty() && out.back() != ' ') out += ' ';
    }
    if (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

// Scripts and styles are most of a page's bytes and contain nothing of interest here except JSON-LD, which
// may be far below the head; because of them the tree would refuse the page.
class Outline {
public:
    explicit Outline(std::string_view html) : html_(html), small_(ascii_lowered(html)) {
        std::size_t at = 0;
        while (at < html_.size()) {
            auto open = small_.find('<', at);
            if (open == small_.npos) break;
            if (skip(open, "<!--", "-->", at) || skip_raw(open, "script", at) || skip_raw(open, "style", at))
                continue;
            if (starts(open, "<body") || starts(open, "</head")) {
                head_.append(html_.substr(at, open - at));
                in_head_ = false;
            } else if (in_head_) {
                head_.append(html_.substr(at, open + 1 - at));
            }
            at = open + 1;
        }
        keep(std::min(at, html_.size()), html_.size());
    }
    const std::string& head() const { return head_; }
    std::vector<std::string> json_ld;

private:
    bool starts(std::size_t at, std::string_view word) const {
        return std::string_view(small_).substr(at).starts_with(word);
    }
    void keep(std::size_t from, std::size_t to) {
        if (in_head_) head_.append(html_.substr(from, to - from));
    }
    bool skip(std::size_t open, std::string_view begin, std::string_view end, std::size_t& at) {
        if (!starts(open, begin)) return false;
        keep(at, open);
        auto close = small_.find(end, open + begin.size());
        at = close == small_.npos ? html_.size() : close + end.size();
        return true;
    }
    bool skip_raw(std::size_t open, std::string_view name, std::size_t& at) {
        if (!starts(open, "<" + std::string(name))) return false;
        keep(at, open);
        auto tag_end = small_.find('>', open);
        auto close = tag_end == small_.npos ? tag_end : small_.find("</" + std::string(name), tag_end);
        if (close == small_.npos) {
            at = html_.size();
            return true;
        }
        constexpr std::size_t most_scripts = 10, longest_script = 128 * 1024;
        auto tag = std::string_view(small_).substr(open, tag_end - open);
        if (tag.find("ld+json") != tag.npos && json_ld.size() < most_scripts &&
            close - tag_end < longest_script)
            json_ld.emplace_back(html_.substr(tag_end + 1, close - tag_end - 1));
        auto end = small_.find('>', close);
        at = end == small_.npos ? html_.size() : end + 1;
        return true;
    }

    std::string_view html_;
    std::string small_, head_;
    bool in_head_ = true;
};

void read_meta(const GumboNode* node, Page& page) {
    std::string content = tidy(attribute(node, "content"));
    if (content.empty()) return;
    for (auto name : {"property", "name", "itemprop"})
        if (auto key = ascii_lowered(attribute(node, name)); !key.empty()) page.metas.emplace(key, content);
    if (auto key = ascii_lowered(attribute(node, "http-equiv")); key == "content-language")
        page.metas.emplace(key, content);
}

void read_link(const GumboNode* node, Page& page) {
    auto type = ascii_lowered(attribute(node, "type"));
    bool oembed = type == "application/json+oembed" || type == "text/json+oembed";
    if (oembed && page.oembed.empty()) page.oembed = tidy(attribute(node, "href"));
}

// Tree returns only the body, so the head is made into one; its elements mean the same there.
std::string as_body(std::string_view head) {
    std::string out = "<body>";
    constexpr std::size_t most = 200 * 1024;
    for (std::size_t at = 0; at < std::min(head.size(), most); ++at) {
        // A <head> tag is dropped.
        if (head[at] == '<' && (same_ignoring_ascii_case(head.substr(at, 5), "<head") &&
                                !same_ignoring_ascii_case(head.substr(at, 7), "<header")))
            at = std::min(head.find('>', at), head.size());
        else out += head[at];
    }
    return out;
}

}  // namespace

Page read_page(std::string_view html) {
    Page page;
    Outline outline(html);
    page.json_ld = std::move(outline.json_ld);
    const auto& head = outline.head();
    auto small = ascii_lowered(head.substr(0, 4096));
    if (auto at = small.find("<html"); at != small.npos) {
        auto end = small.find('>', at);
        Tree tag("<div" + head.substr(at + 5, end == small.npos ? 0 : end - at - 4) + "</div>");
        if (tag.body() && tag.body()->v.element.children.length > 0) {
            auto first = static_cast<const GumboNode*>(tag.body()->v.element.children.data[0]);
            if (is_element(first)) page.language = ascii_lowered(attribute(first, "lang"));
        }
    }
    Tree tree(as_body(head));
    if (!tree.body()) return page;
    walk(
        tree.body(),
        [&](const GumboNode* node) {
            if (!is_element(node)) return false;
            auto tag = node->v.element.tag;
            if (tag == GUMBO_TAG_META) read_meta(node, page);
            if (tag == GUMBO_TAG_LINK) read_link(node, page);
            if (tag == GUMBO_TAG_TITLE && page.title.empty()) page.title = tidy(text_below(node));
            return tag != GUMBO_TAG_TITLE && tag != GUMBO_TAG_SVG;
        },
        [](const GumboNode*) {}
    );
    return page;
}

namespace {

// Whether all anchors are mentions and hashtags by their class: most texts have no others, and parsing is
// slow.
bool links_only_names(std::string_view html) {
    for (auto at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
        if (at + 1 >= html.size() || (html[at + 1] != 'a' && html[at + 1] != 'A')) continue;
        auto tag = html.substr(at, html.find('>', at) - at);
        bool name = tag.find("class=\"mention hashtag\"") != tag.npos ||
                    tag.find("class=\"u-url mention\"") != tag.npos;
        if (!name) return false;
    }
    return true;
}

// Some software, such as Misskey, writes hashtags and mentions without such a class; they are recognized by
// their text.
bool reads_as_name(const GumboNode* link) {
    const auto text = tidy(text_below(link));
    return text.size() > 1 && (text[0] == '#' || text[0] == '@') && text.find(' ') == text.npos;
}

}  // namespace

std::vector<std::string> links_of(std::string_view html) {
    std::vector<std::string> out;
    if (links_only_names(html)) return out;
    Tree tree(html);
    if (!tree.body()) return out;
    auto has_class = [](const GumboNode* node, std::string_view name) {
        auto all = " " + std::string(attribute(node, "class")) + " ";
        return all.find(" " + std::string(name) + " ") != all.npos;
    };
    walk(
        tree.body(),
        [&](const GumboNode* node) {
            if (!is_element(node) || has_class(node, "quote-inline")) return false;
            bool link = node->v.element.tag == GUMBO_TAG_A && !has_class(node, "mention") &&
                        !has_class(node, "hashtag") && !has_class(node, "u-url") && !reads_as_name(node);
            if (link) out.emplace_back(attribute(node, "href"));
            return true;
        },
        [](const GumboNode*) {}
    );
    return out;
}

std::string first_frame(std::string_view html) {
    std::string out;
    Tree tree(html);
    if (!tree.body()) return out;
    walk(
        tree.body(),
        [&](const GumboNode* node) {
            if (!is_element(node)) return false;
            if (node->v.element.tag == GUMBO_TAG_IFRAME && out.empty()) out = attribute(node, "src");
            return true;
        },
        [](const GumboNode*) {}
    );
    return out;
}

}  // namespace base::text
