// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/tree.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>

#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr std::size_t longest_document = 256 * 1024, most_tags = 5000, longest_tag = 8 * 1024,
                      most_attributes = 128;
constexpr std::size_t most_memory = 16 * 1024 * 1024, chunk_size = 32 * 1024;

bool opens_tag(std::string_view html, std::size_t at) {
    if (html[at] != '<' || at + 1 >= html.size()) return false;
    return html[at + 1] == '/' || is_ascii_alpha(static_cast<unsigned char>(html[at + 1]));
}

// Follows one tag through the states of the HTML5 tokenizer; an approximate reading would let quotes hide
// attributes.
class TagReader {
public:
    // False at the `>` that ends the tag.
    bool read(char c) {
        bool space = c == ' ' || c == '\n' || c == '\t';
        if (state_ == State::quoted) {
            if (c == quote_) state_ = State::before_name;
            return true;
        }
        if (c == '>') return false;
        if (space && state_ == State::before_value) return true;
        switch (state_) {
            case State::tag_name:
                if (space || c == '/') state_ = State::before_name;
                break;
            case State::before_name:
                if (!space && c != '/') begin_attribute();
                break;
            case State::name:
            case State::after_name:
                if (c == '=') state_ = State::before_value;
                else if (c == '/') state_ = State::before_name;
                else if (space) state_ = State::after_name;
                else if (state_ == State::after_name) begin_attribute();
                break;
            case State::before_value:
                state_ = c == '"' || c == '\'' ? State::quoted : State::unquoted;
                quote_ = c;
                break;
            case State::unquoted:
                if (space) state_ = State::before_name;
                break;
            case State::quoted: break;
        }
        return true;
    }
    std::size_t attributes() const { return attributes_; }

private:
    enum class State { tag_name, before_name, name, after_name, before_value, quoted, unquoted };
    void begin_attribute() {
        ++attributes_;
        state_ = State::name;
    }
    State state_ = State::tag_name;
    char quote_ = 0;
    std::size_t attributes_ = 0;
};

// Applied to every `<` independently: those inside comments, scripts and quotes are measured too, which can
// only be too strict. gumbo compares all attributes of a tag with each other, so their number is limited too:
// 2000 three-letter ones fit into 8 KiB and take 30 ms.
bool excessive_tag(std::string_view html, std::size_t at) {
    TagReader tag;
    auto limit = std::min(html.size(), at + longest_tag);
    for (auto i = at + 1 + (html[at + 1] == '/' ? 1u : 0u); i < limit; ++i) {
        if (!tag.read(html[i])) return false;
        if (tag.attributes() > most_attributes) return true;
    }
    return limit < html.size();
}

bool acceptable(std::string_view html) {
    std::size_t tags = 0;
    for (auto at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
        if (!opens_tag(html, at)) continue;
        if (++tags > most_tags || excessive_tag(html, at)) return false;
    }
    return true;
}

void* allocate_in(void* tree, std::size_t size) { return static_cast<Tree*>(tree)->allocate(size); }
void keep(void*, void*) {}

bool is_named(const GumboNode* node, std::string_view name) {
    auto original = node->v.element.original_tag;
    gumbo_tag_from_original_text(&original);
    return same_ignoring_ascii_case({original.data, original.length}, name);
}

}  // namespace

Tree::Tree(std::string_view html) {
    if (html.size() > longest_document) return;
    html_ = clean_utf8(html);
    if (acceptable(html_)) parse();
}

void* Tree::allocate(std::size_t size) {
    size = (size + 15) & ~std::size_t{15};
    if (size > left_) {
        auto chunk = std::max(size, chunk_size);
        used_ += chunk;
        if (used_ > most_memory) std::longjmp(*static_cast<std::jmp_buf*>(refuse_), 1);
        chunks_.emplace_back(new char[chunk]);
        next_ = chunks_.back().get();
        left_ = chunk;
    }
    auto result = next_;
    next_ += size;
    left_ -= size;
    return result;
}

// gumbo cannot be stopped and does not handle failed allocations, so allocate() jumps out of it. That is
// safe: gumbo holds nothing but memory that we own, and there is no destructor between here and allocate().
// Its own clean-up is recursive and never called.
void Tree::parse() {
    std::jmp_buf refuse;
    auto options = kGumboDefaultOptions;
    options.allocator = allocate_in;
    options.deallocator = keep;
    options.userdata = this;
    options.max_errors = 0;
    refuse_ = &refuse;
    if (setjmp(refuse) != 0) return;
    auto output = gumbo_parse_with_options(&options, html_.data(), html_.size());
    refuse_ = nullptr;
    const auto& children = output->root->v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
        auto child = static_cast<const GumboNode*>(children.data[i]);
        if (is_element(child) && child->v.element.tag == GUMBO_TAG_BODY) body_ = child;
    }
}

