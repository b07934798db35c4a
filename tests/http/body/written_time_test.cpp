// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/written_time.hpp"

#include <gtest/gtest.h>

namespace {

std::string read(std::string_view text) {
    auto time = http::written_time(text);
    return time ? base::to_string(*time) : "nothing";
}

TEST(WrittenTime, is_read_as_clients_write_it) {
    for (const auto* text :
         {"2026-01-02T03:04:05Z",
          "2026-01-02T04:04:05+0100",
          "2026-01-02 03:04:05 UTC",
          "2026-01-02 03:04:05",
          "20260102T030405Z",
          "20260102T040405+0100",
          "2026/01/02 03:04:05",
          "Fri, 02 Jan 2026 03:04:05 GMT",
          "Fri, 2 Jan 2026 04:04:05 +0100",
          "2 Jan 2026 03:04:05",
          "Thu, 01 Jan 2026 22:04:05 EST",
          "Fri Jan 02 2026 04:04:05 GMT+0100 (Central European Standard Time)",
          "January 2, 2026 3:04:05 utc"})
        EXPECT_EQ(read(text), "2026-01-02T03:04:05.000Z") << text;
    EXPECT_EQ(read("Fri, 02 Jan 2026 03:04 +0000"), "2026-01-02T03:04:00.000Z");
    EXPECT_EQ(read("20260102T0304"), "2026-01-02T03:04:00.000Z");
}

TEST(WrittenTime, is_nothing_where_it_says_nothing_or_two_things) {
    for (const auto* text :
         {"",
          "tomorrow",
          "01/02/2026 03:04:05",
          "1767323045",
          "Fri, 02 Jan 2026",
          "Fri, 02 Jan 26 03:04:05 GMT",
          "Fri, 32 Jan 2026 03:04:05 GMT",
          "Fri, 02 Nonsense 2026 03:04:05 GMT",
          "Fri, 02 Jan 2026 25:04:05 GMT",
          "Fri, 02 Jan 2026 03:04:05 XYZ",
          "02 J 2026 03:04:05 GMT",
          "20260102T03040",
          "2026/01/0203:04",
          "Jan Jan 2026 03:04:05"})
        EXPECT_EQ(read(text), "nothing") << text;
}

}  // namespace
