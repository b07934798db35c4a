// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/media/media_entity.hpp"
#include "social/media/stage.hpp"

namespace media {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct MediaRows : Stage {
    std::string refusal(const std::vector<MediaId>& ids, AccountId owner = alice) {
        try {
            attach_to(other_post, ids, owner);
        } catch (const base::Invalid& e) {
            return e.what();
        }
        return "";
    }
    std::vector<MediaId> of(std::vector<StatusId> statuses) {
        std::vector<MediaId> ids;
        for (const auto& m : read([&](db::Read& db) { return of_statuses(db, statuses); }))
            ids.push_back(m.id);
        return ids;
    }
    Media free(MediaId id, AccountId owner = alice) {
        return read([&](db::Read& db) { return unattached(db, owner, id); });
    }
};
ON_EACH_DATABASE(MediaRows);

TEST_P(MediaRows, are_shown_by_status_in_the_order_given) {
    auto a = made(alice), b = made(alice), c = made(alice);
    attach_to(other_post, {c});
    attach_to(post, {b, a, b});
    EXPECT_THAT(of({other_post, post}), ElementsAre(b, a, c));
    EXPECT_THAT(of({StatusId{9}}), IsEmpty());
}

TEST_P(MediaRows, keep_what_was_stored) {
    Media m;
    m.account_id = alice;
    m.type = Type::gifv;
    m.file = "media/ab/ab.gif", m.preview = "media/ab/ab_small.jpg", m.mime = "image/gif";
    m.width = 400, m.height = 300, m.preview_width = 40, m.preview_height = 30;
    m.focus_x = -0.5, m.focus_y = 1;
    m.blurhash = "U", m.description = "words";
    m.frame_rate = "25/1", m.duration = 2.5, m.bitrate = 1000;
    auto got = free(write([&](db::Write& db) { return create(db, m); }));
    m.id = got.id;
    EXPECT_EQ(base::json::to_string(got), base::json::to_string(m));
    EXPECT_EQ(
        base::json::to_string(entity(database.site, got)),
        R"({"id":")" + std::to_string(got.id.value) +
            R"(","type":"gifv","url":"http://localhost:3000/media/media/ab/ab.gif",)"
            R"("preview_url":"http://localhost:3000/media/media/ab/ab_small.jpg","remote_url":null,)"
            R"("preview_remote_url":null,"text_url":null,"meta":{"original":{"width":400,"height":300,)"
            R"("frame_rate":"25/1","duration":2.5,"bitrate":1000},"small":{"width":40,"height":30,"size":"40x30",)"
            R"("aspect":1.3333333333333333},"focus":{"x":-0.5,"y":1.0}},"description":"words","blurhash":"U"})"
    );
}

TEST_P(MediaRows, say_nothing_of_a_focus_that_was_never_set) {
    auto shown = base::json::to_string(entity(database.site, free(made(alice))));
    EXPECT_EQ(shown.find("focus"), shown.npos);
}

TEST_P(MediaRows, are_attached_only_when_own_and_free) {
    auto own = made(alice), taken = made(alice), foreign = made(bob);
    attach_to(post, {taken});
    auto text = [](MediaId id) { return std::to_string(id.value); };
    EXPECT_EQ(refusal({own, MediaId{5}}), "Media 5 not found or already attached to another post");
    EXPECT_EQ(
        refusal({taken, own, foreign}),
        "Media " + text(taken) + ", " + text(foreign) + " not found or already attached to another post"
    );
    EXPECT_THAT(of({other_post}), IsEmpty());
    EXPECT_EQ(refusal({own}), "");
}

TEST_P(MediaRows, are_not_attached_above_the_sites_limit) {
    std::vector<MediaId> ids{made(alice), made(alice), made(alice)};
    database.site.max_media = 2;
    EXPECT_EQ(refusal(ids), "Cannot attach more than 2 files");
    database.site.max_media = 3;
    EXPECT_EQ(refusal(ids), "");
}

TEST_P(MediaRows, with_sound_stand_alone) {
    auto image = made(alice), video = made(alice, "v", Type::video), audio = made(alice, "a", Type::audio);
    EXPECT_EQ(refusal({image, video}), "Cannot attach a video to a post that already contains images");
    EXPECT_EQ(refusal({audio, image}), "Cannot attach a video to a post that already contains images");
    EXPECT_EQ(refusal({video}), "");
}

