// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/proof.hpp"
#include "ap/signatures/signature_cases.hpp"

#include <boost/json.hpp>

namespace cases {

namespace json = boost::json;

namespace {

std::optional<ap::PublicKey> key_in(const json::object& one, const std::string& method) {
    for (auto member : {"public_key_multibase", "publicKeyMultibase"})
        if (one.contains(member)) return ap::PublicKey::from_multikey(text(one, member));
    if (const auto* pair = one.if_contains("key_pair"))
        return ap::PublicKey::from_multikey(text(pair->as_object(), "publicKeyMultibase"));
    if (const auto* actor = one.if_contains("actor"))
        for (const auto& key : actor->as_object().at("assertionMethod").as_array())
            if (text(key.as_object(), "id") == method) return key_in(key.as_object(), method);
    return std::nullopt;
}

Outcome judge_proof(const json::object& one, const json::object& file) {
    return guarded(text(one, "name"), one.at("valid").as_bool() ? "accept" : "reject", [&](Outcome& out) {
        out.verdict = "reject";
        const auto now = time_in(one, time_in(file, clock_now()));
        const auto reading = ap::read_proof(one.at("signed").as_object(), now);
        out.reason = reading.refusal;
        if (!reading.claim) return;
        const auto key = key_in(one, reading.claim->verification_method);
        if (key && ap::holds(*reading.claim, *key)) out.verdict = "accept";
        else out.reason = key ? "The proof does not hold" : "The key is not known";
    });
}

Outcome judge_multikey(const std::string& text_of_key, const std::string& pem) {
    return guarded(text_of_key, pem.empty() ? "reject" : "accept", [&](Outcome& out) {
        const auto key = ap::PublicKey::from_multikey(text_of_key);
        const bool same = key && (pem.empty() || (key->pem() == pem && ap::PublicKey::from_pem(pem) == key));
        out.verdict = same ? "accept" : "reject";
    });
}

bool is_multikeys(const json::object& file) { return file.contains("valid") && file.contains("invalid"); }

}  // namespace

bool is_proofs(const json::object& file) {
    if (is_multikeys(file)) return true;
    const auto* all = file.if_contains("cases");
    return all && all->is_array() && !all->as_array().empty() &&
           all->as_array()[0].as_object().contains("signed");
}

std::vector<Outcome> judge_proofs(const json::object& file) {
    std::vector<Outcome> all;
    if (is_multikeys(file)) {
        for (const auto& one : file.at("valid").as_array())
            all.push_back(
                judge_multikey(text(one.as_object(), "publicKeyMultibase"), text(one.as_object(), "pem"))
            );
        for (const auto& one : file.at("invalid").as_array())
            all.push_back(judge_multikey(std::string(one.as_string()), ""));
    } else {
        for (const auto& one : file.at("cases").as_array()) all.push_back(judge_proof(one.as_object(), file));
    }
    return all;
}

}  // namespace cases
