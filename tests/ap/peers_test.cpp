// SPDX-License-Identifier: AGPL-3.0-or-later
// The ways in which other programs write the same things differently.
#include "ap/reading.hpp"

namespace {

using namespace ap;
using reading::activity;
using reading::actor;
using reading::document;
using reading::note;
using reading::now;

TEST(Peers, misskey_accepts_and_deletes_without_an_id) {
    auto accept = activity(
        R"("type":"Accept","actor":"https://a.test/u","object":{"type":"Follow","id":"https://b.test/f/1",
        "actor":"https://b.test/v","object":"https://a.test/u"})"
    );
    ASSERT_TRUE(accept);
    EXPECT_EQ(accept->id, "");
    EXPECT_TRUE(has_own_id(*accept));
    EXPECT_EQ(accept->object.id, "https://b.test/f/1");
    auto follow = read_activity(accept->object.embedded, now);
    ASSERT_TRUE(follow);
    EXPECT_EQ(follow->actor, "https://b.test/v");
}

TEST(Peers, misskey_shows_its_shared_inbox_twice_and_reacts_by_like) {
    EXPECT_EQ(
        actor(R"("preferredUsername":"u","sharedInbox":"https://a.test/inbox")")->shared_inbox,
        "https://a.test/inbox"
    );
    auto like = activity(
        R"("type":"Like","actor":"https://a.test/u","object":"https://b.test/1","_misskey_reaction":":blob:",
        "tag":[{"type":"Emoji","name":":blob:","icon":{"type":"Image","url":"https://a.test/b.png"}}])"
    );
    EXPECT_EQ(reaction_of(*like), ":blob:");
    ASSERT_EQ(like->emojis.size(), 1u);
    EXPECT_EQ(like->emojis[0].shortcode, "blob");
}

TEST(Peers, misskey_has_polls_without_an_end) {
    auto read = read_object(
        document(
            R"("type":"Question","id":"https://a.test/1","attributedTo":"https://a.test/u","endTime":null,
            "oneOf":[{"name":"A","_misskey_votes":3},{"name":"B","replies":{"totalItems":2}}])"
        ),
        now
    );
    ASSERT_TRUE(read->poll);
    EXPECT_FALSE(read->poll->ends || read->poll->closed || read->poll->multiple);
    EXPECT_EQ(read->poll->options[0].votes, 3);
    EXPECT_EQ(read->poll->options[1].votes, 2);
}

TEST(Peers, gotosocial_makes_single_things_of_lists_and_keeps_keys_apart) {
    auto read = actor(
        R"("preferredUsername":"u","publicKey":{"id":"https://a.test/u/main-key","owner":"https://a.test/u",
        "publicKeyPem":"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"},
        "attachment":{"type":"PropertyValue","name":"a","value":"b"},"tag":{"type":"Hashtag","name":"cats"},
        "alsoKnownAs":"https://b.test/v")"
    );
    ASSERT_TRUE(read);
    EXPECT_EQ(read->fields.size(), 1u);
    EXPECT_EQ(read->tags.hashtags.at(0).name, "cats");
    EXPECT_EQ(read->also_known_as, std::vector<std::string>{"https://b.test/v"});
    ASSERT_EQ(read->keys.size(), 1u);
    EXPECT_FALSE(read->keys[0].is_own(read->id)) << "its own document must be asked";

    auto stub =
        document(R"("type":"Person","id":"https://a.test/u","publicKey":{"id":"https://a.test/u/main-key",
        "owner":"https://a.test/u","publicKeyPem":"PEM"})");
    auto key = read_key(stub.node(), "https://a.test/u/main-key");
    ASSERT_TRUE(key);
    EXPECT_EQ(key->owner, "https://a.test/u");
    EXPECT_FALSE(read_key(stub.node(), "https://a.test/u/other-key"));
}

