// SPDX-License-Identifier: AGPL-3.0-or-later
// Untrusted HTML as a tree: gumbo, protected against its worst cases (quadratic time, recursion). Internal to
// this folder.
#pragma once
#include <gumbo.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace base::text {

class Tree {
public:
    explicit Tree(std::string_view html);

    // Null if the document was refused: longer than 256 KiB, more than 5000 tags, a tag longer than 8 KiB or
    // with more than 128 attributes, or more than 16 MiB of nodes (a few tags can produce millions).
    // strip_tags can still extract its text.
    const GumboNode* body() const { return body_; }

    // For gumbo only.
    void* allocate(std::size_t size);

private:
    void parse();

    std::string html_;
    std::vector<std::unique_ptr<char[]>> chunks_;
    std::size_t used_ = 0, left_ = 0;
    char* next_ = nullptr;
    void* refuse_ = nullptr;  // a jmp_buf while parsing
    const GumboNode* body_ = nullptr;
};

inline bool is_element(const GumboNode* node) {
    return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}
inline bool is_text(const GumboNode* node) {
    return node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE ||
           node->type == GUMBO_NODE_CDATA;
}

std::string_view attribute(const GumboNode* node, const char* name);
bool has_attribute(const GumboNode* node, const char* name);

// Scripts, styles, drawings and other elements whose content is not readable text.
bool is_dropped(GumboTag tag);
// Whether the element starts and ends a line.
bool is_block(GumboTag tag);

// All text in `root` and below, without markup.
std::string text_below(const GumboNode* root);

// FEP-dc88: the TeX or plain text annotation of a formula, empty if there is none.
std::string math_text(const GumboNode* math);

// The text between tags in one linear pass, with line feeds for p, br and the like: for documents that Tree
// refuses.
std::string strip_tags(std::string_view html);

// Calls enter(node) for `root` and its descendants in document order; if it returns true, leave(node) follows
// after the children; if false, they are skipped. Not recursive, because the sender controls the depth.
template <class Enter, class Leave>
void walk(const GumboNode* root, Enter enter, Leave leave) {
    struct Frame {
        const GumboNode* node;
        unsigned next;
    };
    std::vector<Frame> frames;
    if (enter(root)) frames.push_back({root, 0});
    while (!frames.empty()) {
        auto& top = frames.back();
        if (!is_element(top.node) || top.next >= top.node->v.element.children.length) {
            leave(top.node);
            frames.pop_back();
            continue;
        }
        auto child = static_cast<const GumboNode*>(top.node->v.element.children.data[top.next++]);
        if (enter(child)) frames.push_back({child, 0});
    }
}

}  // namespace base::text
