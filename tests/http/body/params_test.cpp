// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/params.hpp"

#include "base/errors.hpp"
#include "http/body/multipart.hpp"
#include "http/body/read_params.hpp"
#include "http/body/urlencoded.hpp"

#include <gtest/gtest.h>

namespace {

// `a=1|b[]=2`; an empty list is `a[]`, a file `a@name`.
std::string shown(const http::Params& params) {
    std::string out;
    for (const auto& entry : params.entries()) {
        if (!out.empty()) out += '|';
        out += entry.name;
        if (entry.upload) out += '@' + entry.upload->filename;
        if (!entry.upload && !entry.nothing) out += '=' + entry.value;
    }
    return out;
}

std::string query(std::string_view text) {
    http::Params out;
    http::read_urlencoded(text, out);
    return shown(out);
}

std::string json(std::string_view text) {
    http::Params out;
    try {
        http::read_json(text, out);
    } catch (const base::BadRequest& error) {
        return error.what();
    }
    return shown(out);
}

http::Request request(const char* target, const char* content_type, std::string body) {
    http::Request out;
    out.target = target;
    if (content_type) out.headers.emplace_back("content-type", content_type);
    out.body = std::move(body);
    return out;
}

std::string all(const http::Request& r) {
    http::Params out;
    auto type = r.header("Content-Type");
    auto kind = http::body_kind(type);
    if (kind == http::BodyKind::multipart && !r.body.empty()) {
        http::Multipart parser(type, std::filesystem::temp_directory_path(), out);
        parser.feed(r.body);
        parser.finish();
    }
    http::read_body(kind, r.body, out);
    out.merge(http::read_query(r));
    return shown(out);
}

std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
}

TEST(Params, are_read_from_urlencoded_text) {
    const char* rows[][2] = {
        {"", ""},
        {"a=1&b=2", "a=1|b=2"},
        {"&&a=1&&", "a=1"},
        {"a+b=c+d%2B", "a b=c d+"},
        {"a%5B%5D=%c3%A9", "a[]=é"},
        {"a=%&b=%4&c=%zz&d=%%41", "a=%|b=%4|c=%zz|d=%A"},
        {"a&=b&c=", "c="},
        {"a=b=c", "a=b=c"},
        {"a=x%00y", "a=xy"},
        {"a=%ff%c3%28%ed%a0%80", "a=\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD"},
        {"a=%f0%9f%98%80%f5%80", "a=😀\uFFFD\uFFFD"},
    };
    for (auto [text, expected] : rows) EXPECT_EQ(query(text), expected) << text;
    EXPECT_EQ(http::percent_decoded("a+b%2Fc"), "a+b/c");
    EXPECT_EQ(http::percent_encoded("a-._~ +/[é]"), "a-._~%20%2B%2F%5B%C3%A9%5D");
    EXPECT_EQ(http::read_urlencoded("a=1&b&=2").size(), 1u);
}

TEST(Params, are_read_from_JSON) {
    const char* malformed = "Error occurred while parsing request parameters";
    const char* rows[][2] = {
        {"", ""},
        {" \n", ""},
        {"{}", ""},
        {R"({"a":"x","b":1,"c":true,"d":null,"e":-2.5,"f":18446744073709551615})",
         "a=x|b=1|c=true|d|e=-2.5|f=18446744073709551615"},
        {R"({"a":{"b":{"c":["x","y"]}}})", "a[b][c][]=x|a[b][c][]=y"},
        {R"({"a":[{"b":1},{"b":2}]})", "a[0][b]=1|a[1][b]=2"},
        {R"({"a":[],"b":[null],"c":{},"d":[[1],[]]})", "a[]|b[]|d[0][]=1|d[1][]"},
        {R"({"a":{"b":null},"c":[{"d":null}]})", "a[b]|c[0][d]|c[]"},
        {R"({"a":1e21,"b":1.0,"a":3})", "a=3|b=1"},
        {R"({"a":"\u0000x\u00e9"})", "a=xé"},
        {"{\"a\":\"\xff\"}", "a=\uFFFD"},
        {R"({"poll[options]":["a"]})", "poll[options][]=a"},
        {"[1,2]", ""},
        {"\"a\"", ""},
        {"{", malformed},
        {"{\"a\":1}x", malformed},
        {"a=1", malformed},
        {R"({"a":"\ud800"})", malformed},
    };
    for (auto [text, expected] : rows) EXPECT_EQ(json(text), expected) << text;
}

