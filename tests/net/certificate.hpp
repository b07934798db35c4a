// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "net/server.hpp"

namespace net_test {

// A self-signed certificate for a name.
struct Certificate {
    explicit Certificate(const char* name, long seconds = 30 * 86'400) : seconds_(seconds) {
        auto text = (std::filesystem::temp_directory_path() / "dunlin-tls-XXXXXX").string();
        directory = ::mkdtemp(text.data());
        write(name);
    }
    ~Certificate() { std::filesystem::remove_all(directory); }

    void write(const char* name) {
        auto* pkey = EVP_EC_gen("P-256");
        auto* x509 = X509_new();
        X509_set_version(x509, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
        X509_gmtime_adj(X509_getm_notBefore(x509), -86'400);
        X509_gmtime_adj(X509_getm_notAfter(x509), seconds_);
        X509_set_pubkey(x509, pkey);
        auto* subject = X509_get_subject_name(x509);
        X509_NAME_add_entry_by_txt(
            subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name), -1, -1, 0
        );
        X509_set_issuer_name(x509, subject);
        auto text = std::string("DNS:") + name;
        auto* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, text.c_str());
        X509_add_ext(x509, names, -1);
        X509_EXTENSION_free(names);
        X509_sign(x509, pkey, EVP_sha256());
        auto* file = std::fopen(path("cert.pem").c_str(), "w");
        PEM_write_X509(file, x509);
        std::fclose(file);
        file = std::fopen(path("key.pem").c_str(), "w");
        PEM_write_PrivateKey(file, pkey, nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(file);
        X509_free(x509);
        EVP_PKEY_free(pkey);
    }
    std::filesystem::path path(const char* name) const { return directory / name; }
    net::ServerOptions options() const {
        net::ServerOptions options;
        options.listen = {{"127.0.0.1", 0, true}};
        options.tls_certificate = path("cert.pem");
        options.tls_key = path("key.pem");
        return options;
    }

    std::filesystem::path directory;

private:
    long seconds_;  // from now on that it is good for
};

}  // namespace net_test
