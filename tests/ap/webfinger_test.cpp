// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/webfinger.hpp"

#include "ap/vectors.hpp"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>

namespace {

using namespace ap;
namespace json = boost::json;

TEST(Handles, are_read_in_all_their_forms) {
    for (auto text : {"acct:alice@a.test", "@alice@a.test", "alice@A.Test", "ACCT:alice@a.test."}) {
        auto handle = parse_handle(text);
        ASSERT_TRUE(handle) << text;
        EXPECT_EQ(handle->text(), "alice@a.test");
    }
    EXPECT_EQ(parse_handle("x@127.0.0.1:3000")->domain, "127.0.0.1:3000");
    EXPECT_EQ(parse_handle("x@münchen.test")->domain, "xn--mnchen-3ya.test");
    for (auto none :
         {"",
          "alice",
          "alice@",
          "@a.test",
          "acct:",
          "a b@a.test",
          "alice@a.test/path",
          "alice@b.test@a.test",
          "alice@a.test?x",
          "al<i>ce@a.test",
          "-alice@a.test"})
        EXPECT_FALSE(parse_handle(none)) << none;
}

TEST(Webfinger, answers_are_read_as_the_shared_cases_want) {
    auto cases = vectors::read("webfinger/cases.json");
    for (const auto& value : cases.at("read").as_array()) {
        const auto& one = value.as_object();
        auto name = vectors::string_of(value, "name");
        int asked = 0;
        auto found =
            look_up(*parse_handle(vectors::string_of(value, "asked")), [&](const std::string& url) -> Answer {
                ++asked;
                auto* answer = one.at("answers").as_object().if_contains(url);
                if (!answer) return {};
                auto* body = answer->as_object().if_contains("body");
                return {
                    static_cast<int>(answer->at("status").as_int64()),
                    body ? json::serialize(*body) : vectors::string_of(*answer, "text")
                };
            });
        EXPECT_LE(asked, 3) << name;
        if (one.at("result").is_null()) {
            EXPECT_NE(found.outcome, Found::found) << name;
            EXPECT_EQ(found.outcome == Found::gone, one.contains("effect")) << name;
        } else {
            EXPECT_EQ(found.outcome, Found::found) << name;
            EXPECT_EQ(found.handle.text(), vectors::string_of(one.at("result"), "handle")) << name;
            EXPECT_EQ(found.actor, vectors::string_of(one.at("result"), "actor")) << name;
        }
    }
}

Answer jrd(const std::string& subject, const std::string& self) {
    return {
        200,
        R"({"subject":")" + subject +
            R"(","links":[{"rel":"self","type":"application/activity+json","href":")" + self + "\"}]}"
    };
}

TEST(Webfinger, a_handle_that_is_gone_elsewhere_is_not_gone_here) {
    auto found = look_up({"bob", "b.test"}, [](const std::string& url) -> Answer {
        return url.starts_with("https://b.test/") ? jrd("acct:alice@a.test", "https://a.test/alice")
                                                  : Answer{410, ""};
    });
    EXPECT_EQ(found.outcome, Found::failed);
}

TEST(Webfinger, somebody_elses_handle_must_confirm_itself) {
    auto found = look_up({"bob", "evil.test"}, [](const std::string& url) -> Answer {
        if (url.starts_with("https://evil.test/")) return jrd("acct:alice@a.test", "https://evil.test/bob");
        return jrd("acct:alice@a.test", "https://a.test/alice");
    });
    EXPECT_EQ(found.actor, "https://a.test/alice") << "what alice's own domain says, not what evil.test does";
}

TEST(Webfinger, host_meta_is_read_as_xml_and_as_json) {
    EXPECT_EQ(
        lrdd_template("<?xml version='1.0'?><hm:XRD><hm:Link rel = 'lrdd' type='x' "
                      "template='https://a.test/f?a=1&amp;r={uri}'/></hm:XRD>"),
        "https://a.test/f?a=1&r={uri}"
    );
    EXPECT_EQ(
        lrdd_template(R"({"links":[{"rel":"x"},{"rel":"lrdd","template":"https://a.test/f?r={uri}"}]})"),
        "https://a.test/f?r={uri}"
    );
    for (auto none :
         {"", "<XRD>", "<Link rel='lrdd'", "<Link rel='other' template='https://a.test/{uri}'/>", "{}", "[1]"
         })
        EXPECT_EQ(lrdd_template(none), "") << none;
}

}  // namespace