TEST(Params, are_bounded) {
    const char* many = "The request has too many parameters";
    EXPECT_EQ(json("{\"a\":[" + repeated("1,", 100'000) + "1]}"), many);
    EXPECT_EQ(json("{\"a\":[" + repeated("{\"b\":1},", 100'000) + "1]}"), many);
    EXPECT_EQ(json("{\"a\":[" + repeated("null,", 100'000) + "1]}"), "a[]=1");
    EXPECT_THROW(query(repeated("a[]=1&", 100'000)), base::BadRequest);
    EXPECT_NO_THROW(query(repeated("a[]=1&", 10'000)));
    EXPECT_EQ(query(repeated("&", 100'000)), "");

    EXPECT_NO_THROW(query("a" + repeated("[b]", 8) + "=1"));
    EXPECT_THROW(query("a" + repeated("[b]", 9) + "=1"), base::BadRequest);
    EXPECT_EQ(json(repeated("{\"a\":", 9) + "1" + repeated("}", 9)), "a" + repeated("[a]", 8) + "=1");
    EXPECT_EQ(
        json(repeated("{\"a\":", 10) + "1" + repeated("}", 10)), "The parameters are nested too deeply"
    );
    EXPECT_EQ(json(repeated("{\"a\":", 100'000)), "Error occurred while parsing request parameters");

    EXPECT_NO_THROW(query(std::string(1024, 'a') + "=1"));
    EXPECT_THROW(query(std::string(1025, 'a') + "=1"), base::BadRequest);
}

TEST(Params, of_the_path_win) {
    http::Params params;
    http::read_urlencoded("id=1&id[]=2&id[a][b]=3&idx=4&id=5", params);
    params.set("id", "9");
    EXPECT_EQ(shown(params), "idx=4|id=9");
}

TEST(Params, of_the_body_hide_those_of_the_query) {
    const char* form = "application/x-www-form-urlencoded; charset=utf-8";
    EXPECT_EQ(all(request("/a?x=1&y=2&y[]=3", form, "y=4")), "y=4|x=1");
    EXPECT_EQ(all(request("/a?x=1", "Application/JSON ;charset=utf-8", R"({"y":["4"]})")), "y[]=4|x=1");
    EXPECT_EQ(all(request("/a?x=1", "text/plain", "y=4")), "x=1");
    EXPECT_EQ(all(request("/a?x=1", nullptr, "x=4")), "x=4") << "a form, where nothing is said of it";
    EXPECT_EQ(all(request("/a?x=1", "text/plain", R"({"y":4})")), "x=1");
    EXPECT_EQ(all(request("/a?x=1", "application/activity+json", R"({"y":4})")), "x=1");
    EXPECT_EQ(all(request("/a?x=1", "multipart/form-data", "")), "x=1");
    EXPECT_EQ(all(request("/a", "application/json", "")), "");
    EXPECT_THROW(all(request("/a", "multipart/form-data", "x")), base::BadRequest);
}

TEST(Params, keep_their_place_when_their_value_is_replaced) {
    http::Params params;
    http::read_urlencoded("a[][id]=1&a[][b]=x&a[][id]=2&a[][b]=y&c=1", params);
    params.add_empty_list("id");
    params.replace([](const http::Params::Entry& entry) -> std::optional<std::string> {
        if (entry.name.find("id") == entry.name.npos) return std::nullopt;
        return '<' + entry.value + '>';
    });
    EXPECT_EQ(shown(params), "a[][id]=<1>|a[][b]=x|a[][id]=<2>|a[][b]=y|c=1|id[]");
}

TEST(Params, group_objects_as_Rails_does) {
    http::Params params;
    http::read_urlencoded(
        "x[][a]=1&x[][b][]=2&x[][b][]=3&x[][a]=4&x[k][a]=5&x[][c][d]=6&x[]=7&x[k]=8", params
    );
    auto items = params.items("x");
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(shown(items[0]), "a=1|b[]=2|b[]=3");
    EXPECT_EQ(shown(items[1]), "a=4|c[d]=6");
    EXPECT_EQ(shown(items[2]), "a=5");
}

}  // namespace
