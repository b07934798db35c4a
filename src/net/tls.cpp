// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/tls.hpp"

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

}  // namespace

std::shared_ptr<ssl::context> tls_context(
    const std::filesystem::path& certificate, const std::filesystem::path& key
) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    boost::system::error_code error;
    context->use_certificate_chain_file(certificate.string(), error);
    if (error) throw std::runtime_error(certificate.string() + ": " + error.message());
    context->use_private_key_file(key.string(), ssl::context::pem, error);
    if (error) throw std::runtime_error(key.string() + ": " + error.message());

    auto* native = context->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(native, "ECDHE+AESGCM:ECDHE+CHACHA20");
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(native, choose_http_1_1, nullptr);
    return context;
}

}  // namespace net
