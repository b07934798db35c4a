// SPDX-License-Identifier: AGPL-3.0-or-later
// What a rehearsal foretells is what the rule then does; and what a wrong rule did can be undone.
#include "social/rules/stage.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <sstream>

namespace {

using namespace rule_stage;
using testing::SizeIs, testing::Contains;
struct Rehearsals : Rules {};
ON_EACH_DATABASE(Rehearsals);

const std::string wave = R"({"name":"Wave",
    "if":[{"field":"text","op":"contains_word","values":["cheap pills","casino"]},{"field":"links","op":">","values":[0]},
          {"field":"author.posts","op":"<","values":[3]}],
    "unless":[{"field":"server.domain","op":"in","values":["friends.example"]}],
    "then":[{"act":"cw","text":"Spam"},{"act":"unlist"},{"act":"limit_account"}],"fuse":1000})";

// The same posts in the same order, whenever they are asked for: some are what the rule is about.
struct Seeded {
    static constexpr int count = 120;
    std::mt19937 random{42};  // NOLINT: the same every time

    statuses::RemoteStatus next(World& w, int i) {
        auto any = [&](unsigned most) { return random() % most; };
        const std::string domain = std::array{"far.example", "friends.example", "spam.example"}[any(3)];
        auto author = remote::somebody(w, "u" + std::to_string(any(20)), domain);
        const std::string said =
            std::array{"hello there", "cheap pills", "Cásino!", "pills, cheap", "good morning"}[any(5)];
        const std::string link = any(2) ? " <a href=\"https://shop.example/\">shop</a>" : "";
        auto out = remote::note(w, author, std::to_string(i), "<p>" + said + link + "</p>");
        out.uri = "https://" + domain + "/notes/" + std::to_string(i);
        out.url = out.uri;
        return out;
    }
};

// Which posts, by their addresses.
const db::Query<std::string> test_uris_of_hits{
    "test_uris_of_hits",
    "SELECT s.uri FROM rule_hits h JOIN statuses s ON s.id = h.status_id WHERE h.acted = TRUE ORDER BY s.uri"
};
const db::Query<std::string> test_uri_of_status{
    "test_uri_of_status", "SELECT uri FROM statuses WHERE id = $1"
};

TEST_P(Rehearsals, foretell_exactly_what_the_rule_then_does) {
    Seeded before;
    for (int i = 0; i < Seeded::count; ++i) {
        remote::stored(w, before.next(w, i));
        w.advance(60);
    }
    auto id = made(wave);
    auto foretold = rehearsed(id);
    ASSERT_EQ(foretold["state"], "done") << foretold.body;
    EXPECT_EQ(foretold["result.posts"], std::to_string(Seeded::count));
    std::set<std::string> expected;
    auto count = std::stoi(foretold["result.hits"]);
    ASSERT_GT(count, 5);
    ASSERT_LE(count, 50);
    for (int i = 0; i < count; ++i) {
        auto status = foretold["result.samples." + std::to_string(i) + ".status"];
        expected.insert(w.read([&](db::Read& db) {
            return db.one(test_uri_of_status, base::StatusId{std::stoll(status)});
        }));
    }
    // The same posts arrive at a site that has the rule.
    World other{GetParam()};
    auto there = staff(other, "olga", accounts::owner);
    auto body = "{\"rule\":" + wave + "}";
    auto rule = there.send(http::Method::post, path, body, "application/json").id();
    there.post(path + "/" + rule + "/rehearsals");
    other.run_jobs();
    EXPECT_EQ(there.post(path + "/" + rule + "/mode", {{"mode", "on"}})["mode"], "on");
    Seeded again;
    for (int i = 0; i < Seeded::count; ++i) {
        auto post = again.next(other, i);
        other.read([&](db::Read& db) { statuses::judge(db, post); });
        remote::stored(other, post);
        other.advance(60);
    }
    std::set<std::string> done;
    for (auto& uri : other.read([](db::Read& db) { return db.all(test_uris_of_hits); })) done.insert(uri);
    EXPECT_EQ(done, expected);
}

// All tables but those of rules and the log; without the versions that tell caches what is new.
std::string state(World& w) {
    constexpr std::array own{
        "rule_hits|",
        "rule_rehearsals|",
        "moderation_rules|",
        "moderation_rule_versions|",
        "audit_entries|",
        "audit_heads|",
        "settings|rules_version|"
    };
    std::string out;
    std::istringstream lines(w.dump());
    for (std::string line; std::getline(lines, line);)
        if (std::ranges::none_of(own, [&](const char* begin) { return line.starts_with(begin); }))
            out += line + "\n";
    return out;
}

