// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/emojis/emoji.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/keys/keys.hpp"
#include "social/federation/stage.hpp"
#include "social/media/hashes/erasing.hpp"
#include "social/statuses/documents/note_ap.hpp"

#include <boost/json.hpp>

namespace {

struct Documents : stage::Federated {};
ON_EACH_DATABASE(Documents);

// Names of members in their order, without the context.
std::string members(const std::string& json) {
    std::string out;
    const auto value = boost::json::parse(json);
    for (const auto& [name, inner] : value.as_object())
        if (name != "@context") out += (out.empty() ? "" : " ") + std::string(name);
    return out;
}

base::StatusId number(const std::string& id) { return {std::stoll(id)}; }

TEST_P(Documents, name_hashtags_as_the_text_writes_and_links_them) {
    auto alice = w.local("alice");
    auto id = alice.status("#käse #Birds #käse #鳥");
    auto answer = peer.get(post(alice, id));
    const std::vector<std::pair<std::string, std::string>> tags{
        {"#käse", "/tags/k%C3%A4se"}, {"#Birds", "/tags/Birds"}, {"#鳥", "/tags/%E9%B3%A5"}
    };
    for (const auto& [name, page] : tags) {
        auto said = R"({"type":"Hashtag","href":")" + url(page) + R"(","name":")" + name + "\"}";
        EXPECT_NE(answer["tag"].find(said), std::string::npos) << answer["tag"];
        EXPECT_NE(answer["content"].find("href=\"" + url(page) + "\""), std::string::npos)
            << answer["content"];
    }
    EXPECT_EQ(answer["tag.3"], "absent");
    alice.patch("/api/v1/accounts/update_credentials", {{"note", "I like #Käse and #käse"}});
    auto profile = peer.get(actor(alice));
    EXPECT_EQ(profile["tag.0.name"] + " " + profile["tag.0.href"], "#Käse " + url("/tags/K%C3%A4se"));
    EXPECT_EQ(profile["tag.1"], "absent");
}

TEST_P(Documents, do_not_name_a_picture_that_was_removed) {
    auto alice = w.local("alice");
    auto uploaded = [&](const std::string& file) {
        return w.write([&](db::Write& db) {
            media::Media m;
            m.account_id = {std::stoll(alice.id)};
            m.file = m.preview = file;
            return std::to_string(media::create(db, m).value);
        });
    };
    const auto first = uploaded("media/ab/ab0.png"), second = uploaded("media/ab/ab1.png");
    const Fields form{{"status", "two"}, {"media_ids[]", first}, {"media_ids[]", second}};
    auto id = alice.post("/api/v1/statuses", form).id();
    w.write([](db::Write& db) { media::erase(db, media::places_of(db, "media/ab/ab0.png")); });
    auto answer = peer.get(post(alice, id));
    EXPECT_EQ(answer["attachment.0.url"], url("/media/media/ab/ab1.png"));
    EXPECT_EQ(answer["attachment.1"], "absent");
}

