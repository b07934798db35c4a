// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/hash/keyed_hash.hpp"

#include "base/crypto.hpp"

#include <sodium.h>
#include <cstring>

namespace base {

KeyedHash::KeyedHash() {
    static_assert(sizeof key_ == crypto_shorthash_siphash24_KEYBYTES);
    randombytes_buf(key_.data(), key_.size());
}

KeyedHash::KeyedHash(std::string_view secret) {
    const auto digest = sha256(secret);
    std::memcpy(key_.data(), digest.data(), key_.size());
}

std::uint64_t KeyedHash::operator()(std::string_view text) const {
    unsigned char out[crypto_shorthash_siphash24_BYTES];
    crypto_shorthash_siphash24(
        out, reinterpret_cast<const unsigned char*>(text.data()), text.size(), key_.data()
    );
    std::uint64_t hash = 0;
    std::memcpy(&hash, out, sizeof hash);
    return hash;
}

}  // namespace base
