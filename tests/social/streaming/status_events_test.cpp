// SPDX-License-Identifier: AGPL-3.0-or-later
// Who hears of a status: whoever's timeline shows it, and nobody else.
#include "social/federation/remote.hpp"
#include "streams.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Somebody who listens to everything at once, each stream by a socket of its own.
struct Listening {
    struct One {
        std::string name, timeline;
        std::unique_ptr<Ear> ear;
        bool shown = false;

        // Without notifications, which come with home, before or after.
        std::string heard() const {
            auto said = ear->heard();
            for (auto notice = said.find("notification"); notice != said.npos;
                 notice = said.find("notification")) {
                auto end = said.find(", ", notice);
                said.erase(notice, end == said.npos ? end : end + 2 - notice);
                if (said.ends_with(", ")) said.resize(said.size() - 2);
            }
            return said;
        }
    };

    Listening(World& w, const Person& who, const std::string& list) : person(who) {
        auto add = [&](const std::string& name, const std::string& query, const std::string& timeline) {
            streams.push_back({name, timeline, std::make_unique<Ear>(w, who, query)});
        };
        add("home", "stream=user", "home");
        add("public", "stream=public", "public");
        add("public:media", "stream=public:media", "public?only_media=true");
        add("local", "stream=public:local", "public?local=true");
        add("local:media", "stream=public:local:media", "public?local=true&only_media=true");
        add("remote", "stream=public:remote", "public?remote=true");
        add("remote:media", "stream=public:remote:media", "public?remote=true&only_media=true");
        add("tag", "stream=hashtag&tag=cats", "tag/cats");
        add("tag:local", "stream=hashtag:local&tag=Cats", "tag/cats?local=true");
        if (!list.empty()) add("list", "stream=list&list=" + list, "list/" + list);
    }

    Person person;
    bool reads = true;
    std::vector<One> streams;
};

struct StreamedStatuses : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    // What was heard is what the timelines of the same people show now.
    void agree(std::vector<Listening>& all, const std::string& id, const std::string& what) {
        for (auto& listening : all) {
            for (auto& one : listening.streams) {
                auto shown = listening.person.get("/api/v1/timelines/" + one.timeline).ids();
                bool expected = std::ranges::find(shown, id) != shown.end();
                one.shown = expected;
                EXPECT_EQ(one.heard(), expected ? "update " + id : "")
                    << what << ": " << listening.person.name << " at " << one.name;
            }
        }
    }
    // The same, and then of its edit hears who is shown it or mentioned, and of its end who was shown it and nobody who
    // could not read it.
    void agree_to_its_end(
        std::vector<Listening>& all, const Person& author, const std::string& id, const std::string& what
    ) {
        agree(all, id, what);
        auto text = author.get("/api/v1/statuses/" + id + "/source")["text"];
        author.put("/api/v1/statuses/" + id, {{"status", text + " edited"}});
        for (auto& listening : all) {
            const auto& who = listening.person;
            listening.reads = who.get("/api/v1/statuses/" + id).status == 200;
            for (auto& one : listening.streams) {
                bool mentioned = one.name == "home" && text.find("@" + who.name) != text.npos;
                auto said = one.heard();
                if (!one.shown && mentioned && listening.reads && said.empty()) continue;  // hidden
                bool expected = one.shown || (mentioned && listening.reads);
                EXPECT_EQ(said, expected ? "status.update " + id : "")
                    << what << ", edited: " << who.name << " at " << one.name;
            }
        }
        author.del("/api/v1/statuses/" + id);
        w.run_jobs();
        for (auto& listening : all) {
            for (auto& one : listening.streams) {
                auto said = one.heard();
                if (said.empty() && !one.shown) continue;
                EXPECT_EQ(said, "delete " + id)
                    << what << ", deleted: " << listening.person.name << " at " << one.name;
                EXPECT_TRUE(listening.reads)
                    << what << ", deleted: " << listening.person.name << " at " << one.name;
            }
        }
    }
    std::string list_of(const Person& owner, const std::vector<Person>& members) {
        auto list = owner.post("/api/v1/lists", {{"title", "L"}}).id();
        for (const auto& member : members)
            owner.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", member.id}});
        return list;
    }
};
ON_EACH_DATABASE(StreamedStatuses);

