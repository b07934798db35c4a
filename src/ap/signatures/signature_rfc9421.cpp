// SPDX-License-Identifier: AGPL-3.0-or-later
// RFC 9421, as far as requests between servers of the fediverse use it: no parameters of components, one or two
// signatures a request.
#include "ap/signatures/digest.hpp"
#include "ap/signatures/signature_parts.hpp"
#include "ap/signatures/structured_field.hpp"
#include "base/crypto.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace ap::parts {

using namespace fields;

namespace {

// Every label may cost a look-up of a key.
constexpr std::size_t most_labels = 3, longest_text = 2048;
constexpr std::int64_t life = 300;  // seconds, of what we sign when asked for an end

constexpr std::array<std::string_view, 7> derived = {
    "@method", "@target-uri", "@authority", "@scheme", "@path", "@request-target", "@query"
};

std::optional<std::string> derived_value(const SignedRequest& request, std::string_view name) {
    const auto query = std::min(request.target.find('?'), request.target.size());
    if (name == "@method") return std::string(request.method);
    if (name == "@target-uri") return std::string(request.origin) + std::string(request.target);
    if (name == "@authority") return authority_of(request.origin);
    if (name == "@scheme")
        return base::text::ascii_lowered(request.origin.substr(0, request.origin.find("://")));
    if (name == "@request-target") return std::string(request.target);
    if (name == "@path") return std::string(request.target.substr(0, query));
    if (name == "@query")
        return query == request.target.size() ? "?" : std::string(request.target.substr(query));
    return std::nullopt;
}

// The names in an inner list; nothing when one has parameters or a form that we do not know.
std::optional<std::vector<std::string>> covered_by(const Member& member) {
    std::vector<std::string> out;
    for (const auto& item : member.items) {
        const auto* name = std::get_if<std::string>(&item.value);
        if (!name || name->empty() || !item.parameters.all.empty() ||
            *name != base::text::ascii_lowered(*name))
            return std::nullopt;
        if (name->starts_with('@') && !std::ranges::count(derived, *name)) return std::nullopt;
        if (std::ranges::count(out, *name)) return std::nullopt;
        out.push_back(*name);
    }
    return out;
}

bool has(const std::vector<std::string>& covered, std::string_view name) {
    return std::ranges::find(covered, name) != covered.end();
}

std::string_view fault_of_coverage(const std::vector<std::string>& covered, const SignedRequest& request) {
    if (!has(covered, "@method") || !has(covered, "@target-uri"))
        return "The signature must cover @method and @target-uri";
    if (has_body(request.method) && !has(covered, "content-digest"))
        return "The signature must cover content-digest";
    if (has(covered, "host") && !host_is_ours(request)) return "The request was signed for another host";
    return {};
}

std::string_view fault_of_times(const Parameters& parameters, base::Time now) {
    const auto* created = parameters.get<std::int64_t>("created");
    const auto from = created ? time_of(*created) : std::nullopt;
    if (!from) return "The signature does not tell when it was created";
    std::optional<base::Time> expires;
    if (parameters.find("expires")) {
        const auto* told = parameters.get<std::int64_t>("expires");
        expires = told ? time_of(*told) : std::nullopt;
        if (!expires) return "The end of the signature cannot be read";
    }
    return fault_of_time(*from, expires, now);
}

std::string_view fault_of_algorithm(const Parameters& parameters, Claim& claim) {
    if (!parameters.find("alg")) return {};
    const auto* name = parameters.get<std::string>("alg");
    if (name && *name == "rsa-v1_5-sha256") claim.kind = KeyKind::rsa;
    else if (name && *name == "ed25519") claim.kind = KeyKind::ed25519;
    else return "The algorithm of the signature is not supported";
    return {};
}

SignatureRefusal refusal_of_digest(const SignedRequest& request) {
    const auto header = header_value(request.headers, "content-digest");
    if (!header) return {401, "The signature covers a header that is not there"};
    switch (check_content_digest(*header, request.body)) {
        case DigestVerdict::right: return {};
        case DigestVerdict::wrong: return {401, "The content digest does not match the body"};
        case DigestVerdict::unreadable: return {400, "The content digest cannot be read"};
        case DigestVerdict::unknown_algorithm: break;
    }
    return {401, "The content digest must be made with sha-256"};
}

// One label: a claim in `out`, or why not.
SignatureRefusal read_label(
    const SignedRequest& request, const Member& input, const std::vector<Member>& signatures, base::Time now,
    std::vector<Claim>& out
) {
    const auto signature = std::ranges::find(signatures, input.key, &Member::key);
    const auto* bytes = signature == signatures.end() || signature->is_list
                            ? nullptr
                            : std::get_if<Bytes>(&signature->item.value);
    if (!bytes) return {401, "There is no signature with the label of Signature-Input"};
    const auto covered = input.is_list ? covered_by(input) : std::nullopt;
    if (!covered) return {401, "The signature covers what is not supported"};

    const auto& parameters = input.item.parameters;
    const auto* key_id = parameters.get<std::string>("keyid");
    if (!key_id || key_id->empty() || key_id->size() > longest_text)
        return {401, "The signature names no key"};
    Claim claim{Scheme::rfc9421, *key_id, std::nullopt, {}, bytes->value};
    auto fault = fault_of_algorithm(parameters, claim);
    if (fault.empty()) fault = fault_of_coverage(*covered, request);
    if (fault.empty()) fault = fault_of_times(parameters, now);
    if (!fault.empty()) return {401, std::string(fault)};
    if (has(*covered, "content-digest"))
        if (auto refusal = refusal_of_digest(request); !refusal.sentence.empty()) return refusal;
    auto text = signature_base(request, *covered, input.text);
    if (!text) return {401, "The signature covers a header that is not there"};
    claim.texts.push_back(std::move(*text));
    out.push_back(std::move(claim));
    return {};
}

bool is_left_uncovered(std::string_view name) {
    for (auto other : {"user-agent", "accept", "accept-encoding", "content-type"})
        if (base::text::same_ignoring_ascii_case(name, other)) return true;
    return false;
}

// A wish may add to what is covered, never take away: a signature over less could be used elsewhere.
std::vector<std::string> to_cover(const SignedRequest& request, const SignatureRequest* requested) {
    std::vector<std::string> out = {"@method", "@target-uri"};
    if (has_body(request.method)) out.push_back("content-digest");
    for (const auto& [name, value] : request.headers)
        if (!is_left_uncovered(name)) out.push_back(base::text::ascii_lowered(name));
    if (requested)
        for (const auto& name : requested->covered)
            if (!has(out, name)) out.push_back(name);
    return out;
}

bool is_short(const std::optional<std::string>& text) { return !text || text->size() <= longest_text; }

}  // namespace

