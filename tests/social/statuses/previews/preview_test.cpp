// SPDX-License-Identifier: AGPL-3.0-or-later
// Link previews, from a post with a link to the card that its readers see.
#include "social/statuses/previews/preview.hpp"

#include "internet.hpp"
#include "social/federation/remote.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/previews/preview_page.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

namespace {

const db::Command test_attribute{
    "test_attribute", "UPDATE accounts SET attribution_domains = $2 WHERE id = $1"
};
const db::Command test_discoverable{
    "test_discoverable", "UPDATE accounts SET discoverable = TRUE WHERE id = $1"
};

const db::Query<std::int64_t> test_previews{
    "test_previews", "SELECT (SELECT count(*) FROM preview_cards) + (SELECT count(*) FROM card_images) AS n"
};

const std::string article = R"(<!doctype html><html lang="en-GB"><head><title>Plain title</title>
<meta property="og:title" content="A &amp; B"><meta property="og:description" content="What it is about">
<meta property="og:site_name" content="The Paper"><meta property="og:image" content="/picture.png">
<meta property="og:image:alt" content="A cat"><meta name="author" content="Ann">
<meta property="article:published_time" content="2026-01-02T03:04:05Z">
<meta name="fediverse:creator" content="@alice@localhost">
</head><body>…</body></html>)";

struct Previews : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    Previews() {
        internet().page("https://paper.example/a", article);
        media::Stored picture;
        picture.file = "media/ab/ab12.png";
        picture.preview = "media/ab/ab12_small.png";
        picture.width = 2000, picture.height = 1000;
        picture.preview_width = 640, picture.preview_height = 320;
        picture.blurhash = "UABC";
        internet().pictures["https://paper.example/picture.png"] = picture;
    }
    std::string card(const Person& who, const std::string& status, const std::string& member) {
        return who.get("/api/v1/statuses/" + status)["card" + (member.empty() ? "" : "." + member)];
    }
    std::string link(const std::string& text) {
        auto id = bob.status(text);
        w.run_jobs();
        return id;
    }
};
ON_EACH_DATABASE(Previews);

TEST_P(Previews, show_what_the_page_says_of_itself) {
    auto id = bob.status("see https://paper.example/a#part");
    EXPECT_EQ(card(bob, id, ""), "null");
    w.run_jobs();
    EXPECT_EQ(card(bob, id, "url"), "https://paper.example/a#part");
    EXPECT_EQ(card(bob, id, "title"), "A & B");
    EXPECT_EQ(card(bob, id, "description"), "What it is about");
    EXPECT_EQ(card(bob, id, "language"), "en-GB");
    EXPECT_EQ(card(bob, id, "type"), "link");
    EXPECT_EQ(card(bob, id, "provider_name"), "The Paper");
    EXPECT_EQ(card(bob, id, "author_name"), "Ann");
    EXPECT_EQ(card(bob, id, "published_at"), "2026-01-02T03:04:05.000Z");
    EXPECT_EQ(card(bob, id, "image"), "http://localhost:3000/media/media/ab/ab12_small.png");
    EXPECT_EQ(card(bob, id, "image_description"), "A cat");
    EXPECT_EQ(card(bob, id, "width"), "640");
    EXPECT_EQ(card(bob, id, "height"), "320");
    EXPECT_EQ(card(bob, id, "blurhash"), "UABC");
    EXPECT_EQ(card(bob, id, "html"), "");
    EXPECT_EQ(card(bob, id, "authors.0.name"), "Ann");
    EXPECT_EQ(card(bob, id, "authors.0.account"), "null");
    EXPECT_EQ(card(w.anonymous(), id, "missing_attribution"), "absent");
    EXPECT_EQ(card(bob, id, "missing_attribution"), "false");
    EXPECT_EQ(card(alice, id, "missing_attribution"), "true");
}

