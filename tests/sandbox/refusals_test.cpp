// SPDX-License-Identifier: AGPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "sandbox/fixtures.hpp"

namespace {

using namespace fixtures;
using sandbox::Kind;
using testing::IsEmpty;
using namespace std::chrono_literals;

TEST(Refusals, meet_what_is_no_image_whatever_its_name) {
    const std::string svg =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>";
    const std::string playlist =
        "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n";
    for (const std::string& input :
         {std::string(),
          std::string("GIF8"),
          std::string("plain words\n"),
          svg,
          "<?xml version='1.0'?>" + svg,
          playlist,
          std::string("%PDF-1.4\n"),
          std::string("II*\0\10\0\0\0\0\0\0\0\0\0", 14),
          std::string("P6 1 1 255 abc"),
          std::string("\xb6\xa6\xf2\x08 vips' own format"),
          std::string("push graphic-context\n"),
          std::string("{\"@context\":\"https://www.w3.org/ns/activitystreams\"}"),
          std::string(100, '\0')}) {
        SCOPED_TRACE(input.substr(0, 30));
        Job job(input, Kind::attachment, "holiday.png");
        EXPECT_EQ(job.refusal(), "unsupported_type");
        EXPECT_THAT(job.files(), IsEmpty());
    }
}

TEST(Refusals, meet_broken_images) {
    const std::string good = jpeg(), animation = gif(64, 48, 5);
    for (const std::string& input :
         {good.substr(0, good.size() * 2 / 3),
          good.substr(0, 3),
          png(64, 48).substr(0, 3000),
          png_header(64, 48),
          webp_with_metadata().substr(0, 250),
          decoded(base64::avif).substr(0, 300),
          std::string("GIF89a and no more"),
          std::string("\x89PNG\r\n\x1a\n<svg xmlns='http://www.w3.org/2000/svg'/>")}) {
        for (const Kind kind : {Kind::attachment, Kind::avatar}) {
            Job job(input, kind);
            EXPECT_THAT(job.refusal(), testing::AnyOf("broken", "unsupported_type"));
            EXPECT_THAT(job.files(), IsEmpty());
        }
    }
}

TEST(Refusals, meet_bombs_before_they_go_off) {
    for (const std::string& input :
         {png_header(30'000, 30'000),
          png_header(8000, 4200),
          png_header(70'000, 10),
          gif_bomb(4000, 4000, 3000),
          gif_bomb(1300, 720, 2),
          gif_bomb(1280, 720, 110),
          gif_bomb(2, 2, 2001),
          gif_bomb(10, 10, 12'000)}) {
        Job job(input);
        EXPECT_EQ(job.refusal(), "too_large_dimensions") << input.size();
        EXPECT_THAT(job.files(), IsEmpty());
    }
}

TEST(Refusals, meet_files_that_are_too_large) {
    Job emoji(png(64, 48) + std::string(262'144, 'x'), Kind::emoji);
    EXPECT_EQ(emoji.refusal(), "too_large_file");
    Job avatar(jpeg() + std::string(8'388'608, 'x'), Kind::avatar);
    EXPECT_EQ(avatar.refusal(), "too_large_file");
    Job attachment(jpeg() + std::string(16'777'216, 'x'));
    EXPECT_EQ(attachment.refusal(), "too_large_file");
}

TEST(Refusals, meet_jobs_that_take_too_long) {
    Job job(gif(4000, 2500, 1));
    job.job.timeout = 100ms;
    EXPECT_EQ(job.refusal(), "timeout");
    EXPECT_THAT(job.files(), IsEmpty());
}

TEST(Refusals, do_not_hide_our_own_trouble) {
    Job no_input(jpeg());
    no_input.job.input = "/nowhere";
    EXPECT_THROW(no_input.run(), std::system_error);
    Job no_place(jpeg());
    no_place.job.output_dir = "/nowhere";
    EXPECT_THROW(no_place.run(), std::system_error);
    Job used_place(jpeg());
    std::ofstream(used_place.job.output_dir / "precious") << "kept";
    EXPECT_THROW(used_place.run(), std::system_error);
    EXPECT_EQ(used_place.bytes("precious"), "kept");
}

// A worker taken over by its input.
class Forged : public testing::Test {
protected:
    std::string verdict(const std::string& record) {
        sandbox::ChildResult child;
        child.exit_code = 0;
        child.out = record;
        const auto outcome = sandbox::judge(child, job_.job.output_dir);
        const auto* refused = std::get_if<sandbox::Refused>(&outcome);
        return refused ? std::string(sandbox::word(refused->reason)) : "accepted";
    }
    void write(const std::string& file, const std::string& bytes) {
        std::ofstream(job_.job.output_dir / file) << bytes;
    }

    Job job_{"", Kind::attachment};
};

TEST_F(Forged, records_are_not_believed) {
    write("original.jpg", jpeg());
    write("original.png", "<script>alert(1)</script>");
    write("evil.html", "<script>");
    std::filesystem::create_symlink("/etc/passwd", job_.job.output_dir / "original.gif");
    std::filesystem::create_hard_link(job_.job.input, job_.job.output_dir / "original.webp");
    const std::string good = "original original.jpg 64 48\n";

    EXPECT_EQ(verdict("animated 0\n" + good + "end\n"), "accepted");
    EXPECT_EQ(verdict(good + "pdq 100 " + std::string(512, 'f') + "\nend\n"), "accepted");
    for (const std::string& record :
         {std::string(),
          std::string("end\n"),
          good,
          good + "end",
          "animated 0\nend\n" + good,
          good + "more\nend\n",
          good + "blurhash short\nend\n",
          good + "blurhash " + std::string(36, '<') + "\nend\n",
          good + "pdq 101 " + std::string(512, '0') + "\nend\n",
          good + "pdq 50 " + std::string(511, '0') + "\nend\n",
          good + "pdq 50 " + std::string(511, '0') + "x\nend\n",
          good + "pdq 50 " + std::string(511, '0') + "-\nend\n",
          good + "\nend\n",
          std::string("original ../../input 64 48\nend\n"),
          std::string("original /etc/passwd 64 48\nend\n"),
          std::string("original evil.html 64 48\nend\n"),
          std::string("original original.png 64 48\nend\n"),
          std::string("original original.gif 64 48\nend\n"),
          std::string("original original.webp 64 48\nend\n"),
          std::string("original original.jpg -1 48\nend\n"),
          std::string("original original.jpg 64 99999999999\nend\n"),
          std::string("original original.jpg 64 48x\nend\n"),
          std::string("original original.jpg 0 48\nend\n"),
          std::string("preview original.jpg 64 48\nend\n"),
          good + "preview preview.jpg 64 48\nend\n",
          std::string("refused because\nend\n")})
        EXPECT_EQ(verdict(record), "crashed") << record;
    EXPECT_EQ(verdict("refused broken oh no\nend\n"), "broken");
}

}  // namespace
