// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The command lines of ffprobe and ffmpeg, each a list of words for run_worker.

#include "sandbox/video.hpp"

namespace sandbox::ffmpeg {

using Words = std::vector<std::string>;

Words probe(Container);
Words encode_video(const VideoFacts&, bool with_sound);  // -> original.mp4
Words encode_audio(const VideoFacts&);                   // -> original.mp3
Words first_frame(const VideoFacts&);
Words later_frame(const VideoFacts&, double seconds, const std::string& file);  // -> frame.png

}  // namespace sandbox::ffmpeg
