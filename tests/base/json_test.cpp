// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"

#include "base/json_read.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using base::json::to_string;

BOOST_DEFINE_ENUM_CLASS(Colour, red, private_)

struct Inner {
    std::int64_t n = 0;
    std::string s;
};
DESCRIBE(Inner, n, s)

struct Everything {
    base::AccountId id;
    bool flag = false;
    double real = 0;
    std::string text;
    Colour colour = Colour::red;
    base::Time time;
    std::optional<std::string> maybe;
    std::vector<Inner> list;
    Inner inner;
};
DESCRIBE(Everything, id, flag, real, text, colour, time, maybe, list, inner)

struct Written {
    base::json::Omit<std::string> left_out, given;
    base::json::Raw raw;
    base::json::Spread<Inner> spread;
    base::json::SpreadRaw more, nothing;
    base::Date date;
    base::WholeSeconds seconds;
    std::map<std::string, int> map;
};
DESCRIBE(Written, left_out, given, raw, spread, more, nothing, date, seconds, map)

TEST(Json, escapes_wherever_it_stands_in_a_long_text) {
    const std::string text(70, 'x');
    for (std::size_t at = 0; at < text.size(); ++at) {
        auto with = text;
        with[at] = '"';
        EXPECT_EQ(
            base::json::to_string(with), "\"" + text.substr(0, at) + "\\\"" + text.substr(at + 1) + "\""
        );
    }
    EXPECT_EQ(base::json::to_string(text), "\"" + text + "\"");
}

TEST(Json, has_a_wire_form_for_every_member) {
    Everything e{
        {5},
        true,
        0.5,
        "a\"b\\\n\x01",
        Colour::private_,
        {1'767'225'600'123},
        std::nullopt,
        {{1, "x"}},
        {2, "é"}
    };
    EXPECT_EQ(
        to_string(e),
        R"({"id":"5","flag":true,"real":0.5,"text":"a\"b\\\n\u0001","colour":"private",)"
        R"("time":"2026-01-01T00:00:00.123Z","maybe":null,"list":[{"n":1,"s":"x"}],"inner":{"n":2,"s":"é"}})"
    );
}

TEST(Json, leaves_out_spreads_and_takes_raw_text) {
    Written w{
        {},
        {std::string("g")},
        {"[1]"},
        {{3, "s"}},
        {"\"m\":1"},
        {""},
        {1'767'225'600'000},
        {1'767'225'600'999},
        {{"k", 1}}
    };
    EXPECT_EQ(
        to_string(w),
        R"({"given":"g","raw":[1],"n":3,"s":"s","m":1,"date":"2026-01-01","seconds":"2026-01-01T00:00:00Z","map":{"k":1}})"
    );
}

TEST(Json, reads_back_what_it_wrote) {
    Everything e{
        {-5},
        true,
        -1.25,
        std::string("tab\t / \x7f \xf0\x9f\x90\xa6"),
        Colour::private_,
        {1},
        "m",
        {{1, ""}, {2, "y"}},
        {INT64_MIN, "z"}
    };
    auto back = base::json::read<Everything>(to_string(e));
    EXPECT_EQ(to_string(back), to_string(e));
    EXPECT_THROW(base::json::read<Everything>("{"), std::runtime_error);
}

TEST(Json, escapes_all_that_must_be) {
    for (int c = 0; c < 128; ++c) {
        std::string text(1, static_cast<char>(c)), json = to_string(text);
        EXPECT_EQ(base::json::read<std::string>(json), text) << c;
        for (char out : json) EXPECT_GE(out, 0x20) << c;
    }
}

TEST(Json, never_writes_a_number_that_is_none) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (double d : {std::nan(""), infinity, -infinity}) {
        auto text = to_string(d);
        EXPECT_NO_THROW(base::json::parse(text)) << text;
    }
}

}  // namespace
