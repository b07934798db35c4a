// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/key.hpp"
#include "ap/signatures/signature_cases.hpp"
#include "ap/signatures/signature_parts.hpp"
#include "ap/signatures/structured_field.hpp"
#include "base/signing.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <boost/json.hpp>

namespace cases {

namespace json = boost::json;

namespace {

using Keys = std::map<std::string, ap::PublicKey>;

void add_keys(Keys& keys, const json::value& from) {
    if (from.is_array()) {
        for (const auto& one : from.as_array()) add_keys(keys, one);
    } else if (from.is_object()) {
        const auto& object = from.as_object();
        auto key = object.contains("publicKeyPem")
                       ? ap::PublicKey::from_pem(text(object, "publicKeyPem"))
                       : ap::PublicKey::from_multikey(text(object, "publicKeyMultibase"));
        if (key) keys.emplace(text(object, "id"), *key);
    }
}

Keys keys_of(const json::object& file) {
    Keys keys;
    if (const auto* actor = file.if_contains("actor"); actor && actor->is_object()) {
        for (auto member : {"publicKey", "assertionMethod"})
            if (const auto* there = actor->as_object().if_contains(member)) add_keys(keys, *there);
        if (auto id = text(actor->as_object(), "id"); !keys.empty()) keys.emplace(id, keys.begin()->second);
    }
    if (auto id = text(file, "keyid"); !id.empty())
        if (auto key = ap::PublicKey::from_pem(text(file, "public_key_pem"))) keys.emplace(id, *key);
    return keys;
}

void judge_request(const ap::SignedRequest& request, base::Time now, const Keys& keys, Outcome& out) {
    const auto reading = ap::read_signature(request, now);
    out.verdict = "reject";
    out.reason = reading.refusal.sentence;
    for (const auto& claim : reading.claims) {
        const auto key = keys.find(claim.key_id);
        if (key == keys.end()) out.reason = "The key is not known";
        else if (ap::holds(claim, key->second)) out.verdict = "accept";
        else out.reason = "The signature does not hold";
    }
    if (out.verdict == "accept") out.reason.clear();
}

// The headers that a case describes instead of showing them.
void add_signature(ap::Headers& headers, const json::object& one, const json::object& file) {
    if (auto parameters = text(one, "signature_params"); !parameters.empty()) {
        headers.emplace_back("Signature-Input", "sig1=" + parameters);
        headers.emplace_back("Signature", "sig1=:" + text(one, "signature") + ":");
    } else if (auto covered = text(one, "covered"); !covered.empty()) {
        headers.emplace_back(
            "Signature",
            "keyId=\"" + text(file, "keyid") + "\",algorithm=\"rsa-sha256\",headers=\"" + covered +
                "\",signature=\"" + text(one, "signature") + "\""
        );
    }
}

std::string expected_of(const json::object& one) {
    if (one.contains("expect")) return text(one, "expect");
    for (auto member : {"acceptable_for_delivery", "valid"})
        if (const auto* told = one.if_contains(member)) return told->as_bool() ? "accept" : "reject";
    return "accept";
}

Outcome judge_one(const json::object& one, const json::object& file, const Keys& keys) {
    return guarded(text(one, "name"), expected_of(one), [&](Outcome& out) {
        const auto* own = one.if_contains("request");
        auto request = request_of(own ? own->as_object() : one, text(file, "local_host"));
        add_signature(request.headers, one, file);
        judge_request(request.signed_request(), time_in(one, time_in(file, {0})), keys, out);
    });
}

// draft-cavage-12, appendix C: a key that is too short for us, so the arithmetic is left to OpenSSL.
bool holds_with_short_key(const std::string& pem, const ap::Claim& claim) {
    BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    EVP_PKEY* key = PEM_read_bio_PUBKEY(bio, nullptr, nullptr, nullptr);
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    const auto* signature = reinterpret_cast<const unsigned char*>(claim.signature.data());
    const auto* signed_text = reinterpret_cast<const unsigned char*>(claim.texts.at(0).data());
    const bool good =
        key && EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, key) == 1 &&
        EVP_DigestVerify(context, signature, claim.signature.size(), signed_text, claim.texts[0].size()) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    BIO_free(bio);
    return good;
}

std::vector<Outcome> judge_appendix_c(const json::object& file) {
    std::vector<Outcome> all;
    for (const auto& value : file.at("cases").as_array()) {
        const auto& one = value.as_object();
        all.push_back(guarded(text(one, "name"), expected_of(one), [&](Outcome& out) {
            auto request = request_of(file.at("request").as_object(), "");
            const auto date = ap::parts::header_value(request.headers, "date").value();
            request.headers.emplace_back("Signature", text(one, "signature_header"));
            const auto reading =
                ap::read_signature(request.signed_request(), base::parse_http_date(date).value());
            out.reason = reading.refusal.sentence;
            const bool good = !reading.claims.empty() &&
                              reading.claims[0].texts.at(0) == text(one, "signing_string") &&
                              holds_with_short_key(text(file, "public_key_pem"), reading.claims[0]);
            out.verdict = good ? "accept" : "reject";
        }));
    }
    return all;
}

std::optional<ap::PublicKey> key_of(const json::object& jwk) {
    if (text(jwk, "crv") != "Ed25519") return std::nullopt;
    return ap::PublicKey::from_multikey(
        ap::to_multibase("\xed\x01" + base::from_base64(text(jwk, "x")).value())
    );
}

// RFC 9421, appendix B: what is signed must agree, and the signature where the algorithm is one of ours.
Outcome judge_base(const json::object& one, const json::object& message, const json::object& file) {
    const auto* valid = message.if_contains("valid");
    const bool sound = !valid || valid->as_bool();
    return guarded(
        text(message.contains("name") ? message : one, "name"),
        sound ? "accept" : "reject",
        [&](Outcome& out) {
            const auto inputs = ap::fields::read_dictionary(text(one, "Signature-Input")).value();
            const auto signatures = ap::fields::read_dictionary(text(one, "Signature")).value();
            std::vector<std::string> covered;
            for (const auto& item : inputs.at(0).items) {
                covered.push_back(std::get<std::string>(item.value));
                if (!item.parameters.all.empty()) out.reason = "The signature covers what is not supported";
            }
            if (message.contains("status")) out.reason = "This is a response";
            out.verdict = "unsupported";
            out.ok = !out.reason.empty();
            if (out.ok) return;

            const auto request = request_of(message, "");
            const auto base = ap::parts::signature_base(request.signed_request(), covered, inputs.at(0).text);
            const auto& bytes = std::get<ap::fields::Bytes>(signatures.at(0).item.value);
            if (const auto key = key_of(file.at("keys").as_object().at(text(one, "key")).as_object()))
                out.verdict = base && key->verifies(bytes.value, *base) ? "accept" : "reject";
            else out.ok = base == text(one, "signature_base");
        }
    );
}

std::vector<Outcome> judge_appendix_b(const json::object& file) {
    std::vector<Outcome> all;
    const auto& messages = file.at("messages").as_object();
    for (const auto& one : file.at("cases").as_array()) {
        const auto& object = one.as_object();
        all.push_back(judge_base(object, messages.at(text(object, "message")).as_object(), file));
    }
    if (const auto* more = file.if_contains("transformations"))
        for (const auto& message : more->as_object().at("messages").as_array())
            all.push_back(judge_base(more->as_object(), message.as_object(), file));
    return all;
}

}  // namespace