TEST_P(Rehearsals, blow_a_fuse_and_are_undone_as_if_nothing_had_been) {
    auto id = on(R"({"name":"Wrong","if":[{"field":"links","op":">","values":[0]}],
        "then":[{"act":"cw","text":"Spam"},{"act":"unlist"},{"act":"limit_account"}],"fuse":10})");
    w.mails();
    auto fay = remote::somebody(w, "fay"), gus = remote::somebody(w, "gus");
    auto bring = [&](base::AccountId who, int i, bool judged) {
        auto note = remote::note(w, who, std::to_string(i), "<p><a href=\"https://a.example/\">a</a></p>");
        return judged ? brought(note) : remote::stored(w, note);
    };
    auto marked = [&](const std::string& status) {
        return owner.get("/api/v1/statuses/" + status)["spoiler_text"] == "Spam";
    };
    std::vector<std::string> posts;
    for (int i = 0; i < 11; ++i) posts.push_back(bring(i % 2 ? fay : gus, i, true));
    w.run_jobs();
    auto blown = owner.get(path + "/" + id);
    EXPECT_EQ(blown["mode"], "watch");
    EXPECT_NE(blown["tripped_at"], "null");
    EXPECT_THAT(w.mails(), SizeIs(1));
    EXPECT_THAT(logged(w, owner), Contains("trip Rule"));
    EXPECT_FALSE(marked(bring(fay, 11, true)));
    EXPECT_TRUE(marked(posts[0]));
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + remote::text(fay))["silenced"], "true");

    auto undone = owner.post(path + "/hits/undo", {{"rule_id", id}});
    EXPECT_EQ(undone["hits"], "11");
    w.run_jobs();
    for (const auto& post : posts) EXPECT_FALSE(marked(post));
    for (const auto& post : posts) EXPECT_EQ(owner.get("/api/v1/statuses/" + post)["visibility"], "public");
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + remote::text(fay))["silenced"], "false");
    EXPECT_EQ(owner.post(path + "/hits/undo", {{"rule_id", id}})["hits"], "0");
}

// The state before is kept, the rule acts on what is there by an edit of each post, and all is taken back.
const db::Command test_forget_versions{"test_forget_versions", "UPDATE statuses SET version = 1"};
const db::Command test_forget_account_versions{
    "test_forget_account_versions", "UPDATE accounts SET version = 1, relations_version = 1"
};

TEST_P(Rehearsals, leave_every_table_as_it_was_when_a_wrong_rule_is_undone) {
    auto id = on(R"({"name":"Wrong","if":[{"field":"links","op":">","values":[0]}],
        "then":[{"act":"sensitive"},{"act":"unlist"},{"act":"limit_account"}],"fuse":10})");
    auto fay = remote::somebody(w, "fay");
    auto bring = [&](bool obeyed) {
        for (int i = 0; i < 12; ++i) {
            auto note =
                remote::note(w, fay, std::to_string(i), "<p><a href=\"https://a.example/\">a</a></p>");
            if (obeyed) brought(note);
            else remote::stored(w, note);
        }
    };
    bring(false);
    w.catch_up();
    auto forget = [&] {
        w.write([](db::Write& db) { db.run(test_forget_versions), db.run(test_forget_account_versions); });
    };
    forget();
    auto before = state(w);
    // What the rule would have done on their arrival is done to them now: by the same calls, with the same hits.
    w.write([&](db::Write& db) {
        for (int i = 0; i < 12; ++i) {
            auto note =
                remote::note(w, fay, std::to_string(i), "<p><a href=\"https://a.example/\">a</a></p>");
            auto status = *statuses::find_by_uri(db, note.uri);
            statuses::judge(db, note);
            if (!note.verdict) continue;
            statuses::unlist(db, status);
            statuses::tell_judged(db, note.verdict, status, fay);
        }
    });
    w.run_jobs();
    EXPECT_EQ(owner.get(path + "/" + id)["mode"], "watch");
    EXPECT_NE(state(w), before);
    owner.post(path + "/hits/undo", {{"rule_id", id}});
    w.catch_up();
    forget();
    EXPECT_EQ(state(w), before);
}

TEST_P(Rehearsals, are_cancelled) {
    remote::stored(w, remote::note(w, remote::somebody(w, "fay"), "1", "<p>spam</p>"));
    auto id = made(simple(word("spam"), act("sensitive")));
    auto begun = owner.post(path + "/" + id + "/rehearsals");
    EXPECT_EQ(begun["state"], "running");
    EXPECT_EQ(owner.post(path + "/rehearsals/" + begun.id() + "/cancel")["state"], "cancelled");
    w.run_jobs();
    EXPECT_EQ(owner.get(path + "/rehearsals/" + begun.id())["state"], "cancelled");
    EXPECT_EQ(mode(id, "on").status, 422);
}

}  // namespace
