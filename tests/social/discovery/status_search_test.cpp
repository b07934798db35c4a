// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/words.hpp"
#include "social/discovery/query.hpp"
#include "social/discovery/status_index.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <random>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

struct StatusSearch : OnEachWorld {
    Person alice = open(w.local("alice")), bob = w.local("bob"), carol = w.local("carol");

    Person open(Person person) {
        EXPECT_EQ(person.patch("/api/v1/accounts/update_credentials", {{"indexable", "true"}}).status, 200);
        return person;
    }
    std::vector<std::string> finds(const Person& who, const std::string& q, Fields more = {}) {
        w.catch_up();
        more.emplace_back("q", q);
        more.emplace_back("type", "statuses");
        auto answer = who.get("/api/v2/search", more);
        EXPECT_EQ(answer.status, 200) << q << answer.body;
        EXPECT_EQ(answer["accounts"], "[]");
        std::vector<std::string> ids;
        for (int i = 0;; ++i) {
            auto id = answer["statuses." + std::to_string(i) + ".id"];
            if (id == "absent") return ids;
            ids.push_back(id);
        }
    }
};
ON_EACH_DATABASE(StatusSearch);

TEST_P(StatusSearch, finds_words_whatever_their_case_accents_and_place) {
    auto one = alice.status("Ein Café in ZÜRICH"), two = alice.status("the cafe of Zurich is closed");
    EXPECT_THAT(finds(bob, "zurich CAFÉ"), ElementsAre(two, one));
    EXPECT_THAT(finds(bob, "\"cafe in zurich\""), ElementsAre(one));
    EXPECT_THAT(finds(bob, "“cafe of”"), ElementsAre(two));
    EXPECT_THAT(finds(bob, "cafe -closed"), ElementsAre(one));
    EXPECT_THAT(finds(bob, "cafe -\"in zurich\""), ElementsAre(two));
    EXPECT_THAT(finds(bob, "caf"), IsEmpty());
    EXPECT_THAT(finds(bob, "!!!"), IsEmpty());
}

TEST_P(StatusSearch, finds_words_of_scripts_without_spaces) {
    auto tower = alice.status("昨日、東京タワーに行きました。"), cat = alice.status("うちの猫");
    EXPECT_THAT(finds(bob, "東京"), ElementsAre(tower));
    EXPECT_THAT(finds(bob, "タワー"), ElementsAre(tower));
    EXPECT_THAT(finds(bob, "猫"), ElementsAre(cat));
    EXPECT_THAT(finds(bob, "東"), ElementsAre(tower));
    EXPECT_THAT(finds(bob, "京東"), IsEmpty());
}

TEST_P(StatusSearch, finds_hashtags_as_wholes) {
    auto tagged = alice.status("about #BlueSky"), plain = alice.status("a bluesky and #blue");
    EXPECT_THAT(finds(bob, "#bluesky"), ElementsAre(tagged));
    EXPECT_THAT(finds(bob, "bluesky"), ElementsAre(plain, tagged));
    EXPECT_THAT(finds(bob, "bluesky -#blue"), ElementsAre(tagged));
}

TEST_P(StatusSearch, searches_public_statuses_of_those_who_want_it_and_the_library) {
    auto shown = alice.status("needle"), unlisted = alice.status("needle", {{"visibility", "unlisted"}}),
         hers = alice.status("needle @bob", {{"visibility", "direct"}}), closed = carol.status("needle"),
         liked = carol.status("needle liked"), kept = carol.status("needle kept"),
         boosted = carol.status("needle boosted"), own = bob.status("needle", {{"visibility", "private"}});
    bob.favourites(liked);
    bob.reblogs(boosted);
    bob.post("/api/v1/statuses/" + kept + "/bookmark");
    EXPECT_THAT(finds(bob, "needle"), ElementsAre(own, boosted, kept, liked, hers, shown));
    EXPECT_THAT(finds(bob, "needle in:library"), ElementsAre(own, boosted, kept, liked, hers));
    EXPECT_THAT(finds(bob, "needle -in:public"), ElementsAre(own, boosted, kept, liked, hers));
    EXPECT_THAT(finds(bob, "needle in:public"), ElementsAre(shown));
    EXPECT_THAT(finds(bob, "needle in:all"), ElementsAre(own, boosted, kept, liked, hers, shown));
    EXPECT_THAT(finds(w.local("dave"), "needle"), ElementsAre(shown));
    EXPECT_THAT(finds(alice, "needle"), ElementsAre(hers, unlisted, shown));
    EXPECT_THAT(finds(w.anonymous(), "needle"), IsEmpty());
}

