// SPDX-License-Identifier: AGPL-3.0-or-later
// WebSocket frames (RFC 6455) for a server: read strictly, without extensions. Does no I/O.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace net {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// The close codes that this folder uses (7.4.1).
namespace close_code {
inline constexpr std::uint16_t none = 0, protocol = 1002, not_text = 1003, not_utf8 = 1007, too_large = 1009;
}

std::string frame_head(Opcode, std::size_t size);     // precedes the content
std::string control_frame(Opcode, std::string_view);  // content: at most 125 bytes
std::string close_frame(std::uint16_t code);
std::string websocket_accept(std::string_view key);  // for the response to a handshake with this key

class FrameReader {
public:
    explicit FrameReader(std::size_t most_bytes) : most_bytes_(most_bytes) {}  // limit of a message

    enum class Found { more, text, ping, pong, close, refused };
    struct Step {
        Found found;
        std::size_t used;
    };
    // Returns at the first complete message or frame, or when the input ends. Read nothing after a close or a
    // refusal.
    Step read(std::string_view bytes);

    std::string_view content() const { return is_control() ? control_ : message_; }  // until the next read()
    std::uint16_t code() const { return code_; }  // of a refusal: the reason; of a close: the client's code

private:
    bool is_control() const { return opcode_ >= Opcode::close; }
    std::size_t head_length() const;
    bool begin_frame();  // false: refused
    Found end_frame();
    Found end_close();
    Found refuse(std::uint16_t code);

    std::size_t most_bytes_;
    std::uint64_t left_ = 0;  // bytes of the frame
    std::string message_, control_;
    std::array<unsigned char, 14> head_;
    std::uint8_t head_size_ = 0, masked_ = 0;
    std::uint16_t code_ = close_code::none;
    Opcode opcode_ = Opcode::continuation;
    bool last_ = false, in_frame_ = false, in_message_ = false, found_ = false;
};

}  // namespace net
