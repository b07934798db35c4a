// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
// zlib takes nine tenths of the time of an upload to compress a PNG. libdeflate makes the same format, as small, in a
// sixth of that time; libpng cannot be told to use it, so it stores the rows and they are compressed afterwards.

#include <string>
#include <string_view>

namespace worker {

// `png` is one that was just written here, with its rows stored and not compressed.
std::string compressed_png(std::string_view png);

}  // namespace worker
