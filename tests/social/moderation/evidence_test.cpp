// SPDX-License-Identifier: AGPL-3.0-or-later
// What was reported stays readable for moderators, whatever is deleted (attack 62).
#include "social/moderation/evidence.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/peer.hpp"
#include "social/federation/remote.hpp"
#include "social/media/media.hpp"
#include "social/statuses/core/status.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

const db::Command test_close_report{
    "test_close_report", "UPDATE reports SET action_taken_at = $2 WHERE id = $1"
};

namespace {

using moderation::Evidence;
using testing::Contains, testing::ElementsAre, testing::IsEmpty, testing::Not, testing::SizeIs;

struct Evidences : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    std::string report(const std::string& target, const Fields& more = {}) {
        Fields fields{{"account_id", target}};
        fields.insert(fields.end(), more.begin(), more.end());
        auto answer = alice.post("/api/v1/reports", fields);
        EXPECT_EQ(answer.status, 200) << answer.body;
        w.run_jobs();
        return answer.id();
    }
    std::string report_of(const std::string& status, const Fields& more = {}) {
        auto fields = more;
        fields.emplace_back("status_ids[]", status);
        return report(bob.id, fields);
    }
    Evidence kept(const std::string& report) {
        return w.read([&](db::Read& db) { return moderation::evidence(db, {std::stoll(report)}); });
    }
    static std::vector<std::string> texts(const Evidence& evidence) {
        std::vector<std::string> out;
        for (const auto& version : evidence.versions) out.push_back(version.words.text);
        return out;
    }
    void close(const std::string& report) {
        w.write([&](db::Write& db) {
            db.run(test_close_report, moderation::ReportId{std::stoll(report)}, db.now());
        });
    }
    void purge() {
        w.write([](db::Write& db) { moderation::purge_evidence(db); });
        w.run_jobs();
    }
    void end(const Person& who) {
        w.write([&](db::Write& db) { accounts::delete_local(db, {std::stoll(who.id)}); });
        w.run_jobs();
    }
    std::string picture(const Person& owner) {
        return w.write([&](db::Write& db) {
            media::Media m;
            m.account_id = {std::stoll(owner.id)};
            m.file = "media/ab/abcd.png";
            m.preview = "media/ab/abcd_small.png";
            m.mime = "image/png";
            m.description = "a rude picture";
            return std::to_string(media::create(db, m).value);
        });
    }
};
ON_EACH_DATABASE(Evidences);

TEST_P(Evidences, attack_62_outlives_the_account_with_its_names_words_edits_and_media) {
    bob.patch(
        "/api/v1/accounts/update_credentials",
        {{"display_name", "Bobby"},
         {"note", "I am rude"},
         {"fields_attributes[0][name]", "Shop"},
         {"fields_attributes[0][value]", "bob's wares"}}
    );
    auto status = bob.status("rude", {{"media_ids[]", picture(bob)}, {"spoiler_text", "nice"}});
    w.advance(60);
    EXPECT_EQ(bob.put("/api/v1/statuses/" + status, {{"status", "kind"}}).status, 200);
    auto id = report_of(status);
    EXPECT_THAT(internet().kept, ElementsAre("media/ab/abcd.png"));
    end(bob);
    auto evidence = kept(id);
    ASSERT_TRUE(evidence.target);
    EXPECT_EQ(evidence.target->username + " " + evidence.target->display_name, "bob Bobby");
    EXPECT_EQ(evidence.target->note, "I am rude");
    ASSERT_THAT(evidence.target->fields, SizeIs(1));
    EXPECT_EQ(evidence.target->fields[0].name, "Shop");
    EXPECT_THAT(texts(evidence), ElementsAre("rude", "kind"));
    const auto& first = evidence.versions[0];
    EXPECT_EQ(first.words.spoiler_text, "nice");
    EXPECT_EQ(first.words.visibility, "public");
    ASSERT_THAT(first.words.media, SizeIs(1));
    EXPECT_EQ(first.words.media[0].file, "media/ab/abcd.png");
    EXPECT_EQ(first.words.media[0].description, "a rude picture");
    EXPECT_EQ(std::to_string(first.account.value), bob.id);
    EXPECT_THAT(internet().kept, ElementsAre("media/ab/abcd.png"));
    // Nobody is shown any of it.
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status).status, 404);
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status + "/history").status, 404);
    EXPECT_EQ(alice.get("/api/v1/accounts/" + bob.id)["display_name"], "");
}

TEST_P(Evidences, outlives_the_post_and_what_is_edited_before_it_goes) {
    auto status = bob.status("rude");
    auto id = report_of(status);
    for (auto text : {"kind", "kinder"}) {
        w.advance(60);
        EXPECT_EQ(bob.put("/api/v1/statuses/" + status, {{"status", text}}).status, 200);
    }
    auto other = bob.status("unreported");
    w.advance(60);
    bob.put("/api/v1/statuses/" + other, {{"status", "still unreported"}});
    bob.del("/api/v1/statuses/" + status);
    w.run_jobs();
    end(bob);
    EXPECT_THAT(texts(kept(id)), ElementsAre("rude", "kind", "kinder"));
}

