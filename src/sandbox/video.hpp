// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "sandbox/media.hpp"

#include <optional>
#include <string_view>

// Audio and video for the server, like media.hpp for images: ffprobe and ffmpeg run in the worker's sandbox,
// and their output is checked before it is trusted.
// Determines from the first bytes what a file claims to be, so that ffmpeg is told the only demuxer to use
// and never guesses: playlists, which refer to other files, are thus excluded. Only compares bytes, decodes
// nothing.

namespace sandbox {

enum class Container { none, mov, matroska, ogg, mp3, aac, flac, wav, asf, gif };

constexpr std::size_t container_head = 64;  // enough bytes to decide
Container container_of(std::string_view head);
std::string_view demuxer(Container);  // ffmpeg's name for it

struct VideoFacts {
    Container container = Container::none;
    bool video = false, audio = false;  // streams of that kind; a cover does not count as video
    bool cover = false, several_frames = false;
    std::string video_codec, audio_codec, pixel_format;
    int width = 0, height = 0, channels = 0;  // as displayed, after rotation
    std::string frame_rate;                   // "30/1"
    double duration = 0;                      // seconds
    std::int64_t bitrate = 0;
};
using Probed = std::variant<VideoFacts, Refused>;

// The detail of a refusal: it may be an image, which media.hpp handles.
inline constexpr std::string_view no_container = "no sound or moving picture";

// Examines a file by the headers of its streams, without decoding. `directory` is as for ImageJob. Refuses
// files that are too large in bytes, pixels or frames per second. Throws std::system_error if nothing could
// be started.
Probed probe(const std::filesystem::path& input, const std::filesystem::path& directory);

// "video" if it has sound or is long, else "gifv"; or "audio".
std::string_view type_of(const VideoFacts&);

struct VideoResult {
    std::string type;
    std::string file;                       // original.mp4 or original.mp3 in the directory
    VideoFacts facts;                       // of that file
    std::string frame;                      // frame.png: the first frame or the cover; empty if there is none
    std::vector<std::string> later_frames;  // of a video, if available: at one and two thirds of its length
};
using VideoOutcome = std::variant<VideoResult, Refused>;

// Creates the file to serve: streams that all browsers can play are copied, others re-encoded; metadata and
// other streams are removed. Takes minutes. Throws like probe().
VideoOutcome
run_video_job(const std::filesystem::path& input, const std::filesystem::path& directory, const VideoFacts&);

}  // namespace sandbox

namespace sandbox::ffmpeg {

// The command lines of ffprobe and ffmpeg, as arguments for run_worker.
using Words = std::vector<std::string>;

Words probe(Container);
Words encode_video(const VideoFacts&, bool with_sound);  // -> original.mp4
Words encode_audio(const VideoFacts&);                   // -> original.mp3
Words first_frame(const VideoFacts&);
Words later_frame(const VideoFacts&, double seconds, const std::string& file);  // -> frame.png

}  // namespace sandbox::ffmpeg
