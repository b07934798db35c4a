// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/hash/digest.hpp"

#include "base/crypto.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace base {

void Digest::End::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Digest::Digest() : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 cannot be begun");
}

void Digest::add(std::string_view bytes) {
    if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1)
        throw std::runtime_error("SHA-256 cannot be continued");
}

std::string Digest::hex() {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_DigestFinal_ex(context_.get(), bytes, &length) != 1)
        throw std::runtime_error("SHA-256 cannot be ended");
    return base::hex({reinterpret_cast<const char*>(bytes), length});
}

}  // namespace base
