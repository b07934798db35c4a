// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/scan.hpp"

#include <string>

#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr auto none = std::string_view::npos;
constexpr std::size_t longest_host = 512;

enum class Form { web, bare_host, xmpp, magnet };

constexpr struct {
    std::string_view name;
    Form form;
} schemes[] = {
    {"https", Form::web},
    {"http", Form::web},
    {"gemini", Form::web},
    {"gopher", Form::web},
    {"dat", Form::bare_host},
    {"dweb", Form::bare_host},
    {"ipfs", Form::bare_host},
    {"ipns", Form::bare_host},
    {"ssb", Form::bare_host},
    {"xmpp", Form::xmpp},
    {"magnet", Form::magnet},
};

bool is_one_of(char c, std::string_view set) { return set.find(c) != none; }
bool host_char(const Decoded& d) { return d.valid && (is_word(d.c) || d.c == '-'); }

// Characters a path or query may contain but not end with.
bool closes_sentence(char32_t c) {
    if (c < 0x80) return is_one_of(static_cast<char>(c), "?!*\"'<>;:=,.$%[]~&|@");
    switch (c) {
        case 0x300C:
        case 0x300D:
        case 0x300E:
        case 0x300F:
        case 0x3001:
        case 0x3002:
        case 0x3010:
        case 0x3011:
        case 0xFF01:
        case 0xFF09:
        case 0xFF0C:
        case 0xFF1F:
        case 0x2018:
        case 0x2019:
        case 0x201C:
        case 0x201D:
        case 0xBB: return true;
        default: return false;
    }
}

bool ends_path_run(const Decoded& d) { return !d.valid || d.c < 0x20 || is_control(d.c) || is_space(d.c); }

// The end of the top level domain that starts at `at`: either only Latin letters or none, so that
// "example.comさん" ends where a reader expects.
std::size_t top_level_end(std::string_view text, std::size_t at) {
    auto i = at;
    if (is_ascii_alpha(static_cast<unsigned char>(text[at]))) {
        bool encoded = same_ignoring_ascii_case(text.substr(at, 4), "xn--");
        auto inside = [&](char32_t c) {
            return is_ascii_alpha(c) || (encoded && (is_ascii_digit(c) || c == '-'));
        };
        while (i < text.size() && inside(static_cast<unsigned char>(text[i]))) ++i;
    } else {
        while (i < text.size() && static_cast<unsigned char>(text[i]) >= 0x80) {
            auto d = decode(text, i);
            if (!host_char(d)) break;
            i += d.size;
        }
    }
    if (i - at < 2) return none;
    if (i < text.size() && (is_ascii_alnum(static_cast<unsigned char>(text[i])) || is_one_of(text[i], "@-_")))
        return none;
    return i;
}

std::size_t host_end(std::string_view text, std::size_t at, bool one_label_is_enough) {
    auto best = none;
    auto label = at;
    while (label < text.size() && label - at <= longest_host) {
        auto i = label;
        while (i < text.size()) {
            auto d = decode(text, i);
            if (!host_char(d)) break;
            i += d.size;
        }
        if (i == label || i - at > longest_host) break;
        bool first = label == at, userinfo = i < text.size() && text[i] == '@';
        if (!first) {
            auto end = top_level_end(text, label);
            if (end != none) best = end;
        } else if (!userinfo &&
                   (one_label_is_enough || same_ignoring_ascii_case(text.substr(at, i - at), "localhost"))) {
            best = i;
        }
        if (i >= text.size() || text[i] != '.') break;
        label = i + 1;
    }
    return best;
}

std::size_t port_end(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != ':') return at;
    auto i = at + 1;
    while (i < text.size() && i - at <= 5 && is_ascii_digit(static_cast<unsigned char>(text[i]))) ++i;
    return i == at + 1 ? at : i;
}

