// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/fixtures.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace fixtures {
namespace {

std::string big(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

std::string little(std::uint64_t value, int bytes) {
    std::string text = big(value, bytes);
    std::ranges::reverse(text);
    return text;
}

std::string marked(int number) { return std::string(secret) + std::to_string(number); }

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

// zlib without compression.
std::string stored(std::string_view bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char c : bytes) {
        a = (a + static_cast<std::uint8_t>(c)) % 65521;
        b = (b + a) % 65521;
    }
    std::string text = "\x78\x01";
    for (std::size_t at = 0; at < bytes.size();) {
        const std::string_view part = bytes.substr(at, 65535);
        at += part.size();
        text += at == bytes.size() ? '\1' : '\0';
        text += little(part.size(), 2) + little(~part.size(), 2);
        text += part;
    }
    return text + big(std::uint64_t{b} << 16 | a, 4);
}

std::string pixels(int width, int height, const Painter& paint, bool alpha) {
    std::string rows;
    for (int y = 0; y < height; ++y) {
        rows += '\0';
        for (int x = 0; x < width; ++x) {
            const Pixel p = paint(x, y);
            for (std::size_t c = 0; c < (alpha ? 4U : 3U); ++c) rows += static_cast<char>(p[c]);
        }
    }
    return stored(rows);
}

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

std::string png_head(std::uint32_t width, std::uint32_t height, bool alpha) {
    return std::string(png_signature) +
           chunk(
               "IHDR",
               big(width, 4) + big(height, 4) + "\x08" + (alpha ? "\x06" : "\x02") + std::string(3, '\0')
           );
}

std::string xmp(int number) {
    return "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf>" + marked(number) + "</rdf></x:xmpmeta>";
}

// Little-endian TIFF: orientation, a description, and a GPS folder with a map datum.
std::string exif(int orientation) {
    const auto entry = [](int tag, int type, std::size_t count, std::uint64_t value) {
        return little(static_cast<std::uint64_t>(tag), 2) + little(static_cast<std::uint64_t>(type), 2) +
               little(count, 4) + little(value, 4);
    };
    const std::string description = marked(1) + '\0', datum = marked(2) + '\0';
    constexpr std::size_t gps = 8 + 2 + 3 * 12 + 4, texts = gps + 2 + 12 + 4;
    return std::string("II*\0", 4) + little(8, 4) + little(3, 2) +
           entry(0x10e, 2, description.size(), texts) +
           entry(0x112, 3, 1, static_cast<std::uint64_t>(orientation)) + entry(0x8825, 4, 1, gps) +
           little(0, 4) + little(1, 2) + entry(0x12, 2, datum.size(), texts + description.size()) +
           little(0, 4) + description + datum;
}

std::string segment(int marker, const std::string& data) {
    return std::string("\xff") + static_cast<char>(marker) + big(data.size() + 2, 2) + data;
}

std::string riff(const std::string& name, const std::string& data) {
    return name + little(data.size(), 4) + data + std::string(data.size() % 2, '\0');
}

std::string sub_blocks(std::string_view data) {
    std::string text;
    for (; !data.empty(); data.remove_prefix(std::min<std::size_t>(data.size(), 255)))
        text += static_cast<char>(std::min<std::size_t>(data.size(), 255)) + std::string(data.substr(0, 255));
    return text + '\0';
}

std::string gif_head(int width, int height) {
    std::string head = "GIF89a" + little(static_cast<std::uint64_t>(width), 2) +
                       little(static_cast<std::uint64_t>(height), 2) + std::string("\xf6\0\0", 3);
    for (int i = 0; i < 128; ++i)
        for (const int c : {2 * i, 255 - 2 * i, i}) head += static_cast<char>(c);
    return head + "\x21\xff" + sub_blocks("NETSCAPE2.0").substr(0, 12) + sub_blocks(std::string("\1\0\0", 3));
}

std::string gif_frame(int width, int height, const std::string& codes) {
    return std::string("\x21\xf9\x04\x00\x0a\x00\x00\x00", 8) + "," + std::string(4, '\0') +
           little(static_cast<std::uint64_t>(width), 2) + little(static_cast<std::uint64_t>(height), 2) +
           '\0' + '\7' + sub_blocks(codes);
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Pixel picture(int x, int y) {
    if (x < 16 && y < 16) return {255, 0, 0, 255};
    return {static_cast<std::uint8_t>(x * 4), static_cast<std::uint8_t>(y * 5), 128, 255};
}

std::string decoded(std::string_view base64) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : base64.substr(0, base64.find('='))) {
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
        if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
    }
    return bytes;
}

std::string chunk(std::string_view name, std::string_view data) {
    const std::string body = std::string(name) + std::string(data);
    return big(data.size(), 4) + body + big(crc32(body), 4);
}

std::string png(int width, int height, const Painter& paint, bool alpha) {
    return png_head(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), alpha) +
           chunk("IDAT", pixels(width, height, paint, alpha)) + chunk("IEND", "");
}

