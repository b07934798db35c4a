// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/log/wal.hpp"

namespace db {

namespace {

std::uint32_t big(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

std::uint32_t little(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

template <auto Word>
void add_words(LogPlace& place, std::string_view bytes) {
    auto s1 = place.sum1, s2 = place.sum2;
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        s1 += Word(bytes, at) + s2;
        s2 += Word(bytes, at + 4) + s1;
    }
    place.sum1 = s1;
    place.sum2 = s2;
}

void add(LogPlace& place, std::string_view bytes) {
    if (place.big_endian) add_words<big>(place, bytes);
    else add_words<little>(place, bytes);
}

constexpr std::uint32_t magic = 0x377f0682;  // its lowest bit set: the checksums are of big-endian words
constexpr std::uint32_t least_page = 512, most_page = 65'536;

}  // namespace

std::optional<LogPlace> place_behind_header(std::string_view header) {
    if (header.size() < log_header_bytes || (big(header, 0) & ~1u) != magic) return std::nullopt;
    LogPlace place;
    place.big_endian = (big(header, 0) & 1u) != 0;
    place.page_bytes = big(header, 8);
    const bool power = (place.page_bytes & (place.page_bytes - 1)) == 0;
    if (place.page_bytes < least_page || place.page_bytes > most_page || !power) return std::nullopt;
    place.salt1 = big(header, 16);
    place.salt2 = big(header, 20);
    add(place, header.substr(0, 24));
    if (place.sum1 != big(header, 24) || place.sum2 != big(header, 28)) return std::nullopt;
    place.offset = log_header_bytes;
    return place;
}

Passed pass_transactions(LogPlace& place, std::string_view bytes) {
    Passed passed;
    auto at = place;
    for (auto size = place.frame_bytes(); bytes.size() >= size; bytes.remove_prefix(size)) {
        const auto frame = bytes.substr(0, size);
        if (big(frame, 8) != at.salt1 || big(frame, 12) != at.salt2 || big(frame, 0) == 0) return passed;
        add(at, frame.substr(0, 8));
        add(at, frame.substr(frame_header_bytes));
        if (at.sum1 != big(frame, 16) || at.sum2 != big(frame, 20)) return passed;
        at.offset += size;
        const bool commits = big(frame, 4) != 0;
        if (!commits) continue;
        passed.bytes += at.offset - place.offset;
        place = at;
    }
    passed.goes_on = true;
    return passed;
}

bool is_of(const LogPlace& place, std::string_view header) {
    return header.size() >= frame_header_bytes && big(header, 8) == place.salt1 &&
           big(header, 12) == place.salt2;
}

std::optional<LogPlace> place_behind_frame(
    const LogPlace& in_log, std::string_view header, std::uint64_t end
) {
    if (!is_of(in_log, header)) return std::nullopt;
    auto place = in_log;
    place.sum1 = big(header, 16);
    place.sum2 = big(header, 20);
    place.offset = end;
    return place;
}

bool is_frame_before(const LogPlace& place, std::string_view header) {
    return is_of(place, header) && big(header, 16) == place.sum1 && big(header, 20) == place.sum2;
}

}  // namespace db
