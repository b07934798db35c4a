// SPDX-License-Identifier: AGPL-3.0-or-later
#include "sandbox/worker/image.hpp"

#include <algorithm>
#include <cmath>
#include <future>

#include "sandbox/blurhash.hpp"
#include "sandbox/worker/png.hpp"
#include "sandbox/worker/vips.hpp"

namespace worker {
namespace {

namespace limits = sandbox::limits;

// The largest size of the same aspect ratio with at most that many pixels.
Size within(Size size, std::int64_t pixels) {
    const double area = static_cast<double>(size.width) * size.height;
    const double scale = std::min(1.0, std::sqrt(static_cast<double>(pixels) / area));
    const auto scaled = [&](int side) { return std::max(1, static_cast<int>(side * scale)); };
    return {scaled(size.width), scaled(size.height)};
}

Size within_box(Size size, int side) { return {std::min(size.width, side), std::min(size.height, side)}; }

bool fits_in_memory(const Facts& facts, Size frame) {
    return std::int64_t{frame.width} * frame.height * facts.frames <= limits::scaled_pixels;
}

// Losslessly encoding eight million pixels takes longer than a person waits.
bool worth_lossless(const Input& input, Size size, int frames) {
    constexpr std::int64_t pixels = 2'000'000;
    return input.format == Format::webp && std::int64_t{size.width} * size.height * frames <= pixels &&
           is_lossless_webp(input.bytes);
}

std::string blurhash_of(const Image& image) {
    constexpr int side = limits::blurhash_input_side, components = limits::blurhash_components;
    const Size whole = size_of(image);
    const Image coarse = shrunk(image, std::max(1, std::max(whole.width, whole.height) / side));
    const Image small = on_white(resized(coarse, {side, side}, Fit::inside));
    const Size size = size_of(small);
    return sandbox::blurhash(
        rgb_pixels(small),
        static_cast<std::size_t>(size.width),
        static_cast<std::size_t>(size.height),
        components,
        components
    );
}

sandbox::Pdq pdq_of(const Image& image) {
    const Image flat = on_white(image);
    const Size size = size_of(flat);
    return sandbox::pdq(
        rgb_pixels(flat), static_cast<std::size_t>(size.width), static_cast<std::size_t>(size.height)
    );
}

// Of the whole image, because hash lists contain that, even if a part is cropped here.
sandbox::Pdq pdq_of(const Input& input, const Facts& facts) {
    return pdq_of(still(input, facts, within(facts.size, limits::preview_pixels), Fit::inside));
}

File save_still(const Input& input, const Image& image) {
    if (input.format == Format::png) {
        if (const auto kept = with_rows_kept(input.bytes, size_of(image))) {
            write_file("original.png", *kept);
            return {"original.png", size_of(image)};
        }
    }
    if (input.format == Format::heif) return save(on_white(image), "original", {.format = Format::jpeg});
    return save(
        image, "original", {.format = input.format, .lossless = worth_lossless(input, size_of(image), 1)}
    );
}

File save_animated(const Input& input, const Facts& facts, Size box, Fit fit) {
    const bool whole = fit == Fit::inside && box == facts.size;
    if (!whole && !fits_in_memory(facts, box))
        throw Refusal(Reason::too_large_dimensions, "too many frames to scale");
    const Image frames = whole ? all_frames(input) : all_frames(input, facts, box, fit);
    return save(
        frames,
        "original",
        {.format = input.format, .lossless = worth_lossless(input, box, facts.frames), .own_palette = whole}
    );
}

// JPEG is universally readable, PNG keeps transparency; WebP is used only if the input was WebP.
Format preview_format(Format input, const Image& preview) {
    if (input == Format::webp) return Format::webp;
    return has_alpha(preview) && input != Format::heif ? Format::png : Format::jpeg;
}

Record attachment(const Input& input, const Facts& facts) {
    const Size size = within(facts.size, limits::original_pixels);
    const Image first = still(input, facts, size, Fit::inside);
    // The longer half of the work, in parallel with the other, because somebody is waiting.
    auto original = std::async(std::launch::async, [&] {
        return facts.animated ? save_animated(input, facts, size, Fit::inside) : save_still(input, first);
    });
    const Size small = within(size_of(first), limits::preview_pixels);
    Image scaled = without_needless_alpha(resized(first, small, Fit::inside));
    const Format format = preview_format(input.format, scaled);
    const Image preview = format == Format::jpeg ? on_white(scaled) : std::move(scaled);

    Record record;
    record.animated = facts.animated;
    record.preview = save(preview, "preview", {.format = format, .quality = Quality::preview});
    record.blurhash = blurhash_of(preview);
    record.pdq = pdq_of(preview);
    record.original = original.get();
    return record;
}

// Avatars and headers. A GIF too long for the limits is not refused but becomes a still image.
Record portrait(const Input& input, const Facts& facts, Size box) {
    const Image first = still(input, facts, box, Fit::cover);
    Record record;
    record.pdq = pdq_of(input, facts);
    record.animated = facts.animated && fits_in_memory(facts, box);
    if (record.animated) {
        record.original = save_animated(input, facts, box, Fit::cover);
        record.still = save(first, "static", {.format = Format::png});
    } else if (input.format == Format::gif) {
        record.original = save(first, "original", {.format = Format::png});  // scaled GIFs look bad
    } else {
        record.original = save_still(input, first);
    }
    return record;
}

Record emoji(const Input& input, const Facts& facts) {
    const Size box = within_box(facts.size, limits::emoji_side);
    const Image first = still(input, facts, box, Fit::inside);
    Record record;
    record.pdq = pdq_of(first);
    record.still = save(first, "static", {.format = Format::png});
    if (const auto animated =
            input.format == Format::png ? cleaned_animated_png(input.bytes) : std::nullopt) {
        write_file("original.png", animated->bytes);
        record.original = {"original.png", animated->size};
        record.animated = true;
        return record;
    }
    record.animated = facts.animated;
    record.original =
        facts.animated ? save_animated(input, facts, box, Fit::inside) : save_still(input, first);
    return record;
}

}  // namespace

Record process(Kind kind, const Input& input) {
    const Facts facts = facts_of(input);
    switch (kind) {
        case Kind::attachment: return attachment(input, facts);
        case Kind::avatar: return portrait(input, facts, limits::avatar);
        case Kind::header: return portrait(input, facts, limits::header);
        case Kind::emoji: return emoji(input, facts);
    }
    throw Refusal(Reason::crashed, "unknown kind of job");
}

}  // namespace worker
