// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html.hpp"

#include <md4c.h>

#include "base/text/html/html_parts.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr std::size_t longest_markdown = 32 * 1024;

class Renderer {
public:
    explicit Renderer(const Resolve& resolve) : linker_(resolve), rel_me_(resolve.rel_me) {}

    void enter(MD_BLOCKTYPE type, void* detail) {
        flush();
        if (type == MD_BLOCK_CODE) ++code_;
        if (type == MD_BLOCK_OL) {
            out_ += "<ol start=\"" + std::to_string(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start) + "\">";
        } else if (auto tag = name(type, detail); !tag.empty()) {
            out_.append("<").append(tag).append(">");
            if (type == MD_BLOCK_CODE) out_ += "<code>";
        }
    }

    void leave(MD_BLOCKTYPE type, void* detail) {
        flush();
        if (type == MD_BLOCK_CODE) {
            --code_;
            if (out_.ends_with('\n')) out_.pop_back();
            out_ += "</code>";
        }
        if (auto tag = name(type, detail); !tag.empty()) out_.append("</").append(tag).append(">");
    }

    void enter(MD_SPANTYPE type, void* detail) {
        flush();
        if (type == MD_SPAN_CODE) ++code_;
        if (type == MD_SPAN_A && link_++ == 0) {
            href_.clear();
            append(href_, static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
            link_at_ = out_.size();
            out_.append("<a href=\"").append(href_).append("\">");
            link_text_at_ = out_.size();
        } else if (auto tag = name(type); !tag.empty()) {
            out_.append("<").append(tag).append(">");
        }
    }

    void leave(MD_SPANTYPE type) {
        flush();
        if (type == MD_SPAN_CODE) --code_;
        if (type == MD_SPAN_A) {
            if (--link_ == 0) end_link();
        } else if (auto tag = name(type); !tag.empty()) {
            out_.append("</").append(tag).append(">");
        }
    }

    void text(MD_TEXTTYPE type, std::string_view text) {
        // Entities are copied: md4c has checked their form, and the sanitizer decodes them.
        if (type == MD_TEXT_NORMAL) {
            pending_ += text;
            return;
        }
        flush();
        if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) out_ += "<br />";
        else if (type == MD_TEXT_ENTITY) out_ += text;
        else append_escaped(out_, text);
    }

    std::string take() {
        flush();
        return std::move(out_);
    }

private:
    static std::string_view name(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_QUOTE: return "blockquote";
            case MD_BLOCK_UL: return "ul";
            case MD_BLOCK_OL: return "ol";
            case MD_BLOCK_LI: return "li";
            case MD_BLOCK_H:
                return std::string_view("h1h2h3h4h5h6")
                    .substr(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level * 2 - 2, 2);
            case MD_BLOCK_CODE: return "pre";
            case MD_BLOCK_P: return "p";
            default: return {};
        }
    }

    static std::string_view name(MD_SPANTYPE type) {
        switch (type) {
            case MD_SPAN_EM: return "em";
            case MD_SPAN_STRONG: return "strong";
            case MD_SPAN_CODE: return "code";
            case MD_SPAN_DEL: return "del";
            default: return {};  // images are reduced to their text
        }
    }

    static void append(std::string& out, const MD_ATTRIBUTE& attribute) {
        for (unsigned i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
            auto begin = attribute.substr_offsets[i];
            std::string_view part(attribute.text + begin, attribute.substr_offsets[i + 1] - begin);
            if (attribute.substr_types[i] == MD_TEXT_ENTITY) out += part;
            else append_escaped(out, part);
        }
    }

    // A link whose text is its URL gets the same form as in plain posts. Both are compared in escaped form.
    void end_link() {
        if (std::string_view(out_).substr(link_text_at_) == href_ && href_.find('&') == std::string::npos) {
            out_.resize(link_at_);
            append_link(out_, href_, rel_me_);
        } else {
            out_ += "</a>";
        }
    }

    // md4c emits text in pieces; a mention may span several.
    void flush() {
        if (pending_.empty()) return;
        if (code_ > 0 || link_ > 0) {
            append_escaped(out_, pending_);
        } else {
            std::size_t at = 0;
            for (const auto& entity : scan(pending_)) {
                append_escaped(out_, std::string_view(pending_).substr(at, entity.begin - at));
                linker_.append(out_, pending_, entity);
                at = entity.end;
            }
            append_escaped(out_, std::string_view(pending_).substr(at));
        }
        pending_.clear();
    }

    Linker linker_;
    bool rel_me_;
    std::string out_, pending_, href_;
    std::size_t link_at_ = 0, link_text_at_ = 0;
    unsigned code_ = 0, link_ = 0;
};

Renderer& renderer(void* self) { return *static_cast<Renderer*>(self); }

constexpr unsigned flags =
    MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;

const MD_PARSER parser{
    .abi_version = 0,
    .flags = flags,
    .enter_block =
        [](MD_BLOCKTYPE type, void* detail, void* self) {
            renderer(self).enter(type, detail);
            return 0;
        },
    .leave_block =
        [](MD_BLOCKTYPE type, void* detail, void* self) {
            renderer(self).leave(type, detail);
            return 0;
        },
    .enter_span =
        [](MD_SPANTYPE type, void* detail, void* self) {
            renderer(self).enter(type, detail);
            return 0;
        },
    .leave_span =
        [](MD_SPANTYPE type, void*, void* self) {
            renderer(self).leave(type);
            return 0;
        },
    .text =
        [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            renderer(self).text(type, {text, size});
            return 0;
        },
    .debug_log = nullptr,
    .syntax = nullptr,
};

}  // namespace

std::string markdown_html(std::string_view text, const Resolve& resolve) {
    if (text.size() > longest_markdown) return to_html(text, resolve);
    auto clean = clean_utf8(text);
    Renderer rendered(resolve);
    if (md_parse(clean.data(), static_cast<MD_SIZE>(clean.size()), &parser, &rendered) != 0)
        return to_html(text, resolve);
    return sanitize(rendered.take());
}

}  // namespace base::text
