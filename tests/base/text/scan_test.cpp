// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/scan.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace {

using namespace base::text;

// "@user|domain", "#name", or the link; separated by blanks.
std::string found_in(std::string_view text) {
    std::string out;
    for (const auto& entity : scan(text)) {
        if (!out.empty()) out += ' ';
        switch (entity.kind) {
            case Entity::mention:
                out.append("@").append(entity.username).append("|").append(entity.domain);
                break;
            case Entity::hashtag: out.append("#").append(entity.name); break;
            case Entity::url: out.append(entity.in(text)); break;
        }
    }
    return out;
}

struct Row {
    std::string_view text, found;
};

void expect_found(std::span<const Row> rows) {
    for (const auto& [text, found] : rows) EXPECT_EQ(found_in(text), found) << text;
}

// clang-format off
constexpr Row mentions[] = {
    {"hello @alice here", "@alice|"},
    {"@alice", "@alice|"},
    {"@Alice_9 and @b", "@Alice_9| @b|"},
    {"@alice@example.com", "@alice|example.com"},
    {"see @alice@example.com.", "@alice|example.com"},
    {"@alice@example.com, @bob@example.org!", "@alice|example.com @bob|example.org"},
    {".@alice listen", "@alice|"},
    {"(@alice)", "@alice|"},
    {"\"@alice\"", "@alice|"},
    {"@alice: hi", "@alice|"},
    {"@alice's cat", "@alice|"},
    {"@alice.", "@alice|"},
    {"@alice.bob", "@alice|"},
    {"@alice.bob@example.com", "@alice.bob|example.com"},
    {"@the-doctor@example.com", "@the-doctor|example.com"},
    {"@a..b@example.com", "@a..b|example.com"},
    {"@alice-@example.com", "@alice| @example|"},
    {"@alice@localhost:3000 hi", "@alice|localhost:3000"},
    {"@alice@localhost", "@alice|localhost"},
    {"@alice@example.com: hi", "@alice|example.com"},
    {"@alice@example.com:5 of us", "@alice|example.com"},
    {"@alice@example.com:80th", "@alice|example.com"},
    {"@alice@にゃん", "@alice|にゃん"},
    {"@alice@münchen.example", "@alice|münchen.example"},
    {"@alice@xn--bcher-kva.example", "@alice|xn--bcher-kva.example"},
    {"@aliceさん", "@alice|"},
    {"こんにちは @alice さん", "@alice|"},
    {"mail alice@example.com", ""},
    {"日本@alice", ""},
    {"/@alice", ""},
    {"x=@alice", ""},
    {"_@alice", ""},
    {"@alice@", ""},
    {"@alice@example.com@x", ""},
    {"@alicé", ""},
    {"@http://example.com", ""},
    {"@", ""}, {"@@", ""}, {"@@alice", "@alice|"}, {"@ alice", ""}, {"@-alice", ""}, {"＠alice", ""},
    {"@a\n@b", "@a| @b|"},
};

constexpr Row hashtags[] = {
    {"hello #tag here", "#tag"},
    {"#3d #l33ts35k #world2016", "#3d #l33ts35k #world2016"},
    {"#_test #test_ #one_two_three", "#_test #test_ #one_two_three"},
    {"#one·two·three", "#one·two·three"},
    {"#one·two·three·", "#one·two·three"},
    {"#·one", ""},
    {"#ぼっち・ざ・ろっく", "#ぼっち・ざ・ろっく"},
    {"add #نرم‌افزار and", "#نرم‌افزار"},
    {"#ａｅｓｔｈｅｔｉｃ", "#ａｅｓｔｈｅｔｉｃ"},
    {"this is ＃ｆｏｏ", "#ｆｏｏ"},
    {"test\u00A0#foo", "#foo"},
    {"#0123456", ""},
    {"#1_2", "#1_2"},
    {"#12_", ""},
    {"#a", "#a"},
    {"(#a) #b, #c. #d! \"#e\"", "#a #b #c #d #e"},
    {"#a#b", "#a"},
    {"##a", "#a"},
    {"#ruby-on-rails", "#ruby"},
    {"#C++ #C# #c♯", "#C #C #c"},
    {"toß #ruby", "#ruby"},
    {"toß#ruby", ""},
    {"a#b _#b /#b &#39; =#b )#b", ""},
    {"wiki/Ghostbusters_(song)#Lawsuit ?foo=#Lawsuit", ""},
    {"#हिन्दी #ไทย #한국어 #Überraschung", "#हिन्दी #ไทย #한국어 #Überraschung"},
    {"#❤️", ""}, {"#a❤️", "#a"}, {"#", ""}, {"# a", ""}, {"#!", ""}, {"＃", ""},
};

