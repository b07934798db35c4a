// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/import.hpp"

#include "social/federation/elsewhere.hpp"
#include "social/federation/remote.hpp"
#include "social/relationships/relationship.hpp"

#include <gmock/gmock.h>

namespace {

using namespace elsewhere;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::UnorderedElementsAre;
using transfer::ImportId, transfer::ImportState, transfer::Kind, transfer::Line;

struct Imports : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), carol = w.local("carol");

    ImportId begin(Kind kind, const std::string& csv, bool overwrite = false) {
        return w.write([&](db::Write& db) {
            return transfer::begin_import(
                db,
                remote::number(alice),
                kind,
                overwrite,
                transfer::prepared(transfer::read_lines(kind, csv, overwrite))
            );
        });
    }
    // Until it has ended.
    transfer::Import bring(Kind kind, const std::string& csv, bool overwrite = false) {
        auto id = begin(kind, csv, overwrite);
        w.run_jobs();
        return now(id);
    }
    transfer::Import now(ImportId id) {
        return w.read([&](db::Read& db) { return transfer::import_of(db, remote::number(alice), id); });
    }
    std::vector<Line> failed(ImportId id) {
        return w.read([&](db::Read& db) { return transfer::failed_lines(db, id, 100); });
    }
    std::string csv(Kind kind, const Person& who) {
        return w.read([&](db::Read& db) { return transfer::export_csv(db, remote::number(who), kind); });
    }
    std::vector<std::string> following() {
        return alice.get("/api/v1/accounts/" + alice.id + "/following").all("acct");
    }
    std::string host() { return "@" + w.site().domain; }
};
ON_EACH_DATABASE(Imports);

TEST_P(Imports, follow_mute_and_block_as_the_file_says) {
    person("dora");
    auto done = bring(
        Kind::following,
        "Account address,Show boosts,Notify on new posts,Languages\nbob" + host() +
            ",false,true,\"de, en\"\ndora@far.example,true,false,\n"
    );
    EXPECT_EQ(done.state, ImportState::ended);
    EXPECT_EQ(done.done, 2);
    EXPECT_EQ(done.failed, 0);
    EXPECT_THAT(following(), ElementsAre("bob"));  // the other server has not answered yet
    auto bobs = alice.get("/api/v1/accounts/relationships", {{"id[]", bob.id}});
    EXPECT_EQ(bobs["0.showing_reblogs"], "false");
    EXPECT_EQ(bobs["0.notifying"], "true");
    EXPECT_EQ(bobs["0.languages"], R"(["de","en"])");
    auto dora = alice.get("/api/v1/accounts/lookup", {{"acct", "dora@far.example"}}).id();
    EXPECT_EQ(alice.get("/api/v1/accounts/relationships", {{"id[]", dora}})["0.requested"], "true");

    bring(Kind::muting, "Account address,Hide notifications\ncarol" + host() + ",false\n");
    auto carols = alice.get("/api/v1/accounts/relationships", {{"id[]", carol.id}});
    EXPECT_EQ(carols["0.muting"], "true");
    EXPECT_EQ(carols["0.muting_notifications"], "false");
    bring(Kind::blocking, "bob" + host() + "\n");
    EXPECT_THAT(following(), IsEmpty());
    EXPECT_THAT(alice.get("/api/v1/blocks").ids(), ElementsAre(bob.id));
    bring(Kind::domain_blocking, "#domain\nBad.Example\n");
    EXPECT_EQ(alice.get("/api/v1/domain_blocks").body, R"(["bad.example"])");
}

TEST_P(Imports, say_of_each_line_why_it_was_not_done) {
    refuse(webfinger_url("nobody@far.example"), 404);
    refuse("http://far.example/.well-known/host-meta", 404);
    carol.blocks(alice);
    auto done = bring(
        Kind::following,
        "nobody@far.example\nnobody\ncarol" + host() + "\nalice" + host() + "\nbob" + host() + "\n"
    );
    EXPECT_EQ(done.done, 5);
    EXPECT_EQ(done.failed, 4);
    auto lines = failed(done.id);
    std::vector<std::string> said;
    for (const auto& line : lines) said.push_back(line.what + ": " + line.problem);
    EXPECT_THAT(
        said,
        ElementsAre(
            "nobody@far.example: There is no such account",
            "nobody: There is no such account",
            "carol" + host() + ": This action is not allowed",
            "alice" + host() + ": Following your own account is not allowed"
        )
    );
    EXPECT_THAT(following(), ElementsAre("bob"));
    carol.post("/api/v1/accounts/" + alice.id + "/unblock");
    auto again =
        w.read([&](db::Read& db) { return transfer::prepared_again(db, remote::number(alice), done.id); });
    w.write([&](db::Write& db) { transfer::try_again(db, remote::number(alice), done.id, again); });
    w.run_jobs();
    EXPECT_THAT(following(), UnorderedElementsAre("bob", "carol"));
    auto all = w.read([&](db::Read& db) { return transfer::imports_of(db, remote::number(alice)); });
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].failed, 3);
}