TEST_P(StreamedStatuses, are_heard_by_whom_their_timelines_show_them) {
    auto dave = w.local("dave"), erin = w.local("erin"), frank = w.local("frank"), gina = w.local("gina");
    for (const auto& one : {bob, dave, erin, frank}) one.follows(alice);
    bob.follows(carol);
    auto lists = list_of(bob, {alice, carol});
    dave.mutes(carol);
    carol.blocks(gina);
    gina.blocks(erin);
    erin.post("/api/v1/tags/cats/follow");
    carol.post("/api/v1/tags/cats/follow");
    frank.post("/api/v1/accounts/" + alice.id + "/follow", {{"reblogs", "false"}});
    list_of(frank, {alice});
    std::vector<Listening> all;
    for (const auto& one : {alice, carol, dave, erin, frank, gina}) all.emplace_back(w, one, "");
    all.emplace_back(w, bob, lists);

    auto of_alice = [&](const std::string& text, const Fields& more, const std::string& what) {
        agree_to_its_end(all, alice, alice.status(text, more), what);
    };
    of_alice("public #cats", {}, "public");
    of_alice("unlisted #cats", {{"visibility", "unlisted"}}, "unlisted");
    of_alice("private #cats", {{"visibility", "private"}}, "private");
    of_alice("direct @bob #cats", {{"visibility", "direct"}}, "direct");
    of_alice("private for @gina", {{"visibility", "private"}}, "private with a mention");
    of_alice("local #cats", {{"local_only", "true"}}, "local only");
    agree_to_its_end(all, carol, carol.status("from carol, for a moment #cats"), "of carol");
    agree_to_its_end(all, gina, gina.status("@erin hidden #cats"), "of gina, mentioning");
    auto of_carol = carol.status("from carol #cats");
    agree(all, of_carol, "of somebody muted and blocking");
    agree(all, alice.answers(of_carol, "@carol an answer #cats"), "an answer to somebody");
    auto again = alice.status("again");
    agree(all, again, "without a tag");
    agree(all, alice.answers(again, "to myself"), "an answer to oneself");
    agree(all, gina.status("@erin hidden from each other #cats"), "a mention of somebody blocked");
    agree(all, alice.reblogs(of_carol), "a boost");
    agree(all, carol.reblogs(of_carol), "a boost of one's own");
    w.silence(alice);
    agree(all, alice.status("quiet #cats"), "of somebody limited");
}

TEST_P(StreamedStatuses, of_other_servers_are_heard_as_well) {
    auto far = remote::somebody(w, "far");
    remote::follows(w, bob, far);
    std::vector<Listening> all;
    for (const auto& one : {alice, bob}) all.emplace_back(w, one, "");
    alice.post("/api/v1/domain_blocks", {{"domain", "elsewhere.example"}});
    auto take = [&](const statuses::RemoteStatus& note) {
        std::string id;
        streams_of(w).change([&](db::Write& db) {
            auto made = statuses::store_remote(db, note);
            if (made) id = std::to_string(made->id.value);
        });
        return id;
    };
    agree(all, take(remote::note(w, far, "1")), "remote");
    auto hidden = remote::note(w, remote::somebody(w, "x", "elsewhere.example"), "2");
    hidden.uri = "https://elsewhere.example/notes/2";
    agree(all, take(hidden), "of a blocked domain");
    auto old = remote::note(w, far, "3");
    old.published = w.now().plus_seconds(-40 * 86'400);
    old.delivered = false;
    auto id = take(old);
    for (auto& listening : all)
        for (auto& one : listening.streams) EXPECT_EQ(one.ear->heard(), "") << one.name << " of " << id;
}

TEST_P(StreamedStatuses, come_with_the_relations_of_their_moment) {
    Ear home(w, bob, "stream=user");
    alice.status("before");
    EXPECT_EQ(home.heard(), "");
    bob.follows(alice);
    auto first = alice.status("followed");
    EXPECT_EQ(home.heard(), "update " + first);
    bob.unfollows(alice);
    alice.status("not any more");
    EXPECT_EQ(home.heard(), "");
    bob.follows(alice);
    auto list = list_of(bob, {alice});
    Ear listed(w, bob, "stream=list&list=" + list);
    auto second = alice.status("in the list");
    EXPECT_EQ(home.heard(), "update " + second);
    EXPECT_EQ(listed.heard(), "update " + second);
    bob.put("/api/v1/lists/" + list, {{"title", "L"}, {"exclusive", "true"}});
    auto third = alice.status("in the list alone");
    EXPECT_EQ(home.heard(), "");
    EXPECT_EQ(listed.heard(), "update " + third);
    bob.del("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", alice.id}});
    auto fourth = alice.status("home again");
    EXPECT_EQ(home.heard(), "update " + fourth);
    EXPECT_EQ(listed.heard(), "");
}

