// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace {

using namespace base::text;
using namespace std::string_view_literals;

const std::vector<Mention> people = {
    {"alice", "https://here.example/@alice", "alice", ""},
    {"bob@there.example", "https://there.example/@bob", "bob", "there.example"},
    {"carol@a.example", "https://a.example/@carol", "carol", "a.example"},
    {"carol@b.example", "https://b.example/@carol", "Carol", "b.example"},
    {"carol", "https://here.example/@carol", "carol", ""},
};

std::string link(
    std::string_view href, std::string_view before, std::string_view shown, std::string_view cls = "",
    std::string_view rest = ""
) {
    return std::string("<a href=\"")
        .append(href)
        .append("\" target=\"_blank\" rel=\"nofollow noopener\" translate=\"no\">")
        .append("<span class=\"invisible\">")
        .append(before)
        .append("</span><span class=\"")
        .append(cls)
        .append("\">")
        .append(shown)
        .append("</span><span class=\"invisible\">")
        .append(rest)
        .append("</span></a>");
}

std::string person(std::string_view url, std::string_view name) {
    return std::string("<span class=\"h-card\" translate=\"no\"><a href=\"")
        .append(url)
        .append("\" class=\"u-url mention\">@<span>")
        .append(name)
        .append("</span></a></span>");
}

std::string tag(std::string_view encoded, std::string_view name) {
    return std::string("<a href=\"https://here.example/tags/")
        .append(encoded)
        .append("\" class=\"mention hashtag\" rel=\"tag\">#<span>")
        .append(name)
        .append("</span></a>");
}

std::string html(std::string_view text, std::span<const Mention> mentions = people) {
    return to_html(text, {.mentions = mentions, .tags_url = "https://here.example/tags/"});
}

TEST(ToHtml, makes_paragraphs_and_breaks) {
    struct {
        std::string_view text, html;
    } rows[] = {
        {"text", "<p>text</p>"},
        {"line\nfeed", "<p>line<br />feed</p>"},
        {"one\n\ntwo\n\n\n\nthree", "<p>one</p><p>two</p><p>three</p>"},
        {"one\r\ntwo\r\n\r\nthree\rfour", "<p>one<br />two</p><p>three<br />four</p>"},
        {"\n\na\n", "<p>a</p>"},
        {"", ""},
        {" \n\t ", ""},
        {"\u3000", ""},
        {"a  b", "<p>a  b</p>"},
        {"<b>&'\"</b>", "<p>&lt;b&gt;&amp;&#39;&quot;&lt;/b&gt;</p>"},
        {"a\0b\x07\xFFz"sv, "<p>ab\uFFFDz</p>"},
    };
    for (auto [text, expected] : rows) EXPECT_EQ(html(text), expected) << text;
    EXPECT_EQ(
        html("@alice\n\n#a\nb"),
        "<p>" + person("https://here.example/@alice", "alice") + "</p><p>" + tag("a", "a") + "<br />b</p>"
    );
}

TEST(ToHtml, shortens_links) {
    EXPECT_EQ(html("https://x.example"), "<p>" + link("https://x.example", "https://", "x.example") + "</p>");
    EXPECT_EQ(
        html("see http://www.example.com/a?b=1&c=2."),
        "<p>see " + link("http://www.example.com/a?b=1&amp;c=2", "http://www.", "example.com/a?b=1&amp;c=2") +
            ".</p>"
    );
    EXPECT_EQ(
        html("https://example.com/123456789012345678"),
        "<p>" + link("https://example.com/123456789012345678", "https://", "example.com/123456789012345678") +
            "</p>"
    );
    EXPECT_EQ(
        html("https://example.com/1234567890123456789"),
        "<p>" +
            link(
                "https://example.com/1234567890123456789",
                "https://",
                "example.com/123456789012345678",
                "ellipsis",
                "9"
            ) +
            "</p>"
    );
    EXPECT_EQ(
        html("https://nic.みんな/"), "<p>" + link("https://nic.みんな/", "https://", "nic.みんな/") + "</p>"
    );
    EXPECT_EQ(
        html("xmpp:user@instance.com"),
        "<p>" + link("xmpp:user@instance.com", "xmpp:", "user@instance.com") + "</p>"
    );
    EXPECT_EQ(
        html("gemini://a.example"), "<p>" + link("gemini://a.example", "", "gemini://a.example") + "</p>"
    );
    EXPECT_EQ(
        html("http://example.com/blahblahblahblah/a<script>"),
        "<p>" + link("http://example.com/blahblahblahblah/a", "http://", "example.com/blahblahblahblah/a") +
            "&lt;script&gt;</p>"
    );
}

TEST(ToHtml, links_hashtags_as_written) {
    EXPECT_EQ(html("#HashTagタグ"), "<p>" + tag("HashTag%E3%82%BF%E3%82%B0", "HashTagタグ") + "</p>");
    EXPECT_EQ(html("＃a"), "<p>" + tag("a", "a") + "</p>");
}

TEST(ToHtml, links_only_resolved_mentions) {
    EXPECT_EQ(
        html("@ALICE @nobody"), "<p>" + person("https://here.example/@alice", "alice") + " @nobody</p>"
    );
    EXPECT_EQ(html("@bob@There.example"), "<p>" + person("https://there.example/@bob", "bob") + "</p>");
    EXPECT_EQ(html("@alice", {}), "<p>@alice</p>");
}

TEST(ToHtml, shows_domains_only_to_tell_people_apart) {
    EXPECT_EQ(
        html("@carol@a.example @carol@b.example @carol"),
        "<p>" + person("https://a.example/@carol", "carol@a.example") + " " +
            person("https://b.example/@carol", "Carol@b.example") + " " +
            person("https://here.example/@carol", "carol") + "</p>"
    );
    std::vector<Mention> twice = {
        {"bob@x.example", "https://x.example/@bob", "bob", "x.example"},
        {"BOB@x.example", "https://x.example/@bob", "bob", "x.example"}
    };
    EXPECT_EQ(html("@bob@x.example", twice), "<p>" + person("https://x.example/@bob", "bob") + "</p>");
}

TEST(ToInlineHtml, has_no_paragraphs) {
    Resolve resolve{
        .mentions = people, .tags_url = "https://here.example/tags/", .always_domain = true, .rel_me = true
    };
    EXPECT_EQ(to_inline_html("a\nb <i>\n\n", resolve), "a b &lt;i&gt;");
    EXPECT_EQ(
        to_inline_html("@bob@there.example", resolve),
        person("https://there.example/@bob", "bob@there.example")
    );
    EXPECT_EQ(to_inline_html("@alice", resolve), person("https://here.example/@alice", "alice"));
    EXPECT_EQ(
        to_inline_html("https://x.example", resolve),
        "<a href=\"https://x.example\" target=\"_blank\" rel=\"nofollow noopener me\" translate=\"no\"><span "
        "class=\"invisible\">https://</span><span class=\"\">x.example</span><span "
        "class=\"invisible\"></span></a>"
    );
}

TEST(QuoteInline, links_the_quoted_post) {
    EXPECT_EQ(
        quote_inline("https://x.example/1"),
        "<p class=\"quote-inline\">RE: " + link("https://x.example/1", "https://", "x.example/1") + "</p>"
    );
}

}  // namespace