std::optional<std::string> signature_base(
    const SignedRequest& request, const std::vector<std::string>& covered, std::string_view parameters
) {
    std::string out;
    for (const auto& name : covered) {
        const auto value =
            name.starts_with('@') ? derived_value(request, name) : header_value(request.headers, name);
        if (!value) return std::nullopt;
        out += "\"" + name + "\": " + *value + "\n";
    }
    return out + "\"@signature-params\": " + std::string(parameters);
}

SignatureReading read_rfc9421(const SignedRequest& request, base::Time now) {
    const auto inputs = read_dictionary(header_value(request.headers, "signature-input").value_or(""));
    const auto signatures = read_dictionary(header_value(request.headers, "signature").value_or(""));
    if (!inputs || inputs->empty()) return refused("Signature-Input cannot be read", 400);
    if (!signatures) return refused("The signature cannot be read", 400);
    if (inputs->size() > most_labels) return refused("There are too many signatures", 400);
    SignatureReading out;
    for (const auto& input : *inputs) {
        auto refusal = read_label(request, input, *signatures, now, out.claims);
        if (out.refusal.sentence.empty()) out.refusal = std::move(refusal);
    }
    if (!out.claims.empty()) out.refusal = {};
    return out;
}

}  // namespace ap::parts

namespace ap {

using namespace parts;
using namespace fields;

std::optional<SignatureRequest> read_accept_signature(std::string_view header) {
    const auto members = read_dictionary(header);
    if (!members) return std::nullopt;
    for (const auto& member : *members) {
        const auto covered = member.is_list ? covered_by(member) : std::nullopt;
        const auto& parameters = member.item.parameters;
        const auto* algorithm = parameters.get<std::string>("alg");
        if (!covered || (algorithm && *algorithm != "rsa-v1_5-sha256")) continue;
        SignatureRequest out{member.key, *covered};
        out.expires = parameters.find("expires");
        if (const auto* nonce = parameters.get<std::string>("nonce")) out.nonce = *nonce;
        if (const auto* tag = parameters.get<std::string>("tag")) out.tag = *tag;
        if (is_short(out.nonce) && is_short(out.tag)) return out;
    }
    return std::nullopt;
}

Headers sign_rfc9421(
    const SignedRequest& request, const Signer& signer, base::Time now, const SignatureRequest* requested
) {
    Headers out = request.headers;
    out.emplace_back("Date", base::http_date(now));
    if (has_body(request.method)) out.emplace_back("Content-Digest", content_digest(request.body));
    auto seen = out;
    seen.emplace_back("Host", authority_of(request.origin));

    std::vector<std::string> covered;
    std::string parameters = "(";
    for (auto& name : to_cover(request, requested)) {
        if (!name.starts_with('@') && !count_header(seen, name)) continue;  // asked for, but not ours to send
        parameters += (covered.empty() ? "" : " ") + string_item(name);
        covered.push_back(std::move(name));
    }
    parameters += ");created=" + std::to_string(now.ms / 1000) + ";keyid=" + string_item(signer.key_id);
    if (requested && requested->expires) parameters += ";expires=" + std::to_string(now.ms / 1000 + life);
    if (requested && requested->nonce) parameters += ";nonce=" + string_item(*requested->nonce);
    if (requested && requested->tag) parameters += ";tag=" + string_item(*requested->tag);

    const auto text =
        signature_base({request.method, request.target, request.origin, seen, {}}, covered, parameters);
    const auto label = requested ? requested->label : "sig1";
    out.emplace_back("Signature-Input", label + "=" + parameters);
    out.emplace_back("Signature", label + "=:" + base::base64(signer.key.sign(text.value())) + ":");
    return out;
}

}  // namespace ap