TEST_P(StatusSearch, finds_polls_by_their_options_and_votes_and_what_an_edit_made_of_a_status) {
    auto poll = carol.status(
        "which", {{"poll[options][]", "needle"}, {"poll[options][]", "hay"}, {"poll[expires_in]", "600"}}
    );
    EXPECT_THAT(finds(bob, "needle has:poll"), IsEmpty());
    EXPECT_EQ(bob.post("/api/v1/polls/" + poll + "/votes", {{"choices[]", "0"}}).status, 200);
    EXPECT_THAT(finds(bob, "needle has:poll"), ElementsAre(poll));
    auto changed = alice.status("needle");
    alice.put("/api/v1/statuses/" + changed, {{"status", "thread"}});
    EXPECT_THAT(finds(bob, "needle"), ElementsAre(poll));
    EXPECT_THAT(finds(bob, "thread"), ElementsAre(changed));
    auto quoting = alice.status("thread", {{"quoted_status_id", changed}});
    EXPECT_THAT(finds(bob, "thread is:quote"), ElementsAre(quoting));
}

TEST_P(StatusSearch, respects_at_once_that_somebody_no_longer_wants_to_be_found) {
    auto first = alice.status("needle"), second = alice.status("needle");
    alice.patch("/api/v1/accounts/update_credentials", {{"indexable", "false"}});
    EXPECT_THAT(finds(bob, "needle"), IsEmpty());
    w.run_jobs();
    EXPECT_THAT(finds(bob, "needle"), IsEmpty());
    open(alice);
    w.run_jobs();
    EXPECT_THAT(finds(bob, "needle"), ElementsAre(second, first));
    w.silence(alice);
    EXPECT_THAT(finds(bob, "needle"), IsEmpty());
}

TEST_P(StatusSearch, hides_what_is_deleted_blocked_muted_or_of_the_suspended) {
    auto erin = open(w.local("erin")), frank = open(w.local("frank")), gina = open(w.local("gina"));
    auto kept = alice.status("needle"), gone = alice.status("needle");
    erin.status("needle");
    frank.status("needle");
    gina.status("needle");
    alice.del("/api/v1/statuses/" + gone);
    bob.mutes(erin);
    frank.blocks(bob);
    w.suspend(gina);
    EXPECT_THAT(finds(bob, "needle"), ElementsAre(kept));
    EXPECT_THAT(finds(bob, "needle in:library"), IsEmpty());
}

TEST_P(StatusSearch, knows_the_operators) {
    auto post = alice.status("needle", {{"language", "pt-BR"}}),
         reply = open(carol).answers(post, "needle", {{"sensitive", "true"}, {"language", "de"}}),
         link = alice.status("needle https://example.com/page", {{"language", "en"}});
    EXPECT_THAT(finds(bob, "needle from:alice"), ElementsAre(link, post));
    EXPECT_THAT(finds(bob, "needle -from:@alice"), ElementsAre(reply));
    EXPECT_THAT(finds(carol, "from:me"), ElementsAre(reply));
    EXPECT_THAT(finds(bob, "needle from:nobody"), IsEmpty());
    EXPECT_THAT(finds(bob, "needle -from:nobody"), ElementsAre(link, reply, post));
    EXPECT_THAT(finds(bob, "needle is:reply"), ElementsAre(reply));
    EXPECT_THAT(finds(bob, "needle HAS:sensitive"), ElementsAre(reply));
    EXPECT_THAT(finds(bob, "needle -has:reply has:link"), ElementsAre(link));
    EXPECT_THAT(finds(bob, "needle has:image"), IsEmpty());
    EXPECT_THAT(finds(bob, "needle has:nonsense"), IsEmpty());
    EXPECT_THAT(finds(bob, "needle language:pt"), ElementsAre(post));
    EXPECT_THAT(finds(bob, "needle language:PT-br"), ElementsAre(post));
    EXPECT_THAT(finds(bob, "needle", {{"account_id", carol.id}}), ElementsAre(reply));
    EXPECT_EQ(bob.get("/api/v2/search", {{"q", "needle"}, {"account_id", "1"}}).status, 404);
}

