// SPDX-License-Identifier: AGPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text/html/html.hpp"
#include "base/text/html/tree.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr auto none = std::string_view::npos;

// Text as a browser would copy it: white space is collapsed, blocks are separated.
class Lines {
public:
    void text(std::string_view raw, bool keep_space) {
        for (std::size_t at = 0; at < raw.size();) {
            auto d = decode(raw, at);
            at += d.size;
            if (d.valid && is_control(d.c)) continue;
            bool space = d.c == ' ' || d.c == '\n' || d.c == '\t';
            if (space && !keep_space) {
                blank_ = true;
            } else if (d.c == '\n') {
                breaks_ += 1;
            } else {
                put(d.c);
            }
        }
    }
    void line_break() { breaks_ += 1; }
    void apart(std::size_t newlines) { breaks_ = std::max(breaks_, newlines); }
    std::string take() { return std::move(out_); }

private:
    void put(char32_t c) {
        if (!out_.empty()) {
            if (breaks_ > 0) out_.append(breaks_, '\n');
            else if (blank_) out_ += ' ';
        }
        breaks_ = 0;
        blank_ = false;
        append_utf8(out_, c);
    }

    std::string out_;
    std::size_t breaks_ = 0;
    bool blank_ = false;
};

std::size_t distance(GumboTag tag) {
    switch (tag) {
        case GUMBO_TAG_P:
        case GUMBO_TAG_PRE:
        case GUMBO_TAG_BLOCKQUOTE:
        case GUMBO_TAG_UL:
        case GUMBO_TAG_OL:
        case GUMBO_TAG_H1:
        case GUMBO_TAG_H2:
        case GUMBO_TAG_H3:
        case GUMBO_TAG_H4:
        case GUMBO_TAG_H5:
        case GUMBO_TAG_H6: return 2;
        default: return is_block(tag) ? 1 : 0;
    }
}

void append_entity(std::string& out, std::string_view name) {
    constexpr std::pair<std::string_view, char32_t> names[] = {
        {"amp", '&'},
        {"lt", '<'},
        {"gt", '>'},
        {"quot", '"'},
        {"apos", '\''},
        {"nbsp", 0xA0},
    };
    for (auto [known, c] : names)
        if (name == known) return append_utf8(out, c);
    if (name.starts_with('#')) {
        bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
        auto digits = name.substr(hex ? 2 : 1);
        std::uint32_t code = 0;
        auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
        if (error == std::errc() && end == digits.data() + digits.size()) {
            if (code == '\n' || code == '\t' || !is_control(code))
                append_utf8(out, code == '\r' ? U'\n' : code);
            return;
        }
    }
    out.append("&").append(name).append(";");
}

// "script" for "<script src=…", "/p" for "</p>".
std::string tag_name(std::string_view html, std::size_t at) {
    std::string name;
    for (auto i = at + 1; i < html.size() && name.size() < 16; ++i) {
        char c = ascii_lower(html[i]);
        if (!is_ascii_alnum(static_cast<unsigned char>(c)) && !(c == '/' && i == at + 1)) break;
        name += c;
    }
    return name;
}

std::size_t find_ignoring_case(std::string_view html, std::string_view what, std::size_t at) {
    for (at = html.find('<', at); at != none; at = html.find('<', at + 1))
        if (same_ignoring_ascii_case(html.substr(at, what.size()), what)) return at;
    return none;
}

void end_lines(std::string& out, std::size_t newlines) {
    std::size_t have = 0;
    while (have < out.size() && have < newlines && out[out.size() - 1 - have] == '\n') ++have;
    if (!out.empty()) out.append(newlines - have, '\n');
}

// Skips the tag at `at` and returns where text continues.
std::size_t skip_tag(std::string& out, std::string_view html, std::size_t at) {
    if (html.substr(at, 4) == "<!--") {
        auto end = html.find("-->", at + 4);
        return end == none ? html.size() : end + 3;
    }
    auto name = tag_name(html, at);
    if (name == "script" || name == "style") {
        at = find_ignoring_case(html, "</" + name, at);
        if (at == none) return html.size();
    }
    if (name == "br") out += '\n';
    if (name == "p" || name == "/p" || name == "blockquote" || name == "/blockquote") end_lines(out, 2);
    if (name == "div" || name == "/div" || name == "li" || name == "tr") end_lines(out, 1);
    auto end = html.find('>', at);
    return end == none ? html.size() : end + 1;
}

}  // namespace

namespace {

// Handles most posts, and all that are stored: paragraphs of text with well-formed inline elements, read
// without a tree. Gives up where a parser would have to repair something, so that both give the same result.
class SimpleReader {
public:
    explicit SimpleReader(std::string_view html) : html_(html) {}

    std::optional<std::string> read() {
        if (html_.size() > longest) return std::nullopt;
        for (std::size_t at = 0; at < html_.size();) {
            auto end = std::min(html_.find('<', at), html_.size());
            if (!text(html_.substr(at, end - at))) return std::nullopt;
            if (end == html_.size()) break;
            auto close = html_.find('>', end);
            if (close == none || !tag(html_.substr(end + 1, close - end - 1))) return std::nullopt;
            at = close + 1;
        }
        if (!open_.empty()) return std::nullopt;
        return lines_.take();
    }

private:
    // Far below the limits of Tree.
    static constexpr std::size_t longest = 32 * 1024, longest_tag = 4096, most_tags = 2000,
                                 most_attributes = 16;
    static constexpr std::size_t deepest = 16;

