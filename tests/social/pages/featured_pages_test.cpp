// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody recommends, attachments by their short addresses, and the ways to and from other servers.
#include "base/crypto.hpp"
#include "social/accounts/users/user.hpp"
#include "social/federation/elsewhere.hpp"
#include "social/federation/remote.hpp"
#include "social/media/media.hpp"

namespace {

struct MorePages : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    Person browser = w.anonymous().with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");

    static bool says(const Answer& page, const std::string& text) {
        return page.body.find(text) != std::string::npos;
    }
    std::string made(const Fields& more = {}) {
        bob.patch("/api/v1/accounts/update_credentials", {{"discoverable", "true"}});
        Fields form{
            {"name", "Friends of <mine>"},
            {"description", "All of them"},
            {"sensitive", "false"},
            {"discoverable", "true"},
            {"account_ids[]", bob.id}
        };
        for (const auto& [name, value] : more) {
            std::erase_if(form, [&](const auto& f) { return f.first == name; });
            form.emplace_back(name, value);
        }
        auto answer = alice.post("/api/v1/collections", form);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer["collection.id"];
    }
    // Attached to a post of alice's.
    std::string attached(media::Type type, const Fields& fields = {}) {
        media::Media m;
        m.account_id = {std::stoll(alice.id)};
        m.type = type;
        m.file = "made/of/an/upload.bin";
        m.preview = "made/of/an/upload.png";
        m.description = "a \"bird\"";
        auto id = std::to_string(w.write([&](db::Write& db) { return media::create(db, m); }).value);
        auto form = fields;
        form.emplace_back("media_ids[]", id);
        alice.status("look", form);
        return id;
    }
    std::string location(const std::string& path) { return browser.get(path).header("Location"); }
};
ON_EACH_DATABASE(MorePages);

TEST_P(MorePages, show_what_somebody_features) {
    EXPECT_TRUE(says(browser.get("/@alice/featured"), "Nothing yet."));
    auto post = alice.status("pinned words");
    alice.status("other words");
    alice.post("/api/v1/statuses/" + post + "/pin");
    auto secret = alice.status("secret words", {{"visibility", "private"}});
    alice.post("/api/v1/statuses/" + secret + "/pin");
    alice.post("/api/v1/featured_tags", {{"name", "Birds"}});
    alice.follows(bob);
    alice.post("/api/v1/accounts/" + bob.id + "/endorse");
    auto page = browser.get("/@alice/featured");
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "pinned words") && says(page, "#Birds") && says(page, "@bob")) << page.body;
    EXPECT_TRUE(says(page, "/@alice/tagged/birds"));
    EXPECT_FALSE(says(page, "other words") || says(page, "secret words") || says(page, "Nothing yet."));
    w.suspend(bob);
    EXPECT_FALSE(says(browser.get("/@alice/featured"), "@bob"));
    alice.patch("/api/v1/profile", {{"show_featured", "false"}});
    auto hidden = browser.get("/@alice/featured");
    EXPECT_TRUE(says(hidden, "This is not shown.") && !says(hidden, "pinned words")) << hidden.body;
    w.suspend(alice);
    EXPECT_EQ(browser.get("/@alice/featured").status, 403);
    EXPECT_EQ(browser.get("/@nobody/featured").status, 404);
}

