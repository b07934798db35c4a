// SPDX-License-Identifier: AGPL-3.0-or-later
// Who sees what of a picture in quarantine, wherever posts are shown, and what becomes of it when the team has decided.
#include "internet.hpp"
#include "social/federation/remote.hpp"
#include "social/media/copy.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/staff.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "streams.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not,
    testing::SizeIs;

const std::string moderation = "/api/dunlin/v1/moderation", file = "media/ab/ab1.png";

struct QuarantineSight : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob"),
           anybody = w.anonymous();
    std::string list = owner
                           .post(
                               moderation + "/hash_lists",
                               {{"name", "Known"}, {"kind", "pdq"}, {"entries", std::string(64, 'a')}}
                           )
                           .id();

    // As the store finds one that looks like it.
    void found() {
        w.write([&](db::Write& db) {
            const media::KnownPicture known{media::hash_list(db, {std::stoll(list)}), 12};
            media::put_into_quarantine(db, {file, "", {file}}, known, {});
        });
        internet().quarantined.insert(name());
    }
    std::string name() {
        return w.read([&](db::Read& db) { return media::quarantined_as(media::picture_key(db), file); });
    }
    std::string uploaded() {
        return w.write([&](db::Write& db) {
            media::Media m;
            m.account_id = {std::stoll(alice.id)};
            m.file = m.preview = file;
            return std::to_string(media::create(db, m).value);
        });
    }
    // Wherever somebody else may come across a post of hers.
    std::vector<std::string> seen(const std::string& post) {
        std::vector<std::string> out;
        auto note = [&](const std::string& where, bool there) {
            if (there) out.push_back(where);
        };
        auto lists = [&](const Person& who, const std::string& path) {
            const auto ids = who.get(path).ids();
            return std::ranges::find(ids, post) != ids.end();
        };
        note("home", lists(bob, "/api/v1/timelines/home"));
        note("public", lists(anybody, "/api/v1/timelines/public"));
        note("tag", lists(anybody, "/api/v1/timelines/tag/waders"));
        note("account", lists(bob, "/api/v1/accounts/" + alice.id + "/statuses"));
        note("status", anybody.get("/api/v1/statuses/" + post).status == 200);
        note("page", anybody.get("/@alice/" + post).status == 200);
        for (const auto* page : {"/@alice", "/@alice.rss", "/@alice.atom", "/tags/waders.rss"})
            note(page, anybody.get(page).body.find("look here") != std::string::npos);
        const auto program = anybody.with("Accept", "application/activity+json");
        note("document", program.get("/users/alice/statuses/" + post).status == 200);
        note("outbox", program.get("/users/alice/outbox?page=true").body.find(post) != std::string::npos);
        return out;
    }
};
ON_EACH_DATABASE(QuarantineSight);

TEST_P(QuarantineSight, of_a_post_is_nowhere_but_with_its_author_until_the_team_lets_it_go) {
    bob.follows(alice);
    found();
    const auto media = uploaded();
    EXPECT_EQ(alice.get("/api/v1/media/" + media).status, 200) << "she is told nothing";
    EXPECT_EQ(bob.get("/api/v1/media/" + media).status, 404);
    w.run_jobs();
    Ear home(w, bob, "stream=user"), all(w, bob, "stream=public"), own(w, alice, "stream=user");
    const auto post = alice.status("look here #waders", {{"media_ids[]", media}});
    w.run_jobs();
    EXPECT_THAT(seen(post), IsEmpty());
    EXPECT_EQ(home.heard() + all.heard(), "");
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post)["media_attachments.0.id"], media);
    EXPECT_EQ(bob.post("/api/v1/statuses/" + post + "/reblog").status, 404);

    const auto waiting = owner.get(moderation + "/quarantine");
    EXPECT_EQ(waiting["0.distance"], "12");
    EXPECT_EQ(waiting["0.media_id"], media);
    EXPECT_EQ(owner.post(moderation + "/quarantine/" + waiting["0.id"] + "/release").status, 200);
    w.run_jobs();
    EXPECT_THAT(internet().quarantined, IsEmpty());
    EXPECT_THAT(seen(post), IsEmpty()) << "the post is released by itself";
    const auto held = owner.get(moderation + "/held")["0.id"];
    EXPECT_EQ(owner.post(moderation + "/held/" + held + "/release").status, 200);
    w.run_jobs();
    EXPECT_THAT(
        seen(post),
        ElementsAre(
            "home",
            "public",
            "tag",
            "account",
            "status",
            "page",
            "/@alice",
            "/@alice.rss",
            "/@alice.atom",
            "/tags/waders.rss",
            "document",
            "outbox"
        )
    );
    EXPECT_THAT(home.heard(), HasSubstr("update " + post));
}

