// SPDX-License-Identifier: AGPL-3.0-or-later
#include "world.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr, testing::Not;

struct OEmbed : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    Answer embed(const std::string& url, Fields more = {}) {
        more.emplace_back("url", url);
        return w.anonymous().get("/api/oembed", more);
    }
    static std::string page(const std::string& id) { return "http://localhost:3000/@alice/" + id; }
    static Answer web(const Person& who, const std::string& id) { return who.get("/api/web/embeds/" + id); }
};
ON_EACH_DATABASE(OEmbed);

TEST_P(OEmbed, quotes_a_public_status_with_a_link_to_it) {
    alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "<b>Alice</b>"}});
    auto id = alice.status("Hello <world> & \"all\"");
    auto answer = embed(page(id));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer["type"], "rich");
    EXPECT_EQ(answer["version"], "1.0");
    EXPECT_EQ(answer["author_name"], "<b>Alice</b>");
    EXPECT_EQ(answer["author_url"], "http://localhost:3000/@alice");
    EXPECT_EQ(answer["provider_name"], w.site().domain);
    EXPECT_EQ(answer["provider_url"], "http://localhost:3000/");
    EXPECT_EQ(answer["cache_age"], "86400");
    EXPECT_EQ(answer["width"], "400");
    EXPECT_EQ(answer["height"], "null");
    EXPECT_EQ(answer.header("Cache-Control"), "private, no-store");
    auto html = answer["html"];
    EXPECT_THAT(html, HasSubstr("<p>Hello &lt;world&gt; &amp; &quot;all&quot;</p>"));
    EXPECT_THAT(html, HasSubstr("<footer>&lt;b&gt;Alice&lt;/b&gt; (@alice@" + w.site().domain + ") "));
    EXPECT_THAT(html, HasSubstr("<a href=\"" + page(id) + "\""));
    EXPECT_THAT(html, Not(HasSubstr("<b>")));
}

TEST_P(OEmbed, keeps_to_the_size_that_was_asked_for) {
    auto id = alice.status("hello");
    auto answer = embed(page(id), {{"maxwidth", "250"}, {"maxheight", "120"}});
    EXPECT_EQ(answer["width"], "250");
    EXPECT_EQ(answer["height"], "120");
    EXPECT_THAT(answer["html"], HasSubstr("max-width: 250px"));
    for (auto odd : {"0", "-5", "x", "999999999999999999"})
        EXPECT_EQ(embed(page(id), {{"maxwidth", odd}, {"maxheight", odd}}).status, 200) << odd;
    EXPECT_EQ(embed(page(id), {{"maxwidth", "-5"}})["width"], "400");
}

TEST_P(OEmbed, shows_a_warning_instead_of_what_it_warns_of) {
    auto html = embed(page(alice.status("the butler", {{"spoiler_text", "Who <did> it"}})))["html"];
    EXPECT_THAT(html, HasSubstr("Who &lt;did&gt; it"));
    EXPECT_THAT(html, Not(HasSubstr("butler")));
}

TEST_P(OEmbed, knows_nothing_of_what_is_not_for_everybody) {
    auto open = alice.status("hello");
    EXPECT_EQ(embed(page(alice.status("u", {{"visibility", "unlisted"}}))).status, 200);
    for (auto visibility : {"private", "direct"})
        EXPECT_EQ(embed(page(alice.status("secret", {{"visibility", visibility}}))).status, 404);
    for (auto url : {"", "http://localhost:3000/@alice", "https://elsewhere.example/@alice/1", "nonsense"})
        EXPECT_EQ(embed(url).status, 404) << url;
    EXPECT_EQ(w.anonymous().get("/api/oembed").status, 404);
    EXPECT_EQ(embed(page(alice.reblogs(open))).status, 404);
    alice.del("/api/v1/statuses/" + open);
    EXPECT_EQ(embed(page(open)).status, 404);
}

TEST_P(OEmbed, by_id_shows_what_is_for_everybody_to_all_but_whom_the_author_blocks) {
    auto open = alice.status("hello"), secret = alice.status("secret", {{"visibility", "private"}});
    EXPECT_EQ(web(w.anonymous(), open)["author_name"], "alice");
    EXPECT_EQ(web(bob, open).status, 200);
    EXPECT_EQ(web(alice, secret).status, 404);
    auto ours = alice.status("for us", {{"local_only", "true"}});
    for (const auto& who : {w.anonymous(), alice, bob}) EXPECT_EQ(web(who, ours).status, 404);
    EXPECT_EQ(embed(page(ours)).status, 404);
    EXPECT_EQ(web(w.anonymous(), secret).status, 404);
    EXPECT_EQ(web(bob, "12345").status, 404);
    alice.blocks(bob);
    EXPECT_EQ(web(bob, open).status, 404);
}

}  // namespace