TEST_P(MorePages, speak_the_language_that_the_browser_asks_for) {
    alice.patch("/api/v1/accounts/update_credentials", {{"display_name", "Rules"}});
    auto id = alice.status("words");
    auto german = browser.with("Accept-Language", "de-AT,en;q=0.5");
    auto page = german.get("/@alice");
    EXPECT_TRUE(says(page, "<html lang=\"de\"") && says(page, "Beiträge und Antworten")) << page.body;
    EXPECT_TRUE(says(page, "<h1>Rules</h1>")) << "names are names";
    EXPECT_TRUE(page.header("Vary").find("Accept-Language") != std::string::npos);
    EXPECT_TRUE(says(german.get("/@alice/" + id), "<title>Ein Beitrag von Rules - "));
    EXPECT_TRUE(says(german.get("/rules"), "<h1>Regeln</h1>"));
    EXPECT_TRUE(says(german.get("/privacy-policy"), "<h1>Datenschutz</h1>"));
    EXPECT_TRUE(says(german.get("/@alice/followers"), "<h1>Wer folgt "));
    EXPECT_TRUE(says(browser.with("Accept-Language", "ar").get("/explore"), "dir=\"rtl\""));
    EXPECT_TRUE(says(browser.with("Accept-Language", "sv").get("/rules"), "<h1>Rules</h1>"));
    EXPECT_TRUE(says(browser.get("/rules"), "<html lang=\"en\" dir=\"ltr\">"));
    w.site().language = "fr";
    EXPECT_TRUE(says(browser.get("/rules"), "<h1>Règles</h1>"));
    EXPECT_TRUE(says(browser.with("Accept-Language", "en").get("/rules"), "<h1>Rules</h1>"));
}

TEST_P(MorePages, show_collections_and_who_is_in_them) {
    EXPECT_TRUE(says(browser.get("/@alice/collections"), "Nothing yet."));
    auto id = made();
    auto hidden = made({{"name", "Nobody's business"}, {"discoverable", "false"}});
    auto list = browser.get("/@alice/collections");
    EXPECT_TRUE(says(list, "Friends of &lt;mine&gt;") && says(list, "All of them")) << list.body;
    EXPECT_FALSE(says(list, "business"));
    auto page = browser.get("/collections/" + id);
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "<h1>Friends of &lt;mine&gt;</h1>") && says(page, "@bob")) << page.body;
    EXPECT_TRUE(says(page, "application/activity+json"));
    // Who has the address sees it; search engines are asked to leave it out.
    EXPECT_TRUE(says(browser.get("/collections/" + hidden), "content=\"noindex\""));
    auto program = w.anonymous().with("Accept", "application/activity+json").get("/collections/" + id);
    EXPECT_EQ(program["type"], "FeaturedCollection");
    auto sensitive = made({{"name", "Careful"}, {"sensitive", "true"}, {"description", "not at once"}});
    EXPECT_FALSE(says(browser.get("/@alice/collections"), "not at once"));
    EXPECT_TRUE(says(browser.get("/collections/" + sensitive), "sensitive"));
    w.suspend(alice);
    EXPECT_EQ(browser.get("/collections/" + id).status, 404);
    EXPECT_EQ(browser.get("/collections/1").status, 404);
}

TEST_P(MorePages, show_attachments_by_their_numbers_to_whom_their_post_is) {
    auto video = attached(media::Type::video), image = attached(media::Type::image);
    auto file = "http://localhost:3000/media/made/of/an/upload.bin";
    auto preview = "http://localhost:3000/media/made/of/an/upload.png";
    EXPECT_EQ(location("/media/" + video), file);
    EXPECT_EQ(location("/media_proxy/" + video + "/original"), file);
    EXPECT_EQ(location("/media_proxy/" + video + "/small"), preview);
    EXPECT_EQ(browser.get("/media_proxy/" + video + "/large").status, 404);
    auto player = browser.get("/media/" + video + "/player");
    EXPECT_EQ(player.status, 200);
    EXPECT_TRUE(says(player, "<video") && says(player, "aria-label=\"a &quot;bird&quot;\"")) << player.body;
    EXPECT_NE(player.header("Content-Security-Policy").find("frame-ancestors *"), std::string::npos);
    EXPECT_TRUE(says(browser.get("/media/" + attached(media::Type::audio) + "/player"), "<audio"));
    EXPECT_EQ(browser.get("/media/" + image + "/player").status, 404);
    for (const auto& fields :
         {Fields{{"visibility", "private"}}, Fields{{"visibility", "direct"}}, Fields{{"local_only", "true"}}
         }) {
        auto id = attached(media::Type::video, fields);
        for (std::string path : {"/media/" + id, "/media/" + id + "/player", "/media_proxy/" + id + "/small"})
            EXPECT_EQ(browser.get(path).status, 404) << path;
    }
    EXPECT_EQ(browser.get("/media/1").status, 404);
    w.suspend(alice);
    EXPECT_EQ(browser.get("/media/" + video).status, 404);
}

