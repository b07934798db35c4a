// SPDX-License-Identifier: AGPL-3.0-or-later
// The hashes below are those that the reference (https://github.com/facebook/ThreatExchange, pdq/cpp, commit
// baefb4ed67b6cdc1d4c82dbaef858d50866ac424) gives for the same pixels; the pictures are made here.
#include "sandbox/pdq.hpp"

#include <gmock/gmock.h>

#include "sandbox/fixtures.hpp"

namespace {

using Colour = std::array<int, 3>;
using Painting = Colour(int x, int y, int width, int height);

Colour bands(int x, int y, int width, int height) {
    return {x * 255 / width, y * 255 / height, ((x / 23) ^ (y / 17)) * 37 & 255};
}
Colour rings(int x, int y, int width, int height) {
    const int across = x - width / 3, down = y - height / 2;
    return {(across * across + down * down) / 97 & 255, x * y / 61 & 255, (x * 3 + y * 5) & 255};
}
Colour slant(int x, int y, int width, int height) {
    const int all = width + height;
    return {
        (x * 7 + y * 3) % all < all / 3 ? 230 : 40,
        (x / 31 + y / 29) % 2 != 0 ? 200 : 20,
        y * y / height & 255
    };
}

std::vector<std::uint8_t> pixels(Painting* paint, int width, int height) {
    std::vector<std::uint8_t> out;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int value : paint(x, y, width, height))
                out.push_back(static_cast<std::uint8_t>(value));
    return out;
}

sandbox::Pdq hashed(Painting* paint, int width, int height) {
    return sandbox::pdq(
        pixels(paint, width, height), static_cast<std::size_t>(width), static_cast<std::size_t>(height)
    );
}

std::string digits(const sandbox::PdqBits& bits) {
    std::string out;
    for (std::size_t i = bits.size(); i-- > 0;)
        for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[bits[i] >> shift & 15];
    return out;
}

struct Known {
    Painting* paint;
    int width, height, quality;
    std::array<const char*, sandbox::pdq_symmetries> hashes;
};

const std::vector<Known>& known() {
    static const std::vector<Known> all{
        {&bands,
         256,
         256,
         51,
         {"f65d59a22b5fa603f446b27514f8b2cf14c0b29f3ad1346e95a94729e6348b58",
          "9d4b37f9bd76300760216d61b5679ff243e8504e461e599ca35d52ad79504a93",
          "e318f3dafe0a4ca9a51318df41ad1c65c1951a356f849ec4c0fced83b361e1f2",
          "c81e9d53e8279aad3574cfcbe032355816bdfae4134bf336f608f8072c05e039",
          "f65da65d2b5f59fcf4464d8a14f84d3014c04d603ad1cb9195a9b8d6e63474a7",
          "a3080cf77e0af356a513e72041ade79a4195e7ca6f84613bc0fc327cb361de0d",
          "9d4bc806bd72cff860219a9eb567600d43e8afb1461ea663a35dad527950b56c",
          "e89ff2ade827655235743934e072caa756bd451b134bccc9f60807f86c051fc6"}},
        {&rings,
         320,
         240,
         100,
         {"d4b5a5a52929926924cbc8da918a631486b5196df2c9859b5a73e1c70f4ff8fc",
          "deb56ad269256d96644b376d11aa9ca9ceb5c390f0c97a663e731e381e1e0701",
          "81e0070f7c3878c1f19e6270c4dfc9bed3e0b3c7a79c2f310f264b6d5a1a5256",
          "8be0e0783c70c73c311e9dc744ff36039be0693aa59cd0cc6b26b4925b4badab",
          "d4b5525a696d2d96a4cb3725918a9ceb86b5e692f2c97a645a731e380f4f0703",
          "81e0f8f07c38873ef19e9d8fc4df3641d3e04c38a79cd0ce0f26b4925a1aada9",
          "d6b5852d69259269244bc89211aa6356ceb51c6ff0c985993e73c1c70e1ef8fe",
          "8be03f873c7038c3311e623844ffc9fc9be096c5a59c2f336b264b6d4b4b5254"}},
        {&slant,
         181,
         333,
         100,
         {"ff9f549de89ffc9fe89f15601560546a01ea236a176a034a155a2bf03fe023f0",
          "b80007ffb84728d5b80438d580777900b887f80007e707f2f9f807ffb9f807ff",
          "a8cafeb7bdca5235bdcabfca4035fec054bf89c0423fa9e0400f815a42b5a95a",
          "ed51ac55cd10827fad50827f5522d38aacd252aa52b2ad58acadad55ccadad55",
          "fd9fa362c89d0360e89fea9f1560ab1501eadc95166afcb5155a540f17e0d40f",
          "aaca0148bdcaadcabdca40354035413f54bf763f423f561f400f7ea562b576a5",
          "b800f900b847d72ab806d72a807786fff88707ff07e7f80df9f8f800b9f8f800",
          "ed5553aaed117d80ed516d8055222c55edd2ad5552b252a7acad52aaecad52aa"}},
        {&slant,
         640,
         360,
         100,
         {"ffffffffffffffff00000000000014d5165500aa020000aaff5550ff55bfff00",
          "f0010ff5f0010ff5f0010ff4f0090ff4f0560ff3f0160ff3f0160ff3f0160ff3",
          "ffff5555aaaa55555555aaaa5555aaab5555aa2a5755aa000a00ea5500ff55aa",
          "a554a55fa554a55fa554a55ea55ce55ea503a559a543a559a543a55da543a559",
          "ffff0100ffff00000000ffff0000ffff0000ff7f0000ff555755ff0455aa50ff",
          "aaaaaaaaaaaaaaaa5555555555555555555555d5555555ff020055aa00fffa55",
          "f009f00ff009f18ff009f18bf0a9f00bf156f18cf056f18ef056f18ef056f18e",
          "a554daa5a554daa1a55cdaa1a57cdaa1a503daa6a543daa6a543daa6a543dba6"}},
        {&bands,
         40,
         30,
         31,
         {"3c8993266cd96cd9932693266cd96cd993266cd96cd9932693266cd96cd99326",
          "4c99cc99b3663366b3664c994c99b366b3664c99cc99cc99b366b3664c994c99",
          "69bc398c398cc673c673398c398cc673c673c673398c398cc673c673398c398c",
          "19cc6633e63399cce633e63319cc19cce633663319cc6633e63319cc19cce633",
          "3c896cd96cd9932693266cd96cd99326932693266cd96cd9932693266cd96cd9",
          "69bcc673398c398cc673c673398c398cc673398c398cc673c673398c398cc673",
          "4c993366b366cc99b366b3664c994c99b36633664c993366b3664c994c99b366",
          "19cc99cce6336633e63319cc19cce633e63319cc99cc99cce633e63319cc19cc"}},
    };
    return all;
}

