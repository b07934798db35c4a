// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/proof.hpp"

#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/followers_digest.hpp"
#include "ap/signatures/key.hpp"
#include "ap/signatures/signature_cases.hpp"
#include "ap/vectors.hpp"
#include "base/crypto.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <bit>

namespace {

namespace json = boost::json;
using cases::text;

json::object file_of(const std::string& name) { return cases::read_file(vectors::folder() + "/" + name); }

json::value exact(std::string_view source) { return ap::parse_exactly(source).value(); }

TEST(CanonicalJson, is_that_of_the_rfc) {
    const auto file = file_of("jcs/rfc8785.json");
    for (const auto& one : file.at("cases").as_array())
        EXPECT_EQ(
            base::hex(ap::jcs(exact(text(one.as_object(), "input_text")))),
            text(one.as_object(), "output_hex")
        ) << text(one.as_object(), "name");
    EXPECT_EQ(file.at("cases").as_array().size(), 6u);
}

TEST(CanonicalJson, writes_numbers_as_ecmascript_and_reads_them_exactly) {
    const auto file = file_of("jcs/numbers.json");
    std::size_t count = 0;
    for (const auto& one : file.at("numbers").as_array()) {
        const auto bits = std::stoull(std::string(one.at(0).as_string()), nullptr, 16);
        const std::string expected(one.at(1).as_string());
        EXPECT_EQ(ap::jcs_number(std::bit_cast<double>(bits)), expected);
        EXPECT_EQ(ap::jcs(exact(expected)), expected);
        ++count;
    }
    EXPECT_GT(count, 100u);
}

TEST(CanonicalJson, sorts_names_by_utf_16_and_escapes_only_what_must_be) {
    EXPECT_EQ(
        ap::jcs(exact(R"({"\ufb33":1,"\ud83d\ude02":2,"b":{"z":[],"a":{}},"a":"\u0000\u001f\u007f/\"\\"})")),
        "{\"a\":\"\\u0000\\u001f\x7f/"
        "\\\"\\\\\",\"b\":{\"a\":{},\"z\":[]},\"\xf0\x9f\x98\x82\":2,\"\xef\xac\xb3\":1}"
    );
    EXPECT_EQ(
        ap::jcs(exact("[-0, -0.0, 1e0, 9007199254740993, 18446744073709551615]")),
        "[0,0,1,9007199254740992,18446744073709552000]"
    );
}

TEST(ExactJson, refuses_what_is_no_json_or_nested_too_deep) {
    for (auto source : {"", "{", "{}x", "{\"a\":1,}", "[1 2]", "\"\xff\"", "\"\\ud800\"", "01", "nul", "NaN"})
        EXPECT_FALSE(ap::parse_exactly(source)) << source;
    EXPECT_TRUE(ap::parse_exactly(std::string(32, '[') + std::string(32, ']')));
    EXPECT_FALSE(ap::parse_exactly(std::string(33, '[') + std::string(33, ']')));
    EXPECT_FALSE(ap::parse_exactly(std::string(100'000, '[')));
    EXPECT_EQ(exact(R"({"a":[1,-1,1.5,true,null,"x"]})"), json::parse(R"({"a":[1,-1,1.5,true,null,"x"]})"));
}

TEST(Multibase, turns_bytes_into_text_and_back) {
    for (auto bytes : {std::string("\0\0\x01", 3), std::string("Hello World!"), std::string(200, '\xff')})
        EXPECT_EQ(ap::from_multibase(ap::to_multibase(bytes)), bytes);
    EXPECT_EQ(ap::to_multibase("Hello World!"), "z2NEpo7TZRRrLZSi2U");
    for (auto none : {"", "z", "x2NEpo7", "z0", "zO", "zI", "zl", "u+/", "uQQ=="})
        EXPECT_FALSE(ap::from_multibase(none)) << none;
    EXPECT_FALSE(ap::from_multibase("z" + std::string(100'000, '2')));
}

// A document with a proof that holds, and its key.
struct Proven {
    json::object document;
    ap::PublicKey key;
};

Proven proven() {
    const auto file = file_of("object-integrity-proofs/eddsa-jcs-2022.json");
    const auto& one = file.at("cases").as_array().at(2).as_object();
    return {
        one.at("signed").as_object(), ap::PublicKey::from_multikey(text(one, "public_key_multibase")).value()
    };
}

constexpr base::Time now{1'772'366'400'000};

bool is_proven(const json::object& document, const ap::PublicKey& key) {
    const auto reading = ap::read_proof(document, now);
    return reading.claim && ap::holds(*reading.claim, key);
}

TEST(Proofs, name_the_key_to_look_up) {
    const auto reading = ap::read_proof(proven().document, now);
    ASSERT_TRUE(reading.claim);
    EXPECT_EQ(reading.claim->verification_method, "https://server.example/users/alice#ed25519-key");
}

TEST(Proofs, hash_what_the_standard_hashes) {
    const auto file = file_of("object-integrity-proofs/eddsa-jcs-2022.json");
    const auto& one = file.at("cases").as_array().at(0).as_object();
    const auto reading = ap::read_proof(one.at("signed").as_object(), now);
    ASSERT_TRUE(reading.claim);
    EXPECT_EQ(base::hex(reading.claim->signed_bytes), text(one, "combined_hash_hex"));
    EXPECT_EQ(base::hex(reading.claim->signature), text(one, "signature_hex"));
    EXPECT_EQ(ap::jcs(one.at("unsigned")), text(one, "canonical_document"));
}

TEST(Proofs, cover_every_member_of_the_document_and_of_their_own_options) {
    const auto whole = proven();
    ASSERT_TRUE(is_proven(whole.document, whole.key));
    for (const auto& member : whole.document) {
        if (member.key() == "proof") continue;
        auto without = whole.document;
        without.erase(member.key());
        EXPECT_FALSE(is_proven(without, whole.key)) << member.key();
    }
    for (const auto& member : whole.document.at("proof").as_object()) {
        auto without = whole.document;
        without.at("proof").as_object().erase(member.key());
        EXPECT_FALSE(is_proven(without, whole.key)) << member.key();
    }
    auto more = whole.document;
    more["content"] = "more";
    EXPECT_FALSE(is_proven(more, whole.key));
    auto another = whole.document;
    another.at("proof").as_object()["nonce"] = "x";
    EXPECT_FALSE(is_proven(another, whole.key));
}

TEST(Proofs, attack_8_with_any_bit_of_their_value_changed_do_not_hold) {
    const auto whole = proven();
    const auto value = text(whole.document.at("proof").as_object(), "proofValue");
    for (std::size_t bit = 0; bit < value.size() * 8; ++bit) {
        auto changed = value;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
        auto document = whole.document;
        document.at("proof").as_object()["proofValue"] = changed;
        EXPECT_FALSE(is_proven(document, whole.key)) << changed;
    }
}

TEST(Proofs, may_be_one_of_several_and_are_nothing_to_a_key_of_another_kind) {
    auto whole = proven();
    const auto one = whole.document.at("proof");
    whole.document["proof"] = json::array{json::object{{"type", "Other"}}, 1, one};
    EXPECT_TRUE(is_proven(whole.document, whole.key));
    EXPECT_FALSE(is_proven(whole.document, ap::PrivateKey::new_rsa().public_key()));
}

TEST(Proofs, of_strange_shapes_are_refused) {
    for (auto source :
         {R"({})",
          R"({"proof":null})",
          R"({"proof":"x"})",
          R"({"proof":[]})",
          R"({"proof":{"type":["DataIntegrityProof"],"cryptosuite":"eddsa-jcs-2022"}})",
          R"({"proof":{"type":"DataIntegrityProof","cryptosuite":"eddsa-jcs-2022"}})",
          R"({"proof":{"type":"DataIntegrityProof","cryptosuite":"eddsa-jcs-2022","proofPurpose":"assertionMethod",
              "verificationMethod":{"id":"https://a.example/#k"},"proofValue":"z1"}})",
          R"({"proof":{"type":"DataIntegrityProof","cryptosuite":"eddsa-jcs-2022","proofPurpose":"assertionMethod",
              "verificationMethod":"https://a.example/#k","proofValue":"z1"}})",
          R"({"proof":{"type":"DataIntegrityProof","cryptosuite":"eddsa-jcs-2022","proofPurpose":"assertionMethod",
              "verificationMethod":"https://a.example/#k","expires":12,
              "proofValue":"z2HnFSSPPBzR36zdDgK8PbEHeXbR56YF24jwMpt3R1eHXQzJDMWS93FCzpvJpwTWd3GAVFuUfjoJdcnTMuVor51aX"}})"
         }) {
        const auto reading = ap::read_proof(exact(source).as_object(), now);
        EXPECT_FALSE(reading.claim) << source;
        EXPECT_NE(reading.refusal, "") << source;
    }
}

