// SPDX-License-Identifier: AGPL-3.0-or-later
// The expected texts come from the npm package blurhash 2.0.5, encode() on the same pixels.
#include "sandbox/blurhash.hpp"

#include <gtest/gtest.h>

#include "sandbox/fixtures.hpp"

namespace {

struct Case {
    int width, height, across, down;
    fixtures::Painter paint;
    const char* expected;
};

fixtures::Pixel colour(int r, int g, int b) {
    return {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b), 255};
}

TEST(Blurhash, agrees_with_the_reference) {
    using fixtures::picture;
    const Case cases[] = {
        {64, 48, 4, 4, picture, R"(UYJG=+2U|Gs+@1;M,CwJ%X$Mwvsmrwj?oJjs)"},
        {64,
         48,
         9,
         9,
         picture,
         R"(|YJG=+2U|Gs+sTS#ShX8Wp@1;M,CwJo0WXSNWXfQ%X$MwvsmjsW;WqW;fQrwj?oJjsjtaza|azfQSzSgSgW;a|jsjsjsfQW=SgW;Wqa|jtjsjtfQe;fQfQfQfQfQfQfQfQxFn%sAo0jta}a}a}fQr@sAsAo0jta}a}a|fQ)"
        },
        {64, 48, 1, 1, picture, R"(00JG=+)"},
        {64, 48, 3, 5, picture, R"(cYJG=+2U|G@1;M,C%X$Mwvrwj?oJSzSgSg)"},
        {100,
         67,
         4,
         4,
         [](int x, int y) { return colour(x * y, x * x + 3 * y, 255 - x); },
         R"(UkG+hTSCS6WaWFWEWDWDR,W:bGazWYW;bGe;)"},
        {1, 1, 4, 4, [](int, int) { return colour(7, 200, 33); }, R"(U~0@2Xl#l#l#l#l#l#l#l#l#l#l#l#l#l#l#)"},
        {100,
         1,
         4,
         4,
         [](int x, int) { return colour(x, 2 * x, 255 - x); },
         R"(U~6wBpQ}kVajysQ}kVajysQ}kVajysQ}kVaj)"},
        {33,
         100,
         4,
         4,
         [](int, int) { return colour(255, 255, 255); },
         R"(U9TSUA~qfQ~q%Mj[fQj[fQfQfQfQ%Mj[fQj[)"},
        {20,
         20,
         4,
         4,
         [](int x, int y) { return (x + y) % 2 ? colour(255, 255, 255) : colour(0, 0, 0); },
         R"(U7Lqe9~qfQ~q~qfQfQfQfQfQfQfQ~qfQfQfQ)"},
        {37,
         91,
         4,
         4,
         [](int x, int y) { return colour(x * 7919 + y * 104729, x * 31 + y * y * 17, x * x * x + y); },
         R"(U5HV9o-uVn-Jw~k0nJoXW8kDWdjexlnhs+n#)"},
    };
    for (const auto& [width, height, across, down, paint, expected] : cases) {
        std::vector<std::uint8_t> rgb;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const fixtures::Pixel p = paint(x, y);
                rgb.insert(rgb.end(), p.begin(), p.begin() + 3);
            }
        EXPECT_EQ(
            sandbox::blurhash(
                rgb, static_cast<std::size_t>(width), static_cast<std::size_t>(height), across, down
            ),
            expected
        );
    }
}

}  // namespace