TEST_P(StreamedStatuses, are_heard_in_the_languages_that_are_wanted) {
    Ear open(w, bob, "stream=public"), tag(w, bob, "stream=hashtag&tag=cats");
    w.write([&](db::Write& db) {
        static const db::Command choose{
            "test_choose_languages", "UPDATE users SET chosen_languages = $2 WHERE account_id = $1"
        };
        db.run(choose, remote::number(bob), R"(["de"])");
    });
    alice.status("english #cats", {{"language", "en"}});
    EXPECT_EQ(open.heard() + tag.heard(), "");
    auto id = alice.status("deutsch #cats", {{"language", "de"}});
    EXPECT_EQ(open.heard(), "update " + id);
    EXPECT_EQ(tag.heard(), "update " + id);
}

TEST_P(StreamedStatuses, that_are_edited_are_told_where_they_stand) {
    bob.follows(alice);
    Ear home(w, bob, "stream=user"), open(w, carol, "stream=public"), strangers(w, carol, "stream=user");
    Ear notified(w, carol, "stream=user:notification"), own(w, alice, "stream=user");
    auto id = alice.status("first");
    for (auto* ear : {&home, &open, &own}) ear->heard();
    alice.put("/api/v1/statuses/" + id, {{"status", "second"}});
    EXPECT_EQ(home.heard(), "status.update " + id);
    EXPECT_EQ(own.heard(), "status.update " + id);
    EXPECT_EQ(open.heard(), "status.update " + id);
    EXPECT_EQ(strangers.heard(), "");
    alice.put("/api/v1/statuses/" + id, {{"status", "third @carol"}});
    EXPECT_THAT(notified.heard(), HasSubstr("status.update " + id));
    EXPECT_THAT(strangers.heard(), HasSubstr("status.update " + id));
    EXPECT_EQ(home.heard(), "status.update " + id);
    auto hidden = alice.status("hush", {{"visibility", "private"}});
    home.heard(), open.heard();
    alice.put("/api/v1/statuses/" + hidden, {{"status", "still"}});
    EXPECT_EQ(home.heard(), "status.update " + hidden);
    EXPECT_EQ(open.heard(), "");
}

TEST_P(StreamedStatuses, that_are_deleted_are_taken_back_where_they_stood) {
    bob.follows(alice);
    auto list = list_of(bob, {alice});
    Ear home(w, bob, "stream=user"), open(w, carol, "stream=public"), strangers(w, carol, "stream=user");
    Ear remote(w, carol, "stream=public:remote"), tag(w, carol, "stream=hashtag&tag=cats"),
        listed(w, bob, "stream=list&list=" + list), own(w, alice, "stream=user");
    auto id = alice.status("gone soon #cats"), hidden = alice.status("hush", {{"visibility", "private"}});
    auto boost = alice.reblogs(carol.status("boosted"));
    for (auto* ear : {&home, &open, &tag, &listed, &own, &strangers}) ear->heard();
    alice.del("/api/v1/statuses/" + id);
    w.run_jobs();
    for (auto* ear : {&home, &open, &tag, &listed, &own}) EXPECT_EQ(ear->heard(), "delete " + id);
    EXPECT_EQ(strangers.heard(), "");
    EXPECT_EQ(remote.heard(), "");
    alice.del("/api/v1/statuses/" + hidden);
    w.run_jobs();
    for (auto* ear : {&home, &listed, &own}) EXPECT_EQ(ear->heard(), "delete " + hidden);
    for (auto* ear : {&open, &tag, &strangers}) EXPECT_EQ(ear->heard(), "");
    alice.post("/api/v1/statuses/" + alice.get("/api/v1/statuses/" + boost)["reblog.id"] + "/unreblog");
    w.run_jobs();
    EXPECT_EQ(home.heard(), "delete " + boost);
    EXPECT_EQ(open.heard(), "");
}

TEST_P(StreamedStatuses, that_quote_are_told_again_when_the_quote_is_taken_back) {
    carol.follows(bob);
    auto quoted = alice.status("to be quoted");
    Ear home(w, carol, "stream=user");
    auto quoting = bob.status("look", {{"quoted_status_id", quoted}});
    EXPECT_EQ(home.heard(), "update " + quoting);
    alice.post("/api/v1/statuses/" + quoted + "/quotes/" + quoting + "/revoke");
    EXPECT_EQ(home.heard(), "status.update " + quoting);
}

