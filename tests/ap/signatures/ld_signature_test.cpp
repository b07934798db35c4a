// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/ld_signature.hpp"

#include "ap/ld/context.hpp"
#include "ap/ld/signed.hpp"
#include "ap/ld/to_rdf.hpp"
#include "ap/vectors.hpp"
#include "base/crypto.hpp"

#include <gmock/gmock.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace {

using ap::ld::Verdict;
using boost::json::object;
using json = boost::json::value;

constexpr base::Time noon{1'772'366'400'000};  // 2026-03-01T12:00:00Z
constexpr std::string_view key_id = "https://peer.example/users/alice#main-key";

object parsed(std::string_view text) { return boost::json::parse(text).as_object(); }

std::string n_quads(const object& document) {
    ap::ld::Work work;
    return ap::ld::canonical(ap::ld::to_rdf(ap::ld::expand_signed(document, work), work));
}

const ap::PrivateKey& alice() {
    static const auto key = ap::PrivateKey::new_rsa();
    return key;
}

object note() {
    return parsed(R"({
        "@context": ["https://www.w3.org/ns/activitystreams", {"sensitive": "as:sensitive", "Hashtag": "as:Hashtag"}],
        "id": "https://peer.example/users/alice/statuses/1/activity",
        "type": "Create",
        "actor": "https://peer.example/users/alice",
        "to": ["https://www.w3.org/ns/activitystreams#Public"],
        "cc": "https://peer.example/users/alice/followers",
        "object": {
            "id": "https://peer.example/users/alice/statuses/1",
            "type": "Note",
            "attributedTo": "https://peer.example/users/alice",
            "summary": null,
            "content": "<p>one\ttwo</p>",
            "contentMap": {"zh-TW": "<p>one\ttwo</p>"},
            "published": "2026-03-01T12:00:00Z",
            "sensitive": false,
            "to": "as:Public",
            "tag": [
                {"type": "Mention", "href": "https://local.example/users/bob", "name": "@bob"},
                {"type": "Hashtag", "href": "https://peer.example/tags/a", "name": "#a"}
            ],
            "attachment": []
        }
    })");
}

object signed_note() { return ap::ld::sign(note(), key_id, alice(), noon); }

Verdict verdict(const object& document, base::Time now = noon) {
    return ap::ld::verify(document, alice().public_key(), now);
}

TEST(LdSignature, vectors_are_read_and_judged_as_their_signers_meant) {
    std::size_t valid = 0, bad = 0;
    for (const auto& c : vectors::cases("ld-signatures/rsa-signature-2017.json")) {
        SCOPED_TRACE(vectors::string_of(c, "name"));
        const auto& document = c.at("document").as_object();
        auto key = ap::PublicKey::from_pem(vectors::string_of(c.at("key"), "publicKeyPem"));
        ASSERT_TRUE(key);
        auto bare = document;
        bare.erase("signature");
        std::string signed_text;
        if (auto* options = c.as_object().if_contains("options_document")) {
            auto options_text = n_quads(options->as_object()), document_text = n_quads(bare);
            EXPECT_EQ(options_text, vectors::string_of(c, "options_nquads"));
            EXPECT_EQ(document_text, vectors::string_of(c, "document_nquads"));
            EXPECT_EQ(base::sha256_hex(options_text), vectors::string_of(c, "options_hash_hex"));
            EXPECT_EQ(base::sha256_hex(document_text), vectors::string_of(c, "document_hash_hex"));
        }
        auto good = c.at("valid").as_bool();
        auto got = ap::ld::verify(document, *key, noon);
        EXPECT_EQ(got == Verdict::valid, good) << static_cast<int>(got);
        if (got != Verdict::not_signed) {
            EXPECT_EQ(ap::ld::creator_of(document), vectors::string_of(c.at("key"), "id"));
        }
        (good ? valid : bad)++;
    }
    EXPECT_EQ(valid, 8u);
    EXPECT_EQ(bad, 5u);
}

TEST(LdSignature, what_is_signed_here_is_verified_here) {
    auto document = signed_note();
    EXPECT_EQ(ap::ld::creator_of(document), key_id);
    EXPECT_EQ(verdict(document), Verdict::valid);
    EXPECT_EQ(verdict(parsed(boost::json::serialize(document))), Verdict::valid);
    EXPECT_THAT(
        boost::json::serialize(document.at("@context")), testing::HasSubstr("https://w3id.org/security/v1")
    );
    EXPECT_EQ(ap::ld::verify(document, ap::PrivateKey::new_rsa().public_key(), noon), Verdict::wrong);
}