TEST_P(Evidences, is_there_for_posts_that_were_deleted_first) {
    auto status = bob.status(
        "rude", {{"poll[options][]", "yes"}, {"poll[options][]", "no"}, {"poll[expires_in]", "3600"}}
    );
    bob.del("/api/v1/statuses/" + status);
    auto id = report_of(status);
    end(bob);
    auto evidence = kept(id);
    EXPECT_THAT(texts(evidence), ElementsAre("rude"));
    EXPECT_THAT(evidence.versions[0].words.poll_options, ElementsAre("yes", "no"));
}

TEST_P(Evidences, of_an_account_of_another_server_outlives_its_end_there) {
    Peer eve(w, "eve", "evil.example");
    eve.known();
    auto note = remote::note(w, eve.id, "rude", "<p>rude</p>");
    note.uri = "https://evil.example/notes/1";
    auto status = remote::stored(w, note);
    auto id = report(std::to_string(eve.id.value), {{"status_ids[]", status}});
    EXPECT_EQ(eve.brings(eve.activity("Delete", note.uri, "1")).status, 202);
    w.run_inbox();
    EXPECT_EQ(eve.brings(eve.activity("Delete", eve.uri, "2")).status, 202);
    w.run_inbox();
    w.run_jobs();
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status).status, 404);
    auto evidence = kept(id);
    ASSERT_TRUE(evidence.target);
    EXPECT_EQ(evidence.target->username + "@" + evidence.target->domain, "eve@evil.example");
    EXPECT_EQ(evidence.target->uri, eve.uri);
    ASSERT_THAT(evidence.versions, SizeIs(1));
    EXPECT_EQ(evidence.versions[0].words.content, "<p>rude</p>");
    EXPECT_EQ(evidence.versions[0].words.uri, note.uri);
}

TEST_P(Evidences, of_a_collection_is_its_words) {
    auto made = bob.post(
        "/api/v1/collections",
        {{"name", "Fools"}, {"description", "Rude"}, {"sensitive", "false"}, {"discoverable", "true"}}
    );
    auto collection = made["collection.id"];
    auto id = report(bob.id, {{"collection_ids[]", collection}});
    end(bob);
    auto target = kept(id).target;
    ASSERT_TRUE(target);
    ASSERT_THAT(target->collections, SizeIs(1));
    EXPECT_EQ(target->collections[0].name + " " + target->collections[0].description, "Fools Rude");
}

TEST_P(Evidences, is_kept_while_a_report_is_open_and_a_month_beyond) {
    auto status = bob.status("rude", {{"media_ids[]", picture(bob)}});
    auto first = report_of(status), second = report_of(status);
    w.advance(1000 * 86'400);
    purge();
    EXPECT_THAT(texts(kept(first)), ElementsAre("rude"));
    close(first);
    w.advance(29 * 86'400);
    purge();
    EXPECT_TRUE(kept(first).target);
    w.advance(2 * 86'400);
    purge();
    EXPECT_FALSE(kept(first).target);
    EXPECT_THAT(texts(kept(first)), IsEmpty());
    EXPECT_THAT(texts(kept(second)), ElementsAre("rude"));  // which is open
    EXPECT_THAT(internet().kept, SizeIs(1));
    close(second);
    w.advance(31 * 86'400);
    w.changed();
    purge();
    EXPECT_EQ(w.changed(), "report_statuses -1, evidence -1, evidence_files -1");
    EXPECT_THAT(internet().kept, IsEmpty());
    EXPECT_EQ(alice.get("/api/v1/statuses/" + status)["content"], "<p>rude</p>");  // the post itself stays
}

TEST_P(Evidences, of_a_legal_matter_is_kept_for_half_a_year) {
    auto id = report_of(bob.status("rude"), {{"category", "legal"}});
    close(id);
    w.advance(179 * 86'400);
    purge();
    EXPECT_THAT(texts(kept(id)), ElementsAre("rude"));
    w.advance(2 * 86'400);
    purge();
    EXPECT_THAT(texts(kept(id)), IsEmpty());
}

TEST_P(Evidences, of_many_closed_reports_is_forgotten_a_part_at_a_time) {
    auto status = bob.status("rude");
    std::vector<std::string> ids;
    for (int i = 0; i < 21; ++i) ids.push_back(report_of(status));
    for (const auto& id : ids) close(id);
    w.advance(31 * 86'400);
    purge();
    // All were closed at the same time: which of them is left is not said.
    EXPECT_EQ(std::ranges::count_if(ids, [&](const auto& id) { return kept(id).target.has_value(); }), 1);
    purge();
    for (const auto& id : ids) EXPECT_FALSE(kept(id).target);
}

}  // namespace
