// SPDX-License-Identifier: AGPL-3.0-or-later
// A software authenticator (WebAuthn, ES256) for tests without a browser.
#pragma once
#include "base/crypto.hpp"
#include "base/sign_in/passkey.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <memory>

namespace support {

class Authenticator {
public:
    std::string id = base::random_bytes(16);

    static std::string client_data(const base::PasskeyQuestion& asked, const std::string& type) {
        return R"({"type":")" + type + R"(","challenge":")" + base::base64url(asked.challenge) +
               R"(","origin":")" + asked.origin + R"(","crossOrigin":false})";
    }
    std::string data(const std::string& host, int flags) {
        ++uses_;
        return base::sha256(host) + static_cast<char>(flags) + big(uses_, 4);
    }
    // Includes the public key in CBOR, in COSE format.
    std::string registration(const std::string& host) {
        auto point = key_.public_point;
        return base::sha256(host) + static_cast<char>(1 | 4 | 64) + big(0, 4) + std::string(16, '\0') +
               big(id.size(), 2) + id + std::string("\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", 10) +
               point.substr(1, 32) + std::string("\x22\x58\x20", 3) + point.substr(33);
    }
    std::string sign(const std::string& data, const std::string& client_data) const {
        auto message = data + base::sha256(client_data);
        std::unique_ptr<BIO, decltype(&BIO_free)> bio(
            BIO_new_mem_buf(key_.private_pem.data(), static_cast<int>(key_.private_pem.size())), &BIO_free
        );
        std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
            PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free
        );
        std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
        EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get());
        std::string out(128, '\0');
        auto size = out.size();
        EVP_DigestSign(
            context.get(),
            reinterpret_cast<unsigned char*>(out.data()),
            &size,
            reinterpret_cast<const unsigned char*>(message.data()),
            message.size()
        );
        out.resize(size);
        return out;
    }

private:
    static std::string big(std::uint64_t number, int bytes) {
        std::string out;
        while (bytes-- > 0) out += static_cast<char>(number >> (8 * bytes) & 0xFF);
        return out;
    }
    base::P256Key key_ = base::new_p256_key();
    std::uint64_t uses_ = 0;
};

}  // namespace support