TEST(LdSignature, a_signature_holds_for_two_days) {
    auto document = signed_note();
    EXPECT_EQ(verdict(document, noon.plus_seconds(2 * 24 * 3600 - 1)), Verdict::valid);
    EXPECT_EQ(verdict(document, noon.plus_seconds(2 * 24 * 3600)), Verdict::expired);
    document["signature"].as_object()["expires"] = "3000-01-01T00:00:00Z";
    EXPECT_EQ(verdict(document), Verdict::wrong);
    document["signature"].as_object()["expires"] = 7;
    EXPECT_EQ(verdict(document), Verdict::unreadable);
}

TEST(LdSignature, an_integrity_proof_is_signed_over_and_left_to_itself) {
    auto document = note();
    document["@context"].as_array().push_back("https://w3id.org/security/data-integrity/v1");
    document["proof"] = object{
        {"type", "DataIntegrityProof"},
        {"cryptosuite", "eddsa-jcs-2022"},
        {"created", "2026-03-01T12:00:00Z"},
        {"verificationMethod", "https://peer.example/users/alice#ed25519-key"},
        {"proofPurpose", "assertionMethod"},
        {"proofValue", "zABC"}
    };
    document = ap::ld::sign(document, key_id, alice(), noon);
    EXPECT_EQ(verdict(document), Verdict::valid);
    EXPECT_FALSE(ap::ld::compacted(document)->document.contains("proof"));
    document["proof"].as_object()["proofValue"] = "zABD";
    EXPECT_EQ(verdict(document), Verdict::wrong);
}

TEST(LdSignature, signing_again_replaces_the_signature) {
    auto document = signed_note();
    auto again = ap::ld::sign(document, key_id, alice(), noon.plus_seconds(60));
    EXPECT_EQ(verdict(again), Verdict::valid);
    EXPECT_EQ(again.at("@context"), document.at("@context"));
}

TEST(LdSignature, another_spelling_of_the_same_facts_keeps_it_valid) {
    auto document = signed_note();
    document["to"] = "as:Public";
    document["cc"] = boost::json::array{"https://peer.example/users/alice/followers"};
    auto& inner = document["object"].as_object();
    inner.erase("attachment");
    inner.erase("summary");
    object turned;
    for (auto at = document.end(); at != document.begin();) {
        --at;
        turned[at->key()] = at->value();
    }
    EXPECT_EQ(verdict(turned), Verdict::valid);
    EXPECT_TRUE(ap::ld::compacted(turned)->says_the_same);
}

TEST(LdSignature, every_change_of_a_fact_breaks_it) {
    for (auto* member : {"id", "type", "actor", "to", "cc", "object"}) {
        auto document = signed_note();
        document[member] = "https://evil.example/x";
        EXPECT_EQ(verdict(document), Verdict::wrong) << member;
        document.erase(member);
        EXPECT_EQ(verdict(document), Verdict::wrong) << member;
    }
    for (auto* member : {"id", "attributedTo", "content", "contentMap", "published", "sensitive", "tag"}) {
        auto document = signed_note();
        document["object"].as_object().erase(member);
        EXPECT_EQ(verdict(document), Verdict::wrong) << member;
    }
    for (auto* member : {"creator", "created", "expires"}) {
        auto document = signed_note();
        document["signature"].as_object().erase(member);
        EXPECT_EQ(verdict(document), Verdict::wrong) << member;
    }
    auto document = signed_note();
    document["object"].as_object()["inReplyTo"] = "https://local.example/1";
    EXPECT_EQ(verdict(document), Verdict::wrong);
}

TEST(LdSignature, documents_without_a_signature_that_we_know_are_not_signed) {
    EXPECT_EQ(verdict(note()), Verdict::not_signed);
    EXPECT_EQ(ap::ld::creator_of(note()), std::nullopt);
    for (std::string_view signature :
         {"null",
          "7",
          "\"x\"",
          "[]",
          "{}",
          R"({"type": "RsaSignature2018", "signatureValue": "AAAA", "creator": "x"})",
          R"({"type": ["RsaSignature2017"], "signatureValue": "AAAA"})",
          R"({"type": "RsaSignature2017"})",
          R"({"type": "RsaSignature2017", "creator": 7, "signatureValue": 7})"}) {
        auto document = note();
        document["signature"] = boost::json::parse(signature);
        EXPECT_EQ(verdict(document), Verdict::not_signed) << signature;
        EXPECT_EQ(ap::ld::creator_of(document).value_or("x"), "x") << signature;
    }
    auto document = signed_note();
    document["signature"].as_object()["signatureValue"] = "no base64!";
    EXPECT_EQ(verdict(document), Verdict::wrong);
    document["signature"].as_object()["signatureValue"] = "";
    EXPECT_EQ(verdict(document), Verdict::wrong);
}

