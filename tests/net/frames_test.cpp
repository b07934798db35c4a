// SPDX-License-Identifier: AGPL-3.0-or-later
// Frames of WebSockets, byte by byte; how connections use them is in streams_test.cpp.
#include "net/streams/frames.hpp"

#include <gtest/gtest.h>

using Found = net::FrameReader::Found;

namespace {

std::string bytes(std::initializer_list<int> all) {
    std::string out;
    for (int one : all) out += static_cast<char>(one);
    return out;
}

// As a client sends it.
std::string masked(int first, std::string_view content) {
    constexpr std::string_view mask = "\x37\xfa\x21\x3d";
    auto out = bytes({first});
    const auto size = static_cast<int>(content.size());
    if (size < 126) out += bytes({0x80 | size});
    else out += bytes({0xfe, size >> 8, size & 0xff});
    out += mask;
    for (std::size_t i = 0; i < content.size(); ++i) out += static_cast<char>(content[i] ^ mask[i % 4]);
    return out;
}

// What is found in it, shown so many bytes at a time: "text Hello, ping, refused 1002".
std::string told(const std::string& input, std::size_t piece, std::size_t most = 1000) {
    net::FrameReader reader(most);
    std::string out, unread;
    auto add = [&](const std::string& what) { out += (out.empty() ? "" : ", ") + what; };
    for (std::size_t at = 0; at < input.size(); at += piece) {
        for (std::string_view left = std::string_view(input).substr(at, piece); !left.empty();) {
            const auto step = reader.read(left);
            left.remove_prefix(step.used);
            const std::string content(reader.content());
            switch (step.found) {
                case Found::more: EXPECT_TRUE(left.empty()); break;
                case Found::text: add("text " + content); break;
                case Found::ping: add("ping " + content); break;
                case Found::pong: add("pong " + content); break;
                case Found::close: add("close " + std::to_string(reader.code())); return out;
                case Found::refused: add("refused " + std::to_string(reader.code())); return out;
            }
        }
    }
    return out;
}

std::string told(const std::string& input) {
    auto whole = told(input, input.size());
    for (std::size_t piece : {1U, 2U, 3U, 7U}) EXPECT_EQ(told(input, piece), whole) << piece;
    return whole;
}

}  // namespace

TEST(Frames, are_read_as_the_specification_shows_them) {
    EXPECT_EQ(told(bytes({0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58})), "text Hello");
    EXPECT_EQ(told(masked(0x81, "")), "text ");
    EXPECT_EQ(
        told(masked(0x81, std::string(300, 'x')) + masked(0x81, "y")),
        "text " + std::string(300, 'x') + ", text y"
    );
    EXPECT_EQ(
        told(
            masked(0x01, "in ") + masked(0x89, "?") + masked(0x00, "three ") + masked(0x8a, "!") +
            masked(0x80, "parts")
        ),
        "ping ?, pong !, text in three parts"
    );
    EXPECT_EQ(told(masked(0x88, bytes({0x03, 0xe8}) + "bye") + masked(0x81, "unheard")), "close 1000");
    EXPECT_EQ(told(masked(0x88, "")), "close 0");
    EXPECT_EQ(told(masked(0x01, "\xc3") + masked(0x80, "\xa9")), "text \xc3\xa9");
}

TEST(Frames, that_may_not_be_are_refused) {
    EXPECT_EQ(told(bytes({0x81, 0x05}) + "Hello!"), "refused 1002");  // without a mask
    EXPECT_EQ(told(bytes({0x81, 0x02}) + "{}"), "refused 1002");
    EXPECT_EQ(told(masked(0xc1, "x")), "refused 1002");  // an extension
    EXPECT_EQ(told(masked(0x83, "x")), "refused 1002");  // no such opcode
    EXPECT_EQ(told(masked(0x8b, "x")), "refused 1002");
    EXPECT_EQ(told(masked(0x80, "x")), "refused 1002");                      // goes on with nothing
    EXPECT_EQ(told(masked(0x01, "x") + masked(0x81, "y")), "refused 1002");  // begins inside another
    EXPECT_EQ(told(masked(0x09, "x")), "refused 1002");                      // control in parts
    EXPECT_EQ(told(masked(0x89, std::string(126, 'x'))), "refused 1002");    // or too long
    EXPECT_EQ(
        told(bytes({0x81, 0xfe, 0, 5, 0, 0, 0, 0}) + "Hello"), "refused 1002"
    );  // not the shortest length
    EXPECT_EQ(told(bytes({0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0}) + "x"), "refused 1002");
    EXPECT_EQ(told(masked(0x82, "x")), "refused 1003");
    EXPECT_EQ(told(masked(0x81, "\xff")), "refused 1007");
    EXPECT_EQ(told(masked(0x81, "\xc3")), "refused 1007");
    EXPECT_EQ(told(masked(0x88, "x")), "refused 1002");
    for (int code : {999, 1004, 1005, 1006, 1015, 2000, 5000})
        EXPECT_EQ(told(masked(0x88, bytes({code >> 8, code & 0xff}))), "refused 1002") << code;
    EXPECT_EQ(told(masked(0x88, bytes({0x03, 0xe8, 0xff}))), "refused 1007");
}

TEST(Frames, are_bounded) {
    EXPECT_EQ(told(masked(0x81, std::string(200, 'x')), 1, 200), "text " + std::string(200, 'x'));
    EXPECT_EQ(told(masked(0x81, std::string(201, 'x')), 1, 200), "refused 1009");
    EXPECT_EQ(
        told(masked(0x01, std::string(100, 'x')) + masked(0x80, std::string(101, 'x')), 1, 200),
        "refused 1009"
    );
    EXPECT_EQ(
        told(bytes({0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}), 1, 200),
        "refused 1009"
    );
}

TEST(Frames, are_written_with_the_shortest_length) {
    EXPECT_EQ(net::frame_head(net::Opcode::text, 125), bytes({0x81, 125}));
    EXPECT_EQ(net::frame_head(net::Opcode::text, 126), bytes({0x81, 126, 0, 126}));
    EXPECT_EQ(net::frame_head(net::Opcode::text, 65535), bytes({0x81, 126, 0xff, 0xff}));
    EXPECT_EQ(net::frame_head(net::Opcode::text, 65536), bytes({0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0}));
    EXPECT_EQ(net::close_frame(1008), bytes({0x88, 2, 0x03, 0xf0}));
    EXPECT_EQ(net::close_frame(0), bytes({0x88, 0}));
    EXPECT_EQ(net::websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}