TEST(Peers, gotosocial_votes_for_several_options_at_once) {
    auto create = activity(R"("type":"Create","id":"https://a.test/c","actor":"https://a.test/u","object":[
        {"type":"Note","id":"https://a.test/v/1","attributedTo":"https://a.test/u","name":"tea","inReplyTo":"https://b.test/1"},
        {"type":"Note","id":"https://a.test/v/2","attributedTo":"https://a.test/u","name":"milk","inReplyTo":"https://b.test/1"}])"
    );
    ASSERT_EQ(create->objects.size(), 2u);
    for (const auto& reference : create->objects) {
        EXPECT_TRUE(may_trust_embedded(*create, reference));
        EXPECT_TRUE(read_object(reference.embedded, now)->is_vote());
    }
}

TEST(Peers, fedify_lists_keys_of_two_kinds) {
    auto read = actor(R"("preferredUsername":"u","publicKey":[
        {"id":"https://a.test/u#main-key","owner":"https://a.test/u","publicKeyPem":"RSA"},
        {"id":"https://a.test/u#key-2","owner":"https://a.test/u","publicKeyPem":"Ed25519"}],
        "assertionMethod":[{"type":"Multikey","id":"https://a.test/u#multikey-2","controller":"https://a.test/u",
                            "publicKeyMultibase":"z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"}])");
    ASSERT_EQ(read->keys.size(), 3u);
    for (const auto& key : read->keys) EXPECT_TRUE(key.is_own("https://a.test/u")) << key.id;
    EXPECT_TRUE(public_key(read->keys[2]));
}

TEST(Peers, small_ones_do_not_say_whose_their_key_is) {
    auto read = actor(R"("preferredUsername":"u","publicKey":[
        {"id":"https://a.test/u#main-key","publicKeyPem":"RSA"}, "https://a.test/u#other",
        {"id":"https://b.test/u#main-key","publicKeyPem":"RSA"}])");
    ASSERT_EQ(read->keys.size(), 3u);
    EXPECT_TRUE(read->keys[0].is_own("https://a.test/u"));
    EXPECT_FALSE(read->keys[1].known()) << "a name alone is no key";
    EXPECT_FALSE(read->keys[2].is_own("https://a.test/u"));
}

TEST(Peers, akkoma_has_emojis_without_an_id_and_blanks_in_addresses) {
    auto read = note(
        R"("sensitive":null,"tag":[{"type":"Emoji","id":null,"name":":fox:","updated":"1970-01-01T00:00:00Z",
        "icon":{"type":"Image","url":"https://a.test/x y.png"}}])"
    );
    ASSERT_EQ(read.tags.emojis.size(), 1u);
    EXPECT_EQ(read.tags.emojis[0].url, "https://a.test/x%20y.png");
    EXPECT_FALSE(read.sensitive);
}

TEST(Peers, peertube_names_a_person_and_a_channel_and_many_files) {
    auto video = read_object(
        document(
            R"("type":"Video","id":"https://a.test/v/1","attributedTo":[{"type":"Group","id":"https://a.test/c"},
            {"type":"Person","id":"https://a.test/u"}],"name":"A film","mediaType":"text/markdown","content":"**bold**",
            "url":[{"type":"Link","mediaType":"video/mp4","href":"https://a.test/f.mp4"},
                   {"type":"Link","mediaType":"text/html","href":"https://a.test/w/1"}],
            "comments":"https://a.test/v/1/comments")"
        ),
        now
    );
    EXPECT_EQ(video->attributed_to, "https://a.test/u");
    EXPECT_EQ(video->url, "https://a.test/w/1");
    EXPECT_EQ(video->replies.id, "https://a.test/v/1/comments");
    EXPECT_NE(content_html(*video).find("<strong>bold</strong>"), std::string::npos);
}

TEST(Peers, peertube_shows_people_in_several_sizes_in_any_order) {
    auto read =
        actor(R"("preferredUsername":"u","icon":[{"type":"Image","url":"https://a.test/48.png","width":48},
        {"type":"Image","url":"https://a.test/600.png","width":600},{"type":"Image","url":"https://a.test/120.png","width":120}],
        "image":[{"type":"Image","url":"https://a.test/first.png"},{"type":"Image","url":"https://a.test/second.png"}])"
        );
    EXPECT_EQ(read->icon.url, "https://a.test/600.png");
    EXPECT_EQ(read->image.url, "https://a.test/first.png");
}

