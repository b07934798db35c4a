// SPDX-License-Identifier: AGPL-3.0-or-later
// What harms by way of an inbox and is tested nowhere nearer to what it attacks. Numbers are those of the list of attacks.
#include "base/json.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/verifying/known_keys.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr, testing::Not;

const db::Query<std::int64_t> test_fetched_keys{"test_fetched_keys", "SELECT count(*) FROM fetched_keys"};

const db::Query<std::int64_t> test_waiting_items{"test_waiting_items", "SELECT count(*) FROM inbox_items"};

struct Attacks : OnEachWorld {
    Person alice = w.local("alice"), dora = w.local("dora");
    Peer bob = Peer(w).known();

    void comes(const Peer& from, const std::string& body) {
        EXPECT_EQ(from.brings(body).status, 202);
        w.run_inbox();
    }
    // A post that names alice, so that it is kept; its id here, empty when it was not.
    std::string note(const std::string& number, const std::string& content, const std::string& more = "") {
        auto mention = R"("tag":[{"type":"Mention","href":")" + uri_of(w, alice) + R"("}])";
        auto before = alice.get("/api/v1/notifications").ids();
        comes(bob, bob.create(bob.note(number, content, "," + (more.empty() ? mention : more)), number));
        auto after = alice.get("/api/v1/notifications");
        return after.ids().size() > before.size() ? after["0.status.id"] : "";
    }
    std::string number(const Peer& peer) { return std::to_string(peer.id.value); }
    std::string accepted(const Person& who) {
        return bob.activity(
            "Accept",
            R"({"type":"Follow","actor":")" + uri_of(w, who) + R"(","object":")" + bob.uri + "\"}",
            "accept-" + who.name
        );
    }
};
ON_EACH_DATABASE(Attacks);

TEST_P(Attacks, attack_18_a_follow_shows_nothing_before_it_is_accepted) {
    for (const auto& who : {alice, dora})
        EXPECT_EQ(who.post("/api/v1/accounts/" + number(bob) + "/follow")["requested"], "true");
    comes(bob, accepted(dora));
    auto to_followers = "\"" + bob.uri + "/followers\"";
    comes(bob, bob.create(bob.note("1", "for followers", "", to_followers), "1"));
    w.run_jobs();
    auto seen = dora.home();
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(dora.get("/api/v1/statuses/" + seen[0])["visibility"], "private");
    EXPECT_TRUE(alice.home().empty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + seen[0]).status, 404);
    EXPECT_TRUE(alice.get("/api/v1/accounts/" + number(bob) + "/statuses").ids().empty());
}

TEST_P(Attacks, attack_35_nobody_publishes_through_an_outbox) {
    auto document = bob.create(bob.note("1", "hello"), "1");
    for (const auto& path : {"/ap/users/" + alice.id + "/outbox", std::string("/users/alice/outbox")}) {
        auto answer = alice.send(http::Method::post, path, document, "application/activity+json");
        EXPECT_TRUE(answer.status == 404 || answer.status == 405) << path << " " << answer.status;
    }
    EXPECT_EQ(w.happened(), "");
}

TEST_P(Attacks, attack_36_what_moderators_elsewhere_decide_of_a_group_is_no_block) {
    comes(bob, bob.follow(uri_of(w, alice)));
    w.happened();
    auto community = R"(,"target":"https://far.example/c/birds")";
    comes(bob, bob.activity("Block", uri_of(w, alice), "ban", community));
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", {{"id[]", number(bob)}})["0.followed_by"], "true");
    auto status = alice.status("mine");
    w.happened();
    auto removal = bob.activity("Delete", uri_of(w, status), "removal", R"(,"summary":"spam")");
    EXPECT_EQ(bob.brings(removal).status, 202);
    auto wrapped = bob.activity("Announce", removal, "announced", R"(,"to":"as:Public")");
    EXPECT_EQ(bob.brings(wrapped).status, 202);
    w.run_inbox();
    EXPECT_EQ(w.happened(), "");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status).status, 200);
}

