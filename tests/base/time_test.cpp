// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/time.hpp"

#include <gtest/gtest.h>

namespace {

using base::Time;

struct Row {
    std::int64_t ms;
    const char* text;
};

TEST(Times, are_written_with_three_digits) {
    for (auto [ms, text] :
         {Row{0, "1970-01-01T00:00:00.000Z"},
          {1, "1970-01-01T00:00:00.001Z"},
          {1'767'323'045'678, "2026-01-02T03:04:05.678Z"},
          {-1, "1969-12-31T23:59:59.999Z"},
          {951'782'400'000, "2000-02-29T00:00:00.000Z"},
          {253'402'300'799'999, "9999-12-31T23:59:59.999Z"}}) {
        EXPECT_EQ(to_string(Time{ms}), text);
        EXPECT_EQ(base::parse_time(text), Time{ms}) << text;
    }
}

TEST(Times, have_other_forms) {
    EXPECT_EQ(to_string(base::Date{1'767'323'045'678}), "2026-01-02");
    EXPECT_EQ(to_string(base::WholeSeconds{1'767'323'045'678}), "2026-01-02T03:04:05Z");
    EXPECT_EQ(base::http_date({1'767'323'045'678}), "Fri, 02 Jan 2026 03:04:05 GMT");
    EXPECT_EQ(Time{1'767'323'045'678}.midnight(), Time{1'767'312'000'000});
    EXPECT_EQ(Time{-1}.midnight(), Time{-86'400'000});
    EXPECT_EQ(Time{5}.plus_seconds(-2), Time{-1995});
}

TEST(Times, are_read_with_offsets_and_fractions) {
    const Time time{1'767'323'045'000};
    for (auto text :
         {"2026-01-02T03:04:05Z",
          "2026-01-02T03:04:05.000Z",
          "2026-01-02T03:04:05",
          "2026-01-02T04:04:05+01:00",
          "2026-01-02T04:04:05+0100",
          "2026-01-01T22:04:05-05:00",
          "2026-01-02T03:04:05.000000Z",
          "2026-01-02 03:04:05Z"})
        EXPECT_EQ(base::parse_time(text), time) << text;
    EXPECT_EQ(base::parse_time("2026-01-02"), Time{1'767'312'000'000});
}

TEST(Times, that_are_none_are_refused) {
    for (auto text :
         {"",
          "x",
          "2026",
          "2026-13-01",
          "2026-02-30",
          "2025-02-29",
          "2026-01-02T25:00:00Z",
          "2026-01-02T03:61:00Z",
          "2026-01-02T03:04:05ZZ",
          "-2026-01-02",
          "2026-01-02T",
          "99999999999-01-01"})
        EXPECT_FALSE(base::parse_time(text)) << text;
}

TEST(Times, of_http_are_read_and_nothing_like_them) {
    const Time time{784'111'777'000};
    for (auto text :
         {"Sun, 06 Nov 1994 08:49:37 GMT",
          "Sun, 6 Nov 1994 08:49:37 GMT",
          "Sun, 06 Nov 1994 08:49:37 +0000",
          "Sun, 06 Nov 1994 09:49:37 +0100"})
        EXPECT_EQ(base::parse_http_date(text), time) << text;
    for (auto text :
         {"",
          "yesterday",
          "Sun, 06 Nov 1994 08:49:37",
          "Sun, 06 Nov 1994",
          "Sun, 31 Feb 1994 08:49:37 GMT",
          "Sun, 06 Now 1994 08:49:37 GMT",
          "Sun, 06 Nov 1994 25:49:37 GMT",
          "Sun, 06 Nov 1994 08:49:37 GMT and more",
          "Sun, 06-Nov-94 08:49:37 GMT",
          "1994-11-06T08:49:37Z"})
        EXPECT_FALSE(base::parse_http_date(text)) << text;
}

}  // namespace