TEST_P(Previews, are_fetched_once_for_all_who_link) {
    link("https://paper.example/a");
    EXPECT_EQ(internet().asked.size(), 1u);
    auto again = alice.status("also https://paper.example/a#x");
    EXPECT_EQ(card(alice, again, "title"), "A & B");  // at once
    w.run_jobs();
    EXPECT_EQ(internet().asked.size(), 1u);
    w.advance(15 * 86'400);
    link("https://paper.example/a");
    EXPECT_EQ(internet().asked.size(), 2u);
}

TEST_P(Previews, of_pages_that_fail_are_not_asked_for_by_every_post) {
    auto id = link("https://gone.example/");
    EXPECT_EQ(card(bob, id, ""), "null");
    for (int i = 0; i < 5; ++i) link("https://gone.example/");
    EXPECT_EQ(internet().asked.size(), 1u);
    w.advance(2 * 3600);
    internet().page("https://gone.example/", "<title>Back</title>");
    EXPECT_EQ(card(bob, link("https://gone.example/"), "title"), "Back");
}

TEST_P(Previews, never_ask_ourselves_or_mentioned_people_or_tags) {
    alice.status("@bob #tag http://localhost:3000/@bob and ftp://x.example/ and mailto:a@b.example");
    EXPECT_EQ(w.run_jobs(), 0);
    EXPECT_TRUE(internet().asked.empty());
}

TEST_P(Previews, never_ask_what_others_write_as_names_without_a_word_for_it) {
    auto author = remote::somebody(w, "eve");
    auto note = remote::note(
        w,
        author,
        "1",
        R"(<p><a href="https://far.example/tags/tea" rel="tag">#tea</a> <a href="https://far.example/u/x">@x@far.example</a>)"
        R"( <a href="https://paper.example/a">#1 of all papers</a></p>)"
    );
    auto id = remote::stored(w, note);
    w.run_jobs();
    EXPECT_EQ(internet().asked.size(), 1u);
    EXPECT_EQ(card(bob, id, "url"), "https://paper.example/a");
}

TEST_P(Previews, take_the_first_link_that_can_be_asked) {
    internet().page("https://b.example/", "<title>B</title>");
    EXPECT_EQ(
        card(bob, link("http://localhost:3000/@bob https://b.example/ https://paper.example/a"), "title"), "B"
    );
}

TEST_P(Previews, follow_an_edit) {
    internet().page("https://b.example/", "<title>B</title>");
    auto id = link("https://paper.example/a");
    bob.put("/api/v1/statuses/" + id, {{"status", "https://b.example/"}});
    w.run_jobs();
    EXPECT_EQ(card(bob, id, "title"), "B");
    bob.put("/api/v1/statuses/" + id, {{"status", "no link"}});
    w.run_jobs();
    EXPECT_EQ(card(bob, id, ""), "null");
}

TEST_P(Previews, name_an_account_only_when_it_lists_the_domain) {
    auto id = link("https://paper.example/a");
    EXPECT_EQ(card(bob, id, "authors.0.account"), "null");
    alice.patch("/api/v1/accounts/update_credentials", {{"attribution_domains[]", "paper.example"}});
    w.run_jobs();
    EXPECT_EQ(card(bob, id, "authors.0.account.id"), alice.id);
    EXPECT_EQ(card(alice, id, "missing_attribution"), "false");
    alice.patch("/api/v1/accounts/update_credentials", {{"attribution_domains[]", "aper.example"}});
    w.run_jobs();
    EXPECT_EQ(card(bob, id, "authors.0.account"), "null");
}

TEST_P(Previews, of_players_hold_a_walled_frame_and_nothing_else_attack_88) {
    internet().page("https://video.example/v", R"(<title>V</title>
        <link rel="alternate" type="application/json+oembed" href="/oembed?v">)");
    internet().page(
        "https://video.example/oembed?v",
        R"x({"version":"1.0","type":"video","title":"Film","author_name":"Zoe","author_url":"javascript:alert(1)",
            "width":640,"height":360,"provider_url":"https://video.example/",
            "html":"<script>alert(1)</script><iframe src=\"https://video.example/e\" onload=\"alert(1)\" srcdoc=\"x\"></iframe><img src=x onerror=alert(1)>"})x",
        "application/json"
    );
    auto id = link("https://video.example/v");
    EXPECT_EQ(card(bob, id, "type"), "video");
    EXPECT_EQ(card(bob, id, "title"), "Film");
    EXPECT_EQ(card(bob, id, "author_url"), "");
    EXPECT_EQ(card(bob, id, "provider_url"), "https://video.example/");
    auto html = card(bob, id, "html");
    EXPECT_TRUE(html.starts_with("<iframe src=\"https://video.example/e\" width=\"640\" height=\"360\""))
        << html;
    EXPECT_NE(html.find("sandbox="), html.npos);
    for (auto bad : {"<script", "onload", "srcdoc", "onerror", "<img"})
        EXPECT_EQ(html.find(bad), html.npos) << bad << html;
}