Request request_of(const json::object& request, std::string_view local_host) {
    Request out{text(request, "method"), text(request, "target"), {}, text(request, "body")};
    const auto add = [&](std::string_view name, const json::value& value) {
        if (value.is_array())
            for (const auto& line : value.as_array()) out.headers.emplace_back(name, line.as_string());
        else out.headers.emplace_back(name, value.as_string());
    };
    if (const auto* headers = request.if_contains("headers")) {
        if (headers->is_object())
            for (const auto& [name, value] : headers->as_object()) add(name, value);
        else
            for (const auto& line : headers->as_array()) add(line.at(0).as_string(), line.at(1));
    }
    if (const auto url = text(request, "url"); !url.empty()) {
        const auto path = std::min(url.find('/', url.find("://") + 3), url.size());
        out.origin = url.substr(0, path);
        out.target = url.substr(path);
    } else {
        auto host = std::string(local_host);
        if (host.empty()) host = ap::parts::header_value(out.headers, "host").value_or("");
        out.origin = "https://" + host;
    }
    return out;
}

bool is_http(const json::object& file) {
    if (file.contains("messages") || file.contains("request")) return true;
    const auto* all = file.if_contains("cases");
    if (!all || !all->is_array() || all->as_array().empty()) return false;
    const auto& first = all->as_array()[0].as_object();
    return first.contains("request") || first.contains("method");
}

std::vector<Outcome> judge_http(const json::object& file) {
    if (file.contains("messages")) return judge_appendix_b(file);
    if (file.contains("request")) return judge_appendix_c(file);
    std::vector<Outcome> all;
    const auto keys = keys_of(file);
    for (const auto& one : file.at("cases").as_array()) all.push_back(judge_one(one.as_object(), file, keys));
    return all;
}

}  // namespace cases
