// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/codecs.hpp"

#include <dlfcn.h>
#include <vips/vips.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace worker {
namespace {

// Includes MIAF brands: iPhones write heic, Android and cameras mif1, AVIF encoders avif or avis.
constexpr std::string_view heif_brands[] = {
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"
};

// Debian builds the HEIF loader as a module, next to modules for PDF, slides and ImageMagick, which we
// exclude by pointing libvips to a nonexistent module directory. Elsewhere it is built in and this has
// nothing to do.
void load_heif_module() {
    Dl_info here{};
    if (dladdr(reinterpret_cast<void*>(&vips_init), &here) == 0 || here.dli_fname == nullptr) return;
    const std::string library = here.dli_fname;
    const std::string path = library.substr(0, library.rfind('/')) + "/vips-modules-" +
                             std::to_string(vips_version(0)) + "." + std::to_string(vips_version(1)) +
                             "/vips-heif.so";
    // From gmodule, which libvips depends on; linking it for a single call is not worth a line in every build
    // file.
    using Open = void* (*)(const char*, int);
    if (const auto open = reinterpret_cast<Open>(dlsym(RTLD_DEFAULT, "g_module_open"))) open(path.c_str(), 0);
}

}  // namespace

Format format_of(std::string_view bytes) {
    if (bytes.starts_with("\xff\xd8\xff")) return Format::jpeg;
    if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return Format::png;
    if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return Format::gif;
    if (bytes.size() < 16) return Format::unknown;
    if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return Format::webp;
    if (bytes.substr(4, 4) == "ftyp" &&
        std::ranges::find(heif_brands, bytes.substr(8, 4)) != std::end(heif_brands))
        return Format::heif;
    return Format::unknown;
}

bool accepted(Kind kind, Format format, bool heif_allowed) {
    switch (format) {
        case Format::unknown: return false;
        case Format::heif: return kind == Kind::attachment && heif_allowed;
        case Format::jpeg: return kind != Kind::emoji;
        default: return true;
    }
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

bool is_lossless_webp(std::string_view bytes) {
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
        const std::string_view chunk = bytes.substr(at, 4);
        if (chunk == "VP8L") return true;
        if (chunk == "VP8 ") return false;
        if (chunk == "ANMF") at += 8 + 16;  // a frame, which contains its picture as a chunk
        else at += 8 + ((std::size_t{little_endian(bytes, at + 4)} + 1) & ~std::size_t{1});
    }
    return false;
}

void start_codecs() {
    static bool started = false;
    if (std::exchange(started, true)) return;
    setenv("VIPSHOME", "/nonexistent", 1);  // no modules; see above
    setenv("VIPS_NOVECTOR", "1", 1);        // its just-in-time compiler needs executable memory
    if (VIPS_INIT("dunlin-media-worker") != 0) throw Refusal(Reason::crashed, "libvips does not start");
    vips_concurrency_set(1);
    vips_cache_set_max(0);

    // By class name and content: svg, pdf, tiff, magick and all other loaders become unreachable.
    vips_operation_block_set("VipsForeignLoad", TRUE);
    for (const char* loader :
         {"VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp"})
        vips_operation_block_set(loader, FALSE);
    vips_block_untrusted_set(TRUE);
}

void start_heif() {
    load_heif_module();
    vips_operation_block_set("VipsForeignLoadHeif", FALSE);
}

void write_file(const std::string& name, std::string_view bytes) {
    std::ofstream file(name, std::ios::binary);
    file << bytes;
    file.close();
    if (!file) throw Refusal(Reason::crashed, "cannot write " + name);
}

std::string one_line(std::string_view text) {
    constexpr std::size_t longest = 500;
    std::string line(text.substr(0, longest));
    while (!line.empty() && line.back() == '\n') line.pop_back();
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
    return line;
}

}  // namespace worker