TEST(LdSignature, a_key_of_another_kind_verifies_nothing) {
    auto ed25519 = ap::PublicKey::from_multikey("z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2");
    ASSERT_TRUE(ed25519);
    EXPECT_EQ(ap::ld::verify(signed_note(), *ed25519, noon), Verdict::wrong);
}

// Servers differ in how they write these two, and the signature is over the text.
TEST(LdSignature, languages_in_capitals_and_control_characters_verify_in_every_spelling) {
    for (ap::ld::Spelling spelling :
         {ap::ld::Spelling{}, {.lower_languages = true}, {.few_escapes = true}, {true, true}}) {
        auto document = note();
        auto options =
            parsed(R"({"@context": "https://w3id.org/identity/v1", "created": "2026-03-01T12:00:00Z"})");
        options["creator"] = key_id;
        auto hash = [&](const object& half) {
            ap::ld::Work work;
            return base::sha256_hex(
                ap::ld::canonical(ap::ld::to_rdf(ap::ld::expand_signed(half, work), work), spelling)
            );
        };
        auto value = base::base64(alice().sign(hash(options) + hash(document)));
        document["signature"] = object{
            {"type", "RsaSignature2017"},
            {"creator", key_id},
            {"created", "2026-03-01T12:00:00Z"},
            {"signatureValue", value}
        };
        EXPECT_EQ(verdict(document), Verdict::valid) << spelling.lower_languages << spelling.few_escapes;
    }
}

TEST(LdSignature, the_compacted_document_is_what_the_original_says) {
    auto compacted = ap::ld::compacted(signed_note());
    ASSERT_TRUE(compacted);
    EXPECT_TRUE(compacted->says_the_same);
    EXPECT_FALSE(compacted->document.contains("signature"));
    auto wanted = parsed(R"({
        "@context": "https://www.w3.org/ns/activitystreams",
        "id": "https://peer.example/users/alice/statuses/1/activity",
        "type": "Create",
        "actor": "https://peer.example/users/alice",
        "to": "as:Public",
        "cc": "https://peer.example/users/alice/followers",
        "object": {
            "id": "https://peer.example/users/alice/statuses/1",
            "type": "Note",
            "attributedTo": "https://peer.example/users/alice",
            "content": "<p>one\ttwo</p>",
            "contentMap": {"zh-TW": "<p>one\ttwo</p>"},
            "published": "2026-03-01T12:00:00Z",
            "sensitive": false,
            "to": "as:Public",
            "tag": [
                {"type": "Mention", "href": "https://local.example/users/bob", "name": "@bob"},
                {"type": "Hashtag", "href": "https://peer.example/tags/a", "name": "#a"}
            ]
        }
    })");
    EXPECT_EQ(compacted->document, wanted) << boost::json::serialize(compacted->document);
}

TEST(LdSignature, documents_of_the_vectors_can_be_passed_on_unless_they_hold_what_is_not_signed) {
    for (const auto& c : vectors::cases("ld-signatures/rsa-signature-2017.json")) {
        if (!c.at("valid").as_bool()) continue;
        SCOPED_TRACE(vectors::string_of(c, "name"));
        auto compacted = ap::ld::compacted(c.at("document").as_object());
        ASSERT_TRUE(compacted);
        bool all = vectors::string_of(c, "name").find("no context defines") == std::string::npos;
        EXPECT_EQ(compacted->says_the_same, all) << boost::json::serialize(compacted->document);
    }
}

// Whoever passes an activity on may add what no signature covers; it must not be read.
void expect_gone(object document, std::string_view what) {
    EXPECT_EQ(verdict(document), Verdict::valid) << what;
    auto compacted = ap::ld::compacted(document);
    ASSERT_TRUE(compacted) << what;
    EXPECT_FALSE(compacted->says_the_same) << what;
    EXPECT_THAT(boost::json::serialize(compacted->document), testing::Not(testing::HasSubstr("EVIL")))
        << what;
    EXPECT_EQ(compacted->document, ap::ld::compacted(signed_note())->document) << what;
}