std::string png_with_metadata() {
    const std::string plain = png(64, 48);
    constexpr std::size_t after_header = 8 + 25;
    return plain.substr(0, after_header) + chunk("tEXt", "Comment" + std::string(1, '\0') + marked(1)) +
           chunk("iTXt", "XML:com.adobe.xmp" + std::string(5, '\0') + xmp(2)) + chunk("eXIf", exif(1)) +
           chunk("tIME", std::string("\x07\xe8\1\1\1\1\1", 7)) + plain.substr(after_header) + marked(3);
}

std::string png_header(std::uint32_t width, std::uint32_t height) {
    return png_head(width, height, false) + chunk("IDAT", stored("a little")) + chunk("IEND", "");
}

std::string animated_png() {
    const auto control = [](int number) {
        return chunk(
            "fcTL",
            big(static_cast<std::uint64_t>(number), 4) + big(64, 4) + big(48, 4) + big(0, 8) + big(1, 2) +
                big(10, 2) + std::string(2, '\0')
        );
    };
    const auto other = [](int x, int y) { return picture(63 - x, 47 - y); };
    return png_head(64, 48, false) + chunk("tEXt", "Author" + std::string(1, '\0') + marked(1)) +
           chunk("acTL", big(2, 4) + big(0, 4)) + control(0) + chunk("IDAT", pixels(64, 48, picture, false)) +
           control(1) + chunk("fdAT", big(2, 4) + pixels(64, 48, other, false)) + chunk("IEND", "") +
           marked(2);
}

// LZW that never compresses: a clear code often enough keeps every code at eight bits.
std::string gif(int width, int height, int frames, std::string_view comment) {
    std::string file = gif_head(width, height);
    if (!comment.empty()) file += "\x21\xfe" + sub_blocks(comment);
    for (int f = 0; f < frames; ++f) {
        std::string codes;
        for (int p = 0; p < width * height; ++p) {
            if (p % 100 == 0) codes += '\x80';
            codes += static_cast<char>((p % width + p / width + 40 * f) % 128);
        }
        file += gif_frame(width, height, codes + '\x81');
    }
    return file + ';';
}

std::string gif_bomb(int width, int height, int frames) {
    std::string file = gif_head(width, height);
    for (int f = 0; f < frames; ++f) file += gif_frame(width, height, "\x80\x01\x81");
    return file + ';';
}

std::string jpeg() { return decoded(base64::jpeg); }

std::string jpeg_with_metadata(int orientation) {
    const std::string plain = jpeg();
    const std::string photoshop = std::string(
                                      "Photoshop 3.0\0"
                                      "8BIM\x04\x04\0\0",
                                      22
                                  ) +
                                  big(marked(4).size() + 5, 4) + "\x1c\x02\x78" + big(marked(4).size(), 2) +
                                  marked(4);
    return plain.substr(0, 2) + segment(0xe1, std::string("Exif\0\0", 6) + exif(orientation)) +
           segment(0xe1, std::string("http://ns.adobe.com/xap/1.0/\0", 29) + xmp(3)) +
           segment(0xed, photoshop) +
           segment(0xe2, std::string("ICC_PROFILE\0\1\1", 14) + std::string(128, 'x') + marked(5)) +
           segment(0xfe, marked(6)) + plain.substr(2) + marked(7);
}

std::string webp_with_metadata() {
    const std::string canvas =
        std::string("\x2c\0\0\0", 4) + little(63, 3) + little(47, 3);  // ICC, EXIF, XMP
    return riff(
        "RIFF",
        "WEBP" + riff("VP8X", canvas) + riff("ICCP", std::string(128, 'x') + marked(5)) +
            decoded(base64::webp_chunk) + riff("EXIF", exif(1)) + riff("XMP ", xmp(3))
    );
}

Job::Job(std::string_view input, sandbox::Kind kind, std::string_view name) {
    std::string pattern = (std::filesystem::temp_directory_path() / "dunlin-sandbox-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    job.input = folder_ / name;
    job.kind = kind;
    job.output_dir = folder_ / "out";
    std::filesystem::create_directory(job.output_dir);
    std::ofstream(job.input, std::ios::binary) << input;
}

Job::~Job() { std::filesystem::remove_all(folder_); }

sandbox::ImageOutcome Job::run() { return sandbox::run_image_job(job); }

sandbox::ImageResult Job::result() {
    auto outcome = run();
    if (auto* result = std::get_if<sandbox::ImageResult>(&outcome)) return *result;
    const auto& refused = std::get<sandbox::Refused>(outcome);
    ADD_FAILURE() << "refused: " << sandbox::word(refused.reason) << ", " << refused.detail;
    return {};
}

std::string Job::refusal() {
    const auto outcome = run();
    if (const auto* refused = std::get_if<sandbox::Refused>(&outcome))
        return std::string(sandbox::word(refused->reason));
    return "accepted as " + std::get<sandbox::ImageResult>(outcome).original.file;
}

std::string Job::bytes(const std::string& file) const { return read(job.output_dir / file); }

std::vector<std::string> Job::files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(job.output_dir))
        names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

}  // namespace fixtures