constexpr Row urls[] = {
    {"http://google.com", "http://google.com"},
    {"see HTTPS://Example.COM/x ok", "HTTPS://Example.COM/x"},
    {"http://example.gay", "http://example.gay"},
    {"https://nic.みんな/", "https://nic.みんな/"},
    {"https://日本語.jp/x", "https://日本語.jp/x"},
    {"https://example.comさんへ", "https://example.com"},
    {"http://localhost:3000/x", "http://localhost:3000/x"},
    {"http://example.com:8080", "http://example.com:8080"},
    {"http://example.com: yes", "http://example.com"},
    {"http://www.mcmansionhell.com/post/1/a-b-c. ", "http://www.mcmansionhell.com/post/1/a-b-c"},
    {"(http://google.com/)", "http://google.com/"},
    {"http://www.google.com!", "http://www.google.com"},
    {"http://www.google.com'", "http://www.google.com"},
    {"http://www.google.com>", "http://www.google.com"},
    {"<https://example.com/>", "https://example.com/"},
    {"\"https://example.com/\"", "https://example.com/"},
    {"“https://example.com/”", "https://example.com/"},
    {"「[https://example.org/」", "https://example.org/"},
    {"https://example.com/。", "https://example.com/"},
    {"https://example.com/　abc123", "https://example.com/"},
    {"https://www.ruby-toolbox.com/search?utf8=%E2%9C%93&q=autolink", "https://www.ruby-toolbox.com/search?utf8=%E2%9C%93&q=autolink"},
    {"https://www.ruby-toolbox.com/search?utf8=✓", "https://www.ruby-toolbox.com/search?utf8=✓"},
    {"https://en.wikipedia.org/wiki/Diaspora_(software)", "https://en.wikipedia.org/wiki/Diaspora_(software)"},
    {"(https://en.wikipedia.org/wiki/Diaspora_(software))", "https://en.wikipedia.org/wiki/Diaspora_(software)"},
    {"https://e.com/a_(b_(c)_d)#e_(f)", "https://e.com/a_(b_(c)_d)#e_(f)"},
    {"https://e.com/a(b", "https://e.com/a"},
    {"https://e.com/a()", "https://e.com/a"},
    {"https://ja.wikipedia.org/wiki/日本", "https://ja.wikipedia.org/wiki/日本"},
    {"http://example.com/b<del>b</del>", "http://example.com/b"},
    {"http://example.com?q=1.", "http://example.com?q=1"},
    {"http://example.com?", "http://example.com"},
    {"https://example.com/a?b=c#d/e", "https://example.com/a?b=c#d/e"},
    {"https://medium.com/@alice/some#.abcdef", "https://medium.com/@alice/some#.abcdef"},
    {"https://example.com/#frag #tag", "https://example.com/#frag #tag"},
    {"https://a.com/x,https://b.com/y", "https://a.com/x,https://b.com/y"},
    {"日本https://example.com/x", "https://example.com/x"},
    {"#a·https://example.com/", "https://example.com/"},
    {"http://www\\.google\\.com", ""},
    {"http://foo http:// https://. ftp://example.com www.example.com example.com", ""},
    {"http://127.0.0.1/", ""},
    {"http://user@example.com", ""},
    {"xhttp://example.com @http://example.com #http://example.com", "#http"},
    {"javascript://example.com", ""},
    {"gemini://example.com/x gopher://example.com dat://abc ipfs://bafy123/a", "gemini://example.com/x gopher://example.com dat://abc ipfs://bafy123/a"},
    {"xmpp:user@instance.com", "xmpp:user@instance.com"},
    {"join xmpp:muc@instance.com?join right now", "xmpp:muc@instance.com?join"},
    {"xmpp:nobody", ""},
    {"magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a", "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a"},
    {"magnet: what", ""},
    {"a: b :c http: https:/", ""},
};
// clang-format on

TEST(Scan, finds_mentions) { expect_found(mentions); }
TEST(Scan, finds_hashtags) { expect_found(hashtags); }
TEST(Scan, finds_links) { expect_found(urls); }

TEST(Scan, gives_entities_in_order_without_overlap) {
    EXPECT_EQ(found_in("@a@b.c says https://x.org/@d#e is #f, cc @g"), "@a|b.c https://x.org/@d#e #f @g|");
}

TEST(Scan, knows_where_an_entity_stands) {
    std::string_view text = "né @bob@ex.org!";
    auto entities = scan(text);
    ASSERT_EQ(entities.size(), 1u);
    EXPECT_EQ(entities[0].in(text), "@bob@ex.org");
    EXPECT_EQ(entities[0].acct(text), "bob@ex.org");
}

TEST(Scan, finds_shortcodes_once_each) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(shortcodes(":coolcat: hi :blob_1: :coolcat:"), (Names{"coolcat", "blob_1"}));
    EXPECT_EQ(shortcodes("(:aa:)\n:bb:"), (Names{"aa", "bb"}));
    EXPECT_EQ(shortcodes("::aa:: x:aa: :aa:x é:aa: :aa::bb: :a: : : 10:30:45"), Names{});
    EXPECT_EQ(shortcodes(":no pe: :yes:"), (Names{"yes"}));
    EXPECT_EQ(shortcodes("日本:aa:"), Names{});
    EXPECT_EQ(shortcodes("❤:aa:❤"), (Names{"aa"}));
}

}  // namespace
