// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules that count what came lately: near copies, links, rates; and that a rehearsal counts as they do.
#include "social/rules/stage.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace {

using namespace rule_stage;
using testing::IsEmpty, testing::SizeIs, testing::HasSubstr;
struct Waves : Rules {
    int number = 0;
    std::string post(const std::string& who, const std::string& domain, const std::string& html) {
        auto note = remote::note(
            w, remote::somebody(w, who, domain), std::to_string(++number), "<p>" + html + "</p>"
        );
        note.uri = note.url = "https://" + domain + "/notes/" + std::to_string(number);
        note.published = w.now();
        return brought(note);
    }
    bool is_marked(const std::string& id) {
        return owner.get("/api/v1/statuses/" + id)["sensitive"] == "true";
    }
};
ON_EACH_DATABASE(Waves);

std::string counted(const std::string& field, int more_than, const std::string& minutes = "60") {
    return R"({"field":")" + field + R"(","op":">","values":[)" + std::to_string(more_than) +
           R"(],"minutes":)" + minutes + "}";
}

const std::string wave = R"({"name":"Wave","if":[)" + counted("near_copies", 4) + "," +
                         counted("near_copies.authors", 2) + R"(],"then":[{"act":"sensitive"}],"fuse":1000})";

TEST_P(Waves, of_near_copies_are_seen_from_the_fifth_on_whatever_is_changed_in_each) {
    auto id = on(wave);
    const std::array said{
        "Buy cheap pills today at our friendly shop and save a lot of money 1",
        "Buy CHEAP pills today, at our friendly shop, and save a lot of money! qzx",
        "buy cheap pills today at our friendly shop and sаve a lot of money",
        "Hey! Buy cheap pi\xe2\x80\x8blls today at our friendly shop and save a lot of money",
        "Buy ch\xc3\xa9\x61p pills today at our friendly shop and save a lot of money <a "
        "href=\"https://far.example/@x\" class=\"u-url mention\">@x</a>",
        "Buy cheap pills today at our friendly shop and save a lot of cash",
    };
    const std::array<std::string, 6> other{
        "Good morning everybody, what a walk that was",
        "Who has read the new book by the fisherman",
        "Our train is late again and nobody knows why",
        "Soup recipes without onions are hard to find",
        "The library closes at noon on Fridays from now on",
        "My cat sleeps on the keyboard while I should write",
    };
    std::vector<bool> marked;
    for (std::size_t i = 0; i < said.size(); ++i) {
        marked.push_back(
            is_marked(post("u" + std::to_string(i % 4), "s" + std::to_string(i % 3) + ".example", said.at(i)))
        );
        post("v" + std::to_string(i), "other.example", other.at(i));
    }
    EXPECT_EQ(marked, (std::vector<bool>{false, false, false, false, true, true}));
    w.advance(3 * 3600);
    EXPECT_FALSE(is_marked(post("u1", "s1.example", said[0])));
    EXPECT_THAT(hits(id).ids(), SizeIs(2));
}

TEST_P(Waves, of_one_author_or_of_few_words_are_none) {
    on(wave);
    for (int i = 0; i < 8; ++i)
        EXPECT_FALSE(is_marked(post("fay", "far.example", "Here is the weather for today, as it is each hour")
        ));
    for (int i = 0; i < 8; ++i)
        EXPECT_FALSE(is_marked(post("u" + std::to_string(i), "far.example", "good morning to you")));
}

TEST_P(Waves, count_a_post_once_however_often_it_comes) {
    on(R"({"name":"Rate","if":[)" + counted("author.rate", 2, "10") + R"(],"then":[{"act":"sensitive"}]})");
    auto note = remote::note(w, remote::somebody(w, "fay"), "once", "<p>one</p>");
    note.published = w.now();
    auto first = brought(note);
    for (int i = 0; i < 5; ++i) brought(note);
    EXPECT_FALSE(is_marked(first));
    EXPECT_FALSE(is_marked(post("fay", "far.example", "two")));
    EXPECT_TRUE(is_marked(post("fay", "far.example", "three")));
    w.advance(11 * 60);
    EXPECT_FALSE(is_marked(post("fay", "far.example", "four")));
}

TEST_P(Waves, of_posts_written_here_count_as_well) {
    on(R"({"name":"Rate","everyone":true,"if":[)" + counted("author.rate", 2) +
       R"(],"then":[{"act":"refuse","text":"Slower, please"}]})");
    auto say = [&](const std::string& text) { return alice.post("/api/v1/statuses", {{"status", text}}); };
    EXPECT_EQ(say("one").status, 200);
    EXPECT_EQ(say("two").status, 200);
    EXPECT_THAT(say("three").error(), HasSubstr("Slower, please"));
}

