// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/ld_signature.hpp"

#include "ap/ld/context.hpp"
#include "ap/ld/signed.hpp"
#include "ap/ld/to_rdf.hpp"
#include "base/crypto.hpp"
#include "base/signing.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

namespace ap::ld {
namespace {

using json = boost::json::value;
using boost::json::array, boost::json::object;

constexpr std::string_view signature_type = "RsaSignature2017";
constexpr std::string_view security = "https://w3id.org/security/v1";
constexpr std::int64_t lifetime = 2 * 24 * 3600;  // seconds

// Most of those who sign and verify write languages in lower case.
constexpr Spelling usual{.lower_languages = true};

const object* signature_of(const object& document) {
    auto* found = document.if_contains("signature");
    auto* signature = found ? found->if_object() : nullptr;
    auto* type = signature ? signature->if_contains("type") : nullptr;
    return type && *type == json(signature_type) ? signature : nullptr;
}

std::optional<std::string> text_of(const object& from, std::string_view member) {
    auto* found = from.if_contains(member);
    return found && found->is_string() ? std::optional(std::string(found->get_string())) : std::nullopt;
}

object options_of(const object& signature) {
    object out = signature;
    for (auto* name : {"type", "id", "signatureValue"}) out.erase(name);
    out["@context"] = "https://w3id.org/identity/v1";
    return out;
}

object without_signature(const object& document) {
    object out = document;
    out.erase("signature");
    return out;
}

std::vector<Quad> quads_of(const object& document) {
    Work work;
    auto quads = to_rdf(expand_signed(document, work), work);
    if (quads.empty()) throw Failure("says nothing");
    return quads;
}

// The spellings that make a difference to these quads, the usual one first.
std::vector<Spelling> spellings(const std::vector<Quad>& quads) {
    auto any = [&](auto test) { return std::ranges::any_of(quads, test); };
    bool capitals = any([](const Quad& quad) {
        return std::ranges::any_of(quad.object.language, [](char c) { return c >= 'A' && c <= 'Z'; });
    });
    bool controls = any([](const Quad& quad) {
        return std::ranges::any_of(quad.object.value, [](char c) {
            auto byte = static_cast<unsigned char>(c);
            return (byte < 0x20 && c != '\n' && c != '\r') || byte == 0x7f;
        });
    });
    std::vector<Spelling> out{usual};
    if (capitals) out.push_back({});
    if (controls)
        for (std::size_t i = 0, count = out.size(); i < count; i++) {
            out.push_back(out[i]);
            out.back().few_escapes = true;
        }
    return out;
}

// Everything that verifying needs of both halves.
struct Halves {
    explicit Halves(const object& document, const object& signature)
        : options(quads_of(options_of(signature))), document(quads_of(without_signature(document))) {}

    std::string signed_text(Spelling spelling) const {
        return base::sha256_hex(canonical(options, spelling)) +
               base::sha256_hex(canonical(document, spelling));
    }

    std::vector<Quad> options, document;
};

void name_security(object& document) {
    auto& context = document["@context"];
    if (context == json(security)) return;
    auto* list = context.if_array();
    if (list && std::ranges::find(*list, json(security)) != list->end()) return;
    if (!list) context = context.is_null() ? array{} : array{context};
    context.get_array().push_back(json(security));
}

}  // namespace

std::optional<std::string> creator_of(const object& document) {
    auto* signature = signature_of(document);
    return signature ? text_of(*signature, "creator") : std::nullopt;
}

Verdict verify(const object& document, const PublicKey& key, base::Time now) {
    auto* signature = signature_of(document);
    auto value = signature ? text_of(*signature, "signatureValue") : std::nullopt;
    if (!value) return Verdict::not_signed;
    auto bytes = base::from_base64(*value);
    if (key.kind() != KeyKind::rsa || !bytes) return Verdict::wrong;
    if (signature->contains("expires")) {
        auto text = text_of(*signature, "expires");
        auto expires = text ? base::parse_time(*text) : std::nullopt;
        if (!expires) return Verdict::unreadable;
        if (*expires <= now) return Verdict::expired;
    }
    try {
        Halves halves(document, *signature);
        auto all = spellings(halves.document);
        for (auto more : spellings(halves.options))
            if (std::ranges::find(all, more) == all.end()) all.push_back(more);
        for (auto spelling : all)
            if (key.verifies(*bytes, halves.signed_text(spelling))) return Verdict::valid;
        return Verdict::wrong;
    } catch (const Failure&) {
        return Verdict::unreadable;
    }
}

object sign(const object& document, std::string_view key_id, const PrivateKey& key, base::Time now) {
    object out = without_signature(document);
    name_security(out);
    object signature;
    signature["type"] = signature_type;
    signature["creator"] = key_id;
    signature["created"] = base::to_string(base::WholeSeconds{now.ms});
    signature["expires"] = base::to_string(base::WholeSeconds{now.plus_seconds(lifetime).ms});
    signature["signatureValue"] = base::base64(key.sign(Halves(out, signature).signed_text(usual)));
    out["signature"] = std::move(signature);
    return out;
}

std::optional<Compacted> compacted(const object& document) {
    try {
        Work work;
        auto expanded = expand_signed(without_signature(document), work);
        if (!keep_said(expanded)) return std::nullopt;
        Compacted out{compact_signed(expanded, work), false};
        out.says_the_same = says_the_same(document, out.document);
        return out;
    } catch (const Failure&) {
        return std::nullopt;
    }
}

}  // namespace ap::ld