TEST_P(Previews, refuse_markup_and_scripts_wherever_they_stand_attack_88) {
    for (std::string oembed :
         {R"x({"version":"1.0","type":"video","html":"<iframe src=\"javascript:alert(1)\">"})x",
          R"x({"version":"1.0","type":"video","html":"<iframe src=\"http://video.example/e\">"})x",
          R"x({"version":"1.0","type":"video","html":"<embed src=\"https://video.example/e\">"})x",
          R"x({"version":"1.0","type":"rich","html":"<b>x</b>"})x",
          R"x([])x",
          R"x({"version":1,"type":[]})x",
          "{",
          ""}) {
        statuses::PageCard card;
        card.oembed = "https://video.example/oembed";
        card.card.title = "T";
        statuses::add_oembed(card, oembed);
        EXPECT_EQ(card.card.html, "") << oembed;
        EXPECT_EQ(card.card.type, statuses::CardType::link) << oembed;
    }
    Fetched page;
    page.status = 200;
    page.url = "https://p.example/";
    page.headers = {{"content-type", "text/html"}};
    page.body =
        R"x(<title>a<b onclick="x">c</title><meta property="og:title" content="<script>alert(1)</script>x">
        <meta property="og:image" content="javascript:alert(1)"><meta property="article:author" content="data:text/html,x">
        <meta name="twitter:player" content="http://p.example/player"><base href="https://evil.example/">)x";
    auto found = statuses::card_of_page("https://p.example/", page);
    EXPECT_EQ(found.card.title.find('<'), std::string::npos) << found.card.title;
    EXPECT_EQ(found.image, "");
    EXPECT_EQ(found.card.author_url, "");
    EXPECT_EQ(found.card.html, "");
}

TEST_P(Previews, read_json_ld_and_other_encodings) {
    internet().page(
        "https://ld.example/",
        R"(<title>t</title><script type="application/ld+json">{"@context":"https://schema.org",
        "@graph":[{"@type":"Organization"},{"@type":"NewsArticle","headline":"Head","description":"Desc",
        "author":[{"name":"Ann","url":"https://ld.example/ann"}],"publisher":{"name":"Pub"},
        "datePublished":"2026-01-02","inLanguage":"de"}]}</script>)"
    );
    auto id = link("https://ld.example/");
    EXPECT_EQ(card(bob, id, "title"), "Head");
    EXPECT_EQ(card(bob, id, "author_url"), "https://ld.example/ann");
    EXPECT_EQ(card(bob, id, "provider_name"), "Pub");
    EXPECT_EQ(card(bob, id, "language"), "de");
    internet().page(
        "https://latin.example/",
        "<title>Gr\xFC\xDF"
        "e</title>",
        "text/html; charset=iso-8859-1"
    );
    EXPECT_EQ(card(bob, link("https://latin.example/"), "title"), "Grüße");
    internet().page("https://sjis.example/", "<meta charset=Shift_JIS><title>\x93\xFA\x96\x7B</title>");
    EXPECT_EQ(card(bob, link("https://sjis.example/"), "title"), "日本");
    internet().page("https://odd.example/", "<meta charset=utf-16><title>plain</title>");
    EXPECT_EQ(card(bob, link("https://odd.example/"), "title"), "plain");
}