TEST(Pdq, is_that_of_the_reference_for_all_symmetries_and_sizes) {
    for (const auto& one : known()) {
        const auto found = hashed(one.paint, one.width, one.height);
        EXPECT_EQ(found.quality, one.quality) << one.width;
        for (std::size_t i = 0; i < found.bits.size(); ++i)
            EXPECT_EQ(digits(found.bits[i]), one.hashes[i]) << one.width << " " << i;
    }
}

TEST(Pdq, says_nothing_of_what_shows_nothing) {
    EXPECT_EQ(hashed([](int, int, int, int) { return Colour{128, 128, 128}; }, 100, 100).quality, 0);
    EXPECT_EQ(hashed(rings, 4, 400).quality, 0);
    EXPECT_EQ(hashed(rings, 400, 4).quality, 0);
}

TEST(Pdq, knows_a_picture_that_was_mirrored_or_turned) {
    constexpr int side = 300;
    const auto found = hashed(rings, side, side);
    const auto mirrored =
        hashed([](int x, int y, int w, int h) { return rings(w - 1 - x, y, w, h); }, side, side);
    const auto turned =
        hashed([](int x, int y, int w, int h) { return rings(w - 1 - y, x, w, h); }, side, side);
    const auto nearest = [&](const sandbox::PdqBits& bits) {
        int best = 256;
        for (const auto& one : found.bits) best = std::min(best, sandbox::distance(bits, one));
        return best;
    };
    EXPECT_LE(nearest(mirrored.bits[0]), 10);
    EXPECT_LE(nearest(turned.bits[0]), 10);
    EXPECT_GT(sandbox::distance(found.bits[0], mirrored.bits[0]), 60);
    EXPECT_GT(sandbox::distance(found.bits[0], turned.bits[0]), 60);
    EXPECT_GT(nearest(hashed(bands, side, side).bits[0]), 60);
}

// As the reference asks of other decoders.
TEST(Pdq, of_a_picture_that_was_decoded_and_scaled_is_near_that_of_its_pixels) {
    using fixtures::Pixel;
    for (const auto kind :
         {sandbox::Kind::attachment, sandbox::Kind::avatar, sandbox::Kind::header, sandbox::Kind::emoji}) {
        constexpr int width = 320, height = 240;
        fixtures::Job job(
            fixtures::png(
                width,
                height,
                [](int x, int y) {
                    const auto [red, green, blue] = rings(x, y, width, height);
                    return Pixel{
                        static_cast<std::uint8_t>(red),
                        static_cast<std::uint8_t>(green),
                        static_cast<std::uint8_t>(blue),
                        255
                    };
                }
            ),
            kind
        );
        const auto result = job.result();
        EXPECT_GE(result.pdq.quality, 80) << sandbox::word(kind);
        EXPECT_LE(sandbox::distance(result.pdq.bits[0], hashed(rings, width, height).bits[0]), 10)
            << sandbox::word(kind);
    }
}

}  // namespace
