// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <boost/asio/ssl/context.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace net {

// A certificate with its intermediates, and its private key; both PEM.
struct TlsIdentity {
    std::string chain, key;
};

// TLS 1.2 and 1.3 with forward secrecy, ALPN http/1.1. Throws std::runtime_error naming the faulty file.
std::shared_ptr<boost::asio::ssl::context> tls_context(
    const std::filesystem::path& certificate, const std::filesystem::path& key
);
// The same from memory. Without a certificate, only handshakes for a challenge succeed.
std::shared_ptr<boost::asio::ssl::context> tls_context(const TlsIdentity&);

// Answers the TLS-ALPN challenge of a certificate authority: a client that offers only the protocol
// acme-tls/1 gets the challenge certificate of the name (RFC 8737). Thread-safe; must outlive the
// connections.
class TlsChallenges {
public:
    void set(const std::map<std::string, TlsIdentity>& by_name);
    // Makes the context's handshakes look here first.
    void join(boost::asio::ssl::context&);

private:
    std::shared_ptr<boost::asio::ssl::context> find(const std::string& name);
    static int choose(SSL*, int* alert, void* self);

    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<boost::asio::ssl::context>> by_name_;
};

}  // namespace net