TEST_P(Documents, of_actors_have_the_members_that_others_know) {
    auto alice = w.local("alice");
    w.write([](db::Write& db) { emojis::put(db, "wave", "e/wave.png", "e/wave.png", {}); });
    alice.patch(
        "/api/v1/accounts/update_credentials",
        {{"display_name", "Alice :wave:"},
         {"note", "I like #Birds"},
         {"locked", "true"},
         {"discoverable", "true"},
         {"indexable", "true"},
         {"fields_attributes[0][name]", "Site"},
         {"fields_attributes[0][value]", "https://alice.example"},
         {"attribution_domains[]", "alice.example"}}
    );
    auto answer = peer.get(actor(alice));
    auto id = url(actor(alice));
    EXPECT_EQ(
        members(answer.body),
        "id type webfinger following followers inbox outbox featured featuredTags featuredCollections "
        "preferredUsername name summary url "
        "manuallyApprovesFollowers discoverable indexable published memorial showFeatured showMedia "
        "showRepliesInMedia interactionPolicy publicKey tag attachment endpoints attributionDomains"
    );
    EXPECT_EQ(answer["id"], id);
    EXPECT_EQ(answer["type"], "Person");
    EXPECT_EQ(answer["webfinger"], "alice@example.test");
    EXPECT_EQ(answer["inbox"], id + "/inbox");
    EXPECT_EQ(answer["featuredTags"], id + "/collections/tags");
    EXPECT_EQ(answer["preferredUsername"], "alice");
    EXPECT_EQ(answer["name"], "Alice :wave:");
    EXPECT_EQ(answer["url"], url("/@alice"));
    EXPECT_EQ(answer["manuallyApprovesFollowers"], "true");
    EXPECT_EQ(answer["discoverable"], "true");
    EXPECT_EQ(answer["published"].substr(10), "T00:00:00Z");
    EXPECT_EQ(answer["publicKey.owner"], id);
    EXPECT_EQ(answer["publicKey.id"], id + "#main-key");
    EXPECT_EQ(answer["publicKey.publicKeyPem"].substr(0, 26), "-----BEGIN PUBLIC KEY-----");
    EXPECT_EQ(answer["tag.0.name"], ":wave:");
    EXPECT_EQ(answer["tag.0.icon.mediaType"], "image/png");
    EXPECT_EQ(answer["tag.1.href"], url("/tags/Birds"));
    EXPECT_EQ(answer["tag.1.name"], "#Birds");
    EXPECT_EQ(answer["attachment.0.type"], "PropertyValue");
    EXPECT_NE(answer["attachment.0.value"].find("rel=\"nofollow noopener me\""), std::string::npos);
    EXPECT_EQ(answer["endpoints.sharedInbox"], url("/inbox"));
    auto emoji = peer.get(answer["tag.0.id"].substr(std::string(stage::base_url).size()));
    EXPECT_EQ(emoji["type"], "Emoji");
    EXPECT_EQ(emoji["icon.url"], url("/media/e/wave.png"));
    EXPECT_EQ(
        answer["@context.0"] + " " + answer["@context.1"] + " " + answer["@context.2"],
        "https://www.w3.org/ns/activitystreams https://w3id.org/security/v1 "
        "https://purl.archive.org/socialweb/webfinger"
    );
}

TEST_P(Documents, of_the_server_itself_tell_only_what_signatures_need) {
    auto answer = nobody.get("/actor");
    EXPECT_EQ(
        members(answer.body),
        "id type preferredUsername inbox outbox publicKey endpoints url manuallyApprovesFollowers"
    );
    EXPECT_EQ(answer["id"], url("/actor"));
    EXPECT_EQ(answer["preferredUsername"], "example.test");
    EXPECT_EQ(answer["publicKey.id"], url("/actor#main-key"));
    EXPECT_EQ(answer.header("Cache-Control"), "max-age=600, public");
}

