// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// PNG without libpng where that is quicker and says the same: zlib takes nine tenths of the time of an upload to compress
// one. libdeflate makes the same format, as small, in a sixth of that time; and rows that need no change need not be
// compressed at all.

#include <optional>
#include <string>
#include <string_view>

#include "sandbox/media_job.hpp"

namespace worker {

// `png` is one that was just written here, with its rows stored and not compressed.
std::string compressed_png(std::string_view png);

// The rows of a PNG of this size as they came, all else made anew, so that nothing but the picture is left: what its rows
// take is what is kept, their packing is whole and holds nothing more. Nothing when the picture has to be written again:
// when it is deeper than 8 bits, interlaced, turned, of a colour profile, hardly compressed or oddly built.
std::optional<std::string> with_rows_kept(std::string_view png, sandbox::Size size);

}  // namespace worker
