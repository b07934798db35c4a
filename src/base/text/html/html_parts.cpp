// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html_parts.hpp"

#include <algorithm>
#include <array>

#include "base/text/hashtag.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr std::size_t visible_url_characters = 30;

// Whether a byte needs a closer look; all others are copied.
constexpr auto special = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < 256; ++c) table[c] = c < 0x20 || c >= 0x7F;
    for (char c : {'&', '<', '>', '"', '\''}) table[static_cast<unsigned char>(c)] = true;
    table['\n'] = table['\t'] = false;
    return table;
}();

std::size_t scheme_prefix(std::string_view url) {
    auto starts = [&](std::string_view with) {
        return same_ignoring_ascii_case(url.substr(0, with.size()), with);
    };
    if (starts("xmpp:")) return 5;
    std::size_t size = starts("https://") ? 8 : starts("http://") ? 7 : 0;
    if (size != 0 && same_ignoring_ascii_case(url.substr(size, 4), "www.")) size += 4;
    return size;
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        auto run = at;
        while (run < text.size() && !special[static_cast<unsigned char>(text[run])]) ++run;
        out.append(text, at, run - at);
        if ((at = run) == text.size()) break;
        switch (text[at]) {
            case '&':
                out += "&amp;";
                ++at;
                continue;
            case '<':
                out += "&lt;";
                ++at;
                continue;
            case '>':
                out += "&gt;";
                ++at;
                continue;
            case '"':
                out += "&quot;";
                ++at;
                continue;
            case '\'':
                out += "&#39;";
                ++at;
                continue;
            default: break;
        }
        auto d = decode(text, at);
        if (!d.valid) append_utf8(out, d.c);
        else if (!is_control(d.c)) out.append(text, at, d.size);
        at += d.size;
    }
}

void append_link(std::string& out, std::string_view url, bool rel_me) {
    auto prefix = scheme_prefix(url);
    auto cut = prefix;
    for (std::size_t n = 0; n < visible_url_characters && cut < url.size(); ++n) cut += decode(url, cut).size;

    out += "<a href=\"";
    append_escaped(out, url);
    out += "\" target=\"_blank\" rel=\"nofollow noopener";
    if (rel_me) out += " me";
    out += "\" translate=\"no\"><span class=\"invisible\">";
    append_escaped(out, url.substr(0, prefix));
    out += cut < url.size() ? "</span><span class=\"ellipsis\">" : "</span><span class=\"\">";
    append_escaped(out, url.substr(prefix, cut - prefix));
    out += "</span><span class=\"invisible\">";
    append_escaped(out, url.substr(cut));
    out += "</span></a>";
}

Linker::Linker(const Resolve& resolve) : resolve_(resolve) {
    by_acct_.reserve(resolve.mentions.size());
    for (const auto& mention : resolve.mentions)
        by_acct_.emplace_back(ascii_lowered(mention.acct_in_text), &mention);
    std::ranges::sort(by_acct_);
    if (resolve.mentions.size() > 1) find_ambiguous();
}

void Linker::find_ambiguous() {
    std::vector<std::pair<std::string, std::string>> people;
    for (const auto& mention : resolve_.mentions)
        people.emplace_back(ascii_lowered(mention.username), ascii_lowered(mention.domain));
    std::ranges::sort(people);
    people.erase(std::ranges::unique(people).begin(), people.end());
    for (std::size_t i = 1; i < people.size(); ++i)
        if (people[i].first == people[i - 1].first) ambiguous_.push_back(people[i].first);
}

bool Linker::needs_domain(const Mention& mention) const {
    if (mention.domain.empty()) return false;
    return resolve_.always_domain ||
           (!ambiguous_.empty() && std::ranges::binary_search(ambiguous_, ascii_lowered(mention.username)));
}

void Linker::append_mention(std::string& out, const Mention& mention) const {
    out += "<span class=\"h-card\" translate=\"no\"><a href=\"";
    append_escaped(out, mention.url);
    out += "\" class=\"u-url mention\">@<span>";
    append_escaped(out, mention.username);
    if (needs_domain(mention)) {
        out += '@';
        append_escaped(out, mention.domain);
    }
    out += "</span></a></span>";
}

void Linker::append(std::string& out, std::string_view text, const Entity& entity) const {
    switch (entity.kind) {
        case Entity::url: return append_link(out, entity.in(text), resolve_.rel_me);
        case Entity::hashtag:
            out += "<a href=\"";
            append_escaped(out, resolve_.tags_url);
            out += hashtag_in_address(entity.name);
            out += "\" class=\"mention hashtag\" rel=\"tag\">#<span>";
            append_escaped(out, entity.name);
            out += "</span></a>";
            return;
        case Entity::mention: break;
    }
    auto acct = ascii_lowered(entity.acct(text));
    auto found = std::ranges::lower_bound(by_acct_, acct, {}, [](const auto& pair) -> const std::string& {
        return pair.first;
    });
    if (found != by_acct_.end() && found->first == acct) return append_mention(out, *found->second);
    append_escaped(out, entity.in(text));
}

}  // namespace base::text