TEST_P(Documents, of_posts_have_the_members_that_others_know) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto before = bob.status("first");
    auto id = alice.answers(before, "@bob I like #Birds", {{"spoiler_text", "birds"}, {"language", "en"}});
    auto answer = peer.get(post(alice, id));
    EXPECT_EQ(
        members(answer.body),
        "id type summary inReplyTo published url attributedTo to cc sensitive atomUri inReplyToAtomUri "
        "conversation "
        "context interactionPolicy content contentMap attachment tag replies likes shares"
    );
    auto uri = url(post(alice, id)), author = url(actor(alice));
    EXPECT_EQ(answer["id"], uri);
    EXPECT_EQ(answer["type"], "Note");
    EXPECT_EQ(answer["summary"], "birds");
    EXPECT_EQ(answer["inReplyTo"], url(post(bob, before)));
    EXPECT_EQ(answer["url"], url("/@alice/" + id));
    EXPECT_EQ(answer["attributedTo"], author);
    EXPECT_EQ(answer["to"], R"(["https://www.w3.org/ns/activitystreams#Public"])");
    EXPECT_EQ(answer["cc"], "[\"" + author + "/followers\",\"" + url(actor(bob)) + "\"]");
    EXPECT_EQ(answer["conversation"], url("/contexts/" + bob.id + "-" + before));
    EXPECT_EQ(answer["context"], answer["conversation"]);
    EXPECT_EQ(answer["interactionPolicy.canQuote.automaticApproval"], answer["to"]);
    EXPECT_EQ(answer["contentMap.en"], answer["content"]);
    EXPECT_EQ(
        answer["tag.0"],
        R"({"type":"Mention","href":")" + url(actor(bob)) + R"(","name":"@bob@example.test"})"
    );
    EXPECT_EQ(
        answer["tag.1"], R"({"type":"Hashtag","href":")" + url("/tags/Birds") + R"(","name":"#Birds"})"
    );
    EXPECT_EQ(answer["replies.first.partOf"], uri + "/replies");
    EXPECT_EQ(answer["likes"], R"({"id":")" + uri + R"(/likes","type":"Collection","totalItems":0})");
    EXPECT_EQ(answer["shares.id"], uri + "/shares");
    auto create = peer.get(post(alice, id) + "/activity");
    EXPECT_EQ(members(create.body), "id type actor published to cc object");
    EXPECT_EQ(create["type"], "Create");
    EXPECT_EQ(create["object.id"], uri);
    EXPECT_EQ(create["to"], answer["to"]);
    EXPECT_EQ(create["cc"], answer["cc"]);
}

TEST_P(Documents, address_by_visibility) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto everybody = R"("https://www.w3.org/ns/activitystreams#Public")";
    auto followers = "\"" + url(actor(alice)) + "/followers\"", named = "\"" + url(actor(bob)) + "\"";
    struct {
        const char* visibility;
        std::string to, cc, direct;
    } rows[] = {
        {"public", std::string("[") + everybody + "]", "[" + followers + "," + named + "]", "absent"},
        {"unlisted", "[" + followers + "]", std::string("[") + everybody + "," + named + "]", "absent"},
        {"private", "[" + followers + "]", "[" + named + "]", "false"},
        {"direct", "[" + named + "]", "[]", "true"},
    };
    for (const auto& row : rows) {
        auto id = alice.status("@bob hi", {{"visibility", row.visibility}});
        auto create = w.read([&](db::Read& db) { return statuses::create_activity(db, number(id)); });
        Answer answer{200, create, {}};
        EXPECT_EQ(answer["to"], row.to) << row.visibility;
        EXPECT_EQ(answer["cc"], row.cc) << row.visibility;
        EXPECT_EQ(answer["object.to"], row.to) << row.visibility;
        EXPECT_EQ(answer["object.cc"], row.cc) << row.visibility;
        EXPECT_EQ(answer["object.directMessage"], row.direct) << row.visibility;
    }
}

TEST_P(Documents, of_a_silenced_author_name_only_followers) {
    auto alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");
    carol.follows(alice);
    w.silence(alice);
    auto id = alice.status("@bob @carol hi", {{"visibility", "direct"}});
    Answer create{200, w.read([&](db::Read& db) { return statuses::create_activity(db, number(id)); }), {}};
    EXPECT_EQ(create["to"], "[\"" + url(actor(carol)) + "\"]");
}

TEST_P(Documents, of_polls_are_questions) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto poll = alice.post(
        "/api/v1/statuses",
        {{"status", "?"}, {"poll[options][]", "a"}, {"poll[options][]", "b"}, {"poll[expires_in]", "300"}}
    );
    bob.post("/api/v1/polls/" + poll.id() + "/votes", {{"choices[]", "1"}});
    auto answer = peer.get(post(alice, poll.id()));
    EXPECT_EQ(answer["type"], "Question");
    EXPECT_EQ(
        answer["oneOf"],
        R"([{"type":"Note","name":"a","replies":{"type":"Collection","totalItems":0}},)"
        R"({"type":"Note","name":"b","replies":{"type":"Collection","totalItems":1}}])"
    );
    EXPECT_EQ(answer["anyOf"], "absent");
    EXPECT_EQ(answer["votersCount"], "1");
    EXPECT_EQ(answer["closed"], "absent");
    w.advance(301);
    EXPECT_EQ(peer.get(post(alice, poll.id()))["closed"], answer["endTime"]);
}

