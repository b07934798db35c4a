// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "sandbox/fixtures.hpp"

namespace {

using namespace fixtures;
using sandbox::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string size(const sandbox::ImageFile& file) {
    return std::to_string(file.width) + "x" + std::to_string(file.height);
}

// Of fixtures::picture, 64x48, by the npm package blurhash 2.0.5.
constexpr const char* reference = R"(UYJG=+2U|Gs+@1;M,CwJ%X$Mwvsmrwj?oJjs)";

bool says_secret(const Job& job) {
    for (const auto& file : job.files())
        if (job.bytes(file).find(secret) != std::string::npos) return true;
    return false;
}

// What a PNG or GIF says of itself, so that the record is not the only witness.
std::string png_size(const std::string& png) {
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(png.at(i)); };
    return std::to_string(at(18) << 8 | at(19)) + "x" + std::to_string(at(22) << 8 | at(23));
}

std::string gif_size(const std::string& gif) {
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(gif.at(i)); };
    return std::to_string(at(7) << 8 | at(6)) + "x" + std::to_string(at(9) << 8 | at(8));
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

std::size_t gif_frames(const std::string& gif) { return count(gif, std::string_view("\x21\xf9\x04", 3)); }

TEST(Images, lose_their_metadata_and_keep_their_orientation) {
    Job job(jpeg_with_metadata(6));
    ASSERT_THAT(job.bytes("../input"), HasSubstr(secret));

    const auto result = job.result();

    EXPECT_THAT(job.files(), ElementsAre("original.jpg", "preview.jpg"));
    EXPECT_FALSE(says_secret(job));
    for (const std::string file : {"original.jpg", "preview.jpg"})
        for (const std::string marker : {"Exif", "ns.adobe.com", "ICC_PROFILE", "Photoshop", "GPS"})
            EXPECT_THAT(job.bytes(file), Not(HasSubstr(marker)));
    EXPECT_EQ(size(result.original), "48x64");
    EXPECT_EQ(size(*result.preview), "48x64");
    EXPECT_EQ(result.original.mime, "image/jpeg");
    EXPECT_EQ(result.original.bytes, job.bytes("original.jpg").size());
    EXPECT_EQ(result.type, "image");
    EXPECT_FALSE(result.animated);
    EXPECT_FALSE(result.still);
}

TEST(Images, lose_their_metadata_in_every_format) {
    struct Case {
        std::string input, original, preview;
    };
    for (const auto& [input, original, preview] :
         {Case{webp_with_metadata(), "original.webp", "preview.webp"},
          Case{png_with_metadata(), "original.png", "preview.jpg"},
          Case{gif(64, 48, 1, secret), "original.gif", "preview.jpg"}}) {
        SCOPED_TRACE(original);
        ASSERT_THAT(input, HasSubstr(secret));
        Job job(input);
        const auto result = job.result();
        EXPECT_THAT(job.files(), ElementsAre(original, preview));
        EXPECT_EQ(size(result.original), "64x48");
        EXPECT_FALSE(says_secret(job));
        for (const std::string& file : job.files())
            for (const std::string marker : {"EXIF", "XMP ", "ICCP", "eXIf", "iCCP", "tEXt", "iTXt", "tIME"})
                EXPECT_THAT(job.bytes(file), Not(HasSubstr(marker)));
    }
}

std::string kept_of(const std::string& png) {
    Job job(png);
    job.result();
    return job.bytes("original.png");
}

// One that is compressed, which those made here are not, and has its rows only.
std::string compressed(const std::string& png) { return kept_of(kept_of(png)); }

std::string with_chunk_after_header(const std::string& png, const std::string& chunk) {
    constexpr std::size_t after_header = 8 + 25;
    return png.substr(0, after_header) + chunk + png.substr(after_header);
}

