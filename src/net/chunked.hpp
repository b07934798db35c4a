// SPDX-License-Identifier: AGPL-3.0-or-later
// Chunked bodies (RFC 9112, 7.1): the framing for outgoing ones, and a strict reader for incoming ones: no LF
// without CR, no spaces around the size. Extensions and trailers are read and dropped. (Beast's own reader,
// in Boost 1.81, fails an assertion when the last chunk arrives in small pieces.)
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace net {

std::string chunk_head(std::size_t size);  // precedes the bytes of a chunk
inline constexpr std::string_view chunk_end = "\r\n", last_chunk = "0\r\n\r\n";

class ChunkedBody {
public:
    enum class Found { more, data, end, bad };
    struct Step {
        Found found;
        std::size_t used;
        std::string_view data;
    };

    Step read(std::string_view bytes);  // returns at the first of: data, the end, or no more input

private:
    enum class State { size, data, data_end, trailer };

    Step read_size(std::string_view bytes);
    Step read_trailer(std::string_view bytes);

    State state_ = State::size;
    std::uint64_t left_ = 0;  // bytes of the chunk
    std::size_t trailer_bytes_ = 0;
};

}  // namespace net