// More followers than get their entries in the transaction, before those who are listened for.
void crowd(World& w, const Person& author) {
    static const db::Command crowd{
        "test_crowd",
        R"(INSERT INTO follows (id, account_id, target_id, created_at)
           SELECT value, 1000000 + value, $1, $2 FROM json_each($3))",
        R"(INSERT INTO follows (id, account_id, target_id, created_at)
           SELECT v, 1000000 + v, $1, $2 FROM unnest($3::bigint[]) v)"
    };
    static const db::Command counted{
        "test_crowd_counted", "UPDATE accounts SET followers_count = followers_count + 1100 WHERE id = $1"
    };
    std::vector<base::FollowId> ids;
    for (int i = 1; i <= 1100; ++i) ids.push_back({i});
    w.write([&](db::Write& db) {
        db.run(crowd, remote::number(author), db.now(), ids);
        db.run(counted, remote::number(author));
    });
}

TEST_P(StreamedStatuses, reach_followers_before_their_entries_are_written) {
    crowd(w, alice);
    bob.follows(alice);
    carol.follows(alice);
    w.run_jobs();
    Ear one(w, bob, "stream=user"), another(w, carol, "stream=user"), own(w, alice, "stream=user");
    auto id = alice.status("to many");
    for (auto* ear : {&one, &another, &own}) EXPECT_EQ(ear->heard(), "update " + id);
    alice.put("/api/v1/statuses/" + id, {{"status", "edited before"}});
    for (auto* ear : {&one, &another, &own}) EXPECT_EQ(ear->heard(), "status.update " + id);
    EXPECT_THAT(bob.home(), IsEmpty());
    w.run_jobs();
    for (auto* ear : {&one, &another, &own}) EXPECT_EQ(ear->heard(), "");
    EXPECT_THAT(bob.home(), ElementsAre(id));
    auto gone = alice.status("to nobody");
    one.heard();
    alice.del("/api/v1/statuses/" + gone);
    EXPECT_EQ(one.heard(), "delete " + gone);
    w.run_jobs();
    EXPECT_THAT(bob.home(), ElementsAre(id));
}

// Who listens is asked for 25 at a time, then 50, then more; of an author with few followers at once.
TEST_P(StreamedStatuses, are_told_once_to_each_of_many_who_listen) {
    crowd(w, alice);
    std::vector<Person> people;
    std::vector<std::unique_ptr<Ear>> ears;
    for (int i = 0; i < 220; ++i) {
        people.push_back(w.local("listener" + std::to_string(i)));
        if (i % 2) people.back().follows(alice);
        if (i % 3) people.back().follows(bob);
        ears.push_back(std::make_unique<Ear>(w, people.back(), "stream=user"));
    }
    w.run_jobs();
    for (auto& ear : ears) ear->heard();
    for (const auto& [author, every] : {std::pair(alice, 2), std::pair(bob, 3)}) {
        const auto id = author.status("to many");
        for (int i = 0; i < 220; ++i)
            EXPECT_EQ(ears[static_cast<std::size_t>(i)]->heard(), i % every ? "update " + id : "")
                << author.name << i;
        w.run_jobs();
    }
}