TEST_P(MorePages, of_people_and_posts_of_other_servers_show_the_way_there) {
    auto far = remote::somebody(w, "carol");
    auto post = remote::stored(w, remote::note(w, far, "1"));
    auto profile = browser.get("/@carol@far.example");
    EXPECT_EQ(profile.status, 200);
    EXPECT_TRUE(says(profile, "href=\"https://far.example/@carol\"")) << profile.body;
    auto page = browser.get("/@carol@far.example/" + post);
    EXPECT_EQ(page.status, 200);
    EXPECT_TRUE(says(page, "href=\"https://far.example/@x/1\"") && !says(page, "hello")) << page.body;
    EXPECT_EQ(location("/@carol@far.example/media"), "http://localhost:3000/@carol%40far.example");
    EXPECT_EQ(browser.get("/@bob@far.example/" + post).status, 404);
    auto own = alice.status("mine");
    EXPECT_EQ(browser.get("/@carol@far.example/" + own).status, 404);
    EXPECT_EQ(location("/@alice@localhost/" + own), "http://localhost:3000/@alice/" + own);
    auto note = remote::note(w, far, "2");
    note.visibility = statuses::Visibility::private_;
    EXPECT_EQ(browser.get("/@carol@far.example/" + remote::stored(w, note)).status, 404);
}

TEST_P(MorePages, ask_strangers_to_sign_in_before_they_look_at_what_is_elsewhere) {
    remote::somebody(w, "carol");
    auto asked = [](const std::string& uri) {
        return "/authorize_interaction?uri=" + form_encoded({{"", uri}}).substr(1);
    };
    for (std::string uri : {"acct:carol@far.example", "https://elsewhere.test/@x"})
        EXPECT_TRUE(location(asked(uri)).starts_with("/auth/sign_in?return_to=%2Fauthorize_interaction"))
            << uri;
    EXPECT_EQ(location(asked("acct:alice@localhost")), "http://localhost:3000/@alice");
    EXPECT_EQ(browser.get("/authorize_interaction").status, 404);
}

// The way home: what a browser does with the form.
struct WayHome : MorePages {
    const std::string here = "http://localhost:3000/@alice";

    Answer send(const std::string& uri, const std::string& acct, bool proven = true) {
        auto page = browser.get("/remote_interaction_helper?" + form_encoded({{"uri", uri}}));
        EXPECT_EQ(page.status, 200);
        auto cookie = page.header("Set-Cookie");
        constexpr std::string_view mark = "name=\"authenticity_token\" value=\"";
        auto at = page.body.find(mark) + mark.size();
        auto proof = page.body.substr(at, page.body.find('"', at) - at);
        auto who = browser.with("Cookie", cookie.substr(0, cookie.find(';')));
        return who.post(
            "/remote_interaction_helper",
            {{"uri", uri}, {"acct", acct}, {"authenticity_token", proven ? proof : "wrong"}}
        );
    }
    static void far_says(const std::string& links) {
        elsewhere::serve(
            elsewhere::webfinger_url("carol@far.example"),
            R"({"subject":"acct:carol@far.example","links":[{"rel":"self","type":"application/activity+json",)"
            R"("href":"https://far.example/users/carol"})" +
                links + "]}",
            "application/jrd+json"
        );
    }
};
ON_EACH_DATABASE(WayHome);

TEST_P(WayHome, leads_to_where_the_server_of_a_person_says) {
    far_says(
        R"(,{"rel":"http://ostatus.org/schema/1.0/subscribe","template":"https://far.example/follow?what={uri}"})"
    );
    for (std::string acct : {"carol@far.example", " @carol@far.example "})
        EXPECT_EQ(
            send(here, acct).header("Location"),
            "https://far.example/follow?what=http%3A%2F%2Flocalhost%3A3000%2F%40alice"
        );
    EXPECT_EQ(
        send(here, "bob@localhost").header("Location"),
        "/authorize_interaction?uri=http%3A%2F%2Flocalhost%3A3000%2F%40alice"
    );
}

