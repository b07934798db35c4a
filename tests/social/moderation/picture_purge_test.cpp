// SPDX-License-Identifier: AGPL-3.0-or-later
// A picture that is to go, wherever it is; and what a list finds among pictures that are here already.
#include "base/crypto.hpp"
#include "internet.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/federation/remote.hpp"
#include "social/media/copy.hpp"
#include "social/media/hashes/hash.hpp"
#include "social/moderation/pictures/search.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

#include <map>

namespace {

using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not;

const std::string moderation_path = "/api/dunlin/v1/moderation";
const std::string sum = base::sha256_hex("a picture");
const sandbox::PdqBits look{1, 2, 3, 4}, near_look{1, 2, 3, 0x0fffff04}, other_look{~0ULL, 0, ~0ULL, 0};
const std::string look_digits = "0000000000000004000000000000000300000000000000020000000000000001";

const db::Query<std::int64_t> test_searches{"test_searches", "SELECT count(*) FROM picture_searches"};

struct PicturePurge : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), bob = w.local("bob");

    void hashed(const std::string& file, const sandbox::PdqBits& bits, const std::string& sha256 = {}) {
        media::Stored stored;
        stored.file = file;
        media::Print print{sha256, {}};
        print.pdq.bits.fill({0x5555555555555555, 0x3333333333333333, 0x5555555555555555, 0x3333333333333333});
        print.pdq.bits[0] = bits;
        print.pdq.quality = 90;
        stored.prints.push_back(print);
        w.write([&](db::Write& db) { media::keep_hashes(db, stored); });
    }
    std::string posted(const std::string& file) {
        auto id = w.write([&](db::Write& db) {
            media::Media m;
            m.account_id = {std::stoll(alice.id)};
            m.file = file;
            m.preview = file.substr(0, file.find('.')) + "_small.jpg";
            m.description = "what is to be seen";
            return std::to_string(media::create(db, m).value);
        });
        return alice.post("/api/v1/statuses", {{"status", "look"}, {"media_ids[]", id}}).id();
    }
    std::string shown(const std::string& status) {
        return bob.get("/api/v1/statuses/" + status)["media_attachments.0.url"];
    }
    // One of each kind, all of the same picture; another one of each beside them.
    void everywhere() {
        for (const auto& [name, bits] : {std::pair{"1", look}, std::pair{"2", other_look}}) {
            const std::string n = name;
            statuses_.push_back(posted("media/ab/ab" + n + ".jpg"));
            hashed("media/ab/ab" + n + ".jpg", bits);
            const auto portrait = "avatars/ab/" + (n == "1" ? alice.id : bob.id) + "-ab" + n + ".png";
            const auto emoji = "emojis/ab/ab" + n + ".png", copy = "media/cd/cd" + n + ".jpg";
            w.write([&](db::Write& db) {
                accounts::ProfileChanges changes;
                changes.avatar = accounts::Picture{portrait, portrait};
                accounts::change_profile(db, {std::stoll(n == "1" ? alice.id : bob.id)}, changes);
                emojis::put(db, "cat" + n, emoji, emoji, {});
                media::keep_copy(db, "https://far.example/" + n, {copy, copy, {}, {}}, 10);
            });
            hashed(portrait, bits);
            hashed(emoji, bits);
            hashed(copy, n == "1" ? near_look : bits);
        }
        w.run_jobs();
    }
    bool has_copy(const std::string& name) {
        return w.read([&](db::Read& db) { return media::find_copy(db, "https://far.example/" + name); }
        ).has_value();
    }
    std::vector<std::string> emojis() { return bob.get("/api/v1/custom_emojis").all("shortcode"); }
    std::string avatar(const Person& who) { return bob.get("/api/v1/accounts/" + who.id)["avatar"]; }
    Answer purge(const Fields& form) {
        auto made = owner.post(moderation_path + "/media/purge", form);
        w.run_jobs();
        return made.status == 200 ? owner.get(moderation_path + "/media/purge/" + made.id()) : made;
    }

    std::vector<std::string> statuses_;
};
ON_EACH_DATABASE(PicturePurge);

