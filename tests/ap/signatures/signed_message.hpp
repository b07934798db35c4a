// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests that alice@peer.example sends to local.example, for tests to tamper with.
#pragma once
#include "ap/signatures/digest.hpp"
#include "ap/signatures/signature_parts.hpp"
#include "base/crypto.hpp"
#include "base/text/utf8.hpp"

namespace stage {

constexpr base::Time now{1'772'366'400'000};  // 2026-03-01T12:00:00Z
inline const std::string alice = "https://peer.example/users/alice#main-key";
inline const std::string mallory = "https://evil.example/users/mallory#main-key";

inline const ap::PrivateKey& key_of_alice() {
    static const auto key = ap::PrivateKey::new_rsa();
    return key;
}
inline const ap::PrivateKey& key_of_mallory() {
    static const auto key = ap::PrivateKey::new_rsa();
    return key;
}

struct Message {
    std::string method = "POST", target = "/bob/inbox", origin = "https://local.example",
                body = R"({"type":"Like"})";
    ap::Headers headers;

    ap::SignedRequest view() const { return {method, target, origin, headers, body}; }
    std::string header(std::string_view name) const {
        return ap::parts::header_value(headers, name).value_or("");
    }
    Message with(std::string_view name, std::string_view value) const {
        Message out = without(name);
        out.headers.emplace_back(name, value);
        return out;
    }
    Message without(std::string_view name) const {
        Message out = *this;
        std::erase_if(out.headers, [&](const auto& header) {
            return base::text::same_ignoring_ascii_case(header.first, name);
        });
        return out;
    }
    Message twice(std::string_view name) const {
        Message out = *this;
        out.headers.emplace_back(name, header(name));
        return out;
    }
};

// With all headers that anybody covers, but no signature.
inline Message plain(std::string method = "POST") {
    Message out;
    if (method == "GET") out.body.clear();
    out.method = std::move(method);
    out.headers = {
        {"Host", "local.example"},
        {"Date", base::http_date(now)},
        {"Content-Type", "application/activity+json"},
        {"Digest", ap::digest(out.body)},
        {"Content-Digest", ap::content_digest(out.body)}
    };
    return out;
}

// As the sender of this program does it.
inline Message sent(
    ap::Scheme scheme, std::string method = "POST", ap::Headers extra = {},
    const ap::SignatureRequest* requested = nullptr
) {
    Message out;
    if (method == "GET") out.body.clear();
    out.method = std::move(method);
    out.headers = std::move(extra);
    out.headers = scheme == ap::Scheme::draft
                      ? ap::sign_draft(out.view(), {key_of_alice(), alice}, now)
                      : ap::sign_rfc9421(out.view(), {key_of_alice(), alice}, now, requested);
    out.headers.emplace_back("Host", "local.example");
    return out;
}

inline Message draft_over(
    Message message, const std::vector<std::string>& covered,
    const std::string& fields = R"(algorithm="rsa-sha256")", ap::parts::DraftTimes times = {}
) {
    const auto text = ap::parts::draft_text(message.view(), covered, message.target, times).value();
    std::string list;
    for (const auto& name : covered) list += (list.empty() ? "" : " ") + name;
    return message.with(
        "Signature",
        "keyId=\"" + alice + "\"," + fields + ",headers=\"" + list + "\",signature=\"" +
            base::base64(key_of_alice().sign(text)) + "\""
    );
}

inline std::string created(base::Time at = now) { return ";created=" + std::to_string(at.ms / 1000); }
inline std::string key_id(const std::string& id = alice) { return ";keyid=\"" + id + "\""; }

inline Message rfc_over(
    Message message, const std::vector<std::string>& covered,
    const std::string& parameters = created() + key_id(), const ap::PrivateKey& key = key_of_alice()
) {
    std::string list;
    for (const auto& name : covered) list += (list.empty() ? "\"" : " \"") + name + "\"";
    list = "(" + list + ")" + parameters;
    const auto text = ap::parts::signature_base(message.view(), covered, list).value();
    return message.with("Signature-Input", "sig1=" + list)
        .with("Signature", "sig1=:" + base::base64(key.sign(text)) + ":");
}

// Empty when it is accepted as alice's or mallory's, else why not.
inline std::string fault(const Message& message, base::Time at = now) {
    static const auto key_a = key_of_alice().public_key(), key_m = key_of_mallory().public_key();
    const auto reading = ap::read_signature(message.view(), at);
    if (reading.claims.empty()) return reading.refusal.sentence;
    for (const auto& claim : reading.claims)
        if ((claim.key_id == alice && ap::holds(claim, key_a)) ||
            (claim.key_id == mallory && ap::holds(claim, key_m)))
            return "";
    return "It does not hold";
}

}  // namespace stage
