// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/reading.hpp"

#include "ap/collection.hpp"
#include "ap/nodeinfo.hpp"
#include "ap/quote_authorization.hpp"
#include "ap/url.hpp"

namespace {

using namespace ap;
using reading::activity;
using reading::actor;
using reading::document;
using reading::note;
using reading::now;

constexpr std::string_view followers = "https://a.test/u/followers";

TEST(Reading, believes_only_answers_of_an_activitypub_type) {
    EXPECT_TRUE(is_activity_type("application/activity+json"));
    EXPECT_TRUE(is_activity_type("Application/Activity+JSON; charset=utf-8"));
    EXPECT_TRUE(is_activity_type(R"(application/ld+json; profile="https://www.w3.org/ns/activitystreams")"));
    EXPECT_TRUE(is_activity_type("application/ld+json;profile=https://www.w3.org/ns/activitystreams"));
    EXPECT_TRUE(is_activity_type(
        R"(application/ld+json; charset=utf-8; PROFILE="https://example.com/p https://www.w3.org/ns/activitystreams")"
    ));
    for (auto other :
         {"",
          "application/json",
          "text/html",
          "application/ld+json",
          R"(application/ld+json; profile="https://evil.test/https://www.w3.org/ns/activitystreams")",
          R"(application/ld+json; x="; profile=https://www.w3.org/ns/activitystreams")",
          "image/png; application/activity+json",
          "application/activity+json-x"})
        EXPECT_FALSE(is_activity_type(other)) << other;
    EXPECT_TRUE(is_bare_json_ld("application/LD+json; charset=utf-8"));
    for (auto other : {"", "application/json", "application/activity+json", "application/ld+json; profile=x"})
        EXPECT_FALSE(is_bare_json_ld(other)) << other;
}

TEST(Reading, demands_a_context_of_activitystreams) {
    EXPECT_EQ(read_document(R"({"type":"Note"})").why(), Refusal::no_context);
    EXPECT_EQ(read_document(R"({"@context":null,"type":"Note"})").why(), Refusal::no_context);
    EXPECT_EQ(read_document(R"({"@context":"https://evil.test/ns"})").why(), Refusal::no_context);
    EXPECT_EQ(
        read_document(R"({"@context":{"@vocab":"https://www.w3.org/ns/activitystreams"}})").why(),
        Refusal::no_context
    );
    EXPECT_TRUE(read_document(R"({"@context":["https://x.test","https://www.w3.org/ns/activitystreams"]})"));
    EXPECT_TRUE(read_document(R"({"@context":"http://www.w3.org/ns/activitystreams"})"));
}

TEST(Reading, takes_hosts_as_one_in_all_their_spellings) {
    for (auto same :
         {"https://a.test/x",
          "http://A.Test",
          "https://a.test:443/",
          "https://a.test./u?x#y",
          "https://ａ.test/",
          "HTTPS://a.test"})
        EXPECT_EQ(host_of(same), "a.test") << same;
    EXPECT_EQ(host_of("https://münchen.test/"), "xn--mnchen-3ya.test");
    EXPECT_EQ(host_of("http://127.0.0.1:3000/u"), "127.0.0.1:3000");
    EXPECT_EQ(host_of("https://[2001:DB8::1]:8443/"), "[2001:db8::1]:8443");
    EXPECT_FALSE(same_host("https://a.test/", "https://a.test:8443/"));
    EXPECT_FALSE(same_host("https://a.test/", "https://a.test.evil.test/"));
    for (auto none :
         {"",
          "https://",
          "https:///a.test",
          "ftp://a.test/",
          "https://user@a.test/",
          "https://a.test\\@b.test/",
          "https://a%2etest/",
          "https://a.test:0/",
          "https://a.test:99999/",
          "https://a..test/",
          "https://.a.test/",
          "https://a test/",
          "//a.test/",
          "javascript://a.test/",
          "https://[::1/"})
        EXPECT_EQ(host_of(none), "") << none;
    EXPECT_FALSE(same_host("", ""));
}

TEST(Reading, makes_addresses_fit_to_be_asked) {
    EXPECT_EQ(web_url(" https://a.test/x y.png "), "https://a.test/x%20y.png");
    EXPECT_EQ(web_url("https://a.test/ü?q=%20"), "https://a.test/%C3%BC?q=%20");
    EXPECT_EQ(web_url("https://a.test/?s=1&#038;d=2&amp;r=g"), "https://a.test/?s=1&d=2&r=g");
    EXPECT_EQ(web_url("https://a.test/?a&amp;amp;b&amp;#038;c"), "https://a.test/?a&b&c");
    for (auto none :
         {"javascript:alert(1)", "data:text/html,x", "/x.png", "https://a.test/\nx", "https://u:p@a.test"})
        EXPECT_EQ(web_url(none), "") << none;
    EXPECT_EQ(web_url("https://a.test/" + std::string(3000, 'x')), "");
    EXPECT_EQ(without_bearer("bear:?t=secret&u=https://a.test/s%2F1"), "https://a.test/s/1");
}

TEST(Reading, knows_the_visibility_by_who_is_addressed) {
    auto of = [](const char* members) { return visibility_of(note(members), {}, followers); };
    EXPECT_EQ(of(R"("to":"as:Public")"), Visibility::public_);
    EXPECT_EQ(of(R"("to":["https://b.test/v",{"id":"Public"}])"), Visibility::public_);
    EXPECT_EQ(
        of(R"("to":["https://a.test/u/followers"],"cc":["https://www.w3.org/ns/activitystreams#Public"])"),
        Visibility::unlisted
    );
    EXPECT_EQ(of(R"("to":"https://a.test/u/followers","cc":["https://b.test/v"])"), Visibility::private_);
    EXPECT_EQ(of(R"("cc":"https://a.test/u/followers")"), Visibility::private_);
    EXPECT_EQ(of(R"("to":"https://b.test/v")"), Visibility::direct);
    EXPECT_EQ(of(R"("to":"https://b.test/v","directMessage":true)"), Visibility::direct);
    EXPECT_EQ(of(R"("to":"https://b.test/v","directMessage":false)"), Visibility::limited);
    EXPECT_EQ(of(R"("to":"https://a.test/#Public")"), Visibility::direct)
        << "a public of its own is not ours";
    EXPECT_EQ(of(R"("bto":"as:Public")"), Visibility::direct);
    EXPECT_EQ(visibility_of(note(R"("content":"x")"), {{"as:Public"}, {}}, followers), Visibility::public_);
    EXPECT_EQ(visibility_of(Audience{{""}, {}}, ""), Visibility::direct)
        << "no followers, nobody to match them";
}

TEST(Reading, names_everybody_addressed_once) {
    Audience audience{
        {"as:Public", "https://b.test/v", std::string(followers)}, {"https://b.test/v", "https://c.test/w"}
    };
    EXPECT_EQ(
        addressed(audience, followers), (std::vector<std::string>{"https://b.test/v", "https://c.test/w"})
    );
}

TEST(Reading, clamps_times_to_now_and_forgets_impossible_ones) {
    auto published = [](const std::string& text) { return note("\"published\":\"" + text + "\"").published; };
    EXPECT_EQ(published("2026-02-03T04:05:06.789Z"), base::parse_time("2026-02-03T04:05:06.789Z"));
    EXPECT_EQ(published("2026-02-03T04:05:06+09:00"), base::parse_time("2026-02-02T19:05:06Z"));
    EXPECT_EQ(published("9999-01-01T00:00:00Z"), now);
    EXPECT_EQ(published("99999-01-01T00:00:00Z"), std::nullopt);
    EXPECT_EQ(published("-0001-01-01T00:00:00Z"), std::nullopt);
    EXPECT_EQ(published("yesterday"), std::nullopt);
    EXPECT_EQ(note(R"("published":1770000000)").published, std::nullopt);
}

TEST(Reading, takes_the_language_from_the_first_text_that_says_it) {
    EXPECT_EQ(note(R"("content":"x","contentMap":{"de":"x","en":"y"})").language, "de");
    EXPECT_EQ(note(R"("contentMap":{"fr":"salut"})").content, "salut");
    EXPECT_EQ(note(R"("content":{"@value":"x","@language":"ja"})").language, "ja");
    EXPECT_EQ(note(R"("content":"x","contentMap":{"und":"x"},"nameMap":{"pl":"y"})").language, "pl");
    EXPECT_EQ(note(R"("content":"x","language":{"identifier":"eu","name":"Basque"})").language, "eu");
    EXPECT_EQ(note(R"("content":"x")").language, "");
}

TEST(Reading, reads_media_with_all_that_is_said_of_them) {
    auto media = note(R"("attachment":[
        {"type":"Document","mediaType":"video/mp4","url":"https://a.test/v.mp4","name":"a film","summary":"better",
         "blurhash":"LIIE|gRj00WB-;j[t7j[4nWBj[Rj","focalPoint":[-0.5,1],"width":640,"height":480,"duration":"PT1M2.5S",
         "icon":{"type":"Image","url":"https://a.test/t.png"},"sensitive":true},
        {"type":"Image","url":[{"type":"Link","href":"https://a.test/a.webp","mimeType":"image/webp"}]},
        {"type":"Image","url":"https://a.test/v.mp4"},
        {"type":"Link","href":"https://news.test/"},
        {"type":"PropertyValue","name":"x","value":"y"}, "https://plain.test/", {"type":"Document","url":"javascript:x"}])"
    );
    ASSERT_EQ(media.media.size(), 2u);
    const auto& film = media.media[0];
    EXPECT_EQ(film.description, "better");
    EXPECT_EQ(film.blurhash, "LIIE|gRj00WB-;j[t7j[4nWBj[Rj");
    EXPECT_EQ(film.focus, std::pair(-0.5, 1.0));
    EXPECT_EQ(film.width, 640);
    EXPECT_EQ(film.seconds, 62.5);
    EXPECT_EQ(film.thumbnail, "https://a.test/t.png");
    EXPECT_TRUE(film.sensitive);
    EXPECT_EQ(media.media[1].url, "https://a.test/a.webp");
    EXPECT_EQ(media.media[1].media_type, "image/webp");
    EXPECT_EQ(media.links, (std::vector<std::string>{"https://news.test/", "https://plain.test/"}));
}

TEST(Reading, takes_for_media_what_names_no_type_and_links_that_say_they_are_some) {
    auto media = note(R"("attachment":[
        {"url":"https://a.test/a.png","mediaType":"image/png","name":"a cat"},
        {"type":"Link","href":"https://a.test/b.png","mediaType":"image/png"},
        {"type":"Link","href":"https://news.test/","mediaType":"text/html"},
        {"@type":"Recipe","name":"bread"}, {}, {"type":"Note","url":"https://a.test/n"}])")
                     .media;
    ASSERT_EQ(media.size(), 2u);
    EXPECT_EQ(media[0].url, "https://a.test/a.png");
    EXPECT_EQ(media[0].description, "a cat");
    EXPECT_EQ(media[1].url, "https://a.test/b.png");
    EXPECT_EQ(media[1].media_type, "image/png");
}

TEST(Reading, drops_what_media_cannot_have) {
    auto media = note(
        R"("attachment":{"type":"Image","url":"https://a.test/a.png","blurhash":"javascript","focalPoint":[2,0],
        "width":-1,"height":1e30,"duration":"PT1Y"})"
    );
    ASSERT_EQ(media.media.size(), 1u);
    EXPECT_EQ(media.media[0].blurhash, "");
    EXPECT_FALSE(
        media.media[0].focus || media.media[0].width || media.media[0].height || media.media[0].seconds
    );
}

TEST(Reading, finds_quotes_in_the_new_way_and_the_old_ones) {
    auto quote =
        note(
            R"("quote":"https://b.test/1","quoteUri":"https://c.test/2","quoteAuthorization":"https://b.test/s")"
        )
            .quote;
    ASSERT_TRUE(quote);
    EXPECT_EQ(quote->id, "https://b.test/1");
    EXPECT_EQ(quote->authorization, "https://b.test/s");
    EXPECT_FALSE(quote->legacy);
    for (auto old :
         {R"("_misskey_quote":"https://b.test/1")",
          R"("quoteUrl":"https://b.test/1")",
          R"("quoteUri":"https://b.test/1")",
          R"("tag":{"type":"Link","rel":["x","https://misskey-hub.net/ns#_misskey_quote"],"href":"https://b.test/1"})"
         }) {
        auto found = note(old).quote;
        ASSERT_TRUE(found) << old;
        EXPECT_EQ(found->id, "https://b.test/1");
        EXPECT_TRUE(found->legacy);
    }
    EXPECT_FALSE(note(R"("quote":"a text out of a book")").quote);
    EXPECT_TRUE(note(R"("quote":{"type":"Tombstone"})").quote->deleted);
}

TEST(Reading, replaces_the_half_of_a_character_that_was_cut_in_the_middle) {
    EXPECT_EQ(note(R"("content":"a cow \ud83d")").content, "a cow \uFFFD");
    EXPECT_EQ(
        note(R"("content":"\uDC04 \ud83d\ude00 \ud83d\n \\ud83d")").content,
        "\uFFFD \U0001F600 \uFFFD\n \\ud83d"
    );
}

TEST(Reading, tells_votes_from_posts) {
    EXPECT_TRUE(note(R"("name":"tea","inReplyTo":"https://b.test/poll","content":"")").is_vote());
    EXPECT_FALSE(note(R"("name":"tea","content":"I like tea","inReplyTo":"https://b.test/poll")").is_vote());
    EXPECT_FALSE(note(R"("name":"A title")").is_vote());
}

TEST(Reading, reads_who_may_interact_in_the_words_of_today_and_before) {
    auto policy = note(R"("interactionPolicy":{"canQuote":{"automaticApproval":"as:Public"},
        "canReply":{"always":["https://a.test/u/followers"],"approvalRequired":"as:Public"},"canLike":{}})")
                      .policy;
    EXPECT_EQ(policy.can_quote.automatic, std::vector<std::string>{"as:Public"});
    EXPECT_EQ(policy.can_reply.automatic, std::vector<std::string>{"https://a.test/u/followers"});
    EXPECT_EQ(policy.can_reply.manual, std::vector<std::string>{"as:Public"});
    EXPECT_TRUE(policy.can_reply.given);
    EXPECT_FALSE(policy.can_like.given) << "an empty rule forbids nothing";
    EXPECT_FALSE(policy.can_announce.given);
}

TEST(Reading, reads_authorizations_that_their_author_holds) {
    auto authorization = read_quote_authorization(
        document(R"("type":"QuoteAuthorization","id":"https://a.test/s/1","attributedTo":"https://a.test/u",
        "interactingObject":"https://b.test/2","interactionTarget":"https://a.test/1")")
    );
    ASSERT_TRUE(authorization);
    EXPECT_EQ(authorization->interacting_object, "https://b.test/2");
    EXPECT_EQ(authorization->interaction_target, "https://a.test/1");
}

TEST(Reading, goes_on_reading_collections_on_their_own_host_only) {
    auto collection =
        read_collection(document(R"("type":"OrderedCollection","id":"https://a.test/r","totalItems":3,
        "first":{"type":"OrderedCollectionPage","orderedItems":["https://a.test/1",{"type":"Note","id":"https://a.test/2"}],
                 "next":"https://a.test/r?page=2"})"));
    ASSERT_TRUE(collection);
    ASSERT_EQ(collection->items.size(), 2u);
    EXPECT_TRUE(collection->items[1].embedded);
    EXPECT_EQ(next_page(*collection, collection->id), "https://a.test/r?page=2");
    EXPECT_EQ(next_page(*collection, "https://b.test/r"), "");
    auto hidden = read_collection(document(R"("type":"Collection","id":"https://a.test/f","totalItems":3)"));
    EXPECT_TRUE(hidden->hidden);
    EXPECT_FALSE(
        read_collection(document(R"("type":"Collection","id":"https://a.test/f","totalItems":0)"))->hidden
    );
}

TEST(Reading, takes_the_highest_nodeinfo_that_is_offered) {
    EXPECT_EQ(
        nodeinfo_link(
            R"({"links":[{"rel":"http://nodeinfo.diaspora.software/ns/schema/2.0","href":"https://a.test/2.0"},
                                   {"rel":"http://nodeinfo.diaspora.software/ns/schema/2.1","href":"https://a.test/2.1"},
                                   {"rel":"http://nodeinfo.diaspora.software/ns/schema/3.0","href":"https://a.test/3.0"}]})"
        ),
        "https://a.test/2.1"
    );
    auto info = read_nodeinfo(
        R"({"software":{"name":"GoToSocial"},"usage":{"users":{"total":-5},"localPosts":"many"}})"
    );
    ASSERT_TRUE(info);
    EXPECT_EQ(info->software, "gotosocial");
    EXPECT_FALSE(info->users || info->posts || info->open_registrations);
}

}  // namespace