TEST_P(Attacks, attack_66_markup_nested_a_hundred_thousand_times_is_shown_flat) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<b>";
    auto id = note("1", deep + "here");
    ASSERT_NE(id, "");
    EXPECT_THAT(alice.get("/api/v1/statuses/" + id)["content"], HasSubstr("here"));
    EXPECT_LT(alice.get("/api/v1/statuses/" + id)["content"].size(), 300'000u);
}

TEST_P(Attacks, attack_73_keys_of_many_unknown_hosts_are_forgotten_again) {
    for (int i = 0; i < 40; ++i) {
        Peer stranger(w, "eve", "h" + std::to_string(i) + ".example");
        stranger.signs_with_another_key();
        EXPECT_NE(stranger.brings(stranger.follow(uri_of(w, alice))).status, 202);
    }
    EXPECT_EQ(w.happened(), "");
    EXPECT_LE(w.read([](db::Read& db) { return db.one(test_fetched_keys); }), 40);
    w.advance(3600);
    w.write(federation::purge_fetched_keys);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_fetched_keys); }), 0);
}

TEST_P(Attacks, attack_74_deletions_of_strangers_cost_no_question_and_no_row) {
    for (int i = 0; i < 200; ++i) {
        Peer stranger(w, "eve" + std::to_string(i), "far.example");
        auto end = stranger.activity("Delete", stranger.uri, "end-" + std::to_string(i));
        EXPECT_EQ(stranger.brings(end).status, 202);
    }
    EXPECT_EQ(w.changed(), "");
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(Attacks, attack_78_no_document_breaks_a_page_that_shows_it) {
    auto mention = R"("tag":[{"type":"Mention","href":")" + uri_of(w, alice) + R"("},null,7,[],{"type":[]}])";
    const char* odd[] = {
        R"("summary":{"en":"x"},"content":["a","b"])",
        R"("published":"99999-99-99T99:99:99Z","updated":"yesterday")",
        R"("published":"0001-01-01T00:00:00Z")",
        R"("attachment":[null,{"type":"Document"},{"type":"Image","url":[[[]]]},{"type":"Link","href":"\u0000"}])",
        R"("inReplyTo":{"id":{"id":"https://far.example/notes/0"}})",
        R"("contentMap":{"":"","x-very-long-language-tag-that-nobody-has":"a"},"content":null)",
        R"("name":"\ud800","content":"\udfff \u0000 \u202e")",
        R"~("url":["javascript:alert(1)",{"type":"Link","href":"data:text/html,x"}])~",
        R"("likes":{"totalItems":-5},"shares":{"totalItems":99999999999999999999})",
        R"("type":"Question","oneOf":[{}],"endTime":"never","votersCount":"many")",
        R"("type":["Note","Article"],"sensitive":"perhaps","context":{"id":7})",
        R"("quote":{"quote":{"quote":"https://far.example/notes/quote"}},"quoteUrl":[1])",
        R"("icon":{"url":"https://[::1"},"source":"text","to":{"a":"b"})",
    };
    int number = 100;
    for (const auto* members : odd) {
        auto body = bob.note(std::to_string(++number), "odd", "," + mention + "," + members);
        auto status = bob.brings(bob.create(body, std::to_string(number))).status;
        EXPECT_TRUE(status == 202 || status == 400) << status << members;
        w.run_inbox();
    }
    w.run_jobs();
    auto page = "/api/v1/accounts/" + this->number(bob) + "/statuses";
    EXPECT_EQ(alice.get(page).status, 200);
    EXPECT_EQ(w.anonymous().get(page).status, 200);
    for (const auto& id : alice.get(page, {{"limit", "40"}}).ids())
        for (const auto& way : {"", "/context", "/history", "/source"})
            EXPECT_EQ(alice.get("/api/v1/statuses/" + id + way).status, 200) << id << way;
    EXPECT_EQ(alice.get("/api/v1/notifications").status, 200);
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_waiting_items); }), 0);
}

