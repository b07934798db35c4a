// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/video.hpp"
#include "sandbox/child.hpp"
#include "sandbox/moving.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace fixtures;
using testing::HasSubstr;
using testing::Not;

sandbox::VideoFacts facts_of(const std::string& bytes) {
    Job job(bytes);
    auto probed = sandbox::probe(job.job.input, job.job.output_dir);
    if (auto* refused = std::get_if<sandbox::Refused>(&probed)) {
        ADD_FAILURE() << sandbox::word(refused->reason) << " " << refused->detail;
        return {};
    }
    return std::get<sandbox::VideoFacts>(probed);
}

std::string refusal(const std::string& bytes) {
    Job job(bytes);
    auto probed = sandbox::probe(job.job.input, job.job.output_dir);
    auto* refused = std::get_if<sandbox::Refused>(&probed);
    if (!refused) {
        auto made =
            sandbox::run_video_job(job.job.input, job.job.output_dir, std::get<sandbox::VideoFacts>(probed));
        refused = std::get_if<sandbox::Refused>(&made);
        return refused ? "later: " + std::string(sandbox::word(refused->reason)) : "accepted";
    }
    return std::string(sandbox::word(refused->reason));
}

struct Done {
    sandbox::VideoResult result;
    std::string bytes, frame;
};

Done made(const std::string& bytes) {
    Job job(bytes);
    auto outcome = sandbox::run_video_job(job.job.input, job.job.output_dir, facts_of(bytes));
    if (auto* refused = std::get_if<sandbox::Refused>(&outcome)) {
        ADD_FAILURE() << sandbox::word(refused->reason) << " " << refused->detail;
        return {};
    }
    Done done{std::get<sandbox::VideoResult>(outcome), {}, {}};
    done.bytes = job.bytes(done.result.file);
    if (!done.result.frame.empty()) done.frame = job.bytes(done.result.frame);
    return done;
}

TEST(Video, that_browsers_play_is_copied_without_what_it_tells_of_its_maker) {
    auto bytes = video();
    ASSERT_NE(bytes.find(secret), std::string::npos);
    auto [result, served, frame] = made(bytes);
    EXPECT_EQ(result.type, "video");
    EXPECT_EQ(result.facts.width, 64);
    EXPECT_EQ(result.facts.height, 48);
    EXPECT_EQ(result.facts.frame_rate, "10/1");
    EXPECT_NEAR(result.facts.duration, 1, 0.1);
    EXPECT_GT(result.facts.bitrate, 0);
    EXPECT_EQ(result.facts.audio_codec, "aac");
    EXPECT_EQ(result.later_frames.size(), 2u);
    EXPECT_EQ(served.substr(4, 4), "ftyp");
    EXPECT_LT(served.find("moov"), served.find("mdat"));  // plays before it is whole
    EXPECT_EQ(frame.substr(1, 3), "PNG");
}

TEST(Video, attack_53_no_metadata_survives) {
    auto places = "-metadata location=" + std::string(secret) + "2 -metadata comment=" + std::string(secret) +
                  "3 -metadata:s:v title=" + std::string(secret) + "4 ";
    for (const auto& bytes :
         {moving(
              picture_input + sound_input + h264 + "-c:a aac " + places + "-movflags use_metadata_tags", "mp4"
          ),
          moving(picture_input + "-c:v libvpx " + places, "webm"),
          moving(sound_input + "-c:a libmp3lame " + places, "mp3"),
          moving(sound_input + "-c:a flac " + places, "flac")}) {
        ASSERT_NE(bytes.find(secret), std::string::npos);
        EXPECT_EQ(made(bytes).bytes.find(secret), std::string::npos);
    }
}

TEST(Video, in_other_formats_becomes_one_that_browsers_play) {
    for (const auto& bytes :
         {moving(picture_input + sound_input + "-c:v libvpx -c:a libopus", "webm"),
          moving(picture_input + sound_input + "-c:v libtheora -c:a libvorbis", "ogv"),
          moving(picture_input + sound_input + "-c:v mpeg4 -c:a pcm_s16le", "mov")}) {
        auto result = made(bytes).result;
        EXPECT_EQ(result.type, "video");
        EXPECT_EQ(result.facts.video_codec, "h264");
        EXPECT_EQ(result.facts.audio_codec, "aac");
    }
}

TEST(Video, without_sound_or_of_a_gif_repeats_silently) {
    EXPECT_EQ(made(silent_video()).result.type, "gifv");
    auto gif = made(moving("-f lavfi -i testsrc=size=65x47:rate=10:duration=1", "gif")).result;
    EXPECT_EQ(gif.type, "gifv");
    EXPECT_EQ(gif.facts.pixel_format, "yuv420p");
    EXPECT_EQ(gif.facts.width % 2 + gif.facts.height % 2, 0);
    EXPECT_FALSE(facts_of(fixtures::gif(8, 8, 1)).several_frames);
    EXPECT_TRUE(facts_of(fixtures::gif(8, 8, 3)).several_frames);
}

TEST(Video, that_is_turned_is_as_wide_as_it_is_shown) {
    auto turned = moving(
        picture_input + h264 + "y.mp4 && ffmpeg -nostdin -v error -i y.mp4 -c copy -metadata:s:v:0 rotate=90",
        "mp4"
    );
    auto result = made(turned).result;
    EXPECT_EQ(result.facts.width, 48);
    EXPECT_EQ(result.facts.height, 64);
}