TEST(LdSignature, attack_23_what_the_signature_does_not_cover_is_not_in_what_is_processed) {
    auto with = [](auto change) {
        auto document = signed_note();
        change(document, document.at("object").as_object());
        return document;
    };
    expect_gone(with([](object& all, object&) { all["undefinedTerm"] = "EVIL"; }), "an undefined term");
    expect_gone(
        with([](object&, object& note) { note["quote"] = "https://evil.example/EVIL"; }), "a term of others"
    );
    expect_gone(with([](object&, object& note) { note["inReplyTo"] = "EVIL"; }), "a relative IRI");
    expect_gone(
        with([](object&, object& note) { note["url"] = "https://host.example/EVIL page"; }), "no IRI at all"
    );
    expect_gone(with([](object&, object& note) { note["@index"] = "EVIL"; }), "an index");
    expect_gone(
        with([](object&, object& note) { note["likes"] = object{{"id", "EVIL"}, {"content", "EVIL"}}; }),
        "a node without an IRI"
    );
    expect_gone(
        with([](object&, object& note) { note["nameMap"] = object{{"no language", "EVIL"}}; }),
        "a text in no language"
    );
}

// A type that no context defines is a node without a name to RDF.
TEST(LdSignature, attack_23_types_that_no_context_defines_are_not_in_what_is_processed) {
    auto document = note();
    document["type"] = boost::json::array{"Create", "Undefined"};
    document = ap::ld::sign(document, key_id, alice(), noon);
    document["type"] = boost::json::array{"Create", "Block"};
    EXPECT_EQ(verdict(document), Verdict::wrong);
    document["type"] = boost::json::array{"Create", "EVIL"};
    expect_gone(document, "a type");
}

TEST(LdSignature, attack_23_graphs_includes_and_reverses_are_refused_under_every_name) {
    for (std::string_view added :
         {R"({"@graph": []})",
          R"({"@included": {"id": "https://evil.example/1", "content": "x"}})",
          R"({"@reverse": {"object": {"id": "https://evil.example/1", "type": "Create"}}})",
          R"({"object": {"@context": {"x": "@graph"}, "x": {"id": "https://evil.example/1", "content": "x"}}})",
          R"({"object": {"@context": {"x": "@included"}, "x": {"id": "https://evil.example/1", "content": "x"}}})",
          R"({"object": {"@context": {"x": "@reverse"}, "x": {"object": {"id": "https://evil.example/1"}}}})",
          R"({"object": {"@context": {"x": {"@reverse": "as:object"}}, "x": {"id": "https://evil.example/1"}}})",
          R"({"object": {"@context": {"x": {"@id": "as:tag", "@container": "@graph"}}, "x": {"content": "x"}}})",
          R"([{"a": 1}])"}) {
        auto document = signed_note();
        auto value = boost::json::parse(added);
        if (auto* more = value.if_object())
            for (auto& [key, inner] : *more) document[key] = inner;
        else document["@graph"] = value;
        EXPECT_EQ(verdict(document), Verdict::unreadable) << added;
        EXPECT_FALSE(ap::ld::compacted(document)) << added;
    }
}

// RDF does not say where in the document a node stands: its halves could be moved apart.
TEST(LdSignature, attack_23_a_node_that_is_told_in_pieces_is_refused) {
    auto document = signed_note();
    auto& inner = document.at("object").as_object();
    object half{
        {"id", inner.at("id")}, {"content", inner.at("content")}, {"contentMap", inner.at("contentMap")}
    };
    inner.erase("content");
    inner.erase("contentMap");
    inner.at("tag").as_array().push_back(half);
    EXPECT_EQ(verdict(document), Verdict::unreadable);
    EXPECT_FALSE(ap::ld::compacted(document));
}

TEST(LdSignature, attack_24_terms_that_were_given_another_meaning_are_read_with_that_meaning) {
    auto document = signed_note();
    document["@context"].as_array().push_back(object{{"actor", "https://evil.example/ns#foo"}});
    EXPECT_EQ(verdict(document), Verdict::wrong);

    auto aliased = parsed(R"({
        "@context": ["https://www.w3.org/ns/activitystreams",
                     {"actor": "https://evil.example/ns#foo", "boss": {"@id": "as:actor", "@type": "@id"}, "x": "@id"}],
        "x": "https://peer.example/1", "type": "Like",
        "actor": "https://peer.example/users/alice", "boss": "https://peer.example/users/mallory",
        "object": {"x": "https://local.example/1"}})");
    auto compacted = ap::ld::compacted(ap::ld::sign(aliased, key_id, alice(), noon));
    ASSERT_TRUE(compacted);
    EXPECT_FALSE(compacted->says_the_same);
    EXPECT_EQ(compacted->document.at("actor"), "https://peer.example/users/mallory");
    EXPECT_EQ(compacted->document.at("id"), "https://peer.example/1");
    EXPECT_EQ(compacted->document.at("object"), "https://local.example/1");
}

