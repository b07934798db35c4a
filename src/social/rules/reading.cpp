// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/reading.hpp"

#include "base/text/utf8.hpp"
#include "base/text/words.hpp"

#include <algorithm>
#include <array>

namespace rules {

namespace {

// Folded letters of other scripts, and the Latin one that each looks like.
constexpr std::pair<std::string_view, char> lookalikes[] = {
    {"а", 'a'}, {"в", 'b'}, {"с", 'c'}, {"е", 'e'}, {"н", 'h'}, {"і", 'i'}, {"ј", 'j'}, {"к", 'k'},
    {"м", 'm'}, {"п", 'n'}, {"о", 'o'}, {"р", 'p'}, {"ѕ", 's'}, {"т", 't'}, {"у", 'y'}, {"х", 'x'},
    {"ԁ", 'd'}, {"ɡ", 'g'}, {"α", 'a'}, {"β", 'b'}, {"ε", 'e'}, {"ι", 'i'}, {"κ", 'k'}, {"ν", 'v'},
    {"ο", 'o'}, {"ρ", 'p'}, {"τ", 't'}, {"υ", 'u'}, {"χ", 'x'}, {"ω", 'w'},
};

bool is_latin(char c) { return c >= 'a' && c <= 'z'; }

std::string as_it_looks(std::string word) {
    bool mixed = std::ranges::any_of(word, is_latin) &&
                 std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (!mixed) return word;
    std::string out;
    for (std::size_t i = 0; i < word.size();) {
        auto rest = std::string_view(word).substr(i);
        auto found =
            std::ranges::find_if(lookalikes, [&](const auto& one) { return rest.starts_with(one.first); });
        if (found == std::end(lookalikes)) {
            out += word[i++];
        } else {
            out += found->second;
            i += found->first.size();
        }
    }
    return out;
}

std::string_view attribute(std::string_view tag, std::string_view name) {
    for (std::size_t at = 0; (at = tag.find(name, at)) != tag.npos; at += name.size()) {
        auto rest = tag.substr(at + name.size());
        if (at == 0 || tag[at - 1] != ' ' || !rest.starts_with("=\"")) continue;
        rest.remove_prefix(2);
        return rest.substr(0, rest.find('"'));
    }
    return {};
}

bool has_class(std::string_view classes, std::string_view name) {
    auto at = classes.find(name);
    if (at == classes.npos) return false;
    bool begins = at == 0 || classes[at - 1] == ' ';
    auto end = at + name.size();
    return begins && (end == classes.size() || classes[end] == ' ');
}

// What stands between the scheme and the path, without a name before it and a port behind.
std::string host_of(std::string_view url) {
    auto begin = url.find("://");
    if (begin == url.npos) return {};
    auto host = url.substr(begin + 3);
    host = host.substr(0, host.find_first_of("/?#"));
    if (auto at = host.rfind('@'); at != host.npos) host.remove_prefix(at + 1);
    host = host.substr(0, host.find(':'));
    while (host.ends_with('.')) host.remove_suffix(1);
    return base::text::ascii_lowered(host);
}

// Reads on where a tag was.
class Reader {
public:
    void take_text(std::string_view text) {
        out.text += text;
        if (!in_link_) out.said += text;
    }
    void take_tag(std::string_view tag) {
        const bool ends = tag.starts_with('/');
        if (ends) tag.remove_prefix(1);
        auto name = tag.substr(0, tag.find_first_of(" />"));
        // Words may be marked in their middle; what else begins or ends here parts them.
        constexpr std::array<std::string_view, 6> inside{"span", "b", "strong", "em", "i", "a"};
        if (std::ranges::find(inside, name) == inside.end()) take_text(" ");
        if (name == "a") in_link_ = !ends;
        if (ends || name != "a") return;
        auto classes = attribute(tag, "class");
        if (has_class(classes, "mention") || has_class(classes, "hashtag") || has_class(classes, "u-url"))
            return;
        auto address = attribute(tag, "href");
        auto host = host_of(address);
        if (host.empty()) return;
        out.links.push_back(std::move(host));
        out.addresses.emplace_back(address.substr(0, address.find('#')));
    }
    NormalizedText out;

private:
    bool in_link_ = false;
};

// The few that our writing knows.
std::size_t take_entity(Reader& out, std::string_view from) {
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"&amp;", "&"},
        {"&lt;", "<"},
        {"&gt;", ">"},
        {"&quot;", "\""},
        {"&#39;", "'"},
        {"&nbsp;", " "},
    };
    for (auto [written, meant] : known)
        if (from.starts_with(written)) {
            out.take_text(meant);
            return written.size();
        }
    out.take_text("&");
    return 1;
}

}  // namespace

NormalizedText read_html(std::string_view html) {
    Reader reader;
    reader.out.text.reserve(html.size());
    for (std::size_t i = 0; i < html.size();) {
        auto end = html.find_first_of("<&", i);
        reader.take_text(html.substr(i, end == html.npos ? end : end - i));
        if (end == html.npos) break;
        i = end;
        if (html[i] == '&') {
            i += take_entity(reader, html.substr(i));
            continue;
        }
        auto close = html.find('>', i);
        if (close == html.npos) break;
        reader.take_tag(html.substr(i + 1, close - i - 1));
        i = close + 1;
    }
    return std::move(reader.out);
}

namespace {

// What becomes of the letters and digits of plain text; 0: it parts words.
constexpr auto plain_letters = [] {
    std::array<char, 0x80> out{};
    for (char c = '0'; c <= '9'; ++c) out[static_cast<std::size_t>(c)] = c;
    for (char c = 'a'; c <= 'z'; ++c)
        out[static_cast<std::size_t>(c)] = out[static_cast<std::size_t>(c - 'a' + 'A')] = c;
    return out;
}();

// What the general way, which looks at every letter, makes of plain text.
void each_plain_word(std::string_view text, const std::function<void(std::string_view)>& each) {
    constexpr std::size_t longest = 80;
    std::array<char, longest> word;
    std::size_t size = 0;
    const auto end = [&] {
        if (size > 0) each({word.data(), size});
        size = 0;
    };
    for (const char c : text) {
        const char letter = plain_letters[static_cast<unsigned char>(c)];
        if (letter == 0) end();
        else if (size < longest) word[size++] = letter;
    }
    end();
}

bool is_plain(std::string_view text) {
    unsigned char all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80;
}

}  // namespace

void each_word(std::string_view text, const std::function<void(std::string_view)>& each) {
    constexpr std::size_t most_read = 64 << 10;  // of it a search index has words
    text = text.substr(0, most_read);
    if (is_plain(text)) return each_plain_word(text, each);
    while (!text.empty()) {
        const auto length = std::min(text.find_first_of(" \n"), text.size() - 1) + 1;
        const auto part = text.substr(0, length);
        text.remove_prefix(length);
        if (is_plain(part)) each_plain_word(part, each);
        else
            for (auto& word : base::text::words(part)) each(as_it_looks(std::move(word)));
    }
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> out;
    each_word(text, [&](std::string_view word) { out.emplace_back(word); });
    return out;
}

}  // namespace rules
