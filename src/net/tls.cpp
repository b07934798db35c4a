// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/tls.hpp"

#include <boost/asio/buffer.hpp>

#include <stdexcept>

namespace net {

namespace ssl = boost::asio::ssl;

namespace {

using Bytes = const unsigned char*;

int choose_http_1_1(SSL*, Bytes* chosen, unsigned char* size, Bytes offered, unsigned offered_size, void*) {
    static constexpr unsigned char ours[] = "\x08http/1.1";
    unsigned char* found = nullptr;
    if (SSL_select_next_proto(&found, size, ours, sizeof ours - 1, offered, offered_size) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

constexpr std::string_view challenge_protocol = "acme-tls/1";

int choose_challenge(SSL*, Bytes* chosen, unsigned char* size, Bytes, unsigned, void*) {
    *chosen = reinterpret_cast<Bytes>(challenge_protocol.data());
    *size = static_cast<unsigned char>(challenge_protocol.size());
    return SSL_TLSEXT_ERR_OK;
}

std::shared_ptr<ssl::context> fresh_context() {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    auto* native = context->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(native, "ECDHE+AESGCM:ECDHE+CHACHA20");
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(native, choose_http_1_1, nullptr);
    return context;
}

void use(ssl::context& context, const TlsIdentity& identity) {
    context.use_certificate_chain(boost::asio::buffer(identity.chain));
    context.use_private_key(boost::asio::buffer(identity.key), ssl::context::pem);
}

// An extension of the ClientHello, unparsed.
std::string_view extension(SSL* connection, unsigned type) {
    Bytes bytes = nullptr;
    std::size_t size = 0;
    if (SSL_client_hello_get0_ext(connection, type, &bytes, &size) != 1) return {};
    return {reinterpret_cast<const char*>(bytes), size};
}

// The list of protocols: its length (2 bytes), then each with its own length (1 byte).
bool asks_for_challenge(SSL* connection) {
    const auto offered = extension(connection, TLSEXT_TYPE_application_layer_protocol_negotiation);
    return offered.size() == 3 + challenge_protocol.size() &&
           static_cast<std::size_t>(offered[2]) == challenge_protocol.size() &&
           offered.substr(3) == challenge_protocol;
}

// The single host name: the length of the list (2 bytes), the type (1 byte, 0), its length (2 bytes), the
// name.
std::string name_asked_for(SSL* connection) {
    constexpr std::size_t head = 5;
    const auto names = extension(connection, TLSEXT_TYPE_server_name);
    if (names.size() <= head || names[2] != 0) return {};
    return std::string(names.substr(head));
}

}  // namespace

std::shared_ptr<ssl::context> tls_context(
    const std::filesystem::path& certificate, const std::filesystem::path& key
) {
    auto context = fresh_context();
    boost::system::error_code error;
    context->use_certificate_chain_file(certificate.string(), error);
    if (error) throw std::runtime_error(certificate.string() + ": " + error.message());
    context->use_private_key_file(key.string(), ssl::context::pem, error);
    if (error) throw std::runtime_error(key.string() + ": " + error.message());
    return context;
}

std::shared_ptr<ssl::context> tls_context(const TlsIdentity& identity) {
    auto context = fresh_context();
    if (!identity.chain.empty()) use(*context, identity);
    return context;
}

void TlsChallenges::set(const std::map<std::string, TlsIdentity>& by_name) {
    std::map<std::string, std::shared_ptr<ssl::context>> contexts;
    for (const auto& [name, identity] : by_name) {
        auto context = fresh_context();
        use(*context, identity);
        SSL_CTX_set_alpn_select_cb(context->native_handle(), choose_challenge, nullptr);
        contexts[name] = std::move(context);
    }
    std::lock_guard lock(mutex_);
    by_name_ = std::move(contexts);
}

void TlsChallenges::join(ssl::context& context) {
    SSL_CTX_set_client_hello_cb(context.native_handle(), choose, this);
}

std::shared_ptr<ssl::context> TlsChallenges::find(const std::string& name) {
    std::lock_guard lock(mutex_);
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
}

int TlsChallenges::choose(SSL* connection, int* alert, void* self) {
    if (!asks_for_challenge(connection)) return SSL_CLIENT_HELLO_SUCCESS;
    const auto context = static_cast<TlsChallenges*>(self)->find(name_asked_for(connection));
    if (!context) {
        *alert = SSL_AD_UNRECOGNIZED_NAME;
        return SSL_CLIENT_HELLO_ERROR;
    }
    SSL_set_SSL_CTX(connection, context->native_handle());  // takes its own reference
    return SSL_CLIENT_HELLO_SUCCESS;
}

}  // namespace net
