// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html.hpp"

#include <algorithm>
#include <array>

#include "base/text/blank.hpp"
#include "base/text/html/html_parts.hpp"
#include "base/text/html/sanitize_attributes.hpp"
#include "base/text/html/tree.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr auto allowed = std::to_array<GumboTag>({
    GUMBO_TAG_P,      GUMBO_TAG_BR,  GUMBO_TAG_SPAN,       GUMBO_TAG_A,    GUMBO_TAG_DEL,
    GUMBO_TAG_S,      GUMBO_TAG_PRE, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_CODE, GUMBO_TAG_B,
    GUMBO_TAG_STRONG, GUMBO_TAG_U,   GUMBO_TAG_I,          GUMBO_TAG_EM,   GUMBO_TAG_UL,
    GUMBO_TAG_OL,     GUMBO_TAG_LI,  GUMBO_TAG_RUBY,       GUMBO_TAG_RT,   GUMBO_TAG_RP,
});

bool is_allowed(GumboTag tag) { return std::ranges::find(allowed, tag) != allowed.end(); }
bool is_heading(GumboTag tag) { return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6; }
bool stops_list_item(GumboTag tag) {
    return tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL || tag == GUMBO_TAG_BLOCKQUOTE || tag == GUMBO_TAG_PRE;
}
bool closes_paragraph(GumboTag tag) {
    return tag == GUMBO_TAG_P || tag == GUMBO_TAG_LI || stops_list_item(tag);
}

// Writes the tree so that a parser reads the same tree again. Removing elements moves others to places where
// no parser would put them (a paragraph in a paragraph, a link in a link); those are closed early or left
// out.
class Writer {
public:
    bool enter(const GumboNode* node) {
        if (is_text(node)) text(node->v.text.text);
        if (!is_element(node)) return false;
        heights_.push_back(open_.size());
        if (text_only_from_ == 0 && !element(node)) {
            heights_.pop_back();
            return false;
        }
        if (text_only_from_ != 0 && is_dropped(node->v.element.tag)) {
            heights_.pop_back();
            return false;
        }
        return true;
    }

    void leave(const GumboNode* node) {
        while (open_.size() > heights_.back()) pop();
        if (text_only_from_ == heights_.size()) text_only_from_ = 0;
        heights_.pop_back();
        if (text_only_from_ == 0 && is_separated(node->v.element.tag)) space();
    }

    std::string take() { return std::move(out_); }

private:
    struct Open {
        GumboTag tag;
        bool closed;
    };

    static bool is_separated(GumboTag tag) { return is_block(tag) && !is_allowed(tag) && !is_heading(tag); }

    // False: skip the element and its content.
    bool element(const GumboNode* node) {
        auto tag = node->v.element.tag;
        if (tag == GUMBO_TAG_MATH) text(math_text(node));
        if (is_dropped(tag) || node->v.element.tag_namespace != GUMBO_NAMESPACE_HTML) return !is_dropped(tag);
        if (tag == GUMBO_TAG_IMG) {
            image(node);
        } else if (is_heading(tag)) {
            begin(GUMBO_TAG_P, {});
            begin(GUMBO_TAG_STRONG, {});
        } else if (tag == GUMBO_TAG_A &&
                   (!is_allowed_href(attribute(node, "href")) || is_open(GUMBO_TAG_A))) {
            text_only_from_ = heights_.size();
        } else if (is_allowed(tag)) {
            begin(tag, allowed_attributes(node));
        } else if (is_separated(tag)) {
            space();
        }
        return true;
    }

    // Images are not shown in texts: they become their description and a link.
    void image(const GumboNode* node) {
        auto said = attribute(node, "alt");
        if (is_blank(said)) said = attribute(node, "title");
        auto href = attribute(node, "src");
        if (is_emoji_image(node) || is_open(GUMBO_TAG_A) || !is_allowed_href(href)) return text(said);
        if (is_blank(said)) said = href;
        begin(GUMBO_TAG_A, link_attributes(href));
        text(said);
        pop();
    }

