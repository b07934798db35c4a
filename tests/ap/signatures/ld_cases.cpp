// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/ld_signature.hpp"
#include "ap/signatures/signature_cases.hpp"

#include <boost/json.hpp>

namespace cases {

namespace json = boost::json;

namespace {

constexpr std::string_view word(ap::ld::Verdict verdict) {
    switch (verdict) {
        case ap::ld::Verdict::valid: return "";
        case ap::ld::Verdict::not_signed: return "There is no signature of a kind that is supported";
        case ap::ld::Verdict::expired: return "The signature has expired";
        case ap::ld::Verdict::unreadable: return "The document cannot be verified";
        case ap::ld::Verdict::wrong: return "The signature does not hold";
    }
    return "";
}

// Whose activity it is: a signature speaks for the owner of its key alone.
std::string actor_of(const json::object& document) {
    const auto* actor = document.if_contains("actor");
    return actor && actor->is_object() ? text(actor->as_object(), "id") : text(document, "actor");
}

Outcome judge_document(const json::object& one, const json::object& file) {
    return guarded(text(one, "name"), one.at("valid").as_bool() ? "accept" : "reject", [&](Outcome& out) {
        const auto& document = one.at("document").as_object();
        const auto& shown = one.at("key").as_object();
        const auto key = ap::PublicKey::from_pem(text(shown, "publicKeyPem"));
        out.verdict = "reject";
        const auto actor = actor_of(document);
        if (ap::ld::creator_of(document) != text(shown, "id")) out.reason = "The key is another";
        else if (!key) out.reason = "The key cannot be read";
        else out.reason = word(ap::ld::verify(document, *key, time_in(one, time_in(file, clock_now()))));
        if (out.reason.empty() && !actor.empty() && actor != text(shown, "owner"))
            out.reason = "The key is not that of the actor";
        if (out.reason.empty()) out.verdict = "accept";
    });
}

}  // namespace

bool is_ld(const json::object& file) {
    const auto* all = file.if_contains("cases");
    return all && all->is_array() && !all->as_array().empty() &&
           all->as_array()[0].as_object().contains("document");
}

std::vector<Outcome> judge_ld(const json::object& file) {
    std::vector<Outcome> all;
    for (const auto& one : file.at("cases").as_array()) all.push_back(judge_document(one.as_object(), file));
    return all;
}

}  // namespace cases
