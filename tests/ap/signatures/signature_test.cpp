// SPDX-License-Identifier: AGPL-3.0-or-later
// What we sign, and what of it others and we ourselves read. Attacks are in signature_attacks_test.cpp.
#include "ap/signatures/signed_message.hpp"

#include <gtest/gtest.h>

namespace {

using namespace stage;
using ap::Scheme;

constexpr Scheme both[] = {Scheme::draft, Scheme::rfc9421};

TEST(Signatures, that_we_make_are_accepted) {
    for (auto scheme : both)
        for (auto method : {"POST", "GET", "PUT", "DELETE", "HEAD"}) {
            const auto message = sent(scheme, method);
            EXPECT_EQ(fault(message), "") << method;
            const auto claim = ap::read_signature(message.view(), now).claims.at(0);
            EXPECT_EQ(claim.scheme, scheme);
            EXPECT_EQ(claim.key_id, alice);
        }
}

TEST(Signatures, cover_the_headers_that_are_to_arrive_unchanged) {
    const ap::Headers extra = {
        {"Collection-Synchronization", "collectionId=\"a\""}, {"Accept", "application/activity+json"}
    };
    for (auto scheme : both) {
        const auto message = sent(scheme, "POST", extra);
        EXPECT_EQ(fault(message), "");
        EXPECT_EQ(fault(message.with("Accept", "text/html")), "");
        EXPECT_NE(fault(message.with("Collection-Synchronization", "collectionId=\"b\"")), "");
        EXPECT_NE(fault(message.without("Collection-Synchronization")), "");
    }
}

TEST(Signatures, of_drafts_cover_what_peers_demand) {
    const auto post = sent(Scheme::draft, "POST", {{"Content-Type", "application/activity+json"}});
    EXPECT_NE(
        post.header("signature").find("headers=\"host date digest content-type (request-target)\""),
        std::string::npos
    );
    EXPECT_EQ(post.header("date"), "Sun, 01 Mar 2026 12:00:00 GMT");
    EXPECT_EQ(post.header("digest"), ap::digest(post.body));
    const auto get = sent(Scheme::draft, "GET");
    EXPECT_NE(get.header("signature").find("headers=\"host date (request-target)\""), std::string::npos);
    EXPECT_EQ(get.header("digest"), "");
}

TEST(Signatures, are_for_the_host_with_its_unusual_port) {
    for (auto scheme : both) {
        Message message;
        message.origin = "https://local.example:8443";
        message.headers = scheme == Scheme::draft
                              ? ap::sign_draft(message.view(), {key_of_alice(), alice}, now)
                              : ap::sign_rfc9421(message.view(), {key_of_alice(), alice}, now);
        EXPECT_EQ(fault(message.with("Host", "local.example:8443")), "");
        if (scheme == Scheme::draft) EXPECT_NE(fault(message.with("Host", "local.example")), "");
        message.origin = "https://local.example";
        EXPECT_NE(fault(message.with("Host", "local.example")), "");
    }
}

TEST(Signatures, of_old_peers_leave_out_the_query) {
    auto message = draft_over(plain("GET"), {"(request-target)", "host", "date"});
    message.target += "?page=true";
    EXPECT_EQ(fault(message), "");
    auto with_query = plain("GET");
    with_query.target += "?page=true";
    with_query = draft_over(with_query, {"(request-target)", "host", "date"});
    EXPECT_EQ(fault(with_query), "");
    with_query.target = "/bob/inbox?page=false";
    EXPECT_EQ(fault(with_query), "It does not hold");
    with_query.target = "/bob/inbox";
    EXPECT_EQ(fault(with_query), "It does not hold");
}

TEST(Signatures, with_several_labels_need_one_that_holds) {
    const auto one = rfc_over(plain(), {"@method", "@target-uri", "content-digest"});
    const auto input = one.header("signature-input"), value = one.header("signature");
    const std::string other =
        "(\"@method\" \"@target-uri\" \"content-digest\");created=1772366400;keyid=\"https://x.example/#k\"";
    EXPECT_EQ(
        fault(one.with("Signature-Input", "a=" + other + ", " + input).with("Signature", "a=:AAAA:, " + value)
        ),
        ""
    );
    EXPECT_EQ(fault(one.with("Signature-Input", input + ", a=(\"@status\")").with("Signature", value)), "");
    const auto many = one.with("Signature-Input", input + ", a=" + other + ", b=" + other + ", c=" + other);
    EXPECT_NE(fault(many), "");
    EXPECT_EQ(ap::read_signature(many.view(), now).refusal.status, 400);
}

TEST(Signatures, that_cannot_be_read_are_refused_with_400_or_401) {
    const auto good = sent(Scheme::rfc9421);
    const auto status = [](const Message& message) {
        const auto reading = ap::read_signature(message.view(), now);
        EXPECT_TRUE(reading.claims.empty());
        EXPECT_NE(reading.refusal.sentence, "");
        return reading.refusal.status;
    };
    EXPECT_EQ(status(plain()), 401);
    EXPECT_EQ(status(plain().with("Signature", "keyId")), 401);
    for (auto input :
         {"", "sig1", "sig1=(", "sig1=()x", "sig1=(\"@method\" \"@target-uri\";created", "SIG=()", "a=(),a=()"
         })
        EXPECT_TRUE(status(good.with("Signature-Input", input)) >= 400) << input;
    EXPECT_EQ(status(good.with("Signature-Input", "sig1=(")), 400);
    EXPECT_EQ(status(good.with("Signature", "sig1=:###:")), 400);
    EXPECT_EQ(status(good.with("Content-Digest", "sha-256=" + base::base64(base::sha256(good.body)))), 400);
    EXPECT_EQ(status(good.with("Signature", "sig2=:AAAA:")), 401);
}

TEST(AcceptSignature, is_honoured_with_its_label_and_its_wishes) {
    const auto requested = ap::read_accept_signature(
        R"(fetch-1=("@method" "@target-uri" "@authority" "date" "content-digest" "x-absent");keyid;created;expires;nonce="n\"1";tag="t")"
    );
    ASSERT_TRUE(requested);
    const auto message = sent(Scheme::rfc9421, "POST", {}, &*requested);
    EXPECT_EQ(
        message.header("signature-input"),
        R"(fetch-1=("@method" "@target-uri" "content-digest" "@authority" "date");created=1772366400;keyid=")" +
            alice + R"(";expires=1772366700;nonce="n\"1";tag="t")"
    );
    EXPECT_TRUE(message.header("signature").starts_with("fetch-1=:"));
    EXPECT_EQ(fault(message), "");
    EXPECT_EQ(fault(sent(Scheme::rfc9421, "GET", {}, &*requested)), "");
}

TEST(AcceptSignature, never_makes_us_cover_less) {
    const auto requested = ap::read_accept_signature(R"(a=("date");created)");
    ASSERT_TRUE(requested);
    EXPECT_TRUE(sent(Scheme::rfc9421, "POST", {}, &*requested)
                    .header("signature-input")
                    .starts_with(R"(a=("@method" "@target-uri" "content-digest" "date");)"));
}

TEST(AcceptSignature, that_asks_for_what_we_cannot_give_is_passed_over) {
    for (auto header :
         {"",
          "x",
          "a=1",
          "a=(",
          "a=(\"@status\")",
          "a=(\"date\";req)",
          "a=(\"@query-param\";name=\"x\")",
          "a=(\"@method\" \"@method\")",
          "a=(date)",
          "a=(\"Date\")",
          "a=(\"@method\");alg=\"ed25519\"",
          "a=(\"@method\");alg=\"hmac-sha256\""})
        EXPECT_FALSE(ap::read_accept_signature(header)) << header;
    EXPECT_EQ(ap::read_accept_signature("a=(\"@status\"), b=(\"@method\")")->label, "b");
}

}  // namespace