TEST_P(Imports, make_lists_and_follow_who_is_in_them) {
    alice.post("/api/v1/lists", {{"title", "Friends"}});
    auto done = bring(
        Kind::lists,
        "Friends,bob" + host() + "\n\"Far, away\",carol" + host() + "\nFriends,carol" + host() +
            "\nFriends,bob" + host() + "\n"
    );
    EXPECT_EQ(done.failed, 0);
    EXPECT_THAT(alice.get("/api/v1/lists").all("title"), UnorderedElementsAre("Friends", "Far, away"));
    EXPECT_THAT(following(), UnorderedElementsAre("bob", "carol"));
    bring(Kind::lists, "Friends,carol" + host() + "\n", true);
    auto lists = alice.get("/api/v1/lists");
    for (const auto& id : lists.ids())
        EXPECT_THAT(alice.get("/api/v1/lists/" + id + "/accounts").all("acct"), ElementsAre("carol"));
}

TEST_P(Imports, bookmark_posts_here_and_elsewhere) {
    auto here = bob.status("mine");
    auto uri = bob.get("/api/v1/statuses/" + here)["uri"];
    person("dora");
    serve(far + "/notes/1", note(far + "/notes/1", far + "/users/dora"));
    refuse(far + "/notes/2", 404);
    auto done =
        bring(Kind::bookmarks, uri + "\n" + far + "/notes/1\n" + far + "/notes/2\nhttp://plain.example\n");
    EXPECT_EQ(done.failed, 2);
    EXPECT_THAT(alice.get("/api/v1/bookmarks").all("uri"), UnorderedElementsAre(uri, far + "/notes/1"));
    bring(Kind::bookmarks, far + "/notes/1\n", true);
    EXPECT_THAT(alice.get("/api/v1/bookmarks").all("uri"), ElementsAre(far + "/notes/1"));
}

TEST_P(Imports, end_what_the_file_does_not_name_when_told_to) {
    auto dora = remote::somebody(w, "dora");
    remote::follows(w, alice, dora);
    alice.follows(bob);
    alice.follows(carol);
    refuse(webfinger_url("away@far.example"), 503);
    bring(Kind::following, "bob" + host() + "\n");
    EXPECT_THAT(following(), UnorderedElementsAre("bob", "carol", "dora@far.example"));
    bring(Kind::following, "Dora@far.example\ncarol" + host() + "\naway@far.example\n", true);
    EXPECT_THAT(following(), UnorderedElementsAre("carol", "dora@far.example"));
    alice.post("/api/v1/domain_blocks", {{"domain", "bad.example"}});
    bring(Kind::domain_blocking, "worse.example\n", true);
    EXPECT_EQ(alice.get("/api/v1/domain_blocks").body, R"(["worse.example"])");
    alice.mutes(bob);
    bring(Kind::muting, "carol" + host() + "\n", true);
    EXPECT_THAT(alice.get("/api/v1/mutes").all("acct"), ElementsAre("carol"));
    alice.blocks(bob);
    bring(Kind::blocking, "carol" + host() + "\n", true);
    EXPECT_THAT(alice.get("/api/v1/blocks").all("acct"), ElementsAre("carol"));
}

TEST_P(Imports, end_nothing_when_the_file_was_not_understood) {
    alice.follows(bob);
    alice.post("/api/v1/domain_blocks", {{"domain", "bad.example"}});
    EXPECT_THROW(begin(Kind::following, "Name,Adresse\nBob,bob" + host() + "\n", true), base::Invalid);
    refuse(webfinger_url("nobody@far.example"), 404);
    refuse("http://far.example/.well-known/host-meta", 404);
    for (const auto& csv :
         {std::string("Account address\nBob B.\nCarol C.\n"), std::string("nobody@far.example\n")}) {
        auto done = bring(Kind::following, csv, true);
        EXPECT_EQ(done.state, ImportState::futile);
        EXPECT_TRUE(done.ended_at);
        EXPECT_EQ(done.failed, done.total);
        EXPECT_EQ(std::ssize(failed(done.id)), done.total);
    }
    EXPECT_THAT(following(), ElementsAre("bob"));
    EXPECT_EQ(bring(Kind::domain_blocking, "#domain\nno domain\n", true).state, ImportState::futile);
    EXPECT_EQ(alice.get("/api/v1/domain_blocks").body, R"(["bad.example"])");
    // As spreadsheets write it back.
    auto done = bring(
        Kind::following,
        "account address ;SHOW BOOSTS;Notify on new posts;Languages\ncarol" + host() + ";;;de, en\n",
        true
    );
    EXPECT_EQ(done.state, ImportState::ended);
    EXPECT_THAT(following(), ElementsAre("carol"));
    auto carols = alice.get("/api/v1/accounts/relationships", {{"id[]", carol.id}});
    EXPECT_EQ(carols["0.showing_reblogs"], "true");
    EXPECT_EQ(carols["0.notifying"], "false");
    EXPECT_EQ(carols["0.languages"], R"(["de","en"])");
}

