// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/video.hpp"

#include <algorithm>
#include <array>

namespace sandbox {

namespace {

bool has(std::string_view head, std::size_t at, std::string_view magic) {
    return head.size() >= at + magic.size() && head.substr(at, magic.size()) == magic;
}

// HEIC and AVIF are images in an MP4 container.
bool is_picture(std::string_view brand) {
    constexpr std::array<std::string_view, 12> brands{
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "mif2", "avif", "avis", "avio"
    };
    return std::ranges::find(brands, brand) != brands.end();
}

bool is_mov(std::string_view head) {
    if (has(head, 4, "ftyp")) return head.size() >= 12 && !is_picture(head.substr(8, 4));
    constexpr std::array<std::string_view, 5> atoms{"moov", "mdat", "wide", "skip", "free"};
    return std::ranges::any_of(atoms, [&](std::string_view atom) { return has(head, 4, atom); });
}

// Eleven one bits, then the layer, which is set for MP3 and zero for AAC.
Container frame_of(std::string_view head) {
    if (head.size() < 4 || head[0] != '\xff') return Container::none;
    auto second = static_cast<unsigned char>(head[1]);
    if ((second & 0xf6) == 0xf0) return Container::aac;
    return (second & 0xe0) == 0xe0 && (second & 0x06) == 0x02 ? Container::mp3 : Container::none;
}

}  // namespace

Container container_of(std::string_view head) {
    if (is_mov(head)) return Container::mov;
    if (has(head, 0, "\x1a\x45\xdf\xa3")) return Container::matroska;
    if (has(head, 0, "OggS")) return Container::ogg;
    if (has(head, 0, "ID3")) return Container::mp3;
    if (has(head, 0, "fLaC")) return Container::flac;
    if (has(head, 0, "RIFF") && has(head, 8, "WAVE")) return Container::wav;
    if (has(head, 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11")) return Container::asf;
    if (has(head, 0, "GIF8")) return Container::gif;
    return frame_of(head);
}

std::string_view demuxer(Container container) {
    switch (container) {
        case Container::none: break;
        case Container::mov: return "mov";
        case Container::matroska: return "matroska";
        case Container::ogg: return "ogg";
        case Container::mp3: return "mp3";
        case Container::aac: return "aac";
        case Container::flac: return "flac";
        case Container::wav: return "wav";
        case Container::asf: return "asf";
        case Container::gif: return "gif";
    }
    return "";
}

}  // namespace sandbox
