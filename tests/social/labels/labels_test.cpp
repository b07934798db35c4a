// SPDX-License-Identifier: AGPL-3.0-or-later
// What labels do for who looks at posts: which apply, with which effect, and where an answer tells of it.
#include "social/accounts/account.hpp"
#include "social/federation/remote.hpp"
#include "social/labels/effects.hpp"
#include "social/labels/use.hpp"
#include "social/moderation/staff.hpp"
#include "streams.hpp"

#include <gmock/gmock.h>

namespace {

using labels::Bearer, labels::LabelEffect, labels::LabelId;
using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;

struct Labels : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob"), olga = staff(w, "olga", accounts::owner);
    const std::string path = "/api/dunlin/v1/moderation/labels", own = "/api/dunlin/v1/labels";

    std::string label(const std::string& name, const std::string& effect, const std::string& title = "") {
        Fields fields{{"name", name}, {"effect", effect}};
        if (!title.empty()) fields.emplace_back("title", title);
        auto made = olga.post(path, fields);
        EXPECT_EQ(made.status, 200) << made.body;
        return made.id();
    }
    void put(const std::string& label, const std::string& kind, const std::string& on) {
        auto answer = olga.post(path + "/" + label + "/uses", {{kind, on}});
        EXPECT_EQ(answer.status, 200) << answer.body;
    }
    void take(const std::string& label, const std::string& kind, const std::string& from) {
        EXPECT_EQ(olga.del(path + "/" + label + "/uses", {{kind, from}}).status, 200);
    }
    std::string seen(const Person& by, const std::string& status, const std::string& way = "filter.title") {
        return by.get("/api/v1/statuses/" + status)["filtered.0." + way];
    }
    std::int64_t uses(const std::string& label) {
        return w.read([&](db::Read& db) {
            return std::ssize(labels::uses_of(db, LabelId{std::stoll(label)}, {}));
        });
    }
};
ON_EACH_DATABASE(Labels);

TEST_P(Labels, come_to_apps_as_filters_that_matched) {
    auto id = label("satire", "warn", "This is meant as a joke");
    auto status = bob.status("hello"), other = bob.status("another");
    put(id, "status_id", status);
    auto shown = alice.get("/api/v1/statuses/" + status);
    EXPECT_EQ(shown["filtered.0.filter.id"], "label-" + id);
    EXPECT_EQ(shown["filtered.0.filter.title"], "This is meant as a joke");
    EXPECT_EQ(shown["filtered.0.filter.filter_action"], "warn");
    EXPECT_EQ(shown["filtered.0.filter.context"], R"(["home","notifications","public","thread","account"])");
    EXPECT_EQ(shown["filtered.0.filter.expires_at"], "null");
    EXPECT_EQ(shown["filtered.0.keyword_matches"], R"(["satire"])");
    EXPECT_EQ(shown["filtered.0.status_matches"], "null");
    EXPECT_EQ(shown["filtered.1"], "absent");
    EXPECT_EQ(seen(alice, other), "absent");
    EXPECT_EQ(w.anonymous().get("/api/v1/statuses/" + status)["filtered"], "absent");
    EXPECT_EQ(alice.get("/api/v2/filters/label-" + id).status, 404) << "it is none of her filters";
    EXPECT_EQ(alice.get("/api/v2/filters").body, "[]");
}

TEST_P(Labels, are_those_of_the_post_its_author_and_the_server_with_all_below_it) {
    auto of_post = label("a post", "warn"), of_author = label("an author", "hide"),
         of_server = label("a server", "warn");
    auto near = remote::somebody(w, "near", "social.far.example"),
         far = remote::somebody(w, "far", "notfar.example");
    auto note = remote::note(w, near, "1");
    note.uri = "https://social.far.example/notes/1";
    auto theirs = remote::stored(w, note);
    auto elsewhere = remote::note(w, far, "2");
    elsewhere.uri = "https://notfar.example/notes/2";
    auto others = remote::stored(w, elsewhere);
    put(of_post, "status_id", theirs);
    put(of_author, "account_id", remote::text(near));
    put(of_server, "domain", "FAR.example");
    auto shown = alice.get("/api/v1/statuses/" + theirs);
    EXPECT_EQ(shown["filtered.0.filter.title"], "an author") << "what hides comes first";
    EXPECT_EQ(shown["filtered.0.filter.filter_action"], "hide");
    EXPECT_EQ(shown["filtered.1.filter.title"], "a post");
    EXPECT_EQ(shown["filtered.2.filter.title"], "a server");
    EXPECT_EQ(shown["filtered.3"], "absent");
    EXPECT_EQ(seen(alice, others), "absent");
    take(of_post, "status_id", theirs);
    take(of_author, "account_id", remote::text(near));
    EXPECT_EQ(seen(alice, theirs), "a server");
    take(of_server, "domain", "far.example");
    EXPECT_EQ(seen(alice, theirs), "absent");
}

