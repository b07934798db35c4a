// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/signature.hpp"

#include "ap/signatures/signature_parts.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap::parts {

namespace {

// The window that Mastodon allows; clocks of small servers are often wrong.
constexpr std::int64_t skew = 3600, life = 300, longest_life = 12 * 3600;

}  // namespace

SignatureReading refused(std::string sentence, int status) { return {{}, {status, std::move(sentence)}}; }

std::size_t count_header(const Headers& headers, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count_if(headers, [&](const auto& header) {
        return base::text::same_ignoring_ascii_case(header.first, name);
    }));
}

std::optional<std::string> header_value(const Headers& headers, std::string_view name) {
    std::optional<std::string> out;
    for (const auto& [key, value] : headers) {
        if (!base::text::same_ignoring_ascii_case(key, name)) continue;
        if (out) *out += ", ";
        else out.emplace();
        *out += base::text::trimmed(value, " \t");
    }
    return out;
}

std::string authority_of(std::string_view origin) {
    const auto scheme = origin.find("://");
    auto out = base::text::ascii_lowered(scheme == origin.npos ? origin : origin.substr(scheme + 3));
    const std::string_view usual_port = origin.starts_with("http://") ? ":80" : ":443";
    if (out.ends_with(usual_port)) out.resize(out.size() - usual_port.size());
    return out;
}

bool host_is_ours(const SignedRequest& request) {
    const auto host = header_value(request.headers, "host");
    const auto scheme = request.origin.substr(0, request.origin.find("://"));
    return host && authority_of(std::string(scheme) + "://" + *host) == authority_of(request.origin);
}

bool has_body(std::string_view method) { return method != "GET" && method != "HEAD"; }

std::optional<base::Time> time_of(std::int64_t seconds) {
    constexpr std::int64_t year_9999 = 253'402'300'799;
    if (seconds < 0 || seconds > year_9999) return std::nullopt;
    return base::Time{seconds * 1000};
}

std::string_view fault_of_time(base::Time from, std::optional<base::Time> expires, base::Time now) {
    if (from > now.plus_seconds(skew)) return "The signature is dated in the future";
    const auto end = std::min(expires.value_or(from.plus_seconds(life)), from.plus_seconds(longest_life));
    if (now > end.plus_seconds(skew)) return "The signature has expired";
    return {};
}

}  // namespace ap::parts

namespace ap {

SignatureReading read_signature(const SignedRequest& request, base::Time now) {
    // With any of these twice, two readers could see two different requests.
    for (auto name :
         {"signature",
          "signature-input",
          "host",
          "date",
          "digest",
          "content-digest",
          "content-type",
          "content-length",
          "collection-synchronization"})
        if (parts::count_header(request.headers, name) > 1)
            return parts::refused("The header " + std::string(name) + " stands there more than once");
    return parts::count_header(request.headers, "signature-input") ? parts::read_rfc9421(request, now)
                                                                   : parts::read_draft(request, now);
}

bool holds(const Claim& claim, const PublicKey& key) {
    if (claim.kind && *claim.kind != key.kind()) return false;
    return std::ranges::any_of(claim.texts, [&](const auto& text) {
        return key.verifies(claim.signature, text);
    });
}

}  // namespace ap
