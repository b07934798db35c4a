// SPDX-License-Identifier: AGPL-3.0-or-later
// draft-cavage-http-signatures-12.
#include "ap/signatures/digest.hpp"
#include "ap/signatures/signature_parts.hpp"
#include "base/crypto.hpp"
#include "base/signing.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>
#include <charconv>

namespace ap::parts {

namespace {

constexpr std::size_t most_covered = 32, longest_key_id = 2048;

struct Draft {
    std::string key_id, algorithm, signature;
    std::vector<std::string> covered;
    DraftTimes times;

    bool covers(std::string_view name) const { return std::ranges::find(covered, name) != covered.end(); }
};

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty() && out.size() <= most_covered) {
        const auto end = std::min(text.find(' '), text.size());
        if (end) out.push_back(base::text::ascii_lowered(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

// False when it is there and no number.
bool read_number(const Fields& fields, std::string_view name, std::optional<std::int64_t>& out) {
    const auto found = fields.find(name);
    if (found == fields.end()) return true;
    std::int64_t value = 0;
    const auto& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !time_of(value)) return false;
    out = value;
    return true;
}

std::string_view read_into(Draft& draft, const Fields& fields) {
    const auto field = [&](std::string_view name, std::string_view otherwise = {}) {
        const auto found = fields.find(name);
        return found == fields.end() ? std::string(otherwise) : found->second;
    };
    draft.key_id = field("keyId");
    if (draft.key_id.empty() || draft.key_id.size() > longest_key_id) return "The signature names no key";
    draft.algorithm = field("algorithm", "hs2019");
    if (draft.algorithm != "rsa-sha256" && draft.algorithm != "hs2019")
        return "The algorithm of the signature is not supported";
    draft.covered = words_of(field("headers", draft.algorithm == "hs2019" ? "(created)" : "date"));
    if (draft.covered.size() > most_covered) return "The signature covers too many headers";
    for (const auto& name : draft.covered)
        if (std::ranges::count(draft.covered, name) > 1) return "The signature covers a header twice";
    auto signature = base::from_base64(field("signature"));
    if (!signature || signature->empty()) return "The signature is not base64";
    draft.signature = std::move(*signature);
    if (!read_number(fields, "created", draft.times.created) ||
        !read_number(fields, "expires", draft.times.expires))
        return "The times of the signature cannot be read";
    return {};
}

std::string_view fault_of_coverage(const Draft& draft, const SignedRequest& request) {
    if (draft.algorithm != "hs2019" && (draft.covers("(created)") || draft.covers("(expires)")))
        return "Only hs2019 covers (created) and (expires)";
    if (!draft.covers("date") && !draft.covers("(created)")) return "The signature must cover the date";
    if (has_body(request.method)) {
        if (!draft.covers("digest")) return "The signature must cover the digest";
    } else if (!draft.covers("host") || !draft.covers("(request-target)")) {
        return "The signature must cover host and (request-target)";
    }
    if (draft.covers("host") && !host_is_ours(request)) return "The request was signed for another host";
    return {};
}

// Times that are told but not covered could have been put there by anybody, so they do not count.
std::string_view fault_of_times(const Draft& draft, const SignedRequest& request, base::Time now) {
    std::optional<base::Time> from, expires;
    if (draft.covers("(created)")) {
        if (draft.times.created) from = time_of(*draft.times.created);
    } else {
        from = base::parse_http_date(header_value(request.headers, "date").value_or(""));
    }
    if (draft.covers("(expires)") && draft.times.expires) expires = time_of(*draft.times.expires);
    if (!from) return "The date of the signature cannot be read";
    return fault_of_time(*from, expires, now);
}

std::string_view fault_of_digest(const Draft& draft, const SignedRequest& request) {
    if (!draft.covers("digest")) return {};
    switch (check_digest(header_value(request.headers, "digest").value_or(""), request.body)) {
        case DigestVerdict::right: return {};
        case DigestVerdict::wrong: return "The digest does not match the body";
        case DigestVerdict::unreadable: return "The digest cannot be read";
        case DigestVerdict::unknown_algorithm: break;
    }
    return "The digest must be made with SHA-256";
}

bool is_left_uncovered(std::string_view name) {
    return base::text::same_ignoring_ascii_case(name, "user-agent") ||
           base::text::same_ignoring_ascii_case(name, "accept") ||
           base::text::same_ignoring_ascii_case(name, "accept-encoding");
}

}  // namespace

std::optional<std::string> draft_text(
    const SignedRequest& request, const std::vector<std::string>& covered, std::string_view target,
    DraftTimes times
) {
    std::string out;
    for (const auto& name : covered) {
        std::optional<std::string> value;
        if (name == "(request-target)")
            value = base::text::ascii_lowered(request.method) + " " + std::string(target);
        else if (name == "(created)" && times.created) value = std::to_string(*times.created);
        else if (name == "(expires)" && times.expires) value = std::to_string(*times.expires);
        else value = header_value(request.headers, name);
        if (!value) return std::nullopt;
        if (!out.empty()) out += '\n';
        out += name + ": " + *value;
    }
    return out;
}

SignatureReading read_draft(const SignedRequest& request, base::Time now) {
    const auto header = header_value(request.headers, "signature");
    if (!header) return refused("The request is not signed");
    const auto fields = read_fields(*header);
    if (!fields) return refused("The signature cannot be read");
    Draft draft;
    auto fault = read_into(draft, *fields);
    if (fault.empty()) fault = fault_of_coverage(draft, request);
    if (fault.empty()) fault = fault_of_times(draft, request, now);
    if (fault.empty()) fault = fault_of_digest(draft, request);
    if (!fault.empty()) return refused(std::string(fault));

    Claim claim{Scheme::draft, draft.key_id, KeyKind::rsa, {}, draft.signature};
    // Older peers sign the path without its query.
    const auto path = request.target.substr(0, request.target.find('?'));
    for (auto target : {request.target, path}) {
        auto text = draft_text(request, draft.covered, target, draft.times);
        if (!text) return refused("The signature covers a header that is not there");
        if (!std::ranges::count(claim.texts, *text)) claim.texts.push_back(std::move(*text));
        if (target == path) break;
    }
    return {{std::move(claim)}, {}};
}

}  // namespace ap::parts

namespace ap {

using namespace parts;

Headers sign_draft(const SignedRequest& request, const Signer& signer, base::Time now) {
    Headers out = request.headers;
    out.emplace_back("Date", base::http_date(now));
    std::vector<std::string> covered = {"host", "date"};
    if (has_body(request.method)) {
        out.emplace_back("Digest", digest(request.body));
        covered.push_back("digest");
    }
    for (const auto& [name, value] : request.headers)
        if (!is_left_uncovered(name)) covered.push_back(base::text::ascii_lowered(name));
    covered.push_back("(request-target)");

    auto seen = out;
    seen.emplace_back("Host", authority_of(request.origin));
    const auto text =
        draft_text({request.method, request.target, request.origin, seen, {}}, covered, request.target);
    std::string list;
    for (const auto& name : covered) list += (list.empty() ? "" : " ") + name;
    out.emplace_back(
        "Signature",
        "keyId=\"" + std::string(signer.key_id) + "\",algorithm=\"rsa-sha256\",headers=\"" + list +
            "\",signature=\"" + base::base64(signer.key.sign(text.value())) + "\""
    );
    return out;
}

}  // namespace ap