TEST_P(Waves, of_links_are_told_by_their_address_and_by_its_server) {
    auto link = [](const std::string& path) {
        return "look <a href=\"https://shop.example/" + path + "\">here</a>";
    };
    auto same =
        on(R"({"name":"Link","if":[)" + counted("same_link", 2) + "," + counted("same_link.servers", 2) +
           R"(],"then":[{"act":"sensitive"}]})");
    auto domain =
        on(R"({"name":"Domain","if":[)" + counted("link.domain.rate", 4) + R"(],"then":[{"act":"unlist"}]})");
    for (int i = 0; i < 3; ++i)
        post("u" + std::to_string(i), "s" + std::to_string(i) + ".example", link("a"));
    EXPECT_THAT(hits(same).ids(), SizeIs(1));
    EXPECT_THAT(hits(domain).ids(), IsEmpty());
    post("u3", "s3.example", link("b"));
    EXPECT_THAT(hits(same).ids(), SizeIs(1));
    post("u4", "s4.example", link("c#top"));
    EXPECT_THAT(hits(domain).ids(), SizeIs(1));
}

TEST_P(Waves, are_recognised_by_an_example) {
    auto id = on(R"({"name":"Known","if":[{"field":"text","op":"near",
        "values":["Dear friend, I am a widow with ten million euros for you alone"]}],"then":[{"act":"sensitive"}]})"
    );
    EXPECT_TRUE(is_marked(
        post("u", "s.example", "Dear friend! I am a rich widow with ten million euros for you alone.")
    ));
    EXPECT_FALSE(
        is_marked(post("v", "s.example", "My friend is a widow, and I have written down what she told me"))
    );
    EXPECT_THAT(hits(id).ids(), SizeIs(1));
    auto why = [&](const std::string& condition) {
        return send(http::Method::post, path, simple(condition, act("report"))).error();
    };
    EXPECT_THAT(
        why(R"({"field":"text","op":"near","values":["too few words"]})"), HasSubstr("needs five words")
    );
    EXPECT_THAT(why(counted("near_copies", 4, "0")), HasSubstr("minutes are between 1 and 1440"));
    EXPECT_THAT(
        why(R"({"field":"links","op":">","values":[1],"minutes":5})"),
        HasSubstr("minutes are for what is counted")
    );
}

// The same posts in the same order, whenever they are asked for.
struct Seeded {
    std::mt19937 random{7};  // NOLINT: the same every time

    statuses::RemoteStatus next(World& w, int i) {
        auto any = [&](unsigned most) { return random() % most; };
        const std::string domain = "s" + std::to_string(any(4)) + ".example";
        auto author = remote::somebody(w, "u" + std::to_string(any(9)), domain);
        const std::string said = any(2) ? "Win a prize now, my friend, by sending number " +
                                              std::to_string(any(50)) + " to our office"
                                        : "What I saw on day " + std::to_string(i) + " was a heron, then " +
                                              std::to_string(any(900));
        auto out = remote::note(w, author, std::to_string(i), "<p>" + said + "</p>");
        out.uri = out.url = "https://" + domain + "/notes/" + std::to_string(i);
        out.published = w.now();
        return out;
    }
};

const db::Query<std::string> test_uris_of_wave{
    "test_uris_of_wave",
    "SELECT s.uri FROM rule_hits h JOIN statuses s ON s.id = h.status_id WHERE h.acted = TRUE ORDER BY s.uri"
};

TEST_P(Waves, are_rehearsed_as_they_then_are_judged) {
    const std::string rule = R"({"name":"Wave","if":[)" + counted("near_copies", 4, "20") + "," +
                             counted("near_copies.authors", 2, "20") +
                             R"(],"then":[{"act":"sensitive"}],"fuse":1000})";
    // Past all ids that other tests gave out.
    auto latest = w.write([](db::Write& db) { return db.new_id<base::StatusId>(); }).value >> 16;
    w.advance(std::max<std::int64_t>((latest - w.now().ms) / 1000 + 1, 0));
    // More than one page of the history, and what came before it counts as well.
    constexpr int count = 450, before = 40;
    Seeded there;
    for (int i = 0; i < count; ++i) {
        if (i == before) w.advance(3600);
        remote::stored(w, there.next(w, i));
        w.advance(100);
    }
    auto foretold = rehearsed(made(rule));
    ASSERT_EQ(foretold["result.posts"], std::to_string(count)) << foretold.body;
    World other{GetParam()};
    auto boss = staff(other, "olga", accounts::owner);
    auto id = boss.send(http::Method::post, path, "{\"rule\":" + rule + "}", "application/json").id();
    boss.post(path + "/" + id + "/rehearsals");
    other.run_jobs();
    EXPECT_EQ(boss.post(path + "/" + id + "/mode", {{"mode", "on"}})["mode"], "on");
    Seeded again;
    for (int i = 0; i < count; ++i) {
        if (i == before) other.advance(3600);
        auto post = again.next(other, i);
        other.read([&](db::Read& db) { statuses::judge(db, post); });
        remote::stored(other, post);
        other.advance(100);
    }
    auto done = other.read([](db::Read& db) { return db.all(test_uris_of_wave); });
    EXPECT_GT(done.size(), 100U);
    EXPECT_EQ(foretold["result.hits"], std::to_string(done.size()));
}

}  // namespace