TEST(LdSignature, attack_24_contexts_from_elsewhere_are_never_fetched) {
    for (std::string_view context :
         {R"("https://evil.example/context")",
          R"(["https://www.w3.org/ns/activitystreams", "https://evil.example/c"])",
          R"(["https://www.w3.org/ns/activitystreams", "../c.jsonld"])",
          R"(["https://www.w3.org/ns/activitystreams", {"@import": "https://evil.example/c"}])",
          R"(["https://www.w3.org/ns/activitystreams", {"x": {"@id": "as:tag", "@context": "https://evil.example/c"}}])",
          R"(["http://www.w3.org/ns/activitystreams#x"])",
          "7",
          R"([["https://www.w3.org/ns/activitystreams"]])"}) {
        auto document = signed_note();
        document["@context"] = boost::json::parse(context);
        EXPECT_EQ(verdict(document), Verdict::unreadable) << context;
        EXPECT_FALSE(ap::ld::compacted(document)) << context;
    }
}

TEST(LdSignature, attack_24_ids_that_are_no_texts_are_refused) {
    for (std::string_view id :
         {R"(["https://peer.example/1"])", R"({"@id": "https://peer.example/1"})", "7", "null", "true"}) {
        auto document = signed_note();
        document["id"] = boost::json::parse(id);
        EXPECT_EQ(verdict(document), Verdict::unreadable) << id;
    }
}

TEST(LdSignature, attack_24_every_spelling_of_the_public_collection_is_the_same_to_a_signature) {
    for (std::string_view name : {"as:Public", "https://www.w3.org/ns/activitystreams#Public"}) {
        auto document = signed_note();
        document["to"] = boost::json::array{json(name)};
        EXPECT_EQ(verdict(document), Verdict::valid) << name;
        EXPECT_EQ(ap::ld::compacted(document)->document.at("to"), "as:Public") << name;
    }
}

// The proof of an activity that others pass on is its signature, and nothing but a valid one.
TEST(LdSignature, attack_25_a_signature_that_covers_nothing_is_refused) {
    for (std::string_view text :
         {"{}",
          R"({"@context": "https://www.w3.org/ns/activitystreams"})",
          R"({"@context": "https://www.w3.org/ns/activitystreams", "id": "https://peer.example/1"})",
          R"({"@context": [], "id": "https://peer.example/1", "type": "Create", "actor": "https://peer.example/users/alice"})",
          R"({"@context": {"id": "@id"}, "id": "https://peer.example/1", "type": "Delete"})"}) {
        auto document = parsed(text);
        EXPECT_THROW(ap::ld::sign(document, key_id, alice(), noon), std::runtime_error) << text;
        document["signature"] = signed_note().at("signature");
        EXPECT_EQ(verdict(document), Verdict::unreadable) << text;
        EXPECT_FALSE(ap::ld::compacted(document)) << text;
    }
}

TEST(LdSignature, attack_25_a_signature_does_not_fit_another_document) {
    auto document = note();
    document["id"] = "https://peer.example/users/alice/statuses/2/activity";
    document["signature"] = signed_note().at("signature");
    EXPECT_EQ(verdict(document), Verdict::wrong);
}

TEST(LdSignature, a_document_made_to_cost_much_is_given_up) {
    auto document = signed_note();
    auto& tags = document.at("object").as_object().at("tag").as_array();
    for (int i = 0; i < 30'000; i++) tags.push_back(object{{"type", "Mention"}, {"name", std::to_string(i)}});
    EXPECT_EQ(verdict(document), Verdict::unreadable);

    for (std::string_view inner :
         {R"({"t": "https://host.example/LONG/"})",
          R"({"@language": "LONG"})",
          R"({"@base": "https://host.example/LONG"})",
          R"({"@vocab": "https://host.example/LONG"})",
          R"({"t": {"@id": "as:name", "@language": "LONG"}})"}) {
        auto long_words = signed_note();
        std::string text(inner);
        text.replace(text.find("LONG"), 4, std::string(100'000, 'x'));
        long_words.at("@context").as_array().push_back(boost::json::parse(text));
        EXPECT_EQ(verdict(long_words), Verdict::unreadable) << inner;
    }

    auto poisoned = signed_note();
    auto& clique = poisoned.at("object").as_object().at("tag").as_array();
    for (int i = 0; i < 12; i++) {
        boost::json::array others;
        for (int j = 0; j < 12; j++)
            if (i != j) others.push_back(object{{"id", "_:n" + std::to_string(j)}});
        clique.push_back(object{{"id", "_:n" + std::to_string(i)}, {"tag", others}});
    }
    EXPECT_EQ(verdict(poisoned), Verdict::unreadable);
}

}  // namespace
