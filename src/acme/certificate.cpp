// SPDX-License-Identifier: AGPL-3.0-or-later
#include "acme/certificate.hpp"

#include "base/crypto.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace acme {

namespace {

template <auto F>
struct FreeWith {
    template <class T>
    void operator()(T* p) const {
        F(p);
    }
};
template <class T, auto F>
using Owned = std::unique_ptr<T, FreeWith<F>>;
using Bio = Owned<BIO, BIO_free>;
using X509Certificate = Owned<X509, X509_free>;
using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using Extension = Owned<X509_EXTENSION, X509_EXTENSION_free>;

[[noreturn]] void fail(const char* what) {
    ERR_clear_error();
    throw std::runtime_error(std::string("OpenSSL cannot ") + what);
}

template <class T>
T must(T made, const char* what) {
    if (!made) fail(what);
    return made;
}

int no_password(char*, int, int, void*) { return 0; }

Bio reader(const std::string& text) {
    return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Key read_key(const std::string& pem) {
    Key key(PEM_read_bio_PrivateKey(reader(pem).get(), nullptr, no_password, nullptr));
    ERR_clear_error();
    return key;
}

X509Certificate read_certificate(const std::string& chain) {
    X509Certificate found(PEM_read_bio_X509(reader(chain).get(), nullptr, no_password, nullptr));
    ERR_clear_error();
    return found;
}

std::string written(BIO* bio) {
    char* bytes = nullptr;
    const auto size = BIO_get_mem_data(bio, &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

Extension alternative_names(const Names& names) {
    std::string value;
    for (const auto& name : names) value += (value.empty() ? "DNS:" : ",DNS:") + name;
    return Extension(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, value.c_str()));
}

// The acmeIdentifier extension: critical, with the SHA-256 of the key authorization as an octet string.
Extension identifier(std::string_view key_authorization) {
    constexpr const char* acme_identifier = "1.3.6.1.5.5.7.1.31";
    const std::string value = std::string("\x04\x20", 2) + base::sha256(key_authorization);
    Owned<ASN1_OBJECT, ASN1_OBJECT_free> object(OBJ_txt2obj(acme_identifier, 1));
    Owned<ASN1_OCTET_STRING, ASN1_OCTET_STRING_free> data(ASN1_OCTET_STRING_new());
    const auto* bytes = reinterpret_cast<const unsigned char*>(value.data());
    if (!object || !data || ASN1_OCTET_STRING_set(data.get(), bytes, static_cast<int>(value.size())) != 1)
        fail("write an extension");
    return Extension(X509_EXTENSION_create_by_OBJ(nullptr, object.get(), 1, data.get()));
}

std::string bytes_of(const ASN1_STRING* text) {
    return {
        reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
        static_cast<std::size_t>(ASN1_STRING_length(text))
    };
}

// The serial number as in DER: with a leading zero byte if the top bit is set.
std::string serial_of(X509* certificate) {
    auto serial = bytes_of(X509_get0_serialNumber(certificate));
    if (!serial.empty() && (static_cast<unsigned char>(serial[0]) & 0x80) != 0) serial.insert(0, 1, '\0');
    return serial;
}

}  // namespace

base::Time time_of(const ASN1_TIME* time) {
    std::tm parts{};
    if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
    return {static_cast<std::int64_t>(::timegm(&parts)) * 1000};
}

std::string new_key() { return base::new_p256_key().private_pem; }

std::string request_for(const Names& names, const std::string& key) {
    auto owner = must(read_key(key), "read a key");
    Owned<X509_REQ, X509_REQ_free> request(must(X509_REQ_new(), "make a request"));
    auto extension = must(alternative_names(names), "write the names");
    Owned<STACK_OF(X509_EXTENSION), [](STACK_OF(X509_EXTENSION) * all) { sk_X509_EXTENSION_free(all); }> all(
        must(sk_X509_EXTENSION_new_null(), "write the names")
    );
    sk_X509_EXTENSION_push(all.get(), extension.get());
    unsigned char* der = nullptr;
    int size = 0;
    if (X509_REQ_set_version(request.get(), 0) != 1 || X509_REQ_set_pubkey(request.get(), owner.get()) != 1 ||
        X509_REQ_add_extensions(request.get(), all.get()) != 1 ||
        X509_REQ_sign(request.get(), owner.get(), EVP_sha256()) == 0 ||
        (size = i2d_X509_REQ(request.get(), &der)) <= 0)
        fail("sign a request");
    std::string out(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    return out;
}

Certificate challenge_certificate(const std::string& name, std::string_view key_authorization) {
    Certificate out{"", new_key()};
    auto key = must(read_key(out.key), "read a key");
    X509Certificate certificate(must(X509_new(), "make a certificate"));
    auto* x = certificate.get();
    auto names = must(alternative_names({name}), "write a name");
    auto proof = must(identifier(key_authorization), "write an extension");
    const auto* common_name = reinterpret_cast<const unsigned char*>("acme-tls/1");
    auto* subject = X509_get_subject_name(x);
    constexpr long day = 86'400;
    if (X509_set_version(x, X509_VERSION_3) != 1 || ASN1_INTEGER_set(X509_get_serialNumber(x), 1) != 1 ||
        !X509_gmtime_adj(X509_getm_notBefore(x), -day) || !X509_gmtime_adj(X509_getm_notAfter(x), 7 * day) ||
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common_name, -1, -1, 0) != 1 ||
        X509_set_issuer_name(x, subject) != 1 || X509_set_pubkey(x, key.get()) != 1 ||
        X509_add_ext(x, names.get(), -1) != 1 || X509_add_ext(x, proof.get(), -1) != 1 ||
        X509_sign(x, key.get(), EVP_sha256()) == 0)
        fail("sign a certificate");
    Bio bio(BIO_new(BIO_s_mem()));
    if (!bio || PEM_write_bio_X509(bio.get(), x) != 1) fail("write a certificate");
    out.chain = written(bio.get());
    return out;
}

std::optional<Facts> facts_of(const std::string& chain) {
    auto certificate = read_certificate(chain);
    if (!certificate) return std::nullopt;
    Facts facts;
    facts.from = time_of(X509_get0_notBefore(certificate.get()));
    facts.until = time_of(X509_get0_notAfter(certificate.get()));
    if (const auto* authority = X509_get0_authority_key_id(certificate.get()))
        facts.renewal_id =
            base::base64url(bytes_of(authority)) + "." + base::base64url(serial_of(certificate.get()));
    return facts;
}

std::optional<std::string> fault_of(const Certificate& given, const Names& names) {
    auto certificate = read_certificate(given.chain);
    if (!certificate) return "it holds no certificate in PEM";
    auto key = read_key(given.key);
    if (!key || X509_check_private_key(certificate.get(), key.get()) != 1) {
        ERR_clear_error();
        return "its key is another one";
    }
    for (const auto& name : names)
        if (X509_check_host(certificate.get(), name.data(), name.size(), 0, nullptr) != 1)
            return "it is not for " + name;
    return std::nullopt;
}

}  // namespace acme
