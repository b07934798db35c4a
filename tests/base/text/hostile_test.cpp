// SPDX-License-Identifier: AGPL-3.0-or-later
// 100 KB of every nasty pattern through everything: each must end within a time that only linear code can keep.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "base/text/count.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "base/text/scan.hpp"
#include "base/text/utf8.hpp"

namespace {

using namespace base::text;

constexpr std::size_t size = 100 * 1024;

std::string repeated(std::string_view unit, std::size_t bytes = size) {
    std::string text;
    while (text.size() < bytes) text += unit;
    return text;
}

constexpr std::string_view units[] = {
    "@",
    "#",
    ":",
    "http://(((",
    "http://a.bc/(((",
    "http://a.bc/(x",
    "http://a.bc/?",
    "http://",
    "a@a.",
    "@a@",
    "@a.",
    "@a@b.",
    "@a-",
    "#a#",
    "#1",
    "#·",
    "＃",
    "#1 ",
    "http://a.",
    "http://aaaaaaaaaaaaaaaa.",
    "xmpp:",
    "xmpp:a@",
    "xmpp://a@",
    "magnet:?",
    ":aa",
    ":aa:",
    "::",
    ":a ",
    "&",
    "<",
    ">",
    "<<",
    "</",
    "<!--",
    "<!",
    "<![CDATA[",
    "&amp",
    "&#",
    "\n",
    "\r\n",
    "\xFF",
    "\xF0\x9F",
    "e\xCC\x81",
    "\xE2\x80\x8D",
    "🇩",
    "👨‍",
    "가",
    "\"",
    "'",
    "<b>",
    "<p>",
    "<a href=x>",
    "<a href=\"https://x.org\">",
    "<div>",
    "<ul><li>",
    "<b><p>",
    "<table><td>",
    "<ruby><rt>",
    "<svg>",
    "<math>",
    "<script>",
    "<textarea>",
    "<a x=",
    "<a x=\"",
    "<a a ",
    "*",
    "**a",
    "_",
    "~",
    "`",
    "[",
    "![",
    "[a](",
    "](",
    "> ",
    "- ",
    "1. ",
    "\\",
    "[a]: b\n",
    "||",
    "* a\n\n",
};

TEST(Hostile, input_takes_linear_time) {
    for (auto unit : units) {
        auto text = repeated(unit);
        auto start = std::clock();
        auto entities = scan(text);
        (void)shortcodes(text), (void)status_length(text, entities), (void)normalise_hashtag(text),
            (void)clean_utf8(text);
        (void)to_html(text, entities, {}), (void)sanitize(text), (void)plain_text(text);
        (void)markdown_html(std::string_view(text).substr(0, 32000), {});
        auto spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_LT(spent, 2.0) << unit;
    }
}

// Within every gate, yet made to cost: what the tag count alone would let through.
TEST(Hostile, trees_do_not_explode) {
    std::string formatting = "<p>";
    for (int i = 0; i < 2400; ++i) formatting += "<b class=mention" + std::to_string(i) + ">";
    formatting += "</p>" + repeated("<p>x", 2400 * 4);
    std::string attributes;
    for (int i = 0; i < 200; ++i) {
        attributes += "<b";
        for (int k = 0; k < 120; ++k) attributes.append(" a").append(std::to_string(k));
        attributes += ">";
    }
    std::string adoption =
        repeated("<a href=https://x.org><b><div>", 2400 * 9) + repeated("</a></b>", 2000 * 4);
    for (const auto& html :
         {formatting,
          attributes,
          adoption,
          repeated("<div>", 4900 * 5),
          repeated("<table><tr><td><b>", 4000 * 4)}) {
        auto start = std::clock();
        auto out = sanitize(html);
        EXPECT_TRUE(valid_utf8(out));
        (void)plain_text(html);
        auto spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_LT(spent, 2.0) << html.substr(0, 40);
    }
}

TEST(Hostile, attributes_hidden_behind_quotes_and_comments_are_measured) {
    auto many = repeated("a='b'c/d e ", 4000);
    for (auto prefix :
         {"<b x='>' ",
          "<!--<a x=\"--><b y=\">\" ",
          "<textarea><a x=\"</textarea><b y=\">\" ",
          "</b x=\">\" ",
          "<b a=b=\"c ",
          "<b =\"x ",
          "<b =\" x=\">\" ",
          "<b x = \">\"/",
          "<b/x=y/z=\" y=\">\" "})
        EXPECT_EQ(sanitize("x" + (prefix + many) + ">").find("<b"), std::string::npos) << prefix;
}

}  // namespace