TEST(FollowersDigests, are_those_of_fep_8fcf) {
    const auto file = file_of("followers-synchronization.json");
    for (const auto& value : file.at("cases").as_array()) {
        const auto& one = value.as_object();
        ap::FollowersDigest digest;
        json::array partial;
        for (const auto& id : one.at("followers").as_array())
            if (std::string_view(id.as_string()).starts_with(text(one, "for_origin") + "/")) {
                digest.toggle(std::string_view(id.as_string()));
                partial.push_back(id);
            }
        EXPECT_EQ(partial, one.at("partial").as_array());
        EXPECT_EQ(digest.hex(), text(one, "digest"));
        if (!one.contains("header")) continue;
        const auto header = ap::read_synchronization(text(one, "header"));
        ASSERT_TRUE(header);
        EXPECT_EQ(header->digest, text(one, "digest"));
        EXPECT_EQ(header->collection_id, "https://example.org/users/1/followers");
        EXPECT_EQ(header->url, "https://example.org/users/1/followers_synchronization");
        EXPECT_EQ(ap::to_header(*header), text(one, "header"));
    }
}

TEST(FollowersDigests, forget_an_id_that_is_taken_out_again) {
    ap::FollowersDigest digest;
    digest.toggle("https://a.example/1");
    const auto one = digest.hex();
    digest.toggle("https://a.example/2");
    EXPECT_NE(digest.hex(), one);
    digest.toggle("https://a.example/2");
    EXPECT_EQ(digest.hex(), one);
    digest.toggle("https://a.example/1");
    EXPECT_EQ(digest.hex(), std::string(64, '0'));
}

TEST(FollowersDigests, in_headers_that_cannot_be_read_are_ignored) {
    const std::string digest(64, 'a');
    for (auto header :
         {std::string(),
          std::string("x"),
          std::string("collectionId=\"a\", url=\"b\""),
          "collectionId=\"a\", url=\"b\", digest=\"" + digest + "0\"",
          "collectionId=\"a\", url=\"b\", digest=\"" + digest.substr(1) + "g\"",
          "collectionId=\"a\", collectionId=\"c\", url=\"b\", digest=\"" + digest + "\"",
          "url=\"b\", digest=\"" + digest + "\""})
        EXPECT_FALSE(ap::read_synchronization(header)) << header;
}

}  // namespace