// FEP-3b86. What a template wants besides is left empty.
TEST_P(WayHome, is_the_one_for_what_is_meant_where_the_server_knows_several) {
    const std::string before =
        R"(,{"rel":"http://ostatus.org/schema/1.0/subscribe","template":"https://far.example/old?{uri}"})";
    const std::string follow =
        R"(,{"rel":"https://w3id.org/fep/3b86/Follow","template":"https://far.example/follow?who={object}&then={on-success}"})";
    const std::string object =
        R"(,{"rel":"https://w3id.org/fep/3b86/Object","template":"https://far.example/see?{object}"})";
    const std::string actor = "http%3A%2F%2Flocalhost%3A3000%2F%40alice";
    auto way = [&](const std::string& links, const std::string& uri) {
        far_says(links);
        return send(uri, "carol@far.example").header("Location");
    };
    const auto post = here + "/1";
    EXPECT_EQ(way(before + follow + object, here), "https://far.example/follow?who=" + actor + "&then=");
    EXPECT_EQ(way(before + follow + object, post), "https://far.example/see?" + actor + "%2F1");
    EXPECT_EQ(way(before + object, here), "https://far.example/old?" + actor);
    EXPECT_EQ(way(before, post), "https://far.example/old?" + actor + "%2F1");
    EXPECT_EQ(way(object, here), "https://far.example/see?" + actor);
    EXPECT_EQ(send(here, "nobody@silent.example").header("Location"), "");
    for (const auto* template_of_nothing :
         {"https://far.example/", "https://far.example/{", "gopher://x/{object}"})
        EXPECT_EQ(
            way(R"(,{"rel":"https://w3id.org/fep/3b86/Follow","template":")" +
                    std::string(template_of_nothing) + "\"}",
                here),
            ""
        ) << template_of_nothing;
}

TEST_P(WayHome, is_said_not_to_be_known_where_it_is_not) {
    far_says("");
    for (std::string acct : {"carol@far.example", "carol@silent.example", "nonsense", ""}) {
        auto page = send(here, acct);
        EXPECT_EQ(page.status, 422) << acct;
        EXPECT_TRUE(says(page, "could not be asked")) << page.body;
    }
}

// One browser, with its cookies, that comes again.
struct HomeRemembered : WayHome {
    std::string cookies;

    HomeRemembered() {
        far_says(
            R"(,{"rel":"http://ostatus.org/schema/1.0/subscribe","template":"https://far.example/go?{uri}"})"
        );
        keep(browser.get("/remote_interaction_helper"));
    }
    void keep(const Answer& answer) {
        for (const auto& [name, value] : answer.headers)
            if (name == "Set-Cookie")
                cookies += (cookies.empty() ? "" : "; ") + value.substr(0, value.find(';'));
    }
    Answer form() {
        return browser.with("Cookie", cookies).get("/remote_interaction_helper", {{"uri", here}});
    }
    Answer post(const std::string& path, Fields fields) {
        auto page = form().body;
        constexpr std::string_view mark = "name=\"authenticity_token\" value=\"";
        auto at = page.find(mark) + mark.size();
        fields.emplace_back("authenticity_token", page.substr(at, page.find('"', at) - at));
        return browser.with("Cookie", cookies).post("/remote_interaction_helper" + path, fields);
    }
    void remember() { keep(post("", {{"uri", here}, {"acct", "@carol@Far.Example "}, {"remember", "1"}})); }
    void plant(const std::string& value) { cookies += "; dunlin_home=" + value; }
};
ON_EACH_DATABASE(HomeRemembered);

