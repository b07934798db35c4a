// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/html/html.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace base::text;

const std::vector<Mention> people = {{"alice_b", "https://here.example/@alice_b", "alice_b", ""}};

std::string markdown(std::string_view text) {
    return markdown_html(text, {.mentions = people, .tags_url = "https://here.example/tags/"});
}

const std::string alice =
    "<span class=\"h-card\" translate=\"no\"><a href=\"https://here.example/@alice_b\" class=\"u-url "
    "mention\" "
    "rel=\"nofollow noopener\" target=\"_blank\">@<span>alice_b</span></a></span>";
const std::string tag =
    "<a href=\"https://here.example/tags/a_b\" class=\"mention hashtag\" rel=\"nofollow noopener\" "
    "target=\"_blank\">#<span>a_b</span></a>";
const std::string attributes = " rel=\"nofollow noopener\" target=\"_blank\">";

TEST(Markdown, becomes_html) {
    struct {
        std::string text, html;
    } rows[] = {
        {"", ""},
        {"a *b* **c** ~~d~~ `e`", "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>"},
        {"a\nb\n\nc", "<p>a<br>b</p><p>c</p>"},
        {"# Title\ntext", "<p><strong>Title</strong></p><p>text</p>"},
        {"- a\n- b\n\n3. c", "<ul><li>a</li><li>b</li></ul><ol start=\"3\"><li>c</li></ol>"},
        {"> quote", "<blockquote><p>quote</p></blockquote>"},
        {"```cpp\nint a;\n  b\n```", "<pre><code>int a;\n  b</code></pre>"},
        {"    not code", "<p>not code</p>"},
        {"AT&T &copy; &amp; <b>bold</b> <script>",
         "<p>AT&amp;T © &amp; &lt;b&gt;bold&lt;/b&gt; &lt;script&gt;</p>"},
        {"[x](https://e.com/a \"t\")", "<p><a href=\"https://e.com/a\"" + attributes + "x</a></p>"},
        {"[x](javascript:alert(1))", "<p>x</p>"},
        {"[x](<java\tscript:alert(1)>) <javascript:alert(1)>", "<p>x javascript:alert(1)</p>"},
        {"![alt](https://e.com/i.png)", "<p>alt</p>"},
        {"@alice_b, #a_b", "<p>" + alice + ", " + tag + "</p>"},
        {"**@alice_b** *#a_b*", "<p><strong>" + alice + "</strong> <em>" + tag + "</em></p>"},
        {"`@alice_b #a_b`", "<p><code>@alice_b #a_b</code></p>"},
        {"[@alice_b](https://e.com/)", "<p><a href=\"https://e.com/\"" + attributes + "@alice_b</a></p>"},
        {"#a_b is no heading", "<p>" + tag + " is no heading</p>"},
    };
    for (const auto& [text, html] : rows) EXPECT_EQ(markdown(text), html) << text;
}

TEST(Markdown, shows_bare_links_like_plain_posts) {
    auto expected = "<p><a href=\"https://e.com/a_b_c\" translate=\"no\"" + attributes +
                    "<span class=\"invisible\">https://</span><span class=\"\">e.com/a_b_c</span><span "
                    "class=\"invisible\"></span></a></p>";
    EXPECT_EQ(markdown("https://e.com/a_b_c"), expected);
    EXPECT_EQ(markdown("<https://e.com/a_b_c>"), expected);
}

}  // namespace
