// SPDX-License-Identifier: AGPL-3.0-or-later
// Any bytes through every function of base/text; the first byte chooses which, so that the corpus stays small.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/text/count.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "base/text/languages.hpp"
#include "base/text/scan.hpp"
#include "base/text/utf8.hpp"

namespace {

using namespace base::text;

void expect(bool good, const char* what, const std::string& shown) {
    if (good) return;
    std::fprintf(stderr, "%s\n%s\n", what, shown.c_str());
    std::abort();
}

// Every `<` begins one of these; so nothing of the input came through as markup.
void expect_only(std::span<const std::string_view> tags, const std::string& html) {
    for (auto at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
        auto rest = std::string_view(html).substr(at + (html.substr(at, 2) == "</" ? 2 : 1));
        bool ours = std::ranges::any_of(tags, [&](std::string_view tag) {
            return rest.starts_with(tag) && rest.size() > tag.size() &&
                   (rest[tag.size()] == ' ' || rest[tag.size()] == '>');
        });
        expect(ours, "foreign tag", html);
    }
}

constexpr std::string_view local_tags[] = {"p", "br", "a", "span"};
constexpr std::string_view remote_tags[] = {"p",          "br",   "span", "a",      "del", "s", "pre",
                                            "blockquote", "code", "b",    "strong", "u",   "i", "em",
                                            "ul",         "ol",   "li",   "ruby",   "rt",  "rp"};

void check_scan(std::string_view text) {
    auto entities = scan(text);
    std::vector<Mention> mentions;
    std::size_t last = 0;
    for (const auto& entity : entities) {
        expect(
            entity.begin >= last && entity.end > entity.begin && entity.end <= text.size(),
            "entity range",
            std::string(text)
        );
        last = entity.end;
        if (entity.kind == Entity::hashtag)
            expect(valid_hashtag(entity.name), "hashtag", std::string(entity.name));
        if (entity.kind == Entity::mention && mentions.size() < 8)
            mentions.push_back(
                {entity.acct(text),
                 "https://x.example/<\"'>",
                 std::string(entity.username),
                 std::string(entity.domain)}
            );
    }
    Resolve resolve{.mentions = mentions, .tags_url = "https://x.example/tags/"};
    for (const auto& html : {to_html(text, entities, resolve), to_inline_html(text, resolve)}) {
        expect(valid_utf8(html), "invalid UTF-8", html);
        expect_only(local_tags, html);
    }
    expect(graphemes(text) <= text.size(), "graphemes", std::string(text));
    expect(first_graphemes(text, graphemes(text)) == text, "first_graphemes", std::string(text));
    (void)status_length(text, entities);
    (void)shortcodes(text);
    (void)find_language(text);
    auto key = normalise_hashtag(text);
    expect(valid_utf8(key), "key", key);
    auto clean = clean_utf8(text);
    expect(valid_utf8(clean) && clean_utf8(clean) == clean, "clean", clean);
    auto markdown = markdown_html(text, resolve);
    expect(valid_utf8(markdown), "invalid UTF-8", markdown);
    expect_only(remote_tags, markdown);
}

void check_html(std::string_view html) {
    auto once = sanitize(html);
    expect(valid_utf8(once), "invalid UTF-8", once);
    expect(valid_utf8(plain_text(html)), "invalid UTF-8", once);
    expect_only(remote_tags, once);
    if (once.size() > 100'000) return;  // near the gates the second answer may be plain text
    auto twice = sanitize(once);
    expect(twice == once, "not stable", once + "\n----\n" + twice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 0) check_scan(text);
    else check_html(text);
    return 0;
}
