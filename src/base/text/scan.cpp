// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/scan.hpp"

#include <array>
#include <unordered_set>

#include "base/text/hashtag.hpp"
#include "base/text/utf8.hpp"

namespace base::text {

namespace {

constexpr auto none = std::string_view::npos;
constexpr std::size_t longest_domain = 512;

constexpr auto triggers = [] {
    std::array<bool, 256> table{};
    for (char c : {'@', '#', ':'}) table[static_cast<unsigned char>(c)] = true;
    table[0xEF] = true;  // ＃ is EF BC 83
    return table;
}();

bool at_is(std::string_view text, std::size_t at, char c) { return at < text.size() && text[at] == c; }

std::size_t name_run(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_ascii_alnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
        ++at;
    return at;
}

std::size_t word_run(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        auto d = decode(text, at);
        if (!d.valid || !is_word(d.c)) break;
        at += d.size;
    }
    return at;
}

// The end of runs joined by dots and dashes; trailing ones are excluded.
template <class Run>
std::size_t joined_runs(std::string_view text, std::size_t at, Run run) {
    auto end = run(text, at);
    if (end == at) return at;
    for (auto i = end; i < text.size() && (text[i] == '.' || text[i] == '-');) {
        while (i < text.size() && (text[i] == '.' || text[i] == '-')) ++i;
        auto next = run(text, i);
        if (next == i) break;
        i = end = next;
    }
    return end;
}

// ":3000", but not the colon of "@a@example.com: hello" nor of "…:5 things".
std::size_t mention_port_end(std::string_view text, std::size_t at) {
    if (!at_is(text, at, ':')) return at;
    auto i = at + 1;
    while (i < text.size() && i - at <= 5 && is_ascii_digit(static_cast<unsigned char>(text[i]))) ++i;
    if (i - at < 3 || (i < text.size() && is_word(decode(text, i).c))) return at;
    return i;
}

// Followed by another @, a Latin letter with diacritics or "://", it was not a mention.
bool spoils_mention(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    if (text[at] == '@' || text.substr(at, 3) == "://") return true;
    auto c = decode(text, at).c;
    return (c >= 0xC0 && c <= 0x24F) || (c >= 0x1E00 && c <= 0x1EFF) || c == 0xFF20;
}

Entity mention_at(std::string_view text, std::size_t at) {
    Entity none_found{Entity::mention, at, at, {}, {}, {}};
    auto before = decode_before(text, at).c;
    if (is_word(before) || before == '/' || before == '=') return none_found;

    auto user = at + 1, user_end = name_run(text, user), remote_end = joined_runs(text, user, name_run);
    if (user_end == user) return none_found;
    auto end = user_end;
    std::string_view domain;
    if (at_is(text, remote_end, '@')) {
        auto host = remote_end + 1, host_end = joined_runs(text, host, word_run);
        if (host_end > host && host_end - host <= longest_domain) {
            user_end = remote_end;
            end = mention_port_end(text, host_end);
            domain = text.substr(host, end - host);
        }
    }
    if (spoils_mention(text, end)) return none_found;
    return {Entity::mention, at, end, text.substr(user, user_end - user), domain, {}};
}

Entity hashtag_at(std::string_view text, std::size_t at, std::size_t sign) {
    auto before = decode_before(text, at).c;
    bool apart = !is_word(before) && before != '/' && before != '&' && before != '=' && before != ')';
    auto length = apart ? hashtag_length(text.substr(at + sign)) : 0;
    auto end = length == 0 ? at : at + sign + length;
    return {Entity::hashtag, at, end, {}, {}, text.substr(at + sign, length)};
}

Entity url_at(std::string_view text, std::size_t colon) {
    auto [begin, end] = url_around(text, colon);
    return {Entity::url, begin, end, {}, {}, {}};
}

Entity entity_at(std::string_view text, std::size_t at) {
    switch (text[at]) {
        case '@': return mention_at(text, at);
        case '#': return hashtag_at(text, at, 1);
        case ':': return url_at(text, at);
        default:
            if (text.substr(at, 3) == "\xEF\xBC\x83") return hashtag_at(text, at, 3);
            return {Entity::hashtag, at, at, {}, {}, {}};
    }
}

}  // namespace

std::vector<Entity> scan(std::string_view text) {
    std::vector<Entity> found;
    for (std::size_t at = 0; at < text.size();) {
        if (!triggers[static_cast<unsigned char>(text[at])]) {
            ++at;
            continue;
        }
        auto entity = entity_at(text, at);
        if (entity.end == entity.begin) {
            ++at;
            continue;
        }
        // Only a link can begin before the character that revealed it: "#a·https://…".
        while (!found.empty() && found.back().end > entity.begin) found.pop_back();
        at = entity.end;
        found.push_back(entity);
    }
    return found;
}

std::vector<WrittenHashtag> hashtags(std::string_view text) {
    std::vector<WrittenHashtag> found;
    std::unordered_set<std::string> seen;
    for (const auto& entity : scan(text)) {
        if (entity.kind != Entity::hashtag) continue;
        auto key = normalise_hashtag(entity.name);
        if (valid_hashtag(key) && seen.insert(key).second)
            found.push_back({std::move(key), std::string(entity.name)});
    }
    return found;
}

std::vector<std::string> shortcodes(std::string_view text) {
    std::vector<std::string> found;
    std::unordered_set<std::string_view> seen;
    for (auto at = text.find(':'); at != none;) {
        auto end = name_run(text, at + 1);
        bool closed = at_is(text, end, ':');
        auto name = text.substr(at + 1, end - at - 1);
        auto clear = [](char32_t c) { return c != ':' && !is_alnum(c); };
        if (closed && name.size() >= 2 && clear(decode_before(text, at).c) &&
            (end + 1 == text.size() || clear(decode(text, end + 1).c))) {
            if (seen.insert(name).second) found.emplace_back(name);
            at = text.find(':', end + 1);
        } else {
            at = closed ? end : text.find(':', end);
        }
    }
    return found;
}

}  // namespace base::text
