// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// PNG compression with libdeflate instead of libpng where that is faster: zlib takes nine tenths of the time
// of an upload to compress one. libdeflate produces the same format, equally small, in a sixth of the time,
// and unchanged rows need no compression at all.

#include <optional>
#include <string>
#include <string_view>

#include "sandbox/media_job.hpp"

namespace worker {

// `png` must have been written here, with stored (uncompressed) rows.
std::string compressed_png(std::string_view png);

// Keeps a PNG's compressed rows and rebuilds everything else, so that only the picture remains; the rows must
// decompress to exactly the expected size, with nothing after them. nullopt if the picture has to be
// re-encoded: deeper than 8 bits, interlaced, rotated, with a colour profile, hardly compressed or unusual in
// structure.
std::optional<std::string> with_rows_kept(std::string_view png, sandbox::Size size);

}  // namespace worker
