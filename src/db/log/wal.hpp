// SPDX-License-Identifier: AGPL-3.0-or-later
// SQLite's write-ahead log as bytes: a header, then frames of one page each. Checksums are chained from frame
// to frame, so a known place in the log proves that everything before it is unchanged.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace db {

constexpr std::uint64_t log_header_bytes = 32, frame_header_bytes = 24;

// How far a log was read. Offset 0 is the beginning of any log.
struct LogPlace {
    std::uint64_t offset = 0;
    std::uint32_t salt1 = 0, salt2 = 0, sum1 = 0, sum2 = 0;
    std::uint32_t page_bytes = 0;
    bool big_endian = false;

    std::uint64_t frame_bytes() const { return frame_header_bytes + page_bytes; }
    std::uint64_t frames() const {
        return offset <= log_header_bytes ? 0 : (offset - log_header_bytes) / frame_bytes();
    }
    bool same_log(const LogPlace& other) const { return salt1 == other.salt1 && salt2 == other.salt2; }
};

// The place after the header; nullopt if the header is incomplete.
std::optional<LogPlace> place_behind_header(std::string_view header);

struct Passed {
    std::uint64_t bytes = 0;
    bool goes_on = false;  // all frames in `bytes` were valid: there may be more
};
// Advances the place past the whole transactions at the beginning of `bytes`, which were read from there.
// Stops at a frame that is torn or belongs to an older log.
Passed pass_transactions(LogPlace&, std::string_view bytes);

// Whether a frame with this header belongs to the place's log.
bool is_of(const LogPlace&, std::string_view frame_header);

// The place at `end`, after the frame with this header; nullopt if the frame belongs to another log.
std::optional<LogPlace> place_behind_frame(
    const LogPlace& in_log, std::string_view frame_header, std::uint64_t end
);

// Whether the frame with this header is the one that ends at the place.
bool is_frame_before(const LogPlace&, std::string_view frame_header);

}  // namespace db
