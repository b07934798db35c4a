// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/processing.hpp"
#include "base/crypto.hpp"
#include "sandbox/moving.hpp"
#include "social/media/media_entity.hpp"
#include "social/media/stage.hpp"
#include "social/media/thumbnail.hpp"

namespace media {
namespace {

using http::Method;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

constexpr auto v1 = "/api/v1/media", v2 = "/api/v2/media";

struct Moving : Stage {
    boost::json::object sent(const http::Response& response, int status) {
        EXPECT_EQ(response.status, status) << response.body;
        auto entity = boost::json::parse(response.body).as_object();
        last = {std::stoll(std::string(entity.at("id").as_string()))};
        return entity;
    }
    // One turn of the encoder; whether there was work.
    bool work() {
        jobs::Sessions sessions;
        sessions.change = [this](const char*, const std::function<void(db::Write&)>& f) { write(f); };
        return !encode_next(sessions, store);
    }
    std::string wanted() {
        try {
            attach_to(post, {last});
        } catch (const base::Invalid& e) {
            return e.what();
        }
        return "";
    }
    MediaId last;
};
ON_EACH_DATABASE(Moving);

TEST_P(Moving, video_is_told_of_at_once_and_shown_when_it_is_made) {
    auto waiting = sent(call(Method::post, v2, with_file(fixtures::video())), 202);
    EXPECT_EQ(waiting.at("type"), "video");
    EXPECT_EQ(waiting.at("url"), nullptr);
    EXPECT_EQ(waiting.at("preview_url"), nullptr);
    auto& announced = waiting.at("meta").at("original").as_object();
    EXPECT_EQ(announced.at("width"), 64);
    EXPECT_EQ(announced.at("height"), 48);
    EXPECT_EQ(announced.at("frame_rate"), "10/1");
    EXPECT_NEAR(announced.at("duration").to_number<double>(), 1, 0.1);
    EXPECT_EQ(sent(call(Method::get, last), 206).at("meta"), waiting.at("meta"));
    auto not_ready = "Cannot attach files that have not finished processing. Try again in a moment!";
    EXPECT_EQ(wanted(), not_ready);
    http::Params words;
    words.set("description", "A bird");
    EXPECT_EQ(call(Method::put, last, words).status, 206);

    EXPECT_TRUE(work());
    EXPECT_FALSE(work());
    auto ready = sent(call(Method::get, last), 200);
    EXPECT_EQ(ready.at("description"), "A bird");
    auto& original = ready.at("meta").at("original").as_object();
    EXPECT_EQ(original.at("width"), 64);
    EXPECT_EQ(original.at("height"), 48);
    EXPECT_EQ(original.at("frame_rate"), "10/1");
    EXPECT_NEAR(original.at("duration").to_number<double>(), 1, 0.1);
    EXPECT_GT(original.at("bitrate").as_int64(), 0);
    EXPECT_FALSE(original.contains("aspect"));
    EXPECT_EQ(ready.at("meta").at("small").at("size"), "64x48");
    EXPECT_EQ(ready.at("blurhash").as_string().size(), 36u);
    EXPECT_THAT(std::string(ready.at("url").as_string()), MatchesRegex(".*/media/[0-9a-f/]+\\.mp4"));
    EXPECT_THAT(std::string(ready.at("preview_url").as_string()), MatchesRegex(".*_small\\.jpg"));
    EXPECT_THAT(stored(), SizeIs(2));  // and no upload is kept
    EXPECT_EQ(wanted(), "");
}

TEST_P(Moving, the_first_version_answers_when_all_is_made) {
    auto sound = sent(call(Method::post, v1, with_file(fixtures::sound())), 200);
    EXPECT_EQ(sound.at("type"), "audio");
    EXPECT_EQ(sound.at("preview_url"), nullptr);
    EXPECT_EQ(sound.at("blurhash"), nullptr);
    EXPECT_NE(sound.at("url"), nullptr);
    EXPECT_NEAR(sound.at("meta").at("original").at("duration").to_number<double>(), 1, 0.2);
    EXPECT_FALSE(sound.at("meta").as_object().contains("small"));
    EXPECT_FALSE(work());
    EXPECT_THAT(stored(), SizeIs(1));
}

TEST_P(Moving, a_gif_that_moves_becomes_a_gifv_and_one_that_stands_an_image) {
    EXPECT_EQ(sent(call(Method::post, v1, with_file(fixtures::moving_gif())), 200).at("type"), "gifv");
    EXPECT_EQ(sent(call(Method::post, v2, with_file(fixtures::gif(8, 8, 1))), 200).at("type"), "image");
    EXPECT_EQ(sent(call(Method::post, v2, with_file(fixtures::moving_gif())), 202).at("type"), "gifv");
}

TEST_P(Moving, a_cover_gives_sound_its_picture_and_its_colours) {
    auto covered = fixtures::moving(
        fixtures::sound_input +
            "-i picture.png -map 0 -map 1 -c:a libmp3lame -c:v png -disposition:v attached_pic",
        "mp3"
    );
    auto sound = sent(call(Method::post, v1, with_file(covered)), 200);
    EXPECT_NE(sound.at("preview_url"), nullptr);
    for (auto colour : {"background", "foreground", "accent"})
        EXPECT_THAT(
            std::string(sound.at("meta").at("colors").at(colour).as_string()), MatchesRegex("#[0-9a-f]{6}")
        );
}

TEST_P(Moving, an_own_thumbnail_is_shown_instead_of_the_first_picture) {
    auto upload = with_file(fixtures::silent_video());
    upload.add_upload("thumbnail", spooled(fixtures::png(40, 20)));
    auto gifv = sent(call(Method::post, v2, upload), 202);
    EXPECT_EQ(gifv.at("preview_url"), nullptr);  // sound and video only

    upload = with_file(fixtures::sound());
    upload.add_upload("thumbnail", spooled(fixtures::png(40, 20)));
    auto waiting = sent(call(Method::post, v2, upload), 202);
    EXPECT_EQ(waiting.at("meta").at("small").at("size"), "40x20");
    while (work()) {}
    auto ready = sent(call(Method::get, last), 200);
    EXPECT_EQ(ready.at("preview_url"), waiting.at("preview_url"));
    EXPECT_EQ(ready.at("meta").at("small").at("size"), "40x20");

    http::Params other;
    other.add_upload("thumbnail", spooled(fixtures::png(30, 30)));
    left.clear();
    auto changed = sent(call(Method::put, last, other), 200);
    EXPECT_EQ(changed.at("meta").at("small").at("size"), "30x30");
    EXPECT_THAT(left, SizeIs(1));
    http::Params broken;
    broken.add_upload("thumbnail", spooled("words"));
    EXPECT_EQ(
        error(call(Method::put, last, broken)), "422 File type of uploaded media could not be verified"
    );
    // Its file is known to be in use.
    pass(2 * 86'400);
    auto found = read([&](db::Read& db) { return unattached(db, alice, last); });
    ASSERT_TRUE(found.thumbnail);
    std::set<std::string> known(left.begin(), left.end());
    EXPECT_FALSE(known.contains(*found.thumbnail));
    left.clear();
    call(Method::delete_, last);
    EXPECT_THAT(left, ElementsAre(*found.thumbnail, found.file));
}

TEST_P(Moving, an_own_thumbnail_stays_a_png_where_it_fits) {
    auto shown = [&](const std::string& picture) {
        auto upload = with_file(fixtures::sound());
        upload.add_upload("thumbnail", spooled(picture));
        return std::string(sent(call(Method::post, v2, upload), 202).at("preview_url").as_string());
    };
    EXPECT_THAT(shown(fixtures::png(40, 20)), EndsWith(".png"));
    EXPECT_THAT(shown(fixtures::png(900, 600)), EndsWith(".jpg"));
    EXPECT_THAT(shown(fixtures::jpeg()), EndsWith(".jpg"));
}

TEST_P(Moving, an_own_thumbnail_gives_videos_and_sound_their_colours) {
    auto colours = [](const boost::json::object& entity) { return entity.at("meta").at("colors"); };
    auto blank = [&] { return with_file(fixtures::video()); };
    sent(call(Method::post, v2, blank()), 202);
    while (work()) {}
    EXPECT_FALSE(sent(call(Method::get, last), 200).at("meta").as_object().contains("colors"));
    http::Params other;
    other.add_upload("thumbnail", spooled(fixtures::png(30, 30)));
    auto edited = sent(call(Method::put, last, other), 200);
    for (auto colour : {"background", "foreground", "accent"})
        EXPECT_THAT(std::string(colours(edited).at(colour).as_string()), MatchesRegex("#[0-9a-f]{6}"));

    for (auto upload : {blank(), with_file(fixtures::sound())}) {
        upload.add_upload("thumbnail", spooled(fixtures::png(40, 20)));
        auto waiting = sent(call(Method::post, v2, upload), 202);
        EXPECT_THAT(std::string(colours(waiting).at("accent").as_string()), MatchesRegex("#[0-9a-f]{6}"));
        while (work()) {}
        EXPECT_EQ(colours(sent(call(Method::get, last), 200)), colours(waiting));
    }
}

TEST_P(Moving, a_thumbnail_may_be_a_data_uri) {
    auto upload = with_file(fixtures::sound());
    upload.keep_files_in(folder / "spool");
    upload.add("thumbnail", "data:image/png;base64," + base::base64(fixtures::png(40, 20)));
    auto waiting = sent(call(Method::post, v2, upload), 202);
    EXPECT_EQ(waiting.at("meta").at("small").at("size"), "40x20");
    http::Params broken;
    broken.keep_files_in(folder / "spool");
    broken.add("thumbnail", "data:image/png;base64,???");
    EXPECT_EQ(error(call(Method::put, last, broken)), "422 Validation failed: Thumbnail is invalid");
    http::Params words;
    words.keep_files_in(folder / "spool");
    words.add("thumbnail", "data:,words");
    EXPECT_EQ(error(call(Method::put, last, words)), "422 File type of uploaded media could not be verified");
}

TEST_P(Moving, that_cannot_be_made_is_said_to_have_failed) {
    sent(call(Method::post, v2, with_file(fixtures::video())), 202);
    auto task = write(next_task);
    write([&](db::Write& db) { finish(db, *task, sandbox::Reason::broken); });
    auto failed = "422 Error processing thumbnail for uploaded media";
    EXPECT_EQ(error(call(Method::get, last)), failed);
    EXPECT_EQ(error(call(Method::put, last)), failed);
    EXPECT_EQ(call(Method::delete_, last).body, "{}");
}

TEST_P(Moving, what_an_encoder_left_undone_another_does_but_not_for_ever) {
    sent(call(Method::post, v2, with_file(fixtures::silent_video())), 202);
    ASSERT_TRUE(write(next_task));
    EXPECT_FALSE(write(next_task));
    pass(encoding_lease_seconds + 1);
    auto second = write(next_task);
    ASSERT_TRUE(second);
    write([&](db::Write& db) { give_back(db, *second); });
    EXPECT_FALSE(write(next_task));
    pass(16);
    auto third = write(next_task);
    ASSERT_TRUE(third);
    write([&](db::Write& db) { give_back(db, *third); });
    pass(86'400);
    EXPECT_FALSE(write(next_task));
    EXPECT_EQ(call(Method::get, last).status, 422);
}

TEST_P(Moving, what_ends_whoever_encodes_it_is_given_up) {
    sent(call(Method::post, v2, with_file(fixtures::silent_video())), 202);
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(write(next_task));
        pass(encoding_lease_seconds + 1);
    }
    EXPECT_TRUE(work());
    EXPECT_EQ(call(Method::get, last).status, 422);
    EXPECT_FALSE(work());
}

TEST_P(Moving, deleted_while_it_waits_leaves_nothing) {
    sent(call(Method::post, v2, with_file(fixtures::silent_video())), 202);
    EXPECT_EQ(call(Method::delete_, last).body, "{}");
    left.clear();
    EXPECT_TRUE(work());
    EXPECT_THAT(left, SizeIs(2));
    EXPECT_EQ(store.remove({left}), 2);
    EXPECT_THAT(stored(), IsEmpty());
}

TEST_P(Moving, attributes_of_a_shown_medium_change_with_its_status) {
    auto id = made(alice), other = made(alice);
    attach_to(post, {id});
    auto change = [&](MediaId which, const Changes& changes, AccountId who = alice) {
        return write([&](db::Write& db) { return update_attached(db, who, post, which, changes); });
    };
    EXPECT_TRUE(change(id, {"words", {}, {}}));
    EXPECT_FALSE(change(id, {"words", {}, {}}));
    EXPECT_TRUE(change(id, {{}, Focus{0.5, -0.5}, {}}));
    EXPECT_FALSE(change(id, {{}, {}, Thumbnail{"media/ab/x.png", 1, 1, "U"}}));  // an image shows itself
    EXPECT_FALSE(change(other, {"words", {}, {}}));
    EXPECT_FALSE(change(id, {"mine", {}, {}}, bob));
    auto shown = read([&](db::Read& db) { return of_statuses(db, {post}); });
    ASSERT_THAT(shown, SizeIs(1));
    EXPECT_EQ(shown[0].description, "words");
    EXPECT_EQ(shown[0].focus_y, -0.5);
}

}  // namespace
}  // namespace media
