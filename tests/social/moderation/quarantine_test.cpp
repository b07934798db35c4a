// SPDX-License-Identifier: AGPL-3.0-or-later
// Pictures that are on a list, as people and the team see them.
#include "social/media/hashes/quarantine.hpp"
#include "base/crypto.hpp"
#include "internet.hpp"
#include "social/federation/remote.hpp"
#include "social/media/copy.hpp"
#include "social/moderation/staff.hpp"
#include "social/statuses/remote/remote.hpp"

#include <gmock/gmock.h>

namespace {

using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not,
    testing::SizeIs;

const std::string moderation = "/api/dunlin/v1/moderation";
const std::string sum = base::sha256_hex("a picture");

struct PictureQuarantine : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    std::string listed(const Fields& more = {}) {
        Fields form{{"name", "Known"}, {"kind", "sha256"}, {"entries", sum}};
        form.insert(form.end(), more.begin(), more.end());
        auto made = owner.post(moderation + "/hash_lists", form);
        EXPECT_EQ(made.status, 200) << made.body;
        return made.id();
    }
    media::HashList facts(const std::string& id) {
        return w.read([&](db::Read& db) { return media::hash_list(db, {std::stoll(id)}); });
    }
    // As the store finds it.
    void found(const std::string& file, const std::string& list) {
        const media::KnownPicture known{facts(list), std::nullopt};
        w.write([&](db::Write& db) { media::put_into_quarantine(db, {file, sum, {file}}, known, {}); });
        internet().quarantined.insert(w.read([&](db::Read& db) {
            return media::quarantined_as(media::picture_key(db), file);
        }));
    }
    std::string uploaded(const Person& who, const std::string& file) {
        return w.write([&](db::Write& db) {
            media::Media m;
            m.account_id = {std::stoll(who.id)};
            m.file = m.preview = file;
            return std::to_string(media::create(db, m).value);
        });
    }
    Answer waiting() { return owner.get(moderation + "/quarantine"); }
};
ON_EACH_DATABASE(PictureQuarantine);

TEST_P(PictureQuarantine, holds_the_post_opens_a_legal_case_and_tells_its_author_nothing) {
    const auto list = listed();
    found("media/ab/ab1.png", list);
    const auto media = uploaded(alice, "media/ab/ab1.png");
    auto posted = alice.post("/api/v1/statuses", {{"status", "look"}, {"media_ids[]", media}});
    ASSERT_EQ(posted.status, 200) << posted.body;
    EXPECT_EQ(posted["visibility"], "direct");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + posted.id()).status, 404);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + posted.id()).status, 200);
    w.run_jobs();
    EXPECT_THAT(alice.get("/api/v1/notifications").ids(), IsEmpty());
    EXPECT_EQ(owner.get(moderation + "/held")["0.status_id"], posted.id());

    auto one = waiting();
    EXPECT_EQ(one["0.account_id"], alice.id);
    EXPECT_EQ(one["0.status_id"], posted.id());
    EXPECT_EQ(one["0.list_name"], "Known");
    EXPECT_EQ(one["0.distance"], "null");
    EXPECT_EQ(one["0.state"], "held");
    auto reports = owner.get("/api/v1/admin/reports");
    ASSERT_THAT(reports.ids(), ElementsAre(one["0.report_id"]));
    EXPECT_EQ(reports["0.category"], "legal");
    EXPECT_EQ(reports["0.target_account.id"], alice.id);
    EXPECT_THAT(reports["0.comment"], HasSubstr("Known"));
    EXPECT_EQ(owner.get(moderation + "/cases")["0.account.id"], alice.id);

    // What is deleted is still there for the team.
    EXPECT_EQ(alice.del("/api/v1/statuses/" + posted.id()).status, 200);
    w.run_jobs();
    EXPECT_THAT(internet().quarantined, SizeIs(1));
}

TEST_P(PictureQuarantine, of_a_picture_that_is_not_on_a_list_changes_nothing) {
    found("media/ab/ab1.png", listed());
    auto posted = alice.post(
        "/api/v1/statuses", {{"status", "look"}, {"media_ids[]", uploaded(alice, "media/cd/cd1.png")}}
    );
    EXPECT_EQ(posted["visibility"], "public");
    w.run_jobs();
    EXPECT_THAT(owner.get("/api/v1/admin/reports").ids(), IsEmpty());
    EXPECT_THAT(owner.get(moderation + "/held").ids(), IsEmpty());
}