TEST_P(HomeRemembered, is_kept_on_request_only_and_one_button_is_enough_then) {
    EXPECT_EQ(post("", {{"uri", here}, {"acct", "carol@far.example"}}).header("Set-Cookie"), "");
    auto led = post("", {{"uri", here}, {"acct", "@carol@Far.Example "}, {"remember", "1"}});
    EXPECT_TRUE(led.header("Location").starts_with("https://far.example/go?http"));
    EXPECT_EQ(
        led.header("Set-Cookie"),
        "dunlin_home=" + base::base64url("carol@far.example") +
            "; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
    );
    keep(led);
    auto page = form();
    EXPECT_TRUE(says(page, "value=\"carol@far.example\"")) << page.body;
    EXPECT_TRUE(says(page, "name=\"remember\" value=\"1\" checked"));
    EXPECT_TRUE(says(page, "Remembered on this device: @carol@far.example"));
    EXPECT_EQ(page.header("Cache-Control"), "private, no-store");
    EXPECT_FALSE(says(browser.get("/remote_interaction_helper"), "carol")) << "of this browser alone";
}

TEST_P(HomeRemembered, is_forgotten_by_its_button_or_without_the_tick_and_not_by_others) {
    const std::string gone = "dunlin_home=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0";
    remember();
    auto forgotten = post("/forget", {{"uri", here}});
    EXPECT_EQ(forgotten.header("Set-Cookie"), gone);
    EXPECT_TRUE(forgotten.header("Location").starts_with("/remote_interaction_helper?uri=http"));
    EXPECT_EQ(post("", {{"uri", here}, {"acct", "carol@far.example"}}).header("Set-Cookie"), gone);
    auto foreign = browser.with("Cookie", cookies)
                       .post("/remote_interaction_helper/forget", {{"authenticity_token", "wrong"}});
    EXPECT_EQ(foreign.status, 422);
    EXPECT_EQ(foreign.header("Set-Cookie"), "");
}

TEST_P(HomeRemembered, is_not_kept_where_it_leads_nowhere) {
    for (std::string acct : {"carol@silent.example", "nonsense", ""}) {
        auto page = post("", {{"uri", here}, {"acct", acct}, {"remember", "1"}});
        EXPECT_EQ(page.status, 422) << acct;
        EXPECT_EQ(page.header("Set-Cookie"), "") << acct;
        EXPECT_TRUE(says(page, "name=\"remember\" value=\"1\" checked")) << "what was chosen stays";
    }
}

// A cookie is text that anybody may have put there.
TEST_P(HomeRemembered, is_read_as_what_somebody_typed) {
    for (const auto& value : {
             std::string("%%%"),
             base::base64url("https://evil.example/{uri}"),
             base::base64url("carol@evil.example/path"),
             base::base64url("carol@far.example\r\nX: y"),
             base::base64url("\"><b>@far.example"),
             base::base64url(std::string(400, 'a') + "@far.example"),
             std::string(5000, 'a'),
         }) {
        auto kept = cookies;
        plant(value);
        auto page = form();
        EXPECT_EQ(page.status, 200);
        EXPECT_TRUE(says(page, "name=\"acct\" type=\"text\" value=\"\"")) << page.body;
        EXPECT_FALSE(says(page, "Remembered"));
        cookies = kept;
    }
    plant(base::base64url("carol@silent.example"));
    EXPECT_TRUE(says(form(), "value=\"carol@silent.example\""));
    auto led = post("", {{"uri", here}, {"acct", "carol@silent.example"}, {"remember", "1"}});
    EXPECT_EQ(led.status, 422) << "its server says no way";
}

TEST_P(WayHome, is_shown_for_what_is_here_and_from_our_form_alone) {
    far_says(
        R"(,{"rel":"http://ostatus.org/schema/1.0/subscribe","template":"https://far.example/follow?what={uri}"})"
    );
    EXPECT_TRUE(says(send("https://evil.example/@alice", "carol@far.example"), "no address of this server"));
    EXPECT_TRUE(says(send(here, "carol@far.example", false), "open for too long"));
}

}  // namespace