std::string text_below(const GumboNode* root) {
    std::string out;
    walk(
        root,
        [&](const GumboNode* node) {
            if (is_text(node)) out += node->v.text.text;
            return is_element(node);
        },
        [](const GumboNode*) {}
    );
    return out;
}

std::string_view attribute(const GumboNode* node, const char* name) {
    auto found = gumbo_get_attribute(&node->v.element.attributes, name);
    return found ? std::string_view(found->value) : std::string_view();
}

bool has_attribute(const GumboNode* node, const char* name) {
    return gumbo_get_attribute(&node->v.element.attributes, name) != nullptr;
}

bool is_dropped(GumboTag tag) {
    constexpr auto dropped = std::to_array<GumboTag>({
        GUMBO_TAG_SCRIPT,
        GUMBO_TAG_STYLE,
        GUMBO_TAG_IFRAME,
        GUMBO_TAG_MATH,
        GUMBO_TAG_NOEMBED,
        GUMBO_TAG_NOFRAMES,
        GUMBO_TAG_NOSCRIPT,
        GUMBO_TAG_OBJECT,
        GUMBO_TAG_PLAINTEXT,
        GUMBO_TAG_SVG,
        GUMBO_TAG_XMP,
        GUMBO_TAG_TEMPLATE,
        GUMBO_TAG_TITLE,
        GUMBO_TAG_HEAD,
    });
    return std::ranges::find(dropped, tag) != dropped.end();
}

bool is_block(GumboTag tag) {
    constexpr auto blocks = std::to_array<GumboTag>({
        GUMBO_TAG_ADDRESS, GUMBO_TAG_ARTICLE,  GUMBO_TAG_ASIDE,      GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_CAPTION,
        GUMBO_TAG_CENTER,  GUMBO_TAG_DD,       GUMBO_TAG_DETAILS,    GUMBO_TAG_DIV,        GUMBO_TAG_DL,
        GUMBO_TAG_DT,      GUMBO_TAG_FIELDSET, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FIGURE,     GUMBO_TAG_FOOTER,
        GUMBO_TAG_FORM,    GUMBO_TAG_H1,       GUMBO_TAG_H2,         GUMBO_TAG_H3,         GUMBO_TAG_H4,
        GUMBO_TAG_H5,      GUMBO_TAG_H6,       GUMBO_TAG_HEADER,     GUMBO_TAG_HGROUP,     GUMBO_TAG_HR,
        GUMBO_TAG_LI,      GUMBO_TAG_MAIN,     GUMBO_TAG_NAV,        GUMBO_TAG_OL,         GUMBO_TAG_OPTION,
        GUMBO_TAG_P,       GUMBO_TAG_PRE,      GUMBO_TAG_SECTION,    GUMBO_TAG_SUMMARY,    GUMBO_TAG_TABLE,
        GUMBO_TAG_TD,      GUMBO_TAG_TH,       GUMBO_TAG_TR,         GUMBO_TAG_UL,
    });
    return std::ranges::find(blocks, tag) != blocks.end();
}

std::string math_text(const GumboNode* math) {
    auto first_element = [](const GumboNode* node) -> const GumboNode* {
        const auto& children = node->v.element.children;
        for (unsigned i = 0; i < children.length; ++i)
            if (auto child = static_cast<const GumboNode*>(children.data[i]); is_element(child)) return child;
        return nullptr;
    };
    auto semantics = first_element(math);
    if (!semantics || !is_named(semantics, "semantics")) return {};
    auto annotation = [&](std::string_view encoding) -> std::string {
        const auto& children = semantics->v.element.children;
        for (unsigned i = 0; i < children.length; ++i) {
            auto child = static_cast<const GumboNode*>(children.data[i]);
            if (is_element(child) && is_named(child, "annotation") &&
                attribute(child, "encoding") == encoding)
                return text_below(child);
        }
        return {};
    };
    if (auto tex = annotation("application/x-tex"); !tex.empty()) {
        std::string_view mark = attribute(math, "display") == "block" ? "$$" : "$";
        return std::string(mark).append(tex).append(mark);
    }
    return annotation("text/plain");
}

}  // namespace base::text
