// SPDX-License-Identifier: AGPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/worker/png.hpp"
#include "sandbox/worker/vips.hpp"

namespace worker {
namespace {

// The fields that the savers need for an animation, and libvips's mark for a stream. All others are removed.
constexpr std::string_view kept[] = {
    "page-height", "n-pages", "delay", "loop", "gif-palette", "background", "vips-sequential"
};

// The "strip" option alone is not enough: webpsave of libvips 8.14 ignores it.
Image without_metadata(const Image& image) {
    VipsImage* out = nullptr;
    if (vips_copy(image.get(), &out, "xres", 1.0, "yres", 1.0, nullptr) != 0)
        throw Refusal(Reason::broken, vips_error_buffer());
    Image copy(out);
    char** fields = vips_image_get_fields(copy.get());
    for (char** name = fields; *name != nullptr; ++name)
        if (std::ranges::find(kept, std::string_view(*name)) == std::end(kept))
            vips_image_remove(copy.get(), *name);
    g_strfreev(fields);
    return copy;
}

const char* extension(Format format) {
    switch (format) {
        case Format::png: return ".png";
        case Format::gif: return ".gif";
        case Format::webp: return ".webp";
        default: return ".jpg";
    }
}

// libvips 8.14 adds an EXIF chunk of its own (image size, resolution). It is harmless, but removing it makes
// "no metadata" easy to verify.
std::string without_metadata_chunks(std::string_view webp) {
    constexpr std::size_t head = 12, chunk_head = 8, flags_at = head + chunk_head;
    std::string result(webp.substr(0, head));
    for (std::size_t at = head; at + chunk_head <= webp.size();) {
        const std::string_view name = webp.substr(at, 4);
        const std::size_t size =
            chunk_head + ((std::size_t{little_endian(webp, at + 4)} + 1) & ~std::size_t{1});
        if (name != "EXIF" && name != "XMP " && name != "ICCP") result += webp.substr(at, size);
        at += size;
    }
    constexpr int icc = 0x20, exif = 0x08, xmp = 0x04;
    if (webp.substr(head, 4) == "VP8X")
        result[flags_at] = static_cast<char>(result[flags_at] & ~(icc | exif | xmp));
    for (std::size_t i = 0; i < 4; ++i)
        result[4 + i] = static_cast<char>((result.size() - 8) >> (8 * i) & 0xff);
    return result;
}

int save_webp(VipsImage* image, const char* file, int quality, bool lossless) {
    void* bytes = nullptr;
    std::size_t size = 0;
    if (vips_webpsave_buffer(
            image,
            &bytes,
            &size,
            "Q",
            quality,
            "effort",
            2,
            "lossless",
            lossless ? TRUE : FALSE,
            "strip",
            TRUE,
            nullptr
        ) != 0)
        return -1;
    write_file(file, without_metadata_chunks({static_cast<char*>(bytes), size}));
    g_free(bytes);
    return 0;
}

int save_png(VipsImage* image, const char* file) {
    void* bytes = nullptr;
    std::size_t size = 0;
    if (vips_pngsave_buffer(
            image,
            &bytes,
            &size,
            "compression",
            0,
            "filter",
            VIPS_FOREIGN_PNG_FILTER_ALL,
            "strip",
            TRUE,
            nullptr
        ) != 0)
        return -1;
    write_file(file, compressed_png({static_cast<char*>(bytes), size}));
    g_free(bytes);
    return 0;
}

int save_as(VipsImage* image, const char* file, const Saving& how) {
    const int quality = how.quality == Quality::original ? 90 : 82;
    switch (how.format) {
        case Format::png: return save_png(image, file);
        case Format::gif:
            return vips_gifsave(
                image,
                file,
                "effort",
                4,
                "dither",
                how.own_palette ? 0.0 : 0.7,
                "reuse",
                how.own_palette ? TRUE : FALSE,
                "strip",
                TRUE,
                nullptr
            );
        case Format::webp: return save_webp(image, file, quality, how.lossless);
        default:
            return vips_jpegsave(image, file, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, nullptr);
    }
}

}  // namespace

File save(const Image& image, const std::string& role, const Saving& how) {
    const File file{role + extension(how.format), size_of(image)};
    const Image bare = without_metadata(image);
    if (save_as(bare.get(), file.name.c_str(), how) != 0) throw Refusal(Reason::broken, vips_error_buffer());
    return file;
}

}  // namespace worker