TEST_P(Imports, go_through_more_lines_than_one_turn_and_one_row_hold) {
    std::string csv;
    for (int n = 0; n < 123; ++n) {
        auto name = "p" + std::to_string(n);
        remote::somebody(w, name);
        csv += name + "@far.example\n";
        if (n % 40 == 0) csv += "no one\n";
    }
    auto done = bring(Kind::blocking, csv);
    EXPECT_EQ(done.done, 127);
    EXPECT_EQ(done.failed, 4);
    EXPECT_EQ(failed(done.id).size(), 4u);
    EXPECT_EQ(std::ranges::count(this->csv(Kind::blocking, alice), '\n'), 123);
    // And what is there is compared page by page.
    bring(Kind::blocking, "p7@far.example\n", true);
    EXPECT_EQ(this->csv(Kind::blocking, alice), "p7@far.example\n");
}

TEST_P(Imports, stop_when_told_to_and_with_who_may_act_no_more) {
    auto id = begin(Kind::following, "bob" + host() + "\n");
    EXPECT_THROW(begin(Kind::following, "carol" + host() + "\n"), base::Invalid);
    EXPECT_THROW(
        w.write([&](db::Write& db) { transfer::stop_import(db, remote::number(bob), id); }), base::NotFound
    );
    w.write([&](db::Write& db) { transfer::stop_import(db, remote::number(alice), id); });
    w.run_jobs();
    EXPECT_EQ(now(id).state, ImportState::stopped);
    EXPECT_THAT(following(), IsEmpty());
    auto other = begin(Kind::following, "bob" + host() + "\n");
    w.suspend(alice);
    w.run_jobs();
    EXPECT_EQ(now(other).state, ImportState::stopped);
}

TEST_P(Imports, are_forgotten_after_a_month_and_when_there_are_many) {
    auto first = bring(Kind::blocking, "nobody\n");
    EXPECT_EQ(failed(first.id).size(), 1u);
    for (int n = 0; n < 10; ++n) bring(Kind::blocking, "bob" + host() + "\n");
    auto all = [&] {
        return w.read([&](db::Read& db) { return transfer::imports_of(db, remote::number(alice)); });
    };
    EXPECT_EQ(all().size(), 10u);
    EXPECT_THROW(now(first.id), base::NotFound);
    EXPECT_THAT(failed(first.id), IsEmpty());
    w.advance(transfer::kept_seconds + 60);
    for (int n = 0; n < 3; ++n) w.write([](db::Write& db) { transfer::purge_imports(db); });
    EXPECT_THAT(all(), IsEmpty());
}

TEST_P(Imports, take_back_what_was_taken_along) {
    person("dora");
    auto dora = remote::somebody(w, "dora");
    remote::follows(w, bob, dora);
    bob.follows(carol, {{"reblogs", "false"}, {"notify", "true"}, {"languages[]", "de"}});
    auto list = bob.post("/api/v1/lists", {{"title", "A, \"b\""}}).id();
    bob.post("/api/v1/lists/" + list + "/accounts", {{"account_ids[]", carol.id}});
    bob.mutes(alice, {{"notifications", "false"}});
    bob.post("/api/v1/domain_blocks", {{"domain", "bad.example"}});
    auto post = carol.status("to keep");
    bob.post("/api/v1/statuses/" + post + "/bookmark");
    EXPECT_EQ(
        csv(Kind::following, bob),
        "Account address,Show boosts,Notify on new posts,Languages\ndora@far.example,true,false,\ncarol" +
            host() + ",false,true,de\n"
    );
    EXPECT_EQ(csv(Kind::lists, bob), "\"A, \"\"b\"\"\",carol" + host() + "\n");
    EXPECT_EQ(csv(Kind::muting, bob), "Account address,Hide notifications\nalice" + host() + ",false\n");
    for (auto kind : {Kind::following, Kind::lists, Kind::domain_blocking, Kind::bookmarks}) {
        auto done = bring(kind, csv(kind, bob));
        EXPECT_EQ(done.failed, 0) << static_cast<int>(kind);
    }
    for (auto kind : {Kind::lists, Kind::domain_blocking, Kind::bookmarks})
        EXPECT_EQ(csv(kind, alice), csv(kind, bob)) << static_cast<int>(kind);
}

}  // namespace
