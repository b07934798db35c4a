// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/chunked.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace net {

namespace {

constexpr std::size_t longest_line = 4 << 10;
constexpr std::size_t most_trailers = 8 << 10;
constexpr std::ptrdiff_t most_digits = 15;  // cannot overflow

bool is_control(char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; }

struct Line {
    ChunkedBody::Found found;
    std::string_view text;
};

// A line without its CRLF, or why there is none.
Line line_of(std::string_view bytes) {
    const auto end = bytes.substr(0, longest_line).find('\n');
    if (end == bytes.npos)
        return {bytes.size() < longest_line ? ChunkedBody::Found::more : ChunkedBody::Found::bad, {}};
    if (end == 0 || bytes[end - 1] != '\r') return {ChunkedBody::Found::bad, {}};
    const auto text = bytes.substr(0, end - 1);
    if (std::any_of(text.begin(), text.end(), is_control)) return {ChunkedBody::Found::bad, {}};
    return {ChunkedBody::Found::data, text};
}

}  // namespace

std::string chunk_head(std::size_t size) {
    std::array<char, 2 * sizeof size> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16).ptr;
    return std::string(digits.data(), end).append(chunk_end);
}

ChunkedBody::Step ChunkedBody::read_size(std::string_view bytes) {
    const auto [found, line] = line_of(bytes);
    if (found != Found::data) return {found, 0, {}};
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
    const auto digits = end - line.data();
    const auto rest = line.substr(static_cast<std::size_t>(digits));
    if (error != std::errc{} || digits > most_digits || !(rest.empty() || rest.front() == ';'))
        return {Found::bad, 0, {}};
    state_ = left_ == 0 ? State::trailer : State::data;
    return {Found::data, line.size() + 2, {}};
}

ChunkedBody::Step ChunkedBody::read_trailer(std::string_view bytes) {
    const auto [found, line] = line_of(bytes);
    if (found != Found::data) return {found, 0, {}};
    const auto used = line.size() + 2;
    trailer_bytes_ += used;
    if (line.empty()) return {Found::end, used, {}};
    const auto name_end = line.find_first_of(": \t");
    const bool is_field = name_end != line.npos && name_end > 0 && line[name_end] == ':';
    if (!is_field || trailer_bytes_ > most_trailers) return {Found::bad, 0, {}};
    return {Found::data, used, {}};
}

ChunkedBody::Step ChunkedBody::read(std::string_view bytes) {
    if (bytes.empty()) return {Found::more, 0, {}};
    switch (state_) {
        case State::size: return read_size(bytes);
        case State::trailer: return read_trailer(bytes);
        case State::data: {
            const auto data =
                bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
            left_ -= data.size();
            if (left_ == 0) state_ = State::data_end;
            return {Found::data, data.size(), data};
        }
        case State::data_end:
            if (bytes == "\r") return {Found::more, 0, {}};
            if (!bytes.starts_with("\r\n")) return {Found::bad, 0, {}};
            state_ = State::size;
            return {Found::data, 2, {}};
    }
    return {Found::bad, 0, {}};
}

}  // namespace net
