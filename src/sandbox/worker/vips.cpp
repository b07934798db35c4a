// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/vips.hpp"

#include <algorithm>
#include <string_view>

namespace worker {
namespace {

namespace limits = sandbox::limits;

template <class Operation>
Image made(Operation&& operation) {
    VipsImage* out = nullptr;
    if (operation(&out) != 0) throw Refusal(Reason::broken, vips_error_buffer());
    return Image(out);
}

Image in_memory(const Image& image) {
    VipsImage* copy = vips_image_copy_memory(image.get());
    if (copy == nullptr) throw Refusal(Reason::broken, vips_error_buffer());
    return Image(copy);
}

int field(const Image& image, const char* name, int otherwise) {
    int value = otherwise;
    if (vips_image_get_typeof(image.get(), name) != 0) vips_image_get_int(image.get(), name, &value);
    return value;
}

Image opened(const Input& input, const char* options) {
    VipsImage* image = vips_image_new_from_buffer(
        input.bytes.data(), input.bytes.size(), options, "access", VIPS_ACCESS_SEQUENTIAL, nullptr
    );
    if (image == nullptr) throw Refusal(Reason::broken, vips_error_buffer());
    return Image(image);
}

Image to_srgb_bytes(Image image) {
    const bool grey = image->Bands < 3;
    image = made([&](VipsImage** out) {
        return vips_colourspace(
            image.get(), out, grey ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, nullptr
        );
    });
    return made([&](VipsImage** out) { return vips_cast_uchar(image.get(), out, nullptr); });
}

Image decoded(const Input& input, const Facts& facts, Size box, Fit fit, const char* profile) {
    // As a load option instead of an argument, because vips_thumbnail_buffer of libvips 8.14 ignores its own
    // fail_on.
    const std::string page = input.format == Format::heif ? ",page=" + std::to_string(facts.page) : "";
    const std::string options = "[fail_on=truncated" + page + "]";
    Image image = made([&](VipsImage** out) {
        void* bytes = const_cast<char*>(input.bytes.data());
        const VipsSize size = fit == Fit::cover ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN;
        const VipsInteresting crop = fit == Fit::cover ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE;
        return vips_thumbnail_buffer(
            bytes,
            input.bytes.size(),
            out,
            box.width,
            "height",
            box.height,
            "size",
            size,
            "crop",
            crop,
            "option_string",
            options.c_str(),
            profile == nullptr ? nullptr : "export_profile",
            profile,
            nullptr
        );
    });
    return in_memory(to_srgb_bytes(std::move(image)));
}

void refuse_if(bool too_large, const char* what) {
    if (too_large) throw Refusal(Reason::too_large_dimensions, what);
}

}  // namespace

Facts facts_of(const Input& input) {
    // One page only: for all pages, libvips 8.14 reports a page height of 1 for large GIFs, which makes them
    // look harmless.
    const Image header = opened(input, "[fail_on=truncated]");
    Facts facts;
    facts.size = {header->Xsize, vips_image_get_page_height(header.get())};
    facts.frames =
        std::max(1, field(header, "n-pages", 1));  // vips_image_get_n_pages() returns 1 for 10,000 pages
    facts.animated = facts.frames > 1 && (input.format == Format::gif || input.format == Format::webp);
    facts.has_profile = vips_image_get_typeof(header.get(), VIPS_META_ICC_NAME) != 0;
    if (input.format == Format::heif)
        facts.page = std::clamp(field(header, "heif-primary", 0), 0, facts.frames - 1);

    const std::int64_t area = std::int64_t{facts.size.width} * facts.size.height;
    refuse_if(std::max(facts.size.width, facts.size.height) > limits::side, "too long a side");
    refuse_if(area > limits::image_matrix, "too many pixels");
    if (facts.animated) {
        refuse_if(
            input.format == Format::gif && area > limits::gif_matrix, "too many pixels for an animated GIF"
        );
        refuse_if(facts.frames > limits::frames, "too many frames");
        refuse_if(area * facts.frames > limits::animation_pixels, "too many pixels in all frames");
    }
    if (vips_image_get_orientation_swap(header.get()) != 0) std::swap(facts.size.width, facts.size.height);
    return facts;
}

Image still(const Input& input, const Facts& facts, Size box, Fit fit) {
    // Only with a profile: without one libvips 8.14 converts through Lab, which shifts saturated colours.
    if (!facts.has_profile) return decoded(input, facts, box, fit, nullptr);
    try {
        return decoded(input, facts, box, fit, "srgb");
    } catch (const Refusal&) {
        vips_error_clear();  // an invalid colour profile does not invalidate the picture
        return decoded(input, facts, box, fit, nullptr);
    }
}

Image resized(const Image& image, Size box, Fit fit) {
    return in_memory(made([&](VipsImage** out) {
        return vips_thumbnail_image(
            image.get(),
            out,
            box.width,
            "height",
            box.height,
            "no_rotate",
            TRUE,
            "size",
            fit == Fit::cover ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN,
            "crop",
            fit == Fit::cover ? VIPS_INTERESTING_CENTRE : VIPS_INTERESTING_NONE,
            nullptr
        );
    }));
}

Image shrunk(const Image& image, int factor) {
    const Size size = size_of(image);
    const int across = std::min(factor, size.width), down = std::min(factor, size.height);
    return made([&](VipsImage** out) { return vips_shrink(image.get(), out, across, down, nullptr); });
}

Image all_frames(const Input& input) {
    const Image frames = opened(input, "[n=-1,fail_on=truncated]");
    return made([&](VipsImage** out) {
        if (vips_image_get_typeof(frames.get(), VIPS_META_ICC_NAME) == 0)
            return vips_copy(frames.get(), out, nullptr);
        return vips_icc_transform(frames.get(), out, "srgb", "embedded", TRUE, nullptr);
    });
}

// Processed frame by frame, in order: the stream is read only once, and only small frames are kept.
Image all_frames(const Input& input, const Facts& facts, Size box, Fit fit) {
    const Image stream = all_frames(input);
    std::vector<Image> frames;
    std::vector<VipsImage*> column;
    for (int i = 0; i < facts.frames; ++i) {
        const Image frame = in_memory(made([&](VipsImage** out) {
            return vips_crop(
                stream.get(), out, 0, i * facts.size.height, facts.size.width, facts.size.height, nullptr
            );
        }));
        vips_image_remove(frame.get(), VIPS_META_PAGE_HEIGHT);
        frames.push_back(resized(frame, box, fit));
        column.push_back(frames.back().get());
    }
    const Image joined = made([&](VipsImage** out) {
        return vips_arrayjoin(column.data(), out, facts.frames, "across", 1, nullptr);
    });
    Image image = made([&](VipsImage** out) { return vips_copy(joined.get(), out, nullptr); });
    vips_image_set_int(image.get(), VIPS_META_PAGE_HEIGHT, frames.front()->Ysize);
    return image;
}

bool has_alpha(const Image& image) { return vips_image_hasalpha(image.get()) != 0; }

Image without_needless_alpha(Image image) {
    if (!has_alpha(image)) return image;
    const int last = image->Bands - 1;
    const Image alpha =
        made([&](VipsImage** out) { return vips_extract_band(image.get(), out, last, nullptr); });
    double lowest = 0;
    if (vips_min(alpha.get(), &lowest, nullptr) != 0) throw Refusal(Reason::broken, vips_error_buffer());
    if (lowest < 255) return image;
    return made([&](VipsImage** out) { return vips_extract_band(image.get(), out, 0, "n", last, nullptr); });
}

Image on_white(const Image& image) {
    if (!has_alpha(image)) return made([&](VipsImage** out) { return vips_copy(image.get(), out, nullptr); });
    VipsArrayDouble* white = vips_array_double_newv(1, 255.0);
    Image flat =
        made([&](VipsImage** out) { return vips_flatten(image.get(), out, "background", white, nullptr); });
    vips_area_unref(VIPS_AREA(white));
    return flat;
}

std::vector<std::uint8_t> rgb_pixels(const Image& image) {
    const Image rgb = made([&](VipsImage** out) {
        return vips_colourspace(image.get(), out, VIPS_INTERPRETATION_sRGB, nullptr);
    });
    std::size_t size = 0;
    void* pixels = vips_image_write_to_memory(rgb.get(), &size);
    if (pixels == nullptr) throw Refusal(Reason::broken, vips_error_buffer());
    const auto* first = static_cast<std::uint8_t*>(pixels);
    std::vector<std::uint8_t> result(first, first + size);
    g_free(pixels);
    return result;
}

Size size_of(const Image& image) { return {image->Xsize, vips_image_get_page_height(image.get())}; }

}  // namespace worker