    bool text(std::string_view raw) {
        auto odd = [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t'; };
        if (std::ranges::any_of(raw, odd)) return false;
        while (!raw.empty()) {
            auto end = std::min(raw.find('&'), raw.size());
            lines_.text(raw.substr(0, end), false);
            raw.remove_prefix(end);
            if (!raw.empty() && !entity(raw)) return false;
        }
        return true;
    }

    // The entities that Dunlin writes.
    bool entity(std::string_view& raw) {
        constexpr std::pair<std::string_view, std::string_view> known[] = {
            {"&amp;", "&"},
            {"&lt;", "<"},
            {"&gt;", ">"},
            {"&quot;", "\""},
            {"&#39;", "'"},
            {"&nbsp;", "\u00A0"},
        };
        for (auto [written, meant] : known) {
            if (!raw.starts_with(written)) continue;
            lines_.text(meant, false);
            raw.remove_prefix(written.size());
            return true;
        }
        return false;
    }

    bool tag(std::string_view inside) {
        if (++tags_ > most_tags || inside.size() > longest_tag) return false;
        if (inside == "br" || inside == "br/" || inside == "br /") {
            lines_.line_break();
            return true;
        }
        bool closes = inside.starts_with('/');
        if (closes) inside.remove_prefix(1);
        auto name = inside.substr(0, inside.find(' '));
        if (!is_known(name)) return false;
        if (closes) {
            if (inside != name || open_.empty() || open_.back() != name) return false;
            open_.pop_back();
        } else {
            if (!well_formed(inside.substr(name.size())) || open_.size() == deepest) return false;
            // A paragraph would close others, and a link would close another link.
            bool apart = name == "p" ? !open_.empty() : name == "a" && is_open("a");
            if (apart) return false;
            open_.push_back(name);
        }
        if (name == "p") lines_.apart(distance(GUMBO_TAG_P));
        return true;
    }

    static bool is_known(std::string_view name) {
        constexpr std::string_view known[] = {
            "p", "span", "a", "strong", "em", "b", "i", "u", "s", "del", "code"
        };
        return std::ranges::find(known, name) != std::end(known);
    }

    bool is_open(std::string_view name) const { return std::ranges::find(open_, name) != open_.end(); }

    // Accepts any number of ` name="value"`. A `>` inside a value ended the tag too early, which leaves an
    // unpaired quote.
    static bool well_formed(std::string_view attributes) {
        for (std::size_t count = 0; !attributes.empty(); ++count) {
            auto equals = attributes.find("=\"");
            if (count == most_attributes || attributes[0] != ' ' || equals == none || equals < 2)
                return false;
            auto name = attributes.substr(1, equals - 1);
            bool plain = std::ranges::all_of(name, [](char c) {
                return c == '-' || is_ascii_alnum(static_cast<unsigned char>(c));
            });
            auto end = attributes.find('"', equals + 2);
            if (!plain || end == none) return false;
            attributes.remove_prefix(end + 1);
        }
        return true;
    }

    std::string_view html_;
    Lines lines_;
    std::vector<std::string_view> open_;
    std::size_t tags_ = 0;
};

}  // namespace

std::string plain_text(std::string_view html) {
    if (auto simple = SimpleReader(html).read()) return *std::move(simple);
    Tree tree(html);
    if (tree.body() == nullptr) return strip_tags(html);
    Lines lines;
    unsigned pre = 0;
    auto enter = [&](const GumboNode* node) {
        if (is_text(node)) lines.text(node->v.text.text, pre > 0);
        if (!is_element(node)) return false;
        auto tag = node->v.element.tag;
        if (tag == GUMBO_TAG_MATH) lines.text(math_text(node), false);
        if (is_dropped(tag)) return false;
        if (tag == GUMBO_TAG_BR) lines.line_break();
        if (tag == GUMBO_TAG_PRE) ++pre;
        lines.apart(distance(tag));
        return true;
    };
    auto leave = [&](const GumboNode* node) {
        if (node->v.element.tag == GUMBO_TAG_PRE) --pre;
        lines.apart(distance(node->v.element.tag));
    };
    walk(tree.body(), enter, leave);
    return lines.take();
}

std::string strip_tags(std::string_view html) {
    std::string out;
    out.reserve(html.size());
    for (std::size_t at = 0; at < html.size();) {
        auto next = std::min(html.find_first_of("<&", at), html.size());
        out += clean_utf8(html.substr(at, next - at));
        if ((at = next) == html.size()) break;
        if (html[at] == '<') {
            bool tag = at + 1 < html.size() && (is_ascii_alpha(static_cast<unsigned char>(html[at + 1])) ||
                                                std::string_view("/!?").find(html[at + 1]) != none);
            if (tag) at = skip_tag(out, html, at);
            else out += html[at++];
            continue;
        }
        auto end = at + 1;
        while (end < html.size() && end - at < 12 &&
               (html[end] == '#' || is_ascii_alnum(static_cast<unsigned char>(html[end]))))
            ++end;
        if (end < html.size() && html[end] == ';' && end > at + 1) {
            append_entity(out, html.substr(at + 1, end - at - 1));
            at = end + 1;
        } else {
            out += html[at++];
        }
    }
    while (!out.empty() && (out.back() == '\n' || out.back() == ' ')) out.pop_back();
    out.erase(0, std::min(out.find_first_not_of("\n "), out.size()));
    return out;
}

}  // namespace base::text
