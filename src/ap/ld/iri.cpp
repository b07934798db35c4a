// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/iri.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ap::ld {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t scheme_end(std::string_view iri) {
    if (iri.empty() || !is_letter(iri[0])) return 0;
    for (std::size_t i = 1; i < iri.size(); i++) {
        char c = iri[i];
        if (c == ':') return i;
        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return 0;
    }
    return 0;
}

struct Parts {
    std::string_view scheme, authority, path, query, fragment;
    bool has_authority = false, has_query = false, has_fragment = false;
};

Parts split(std::string_view iri) {
    Parts out;
    if (auto end = scheme_end(iri)) {
        out.scheme = iri.substr(0, end);
        iri.remove_prefix(end + 1);
    }
    if (auto at = iri.find('#'); at != iri.npos) {
        out.has_fragment = true;
        out.fragment = iri.substr(at + 1);
        iri = iri.substr(0, at);
    }
    if (auto at = iri.find('?'); at != iri.npos) {
        out.has_query = true;
        out.query = iri.substr(at + 1);
        iri = iri.substr(0, at);
    }
    if (iri.starts_with("//")) {
        auto end = std::min(iri.find('/', 2), iri.size());
        out.has_authority = true;
        out.authority = iri.substr(2, end - 2);
        iri.remove_prefix(end);
    }
    out.path = iri;
    return out;
}

std::string without_dots(std::string_view path) {
    std::vector<std::string_view> kept;
    bool rooted = path.starts_with('/'), open = false;
    if (rooted) path.remove_prefix(1);
    for (bool more = true; more;) {
        auto end = path.find('/');
        more = end != path.npos;
        auto segment = path.substr(0, end);
        if (more) path.remove_prefix(end + 1);
        open = segment == "." || segment == "..";
        if (segment == "..") {
            if (!kept.empty()) kept.pop_back();
        } else if (segment != ".") {
            kept.push_back(segment);
        }
    }
    std::string out = rooted ? "/" : "";
    for (std::size_t i = 0; i < kept.size(); i++) {
        if (i) out += '/';
        out += kept[i];
    }
    if (open && !kept.empty()) out += '/';
    return out;
}

std::string joined(const Parts& parts, std::string_view path) {
    std::string out;
    if (!parts.scheme.empty()) out.append(parts.scheme).append(":");
    if (parts.has_authority) out.append("//").append(parts.authority);
    out += path;
    if (parts.has_query) out.append("?").append(parts.query);
    if (parts.has_fragment) out.append("#").append(parts.fragment);
    return out;
}

}  // namespace

bool is_keyword(std::string_view word) {
    static constexpr std::array<std::string_view, 23> words = {
        "@base",      "@container", "@context", "@default",  "@direction", "@graph", "@id",     "@import",
        "@included",  "@index",     "@json",    "@language", "@list",      "@nest",  "@none",   "@prefix",
        "@propagate", "@protected", "@reverse", "@set",      "@type",      "@value", "@version"
    };
    return word.starts_with('@') && (std::ranges::find(words, word) != words.end() || word == "@vocab");
}

bool looks_like_keyword(std::string_view word) {
    return word.size() > 1 && word[0] == '@' && std::ranges::all_of(word.substr(1), is_letter);
}

bool is_absolute(std::string_view iri) { return scheme_end(iri) > 0; }

bool is_blank(std::string_view iri) { return iri.starts_with("_:"); }

bool is_well_formed(std::string_view iri) {
    bool in_fragment = false;
    for (char c : iri) {
        if (static_cast<unsigned char>(c) <= 0x20 || (c == '#' && in_fragment)) return false;
        if (std::string_view("<>\"{}|^`\\").find(c) != std::string_view::npos) return false;
        in_fragment = in_fragment || c == '#';
    }
    return is_absolute(iri);
}

std::string resolve(std::string_view base, std::string_view reference) {
    auto from = split(base), to = split(reference);
    if (!to.scheme.empty()) return joined(to, without_dots(to.path));
    to.scheme = from.scheme;
    if (to.has_authority) return joined(to, without_dots(to.path));
    to.has_authority = from.has_authority;
    to.authority = from.authority;
    if (to.path.empty()) {
        if (!to.has_query) {
            to.has_query = from.has_query;
            to.query = from.query;
        }
        return joined(to, from.path);
    }
    if (to.path.starts_with('/')) return joined(to, without_dots(to.path));
    std::string merged;
    if (from.has_authority && from.path.empty()) merged = "/";
    else merged = from.path.substr(0, from.path.rfind('/') + 1);
    merged += to.path;
    return joined(to, without_dots(merged));
}

std::string relative_to(std::string_view base, std::string_view iri) {
    auto from = split(base), to = split(iri);
    if (from.scheme != to.scheme || from.has_authority != to.has_authority || from.authority != to.authority)
        return std::string(iri);
    auto rest = iri.substr(static_cast<std::size_t>(to.path.data() - iri.data()));
    if (from.path == to.path && from.has_query == to.has_query && from.query == to.query && to.has_fragment)
        return "#" + std::string(to.fragment);
    if (from.path == to.path && to.has_query && from.query != to.query)
        return std::string(rest.substr(to.path.size()));
    std::size_t same = 0;
    for (std::size_t i = 0; i < from.path.size() && i < to.path.size() && from.path[i] == to.path[i]; i++)
        if (from.path[i] == '/') same = i + 1;
    std::string out;
    for (char c : from.path.substr(same))
        if (c == '/') out += "../";
    out += rest.substr(same);
    if (out.empty()) out = "./";
    else if (looks_like_keyword(out) || (out.find(':') != out.npos && is_absolute(out))) out = "./" + out;
    return out;
}

}  // namespace ap::ld