TEST_P(PicturePurge, takes_it_from_everywhere_and_leaves_all_else) {
    everywhere();
    auto done = purge({{"hash", look_digits}, {"kind", "pdq"}});
    EXPECT_EQ(done["finished"], "true");
    EXPECT_EQ(done["files_looked_at"], "8");
    EXPECT_EQ(done["files_found"], "4");
    for (const auto* kind : {"media", "copies", "portraits", "emojis"}) EXPECT_EQ(done[kind], "1") << kind;
    EXPECT_EQ(shown(statuses_[0]), "null");
    EXPECT_EQ(
        bob.get("/api/v1/statuses/" + statuses_[0])["media_attachments.0.description"], "what is to be seen"
    );
    EXPECT_THAT(shown(statuses_[1]), HasSubstr("media/ab/ab2.jpg"));
    EXPECT_THAT(emojis(), ElementsAre("cat2"));
    EXPECT_FALSE(has_copy("1"));
    EXPECT_TRUE(has_copy("2"));
    EXPECT_THAT(avatar(alice), Not(HasSubstr("ab1")));
    EXPECT_THAT(avatar(bob), HasSubstr("ab2"));
    EXPECT_THAT(owner.get(moderation_path + "/audit").all("action"), Contains("purge"));

    auto lists = owner.get(moderation_path + "/hash_lists");
    EXPECT_EQ(lists["0.effect"], "refuse") << "it does not come back";
    EXPECT_EQ(lists["0.size"], "1");
    purge({{"hash", look_digits}, {"kind", "pdq"}});
    EXPECT_EQ(owner.get(moderation_path + "/hash_lists")["0.size"], "1");
}

TEST_P(PicturePurge, refuses_by_the_distance_that_was_asked_for) {
    auto lists = [&] {
        std::map<std::string, std::string> out;
        const auto all = owner.get(moderation_path + "/hash_lists");
        const auto names = all.all("name"), distances = all.all("distance");
        for (std::size_t i = 0; i < names.size(); ++i) out[names[i]] = distances[i];
        return out;
    };
    purge({{"hash", look_digits}, {"distance", "0"}});
    purge({{"hash", look_digits}, {"distance", "40"}});
    purge({{"hash", look_digits}});
    using Lists = std::map<std::string, std::string>;
    EXPECT_EQ(
        lists(),
        (Lists{{"Removed pictures", "31"}, {"Removed pictures (0)", "0"}, {"Removed pictures (40)", "40"}})
    );
    // The team makes something else of one: another takes its place.
    const auto ids = owner.get(moderation_path + "/hash_lists").ids();
    owner.put(moderation_path + "/hash_lists/" + ids[0], {{"effect", "quarantine"}});
    purge({{"hash", look_digits}});
    EXPECT_EQ(lists().at("Removed pictures_"), "31");
}

TEST_P(PicturePurge, that_is_tried_first_changes_nothing) {
    everywhere();
    w.changed();
    auto done = purge({{"hash", look_digits}, {"dry_run", "true"}});
    EXPECT_EQ(done["files_found"], "4");
    EXPECT_EQ(done["dry_run"], "true");
    EXPECT_THAT(shown(statuses_[0]), HasSubstr("media/ab/ab1.jpg"));
    EXPECT_TRUE(has_copy("1"));
    EXPECT_THAT(emojis(), ElementsAre("cat1", "cat2"));
    EXPECT_THAT(owner.get(moderation_path + "/hash_lists").ids(), IsEmpty());
}

TEST_P(PicturePurge, by_the_bytes_finds_no_more_than_these) {
    const auto first = posted("media/ab/ab1.jpg"), second = posted("media/ab/ab2.jpg");
    hashed("media/ab/ab1.jpg", look, sum);
    hashed("media/ab/ab2.jpg", look, base::sha256_hex("another"));
    auto done = purge({{"hash", sum}, {"kind", "sha256"}});
    EXPECT_EQ(done["files_found"], "1");
    EXPECT_EQ(shown(first), "null");
    EXPECT_THAT(shown(second), HasSubstr("ab2"));
}