    void begin(GumboTag tag, std::string_view attributes) {
        make_room(tag);
        out_ += '<';
        out_ += gumbo_normalized_tagname(tag);
        out_ += attributes;
        out_ += '>';
        if (tag != GUMBO_TAG_BR) open_.push_back({tag, false});
        if (tag == GUMBO_TAG_PRE) pre_starts_at_ = out_.size();
    }

    void make_room(GumboTag tag) {
        if (tag == GUMBO_TAG_LI) {
            for (auto i = open_.size(); i-- > 0;) {
                if (open_[i].closed) continue;
                if (stops_list_item(open_[i].tag)) break;
                if (open_[i].tag != GUMBO_TAG_LI) continue;
                close_down_to(i);
                break;
            }
        }
        if (closes_paragraph(tag)) {
            for (auto i = open_.size(); i-- > 0;)
                if (!open_[i].closed && open_[i].tag == GUMBO_TAG_P) close_down_to(i);
        }
        if ((tag == GUMBO_TAG_RT || tag == GUMBO_TAG_RP) && is_open(GUMBO_TAG_RUBY)) {
            for (auto i = open_.size(); i-- > 0;) {
                if (open_[i].closed) continue;
                if (!has_implied_end(open_[i].tag)) break;
                close_down_to(i);
            }
        }
    }

    static bool has_implied_end(GumboTag tag) {
        return tag == GUMBO_TAG_RT || tag == GUMBO_TAG_RP || tag == GUMBO_TAG_LI || tag == GUMBO_TAG_P;
    }

    bool is_open(GumboTag tag) const {
        return std::ranges::any_of(open_, [&](const Open& o) { return o.tag == tag && !o.closed; });
    }

    void close_down_to(std::size_t index) {
        for (auto i = open_.size(); i-- > index;) end(open_[i]);
    }

    void end(Open& open) {
        if (open.closed) return;
        open.closed = true;
        out_ += "</";
        out_ += gumbo_normalized_tagname(open.tag);
        out_ += '>';
    }

    void pop() {
        end(open_.back());
        open_.pop_back();
    }

    void text(std::string_view raw) {
        auto at = out_.size();
        append_text(out_, raw);
        // A parser drops leading white space
        if (at == 0) out_.erase(0, std::min(out_.find_first_not_of(" \t\n"), out_.size()));
        // and the first line feed in pre.
        if (at == pre_starts_at_ && out_.size() > at && out_[at] == '\n') out_.insert(at, 1, '\n');
    }

    void space() {
        if (!out_.empty() && out_.back() != ' ' && out_.back() != '\n') out_ += ' ';
    }

    std::string out_;
    std::vector<Open> open_;
    std::vector<std::size_t> heights_;  // of open_, for every ancestor
    std::size_t text_only_from_ = 0;    // depth of the link that lost its tags, 0 outside
    std::size_t pre_starts_at_ = std::string::npos;
};

std::string paragraphs(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        auto end = std::min(text.find("\n\n"), text.size());
        auto paragraph = text.substr(0, end);
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
        out += "<p>";
        while (!paragraph.empty()) {
            auto line = std::min(paragraph.find('\n'), paragraph.size());
            append_text(out, paragraph.substr(0, line));
            paragraph.remove_prefix(line);
            if (paragraph.empty()) break;
            paragraph.remove_prefix(1);
            out += "<br>";
        }
        out += "</p>";
    }
    return out;
}

}  // namespace

std::string sanitize(std::string_view html) {
    Tree tree(html);
    if (tree.body() == nullptr) return paragraphs(strip_tags(html));
    Writer writer;
    walk(
        tree.body(),
        [&](const GumboNode* node) { return writer.enter(node); },
        [&](const GumboNode* node) { writer.leave(node); }
    );
    return writer.take();
}

}  // namespace base::text