TEST_P(StatusSearch, knows_what_links_lead_to) {
    auto film = alice.status("needle https://films.example/1"),
         page = alice.status("needle https://pages.example/1");
    auto show = [&](const std::string& status, statuses::CardType type) {
        w.write([&](db::Write& db) {
            statuses::Card card;
            card.url = "https://" + status + ".example/";
            card.usable = true;
            card.type = type;
            statuses::show_card(db, {std::stoll(status)}, statuses::put_card(db, card, ""), card.url);
        });
    };
    show(film, statuses::CardType::video);
    show(page, statuses::CardType::link);
    EXPECT_THAT(finds(bob, "needle has:embed"), ElementsAre(film));
    EXPECT_THAT(finds(bob, "needle has:link"), ElementsAre(page, film));
}

TEST_P(StatusSearch, knows_days_in_the_time_zone_of_the_user) {
    auto day = [&] { return to_string(base::Date{w.now().midnight().ms}); };
    // Ids of one process never go back, and worlds before this one may have been ahead.
    auto ahead = std::stoll(alice.status("hay")) / 65'536 - w.now().ms;
    w.advance(std::max<std::int64_t>(ahead, 0) / 1000 + 1);
    w.advance(86'400 - w.now().ms % 86'400'000 / 1000);  // midnight
    auto first = alice.status("needle"), first_day = day();
    w.advance(86'400);
    auto second = alice.status("needle"), second_day = day();
    EXPECT_THAT(finds(bob, "needle before:" + second_day), ElementsAre(first));
    EXPECT_THAT(finds(bob, "needle after:" + first_day), ElementsAre(second));
    EXPECT_THAT(finds(bob, "needle -after:" + first_day), ElementsAre(first));
    EXPECT_THAT(finds(bob, "needle -before:" + second_day), ElementsAre(second));
    EXPECT_THAT(finds(bob, "needle during:" + first_day), ElementsAre(first));
    EXPECT_THAT(finds(bob, "needle before:" + first_day), IsEmpty());
    static const db::Command west{
        "test_go_west", "UPDATE users SET time_zone = 'America/New_York' WHERE account_id = $1"
    };
    w.write([&](db::Write& db) { db.run(west, std::int64_t{std::stoll(bob.id)}); });
    EXPECT_THAT(finds(bob, "needle during:" + first_day), ElementsAre(second));
}

TEST_P(StatusSearch, refuses_what_it_cannot_understand) {
    for (auto q :
         {"\"open",
          "from:",
          "before:yesterday",
          "before:2026",
          "during:2026-13-01",
          "in:there",
          "-in:all",
          "-during:2026-01-01",
          "has:\"image"}) {
        auto answer = bob.get("/api/v2/search", {{"q", q}, {"type", "statuses"}});
        EXPECT_EQ(answer.status, 422) << q;
        EXPECT_NE(answer.error(), "") << q;
        EXPECT_EQ(bob.get("/api/v2/search", {{"q", q}, {"type", "accounts"}}).status, 200) << q;
        EXPECT_EQ(w.anonymous().get("/api/v2/search", {{"q", q}}).status, 200) << q;
    }
    std::string long_query;
    for (int i = 0; i < 5000; ++i) long_query += "w" + std::to_string(i) + " ";
    EXPECT_EQ(bob.get("/api/v2/search", {{"q", long_query}}).status, 422);
}

TEST_P(StatusSearch, cannot_be_used_to_ask_the_index_anything_else) {
    alice.status("needle");
    for (auto q :
         {"_p",
          "_s",
          "words:needle",
          "needle*",
          "needle OR x",
          "needle) OR (x",
          "needle' | 'x",
          "NEAR(needle x)",
          "needle & x",
          "^needle",
          "_f1",
          "needle AND",
          "\\",
          "'",
          "-",
          "+",
          "#",
          "#'",
          "\"\"",
          "-\"\""}) {
        finds(bob, q);
        finds(bob, q, {{"offset", "60"}});  // so many only the index is asked for
    }
    EXPECT_THAT(finds(bob, "_p"), IsEmpty());
    EXPECT_THAT(finds(bob, "need*"), IsEmpty());
    EXPECT_THAT(finds(bob, "needle OR missing"), IsEmpty());
}

TEST_P(StatusSearch, survives_every_query) {
    alice.status("needle 東京 #tag");
    std::mt19937 random(7);
    constexpr const char* parts[] = {
        "needle",
        "東",
        "東京",
        "\"",
        "“",
        "-",
        "+",
        ":",
        "#",
        "#tag",
        "from:",
        "has:image",
        "in:",
        "before:",
        "2026-01-01",
        " ",
        " ",
        "(",
        ")",
        "*",
        "'",
        "\\",
        "&",
        "|",
        "!",
        "<->",
        "AND",
        "OR",
        "NOT",
        "NEAR",
        "^",
        "_p",
        "\xEF\xBF\xBD",
        "́",
        "\xF0\x9F\x98\x80",
        "%",
        ",",
        ".",
        "{",
        "$1",
        "\n"
    };
    for (int i = 0; i < 150; ++i) {
        std::string q;
        for (auto n = random() % 9 + 1; n > 0; --n) q += parts[random() % std::size(parts)];
        auto status = bob.get("/api/v2/search", {{"q", q}, {"offset", i % 2 ? "60" : "0"}}).status;
        EXPECT_TRUE(status == 200 || status == 422 || status == 400) << q;
    }
}

TEST_P(StatusSearch, is_paged_by_offset_and_by_ids) {
    std::vector<std::string> made;
    for (int i = 0; i < 7; ++i) made.push_back(alice.status("needle"));
    EXPECT_THAT(finds(bob, "needle", {{"limit", "2"}}), ElementsAre(made[6], made[5]));
    EXPECT_THAT(finds(bob, "needle", {{"limit", "2"}, {"offset", "5"}}), ElementsAre(made[1], made[0]));
    EXPECT_THAT(finds(bob, "needle", {{"offset", "7"}}), IsEmpty());
    EXPECT_THAT(finds(bob, "needle", {{"max_id", made[2]}, {"min_id", made[0]}}), ElementsAre(made[1]));
    EXPECT_THAT(finds(bob, "needle", {{"limit", "0"}}), IsEmpty());
}

TEST_P(StatusSearch, understands_marked_statuses_behind_hundreds_like_all_others) {
    auto liked = carol.status("needle and thread 東京タワー", {{"language", "en"}});
    for (int i = 0; i < 205; ++i) carol.status("needle thread 東京 タワー and", {{"language", "de"}});
    bob.favourites(liked);
    for (auto q :
         {"needle",
          "\"needle and thread\"",
          "東京タワー",
          "京タ",
          "ワ",
          "needle language:en",
          "-language:de",
          "thread -x"})
        EXPECT_THAT(finds(bob, std::string(q) + " in:library"), ElementsAre(liked)) << q;
    for (auto q : {"needle -thread", "\"needle thread\"", "needle language:de", "タワー東"})
        EXPECT_THAT(finds(bob, q), IsEmpty()) << q;
}

TEST_P(StatusSearch, finds_what_somebody_wrote_of_a_word_however_far_back) {
    std::vector<std::string> needles, hay;
    for (int i = 0; i < 330; ++i) {
        bool needle = i < 2 || i == 150 || i == 329;
        auto id = alice.status(needle ? "needle" : "hay");
        (needle ? needles : hay).insert((needle ? needles : hay).begin(), id);
        if (i % 50 == 0) carol.status("needle hay");
    }
    EXPECT_EQ(finds(bob, "needle from:alice"), needles);
    EXPECT_THAT(
        finds(bob, "needle from:alice", {{"limit", "2"}, {"offset", "1"}}),
        ElementsAre(needles[1], needles[2])
    );
    EXPECT_THAT(
        finds(bob, "needle from:alice", {{"max_id", needles[1]}}), ElementsAre(needles[2], needles[3])
    );
    std::vector<std::string> all;
    for (Fields page{{"limit", "40"}};;) {
        auto some = finds(bob, "hay from:alice", page);
        if (some.empty()) break;
        all.insert(all.end(), some.begin(), some.end());
        page = {{"limit", "40"}, {"max_id", some.back()}};
    }
    EXPECT_EQ(all, hay);
}

const db::Query<base::StatusId> test_index_alone{
    "test_index_alone",
    "SELECT rowid AS id FROM status_index WHERE status_index MATCH $1 ORDER BY rowid DESC",
    R"(SELECT status_id AS id FROM status_texts
       WHERE CAST($1 AS TEXT) IS NOT NULL AND terms @@ CAST(CAST($2 AS TEXT) AS TSQUERY) ORDER BY status_id DESC)"
};

TEST_P(StatusSearch, finds_what_the_index_alone_would_find) {
    constexpr const char* words[] = {
        "wat", "water", "waters", "light", "東京", "東京タワー", "京", "a", "_p", "#light"
    };
    std::mt19937 random(11);
    auto any_word = [&] { return std::string(words[random() % std::size(words)]); };
    for (int i = 0; i < 130; ++i) {
        std::string text = i == 3 ? "serendipity" : any_word();
        for (auto more = random() % 4; more > 0; --more) text += " " + any_word();
        (i % 3 ? alice : carol).status(text);
    }
    w.catch_up();
    auto some = [&](std::size_t most) {
        std::vector<db::SoughtWords> out;
        for (auto n = random() % (most + 1); n > 0; --n) {
            auto one = base::text::phrase(random() % 30 ? any_word() : "serendipity");
            if (!one.words.empty() && random() % 4 == 0)
                one.words.push_back(base::text::words(any_word()).at(0));
            if (!one.words.empty()) out.push_back({one.words, random() % 4 == 0});
        }
        return out;
    };
    int found = 0, missed = 0;
    for (int i = 0; i < 300; ++i) {
        db::Sought sought{some(2), some(2), some(1)};
        if (sought.every.empty()) sought.every.push_back({{discovery::mark::any}, false});
        w.read([&](db::Read& db) {
            auto matching = db.all(test_index_alone, sought.for_sqlite(), sought.for_postgres());
            ++(matching.empty() ? missed : found);
            base::Range all, some;
            all.limit = 200;
            some.limit = static_cast<int>(random() % 12) + 1;
            EXPECT_EQ(discovery::hits(db, sought, all), matching) << sought.for_sqlite();
            matching.resize(std::min(matching.size(), static_cast<std::size_t>(some.limit)));
            EXPECT_EQ(discovery::hits(db, sought, some), matching)
                << sought.for_sqlite() << " " << some.limit;
        });
    }
    EXPECT_GT(found, 100);
    EXPECT_GT(missed, 10);
}

TEST_P(StatusSearch, costs_the_same_queries_for_one_and_for_forty) {
    alice.status("needle");
    finds(bob, "needle");
    w.queries();
    EXPECT_EQ(finds(bob, "needle").size(), 1u);
    auto few = w.queries();
    for (int i = 0; i < 45; ++i) alice.status("needle #t" + std::to_string(i));
    finds(bob, "needle", {{"limit", "40"}});
    w.queries();
    EXPECT_EQ(finds(bob, "needle", {{"limit", "40"}}).size(), 40u);
    EXPECT_LE(w.queries(), few);
}

// Own posts fill a page alone; what was marked between them stands between them, and what is older on the next.
TEST_P(StatusSearch, shows_marked_statuses_between_others_and_behind_a_page_of_them) {
    auto marked = [&] {
        auto id = alice.status("needle", {{"visibility", "private"}});
        bob.post("/api/v1/statuses/" + id + "/favourite");
        return id;
    };
    bob.follows(alice);
    std::vector<std::string> all{marked()};
    for (int i = 0; i < 30; ++i) {
        all.push_back(bob.status("needle", {{"visibility", "private"}}));
        if (i == 24) all.push_back(marked());
    }
    std::ranges::reverse(all);
    auto page = [&](std::size_t from, std::size_t to) {
        return std::vector<std::string>(
            all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to)
        );
    };
    const std::string words = "needle in:library";
    EXPECT_EQ(finds(bob, words, {{"limit", "20"}}), page(0, 20));
    EXPECT_EQ(finds(bob, words, {{"limit", "20"}, {"offset", "20"}}), page(20, all.size()));
}

TEST_P(StatusSearch, finds_what_was_there_before_the_index) {
    std::vector<std::string> made;
    for (int i = 0; i < 210; ++i) made.push_back(alice.status(i % 100 == 0 ? "needle" : "hay"));
    EXPECT_THAT(finds(bob, "needle"), ElementsAre(made[200], made[100], made[0]));
    static const db::Command forget{"test_forget_texts", "DELETE FROM status_texts"};
    w.write([&](db::Write& db) { db.run(forget); });
    EXPECT_THAT(finds(bob, "needle"), IsEmpty());
    w.changed();
    w.write([&](db::Write& db) { db.emit(discovery::IndexContinued{{1LL << 62}}); });
    EXPECT_THAT(finds(bob, "needle"), ElementsAre(made[200], made[100], made[0]));
    EXPECT_EQ(w.changed(), "");
}

}  // namespace