TEST(Images, keep_the_rows_of_a_png_and_nothing_else_of_it) {
    const auto red = [](int, int) { return Pixel{200, 10, 10, 255}; };
    for (const auto& plain : {compressed(png(640, 480)), compressed(png(64, 48, red, true))}) {
        const std::string comment = "Comment" + std::string(1, '\0') + std::string(secret);
        const auto told = with_chunk_after_header(plain, chunk("tEXt", comment) + chunk("prIv", secret)) +
                          std::string(secret);
        EXPECT_EQ(kept_of(told), plain);
    }
}

TEST(Images, are_written_again_where_a_png_holds_more_than_its_rows) {
    const auto plain = compressed(png(64, 48));
    const auto data = plain.find("IDAT");
    const auto packed = plain.substr(data + 4, plain.find("IEND") - 4 - 4 - data - 4);
    const auto with_data = [&](const std::string& all) {
        return plain.substr(0, data - 4) + chunk("IDAT", all) + chunk("IEND", "");
    };
    ASSERT_EQ(with_data(packed), plain);
    Job behind(with_data(packed + std::string(secret)));
    EXPECT_EQ(size(behind.result().original), "64x48");
    EXPECT_FALSE(says_secret(behind));
    Job turned(with_chunk_after_header(
        plain, chunk("eXIf", std::string("MM\0*\0\0\0\b\0\0", 10) + std::string(secret))
    ));
    EXPECT_EQ(size(turned.result().original), "64x48");
    EXPECT_FALSE(says_secret(turned));
}

TEST(Images, of_phones_become_jpeg) {
    for (const char* base64 : {base64::avif, base64::heic}) {
        Job job(decoded(base64), Kind::attachment, "photo.jpg");
        const auto result = job.result();
        EXPECT_THAT(job.files(), ElementsAre("original.jpg", "preview.jpg"));
        EXPECT_EQ(size(result.original), "64x48");

        Job avatar(decoded(base64), Kind::avatar);
        EXPECT_EQ(avatar.refusal(), "unsupported_type");
        Job switched_off(decoded(base64));
        switched_off.job.allow_heif = false;
        EXPECT_EQ(switched_off.refusal(), "unsupported_type");
    }
}

TEST(Images, carry_the_blurhash_of_the_reference) {
    Job job(png(64, 48));
    EXPECT_EQ(job.result().blurhash, reference);
    Job seen_through(png(64, 48, [](int x, int y) { return picture(x, y); }, true));
    EXPECT_EQ(seen_through.result().blurhash, reference);
}

TEST(Images, keep_transparency_in_the_preview) {
    Job job(png(
        64, 48, [](int x, int y) { return Pixel{255, 0, 0, static_cast<std::uint8_t>(x + y)}; }, true
    ));
    EXPECT_EQ(job.result().preview->file, "preview.png");
    Job opaque(png(64, 48, picture, true));
    EXPECT_EQ(opaque.result().preview->file, "preview.jpg");
}