// The position after the closing parenthesis, if the one at `at` is closed within the path; one nested level
// is allowed.
std::size_t balanced_end(std::string_view text, std::size_t at) {
    int depth = 0;
    std::size_t opened = at;
    for (auto i = at; i < text.size();) {
        auto d = decode(text, i);
        if (d.c == '(') {
            if (++depth > 2) return none;
            opened = i;
        } else if (d.c == ')') {
            if (i == opened + 1) return none;
            if (--depth == 0) return i + 1;
        } else if (ends_path_run(d) || is_one_of(static_cast<char>(d.c < 0x80 ? d.c : 'x'), "<>?")) {
            return none;
        }
        i += d.size;
    }
    return none;
}

std::size_t path_end(std::string_view text, std::size_t at) {
    auto end = at;
    if (at >= text.size() || text[at] != '/') return end;
    for (auto i = at; i < text.size();) {
        auto d = decode(text, i);
        if (d.c == '(') {
            i = balanced_end(text, i);
            if (i == none) break;
            end = i;
            continue;
        }
        if (ends_path_run(d) || d.c == ')' || d.c == '<' || d.c == '>' || d.c == '?') break;
        i += d.size;
        if (!closes_sentence(d.c)) end = i;
    }
    return end;
}

std::size_t query_end(std::string_view text, std::size_t at) {
    auto end = at;
    if (at >= text.size() || text[at] != '?') return end;
    for (auto i = at + 1; i < text.size();) {
        auto d = decode(text, i);
        bool plain = d.c >= 0x80 || is_ascii_alnum(d.c) ||
                     is_one_of(static_cast<char>(d.c), "!?*'();:&=+$/%#[]-_.,~|@^");
        if (!plain || ends_path_run(d)) break;
        i += d.size;
        bool ending = d.c >= 0x80 ? !closes_sentence(d.c)
                                  : is_ascii_alnum(d.c) || is_one_of(static_cast<char>(d.c), "_&=#/-");
        if (ending) end = i;
    }
    return end;
}

// user@host/resource?query, with an optional //authority@host/ before it. The colon ends at `at`.
std::size_t xmpp_end(std::string_view text, std::size_t at) {
    auto node_end = [&](std::size_t i) {
        while (i < text.size() &&
               (is_ascii_alnum(static_cast<unsigned char>(text[i])) || is_one_of(text[i], "-._~%!$()*+,;=")))
            ++i;
        return i;
    };
    if (text.substr(at, 2) == "//") {
        auto node = node_end(at + 2);
        if (node >= text.size() || text[node] != '@') return none;
        auto host = host_end(text, node + 1, false);
        if (host == none || host >= text.size() || text[host] != '/') return none;
        at = host + 1;
    }
    auto node = node_end(at);
    if (node > at && node < text.size() && text[node] == '@') at = node + 1;
    auto host = host_end(text, at, false);
    return host == none ? none : query_end(text, path_end(text, host));
}

std::size_t end_of(Form form, std::string_view text, std::size_t after_colon) {
    if (form == Form::magnet) {
        auto end = query_end(text, after_colon);
        return end == after_colon ? none : end;
    }
    if (form == Form::xmpp) return xmpp_end(text, after_colon);
    if (text.substr(after_colon, 2) != "//") return none;
    auto host = host_end(text, after_colon + 2, form == Form::bare_host);
    return host == none ? none : query_end(text, path_end(text, port_end(text, host)));
}

}  // namespace

UrlSpan url_around(std::string_view text, std::size_t colon) {
    auto begin = colon;
    while (begin > 0 && colon - begin < 7 && is_ascii_alpha(static_cast<unsigned char>(text[begin - 1])))
        --begin;
    auto name = text.substr(begin, colon - begin);
    if (name.size() < 3 || name.size() > 6) return {};
    auto before = decode_before(text, begin).c;
    if (is_ascii_alnum(before) || before == '@' || before == '#' || before == '$' || before == 0xFF20 ||
        before == 0xFF03)
        return {};
    for (const auto& scheme : schemes) {
        if (!same_ignoring_ascii_case(name, scheme.name)) continue;
        auto end = end_of(scheme.form, text, colon + 1);
        if (end == none) return {};
        return {begin, end};
    }
    return {};
}

}  // namespace base::text