TEST(Video, sound_becomes_mp3_and_its_cover_is_its_picture) {
    for (const auto& [arguments, extension] :
         {std::pair{"-c:a libvorbis", "ogg"},
          {"-c:a flac", "flac"},
          {"-c:a pcm_s16le", "wav"},
          {"-c:a aac", "m4a"},
          {"-c:a aac", "aac"},
          {"-c:a wmav2", "wma"},
          {"-c:a libmp3lame", "mp3"}}) {
        SCOPED_TRACE(extension);
        auto [result, bytes, frame] = made(moving(sound_input + arguments, extension));
        EXPECT_EQ(result.type, "audio");
        EXPECT_EQ(result.facts.audio_codec, "mp3");
        EXPECT_NEAR(result.facts.duration, 1, 0.2);
        EXPECT_EQ(frame, "");
    }
    auto covered = moving(
        sound_input + "-i picture.png -map 0 -map 1 -c:a libmp3lame -c:v png -disposition:v attached_pic",
        "mp3"
    );
    auto [result, bytes, frame] = made(covered);
    EXPECT_EQ(result.type, "audio");
    EXPECT_EQ(frame.substr(1, 3), "PNG");
}

TEST(Video, beyond_the_limits_is_refused_before_it_is_decoded) {
    EXPECT_EQ(
        refusal(moving("-f lavfi -i color=size=4096x2304:rate=1:duration=1 " + h264, "mp4")),
        "too_large_dimensions"
    );
    EXPECT_EQ(
        refusal(moving("-f lavfi -i testsrc=size=64x48:rate=240:duration=0.2 " + h264, "mp4")),
        "too_many_frames"
    );
    EXPECT_EQ(
        refusal(moving("-f lavfi -i testsrc=size=1300x720:rate=2:duration=1", "gif")), "too_large_dimensions"
    );
}

TEST(Video, of_too_many_bytes_is_refused_unseen) {
    Job job(video());
    std::filesystem::resize_file(job.job.input, sandbox::limits::video_bytes);  // a hole
    auto probed = sandbox::probe(job.job.input, job.job.output_dir);
    ASSERT_TRUE(std::holds_alternative<sandbox::Refused>(probed));
    EXPECT_EQ(std::get<sandbox::Refused>(probed).reason, sandbox::Reason::too_large_file);
}

TEST(Video, attack_97_a_playlist_leads_nowhere) {
    const std::string list =
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n";
    const std::string concat = "ffconcat version 1.0\nfile /etc/passwd\n";
    for (const std::string& words :
         {list,
          concat,
          "\x1a\x45\xdf\xa3" + list,
          "OggS" + list,
          "ID3" + list,
          std::string(
              "\0\0\0\x18"
              "ftypmp42",
              12
          ) + list,
          "fLaC" + concat})
        EXPECT_THAT(refusal(words), Not("accepted"));
}

TEST(Video, attack_101_damaged_files_are_refusals) {
    auto whole = video();
    for (std::size_t cut : {40UL, whole.size() / 4, whole.size() / 2})
        EXPECT_THAT(refusal(whole.substr(0, cut)), Not("accepted")) << cut;
    auto noise = whole;
    for (std::size_t at = 100; at < noise.size(); at += 7) noise[at] = static_cast<char>(at * 31);
    EXPECT_THAT(refusal(noise), Not("accepted"));
    EXPECT_EQ(refusal("words"), "unsupported_type");
    EXPECT_EQ(refusal(""), "unsupported_type");
}

// A server of ours that nobody in the sandbox may reach.
struct Listening {
    Listening() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
        listen(fd, 1);
        socklen_t size = sizeof address;
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
        port = ntohs(address.sin_port);
    }
    ~Listening() { close(fd); }
    bool was_called() const { return accept4(fd, nullptr, nullptr, SOCK_NONBLOCK) >= 0; }

    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), port = 0;
};

TEST(Video, attack_101_a_taken_over_decoder_reaches_neither_files_nor_networks) {
    Job job("words");
    auto said = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"run", "ffmpeg", "-nostdin", "-v", "error"});
        auto child = sandbox::run_worker(words, job.job.input, job.job.output_dir, std::chrono::seconds(20));
        EXPECT_NE(child.exit_code, 0);
        return child.err;
    };
    Listening listening;
    auto url = "tcp://127.0.0.1:" + std::to_string(listening.port);
    EXPECT_THAT(
        said({"-f", "data", "-i", url, "-map", "0", "-f", "data", "out"}), HasSubstr("not permitted")
    );
    EXPECT_FALSE(listening.was_called());
    if (syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) > 0) {
        EXPECT_THAT(
            said({"-f", "data", "-i", "/etc/passwd", "-map", "0", "-f", "data", "out"}),
            HasSubstr("Permission denied")
        );
        EXPECT_THAT(
            said({"-f", "lavfi", "-i", "sine=duration=1", "-f", "wav", "/tmp/dunlin-taken"}),
            HasSubstr("Permission denied")
        );
    }
}

TEST(Video, no_other_program_can_be_started) {
    Job job("words");
    for (const char* name : {"sh", "mpeg", "ffplay", "", "../bin/ffmpeg"}) {
        auto child = sandbox::run_worker(
            {"run", name, "-version"}, job.job.input, job.job.output_dir, std::chrono::seconds(5)
        );
        EXPECT_EQ(child.exit_code, 2) << name;
    }
}

}  // namespace