TEST_P(Attacks, attack_80_the_same_post_in_many_envelopes_is_one_post) {
    auto mention = R"(,"tag":[{"type":"Mention","href":")" + uri_of(w, alice) + R"("}])";
    auto body = bob.note("1", "once", mention);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(bob.brings(bob.create(body, std::to_string(i % 3))).status, 202);
    w.run_inbox();
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/notifications").ids().size(), 1u);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + number(bob) + "/statuses").ids().size(), 1u);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + number(bob))["statuses_count"], "1");
}

// What a browser would run, wherever an app may show it.
void expect_harmless(const std::string& body) {
    for (const auto* bad :
         {"<script",
          "<img",
          "<svg",
          "<iframe",
          "<style",
          "<form",
          "onerror=",
          "onload=",
          "javascript:",
          "vbscript:",
          "data:text",
          "srcdoc"})
        EXPECT_THAT(body, Not(HasSubstr(bad)));
}

TEST_P(Attacks, attack_86_nothing_that_came_from_elsewhere_runs_in_a_browser) {
    const char* contents[] = {
        R"(<p>a<script>alert(1)</script></p>)",
        R"(<img src=x onerror=alert(1)>)",
        R"(<svg><style><img src=x onerror=alert(1)></style></svg>)",
        R"(<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=alert(1)&gt;">)",
        R"(<noscript><p title="</noscript><img src=x onerror=alert(1)>">)",
        R"~(<a href="java\nscript:alert(1)">x</a><a href="&#106;avascript:alert(1)">y</a>)~",
        R"~(<p style="background:url(javascript:alert(1))">x</p><iframe srcdoc="<script>1</script>"></iframe>)~",
        R"(<form action="https://evil.example"><button formaction="javascript:1">x</button></form>)",
    };
    int number = 0;
    for (const auto* content : contents) {
        auto id = note(std::to_string(++number), content);
        if (id.empty()) continue;
        expect_harmless(alice.get("/api/v1/statuses/" + id)["content"]);
    }
    EXPECT_GT(alice.get("/api/v1/notifications").ids().size(), 5u);
}

TEST_P(Attacks, attack_87_emojis_are_told_beside_the_text_and_never_put_into_it) {
    auto id = note(
        "1",
        R"(<p><a href="https://far.example/:blob:" class=":blob:">:blob:</a></p>)",
        R"("tag":[{"type":"Emoji","name":":blob:","icon":{"type":"Image","url":"https://far.example/b.png\" onerror=\"x"}},)"
        R"({"type":"Mention","href":")" +
            uri_of(w, alice) + R"("}])"
    );
    ASSERT_NE(id, "");
    auto shown = alice.get("/api/v1/statuses/" + id);
    EXPECT_THAT(shown["content"], HasSubstr("https://far.example/:blob:"));
    expect_harmless(shown["content"]);
    EXPECT_THAT(shown["emojis.0.url"], Not(HasSubstr("onerror")));
}

TEST_P(Attacks, attack_89_addresses_that_are_no_web_pages_are_told_nowhere) {
    auto id = note(
        "1",
        "hello",
        R"~("url":"javascript:alert(1)","attachment":[{"type":"Document","mediaType":"image/png","url":"data:text/html,x"},)~"
        R"({"type":"Document","mediaType":"image/png","url":"vbscript:x"}],"tag":[{"type":"Mention","href":")" +
            uri_of(w, alice) + R"("}])"
    );
    ASSERT_NE(id, "");
    auto shown = alice.get("/api/v1/statuses/" + id);
    expect_harmless(shown.body);
    EXPECT_EQ(shown["media_attachments.0.id"], "absent");
}

TEST_P(Attacks, attack_90_links_say_where_they_lead) {
    auto id = note(
        "1",
        R"(<a href="https://evil.example/" class="u-url mention invisible" rel="me" target="_top">https://bank.example/</a>)"
    );
    ASSERT_NE(id, "");
    auto content = alice.get("/api/v1/statuses/" + id)["content"];
    EXPECT_THAT(content, HasSubstr("nofollow"));
    EXPECT_THAT(content, HasSubstr("noopener"));
    EXPECT_THAT(content, Not(HasSubstr("rel=\"me\"")));
    EXPECT_THAT(content, Not(HasSubstr("_top")));
}

}  // namespace