TEST_P(MediaRows, of_a_deleted_status_wait_for_a_redraft) {
    auto id = made(alice);
    attach_to(post, {id});
    pass(3 * 86'400);
    write([](db::Write& db) { release(db, post, false); });
    EXPECT_THAT(of({post}), IsEmpty());

    pass(86'400);
    write(remove_expired);
    EXPECT_THAT(left, IsEmpty());
    attach_to(other_post, {id});
    EXPECT_THAT(of({other_post}), ElementsAre(id));
}

TEST_P(MediaRows, of_a_deleted_status_go_with_their_files_when_asked) {
    attach_to(post, {made(alice, "media/ab/ab1.jpg")});
    auto kept = made(alice);
    write([](db::Write& db) { release(db, post, true); });
    EXPECT_THAT(left, ElementsAre("media/ab/ab1.jpg_small.jpg", "media/ab/ab1.jpg"));
    EXPECT_EQ(free(kept).id, kept);
}

TEST_P(MediaRows, of_a_scheduled_status_are_kept_for_it_and_can_be_described) {
    constexpr ScheduledStatusId scheduled{9}, another{10};
    auto a = made(alice), b = made(alice);
    write([&](db::Write& db) { reserve(db, alice, scheduled, {b, a}); });
    pass(3 * 86'400);
    write(remove_expired);
    EXPECT_THAT(left, IsEmpty());
    EXPECT_EQ(
        refusal({a}), "Media " + std::to_string(a.value) + " not found or already attached to another post"
    );
    EXPECT_THROW(write([&](db::Write& db) { reserve(db, alice, another, {a}); }), base::Invalid);
    EXPECT_EQ(error(call(http::Method::delete_, a)), "422 Media attachment is currently used by a status");
    http::Params words;
    words.set("description", "seen");
    EXPECT_EQ(json(call(http::Method::put, a, words)).at("description"), "seen");

    std::vector<MediaId> kept;
    for (const auto& m : read([&](db::Read& db) { return of_scheduled(db, {scheduled, another}); }))
        kept.push_back(m.id);
    EXPECT_THAT(kept, ElementsAre(b, a));
    write([&](db::Write& db) { attach(db, alice, post, {b, a}, scheduled); });
    EXPECT_THAT(of({post}), ElementsAre(b, a));
    EXPECT_THAT(read([&](db::Read& db) { return of_scheduled(db, {scheduled}); }), IsEmpty());
}

TEST_P(MediaRows, of_a_cancelled_status_are_free_again) {
    auto id = made(alice);
    write([&](db::Write& db) { reserve(db, alice, ScheduledStatusId{9}, {id}); });
    pass(3 * 86'400);
    write([](db::Write& db) { unreserve(db, ScheduledStatusId{9}); });
    pass(86'400);
    write(remove_expired);
    EXPECT_THAT(left, IsEmpty());
    EXPECT_EQ(refusal({id}), "");
}

TEST_P(MediaRows, of_an_edited_status_are_those_it_names_now) {
    auto a = made(alice), b = made(alice), c = made(alice), foreign = made(bob);
    attach_to(post, {a, b});
    auto change = [&](std::vector<MediaId> ids) {
        return write([&](db::Write& db) { return rearrange(db, alice, post, ids); });
    };
    EXPECT_FALSE(change({a, b}));
    EXPECT_TRUE(change({c, a}));
    EXPECT_THAT(of({post}), ElementsAre(c, a));
    EXPECT_THROW(change({foreign}), base::Invalid);
    EXPECT_THROW(attach_to(other_post, {b}), base::Invalid);  // the history shows it
    EXPECT_THAT(of({post}), ElementsAre(c, a));
    EXPECT_TRUE(change({}));
    EXPECT_THAT(of({post}), IsEmpty());
}

TEST_P(MediaRows, that_are_not_ready_are_not_attached) {
    for (auto state : {Processing::queued, Processing::in_progress, Processing::failed}) {
        Media m;
        m.account_id = alice, m.type = Type::video, m.processing = state;
        auto id = write([&](db::Write& db) { return create(db, m); });
        EXPECT_EQ(
            refusal({id}), "Cannot attach files that have not finished processing. Try again in a moment!"
        );
    }
}

TEST_P(MediaRows, that_nobody_attached_go_after_a_day) {
    auto old = made(alice, "media/ab/old.jpg"), used = made(alice);
    attach_to(post, {used});
    pass(86'400);
    auto young = made(alice);
    write(remove_expired);
    EXPECT_THAT(left, IsEmpty());
    pass(1);
    write(remove_expired);
    EXPECT_THAT(left, ElementsAre("media/ab/old.jpg_small.jpg", "media/ab/old.jpg"));
    EXPECT_THROW(free(old), base::NotFound);
    EXPECT_EQ(free(young).id, young);
    EXPECT_THAT(of({post}), ElementsAre(used));
}

TEST(MediaDescription, is_trimmed_and_counted_in_code_points) {
    EXPECT_EQ(checked_description("  two words\n"), "two words");
    EXPECT_EQ(checked_description(" \n\t"), "");
    std::string text;
    for (std::size_t i = 0; i < max_description; ++i) text += "ä";
    EXPECT_EQ(checked_description(" " + text + " "), text);
    EXPECT_THROW(checked_description(text + "b"), base::Invalid);
}

}  // namespace
}  // namespace media
