// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/video.hpp"

#include "base/json_read.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>

namespace sandbox {

namespace {

namespace fs = std::filesystem;

// The requested parts of ffprobe's JSON.
struct Disposition {
    int attached_pic = 0;
};
DESCRIBE(Disposition, attached_pic)
struct SideData {
    double rotation = 0;
};
DESCRIBE(SideData, rotation)
struct Stream {
    std::string codec_type, codec_name, pix_fmt, avg_frame_rate, r_frame_rate, nb_read_packets;
    int width = 0, height = 0, channels = 0;
    Disposition disposition;
    std::vector<SideData> side_data_list;
};
DESCRIBE(
    Stream, codec_type, codec_name, pix_fmt, avg_frame_rate, r_frame_rate, nb_read_packets, width, height,
    channels, disposition, side_data_list
)
struct Format {
    std::string duration, bit_rate;
};
DESCRIBE(Format, duration, bit_rate)
struct Probe {
    std::vector<Stream> streams;
    Format format;
};
DESCRIBE(Probe, streams, format)

double number(std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::isfinite(value) && value > 0 && value < 1e12 ? value : 0;
}

// Parses "30000/1001"; 0 if invalid.
double rate(std::string_view text) {
    auto slash = std::min(text.find('/'), text.size());
    double below = slash < text.size() ? number(text.substr(slash + 1)) : 0;
    return below > 0 ? number(text.substr(0, slash)) / below : 0;
}

void add_video(VideoFacts& facts, const Stream& stream) {
    facts.video = true;
    facts.video_codec = stream.codec_name;
    facts.pixel_format = stream.pix_fmt;
    facts.width = stream.width;
    facts.height = stream.height;
    for (const auto& side : stream.side_data_list)
        if (std::lround(side.rotation) % 180 != 0) std::swap(facts.width, facts.height);
    facts.frame_rate = rate(stream.avg_frame_rate) > 0 ? stream.avg_frame_rate : stream.r_frame_rate;
    if (facts.frame_rate.size() > 32 || rate(facts.frame_rate) == 0) facts.frame_rate.clear();
    facts.several_frames = number(stream.nb_read_packets) > 1;
}

VideoFacts facts_of(Container container, const Probe& told) {
    VideoFacts facts;
    facts.container = container;
    for (const auto& stream : told.streams) {
        if (stream.codec_type == "video" && stream.disposition.attached_pic != 0) facts.cover = true;
        else if (stream.codec_type == "video" && !facts.video) add_video(facts, stream);
        else if (stream.codec_type == "audio" && !facts.audio) {
            facts.audio = true;
            facts.audio_codec = stream.codec_name;
            facts.channels = stream.channels;
        }
    }
    facts.duration = number(told.format.duration);
    facts.bitrate = static_cast<std::int64_t>(number(told.format.bit_rate));
    return facts;
}

std::optional<Refused> objection(const VideoFacts& facts) {
    if (!facts.video && !facts.audio) return Refused{Reason::unsupported_type, "neither picture nor sound"};
    if (!facts.video) return std::nullopt;
    if (facts.width < 1 || facts.height < 1) return Refused{Reason::broken, "no size"};
    auto matrix = facts.container == Container::gif ? limits::gif_matrix : limits::video_matrix;
    if (std::int64_t{facts.width} * facts.height > matrix ||
        std::max(facts.width, facts.height) > limits::side)
        return Refused{Reason::too_large_dimensions, "too many pixels"};
    if (facts.container != Container::gif && rate(facts.frame_rate) > limits::video_frame_rate)
        return Refused{Reason::too_many_frames, facts.frame_rate + " frames per second"};
    return std::nullopt;
}

std::string head_of(const fs::path& path) {
    std::string head(container_head, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

// nullopt if it succeeded.
std::optional<Refused> trouble(const ChildResult& child) {
    if (child.exit_code == no_such_program)
        throw std::system_error(ENOENT, std::generic_category(), "ffmpeg is not installed: " + child.err);
    if (child.timed_out) return Refused{Reason::timeout, child.err};
    if (child.flooded) return Refused{Reason::crashed, "it said too much"};
    if (child.signal != 0)
        return Refused{Reason::crashed, "signal " + std::to_string(child.signal) + "; " + child.err};
    constexpr int caught_signal = 255;  // SIGXCPU, which ffmpeg catches
    if (child.exit_code == caught_signal) return Refused{Reason::timeout, child.err};
    if (child.exit_code != 0) return Refused{Reason::broken, child.err};
    return std::nullopt;
}

std::optional<Refused> run(
    const ffmpeg::Words& words, const fs::path& input, const fs::path& directory, ChildResult& result
) {
    constexpr std::chrono::minutes wall{15};
    result = run_worker(words, input, directory, wall);
    return trouble(result);
}

bool is_sound(std::string_view head) {
    return container_of(head) == Container::mp3 && (head[0] == 'I' || head[0] == '\xff');
}

// A regular new file with the right first bytes.
bool is_there(const fs::path& path) {
    struct stat facts{};
    if (lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1) return false;
    auto head = head_of(path);
    if (path.extension() == ".mp3") return is_sound(head);
    if (path.extension() == ".png") return head.starts_with("\x89PNG\r\n");
    return head.size() > 8 && std::string_view(head).substr(4, 4) == "ftyp";
}

Probed probe_as(Container container, const fs::path& input, const fs::path& directory) {
    ChildResult child;
    if (auto refused = run(ffmpeg::probe(container), input, directory, child)) return *std::move(refused);
    try {
        auto facts = facts_of(container, base::json::read<Probe>(child.out));
        if (auto refused = objection(facts)) return *std::move(refused);
        return facts;
    } catch (const std::exception& e) {
        return Refused{Reason::crashed, e.what()};
    }
}

std::vector<std::string> later_frames(
    const fs::path& input, const fs::path& directory, const VideoFacts& facts
) {
    std::vector<std::string> made;
    for (const int third : {1, 2}) {
        const double seconds = facts.duration * third / 3;
        const auto name = "later" + std::to_string(third) + ".png";
        ChildResult child;
        if (seconds <= 0 || run(ffmpeg::later_frame(facts, seconds, name), input, directory, child)) continue;
        if (is_there(directory / name)) made.push_back(name);
    }
    return made;
}

}  // namespace

Probed probe(const fs::path& input, const fs::path& directory) {
    auto container = container_of(head_of(input));
    if (container == Container::none) return Refused{Reason::unsupported_type, std::string(no_container)};
    if (fs::file_size(input) >= limits::video_bytes) return Refused{Reason::too_large_file, "too many bytes"};
    auto probed = probe_as(container, input, directory);
    auto* refused = std::get_if<Refused>(&probed);
    if (refused && refused->reason == Reason::broken) refused->reason = Reason::unsupported_type;
    return probed;
}

std::string_view type_of(const VideoFacts& facts) {
    constexpr double short_seconds = 60;  // longer ones need a video's controls
    if (!facts.video) return "audio";
    return facts.audio || facts.duration > short_seconds ? "video" : "gifv";
}

VideoOutcome run_video_job(const fs::path& input, const fs::path& directory, const VideoFacts& facts) {
    VideoResult made;
    made.type = type_of(facts);
    made.file = facts.video ? "original.mp4" : "original.mp3";
    ChildResult child;
    auto words = facts.video ? ffmpeg::encode_video(facts, facts.audio) : ffmpeg::encode_audio(facts);
    if (auto refused = run(words, input, directory, child)) return *std::move(refused);
    if (!is_there(directory / made.file)) return Refused{Reason::broken, "nothing came out; " + child.err};
    auto probed = probe_as(facts.video ? Container::mov : Container::mp3, directory / made.file, directory);
    if (auto* refused = std::get_if<Refused>(&probed)) return *std::move(refused);
    made.facts = std::get<VideoFacts>(std::move(probed));
    if (facts.video || facts.cover) {
        // Audio needs no picture; a video whose first frame cannot be read is refused.
        auto refused = run(ffmpeg::first_frame(facts), input, directory, child);
        if (!refused && is_there(directory / "frame.png")) made.frame = "frame.png";
        else if (facts.video) return refused.value_or(Refused{Reason::broken, "no picture"});
    }
    if (facts.video) made.later_frames = later_frames(input, directory, facts);
    return made;
}

}  // namespace sandbox