TEST_P(Documents, of_boosts_name_what_is_boosted) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto original = bob.status("of bob");
    auto boost = alice.reblogs(original);
    auto answer = peer.get(post(alice, boost) + "/activity");
    EXPECT_EQ(members(answer.body), "id type actor published to cc object");
    EXPECT_EQ(answer["id"], url(post(alice, boost)) + "/activity");
    EXPECT_EQ(answer["object"], url(post(bob, original)));
    EXPECT_EQ(answer["cc"], "[\"" + url(actor(bob)) + "\",\"" + url(actor(alice)) + "/followers\"]");
    auto moved = peer.get(post(alice, boost));
    EXPECT_EQ(moved.status, 302);
    EXPECT_EQ(moved.header("Location"), url(post(bob, original)));
    Answer undo{
        200, w.read([&](db::Read& db) { return statuses::undo_announce_activity(db, number(boost)); }), {}
    };
    EXPECT_EQ(undo["id"], url(actor(alice)) + "#announces/" + boost + "/undo");
    EXPECT_EQ(undo["object.id"], answer["id"]);
    EXPECT_EQ(undo["object.@context"], "absent");
}

TEST_P(Documents, of_ends_and_changes_need_only_the_row) {
    auto alice = w.local("alice");
    auto id = alice.status("hello", {{"visibility", "private"}});
    EXPECT_EQ(alice.put("/api/v1/statuses/" + id, {{"status", "hello again"}}).status, 200);
    auto uri = url(post(alice, id));
    Answer update{200, w.read([&](db::Read& db) { return statuses::update_activity(db, number(id)); }), {}};
    EXPECT_EQ(update["id"].substr(0, uri.size() + 9), uri + "#updates/");
    EXPECT_EQ(update["object.content"], "<p>hello again</p>");
    EXPECT_NE(update["object.updated"], "absent");
    EXPECT_EQ(alice.del("/api/v1/statuses/" + id).status, 200);
    auto gone = w.read([&](db::Read& db) { return statuses::delete_activity(db, number(id)); });
    EXPECT_EQ(members(gone), "id type actor to object");
    Answer removal{200, gone, {}};
    EXPECT_EQ(removal["id"], uri + "#delete");
    EXPECT_EQ(removal["to"], R"(["https://www.w3.org/ns/activitystreams#Public"])");
    EXPECT_EQ(removal["object"], R"({"id":")" + uri + R"(","type":"Tombstone","atomUri":")" + uri + R"("})");
}

TEST_P(Documents, of_a_page_cost_the_same_whatever_its_length) {
    auto alice = w.local("alice"), bob = w.local("bob");
    auto fill = [&] {
        auto id = alice.status("@bob #birds");
        alice.answers(id, "@bob goes on");
        alice.status("quotes", {{"quoted_status_id", id}});
        alice.reblogs(bob.status("of bob"));
    };
    auto cost = [&] {
        w.queries();
        EXPECT_EQ(peer.get(actor(alice) + "/outbox?page=true").status, 200);
        return w.queries();
    };
    fill();
    auto of_few = cost();
    for (int i = 0; i < 4; ++i) fill();
    EXPECT_EQ(cost(), of_few);
}

TEST_P(Documents, wait_for_a_key_that_is_still_being_made) {
    auto account = w.write([](db::Write& db) { return accounts::create(db, "fresh"); });
    auto missing = [&] {
        return w.read([&](db::Read& db) {
            try {
                federation::actor_document(db, accounts::account(db, account));
            } catch (const base::Unavailable&) {
                return true;
            }
            return false;
        });
    };
    EXPECT_TRUE(missing());
    w.write([&](db::Write& db) { db.emit(federation::KeyWanted{account}); });
    w.run_jobs();
    EXPECT_FALSE(missing());
    w.write([&](db::Write& db) { db.emit(federation::KeyWanted{account}); });
    w.changed();
    w.run_jobs();
    EXPECT_EQ(w.changed(), "jobs -1");
}

}  // namespace