TEST(Peers, funkwhale_says_mime_type) {
    EXPECT_EQ(
        note(R"("url":[{"type":"Link","mimeType":"audio/ogg","href":"https://a.test/f.ogg"},
        {"type":"Link","mimeType":"text/html","href":"https://a.test/t"}])")
            .url,
        "https://a.test/t"
    );
}

TEST(Peers, lemmy_groups_announce_activities_that_are_only_hints) {
    auto announce =
        activity(R"("type":"Announce","id":"https://g.test/a/1","actor":"https://g.test/c/x","object":{
        "type":"Create","id":"https://a.test/c/1","actor":"https://a.test/u","object":{"type":"Page","id":"https://a.test/p/1",
        "attributedTo":"https://a.test/u","name":"Title","audience":"https://g.test/c/x"}})");
    ASSERT_TRUE(announce);
    EXPECT_FALSE(may_trust_embedded(*announce));
    auto create = read_activity(announce->object.embedded, now);
    ASSERT_TRUE(create);
    EXPECT_EQ(create->object.id, "https://a.test/p/1");
    EXPECT_EQ(read_object(create->object.embedded, now)->group, "https://g.test/c/x");
}

TEST(Peers, lemmy_says_in_the_summary_why_it_reports) {
    const std::string flag =
        R"("type":"Flag","id":"https://a.test/activities/flag/1","actor":"https://a.test/u","to":["https://b.test/c/main"],
        "object":"https://b.test/post/7","summary":"quis ut do")";
    EXPECT_EQ(activity(flag)->content, "quis ut do");
    // Mbin says both.
    EXPECT_EQ(activity(flag + R"(,"content":"aliqua quis")")->content, "aliqua quis");
    EXPECT_EQ(
        activity(
            R"("type":"Like","actor":"https://a.test/u","object":"https://b.test/1","summary":"u likes 1")"
        )
            ->content,
        ""
    );
}

TEST(Peers, some_add_types_of_their_own_to_activities) {
    auto of_types = [](const std::string& types) {
        return activity(R"("type":)" + types + R"(,"actor":"https://a.test/u","object":"https://b.test/1")")
            ->type;
    };
    EXPECT_EQ(of_types(R"(["http://litepub.social/ns#Emoji","Like"])"), "Like");
    EXPECT_EQ(of_types(R"(["Like","Undo"])"), "Like");
    EXPECT_EQ(of_types(R"(["EmojiReact","Offer"])"), "EmojiReact");
}

TEST(Peers, some_name_what_they_take_back_by_an_object_without_a_type) {
    auto undone = [](const std::string& object) {
        return activity(R"("type":"Undo","actor":"https://a.test/u","object":)" + object)->object;
    };
    EXPECT_TRUE(names_by_id(undone(R"("https://a.test/l/1")")));
    EXPECT_TRUE(names_by_id(undone(R"({"id":"https://a.test/l/1"})")));
    EXPECT_FALSE(names_by_id(undone(R"({"id":"https://a.test/l/1","type":"Like"})")));
}

TEST(Peers, pleroma_names_the_author_as_actor) {
    auto read = read_object(
        document(R"("type":"Note","id":"https://a.test/1","actor":"https://a.test/u","content":"x")"), now
    );
    EXPECT_EQ(read->attributed_to, "https://a.test/u");
}

TEST(Peers, bridgy_puts_whole_uris_into_ids) {
    auto id = "https://bridge.test/convert/ap/at://did:plc:abcd/app.post/3k";
    auto create = activity(
        std::string(R"("type":"Create","actor":"https://bridge.test/ap/did:plc:abcd","object":")") + id + '"'
    );
    EXPECT_EQ(create->object.id, id);
    EXPECT_EQ(
        actor(R"("preferredUsername":"x.sky.test","alsoKnownAs":["did:plc:abcd","at://did:plc:abcd"])")
            ->also_known_as.size(),
        2u
    );
}

TEST(Peers, newer_mastodons_say_their_handle) {
    auto read = actor(R"("preferredUsername":"alice","webfinger":"acct:Alice@Social.Test")");
    EXPECT_EQ(read->handle_name + "@" + read->handle_domain, "Alice@social.test");
    EXPECT_EQ(actor(R"("webfinger":"bob@b.test")")->username, "bob");
}

}  // namespace