TEST(Images, are_scaled_down_to_the_limits) {
    Job job(gif(4000, 2500, 1));  // stored, this is already 10 MB
    const auto result = job.result();
    EXPECT_EQ(size(result.original), "3642x2276");
    EXPECT_EQ(gif_size(job.bytes("original.gif")), "3642x2276");
    EXPECT_EQ(size(*result.preview), "606x379");
    EXPECT_LE(result.original.width * result.original.height, 8'294'400);
    EXPECT_LE(result.preview->width * result.preview->height, 230'400);
}

TEST(Images, may_be_very_narrow) {
    Job job(png(1, 3000));
    EXPECT_EQ(size(job.result().original), "1x3000");
}

TEST(Images, that_move_keep_moving) {
    Job moving_gif(gif(64, 48, 5, secret));
    const auto result = moving_gif.result();
    EXPECT_TRUE(result.animated);
    EXPECT_EQ(size(result.original), "64x48");
    EXPECT_EQ(gif_frames(moving_gif.bytes("original.gif")), 5);
    EXPECT_THAT(moving_gif.bytes("original.gif"), HasSubstr("NETSCAPE2.0"));
    EXPECT_FALSE(says_secret(moving_gif));
    EXPECT_EQ(result.preview->file, "preview.jpg");

    Job moving_webp(decoded(base64::animated_webp));
    EXPECT_TRUE(moving_webp.result().animated);
    EXPECT_EQ(count(moving_webp.bytes("original.webp"), "ANMF"), 3);
    EXPECT_THAT(moving_webp.bytes("original.webp"), Not(HasSubstr("EXIF")));
}

TEST(Images, as_avatars_fill_a_square) {
    Job job(jpeg_with_metadata(6), Kind::avatar);
    const auto result = job.result();
    EXPECT_THAT(job.files(), ElementsAre("original.jpg"));
    EXPECT_EQ(size(result.original), "400x400");
    EXPECT_FALSE(says_secret(job));
    EXPECT_EQ(result.blurhash, "");
}

TEST(Images, as_avatars_may_move_and_have_a_still) {
    Job job(gif(300, 200, 6, secret), Kind::avatar);
    const auto result = job.result();
    EXPECT_THAT(job.files(), ElementsAre("original.gif", "static.png"));
    EXPECT_TRUE(result.animated);
    EXPECT_EQ(size(result.original), "400x400");
    EXPECT_EQ(gif_frames(job.bytes("original.gif")), 6);
    EXPECT_EQ(size(*result.still), "400x400");
    EXPECT_EQ(png_size(job.bytes("static.png")), "400x400");

    Job standing(gif(300, 200, 1), Kind::avatar);
    EXPECT_EQ(standing.result().original.file, "original.png");
    EXPECT_THAT(standing.files(), ElementsAre("original.png"));
}

TEST(Images, as_headers_fill_a_banner) {
    Job job(png(64, 48, picture, true), Kind::header);
    EXPECT_EQ(size(job.result().original), "1500x500");
    Job moving(decoded(base64::animated_webp), Kind::header);
    const auto result = moving.result();
    EXPECT_EQ(size(result.original), "1500x500");
    EXPECT_EQ(result.still->file, "static.png");
    Job too_long_to_scale(gif(16, 16, 100), Kind::header);
    EXPECT_EQ(too_long_to_scale.result().original.file, "original.png");
}

TEST(Images, as_emoji_keep_moving_and_have_a_still) {
    Job as_gif(gif(64, 48, 5, secret), Kind::emoji);
    EXPECT_TRUE(as_gif.result().animated);
    EXPECT_THAT(as_gif.files(), ElementsAre("original.gif", "static.png"));
    EXPECT_EQ(gif_frames(as_gif.bytes("original.gif")), 5);
    EXPECT_FALSE(says_secret(as_gif));

    Job as_webp(decoded(base64::animated_webp), Kind::emoji);
    EXPECT_TRUE(as_webp.result().animated);
    EXPECT_THAT(as_webp.files(), ElementsAre("original.webp", "static.png"));

    Job as_png(animated_png(), Kind::emoji);
    ASSERT_THAT(animated_png(), HasSubstr(secret));
    EXPECT_TRUE(as_png.result().animated);
    EXPECT_THAT(as_png.files(), ElementsAre("original.png", "static.png"));
    EXPECT_THAT(as_png.bytes("original.png"), HasSubstr("acTL"));
    EXPECT_THAT(as_png.bytes("static.png"), Not(HasSubstr("acTL")));
    EXPECT_FALSE(says_secret(as_png));

    Job wide(png(900, 60), Kind::emoji);
    EXPECT_EQ(size(wide.result().original), "512x34");
    Job as_jpeg(jpeg(), Kind::emoji);
    EXPECT_EQ(as_jpeg.refusal(), "unsupported_type");
}

TEST(Images, can_be_worked_on_by_many_threads) {
    std::vector<std::thread> threads;
    std::atomic<int> good = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 3; ++i) {
                Job job(png(64, 48));
                good += job.result().blurhash == reference ? 1 : 0;
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(good, 12);
}

}  // namespace
