// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/checks/certificates.hpp"

#include "acme/certificate.hpp"
#include "config/addresses.hpp"
#include "config/clock.hpp"
#include "server/checks/checks.hpp"
#include "server/https.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>

namespace server {

namespace {

template <auto F>
struct FreeWith {
    template <class T>
    void operator()(T* p) const {
        F(p);
    }
};
using Bio = std::unique_ptr<BIO, FreeWith<BIO_free>>;
using Certificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;

// Nobody could type a password when the server starts.
int no_password(char*, int, int, void*) { return 0; }

// Adds a fault if the file cannot be opened.
Bio open(const char* option, const std::string& path, const char* what, Words& faults) {
    Bio file(BIO_new_file(path.c_str(), "r"));
    auto error = errno;
    ERR_clear_error();
    if (!file)
        faults.push_back(
            std::string(option) + ": " + path + " cannot be read (" + std::strerror(error) + "); name " + what
        );
    return file;
}

Certificate certificate_in(BIO* file) {
    Certificate found(PEM_read_bio_X509_AUX(file, nullptr, no_password, nullptr));
    ERR_clear_error();
    return found;
}

Certificate certificate_of(const char* option, const std::string& path, const char* what, Words& faults) {
    auto file = open(option, path, what, faults);
    if (!file) return {};
    auto found = certificate_in(file.get());
    if (!found)
        faults.push_back(std::string(option) + ": " + path + " holds no certificate in PEM; name " + what);
    return found;
}

constexpr const char* certificate_file =
    "the PEM file with the certificate and those between it and its authority, for example "
    "/etc/letsencrypt/live/social.example.org/fullchain.pem";
constexpr const char* key_file =
    "the PEM file with the certificate's private key, for example "
    "/etc/letsencrypt/live/social.example.org/privkey.pem";

void check_tls(const Config& config, Words& faults) {
    if (config.tls_cert.empty() || config.tls_key.empty()) return;
    auto certificate = certificate_of("tls_cert", config.tls_cert, certificate_file, faults);
    auto file = open("tls_key", config.tls_key, key_file, faults);
    if (!file) return;
    Key key(PEM_read_bio_PrivateKey(file.get(), nullptr, no_password, nullptr));
    if (!key)
        faults.push_back(
            "tls_key: " + config.tls_key + " holds no private key in PEM without a password; name " + key_file
        );
    else if (certificate && X509_check_private_key(certificate.get(), key.get()) != 1)
        faults.push_back(
            "tls_key: the key in " + config.tls_key + " does not belong to the certificate in " +
            config.tls_cert + "; name the two files of one certificate"
        );
    ERR_clear_error();
}

Validity validity_of(const X509* certificate) {
    return {acme::time_of(X509_get0_notBefore(certificate)), acme::time_of(X509_get0_notAfter(certificate))};
}

}  // namespace

std::optional<Validity> validity_of(const std::string& pem) {
    Bio text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    auto certificate = certificate_in(text.get());
    if (!certificate) return std::nullopt;
    return validity_of(certificate.get());
}

std::optional<Validity> validity_of_file(const Config& config) {
    if (config.tls_listen.empty()) return std::nullopt;
    std::ifstream file(config.tls_cert);
    return validity_of(std::string(std::istreambuf_iterator<char>(file), {}));
}

namespace {

constexpr std::int64_t day = 86'400'000;

}  // namespace

bool ends_soon(const Validity& validity, base::Time now) {
    return validity.until.ms - now.ms < std::min(14 * day, (validity.until.ms - validity.from.ms) / 3);
}

std::optional<std::string> remark_on(const Validity& validity, base::Time now) {
    auto date = [](base::Time time) { return base::to_string(base::Date{time.ms}); };
    if (now < validity.from) return "is good from " + date(validity.from) + " on only";
    if (now >= validity.until) return "ended on " + date(validity.until);
    if (!ends_soon(validity, now)) return std::nullopt;
    const auto days = (validity.until.ms - now.ms) / day;
    return days == 0 ? "ends today" : "ends in " + std::to_string(days) + (days == 1 ? " day" : " days");
}

Words faults_of_certificates(const Config& config) {
    auto faults = faults_of_acme(config);
    check_tls(config, faults);
    if (!config.extra_ca_file.empty())
        certificate_of(
            "extra_ca_file",
            config.extra_ca_file,
            "a PEM file with the authority's certificate, or leave it out",
            faults
        );
    return faults;
}

Words doubts_about_certificates(const Config& config) {
    if (config.tls_cert.empty()) return {};
    Bio file(BIO_new_file(config.tls_cert.c_str(), "r"));
    ERR_clear_error();
    auto certificate = file ? certificate_in(file.get()) : Certificate{};
    if (!certificate) return {};
    Words found;
    if (auto remark = remark_on(validity_of(certificate.get()), clock_now()))
        found.push_back(
            "tls_cert: the certificate in " + config.tls_cert + " " + *remark +
            "; have it renewed, for example with certbot renew, and send the server SIGHUP"
        );
    auto url = parse_public_url(config.public_url);
    if (!url || !url->secure) return found;
    const auto host = host_of(url->authority);
    if (X509_check_host(certificate.get(), host.data(), host.size(), 0, nullptr) != 1)
        found.push_back(
            "tls_cert: the certificate in " + config.tls_cert + " is not for " + host +
            ", the host of public_url; name the files of one that is, for example "
            "/etc/letsencrypt/live/" +
            host + "/fullchain.pem"
        );
    return found;
}

}  // namespace server