// What is told before entries are written is what home holds when they are.
TEST_P(StreamedStatuses, are_told_as_home_will_hold_them) {
    auto dave = w.local("dave"), erin = w.local("erin"), frank = w.local("frank"), gina = w.local("gina");
    auto henry = w.local("henry"), ines = w.local("ines");
    crowd(w, alice);
    auto everybody = std::vector{alice, bob, carol, dave, erin, frank, gina, henry, ines};
    for (const auto& one : {bob, carol, gina, ines}) one.follows(alice);
    dave.follows(alice, {{"reblogs", "false"}});
    erin.follows(alice, {{"languages[]", "de"}});
    list_of(frank, {});
    frank.follows(alice);
    frank.put("/api/v1/lists/" + list_of(frank, {alice}), {{"title", "L"}, {"exclusive", "true"}});
    gina.mutes(carol);
    henry.post("/api/v1/tags/cats/follow");
    ines.post("/api/v1/tags/cats/follow");
    bob.follows(henry);
    ines.follows(henry);
    w.run_jobs();
    auto of_carol = carol.status("by carol #cats"), of_henry = henry.status("by henry");
    w.run_jobs();
    carol.follows(henry);  // whose older statuses are not in her home yet
    std::vector<std::unique_ptr<Ear>> ears;
    for (const auto& one : everybody)
        ears.push_back(std::make_unique<Ear>(w, one, "stream=user:notification"));
    for (auto& ear : ears) ear->listen("user"), ear->leave("user:notification");

    auto told_as_held = [&](const std::string& id, const std::string& what) {
        std::vector<bool> told;
        for (auto& ear : ears) told.push_back(ear->heard().find("update " + id) != std::string::npos);
        w.run_jobs();
        for (std::size_t i = 0; i < everybody.size(); ++i) {
            auto home = everybody[i].home();
            bool holds = std::ranges::find(home, id) != home.end();
            EXPECT_EQ(told[i], holds) << what << ": " << everybody[i].name;
            EXPECT_THAT(ears[i]->heard(), Not(HasSubstr("update " + id)))
                << what << ": " << everybody[i].name;
        }
        return std::ranges::count(told, true);
    };
    EXPECT_EQ(told_as_held(alice.status("plain"), "plain"), 6);
    EXPECT_GT(told_as_held(alice.status("english #cats", {{"language", "en"}}), "english"), 6);
    told_as_held(alice.status("deutsch", {{"language", "de"}}), "german");
    told_as_held(alice.status("private", {{"visibility", "private"}}), "private");
    EXPECT_EQ(told_as_held(alice.status("direct @bob @henry", {{"visibility", "direct"}}), "direct"), 2);
    told_as_held(alice.status("of @carol"), "mentioning");
    told_as_held(alice.answers(of_carol, "@carol #cats"), "an answer to carol");
    told_as_held(alice.answers(of_henry, "@henry"), "an answer to henry");
    told_as_held(alice.reblogs(of_carol), "a boost of carol");
    EXPECT_GT(told_as_held(alice.reblogs(of_henry), "a boost of what stands there"), 0);
    henry.reblogs(of_carol);
    w.run_jobs();
}

TEST_P(StreamedStatuses, say_what_each_who_hears_has_done_to_them) {
    auto dave = w.local("dave"), erin = w.local("erin");
    const std::vector<Person> all{bob, carol, dave, erin};
    for (const auto& one : all) one.follows(alice);
    const auto id = alice.status("as it was");
    const auto path = "/api/v1/statuses/" + id;
    bob.post(path + "/favourite");
    carol.post(path + "/bookmark");
    dave.post(path + "/reblog");
    erin.post(path + "/mute");
    w.run_jobs();
    auto marks_heard = [&](const std::string& text) {
        std::vector<std::unique_ptr<Ear>> ears;
        for (const auto& one : all) ears.push_back(std::make_unique<Ear>(w, one, "stream=user"));
        alice.put(path, {{"status", text}});
        std::string out;
        for (const auto& ear : ears) {
            for (const auto& message : ear->raw()) {
                if (message.find("status.update") == message.npos) continue;
                for (const std::string mark : {"favourited", "bookmarked", "reblogged", "muted"})
                    if (message.find(R"(\")" + mark + R"(\":true)") != message.npos) out += mark;
                out += ' ';
            }
        }
        return out;
    };
    const auto expected = "favourited bookmarked reblogged muted ";
    EXPECT_EQ(marks_heard("changed"), expected);
    // After so many others that they are not all looked at.
    bob.post(path + "/unfavourite");
    for (int i = 0; i < 60; ++i) w.local("fan" + std::to_string(i)).post(path + "/favourite");
    bob.post(path + "/favourite");
    EXPECT_EQ(marks_heard("changed again"), expected);
}

TEST_P(StreamedStatuses, in_the_open_have_the_form_for_nobody_with_what_filters_say) {
    bob.post(
        "/api/v2/filters",
        {{"title", "f"}, {"context[]", "public"}, {"keywords_attributes[0][keyword]", "hush"}}
    );
    Ear plain(w, carol, "stream=public"), filtering(w, bob, "stream=public");
    alice.status("a hush word");
    auto for_carol = plain.raw(), for_bob = filtering.raw();
    ASSERT_THAT(for_carol, SizeIs(1));
    ASSERT_THAT(for_bob, SizeIs(1));
    EXPECT_THAT(for_carol[0], HasSubstr(R"(\"filtered\":[]})"));
    EXPECT_THAT(for_carol[0], Not(HasSubstr("favourited\\\"")));
    EXPECT_THAT(for_bob[0], HasSubstr(R"(\"keyword_matches\":[\"hush\"])"));
}

}  // namespace
