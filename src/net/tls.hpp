// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <boost/asio/ssl/context.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace net {

// A certificate with those between it and its authority, and its private key; both PEM.
struct TlsIdentity {
    std::string chain, key;
};

// TLS 1.2 and 1.3 with forward secrecy, ALPN http/1.1. Throws std::runtime_error naming the file that is bad.
std::shared_ptr<boost::asio::ssl::context> tls_context(
    const std::filesystem::path& certificate, const std::filesystem::path& key
);
// The same from memory. Without a certificate nobody gets through but who asks for a challenge.
std::shared_ptr<boost::asio::ssl::context> tls_context(const TlsIdentity&);

// What is shown to an authority that looks whether a name is ours: who asks with the protocol acme-tls/1 alone gets the
// certificate of that name (RFC 8737). Connections of all threads ask; it outlives them.
class TlsChallenges {
public:
    void set(const std::map<std::string, TlsIdentity>& by_name);
    // Has the context's handshakes look here first.
    void join(boost::asio::ssl::context&);

private:
    std::shared_ptr<boost::asio::ssl::context> find(const std::string& name);
    static int choose(SSL*, int* alert, void* self);

    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<boost::asio::ssl::context>> by_name_;
};

}  // namespace net
