// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/checks.hpp"

#include "base/text/languages.hpp"
#include "config/addresses.hpp"
#include "http/body/urlencoded.hpp"
#include "net/forwarded.hpp"
#include "server/backups.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/mail.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
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

// A server starts without anybody who could type one.
int no_password(char*, int, int, void*) { return 0; }

// Says why when the file cannot be opened.
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

Certificate certificate_in(const char* option, const std::string& path, const char* what, Words& faults) {
    auto file = open(option, path, what, faults);
    if (!file) return {};
    Certificate found(PEM_read_bio_X509_AUX(file.get(), nullptr, no_password, nullptr));
    ERR_clear_error();
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
    auto certificate = certificate_in("tls_cert", config.tls_cert, certificate_file, faults);
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

// Without port.
std::string host_of(const std::string& authority) {
    if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
    return authority.substr(0, authority.find(':'));
}

// Names that only this machine, this network or a test knows.
bool is_internal(const std::string& host) {
    if (host.find('.') == host.npos) return true;
    for (auto end :
         {".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test", ".example", ".invalid"})
        if (host.ends_with(end)) return true;
    return false;
}

void check_public_url(const Config& config, Words& found) {
    auto url = parse_public_url(config.public_url);
    if (!url) return;
    auto host = host_of(url->authority);
    if (auto address = net::Address::parse(host)) {
        if (net::NetworkSet({"127.0.0.0/8", "::1/128"}).contains(*address)) return;
        found.push_back(
            "public_url: " + host +
            " is an address; other servers and certificates know names only, for example "
            "https://social.example.org"
        );
    } else if (!url->secure && !is_internal(host)) {
        found.push_back(
            "public_url: other servers and apps reach " + host + " over https only; write https://" + host +
            ", with a proxy in front that speaks TLS, or with tls_listen"
        );
    }
}

}  // namespace

Words faults_of_files(const Config& config) {
    Words faults;
    check_tls(config, faults);
    if (!config.extra_ca_file.empty())
        certificate_in(
            "extra_ca_file",
            config.extra_ca_file,
            "a PEM file with the authority's certificate, or leave it out",
            faults
        );
    std::ranges::move(faults_of_backup(config), std::back_inserter(faults));
    return faults;
}

Words doubts(const Config& config) {
    Words found;
    check_public_url(config, found);
    std::ranges::move(doubts_about_backup(config), std::back_inserter(found));
    if (!config.contact_email.empty() && !accounts::email_form_errors(config.contact_email).empty())
        found.push_back(
            "contact_email: \"" + config.contact_email +
            "\" is no e-mail address; write one like admin@example.org"
        );
    if (!base::text::find_language(config.language))
        found.push_back(
            "language: \"" + config.language + "\" is no language we know; write a code like en, de or pt-BR"
        );
    return found;
}

std::optional<std::string> doubt_about_contact(db::Read& db) {
    const auto& name = db.site().contact_account;
    if (name.empty()) return std::nullopt;
    auto account = accounts::find_by_acct(db, name);
    if (account && account->local()) return std::nullopt;
    return "contact_account: nobody here is called \"" + name +
           "\"; make the account, or write the name of another one";
}

std::optional<std::string> doubt_about_domain(
    const Config& config, const std::function<base::Fetched(const base::Fetch&)>& fetch
) {
    auto url = parse_public_url(config.public_url);
    if (!url || config.domain == url->authority || is_internal(host_of(config.domain))) return std::nullopt;
    // Of the server itself, which answers before there is any account.
    auto way = "/.well-known/webfinger?resource=" +
               http::percent_encoded("acct:" + url->authority + "@" + config.domain);
    base::Fetch question;
    question.url = "https://" + config.domain + way;
    question.seconds = 10;
    question.trusted = true;
    auto answer = fetch(question);
    if (answer.ok() && answer.body.find(config.public_url) != std::string::npos) return std::nullopt;
    auto came = answer.failure == base::FetchFailure::none ? "status " + std::to_string(answer.status)
                                                           : std::string(base::word(answer.failure));
    return "domain: https://" + config.domain + "/.well-known/webfinger does not lead here (" + came +
           "), so nobody @" + config.domain + " is found; have the server there redirect that address to " +
           config.public_url + "/.well-known/webfinger";
}

}  // namespace server
