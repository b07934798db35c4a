// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/streams/frames.hpp"

#include "base/crypto.hpp"
#include "base/text/utf8.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <utility>

namespace net {

namespace {

constexpr std::size_t most_of_control = 125;
constexpr unsigned char of_two_bytes = 126, of_eight_bytes = 127;  // a length that follows
constexpr std::size_t mask_size = 4;

// Codes that a client may send as its reason (7.4).
bool may_be_said(std::uint16_t code) {
    if (code >= 3000) return code < 5000;
    return code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
}

}  // namespace

std::string frame_head(Opcode opcode, std::size_t size) {
    std::string out(1, static_cast<char>(0x80 | static_cast<unsigned char>(opcode)));
    auto append = [&](int bytes) {
        while (bytes-- > 0) out += static_cast<char>(size >> (8 * bytes) & 0xff);
    };
    if (size <= most_of_control) {
        append(1);
    } else if (size <= 0xffff) {
        out += static_cast<char>(of_two_bytes);
        append(2);
    } else {
        out += static_cast<char>(of_eight_bytes);
        append(8);
    }
    return out;
}

std::string control_frame(Opcode opcode, std::string_view content) {
    return frame_head(opcode, content.size()).append(content);
}

std::string close_frame(std::uint16_t code) {
    if (code == close_code::none) return control_frame(Opcode::close, {});
    const char bytes[] = {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
    return control_frame(Opcode::close, {bytes, sizeof bytes});
}

std::string websocket_accept(std::string_view key) {
    const auto text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
    SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    return base::base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

FrameReader::Step FrameReader::read(std::string_view bytes) {
    if (std::exchange(found_, false)) {
        if (is_control()) control_ = {};
        else message_ = {};  // an idle reader keeps no memory
    }
    std::size_t used = 0;
    for (;;) {
        if (!in_frame_) {
            while (head_size_ < head_length()) {
                if (used == bytes.size()) return {Found::more, used};
                head_[head_size_++] = static_cast<unsigned char>(bytes[used++]);
            }
            if (!begin_frame()) return {Found::refused, used};
        }
        auto part =
            bytes.substr(used, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - used)));
        const auto* mask = head_.data() + head_size_ - mask_size;
        auto& out = is_control() ? control_ : message_;
        for (char c : part) out += static_cast<char>(c ^ mask[masked_++ % mask_size]);
        used += part.size();
        left_ -= part.size();
        if (left_ > 0) return {Found::more, used};
        if (auto found = end_frame(); found != Found::more) return {found, used};
    }
}

// As far as it is known from the bytes so far.
std::size_t FrameReader::head_length() const {
    constexpr std::size_t shortest = 2;
    if (head_size_ < shortest) return shortest;
    const auto length = head_[1] & 0x7f;
    const std::size_t more = length == of_eight_bytes ? 8 : length == of_two_bytes ? 2 : 0;
    return shortest + more + (head_[1] & 0x80 ? mask_size : 0);
}

bool FrameReader::begin_frame() {
    const bool masked = head_[1] & 0x80, extended = head_[0] & 0x70;
    const auto given = static_cast<unsigned char>(head_[1] & 0x7f);
    left_ = given;
    if (given >= of_two_bytes) {
        left_ = 0;
        const auto end = head_size_ - (masked ? mask_size : 0);
        for (std::size_t i = 2; i < end; ++i) left_ = left_ << 8 | head_[i];
    }
    const bool shortest = given < of_two_bytes || left_ > (given == of_two_bytes ? most_of_control : 0xffffU);
    opcode_ = static_cast<Opcode>(head_[0] & 0x0f);
    last_ = head_[0] & 0x80;
    masked_ = 0;
    in_frame_ = true;
    bool fits = masked && !extended && shortest;
    switch (opcode_) {
        case Opcode::continuation: fits = fits && in_message_; break;
        case Opcode::text:
        case Opcode::binary: fits = fits && !in_message_; break;
        case Opcode::close:
        case Opcode::ping:
        case Opcode::pong: fits = fits && last_ && left_ <= most_of_control; break;
        default: fits = false;
    }
    if (!fits) code_ = close_code::protocol;
    else if (opcode_ == Opcode::binary) code_ = close_code::not_text;
    else if (!is_control() && left_ > most_bytes_ - message_.size()) code_ = close_code::too_large;
    if (!is_control()) in_message_ = true;
    return code_ == close_code::none;
}

FrameReader::Found FrameReader::end_frame() {
    in_frame_ = false;
    head_size_ = 0;
    if (!is_control() && !last_) return Found::more;
    found_ = true;
    switch (opcode_) {
        case Opcode::ping: return Found::ping;
        case Opcode::pong: return Found::pong;
        case Opcode::close: return end_close();
        default: break;
    }
    in_message_ = false;
    return base::text::valid_utf8(message_) ? Found::text : refuse(close_code::not_utf8);
}

FrameReader::Found FrameReader::end_close() {
    if (control_.empty()) return Found::close;
    if (control_.size() == 1) return refuse(close_code::protocol);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(control_[i]); };
    const auto code = static_cast<std::uint16_t>(byte(0) << 8 | byte(1));
    if (!may_be_said(code)) return refuse(close_code::protocol);
    if (!base::text::valid_utf8(std::string_view(control_).substr(2))) return refuse(close_code::not_utf8);
    code_ = code;
    return Found::close;
}

FrameReader::Found FrameReader::refuse(std::uint16_t code) {
    code_ = code;
    return Found::refused;
}

}  // namespace net