TEST_P(PictureQuarantine, is_no_picture_that_an_edit_could_show) {
    found("media/ab/ab1.png", listed());
    const auto evil = uploaded(alice, "media/ab/ab1.png");
    const auto id = alice.status("fine so far");
    auto edited = alice.put("/api/v1/statuses/" + id, {{"status", "look"}, {"media_ids[]", evil}});
    EXPECT_EQ(edited.status, 422);
    EXPECT_EQ(edited["error"], "Media " + evil + " not found or already attached to another post");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id)["media_attachments"], "[]");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + id)["content"], "<p>fine so far</p>");
}

TEST_P(PictureQuarantine, holds_posts_of_other_servers_that_show_what_is_known_already) {
    const auto url = std::string("https://a.example/evil.png");
    const auto list = listed();
    auto author = remote::somebody(w, "carol");
    found("media/ab/ab1.png", list);
    w.write([&](db::Write& db) {
        media::keep_copy(db, url, {"media/ab/ab1.png", "media/ab/ab1.png", {}, {}}, 1);
        media::tell_whose(db, "media/ab/ab1.png", {author, {}, {}});
    });
    auto status = remote::note(w, author, "1");
    status.media.push_back({});
    status.media.back().url = url;
    w.read([&](db::Read& db) { statuses::judge(db, status); });
    EXPECT_EQ(remote::stored(w, status), "");
    w.run_jobs();
    EXPECT_EQ(owner.get(moderation + "/held")["0.uri"], status.uri);
    EXPECT_EQ(owner.get("/api/v1/admin/reports")["0.category"], "legal");
}

TEST_P(PictureQuarantine, is_ended_by_the_team_once_and_leaves_a_line_in_the_log) {
    const auto list = listed();
    found("media/ab/ab1.png", list);
    found("media/cd/cd1.png", list);
    const auto ids = waiting().ids();
    ASSERT_THAT(ids, SizeIs(2));
    auto act = [&](const std::string& id, const std::string& what) {
        return owner.post(moderation + "/quarantine/" + id + "/" + what);
    };
    EXPECT_EQ(act(ids[0], "release")["state"], "released");
    EXPECT_EQ(act(ids[1], "destroy")["state"], "destroyed");
    EXPECT_EQ(act(ids[0], "destroy").status, 422);
    EXPECT_EQ(act("12345", "release").status, 404);
    w.run_jobs();
    EXPECT_THAT(internet().quarantined, IsEmpty());
    EXPECT_THAT(waiting().ids(), IsEmpty());
    EXPECT_THAT(owner.get(moderation + "/quarantine", {{"state", "released"}}).ids(), ElementsAre(ids[0]));
    auto log = owner.get(moderation + "/audit").all("action");
    EXPECT_THAT(log, Contains("release"));
    EXPECT_THAT(log, Contains("destroy"));
}

TEST_P(PictureQuarantine, lists_are_kept_by_who_may_and_never_shown) {
    const auto list = listed({{"distance", "20"}});
    auto shown = owner.get(moderation + "/hash_lists/" + list);
    EXPECT_EQ(shown["size"], "1");
    EXPECT_EQ(shown["distance"], "20");
    EXPECT_EQ(shown["effect"], "quarantine");
    EXPECT_THAT(shown.body, Not(HasSubstr(sum)));
    auto more = owner.post(
        moderation + "/hash_lists/" + list + "/entries",
        {{"entries", sum + ",sha256\n" + std::string(64, 'a') + ",pdq\n"}}
    );
    EXPECT_EQ(more["size"], "2") << "what is on it already does not count again";
    EXPECT_EQ(owner.put(moderation + "/hash_lists/" + list, {{"effect", "refuse"}})["effect"], "refuse");
    EXPECT_EQ(owner.put(moderation + "/hash_lists/" + list, {{"distance", "65"}}).status, 422);
    EXPECT_EQ(
        owner.post(moderation + "/hash_lists", {{"name", "Known"}, {"entries", sum + ",sha256"}}).status, 422
    );
    EXPECT_EQ(owner.post(moderation + "/hash_lists", {{"name", "x"}, {"entries", "rubbish"}}).status, 422);
    EXPECT_EQ(alice.get(moderation + "/hash_lists").status, 403);
    EXPECT_EQ(alice.get(moderation + "/quarantine").status, 403);
    EXPECT_EQ(owner.del(moderation + "/hash_lists/" + list).status, 200);
    EXPECT_EQ(owner.get(moderation + "/hash_lists/" + list).status, 404);
    EXPECT_THAT(owner.get(moderation + "/audit").all("target_kind"), Contains("HashList"));
}

}  // namespace