TEST_P(Previews, cost_the_same_queries_for_one_and_for_forty) {
    auto one = link("https://paper.example/a");
    w.write([&](db::Write& db) {
        db.run(test_attribute, base::AccountId{std::stoll(alice.id)}, "[\"paper.example\"]");
    });
    for (int i = 0; i < 39; ++i) link("https://paper.example/a?" + std::to_string(i));
    auto cost = [&](int limit) {
        w.queries();
        EXPECT_EQ(alice.get("/api/v1/timelines/public?limit=" + std::to_string(limit)).status, 200);
        return w.queries();
    };
    cost(40);
    EXPECT_EQ(cost(1), cost(40));
}

TEST_P(Previews, go_with_the_status) {
    auto id = link("https://paper.example/a");
    w.changed();
    bob.del("/api/v1/statuses/" + id);
    EXPECT_NE(w.changed().find("preview_cards_statuses -1"), std::string::npos);
}

TEST_P(Previews, have_a_timeline_while_they_trend) {
    auto first = link("https://paper.example/a"), second = link("https://paper.example/a#x");
    auto hidden = alice.status("https://paper.example/a");
    bob.status("https://paper.example/a", {{"visibility", "unlisted"}});
    w.write([&](db::Write& db) { db.run(test_discoverable, base::AccountId{std::stoll(bob.id)}); });
    const std::string path = "/api/v1/timelines/link?url=https%3A%2F%2Fpaper.example%2Fa";
    EXPECT_EQ(w.anonymous().get(path).status, 404);
    w.write([&](db::Write& db) {
        statuses::set_trending(db, {statuses::find_card(db, "https://paper.example/a")->id});
    });
    auto page = w.anonymous().get(path + "&limit=1");
    EXPECT_EQ(page.ids(), std::vector{second});
    EXPECT_EQ(w.anonymous().get(page.link("next")).ids(), std::vector{first});
    EXPECT_EQ(alice.get(path).ids(), (std::vector{second, first}));
    EXPECT_EQ(alice.get("/api/v1/timelines/link").status, 400);
    alice.blocks(bob);
    EXPECT_TRUE(alice.get(path).ids().empty());
    w.write([&](db::Write& db) { statuses::set_trending(db, {}); });
    EXPECT_EQ(w.anonymous().get(path).status, 404);
}

TEST_P(Previews, that_no_post_shows_any_more_go_with_their_picture_after_a_month) {
    const auto clean = [&] {
        for (int turns = 0; turns < 10; ++turns)
            if (!support::run_periodic(w, statuses::purge_previews)) break;
        w.run_jobs();
        return w.read([](db::Read& db) { return db.one(test_previews); });
    };
    const auto kept = link("see https://paper.example/a");
    auto other = article;
    other.replace(other.find("/picture.png"), 12, "/another.png");
    internet().page("https://paper.example/b", other);
    internet().pictures["https://paper.example/another.png"].file = "media/cd/cd12.png";
    const auto gone = link("see https://paper.example/b");
    bob.del("/api/v1/statuses/" + gone);
    w.advance(29 * 86'400);
    const auto before = clean();
    w.advance(2 * 86'400);
    EXPECT_LT(clean(), before);
    EXPECT_EQ(card(bob, kept, "title"), "A & B");
    bob.del("/api/v1/statuses/" + kept);
    w.advance(2 * 86'400);
    EXPECT_EQ(clean(), 0);
}

}  // namespace