TEST_P(PicturePurge, goes_by_a_picture_that_is_here) {
    const auto first = posted("media/ab/ab1.jpg"), second = posted("media/ab/ab2.jpg");
    hashed("media/ab/ab1.jpg", look, sum);
    hashed("media/ab/ab2.jpg", near_look);
    const auto media = bob.get("/api/v1/statuses/" + first)["media_attachments.0.id"];
    EXPECT_EQ(purge({{"media_id", media}})["files_found"], "2");
    EXPECT_EQ(shown(second), "null");
    EXPECT_EQ(purge({{"media_id", "1"}}).status, 404);
}

// A card keeps the preview of a picture and nothing else of it.
struct PictureOfPreview : PicturePurge {
    PictureOfPreview() {
        internet().page(
            "https://paper.example/a",
            R"(<title>News</title><meta property="og:image" content="/picture.png">)"
        );
        media::Stored picture;
        picture.file = "media/ab/ab12.png";
        picture.preview = "media/ab/ab12_small.png";
        picture.blurhash = "UABC";
        internet().pictures["https://paper.example/picture.png"] = picture;
        hashed(picture.file, look, sum);
    }
    std::string linked() {
        auto id = alice.status("see https://paper.example/a");
        w.run_jobs();
        return id;
    }
    std::string image(const std::string& status) {
        return bob.get("/api/v1/statuses/" + status)["card.image"];
    }
};
ON_EACH_DATABASE(PictureOfPreview);

TEST_P(PictureOfPreview, goes_by_what_it_looks_like) {
    const auto status = linked();
    ASSERT_THAT(image(status), HasSubstr("ab12_small.png"));
    auto done = purge({{"hash", look_digits}});
    EXPECT_EQ(done["files_found"], "1");
    EXPECT_EQ(done["copies"], "1");
    EXPECT_EQ(image(status), "null");
    EXPECT_EQ(bob.get("/api/v1/statuses/" + status)["card.title"], "News");
}

TEST_P(PictureOfPreview, is_found_by_a_list_that_grows_and_stays_after_it_was_given_back) {
    const auto status = linked();
    owner.post(moderation_path + "/hash_lists", {{"name", "Known"}, {"entries", look_digits + ",pdq"}});
    w.run_jobs();
    const auto waiting = owner.get(moderation_path + "/quarantine").ids();
    ASSERT_EQ(waiting.size(), 1u);
    EXPECT_EQ(internet().quarantined.size(), 1u);
    owner.post(moderation_path + "/quarantine/" + waiting[0] + "/release");
    w.run_jobs();
    EXPECT_THAT(internet().quarantined, IsEmpty());
    EXPECT_THAT(image(status), HasSubstr("ab12_small.png"));
}

// A turn that was done and not noted, because its process died, comes once more.
TEST_P(PicturePurge, that_is_interrupted_goes_on_where_it_was) {
    for (int i = 0; i < 50; ++i) {
        const auto file = "media/ab/" + std::to_string(100 + i) + ".jpg";
        statuses_.push_back(posted(file));
        hashed(file, look);
    }
    w.run_jobs();
    const auto id = w.write([](db::Write& db) {
        return moderation::remove_everywhere(
            db, accounts::the_operator(), {moderation::hashes_given(look_digits, media::HashKind::pdq)}
        );
    });
    const base::Ask ask;
    int turns = 0;
    for (;; ++turns) {
        const auto change = w.read([&](db::Read& db) { return moderation::search_some(ask, db, id); });
        if (!change) break;
        w.write(change);
        w.write(change);
    }
    EXPECT_GT(turns, 2);
    const auto done = w.read([&](db::Read& db) { return moderation::picture_search(db, id); });
    EXPECT_EQ(done.found, 50);
    EXPECT_EQ(done.looked, 50);
    for (const auto& status : statuses_) EXPECT_EQ(shown(status), "null");
}

TEST_P(PicturePurge, takes_it_from_who_shows_it_since_the_turn_began) {
    const auto portrait = "avatars/ab/" + alice.id + "-ab1.png";
    hashed(portrait, look);
    const auto id = w.write([](db::Write& db) {
        return moderation::remove_everywhere(
            db, accounts::the_operator(), {moderation::hashes_given(look_digits, media::HashKind::pdq)}
        );
    });
    const base::Ask ask;
    const auto change = w.read([&](db::Read& db) { return moderation::search_some(ask, db, id); });
    w.write([&](db::Write& db) {
        accounts::ProfileChanges changes;
        changes.avatar = accounts::Picture{portrait, portrait};
        accounts::change_profile(db, {std::stoll(alice.id)}, changes);
    });
    ASSERT_THAT(avatar(alice), HasSubstr("ab1"));
    w.write(change);
    EXPECT_THAT(avatar(alice), Not(HasSubstr("ab1")));
}

