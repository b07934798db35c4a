// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// The protocol between the server and the media worker. Included by both; nothing else is shared.
//
// Start    dunlin-media-worker image <kind> [heif]      heif: HEIC and AVIF input is allowed
//          dunlin-media-worker run ffprobe|ffmpeg <arguments>   becomes that program, in the same sandbox; its
//                                                       input is file:/proc/self/fd/0, its output fd 1
//          dunlin-media-worker wait job               waits on fd 0, a socket, for the arguments of one of the
//                                                       other two, its input and directory (ready.hpp)
//          dunlin-media-worker selftest <what>          see worker/selftest.cpp; only for tests
//   fd 0   the input file, open for reading; the worker never learns its name
//   fd 1   the record, below
//   fd 2   messages for the log
//   cwd    the job directory, the only place where the worker can write
//
// Record   lines of words; the last line is "end", without which the record is invalid
//          refused <reason> <message for the log>
//   or     animated <0|1>
//          original|preview|static <file> <width> <height>      files in the job directory, names as below
//          blurhash <text>
//          pdq <quality> <hexadecimal digits>           pdq.hpp: all symmetries in order, 16 digits a word
//
// The server trusts none of this: a worker compromised by its input can write any record and any bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sandbox {

inline constexpr int no_walls = 3;  // exit code of any job: the sandbox cannot be set up
// An environment variable of the worker: it runs even if the system does not support parts of the sandbox.
inline constexpr const char* walls_are_optional = "DUNLIN_WALLS_ARE_OPTIONAL";
inline constexpr int no_such_program = 127;  // exit code of `run`

enum class Kind { attachment, avatar, header, emoji };
inline constexpr std::array<std::string_view, 4> kind_words{"attachment", "avatar", "header", "emoji"};

enum class Reason {
    unsupported_type,
    too_large_file,
    too_large_dimensions,
    broken,
    timeout,
    crashed,
    too_many_frames,  // per second
};
inline constexpr std::array<std::string_view, 7> reason_words{
    "unsupported_type",
    "too_large_file",
    "too_large_dimensions",
    "broken",
    "timeout",
    "crashed",
    "too_many_frames"
};

constexpr std::string_view word(Kind kind) { return kind_words[static_cast<std::size_t>(kind)]; }
constexpr std::string_view word(Reason reason) { return reason_words[static_cast<std::size_t>(reason)]; }

struct Output {
    std::string_view file, mime, magic;  // magic: the first bytes of such a file
};
inline constexpr std::array<Output, 8> outputs{{
    {"original.jpg", "image/jpeg", "\xff\xd8\xff"},
    {"original.png", "image/png", "\x89PNG\r\n"},
    {"original.gif", "image/gif", "GIF8"},
    {"original.webp", "image/webp", "RIFF"},
    {"preview.jpg", "image/jpeg", "\xff\xd8\xff"},
    {"preview.png", "image/png", "\x89PNG\r\n"},
    {"preview.webp", "image/webp", "RIFF"},
    {"static.png", "image/png", "\x89PNG\r\n"},
}};

struct Size {
    int width = 0, height = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

namespace limits {
// A file must be smaller than this (Mastodon: "less than").
constexpr std::size_t file_bytes(Kind kind) {
    switch (kind) {
        case Kind::attachment: return 16'777'216;
        case Kind::avatar:
        case Kind::header: return 8'388'608;
        case Kind::emoji: return 262'144 + 1;
    }
    return 0;
}
inline constexpr std::int64_t image_matrix = 33'177'600;  // pixels of one frame
inline constexpr std::int64_t gif_matrix = 921'600;       // pixels of one frame of an animated GIF
inline constexpr std::int64_t animation_pixels =
    100'000'000;  // all frames; noisy GIFs are encoded at 7 MPx per CPU second
inline constexpr std::int64_t scaled_pixels = 48'000'000;  // all scaled frames, kept in memory
inline constexpr int frames = 2'000;
inline constexpr int side = 65'500;                         // the longest side of a JPEG
inline constexpr std::int64_t original_pixels = 8'294'400;  // larger originals are scaled down to this
inline constexpr std::int64_t preview_pixels = 230'400;
inline constexpr Size avatar{400, 400};
inline constexpr Size header{1500, 500};
inline constexpr int emoji_side = 512;
inline constexpr int blurhash_input_side = 100;
inline constexpr int blurhash_components = 4;  // 4x4

inline constexpr unsigned cpu_seconds = 20;
inline constexpr std::size_t memory_bytes = std::size_t{1} << 30;   // address space; 33 MPx AVIF fits
inline constexpr std::size_t output_bytes = std::size_t{64} << 20;  // of one file
inline constexpr std::size_t record_bytes = 16'384;

// Audio and video.
inline constexpr std::size_t video_bytes = 103'809'024;  // a file must be smaller
inline constexpr std::int64_t video_matrix = 8'294'400;  // pixels of one frame
inline constexpr int video_frame_rate = 120;
inline constexpr int video_frames = 36'000;  // anything longer is cut off
inline constexpr unsigned video_cpu_seconds = 600;
inline constexpr std::size_t video_memory_bytes = std::size_t{2} << 30;
inline constexpr std::size_t video_output_bytes = std::size_t{256} << 20;
}  // namespace limits

}  // namespace sandbox