TEST_P(Labels, say_nothing_of_ones_own_posts) {
    auto id = label("spam", "hide");
    put(id, "account_id", bob.id);
    auto status = bob.status("hello @alice", {{"visibility", "direct"}});
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["filtered"], "[]");
    EXPECT_EQ(seen(alice, status, "filter.filter_action"), "hide");
    alice.follows(bob);
    auto boost = alice.reblogs(bob.status("boosted"));
    EXPECT_EQ(bob.get("/api/v1/statuses/" + boost)["reblog.filtered"], "[]") << "boosted by whomever";
    EXPECT_EQ(alice.get("/api/v1/statuses/" + boost)["reblog.filtered.0.filter.title"], "spam");
}

TEST_P(Labels, do_what_the_viewer_wants_and_else_what_they_say) {
    auto quiet = label("quiet", "none"), loud = label("loud", "hide");
    put(quiet, "account_id", bob.id);
    auto status = bob.status("hello");
    EXPECT_EQ(seen(alice, status), "absent");
    EXPECT_EQ(alice.put(own + "/" + quiet, {{"effect", "warn"}})["chosen"], "warn");
    EXPECT_EQ(seen(alice, status), "quiet");
    EXPECT_EQ(seen(olga, status), "absent") << "she alone chose it";
    put(loud, "status_id", status);
    EXPECT_EQ(alice.put(own + "/" + loud, {{"effect", "none"}}).status, 200);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["filtered.1"], "absent");
    EXPECT_EQ(seen(alice, status), "quiet");
    EXPECT_EQ(seen(olga, status, "filter.filter_action"), "hide");
    EXPECT_EQ(alice.put(own + "/" + loud)["chosen"], "null");
    EXPECT_EQ(alice.put(own + "/" + quiet)["effect"], "none");
    EXPECT_EQ(seen(alice, status), "loud");
    EXPECT_EQ(olga.put(path + "/" + loud, {{"effect", "warn"}, {"title", "Louder"}})["effect"], "warn");
    EXPECT_EQ(seen(alice, status), "Louder") << "a change holds at once";
    EXPECT_EQ(seen(alice, status, "filter.filter_action"), "warn");
    auto listed = alice.get(own);
    EXPECT_THAT(listed.all("name"), ElementsAre("loud", "quiet"));
    EXPECT_EQ(listed["0.title"], "Louder");
    EXPECT_EQ(alice.put(own + "/" + loud, {{"effect", "burn"}}).status, 422);
    EXPECT_EQ(alice.put(own + "/1", {{"effect", "warn"}}).status, 404);
    EXPECT_EQ(w.anonymous().get(own).status, 401);
}