TEST_P(PicturePurge, of_a_list_that_grows_is_a_quarantine_of_what_is_here) {
    const auto first = posted("media/ab/ab1.jpg"), second = posted("media/ab/ab2.jpg");
    hashed("media/ab/ab1.jpg", look);
    hashed("media/ab/ab2.jpg", other_look);
    owner.post(moderation_path + "/hash_lists", {{"name", "Known"}, {"entries", look_digits + ",pdq"}});
    w.run_jobs();
    auto waiting = owner.get(moderation_path + "/quarantine");
    EXPECT_THAT(waiting.all("status_id"), ElementsAre(first));
    EXPECT_EQ(waiting["0.distance"], "0");
    EXPECT_EQ(owner.get("/api/v1/admin/reports")["0.statuses.0.id"], first);
    EXPECT_EQ(owner.get("/api/v1/admin/reports")["0.target_account.id"], alice.id);
    EXPECT_EQ(internet().quarantined.size(), 2u);
    EXPECT_EQ(owner.get(moderation_path + "/media/purge").ids().size(), 0u);
}

TEST_P(PicturePurge, takes_what_the_team_had_given_back) {
    const auto first = posted("media/ab/ab1.jpg");
    hashed("media/ab/ab1.jpg", look, sum);
    auto known = [&](const std::string& name) {
        owner.post(moderation_path + "/hash_lists", {{"name", name}, {"entries", look_digits + ",pdq"}});
        w.run_jobs();
        return owner.get(moderation_path + "/quarantine").ids();
    };
    auto waiting = known("Known");
    ASSERT_EQ(waiting.size(), 1u);
    EXPECT_EQ(purge({{"hash", look_digits}})["files_found"], "0") << "the team has yet to decide";
    owner.post(moderation_path + "/quarantine/" + waiting[0] + "/release");
    w.run_jobs();
    EXPECT_THAT(shown(first), HasSubstr("ab1"));

    waiting = known("Another");
    ASSERT_EQ(waiting.size(), 1u) << "what one list was wrong about another may know";
    owner.post(moderation_path + "/quarantine/" + waiting[0] + "/release");
    w.run_jobs();
    EXPECT_EQ(purge({{"hash", look_digits}})["files_found"], "1");
    EXPECT_EQ(shown(first), "null");
}

TEST_P(PicturePurge, of_a_list_tells_whose_the_copy_of_a_picture_of_another_server_is) {
    const auto author = remote::somebody(w, "carol");
    auto note = remote::note(w, author, "1");
    note.media.push_back({});
    note.media.back().url = "https://far.example/evil.png";
    const auto status = remote::stored(w, note);
    ASSERT_NE(status, "");
    w.write([&](db::Write& db) {
        media::keep_copy(db, note.media.back().url, {"media/cd/cd1.jpg", "media/cd/cd1.jpg", {}, {}}, 10);
    });
    hashed("media/cd/cd1.jpg", look);
    owner.post(moderation_path + "/hash_lists", {{"name", "Known"}, {"entries", look_digits + ",pdq"}});
    w.run_jobs();
    auto waiting = owner.get(moderation_path + "/quarantine");
    EXPECT_THAT(waiting.all("status_id"), ElementsAre(status));
    EXPECT_EQ(waiting["0.account_id"], remote::text(author));
    EXPECT_EQ(owner.get("/api/v1/admin/reports")["0.statuses.0.id"], status);
}

TEST_P(PicturePurge, is_nothing_that_a_list_does_which_refuses) {
    const auto first = posted("media/ab/ab1.jpg");
    hashed("media/ab/ab1.jpg", look);
    owner.post(
        moderation_path + "/hash_lists",
        {{"name", "Known"}, {"effect", "refuse"}, {"entries", look_digits + ",pdq"}}
    );
    w.run_jobs();
    EXPECT_THAT(shown(first), HasSubstr("ab1"));
    EXPECT_THAT(owner.get(moderation_path + "/quarantine").ids(), IsEmpty());
}

