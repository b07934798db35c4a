// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "sandbox/media.hpp"

#include <optional>
#include <string_view>

// Sound and moving pictures as the server sees them, the way media.hpp does still ones: ffprobe and ffmpeg run in the
// worker's walls, and what they say and write is believed only as far as it was checked.
// Tells by its first bytes what a file claims to be, so that the one demuxer for it is named to ffmpeg and none is
// ever guessed: playlists, which name other files, have no way in. Compares bytes and decodes nothing.

namespace sandbox {

enum class Container { none, mov, matroska, ogg, mp3, aac, flac, wav, asf, gif };

constexpr std::size_t container_head = 64;  // bytes that are enough
Container container_of(std::string_view head);
std::string_view demuxer(Container);  // ffmpeg's name for it

struct VideoFacts {
    Container container = Container::none;
    bool video = false, audio = false;  // streams of that kind; a cover is no video
    bool cover = false, several_frames = false;
    std::string video_codec, audio_codec, pixel_format;
    int width = 0, height = 0, channels = 0;  // as shown, after turning
    std::string frame_rate;                   // "30/1"
    double duration = 0;                      // seconds
    std::int64_t bitrate = 0;
};
using Probed = std::variant<VideoFacts, Refused>;

// The detail of a refusal: perhaps it is a picture, for media.hpp to judge.
inline constexpr std::string_view no_container = "no sound or moving picture";

// What a file is, by its streams' headers; nothing is decoded. `directory` is as for ImageJob. Refuses what is too
// large in bytes, pixels or frames per second. Throws std::system_error when nothing could be started.
Probed probe(const std::filesystem::path& input, const std::filesystem::path& directory);

// "video" with sound or long, else "gifv"; or "audio".
std::string_view type_of(const VideoFacts&);

struct VideoResult {
    std::string type;
    std::string file;   // original.mp4 or original.mp3 in the directory
    VideoFacts facts;   // of that file
    std::string frame;  // frame.png: the first picture or the cover; empty when there is none
    std::vector<std::string>
        later_frames;  // of a video, as far as they can be had: a third and two thirds through
};
using VideoOutcome = std::variant<VideoResult, Refused>;

// Makes the file that is served: streams that every browser plays are copied, others encoded anew; no metadata,
// no other streams. Takes minutes. Throws as above.
VideoOutcome
run_video_job(const std::filesystem::path& input, const std::filesystem::path& directory, const VideoFacts&);

}  // namespace sandbox

namespace sandbox::ffmpeg {

// The command lines of ffprobe and ffmpeg, each a list of words for run_worker.
using Words = std::vector<std::string>;

Words probe(Container);
Words encode_video(const VideoFacts&, bool with_sound);  // -> original.mp4
Words encode_audio(const VideoFacts&);                   // -> original.mp3
Words first_frame(const VideoFacts&);
Words later_frame(const VideoFacts&, double seconds, const std::string& file);  // -> frame.png

}  // namespace sandbox::ffmpeg
