// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/proof.hpp"

#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/key.hpp"
#include "base/crypto.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace ap {

namespace {

namespace json = boost::json;

constexpr std::size_t longest_id = 2048, most_proofs = 8;

std::string_view text(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

bool is_known(const json::object& proof) {
    return text(proof, "type") == "DataIntegrityProof" && text(proof, "cryptosuite") == "eddsa-jcs-2022";
}

// The proof, or of several the first that we understand.
const json::object* find_proof(const json::object& document) {
    const auto* there = document.if_contains("proof");
    if (!there) return nullptr;
    if (const auto* list = there->if_array()) {
        for (std::size_t i = 0; i < std::min(list->size(), most_proofs); ++i)
            if (const auto* one = (*list)[i].if_object(); one && is_known(*one)) return one;
        return nullptr;
    }
    const auto* one = there->if_object();
    return one && is_known(*one) ? one : nullptr;
}

json::array list_of(const json::value& value) {
    if (const auto* list = value.if_array()) return *list;
    return json::array({value}, value.storage());
}

// The context of the document begins with that of the proof.
bool agree(const json::value& of_document, const json::value& of_proof) {
    const auto whole = list_of(of_document), beginning = list_of(of_proof);
    return whole.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), whole.begin());
}

ProofReading refused(std::string sentence) { return {std::nullopt, std::move(sentence)}; }

}  // namespace

bool has_proof(const json::object& document) { return document.contains("proof"); }

ProofReading read_proof(const json::object& document, base::Time now) {
    const auto* proof = find_proof(document);
    if (!proof) return refused("There is no proof of a kind that is supported");
    if (text(*proof, "proofPurpose") != "assertionMethod") return refused("The proof is for another purpose");
    const auto method = text(*proof, "verificationMethod");
    if (method.empty() || method.size() > longest_id) return refused("The proof names no key");
    auto signature = from_multibase(text(*proof, "proofValue"));
    if (!signature || signature->size() != 64) return refused("The value of the proof cannot be read");
    if (proof->contains("expires")) {
        const auto expires = base::parse_time(text(*proof, "expires"));
        if (!expires) return refused("The end of the proof cannot be read");
        if (*expires < now) return refused("The proof has expired");
    }

    json::object options(*proof), bare(document);
    options.erase("proofValue");
    bare.erase("proof");
    bare.erase("signature");
    if (const auto* context = options.if_contains("@context")) {
        const auto* whole = bare.if_contains("@context");
        if (!whole || !agree(*whole, *context)) return refused("The proof was made in another context");
        bare["@context"] = *context;
    }
    auto hashes = base::sha256(jcs(options)) + base::sha256(jcs(bare));
    return {ProofClaim{std::string(method), std::move(*signature), std::move(hashes)}, {}};
}

bool holds(const ProofClaim& claim, const PublicKey& key) {
    return key.kind() == KeyKind::ed25519 && key.verifies(claim.signature, claim.signed_bytes);
}

}  // namespace ap
