// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html.hpp"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string>

namespace {

using namespace base::text;

struct Row {
    std::string_view html, out;
};

// clang-format off
constexpr Row kept[] = {
    {"", ""},
    {"text", "text"},
    {"<p>a<br/>b</p>", "<p>a<br>b</p>"},
    {"<p>Check:</p><ul><li>Foo</li><li value=\"3\">Bar</li></ul>", "<p>Check:</p><ul><li>Foo</li><li value=\"3\">Bar</li></ul>"},
    {"<ol start=\"3\" reversed><li>Foo</li></ol>", "<ol start=\"3\" reversed=\"\"><li>Foo</li></ol>"},
    {"<p><ruby>明日 <rp>(</rp><rt>Ashita</rt><rp>)</rp></ruby></p>", "<p><ruby>明日 <rp>(</rp><rt>Ashita</rt><rp>)</rp></ruby></p>"},
    {"<del>a</del><s>b</s><b>c</b><strong>d</strong><u>e</u><i>f</i><em>g</em><code>h</code>", "<del>a</del><s>b</s><b>c</b><strong>d</strong><u>e</u><i>f</i><em>g</em><code>h</code>"},
    {"<blockquote><p>q</p></blockquote>", "<blockquote><p>q</p></blockquote>"},
    {"<pre><code>a\n  b</code></pre>", "<pre><code>a\n  b</code></pre>"},
    {"<pre>\n\na</pre>", "<pre>\n\na</pre>"},
    {"<p lang=\"de-AT\">x</p>", "<p lang=\"de-AT\">x</p>"},
    {"&lt;b&gt; &amp;amp; \"'&nbsp;&copy;", "&lt;b&gt; &amp;amp; \"'\u00A0©"},
    {"<span class=\"h-card x mention invisible ellipsis quote-inline e-content dt-a p-b u-c hash\">x</span>", "<span class=\"h-card mention invisible ellipsis quote-inline e-content dt-a p-b u-c\">x</span>"},
    {"<span class=\"x\">x</span>", "<span class=\"\">x</span>"},
    {"<b class=\"mention\" id=x style=\"color:red\" onclick=\"x()\">x</b>", "<b>x</b>"},
};

constexpr Row links[] = {
    {"<a href=\"http://example.com\">Test</a>", "<a href=\"http://example.com\" rel=\"nofollow noopener\" target=\"_blank\">Test</a>"},
    {"<a href=\"http://example.com\" translate=\"no\">Test</a>", "<a href=\"http://example.com\" translate=\"no\" rel=\"nofollow noopener\" target=\"_blank\">Test</a>"},
    {"<a href=\"http://example.com\" translate=\"foo\">Test</a>", "<a href=\"http://example.com\" rel=\"nofollow noopener\" target=\"_blank\">Test</a>"},
    {"<a href=\"https://e.com/?a=1&amp;b=%22\" rel=\"me tag\" target=\"_self\" class=\"u-url mention\">@<span>x</span></a>", "<a href=\"https://e.com/?a=1&amp;b=%22\" class=\"u-url mention\" rel=\"nofollow noopener\" target=\"_blank\">@<span>x</span></a>"},
    {"<a href=\"dweb:/a/foo\">Test</a>", "<a href=\"dweb:/a/foo\" rel=\"nofollow noopener\" target=\"_blank\">Test</a>"},
    {"<a href=\"magnet:?xt=x\">Test</a>", "<a href=\"magnet:?xt=x\" rel=\"nofollow noopener\" target=\"_blank\">Test</a>"},
    {"<a>Test</a>", "Test"},
    {"<a><span class=\"invisible\">foo&amp;</span><span>Test</span></a> <b>x</b>", "foo&amp;Test <b>x</b>"},
    {"<a href=\"foo://bar\">Test</a>", "Test"},
    {"<a href=\"foo://bar\">Test&lt;a href=\"https://example.com\"&gt;test&lt;/a&gt;</a>", "Test&lt;a href=\"https://example.com\"&gt;test&lt;/a&gt;"},
    {"<a href=\" https://google.fr\">Test</a>", "Test"},
    {"<a href=\"/relative\">Test</a><a href=\"//x.org\">Test</a><a href=\"#x\">Test</a>", "TestTestTest"},
    {"<a href=\"javascript:alert(1)\">x</a>", "x"},
    {"<a href=\"JaVaScRiPt:alert(1)\">x</a>", "x"},
    {"<a href=\"java\nscript:alert(1)\">x</a>", "x"},
    {"<a href=\"&#106;avascript:alert(1)\">x</a>", "x"},
    {"<a href=\"\x01javascript:alert(1)\">x</a>", "x"},
    {"<a href=\"https://e\nvil.com\">x</a>", "x"},
    {"<a href=\"data:text/html,x\">x</a><a href=\"vbscript:x\">x</a><a href=\"mailto:a@b.c\">x</a>", "xxx"},
    {"<a href='https://e.com/\"onclick=\"x'>x</a>", "<a href=\"https://e.com/&quot;onclick=&quot;x\" rel=\"nofollow noopener\" target=\"_blank\">x</a>"},
    {"<a href=\"https://a.com\"><marquee><a href=\"https://b.com\">x</a></marquee></a>", "<a href=\"https://a.com\" rel=\"nofollow noopener\" target=\"_blank\">x</a>"},
};

constexpr Row replaced[] = {
    {"<h1>Foo</h1>", "<p><strong>Foo</strong></p>"},
    {"<h6><em>Foo</em></h6>bar", "<p><strong><em>Foo</em></strong></p>bar"},
    {"a<div>b</div><div>c</div>d", "a b c d"},
    {"<script>alert(1)</script>x<style>y</style><iframe>z</iframe>", "x"},
    {"<img src=x onerror=alert(1)>x<video src=y>fallback</video>", "xfallback"},
    {"<img src=\"https://e.com/a.png\" alt=\"a &lt;cat&gt;\" onerror=x>", "<a href=\"https://e.com/a.png\" rel=\"nofollow noopener\" target=\"_blank\">a &lt;cat&gt;</a>"},
    {"<img src=\"https://e.com/a.png\">", "<a href=\"https://e.com/a.png\" rel=\"nofollow noopener\" target=\"_blank\">https://e.com/a.png</a>"},
    {"<a href=\"https://e.com\"><img src=\"https://e.com/a.png\" alt=\"a\"></a>", "<a href=\"https://e.com\" rel=\"nofollow noopener\" target=\"_blank\">a</a>"},
    {"<img class=\"emoji\" src=\"https://e.com/a.png\" alt=\":a:\">!<img src=\"javascript:x\" alt=\"b\">", ":a:!b"},
    {"a<object data=\"https://e.com\">fallback<p>x</p></object>b", "ab"},
    {"<svg><a href=\"https://x.org\">x</a><script>1</script></svg>y", "y"},
    {"y<template><b>x</b></template><noscript><b>x</b></noscript>", "y"},
    {"<!-- <b>x</b> -->y<?php x ?>", "y"},
    {"<p><marquee><p>inner</p></marquee></p>", "<p></p><p>inner</p>"},
    {"<li>a<section><li>b</li></section></li>", "<li>a </li><li>b</li> "},
    {"<b><p>unclosed", "<b><p>unclosed</p></b>"},
    {"<p>a &#1;\x02 &#13;b \xFF</p>", "<p>a  \nb \uFFFD</p>"},
    {"  <div> x</div>", "x "},
};

constexpr Row formulas[] = {
    {"<math><semantics><mrow><mi>x</mi></mrow><annotation encoding=\"application/x-tex\">x^n+y</annotation></semantics></math>", "$x^n+y$"},
    {"<math display=\"block\"><semantics><mrow><mi>x</mi></mrow><annotation encoding=\"application/x-tex\">x^n+y</annotation></semantics></math>", "$$x^n+y$$"},
    {"<math><semantics><msqrt><mi>x</mi></msqrt><annotation encoding=\"text/plain\">sqrt(x)</annotation></semantics></math>", "sqrt(x)"},
    {"<math><semantics><msqrt><mi>x</mi></msqrt><annotation encoding=\"text/plain\">sqrt(x)</annotation><annotation encoding=\"application/x-tex\">\\sqrt x</annotation></semantics></math>", "$\\sqrt x$"},
    {"<math><mi>x</mi></math>y", "y"},
    {"<math><semantics><annotation encoding=\"application/x-tex\">a&lt;script&gt;</annotation></semantics></math>", "$a&lt;script&gt;$"},
};

constexpr Row plain[] = {
    {"<p>a &amp; b</p><p>c<br>d<br />e</p>", "a & b\n\nc\nd\ne"},
    {"<p>see <a href=\"https://e.com/x\"><span class=\"invisible\">https://</span><span>e.com/x</span></a></p>", "see https://e.com/x"},
    {"a\n  b", "a b"},
    {"<pre>a\n  b</pre>", "a\n  b"},
    {"<ul><li>a</li><li>b</li></ul>c", "a\nb\n\nc"},
    {"<script>x</script>&lt;script&gt;", "<script>"},
    {"<div>a</div><div>b</div>", "a\nb"},
    {"a<b>b</b>c", "abc"},
    {"", ""}, {"  <p> </p> ", ""},
};
// clang-format on

void expect_sanitized(std::span<const Row> rows) {
    for (const auto& [html, out] : rows) {
        EXPECT_EQ(sanitize(html), out) << html;
        EXPECT_EQ(sanitize(out), out) << "again: " << html;
    }
}

TEST(Sanitize, keeps_what_is_allowed) { expect_sanitized(kept); }
TEST(Sanitize, keeps_only_links_that_lead_somewhere_safe) { expect_sanitized(links); }
TEST(Sanitize, replaces_or_drops_the_rest) { expect_sanitized(replaced); }
TEST(Sanitize, writes_formulas_as_text) { expect_sanitized(formulas); }

TEST(Sanitize, leaves_our_own_html_alone_but_for_links) {
    auto html = to_html("a <b>\n\nc #d", {.mentions = {}, .tags_url = "https://e.com/tags/"});
    EXPECT_EQ(
        sanitize(html),
        "<p>a &lt;b&gt;</p><p>c <a href=\"https://e.com/tags/d\" class=\"mention hashtag\" rel=\"nofollow "
        "noopener\" target=\"_blank\">#<span>d</span></a></p>"
    );
}

TEST(Sanitize, makes_text_of_documents_beyond_the_gates) {
    std::string many;
    for (int i = 0; i < 3000; ++i) many += "<i>x</i>";
    EXPECT_EQ(
        sanitize("<p>a &lt;</p><p>b<br>c</p><script>bad()</script>" + many),
        "<p>a &lt;</p><p>b<br>c</p><p>" + std::string(3000, 'x') + "</p>"
    );
    EXPECT_EQ(sanitize("x<b title='" + std::string(9000, 'y') + "'>z</b>"), "<p>xz</p>");
    EXPECT_EQ(sanitize(std::string(300000, 'x')), "<p>" + std::string(300000, 'x') + "</p>");
    EXPECT_EQ(
        plain_text("<p>a</p><p>&#98;&unknown;</p>" + many), "a\n\nb&unknown;\n\n" + std::string(3000, 'x')
    );
}

TEST(PlainText, reads_like_the_page) {
    for (const auto& [html, out] : plain) EXPECT_EQ(plain_text(html), out) << html;
}

// In a div it is read by the parser.
TEST(PlainText, reads_simple_posts_like_the_parser) {
    const std::string_view pieces[] = {
        "<p>",
        "</p>",
        "<br>",
        "<br />",
        "<a href=\"https://e.com/?a=1&amp;b=2\" rel=\"x y\">",
        "</a>",
        "<span>",
        "<span class=\"a>b\">",
        "</span>",
        "<b>",
        "</b>",
        "<em>",
        "</em>",
        "<i a=1>",
        "word",
        " two words\n",
        "\t",
        "&amp;",
        "&lt;p&gt;",
        "&#39;&quot;",
        "&nbsp;",
        "&eacute;",
        "&",
        "\u00e9\u3042",
        "\xff",
        "\r\n",
        ">",
        "<",
        "\"",
    };
    std::minstd_rand random(1);
    auto any = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    for (int i = 0; i < 20000; ++i) {
        std::string html;
        for (auto left = 1 + any(12); left > 0; --left) html += pieces[any(std::size(pieces))];
        EXPECT_EQ(plain_text(html), plain_text("<div>" + html + "</div>")) << html;
    }
    const std::string post =
        "<p>See <a href=\"https://e.com/\" class=\"x\"><span>e.com</span></a> &amp; more<br>now</p>";
    EXPECT_EQ(plain_text(post + post), "See e.com & more\nnow\n\nSee e.com & more\nnow");
}

}  // namespace
