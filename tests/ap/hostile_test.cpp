// SPDX-License-Identifier: AGPL-3.0-or-later
// What attackers send. The numbers are those of the list of attacks.
#include "ap/reading.hpp"

#include "ap/collection.hpp"
#include "base/text/utf8.hpp"

#include <functional>

namespace {

using namespace ap;
using reading::activity;
using reading::actor;
using reading::document;
using reading::note;
using reading::now;

std::string repeated(std::size_t times, std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

std::string list(std::size_t length, const std::function<std::string(std::size_t)>& item) {
    std::string out = "[";
    for (std::size_t i = 0; i < length; ++i) out += (i ? "," : "") + item(i);
    return out + "]";
}

Activity create_with(const std::string& object) {
    return *activity(
        R"("type":"Create","id":"https://a.test/c","actor":"https://a.test/u","object":)" + object
    );
}

TEST(Attack13, posts_are_by_somebody_of_their_own_host) {
    for (auto author :
         {R"("https://b.test/u")",
          R"(["https://b.test/u"])",
          R"({"id":"https://b.test/u"})",
          R"(["https://a.test/u",{"type":"Person","id":"https://b.test/u"}])"})
        EXPECT_EQ(
            read_object(
                document(std::string(R"("type":"Note","id":"https://a.test/1","attributedTo":)") + author),
                now
            )
                .why(),
            Refusal::foreign_author
        ) << author;
    EXPECT_EQ(
        read_object(document(R"("type":"Note","id":"https://a.test/1","content":"x")"), now).why(),
        Refusal::no_author
    );
}

TEST(Attack13, embedded_posts_of_others_are_hints) {
    EXPECT_TRUE(may_trust_embedded(
        create_with(R"({"type":"Note","id":"https://a.test/1","attributedTo":"https://a.test/u"})")
    ));
    for (auto forged :
         {R"({"type":"Note","id":"https://b.test/1","attributedTo":"https://a.test/u"})",
          R"({"type":"Note","id":"https://b.test/1"})",
          R"({"type":"Note","id":"https://a.test/1","attributedTo":"https://a.test/victim"})",
          R"({"type":"Note","id":"https://a.test/1","attributedTo":["https://a.test/u",{"type":"Person","id":"https://a.test/victim"}]})",
          R"({"type":"Note","id":"https://a.test/1","actor":"https://a.test/victim"})",
          R"({"type":"Note","attributedTo":"https://a.test/u"})",
          R"("https://a.test/1")"})
        EXPECT_FALSE(may_trust_embedded(create_with(forged))) << forged;
    auto foreign_id = activity(
        R"("type":"Like","id":"https://b.test/l","actor":"https://a.test/u","object":"https://c.test/1")"
    );
    EXPECT_FALSE(has_own_id(*foreign_id));
}

TEST(Attack24, contexts_that_rename_terms_change_nothing) {
    auto renamed = read_document(R"({"@context":["https://www.w3.org/ns/activitystreams",
        {"actor":"https://x.test/foo","foo":"as:actor","kind":"@type","myid":"@id","everybody":"as:Public"}],
        "type":"Create","foo":"https://evil.test/u","kind":"Delete","myid":"https://evil.test/1","id":"https://a.test/1",
        "actor":"https://a.test/u","object":"https://a.test/2","to":["everybody","https://x.test/ns#Public"]})"
    );
    auto read = read_activity(*renamed, now);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->actor, "https://a.test/u");
    EXPECT_EQ(read->type, "Create");
    EXPECT_EQ(read->id, "https://a.test/1");
    EXPECT_EQ(visibility_of(read->audience, ""), Visibility::direct);
}

TEST(Attack24, graphs_and_reversed_terms_are_not_looked_into) {
    auto read = read_document(R"({"@context":"https://www.w3.org/ns/activitystreams",
        "@graph":[{"type":"Create","actor":"https://victim.test/u"}],"@reverse":{"actor":"https://victim.test/u"}})"
    );
    ASSERT_TRUE(read);
    EXPECT_EQ(kind_of(read->node()), Kind::other);
    EXPECT_FALSE(read_activity(*read, now));
}

TEST(Attack27, names_of_hosts_that_only_look_like_another_are_others) {
    for (auto id :
         {"https://a.test@evil.test/1",
          "https://a.test\\\\.evil.test/1",
          "https://a.test%2eevil.test/1",
          "https://a.test:evil/1",
          "https:/a.test/1",
          "https://а.test/1"})  // a Cyrillic letter
        EXPECT_FALSE(read_object(
            document(R"("type":"Note","attributedTo":"https://a.test/u","id":")" + std::string(id) + '"'), now
        )) << id;
    EXPECT_TRUE(read_object(
        document(R"("type":"Note","attributedTo":"https://A.TEST:443/u","id":"https://a.test./1")"), now
    ));
}

TEST(Attack31, polls_are_bounded_and_their_options_unique) {
    auto poll = [](const std::string& members) {
        return read_object(
                   document(
                       R"("type":"Question","id":"https://a.test/1","attributedTo":"https://a.test/u",)" +
                       members
                   ),
                   now
        )
            ->poll;
    };
    auto many = list(10'000, [](std::size_t i) { return R"({"name":"o)" + std::to_string(i) + "\"}"; });
    EXPECT_EQ(poll("\"oneOf\":" + many)->options.size(), most_options);
    EXPECT_FALSE(poll(R"("oneOf":[{"name":"a"}],"anyOf":[{"name":"b"}])")->multiple);
    EXPECT_EQ(
        poll(R"("anyOf":[{"name":"a"},{"name":"a"},{"name":""},7,null,{"content":"b"}])")->options.size(), 2u
    );
    EXPECT_FALSE(poll(R"("oneOf":[])"));
    EXPECT_FALSE(poll(R"("oneOf":[{"name":""}])"));
    EXPECT_EQ(poll(R"("oneOf":{"name":"a","replies":{"totalItems":-4}})")->options[0].votes, 0);
    EXPECT_EQ(
        poll(R"("oneOf":{"name":"a","replies":{"totalItems":1e300}},"votersCount":"x")")->options[0].votes, 0
    );
    EXPECT_EQ(poll(R"("oneOf":{"name":"<b>bold</b>"})")->options[0].name, "<b>bold</b>") << "text, not HTML";
}

TEST(Attack64, fields_of_actors_are_cut_and_counted) {
    std::string huge(100'000, 'x');
    auto read = actor(
        R"("preferredUsername":"u","name":")" + huge + R"(","summary":")" + huge + R"(","attachment":)" +
        list(
            100,
            [&](auto) {
                return R"({"type":"PropertyValue","name":")" + huge.substr(0, 3000) + R"(","value":"y"})";
            }
        ) +
        R"(,"alsoKnownAs":)" +
        list(1000, [](std::size_t i) { return "\"https://b.test/" + std::to_string(i) + '"'; }) +
        R"(,"publicKey":)" +
        list(100, [](std::size_t i) { return R"({"id":"https://a.test/u#)" + std::to_string(i) + "\"}"; }) +
        R"(,"attributionDomains":)" + list(1000, [](auto) { return std::string("\"b.test\""); })
    );
    ASSERT_TRUE(read);
    EXPECT_EQ(read->name.size(), 2048u);
    EXPECT_EQ(read->summary.size(), 20u * 1024);
    EXPECT_EQ(read->fields.size(), most_fields);
    EXPECT_EQ(read->fields[0].name.size(), longest_field);
    EXPECT_EQ(read->also_known_as.size(), 256u);
    EXPECT_EQ(read->keys.size(), most_keys);
    EXPECT_EQ(read->attribution_domains.size(), 256u);
    EXPECT_EQ(actor(R"("preferredUsername":")" + std::string(2049, 'x') + '"').why(), Refusal::no_name);
}

TEST(Attack64, mentions_hashtags_emojis_and_media_of_posts_are_counted) {
    auto read = note(
        "\"tag\":" +
        list(
            3000,
            [](std::size_t i) {
                auto n = std::to_string(i);
                return i % 3 == 0 ? R"({"type":"Mention","href":"https://b.test/)" + n + "\"}"
                       : i % 3 == 1
                           ? R"({"type":"Hashtag","name":"#t)" + n + "\"}"
                           : R"({"type":"Emoji","name":":e)" + n + R"(:","icon":{"url":"https://b.test/e"}})";
            }
        ) +
        ",\"attachment\":" +
        list(
            1000,
            [](std::size_t i) {
                return R"({"type":"Image","url":"https://b.test/)" + std::to_string(i) + R"(","name":")" +
                       std::string(200, 'x') + "\"}";
            }
        )
    );
    EXPECT_LE(read.tags.mentions.size(), most_mentions);
    EXPECT_LE(read.tags.hashtags.size(), most_hashtags);
    EXPECT_LE(read.tags.emojis.size(), most_emojis);
    EXPECT_EQ(read.media.size(), most_media);
    EXPECT_EQ(
        note(
            R"("attachment":{"type":"Image","url":"https://b.test/1","name":")" + std::string(50'000, 'x') +
            "\"}"
        )
            .media.at(0)
            .description.size(),
        longest_description
    );
}

TEST(Attack64, texts_are_cut_between_characters) {
    auto read = actor(R"("preferredUsername":"u","name":")" + repeated(3000, "é") + '"');
    EXPECT_EQ(read->name, repeated(2048, "é"));
}

TEST(Attack66, nesting_without_an_end_is_refused) {
    EXPECT_EQ(read_document(repeated(10'000, "[") + repeated(10'000, "]")).why(), Refusal::not_json);
    EXPECT_EQ(read_document(repeated(500'000, "[")).why(), Refusal::not_json);
    auto deep = [](std::size_t n) {
        return R"({"@context":"https://www.w3.org/ns/activitystreams","x":)" + repeated(n, "[") +
               repeated(n, "]") + "}";
    };
    EXPECT_TRUE(read_document(deep(deepest_document - 1)));
    EXPECT_FALSE(read_document(deep(deepest_document)));
    auto html = note("\"content\":\"" + repeated(50'000, "<b>") + "x\"");
    EXPECT_TRUE(base::text::valid_utf8(content_html(html)));
}

TEST(Attack66, activities_in_activities_are_read_one_at_a_time) {
    std::string inner = R"("https://a.test/1")";
    for (int i = 0; i < 25; ++i)
        inner =
            R"({"type":"Undo","id":"https://a.test/x","actor":"https://a.test/u","object":)" + inner + "}";
    auto read = activity(R"("type":"Undo","actor":"https://a.test/u","object":)" + inner);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->object.id, "https://a.test/x");
}

TEST(Hostile, documents_over_a_megabyte_are_refused) {
    auto of = [](std::size_t size) {
        std::string out = R"({"@context":"https://www.w3.org/ns/activitystreams","x":")";
        return out + std::string(size - out.size() - 2, 'x') + "\"}";
    };
    EXPECT_TRUE(read_document(of(longest_document)));
    EXPECT_EQ(read_document(of(longest_document + 1)).why(), Refusal::too_large);
}

TEST(Hostile, what_is_no_json_object_is_refused) {
    for (auto text :
         {"",
          "null",
          "[]",
          "\"x\"",
          "{",
          "{}{}",
          "{\"a\":1,}",
          "\xff\xfe",
          "{\"a\":\"\xc3\"}",
          "{'a':1}",
          "NaN"})
        EXPECT_FALSE(read_json(text)) << text;
    EXPECT_TRUE(read_json("\xEF\xBB\xBF{}"));
}

TEST(Hostile, members_of_the_wrong_kind_are_absent) {
    auto read =
        note(R"("content":7,"summary":[],"name":{"x":1},"url":true,"published":{},"to":[1,null,{"id":5},[]],
        "tag":"x","attachment":[[],1],"inReplyTo":{"id":{}},"replies":[],"sensitive":"yes","conversation":1)"
        );
    EXPECT_EQ(read.content + read.summary + read.name + read.url + read.in_reply_to, "");
    EXPECT_TRUE(read.audience.empty());
    EXPECT_FALSE(read.sensitive || read.published || read.poll || read.quote);
}

TEST(Hostile, of_members_that_come_twice_the_last_counts) {
    auto read = activity(
        R"("type":"Create","actor":"https://evil.test/u","actor":"https://a.test/u","object":"https://a.test/1")"
    );
    EXPECT_EQ(read->actor, "https://a.test/u");
}

TEST(Hostile, links_that_run_programs_are_none) {
    auto read =
        actor(R"("preferredUsername":"u","url":"javascript:alert","icon":{"url":"data:image/png;base64,x"},
        "image":"vbscript:x","movedTo":"javascript:x","followers":"ftp://a.test/f")");
    EXPECT_EQ(read->url, "https://a.test/u");
    EXPECT_EQ(read->icon.url + read->image.url + read->moved_to + read->followers.id, "");
    EXPECT_EQ(actor(R"("preferredUsername":"u","url":"https://evil.test/@u")")->url, "https://a.test/u");
    EXPECT_EQ(actor(R"("preferredUsername":"u<script>")").why(), Refusal::no_name);
}

TEST(Hostile, names_of_tags_with_markup_are_none) {
    auto read = note(
        R"("tag":[{"type":"Hashtag","name":"#<script>"},{"type":"Hashtag","name":"#"},{"type":"Hashtag","name":"ok"},
        {"type":"Emoji","name":":<b>:","icon":{"url":"https://a.test/e"}},{"type":"Emoji","name":":x:","icon":{"url":"javascript:x"}},
        {"type":"Emoji","name":":a\" onerror=x:","icon":{"url":"https://a.test/e"}}])"
    );
    for (const auto& tag : read.tags.hashtags) EXPECT_EQ(tag.name.find_first_of("&\""), std::string::npos);
    EXPECT_TRUE(read.tags.emojis.empty());
}

TEST(Hostile, control_characters_leave_texts_and_make_ids_none) {
    auto read = note(R"("content":"a\u0000b\u0007c","summary":"x\r\ny")");
    EXPECT_EQ(read.content, "abc");
    EXPECT_EQ(read.summary, "x\ny");
    EXPECT_EQ(
        read_object(
            document(R"("type":"Note","id":"https://a.test/\n1","attributedTo":"https://a.test/u")"), now
        )
            .why(),
        Refusal::no_id
    );
}

TEST(Hostile, collections_hold_a_bounded_number_of_items) {
    auto read = read_collection(document(
        R"("type":"Collection","id":"https://a.test/f","items":)" +
        list(20'000, [](std::size_t i) { return "\"https://b.test/" + std::to_string(i) + '"'; })
    ));
    EXPECT_EQ(read->items.size(), most_items);
}

TEST(Hostile, keys_of_others_are_not_believed) {
    auto read = actor(R"("preferredUsername":"u","publicKey":[
        {"id":"https://a.test/u#k","owner":"https://b.test/victim","publicKeyPem":"x"},
        {"id":"https://b.test/victim#k","owner":"https://a.test/u","publicKeyPem":"x"},
        {"id":"https://a.test/v#k","owner":"https://a.test/u","publicKeyPem":"x"}, "https://b.test/victim#main-key"])"
    );
    ASSERT_EQ(read->keys.size(), 4u);
    for (const auto& key : read->keys) EXPECT_FALSE(key.is_own(read->id)) << key.id;
}

}  // namespace
