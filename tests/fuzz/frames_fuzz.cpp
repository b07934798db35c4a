// SPDX-License-Identifier: AGPL-3.0-or-later
// Frames of WebSockets as bytes. However they are cut into pieces, the same must be found in them; nothing longer than it
// may be, and no text that is not UTF-8.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text/utf8.hpp"
#include "net/streams/frames.hpp"

namespace {

constexpr std::size_t most = 300;

void require(bool condition) {
    if (!condition) std::abort();
}

std::string read_all(std::string_view bytes, std::size_t piece) {
    using Found = net::FrameReader::Found;
    net::FrameReader reader(most);
    std::string out;
    while (!bytes.empty()) {
        const auto part = bytes.substr(0, piece);
        const auto step = reader.read(part);
        require(step.used <= part.size());
        bytes.remove_prefix(step.used);
        if (step.found == Found::more) {
            require(step.used == part.size());
            continue;
        }
        out += std::to_string(static_cast<int>(step.found)) + " " + std::to_string(reader.code());
        if (step.found == Found::refused) return out;
        const bool text = step.found == Found::text;
        require(reader.content().size() <= (text ? most : 125));
        require(!text || base::text::valid_utf8(reader.content()));
        out += " " + std::string(reader.content()) + "\n";
        if (step.found == Found::close) return out;
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    require(read_all(bytes, bytes.size() + 1) == read_all(bytes, 1 + data[0] % 17));
    return 0;
}