TEST_P(PicturePurge, is_done_again_in_a_copy_of_the_database_from_before) {
    purge({{"hash", look_digits}});
    const auto kept = w.read(moderation::removed_pictures);
    ASSERT_EQ(kept.size(), 2u);
    for (const auto& line : kept) {
        EXPECT_THAT(line, Not(HasSubstr(look_digits)));
        EXPECT_EQ(line.find_first_of(" \n"), line.npos) << "it has to be one word";
    }
    w.write([&](db::Write& db) { moderation::remove_again(db, kept); });
    EXPECT_EQ(w.read(moderation::removed_pictures).size(), 2u) << "it is known already";

    World before(GetParam());
    const auto late = staff(before, "olga", accounts::owner);
    before.write([&](db::Write& db) {
        emojis::put(db, "cat", "emojis/ab/ab1.png", "emojis/ab/ab1.png", {});
        media::Stored stored;
        stored.file = "emojis/ab/ab1.png";
        stored.prints.resize(1);
        stored.prints[0].pdq.bits[0] = look;
        stored.prints[0].pdq.quality = 90;
        media::keep_hashes(db, stored);
        moderation::remove_again(db, kept);
    });
    before.run_jobs();
    EXPECT_THAT(late.get("/api/v1/custom_emojis").ids(), IsEmpty());
    EXPECT_EQ(late.get(moderation_path + "/hash_lists")["0.size"], "1");
}

TEST_P(PicturePurge, is_done_again_as_it_was_and_not_when_the_team_has_ended_it) {
    for (const auto* distance : {"0", "40"}) purge({{"hash", look_digits}, {"distance", distance}});
    purge({{"hash", sum}, {"kind", "sha256"}});
    auto lists = owner.get(moderation_path + "/hash_lists");
    ASSERT_EQ(lists["0.name"], "Removed pictures");
    owner.del(moderation_path + "/hash_lists/" + lists["0.id"]);
    const auto kept = w.read(moderation::removed_pictures);

    World before(GetParam());
    const auto late = staff(before, "olga", accounts::owner);
    before.write([&](db::Write& db) { moderation::remove_again(db, kept); });
    before.run_jobs();
    EXPECT_THAT(late.get(moderation_path + "/media/purge").all("distance"), ElementsAre("40", "0"));
    EXPECT_THAT(late.get(moderation_path + "/hash_lists").all("distance"), ElementsAre("0", "40"));
    EXPECT_EQ(before.read(moderation::removed_pictures).size(), 3u);
}

TEST_P(PicturePurge, of_a_list_is_one_search_however_often_it_grows) {
    const auto first = posted("media/ab/ab1.jpg");
    hashed("media/ab/ab1.jpg", look);
    w.run_jobs();
    const auto list = owner
                          .post(
                              moderation_path + "/hash_lists",
                              {{"name", "Known"}, {"entries", std::string(64, 'a') + ",pdq"}}
                          )
                          .id();
    auto grow = [&](const std::string& entries) {
        owner.post(moderation_path + "/hash_lists/" + list + "/entries", {{"entries", entries}});
    };
    grow(std::string(64, 'b') + ",pdq");
    grow(look_digits + ",pdq");
    owner.put(moderation_path + "/hash_lists/" + list, {{"name", "Renamed"}});
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_searches); }), 1);
    w.run_jobs();
    EXPECT_THAT(owner.get(moderation_path + "/quarantine").all("status_id"), ElementsAre(first));
    grow(look_digits + ",pdq");
    owner.put(moderation_path + "/hash_lists/" + list, {{"name", "Renamed again"}});
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(test_searches); }), 1) << "there is nothing new on it";
}

TEST_P(PicturePurge, is_for_who_may_and_of_what_is_a_hash) {
    EXPECT_EQ(alice.post(moderation_path + "/media/purge", {{"hash", look_digits}}).status, 403);
    EXPECT_EQ(purge({{"hash", "rubbish"}}).status, 422);
    EXPECT_EQ(purge({{"hash", look_digits}, {"distance", "65"}}).status, 422);
    EXPECT_EQ(owner.get(moderation_path + "/media/purge/1").status, 404);
}

}  // namespace
