// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/verifying/known_keys.hpp"

#include "base/cache.hpp"
#include "base/crypto.hpp"

#include <cstring>

namespace federation {

namespace {

constexpr std::size_t bytes_of_a_key = 4096;

}  // namespace

std::shared_ptr<const ap::PublicKey> parsed_key(std::string_view stored) {
    static base::Cache<ap::PublicKey> cache(8 << 20);
    // The cache key is a hash of the content: a changed key is a different entry, so there is no version.
    auto hash = base::sha256(stored);
    base::VersionedKey name;
    std::memcpy(&name.id, hash.data(), sizeof name.id);
    std::memcpy(&name.version, hash.data() + sizeof name.id, sizeof name.version);
    if (auto known = cache.find(name)) return known;
    bool is_pem = stored.find("-----BEGIN") != stored.npos;
    auto key = is_pem ? ap::PublicKey::from_pem(stored) : ap::PublicKey::from_multikey(stored);
    if (!key) return nullptr;
    auto kept = std::make_shared<const ap::PublicKey>(*std::move(key));
    cache.put(name, kept, bytes_of_a_key);
    return kept;
}

}  // namespace federation