TEST_P(Labels, stand_beside_what_ones_own_filters_match) {
    alice.post(
        "/api/v2/filters",
        {{"title", "mine"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", "dragon"}}
    );
    auto id = label("satire", "warn");
    put(id, "account_id", bob.id);
    auto both = alice.get("/api/v1/statuses/" + bob.status("a dragon"));
    EXPECT_EQ(both["filtered.0.filter.title"], "mine");
    EXPECT_EQ(both["filtered.1.filter.title"], "satire");
    EXPECT_EQ(both["filtered.2"], "absent");
    EXPECT_EQ(seen(alice, bob.status("a horse")), "satire");
}

TEST_P(Labels, are_told_of_wherever_posts_are_shown) {
    put(label("satire", "warn"), "account_id", bob.id);
    alice.follows(bob);
    auto root = alice.status("root");
    auto status = bob.answers(root, "@alice hello #tag");
    bob.status("hello #tag");
    alice.favourites(status);
    alice.post("/api/v1/statuses/" + status + "/bookmark");
    w.catch_up();
    for (const auto& [where, way] : std::vector<std::pair<std::string, std::string>>{
             {"/api/v1/timelines/home", "0."},
             {"/api/v1/timelines/public", "0."},
             {"/api/v1/timelines/tag/tag", "0."},
             {"/api/v1/accounts/" + bob.id + "/statuses", "0."},
             {"/api/v1/statuses/" + root + "/context", "descendants.0."},
             {"/api/v1/favourites", "0."},
             {"/api/v1/bookmarks", "0."},
             {"/api/v1/notifications", "0.status."},
             {"/api/v2/notifications", "statuses.0."},
         })
        EXPECT_EQ(alice.get(where)[way + "filtered.0.filter.title"], "satire") << where;
}

TEST_P(Labels, come_with_what_streams_tell_but_not_to_the_author) {
    auto id = label("satire", "warn");
    put(id, "account_id", bob.id);
    auto carol = w.local("carol");
    alice.follows(bob), carol.follows(bob);
    carol.put(own + "/" + id, {{"effect", "none"}});
    for (const std::string stream : {"user", "public"}) {
        Ear hers(w, alice, "stream=" + stream), his(w, bob, "stream=" + stream),
            carols(w, carol, "stream=" + stream);
        bob.status("hello");
        w.run_jobs();
        auto said = [](Ear& ear) { return testing::PrintToString(ear.raw()); };
        EXPECT_THAT(said(hers), HasSubstr("label-" + id)) << stream;
        for (auto* ear : {&his, &carols}) {
            auto heard = said(*ear);
            EXPECT_THAT(heard, HasSubstr("hello")) << stream;
            EXPECT_THAT(heard, Not(HasSubstr("label-"))) << stream;
        }
    }
}

TEST_P(Labels, cost_the_same_queries_for_one_and_for_forty_and_none_where_nobody_sees_them) {
    alice.follows(bob);
    auto queries_of = [&](const std::string& limit) {
        w.run_jobs();
        alice.home({{"limit", limit}});
        w.queries();
        EXPECT_EQ(alice.home({{"limit", limit}}).size(), std::stoul(limit));
        return w.queries();
    };
    bob.status("first");
    auto without = queries_of("1");
    auto id = label("satire", "none");
    put(id, "account_id", bob.id), put(id, "domain", "far.example");
    EXPECT_EQ(queries_of("1"), without) << "without an effect nothing is asked";
    EXPECT_EQ(olga.put(path + "/" + id, {{"effect", "warn"}}).status, 200);
    auto few = queries_of("1");
    EXPECT_LE(few, without + 3);
    for (int i = 0; i < 45; ++i) bob.status("more");
    EXPECT_EQ(queries_of("40"), few);
    EXPECT_EQ(olga.del(path + "/" + id).status, 200);
    EXPECT_EQ(queries_of("40"), without);
}

TEST_P(Labels, go_with_what_bears_them_and_with_themselves) {
    auto id = label("spam", "warn"), other = label("other", "warn");
    auto status = bob.status("hello");
    put(id, "status_id", status), put(id, "account_id", bob.id), put(other, "account_id", bob.id);
    bob.put(own + "/" + other, {{"effect", "hide"}}), alice.put(own + "/" + other, {{"effect", "hide"}});
    EXPECT_EQ(uses(id), 2);
    bob.del("/api/v1/statuses/" + status);
    EXPECT_EQ(uses(id), 1);
    w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(bob)); });
    w.run_jobs();
    EXPECT_EQ(uses(id), 0);
    EXPECT_EQ(uses(other), 0);
    auto chosen = [&](const Person& who) {
        return w.read([&](db::Read& db) { return std::ssize(labels::choices_of(db, remote::number(who))); });
    };
    EXPECT_EQ(chosen(bob), 0);
    EXPECT_EQ(chosen(alice), 1);
    auto carol = w.local("carol");
    put(other, "account_id", carol.id);
    EXPECT_EQ(olga.del(path + "/" + other).status, 200);
    EXPECT_EQ(seen(alice, carol.status("hello")), "absent") << "at once";
    w.run_jobs();
    EXPECT_EQ(uses(other), 0);
    EXPECT_EQ(chosen(alice), 0);
}

TEST_P(Labels, keep_whose_word_they_are) {
    auto id = LabelId{std::stoll(label("spam", "warn"))};
    const Bearer on = Bearer::of(remote::number(bob));
    using enum labels::UseSource;
    auto put_by = [&](labels::Source who) {
        return w.write([&](db::Write& db) { return labels::put(db, id, on, who); });
    };
    auto taken_by = [&](labels::Source who) {
        return w.write([&](db::Write& db) { return labels::take_of(db, id, on, who); });
    };
    EXPECT_TRUE(put_by({rule, 7}));
    EXPECT_FALSE(put_by({list, 8})) << "it is there already";
    EXPECT_FALSE(taken_by({list, 8}));
    EXPECT_TRUE(put_by({staff, 9})) << "staff's word replaces a rule's";
    EXPECT_FALSE(taken_by({rule, 7}));
    EXPECT_TRUE(taken_by({staff, 9}));
}

}  // namespace
