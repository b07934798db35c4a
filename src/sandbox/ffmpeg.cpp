// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/video.hpp"

namespace sandbox::ffmpeg {

namespace {

void append(Words& words, std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
}

// Decoders for the output of browsers, phones and cameras; hundreds of others stay disabled.
constexpr const char* decoders =
    "h264,hevc,vp8,libvpx,vp9,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg4,h263,theora,mjpeg,png,gif,"
    "aac,mp3,mp3float,mp2,opus,libopus,vorbis,flac,alac,amrnb,amrwb,wmav1,wmav2,wmapro,"
    "pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_f32le,pcm_f64le,pcm_u8,pcm_alaw,pcm_mulaw";

// Only file: and one named demuxer are allowed, so playlists and URLs cannot lead anywhere.
void append_input(Words& words, Container container) {
    append(words, {"-protocol_whitelist", "file", "-format_whitelist"});
    words.emplace_back(container == Container::mov ? "mov,mp4,m4a,3gp,3g2,mj2" : demuxer(container));
    if (container == Container::matroska) words.back() += ",webm";
    append(words, {"-codec_whitelist", decoders, "-max_streams", "24", "-f"});
    words.emplace_back(demuxer(container));
    append(words, {"-i", "file:/proc/self/fd/0"});
}

Words command(const VideoFacts& facts, double from = 0) {
    Words words{"run", "ffmpeg"};
    append(
        words, {"-nostdin", "-hide_banner", "-loglevel", "error", "-filter_threads", "1", "-threads", "2"}
    );
    append(words, {"-max_pixels", "8294400"});
    if (from > 0) words.insert(words.end(), {"-ss", std::to_string(from)});
    append_input(words, facts.container);
    return words;
}

void append_no_metadata(Words& words) {
    append(words, {"-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn"});
    append(words, {"-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"});
}

// Whether all browsers play it as it is.
bool plays(const VideoFacts& facts) {
    return facts.container == Container::mov && facts.video_codec == "h264" &&
           (facts.pixel_format == "yuv420p" || facts.pixel_format == "yuvj420p") &&
           (!facts.audio || facts.audio_codec == "aac");
}

}  // namespace

Words probe(Container container) {
    Words words{"run", "ffprobe"};
    append(words, {"-hide_banner", "-loglevel", "error", "-of", "json=compact=1", "-show_entries"});
    words.emplace_back(
        "format=duration,bit_rate:stream=codec_type,codec_name,width,height,pix_fmt,channels,avg_frame_rate,"
        "r_frame_rate,nb_read_packets:stream_disposition=attached_pic:stream_side_data=rotation"
    );
    // Two packets distinguish an animated GIF from a still one; for other formats the headers suffice.
    if (container == Container::gif) append(words, {"-count_packets", "-read_intervals", "%+#2"});
    append_input(words, container);
    return words;
}

Words encode_video(const VideoFacts& facts, bool with_sound) {
    Words words = command(facts);
    append(words, {"-map", "0:V:0"});
    if (with_sound) append(words, {"-map", "0:a:0"});
    append_no_metadata(words);
    if (plays(facts)) {
        // NAL units of type 6 (SEI) contain remarks of encoder and camera.
        append(words, {"-c", "copy", "-bsf:v", "filter_units=remove_types=6"});
    } else {
        append(words, {"-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-profile:v", "high"});
        append(words, {"-pix_fmt", "yuv420p", "-maxrate", "4M", "-bufsize", "8M", "-threads", "2"});
        append(words, {"-vsync", "vfr", "-vf"});
        words.emplace_back(
            "scale=w='min(1920,iw)':h='min(1920,ih)':force_original_aspect_ratio=decrease:"
            "force_divisible_by=2"
        );
        append(words, {"-c:a", "aac", "-b:a", "160k", "-ac", "2"});
    }
    words.insert(words.end(), {"-frames:v", std::to_string(limits::video_frames)});
    append(words, {"-movflags", "+faststart", "-f", "mp4", "file:original.mp4"});
    return words;
}

Words encode_audio(const VideoFacts& facts) {
    Words words = command(facts);
    append(words, {"-map", "0:a:0", "-vn"});
    append_no_metadata(words);
    if (facts.audio_codec == "mp3") append(words, {"-c:a", "copy"});
    else append(words, {"-c:a", "libmp3lame", "-q:a", "2"});
    if (facts.audio_codec != "mp3" && facts.channels > 2) append(words, {"-ac", "2"});
    append(words, {"-f", "mp3", "file:original.mp3"});
    return words;
}

Words first_frame(const VideoFacts& facts) {
    Words words = command(facts);
    append(words, {"-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf"});
    words.emplace_back("scale=w='min(1920,iw)':h='min(1920,ih)':force_original_aspect_ratio=decrease");
    append(words, {"-c:v", "png", "-pix_fmt", facts.video ? "rgb24" : "rgba"});
    append(words, {"-f", "image2", "-update", "1", "file:frame.png"});
    return words;
}

Words later_frame(const VideoFacts& facts, double seconds, const std::string& file) {
    Words words = command(facts, seconds);
    append(words, {"-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf"});
    append(words, {"scale=w='min(640,iw)':h='min(640,ih)':force_original_aspect_ratio=decrease"});
    append(words, {"-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2", "-update", "1"});
    words.push_back("file:" + file);
    return words;
}

}  // namespace sandbox::ffmpeg
