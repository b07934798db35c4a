// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/reading.hpp"
#include "base/text/html/html.hpp"

namespace {

using namespace ap;
using reading::note;

Object article(const std::string& members, const std::string& type = "Article") {
    auto read = read_object(
        reading::document(
            R"("id":"https://a.test/1","attributedTo":"https://a.test/u","url":"https://a.test/p","type":")" +
            type + "\"," + members
        ),
        reading::now
    );
    EXPECT_TRUE(read) << members;
    return *read;
}

constexpr std::string_view link =
    "<p><a href=\"https://a.test/p\" translate=\"no\" rel=\"nofollow noopener\" target=\"_blank\"><span "
    "class=\"invisible\">"
    "https://</span><span class=\"\">a.test/p</span><span class=\"invisible\"></span></a></p>";

TEST(Content, of_notes_is_sanitised_and_otherwise_as_it_was) {
    EXPECT_EQ(
        content_html(note(R"("content":"<p>a <script>x()</script><b onclick=y>b</b></p>")")),
        "<p>a <b>b</b></p>"
    );
    EXPECT_EQ(
        content_html(note(R"("content":"a *b* <i>","mediaType":"text/plain")")), "<p>a *b* &lt;i&gt;</p>"
    );
    EXPECT_EQ(
        content_html(note(R"("content":"a *b* <i>","mediaType":"text/markdown")")),
        "<p>a <em>b</em> &lt;i&gt;</p>"
    );
}

TEST(Content, shows_the_title_that_some_notes_have) {
    EXPECT_EQ(
        content_html(note(R"("content":"<p>text</p>","name":"A <title>")")),
        "<p><strong>A &lt;title&gt;</strong></p><p>text</p>"
    );
    EXPECT_EQ(
        content_html(note(R"("content":"<p>Title and text</p>","name":"Title")")), "<p>Title and text</p>"
    );
    EXPECT_EQ(content_html(note(R"("name":"Only a title")")), "<p><strong>Only a title</strong></p>");
    EXPECT_EQ(content_html(note(R"("name":"a vote","inReplyTo":"https://b.test/poll")")), "");
    // Forums put the title of the thread on every answer.
    EXPECT_EQ(
        content_html(note(R"("content":"<p>text</p>","name":"Title","inReplyTo":"https://b.test/1")")),
        "<p>text</p>"
    );
}

TEST(Content, of_articles_is_title_text_and_link) {
    for (auto type : {"Article", "Page", "Event", "Video", "Audio", "Image"})
        EXPECT_EQ(
            content_html(article(R"("name":"T","content":"<p>text</p>","summary":"excerpt")", type)),
            "<p><strong>T</strong></p><p>text</p>" + std::string(link)
        ) << type;
    EXPECT_EQ(
        content_html(article(R"("name":"T","summary":"<p>excerpt</p>")")),
        "<p><strong>T</strong></p><p>excerpt</p>" + std::string(link)
    );
}

// Lemmy tells in no other way what a post is about.
TEST(Content, shows_links_that_are_attached_once) {
    auto news = base::text::sanitize(base::text::link_html("https://news.test/1"));
    constexpr auto attached =
        R"(,"attachment":[{"type":"Link","href":"https://news.test/1"},"https://news.test/1"])";
    EXPECT_EQ(
        content_html(article(R"("name":"T","content":"<p>text</p>")" + std::string(attached), "Page")),
        "<p><strong>T</strong></p><p>text</p><p>" + news + "</p>" + std::string(link)
    );
    EXPECT_EQ(
        content_html(note(R"("content":"<p>text</p>")" + std::string(attached))),
        "<p>text</p><p>" + news + "</p>"
    );
    auto said = content_html(
        note(R"("content":"<p><a href=\"https://news.test/1\">here</a></p>")" + std::string(attached))
    );
    EXPECT_EQ(said.find("</p><p>"), said.npos) << said;
    auto own = content_html(article(R"("name":"T","attachment":{"type":"Link","href":"https://a.test/p"})"));
    EXPECT_EQ(own, "<p><strong>T</strong></p>" + std::string(link));
    EXPECT_EQ(
        content_html(note(R"("name":"a vote","inReplyTo":"https://b.test/poll")" + std::string(attached))), ""
    );
}

TEST(Content, of_long_articles_is_their_summary_or_beginning) {
    std::string text(6000, 'x');
    EXPECT_EQ(
        content_html(article(R"("summary":"<p>excerpt</p>","content":")" + text + "\"")),
        "<p>excerpt</p>" + std::string(link)
    );
    EXPECT_EQ(
        content_html(article(R"("content":")" + text + "\"")),
        "<p>" + std::string(500, 'x') + "…</p>" + std::string(link)
    );
}

TEST(Content, warns_with_the_summaries_of_notes_only) {
    EXPECT_EQ(warning(note(R"("summary":"<p>a &amp; b</p>")")), "a & b");
    EXPECT_EQ(warning(note("\"summary\":\"\u200B\"")), "\u200B") << "a warning without text";
    EXPECT_EQ(warning(article(R"("summary":"an excerpt")")), "");
    EXPECT_EQ(warning(article(R"("summary":"the end is told","sensitive":true)")), "the end is told");
    EXPECT_EQ(content_html(article(R"("summary":"the end is told","sensitive":true)")), link) << "not twice";
}

}  // namespace
