// SPDX-License-Identifier: AGPL-3.0-or-later
#include "acme/authority.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace json = boost::json;

namespace {

const std::string origin = "https://authority.example";

std::string text(const json::object& object, const char* name) {
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::object decoded(const json::object& envelope, const char* part) {
    const auto bytes = base::from_base64(text(envelope, part)).value();
    return bytes.empty() ? json::object() : json::parse(bytes).as_object();
}

void add(X509* certificate, X509* issuer, int nid, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    auto* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
    ASSERT_TRUE(extension);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

}  // namespace

Authority::Authority() : key_(EVP_EC_gen("P-256")), root_(X509_new()) {
    X509_set_version(root_, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(root_), 7);
    X509_NAME_add_entry_by_txt(
        X509_get_subject_name(root_),
        "CN",
        MBSTRING_ASC,
        reinterpret_cast<const unsigned char*>("Root"),
        -1,
        -1,
        0
    );
    X509_set_issuer_name(root_, X509_get_subject_name(root_));
    X509_set_pubkey(root_, key_);
    add(root_, root_, NID_subject_key_identifier, "hash");
    X509_sign(root_, key_, EVP_sha256());
}

Authority::~Authority() {
    X509_free(root_);
    EVP_PKEY_free(key_);
}

base::Fetched Authority::answer(const base::Fetch& question) {
    asked.push_back(question.url.substr(origin.size()));
    EXPECT_TRUE(question.trusted);
    if (away) return {base::FetchFailure::unreachable, 0, question.url, {}, {}, 0};
    auto answer = handle(question);
    answer.url = question.url;
    const auto nonce = "nonce" + std::to_string(++last_nonce_);
    nonces_.insert(nonce);
    answer.headers.push_back({"replay-nonce", nonce});
    answer.headers.push_back({"date", base::http_date(base::Time{clock_ms})});
    if (!dies_at.empty() && asked.back() == dies_at) {
        dies_at.clear();
        throw Died();
    }
    return answer;
}

base::Fetched Authority::say(int status, json::object body, std::vector<base::FetchHeader> headers) {
    base::Fetched answer;
    answer.status = status;
    answer.body = json::serialize(body);
    answer.headers = std::move(headers);
    return answer;
}

base::Fetched Authority::problem(int status, const std::string& type, const std::string& detail) {
    auto answer = say(status, {{"type", "urn:ietf:params:acme:error:" + type}, {"detail", detail}});
    answer.retry_after = retry_after;
    return answer;
}

// Each nonce is good once, and the address in what is signed is the one that is asked.
json::object Authority::payload(const base::Fetch& question) {
    const auto envelope = json::parse(question.body).as_object();
    const auto head = decoded(envelope, "protected");
    EXPECT_EQ(text(head, "url"), question.url);
    EXPECT_EQ(text(head, "alg"), "ES256");
    EXPECT_EQ(nonces_.erase(text(head, "nonce")), 1u);
    EXPECT_EQ(text(head, "kid"), question.url.ends_with("/account") ? "" : origin + "/account/1");
    EXPECT_EQ(base::from_base64(text(envelope, "signature")).value().size(), 64u);
    return decoded(envelope, "payload");
}

json::object Authority::shown_order() const {
    json::object order{
        {"status", order_status_},
        {"finalize", origin + "/finalize"},
        {"identifiers", identifiers_},
        {"authorizations", json::array{origin + "/authorization"}}
    };
    if (order_status_ == "valid") order["certificate"] = origin + "/certificate";
    return order;
}

base::Fetched Authority::handle(const base::Fetch& question) {
    const auto path = question.url.substr(origin.size());
    if (path == "/directory") {
        json::object directory{
            {"newNonce", origin + "/nonce"},
            {"newAccount", origin + "/account"},
            {"newOrder", origin + "/order"}
        };
        if (window.second != 0) directory["renewalInfo"] = origin + "/renewal";
        return say(200, directory);
    }
    if (path == "/nonce") return say(204, {});
    if (path.starts_with("/renewal/")) {
        auto answer =
            say(200,
                {{"suggestedWindow",
                  {{"start", base::to_string(base::Time{window.first})},
                   {"end", base::to_string(base::Time{window.second})}}}});
        answer.retry_after = 3600;
        return answer;
    }
    EXPECT_TRUE(question.post) << path;
    const auto sent = payload(question);
    if (bad_nonces > 0) {
        --bad_nonces;
        return problem(400, "badNonce", "not this one");
    }
    if (path == "/account") {
        const auto* binding = sent.if_contains("externalAccountBinding");
        if (!wants_binding.empty() && !binding)
            return problem(403, "externalAccountRequired", "who are you?");
        if (binding) bound_by = text(decoded(binding->as_object(), "protected"), "kid");
        ++accounts;
        forgetful = false;
        return say(201, {{"status", "valid"}}, {{"location", origin + "/account/1"}});
    }
    if (forgetful) return problem(400, "accountDoesNotExist", "never heard of you");
    if (path == "/order") {
        if (!replacing_refusal.empty() && sent.contains("replaces"))
            return problem(409, replacing_refusal, "not that one");
        if (!refusal.empty()) return problem(403, refusal, "CAA forbids it");
        ++orders;
        replaced = text(sent, "replaces");
        identifiers_ = sent.at("identifiers").as_array();
        order_status_ = "pending";
        proof_status_ = "pending";
        return say(201, shown_order(), {{"location", origin + "/order/1"}});
    }
    if (path == "/order/1") return say(200, shown_order());
    if (path == "/authorization") {
        json::array challenges;
        for (const char* type : {"http-01", "tls-alpn-01"}) {
            json::object one{
                {"type", type},
                {"url", origin + "/proof/" + type},
                {"token", std::string("token-") + type},
                {"status", proof_status_}
            };
            if (proof_status_ == "invalid")
                one["error"] = {
                    {"type", "urn:ietf:params:acme:error:connection"}, {"detail", "nobody answered"}
                };
            challenges.push_back(one);
        }
        return say(
            200, {{"status", proof_status_}, {"identifier", identifiers_.at(0)}, {"challenges", challenges}}
        );
    }
    if (path.starts_with("/proof/")) {
        proved_by = path.substr(7);
        proof_status_ = proved_by == invalid ? "invalid" : "valid";
        order_status_ = proved_by == invalid ? "invalid" : "ready";
        return say(200, {{"status", "processing"}});
    }
    if (path == "/finalize") {
        chain_ = sign(base::from_base64(text(sent, "csr")).value());
        order_status_ = "valid";
        ++issued;
        return say(200, shown_order());
    }
    auto answer = say(200, {});
    answer.body = chain_;
    return answer;
}

std::string Authority::sign(const std::string& der) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
    auto* request = d2i_X509_REQ(nullptr, &bytes, static_cast<long>(der.size()));
    EXPECT_EQ(X509_REQ_verify(request, X509_REQ_get0_pubkey(request)), 1);
    auto* made = X509_new();
    X509_set_version(made, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made), 0x80 + issued);
    X509_set_issuer_name(made, X509_get_subject_name(root_));
    X509_set_pubkey(made, X509_REQ_get0_pubkey(request));
    time_t from = clock_ms / 1000;
    X509_time_adj_ex(X509_getm_notBefore(made), 0, 0, &from);
    X509_time_adj_ex(X509_getm_notAfter(made), 0, static_cast<long>(lifetime_s), &from);
    add(made, root_, NID_authority_key_identifier, "keyid");
    auto* wanted = X509_REQ_get_extensions(request);
    for (int i = 0; i < sk_X509_EXTENSION_num(wanted); ++i)
        X509_add_ext(made, sk_X509_EXTENSION_value(wanted, i), -1);
    sk_X509_EXTENSION_pop_free(wanted, X509_EXTENSION_free);
    X509_sign(made, key_, EVP_sha256());
    auto* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(bio, made);
    char* written = nullptr;
    const auto size = BIO_get_mem_data(bio, &written);
    std::string out(written, static_cast<std::size_t>(size));
    BIO_free(bio);
    X509_free(made);
    X509_REQ_free(request);
    return out;
}