TEST_P(QuarantineSight, keeps_back_a_post_that_was_put_off_as_well) {
    found();
    const auto at = w.now().plus_seconds(600);
    const auto later = alice.post(
        "/api/v1/statuses",
        {{"status", "look here"}, {"media_ids[]", uploaded()}, {"scheduled_at", base::to_string(at)}}
    );
    ASSERT_EQ(later.status, 200) << later.body;
    w.advance(700);
    support::run_periodic(w, statuses::announce_due);
    w.run_jobs();
    EXPECT_THAT(alice.get("/api/v1/scheduled_statuses").ids(), IsEmpty());
    EXPECT_THAT(anybody.get("/api/v1/timelines/public").ids(), IsEmpty());
    const auto post = owner.get(moderation + "/held")["0.status_id"];
    EXPECT_THAT(seen(post), IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + post).status, 200);
}

TEST_P(QuarantineSight, takes_a_picture_from_a_post_that_stands_already_and_keeps_what_it_was) {
    const auto url = std::string("https://a.example/evil.png");
    const auto author = remote::somebody(w, "carol");
    auto status = remote::note(w, author, "1");
    status.media.push_back({});
    status.media.back().url = url;
    const auto post = remote::stored(w, status);
    ASSERT_NE(post, "");
    found();
    w.write([&](db::Write& db) {
        media::keep_copy(db, url, {file, file, {}, {}}, 1);
        media::tell_whose(db, file, {author, {}, {std::stoll(post)}});
    });
    w.run_jobs();
    EXPECT_THAT(internet().quarantined, SizeIs(1));
    const auto reports = owner.get("/api/v1/admin/reports");
    EXPECT_EQ(reports["0.category"], "legal");
    EXPECT_EQ(reports["0.statuses.0.id"], post);
    EXPECT_EQ(owner.get(moderation + "/quarantine")["0.status_id"], post);
    // Destroyed, it is found again by nobody, and nothing else is done to the post.
    const auto id = owner.get(moderation + "/quarantine")["0.id"];
    EXPECT_EQ(owner.post(moderation + "/quarantine/" + id + "/destroy")["state"], "destroyed");
    w.run_jobs();
    EXPECT_THAT(internet().quarantined, IsEmpty());
    EXPECT_EQ(anybody.get("/api/v1/statuses/" + post).status, 200);
    status.uri += "/again";
    w.read([&](db::Read& db) { statuses::judge(db, status); });
    EXPECT_EQ(remote::stored(w, status), "")
        << "a post that shows what was destroyed waits like one in quarantine";
}

TEST_P(QuarantineSight, is_for_the_team_alone_and_who_looks_is_noted) {
    found();
    const auto post = alice.status("look here", {{"media_ids[]", uploaded()}});
    w.run_jobs();
    const auto id = owner.get(moderation + "/quarantine")["0.id"];
    for (const auto* act : {"release", "destroy"}) {
        EXPECT_EQ(alice.post(moderation + "/quarantine/" + id + "/" + act).status, 403);
        EXPECT_EQ(anybody.post(moderation + "/quarantine/" + id + "/" + act).status, 403);
    }
    EXPECT_EQ(bob.get(moderation + "/quarantine/" + id).status, 403);
    // What its author deletes stays for the team, and waits again when it is posted again.
    EXPECT_EQ(alice.del("/api/v1/statuses/" + post).status, 200);
    w.run_jobs();
    const auto known = owner.get(moderation + "/quarantine/" + id);
    EXPECT_EQ(known["state"], "held");
    EXPECT_THAT(internet().quarantined, ElementsAre(name()));
    EXPECT_THAT(seen(alice.status("look here", {{"media_ids[]", known["media_id"]}})), IsEmpty());
}

}  // namespace
