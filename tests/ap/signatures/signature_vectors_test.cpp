// SPDX-License-Identifier: AGPL-3.0-or-later
// The shared vectors of HTTP signatures, judged one by one.
#include "ap/signatures/signature_cases.hpp"
#include "ap/signatures/signature_parts.hpp"
#include "ap/vectors.hpp"
#include "base/signing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace {

namespace json = boost::json;

json::object file_of(const std::string& name) { return cases::read_file(vectors::folder() + "/" + name); }

void expect_all(const std::string& name, std::size_t count) {
    const auto outcomes = cases::judge(file_of(name));
    EXPECT_EQ(outcomes.size(), count);
    for (const auto& one : outcomes)
        EXPECT_TRUE(one.ok) << name << ": " << one.name << ": " << one.verdict << " " << one.reason;
}

TEST(SignatureVectors, of_drafts_as_peers_send_them_are_judged_as_expected) {
    expect_all("http-signatures/cavage-fediverse.json", 44);
}

TEST(SignatureVectors, of_rfc_9421_as_peers_send_them_are_judged_as_expected) {
    expect_all("http-signatures/rfc9421-fediverse.json", 25);
}

TEST(SignatureVectors, that_mastodon_accepts_are_accepted) {
    expect_all("http-signatures/mastodon-known-good.json", 5);
}

TEST(SignatureVectors, of_the_draft_are_arithmetically_right_and_their_weak_ones_refused) {
    expect_all("http-signatures/cavage-12-appendix-c.json", 3);
    EXPECT_FALSE(ap::PublicKey::from_pem(
        cases::text(file_of("http-signatures/cavage-12-appendix-c.json"), "public_key_pem")
    ));
}

TEST(SignatureVectors, of_rfc_9421_itself_have_the_same_signature_base) {
    expect_all("http-signatures/rfc9421-appendix-b.json", 12);
}

TEST(SignatureVectors, of_object_integrity_proofs_are_judged_as_expected) {
    expect_all("object-integrity-proofs/eddsa-jcs-2022.json", 12);
    expect_all("object-integrity-proofs/multikey.json", 10);
}

TEST(SignatureVectors, name_the_text_that_was_signed_and_the_status_of_a_refusal) {
    for (auto name : {"cavage-fediverse.json", "rfc9421-fediverse.json"}) {
        const auto file = file_of(std::string("http-signatures/") + name);
        for (const auto& value : file.at("cases").as_array()) {
            const auto& one = value.as_object();
            const auto request =
                cases::request_of(one.at("request").as_object(), cases::text(file, "local_host"));
            const auto reading = ap::read_signature(request.signed_request(), cases::time_in(one, {}));
            if (cases::text(one, "expect") == "accept") {
                const auto expected = cases::text(one, "signing_string") + cases::text(one, "signature_base");
                ASSERT_EQ(reading.claims.size(), 1u) << cases::text(one, "name");
                EXPECT_THAT(reading.claims[0].texts, testing::Contains(expected)) << cases::text(one, "name");
            } else if (reading.claims.empty() && one.contains("status")) {
                // RFC 9530 leaves no doubt that a digest without colons is malformed.
                const bool malformed = cases::text(one, "why").find("answers 400") != std::string::npos;
                EXPECT_EQ(reading.refusal.status, malformed ? 400 : one.at("status").as_int64())
                    << cases::text(one, "name");
                EXPECT_NE(reading.refusal.sentence, "");
            }
        }
    }
}

TEST(SignatureVectors, are_what_our_own_keys_sign) {
    const auto file = file_of("http-signatures/cavage-fediverse.json");
    const auto key = ap::PrivateKey::from_pem(cases::text(file, "private_key_pem")).value();
    const std::string key_id = "https://peer.example/users/alice#main-key";
    int compared = 0;
    for (const auto& value : file.at("cases").as_array()) {
        const auto& one = value.as_object();
        if (cases::text(one, "expect") != "accept") continue;
        const auto request =
            cases::request_of(one.at("request").as_object(), cases::text(file, "local_host"));
        const auto reading = ap::read_signature(request.signed_request(), cases::time_in(one, {}));
        EXPECT_EQ(key.sign(cases::text(one, "signing_string")), reading.claims.at(0).signature)
            << cases::text(one, "name");

        if (cases::text(one, "name").find("as Mastodon does") == std::string::npos) continue;
        ap::Headers plain;
        for (const auto& header : request.headers)
            if (header.first == "Content-Type" || header.first == "Accept") plain.push_back(header);
        const auto ours = ap::sign_draft(
            {request.method, request.target, request.origin, plain, request.body},
            {key, key_id},
            cases::time_in(one, {})
        );
        for (auto name : {"date", "digest", "signature"})
            EXPECT_EQ(ap::parts::header_value(ours, name), ap::parts::header_value(request.headers, name))
                << name;
        ++compared;
    }
    EXPECT_EQ(compared, 2);
}

TEST(SignatureVectors, of_rfc_9421_are_what_our_own_keys_sign) {
    const auto file = file_of("http-signatures/rfc9421-fediverse.json");
    const auto key =
        ap::PrivateKey::from_pem(cases::text(file.at("private_keys_pem").as_object(), "rsa")).value();
    int compared = 0;
    for (const auto& value : file.at("cases").as_array()) {
        const auto& one = value.as_object();
        if (cases::text(one, "name").find("as Mastodon sends") == std::string::npos) continue;
        const auto request = cases::request_of(one.at("request").as_object(), "");
        ap::Headers plain;
        for (const auto& header : request.headers)
            if (header.first == "Content-Type") plain.push_back(header);
        const auto ours = ap::sign_rfc9421(
            {request.method, request.target, request.origin, plain, request.body},
            {key, "https://peer.example/users/alice#main-key"},
            cases::time_in(one, {})
        );
        for (auto name : {"content-digest", "signature-input", "signature"})
            EXPECT_EQ(ap::parts::header_value(ours, name), ap::parts::header_value(request.headers, name))
                << name;
        ++compared;
    }
    EXPECT_EQ(compared, 2);
}

}  // namespace
